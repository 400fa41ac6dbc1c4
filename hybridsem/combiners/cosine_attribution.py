"""Attribution of a cosine to pairs of words, for the cosine's line of an explanation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import dots
from hybridsem.combiners.base import Batch
from hybridsem.embeddings.splitting import SplitVector
from hybridsem.english.tokenise import tokenise
from hybridsem.explanations import CosineParts, Explanation, Term
from hybridsem.structures import RoleStructure

TOLERANCE = 1e-4
"""The largest difference between the sum of the parts and the line's similarity."""


def attribute_cosines(explanations: Sequence[Explanation], batch: Batch) -> Iterator[Explanation]:
    """Yield the explanations of a batch with split vectors; the cosine's lines get their parts."""
    parsed = batch.parsed()
    read: dict[int, tuple[tuple[str, ...], Float64Array]] = {}
    for pair, explanation in zip(batch.pairs, explanations, strict=True):
        shown = [match.similarity for match in explanation.matches if match.term == Term.SENTENCE]
        if not shown:
            yield explanation
            continue
        for index in pair:
            if index not in read:
                text, split = batch.sentences[index], batch.splits[index]
                read[index] = _word_parts(text, split, parsed.get(index))
        first, second = batch.canonical(pair)
        table = dots(read[first][1], read[second][1])
        if first != pair[0]:
            table = table.T
        words1, words2 = (read[index][0] for index in pair)
        cosine = float(table.sum())
        worth = float(batch.scaled(np.array(cosine)))
        # A model may show another number than the cosine, which has no such parts.
        if abs(worth - shown[0]) < TOLERANCE:
            share = 1 if worth == cosine or not cosine else worth / cosine
            parts = CosineParts(words1, words2, table * share)
            explanation = replace(explanation, cosine_parts=parts)
        yield explanation


def _word_parts(
    text: str, split: SplitVector, structure: RoleStructure | None
) -> tuple[tuple[str, ...], Float64Array]:
    """Return the words that the encoder read (those of the tree, if any), and the part of the unit
    vector that each contributes.
    """
    end = split.offsets[-1][1] if split.offsets else len(text)
    tree = None if structure is None else structure.tree
    if tree is not None and tree.text == text:
        spans = [(token.start, token.end) for token in tree if token.start < min(token.end, end)]
    else:
        spans = tokenise(text[:end])
    spans = spans or [(0, end)]
    return tuple(text[start:stop] for start, stop in spans), split.by_words(spans)
