"""The alignment of the words of two sentences.

Every content word has at most one partner in the other sentence, and the sum of the similarities is
the largest. Similarity is of the words alone: the same lemma or number, a relation in WordNet, the
cosine of their vectors. Governors and neighbours decide between equally similar partners, such as a
word that occurs twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.assignment import assignment
from hybridsem.comparison.folding import as_fact
from hybridsem.comparison.sentence import Sentence
from hybridsem.english.function_words import opposed
from hybridsem.english.lexicon import CACHED_PAIRS, POS, REVERSED, LexicalRelation, Lexicon, Related
from hybridsem.english.predicate_forms import COMPARISON
from hybridsem.facts.names import Name
from hybridsem.facts.values import Fact, FactRelation, compare

LEAST_SIMILARITY = 0.45
"""The lowest similarity of partners."""
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
"""The lowest similarity of related words: a constant, and a share of their cosine."""
PLAUSIBLE = 0.25
"""The lowest cosine of words that are looked up; related words are seldom below."""
WEAK = 0.3
"""Relations between senses that are rarer than this are ignored."""
SURELY_OPPOSED = 0.8
"""Less probable opposites need governors of the same lemma."""
ADJECTIVAL = frozenset({"ADJ", "VERB"})
"""Tags of adjectives and participles."""
PARTICLES = 4
"""A particle is among this many tokens from its verb on: "turned the light off"."""
NUMBERS, NEAR_VALUES = 0.5, 0.75
"""The similarity of two different numbers or values, and of values that may be the same."""
OPPOSED = 0.5
"""The lowest opposition of antonyms on an axis of function words: "east" and "west"."""
CONVERSES = 0.8
"""The lowest similarity of converse predicates: "buy" and "sell"."""
SAME_GOVERNOR, SAME_NEIGHBOUR, SAME_ORDER = 0.06, 0.02, 0.02
"""Bonuses that decide between equally similar partners."""
CLEAR = 1.01 * (2 * SAME_GOVERNOR + 2 * SAME_NEIGHBOUR + SAME_ORDER)
"""A difference of similarities that no bonuses can make up for."""
THE_SAME: Related = (LexicalRelation.SAME, 1.0)
NOT_RELATED: Related = (LexicalRelation.NONE, 0.0)


class AlignedWords(NamedTuple):
    """Partners, by their positions among the content words, and their relation."""

    first: int
    second: int
    similarity: float
    relation: LexicalRelation
    strength: float

    @property
    def inverted(self) -> AlignedWords:
        """The partners with the sentences in the other order."""
        relation = REVERSED.get(self.relation, self.relation)
        return AlignedWords(self.second, self.first, self.similarity, relation, self.strength)


@dataclass(frozen=True, slots=True)
class Alignment:
    """The partners, and the similarities of all words, (words of the first, of the second)."""

    pairs: tuple[AlignedWords, ...]
    similarities: Float64Array


def align_words(
    first: Sentence,
    second: Sentence,
    cosines: Float64Array,
    lexicon: Lexicon,
    related: Mapping[tuple[int, int], Related] = MappingProxyType({}),
) -> Alignment:
    """Align two sentences, given the cosines of their content words' vectors, (words of first,
    words of second), which may be a little above 1. The relations of ``related`` words are known.
    """
    similarities, relations = _similarities(first, second, cosines, lexicon)
    for place, relation in related.items():
        relations[place], similarities[place] = relation, 1.0
    rows, columns = (places.tolist() for places in np.nonzero(similarities >= LEAST_SIMILARITY))
    likely = list(zip(rows, columns, strict=True))
    partners = _without_choice(likely, similarities)
    if partners is None:
        gain = np.zeros_like(similarities)
        for i, j in likely:
            gain[i, j] = similarities[i, j] + _nearness(first, second, i, j)
        partners = [(i, j) for i, j in assignment(gain) if gain[i, j]]
    pairs = [
        AlignedWords(i, j, similarities.item(i, j), *relations.get((i, j), NOT_RELATED))
        for i, j in partners
    ]
    return Alignment(tuple(pairs), similarities)


def _without_choice(
    likely: Sequence[tuple[int, int]], similarities: Float64Array
) -> list[tuple[int, int]] | None:
    """Return partners if each word has one that is clearly ahead of all others, else None.

    ``likely`` are the possible partners, in the order of the first sentence.
    """
    of_word: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)
    for i, j in likely:
        of_word[i].append((similarities.item(i, j), j))
    found = []
    for i, others in of_word.items():
        if len(others) > 1:
            others.sort()
            if others[-1][0] - others[-2][0] < CLEAR:
                return None
        found.append((i, others[-1][1]))
    return found if len({j for _, j in found}) == len(found) else None


def _opposed(sentence1: Sentence, sentence2: Sentence) -> set[tuple[int, int]]:
    """Return opposites that are sure or share a governor, whatever their vectors."""
    return {
        (i, j)
        for i, j, probability in sentence1.opposites.among(sentence2.opposites)
        if probability >= SURELY_OPPOSED or share_governor(sentence1, sentence2, i, j)
    }


def _converse(first: Sentence, second: Sentence, lexicon: Lexicon) -> Iterator[tuple[int, int]]:
    """Yield verbs that are converses, whatever their vectors: "lose to", "beat"."""
    for i in first.verbs if second.verbs else ():
        if converses := lexicon.converses(first.word_lemmas[i], "VERB"):
            yield from ((i, j) for j in second.verbs if second.word_lemmas[j] in converses)


def _phrasal(
    names1: Sequence[str], names2: Sequence[str], first: Sentence, second: Sentence
) -> Iterator[tuple[int, int]]:
    """Yield verbs of which one has a particle: the vector of "give" is not that of "give up"."""
    if names1 is first.word_lemmas and names2 is second.word_lemmas:  # usual, and quick
        return
    phrasal1, phrasal2 = (
        [name != lemma for name, lemma in zip(names, words.word_lemmas, strict=True)]
        for names, words in ((names1, first), (names2, second))
    )
    for i, j in product(range(len(names1)), range(len(names2))):
        if first.word_tags[i] == second.word_tags[j] == "VERB" and (phrasal1[i] or phrasal2[j]):
            yield i, j


def share_governor(first: Sentence, second: Sentence, i: int, j: int) -> bool:
    """Test if two words have a governor of the same lemma, or both have none."""
    governors, governors2 = first.governors(i), second.governors(j)
    return not governors.isdisjoint(governors2) or not (governors or governors2)


def _similarities(
    first: Sentence, second: Sentence, cosines: Float64Array, lexicon: Lexicon
) -> tuple[Float64Array, dict[tuple[int, int], Related]]:
    """Return the similarities of all words, and the relations of related ones."""
    found = np.minimum(np.maximum(cosines, 0.0), 1.0)
    same = [
        *_equal(first.word_lemmas, second.word_lemmas),
        *_equal(first.word_forms, second.word_forms),
    ]
    numbers = []
    if first.facts or second.facts:
        values = compared_values(first, second)
        same = [(i, j) for i, j in same if i not in first.facts and j not in second.facts]
        same += [place for place, relation in values.items() if relation is FactRelation.EQUAL]
        numbers += [place for place in values if place not in same]
        for i, j in product(range(len(first.words)), range(len(second.words))):
            if i in first.facts or j in second.facts:
                found[i, j] = _of_values(found.item(i, j), values.get((i, j)), first.facts.get(i))
    if first.numbered and second.numbered:
        pairs = list(product(first.numbered, second.numbered))
        same += [(i, j) for (i, number), (j, number2) in pairs if number == number2]
        others = [(i, j) for (i, number), (j, number2) in pairs if number != number2]
        same = [place for place in same if place not in others]
        numbers += others
        for i, j in others:
            same_word = first.word_forms[i] == second.word_forms[j]  # "2 million", "3 million"
            same_word |= first.word_lemmas[i] == second.word_lemmas[j]
            alike = 0.0 if same_word else found[i, j]
            found[i, j] = max(NUMBERS, alike)
    names1, names2 = _names(first, lexicon), _names(second, lexicon)
    relations = dict.fromkeys(same, THE_SAME)
    for place in relations:
        found[place] = 1.0
    plausible = (places.tolist() for places in np.nonzero(cosines >= PLAUSIBLE))
    looked_up = {
        *zip(*plausible, strict=True),
        *_opposed(first, second),
        *_converse(first, second, lexicon),
        *_phrasal(names1, names2, first, second),
    }
    for i, j in looked_up.difference(relations, numbers):
        tag, tag2 = first.word_tags[i], second.word_tags[j]
        if tag not in POS or tag2 not in POS:
            continue
        similarity = found.item(i, j)
        relation, strength, converse = _related(names1[i], tag, names2[j], tag2, lexicon)
        if relation is LexicalRelation.NONE and tag in ADJECTIVAL and tag2 in ADJECTIVAL:
            relation, strength = _opposed_participles(
                first.word_forms[i], second.word_forms[j], lexicon
            )
        if converse:
            similarity = max(CONVERSES, similarity)
        if strength >= WEAK:
            relations[i, j] = relation, strength
            if relation in RAISED:
                least, share = RAISED[relation]
                similarity += strength * max(0.0, least + share * similarity - similarity)
        found[i, j] = similarity
    return found, relations


def _of_values(cosine: float, relation: FactRelation | None, first: Fact | None) -> float:
    """Return the similarity of a value and a word, or of values with a relation. Names are alike as
    words are, unless they may be the same.
    """
    if relation is None or (relation is FactRelation.DISJOINT and isinstance(first, Name)):
        return min(cosine, NEAR_VALUES)
    return NUMBERS if relation is FactRelation.DISJOINT else NEAR_VALUES


def compared_values(first: Sentence, second: Sentence) -> dict[tuple[int, int], FactRelation]:
    """Return the relations of the values of the same type, by their positions."""
    facts1, facts2 = (
        {i: as_fact(number) for i, number in side.numbered} | side.facts for side in (first, second)
    )
    relations = {}
    for (i, fact), (j, fact2) in product(facts1.items(), facts2.items()):
        relation = compare(fact, fact2) if i in first.facts or j in second.facts else None
        if relation is not None:
            relations[i, j] = relation
    return relations


def _equal(words1: Sequence[str], words2: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of equal words."""
    last = dict(zip(words2, range(len(words2)), strict=True))
    if len(last) == len(words2):  # usual, and quick
        return [(i, last[word]) for i, word in enumerate(words1) if word in last]
    return [(i, j) for i, word in enumerate(words1) for j, two in enumerate(words2) if word == two]


