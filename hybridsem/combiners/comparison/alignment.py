"""Which words of two sentences stand for each other.

Every content word of one sentence has at most one partner in the other, so that the similarities
add up to the most. They come from the words themselves: the same lemma or number, a relation in
WordNet, the cosine of their vectors. Where several partners are equally alike (a word that occurs
twice), what governs them and what stands beside them decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.assignment import assignment
from hybridsem.combiners.comparison.reading import SentenceWords
from hybridsem.english.function_words import opposed
from hybridsem.english.lexicon import POS, LexicalRelation, Lexicon
from hybridsem.english.predicate_forms import COMPARISON

__all__ = ["OPPOSED", "AlignedWords", "Alignment", "align_words"]

LEAST_SIMILARITY = 0.45
"""The similarity from which two words may be partners."""
RAISED = MappingProxyType(
    {
        LexicalRelation.SYNONYM: (0.6, 0.35),
        LexicalRelation.DERIVED: (0.6, 0.35),
        LexicalRelation.HYPERNYM: (0.5, 0.4),
        LexicalRelation.HYPONYM: (0.5, 0.4),
        LexicalRelation.SIMILAR: (0.5, 0.4),
        LexicalRelation.ENTAILS: (0.5, 0.4),
        LexicalRelation.ENTAILED: (0.5, 0.4),
        LexicalRelation.ANTONYM: (0.55, 0.3),
    }
)
"""What related words are alike at least, as a constant and a share of their cosine."""
PLAUSIBLE = 0.25
"""The cosine from which words are looked up: what is related in meaning is seldom below."""
WEAK = 0.3
"""A relation of senses that are less usual than this says nothing."""
NUMBERS = 0.5
"""What two different numbers are alike."""
OPPOSED = 0.5
"""From here two words on an axis of function words are antonyms: "east" and "west"."""
CONVERSES = 0.8
"""What two predicates are alike that say the same of exchanged participants."""
SAME_GOVERNOR, SAME_NEIGHBOUR, SAME_ORDER = 0.06, 0.02, 0.02
"""What decides between partners that are equally alike; together less than words differ by."""


class AlignedWords(NamedTuple):
    """Partners, by their positions among the content words, and how they are related."""

    first: int
    second: int
    similarity: float
    relation: LexicalRelation
    strength: float


@dataclass(frozen=True, slots=True)
class Alignment:
    """The partners, and the similarities of all words, (words of the first, of the second)."""

    pairs: tuple[AlignedWords, ...]
    similarities: Float64Array


def align_words(
    first: SentenceWords, second: SentenceWords, cosines: Float64Array, lexicon: Lexicon
) -> Alignment:
    """The alignment of two sentences.

    Args:
        first: One sentence.
        second: The other.
        cosines: Of their content words' vectors, (words of first, words of second).
        lexicon: Knows how words are related.
    """
    similarities, relations = _similarities(first, second, cosines, lexicon)
    gain = np.where(similarities >= LEAST_SIMILARITY, similarities, 0)
    rows, columns = np.nonzero(gain)
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        gain[i, j] += _nearness(first, second, i, j)
    pairs = []
    for i, j in assignment(gain):
        if gain[i, j]:
            relation, strength = relations.get((i, j), (LexicalRelation.NONE, 0.0))
            pairs.append(AlignedWords(i, j, float(similarities[i, j]), relation, strength))
    return Alignment(tuple(pairs), similarities)


def _similarities(
    first: SentenceWords, second: SentenceWords, cosines: Float64Array, lexicon: Lexicon
) -> tuple[Float64Array, dict[tuple[int, int], tuple[LexicalRelation, float]]]:
    """The similarities of all words and the relations of those that have one."""
    found = np.maximum(cosines, 0.0)
    relations: dict[tuple[int, int], tuple[LexicalRelation, float]] = {}
    there = [
        (second.lemmas[token], second.forms[token], second.tags[token], second.numbers[j])
        for j, token in enumerate(second.words)
    ]
    for i, token in enumerate(first.words):
        lemma, form, tag, number = (
            first.lemmas[token],
            first.forms[token],
            first.tags[token],
            first.numbers[i],
        )
        for j, (lemma2, form2, tag2, number2) in enumerate(there):
            if lemma == lemma2 or form == form2 or (number is not None and number == number2):
                found[i, j] = 1.0
                relations[i, j] = LexicalRelation.SAME, 1.0
            elif number is not None and number2 is not None:
                found[i, j] = max(NUMBERS, found[i, j])
            elif found[i, j] >= PLAUSIBLE and tag in POS and tag2 in POS:
                related = lexicon.relation(lemma, tag, lemma2, tag2)
                relation, strength = related
                if (against := opposed(lemma, lemma2)) >= OPPOSED:
                    related = relation, strength = LexicalRelation.ANTONYM, against
                converse = lexicon.converse(lemma, tag, lemma2, tag2)
                if converse is not None and converse != COMPARISON:
                    found[i, j] = max(CONVERSES, found[i, j])
                if strength >= WEAK:
                    relations[i, j] = related
                    if relation in RAISED:
                        least, share = RAISED[relation]
                        raised = least + share * found[i, j]
                        found[i, j] += strength * max(0.0, raised - found[i, j])
    return np.minimum(found, 1.0), relations


def _nearness(first: SentenceWords, second: SentenceWords, i: int, j: int) -> float:
    """What two words have in common besides themselves."""
    token, token2 = first.words[i], second.words[j]
    governors = {first.lemmas[place.governor] for place in first.places[i]}
    governors2 = {second.lemmas[place.governor] for place in second.places[j]}
    shared = bool(governors & governors2) or not (governors or governors2)
    below = first.dependents[i] & second.dependents[j]
    before = first.forms[token - 1 : token] == second.forms[token2 - 1 : token2]
    after = first.forms[token + 1 : token + 2] == second.forms[token2 + 1 : token2 + 2]
    order = 1 - abs(i / len(first.words) - j / len(second.words))
    return (
        SAME_GOVERNOR * (shared + bool(below))
        + SAME_NEIGHBOUR * (before + after)
        + SAME_ORDER * order
    )
