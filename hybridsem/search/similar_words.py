"""The lemmas of an index that are similar to a word of a query: by vectors, WordNet and forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hybridsem._typing import AnyArray, Float32Array, IntArray
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.comparison.alignment import LEAST_SIMILARITY, RAISED
from hybridsem.english.lexicon import POS, LexicalRelation, lexicon
from hybridsem.reader import Reader
from hybridsem.search.scoring import Contents

NEAREST = 256  # the most lemmas that may match a word of the query
SPARE = 8  # more that are compared exactly, as a product's last bits vary
LOOKED_UP = 48
"""The number of the nearest of these that are looked up in the lexicon; for the others the cosine
counts.
"""
RELATED = {LexicalRelation.SAME: 1.0, LexicalRelation.DERIVED: 0.95, LexicalRelation.SYNONYM: 0.9}
"""The least similarity of words in these relations, if their usual senses are related."""
CONVERSE = 0.95
OPPOSED = 0.2
"""The highest similarity of antonyms: "increase" and "decrease" occur in the same places."""
REMEMBERED = 4096  # the number of query words whose similar lemmas are cached


class QueryWord(NamedTuple):
    """A word of a query: its lemma, its tag, and if it is the predicate."""

    lemma: str
    tag: str
    is_verb: bool


def similar_lemmas(
    words: Sequence[QueryWord], contents: Contents, model: Reader
) -> list[dict[str, float]]:
    """Return for each word the lemmas of an index that are similar, with their similarity; cached
    for the index.
    """
    combiner, near = model.parts.combiner, contents.near
    assert isinstance(combiner, HybridCombiner)
    if len(near) + len(words) > REMEMBERED:
        near.clear()
    if new := [word for word in dict.fromkeys(words) if word not in near]:
        vectors = contents.word_rows(combiner, [(word.lemma, word.lemma) for word in new])
        table = contents.lemma_vectors
        products = vectors @ table.T if len(table) else np.empty((len(new), 0), np.float32)
        for word, vector, roughly in zip(new, vectors, products, strict=True):
            near[word] = _similar(word, vector, roughly, contents, combiner)
    return [near[word] for word in words]


def _similar(
    word: QueryWord,
    vector: Float32Array,
    roughly: Float32Array,
    contents: Contents,
    combiner: HybridCombiner,
) -> dict[str, float]:
    """Return the lemmas that are similar to a word; its cosines with the stored vectors are near
    ``roughly``, which depends on the words that are compared together.
    """
    lemma, tag, is_verb = word
    relations, vocabulary = lexicon(), contents.vocabulary
    places = np.sort(_highest(roughly, NEAREST + SPARE))
    found = np.einsum("ij,j->i", contents.lemma_vectors[places], vector)
    order = _highest(found, NEAREST)
    new, table = contents.unseen(combiner)
    numbers = np.append(contents.lemma_numbers[places[order]], new)
    cosines = np.append(found[order], table @ vector).astype(np.float64)
    likely = cosines >= LEAST_SIMILARITY
    values = np.minimum(cosines[likely], 1.0).tolist()
    lemmas = vocabulary.lemmas
    near = {
        lemmas[number]: value
        for number, value in zip(numbers[likely].tolist(), values, strict=True)
    }
    converses = relations.converses(lemma, tag) if is_verb else {}
    family = {derived for derived, _ in relations.derived(lemma, tag)}
    known = dict(zip(numbers.tolist(), cosines.tolist(), strict=True))
    looked_up = [lemmas[number] for number in numbers[_highest(cosines, LOOKED_UP)].tolist()]
    for other in {*looked_up, *converses, *family, lemma}:
        number = vocabulary.number_of.get(other)
        if number is None:
            continue
        if other == lemma:
            similarity = 1.0
        elif other in converses:
            similarity = CONVERSE
        else:
            tags = contents.tags.get(number, ())
            similarity = _graded(lemma, tag, other, tags, max(0.0, known.get(number, 0.0)))
        near.pop(other, None)
        if similarity >= LEAST_SIMILARITY:
            near[other] = min(1.0, similarity)
    return near


def _highest(values: AnyArray, count: int) -> IntArray:
    """Return the places of the highest values, highest first and equals in their order."""
    places = np.arange(len(values))
    if len(values) > count:
        places = np.flatnonzero(values >= -np.partition(-values, count - 1)[count - 1])
    return places[np.argsort(-values[places], kind="stable")][:count]


def _graded(word: str, tag: str, lemma: str, tags: Sequence[str], cosine: float) -> float:
    similarity = cosine
    if tag not in POS:
        return similarity
    # One tag for each part of speech, because these have the relations.
    for other in {POS[other]: other for other in reversed(tags) if other in POS}.values():
        relation, strength = lexicon().relation(word, tag, lemma, other)
        if relation == LexicalRelation.ANTONYM:
            return min(cosine, OPPOSED)
        raised = RELATED.get(relation)
        if raised is None and relation in RAISED:
            least, share = RAISED[relation]
            raised = least + share * cosine
        if raised is not None:
            similarity = max(similarity, cosine + strength * max(0.0, raised - cosine))
    return similarity