@lru_cache(CACHED_PAIRS)
def _related(
    lemma: str, tag: str, lemma2: str, tag2: str, lexicon: Lexicon
) -> tuple[LexicalRelation, float, bool]:
    """Return the relation of two words, its strength, and whether they are converses."""
    relation, strength = lexicon.relation(lemma, tag, lemma2, tag2)
    if (against := opposed(lemma, lemma2)) >= OPPOSED:
        relation, strength = LexicalRelation.ANTONYM, against
    converse = lexicon.converse(lemma, tag, lemma2, tag2)
    return relation, strength, converse is not None and converse != COMPARISON


def _names(sentence: Sentence, lexicon: Lexicon) -> list[str]:
    """Return the lemmas of the content words, verbs with their particles: "give up"."""
    names = sentence.word_lemmas
    if not sentence.particles:
        return names
    names = names.copy()
    for i, (token, tag) in enumerate(zip(sentence.words, sentence.word_tags, strict=True)):
        after = sentence.lemmas[token + 1 : token + PARTICLES] if tag == "VERB" else ()
        for particle in after:
            name = f"{names[i]} {particle}"
            if particle in sentence.particles and (name, "VERB") in lexicon:
                names[i] = name
                break
    return names


def _opposed_participles(form: str, form2: str, lexicon: Lexicon) -> Related:
    """Return the opposition of participles that are adjectives: "open" and "closed"."""
    related = lexicon.relation(form, "ADJ", form2, "ADJ")
    return related if related[0] is LexicalRelation.ANTONYM else NOT_RELATED


def _nearness(first: Sentence, second: Sentence, i: int, j: int) -> float:
    """Return the bonus for shared governors, dependents, neighbours and order."""
    token, token2 = first.words[i], second.words[j]
    shared = share_governor(first, second, i, j)
    below = not first.dependents[i].isdisjoint(second.dependents[j])
    before = first.forms[token - 1 : token] == second.forms[token2 - 1 : token2]
    after = first.forms[token + 1 : token + 2] == second.forms[token2 + 1 : token2 + 2]
    order = 1 - abs(i / len(first.words) - j / len(second.words))
    return SAME_GOVERNOR * (shared + below) + SAME_NEIGHBOUR * (before + after) + SAME_ORDER * order
