"""The cosine's line of an explanation, opened: which pairs of words the cosine is the sum of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import dots
from hybridsem.combiners.base import Batch
from hybridsem.embeddings.splitting import SplitVector
from hybridsem.english.tokenise import tokenise
from hybridsem.explanations import CosineParts, Explanation, Term
from hybridsem.structures import Parsed, RoleStructure

__all__ = ["opened"]

TOLERANCE = 1e-4
"""By how much the sum of the parts may differ from the line's similarity."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence's words as written, and what each is of the unit vector: :class:`SplitVector`."""

    words: tuple[str, ...]
    parts: Float64Array


def opened(explanations: Sequence[Explanation], batch: Batch) -> Iterator[Explanation]:
    """The explanations of a batch whose vectors are split, each with the parts of its cosine, if
    it has a line for that.
    """
    read: dict[int, _Sentence] = {}
    for pair, explanation in zip(batch.pairs, explanations, strict=True):
        shown = [match.similarity for match in explanation.matches if match.term == Term.SENTENCE]
        if not shown:
            yield explanation
            continue
        for index in pair:
            if index not in read:
                structure = None if batch.structures is None else batch.structures[index]
                read[index] = _read(batch.sentences[index], batch.splits[index], structure)
        # In an order that does not depend on how the pair was given, so that rounding is the same.
        first, second = sorted(pair, key=lambda index: batch.sentences[index])
        table = dots(read[first].parts, read[second].parts)
        if first != pair[0]:
            table = table.T
        words1, words2 = (read[index].words for index in pair)
        cosine = float(table.sum())
        worth = float(batch.scaled(np.array(cosine)))
        # A model may show something else than the cosine; then its line stays closed.
        if abs(worth - shown[0]) < TOLERANCE:
            share = 1 if worth == cosine or not cosine else worth / cosine
            parts = CosineParts(words1, words2, table * share)
            explanation = replace(explanation, cosine_parts=parts)
        yield explanation


def _read(text: str, split: SplitVector, structure: Parsed | None) -> _Sentence:
    """The words of a sentence, those of its tree if it has one, as far as the encoder read it."""
    end = split.offsets[-1][1] if split.offsets else len(text)
    tree = structure.tree if isinstance(structure, RoleStructure) else None
    if tree is not None and tree.text == text:
        spans = [(token.start, token.end) for token in tree if token.start < min(token.end, end)]
    else:
        spans = tokenise(text[:end])
    spans = spans or [(0, end)]
    return _Sentence(tuple(text[start:stop] for start, stop in spans), split.by_words(spans))
