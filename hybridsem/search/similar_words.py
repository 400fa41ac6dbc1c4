"""The lemmas of an index that are similar to a word of a query: by vectors, WordNet and forms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

import numpy as np

from hybridsem._typing import AnyArray, IntArray
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.comparison.alignment import LEAST_SIMILARITY, RAISED
from hybridsem.english.lexicon import POS, LexicalRelation, lexicon
from hybridsem.reader import Reader
from hybridsem.search.scoring import Contents

NEAREST = 256  # the most lemmas that may match a word of the query
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


def similar_lemmas(
    word: str, tag: str, contents: Contents, model: Reader, is_verb: bool
) -> dict[str, float]:
    """Return the lemmas of an index that are similar to a lemma, with their similarity; cached for
    the index.
    """
    key = word, tag, is_verb
    if (remembered := contents.near.get(key)) is not None:
        return remembered
    combiner, relations = model.parts.combiner, lexicon()
    assert isinstance(combiner, HybridCombiner)
    vocabulary = contents.vocabulary
    (vector,) = contents.word_rows(combiner, [(word, word)])
    found = contents.lemma_vectors @ vector if len(contents.lemma_numbers) else np.empty(0)
    order = _highest(found, NEAREST)
    new, table = contents.unseen(combiner)
    numbers = np.append(contents.lemma_numbers[order], new)
    cosines = np.append(found[order], table @ vector).astype(np.float64)
    likely = cosines >= LEAST_SIMILARITY
    values = np.minimum(cosines[likely], 1.0).tolist()
    lemmas = [vocabulary.lemmas[number] for number in numbers.tolist()]
    near: dict[str, float] = dict(zip(compress(lemmas, likely), values, strict=True))
    converses = relations.converses(word, tag) if is_verb else {}
    family = {lemma for lemma, _ in relations.derived(word, tag)}
    known = dict(zip(lemmas, cosines.tolist(), strict=True))
    looked_up = [lemmas[at] for at in _highest(cosines, LOOKED_UP).tolist()]
    for lemma in {*looked_up, *converses, *family, word}:
        number = vocabulary.lemma_number(lemma)
        if number is None:
            continue
        if lemma == word:
            similarity = 1.0
        elif lemma in converses:
            similarity = CONVERSE
        else:
            tags = contents.tags.get(number, ())
            similarity = _graded(word, tag, lemma, tags, max(0.0, known.get(lemma, 0.0)))
        near.pop(lemma, None)
        if similarity >= LEAST_SIMILARITY:
            near[lemma] = min(1.0, similarity)
    if len(contents.near) >= REMEMBERED:
        contents.near.clear()
    contents.near[key] = near
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
