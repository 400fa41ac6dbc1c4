"""Pairs of sentences that say much the same, out of all pairs, in blocks.

    vectors --cosines--> pairs whose bound reaches the threshold --scores--> pairs that do

A bound rises with the cosine, so one threshold of cosines stands for that of scores, and what is
found is what scoring all pairs would find.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, IntArray
from hybridsem.combiners.base import Batch, Combiner, HasBounds
from hybridsem.search.candidates import scores_of
from hybridsem.search.model import Model

__all__ = [
    "Block",
    "Match",
    "Scored",
    "all_pairs",
    "best_of_each",
    "close",
    "least_cosine",
    "mined",
]

ROWS, COLUMNS = 512, 8192
"""Of a block of cosines: 16 MiB."""

PAIRS = 1024
"""Pairs that are scored together."""

STEPS = 40
MARGIN = 2e-6
"""Cosines of a table may be rounded otherwise than those of pairs."""


class Match(NamedTuple):
    """Two sentences that say much the same: their ``score`` and their numbers, from 0; of one list
    the lower number first.
    """

    score: float
    first: int
    second: int


@dataclass(frozen=True)
class Block:
    """Candidates: the pairs of some ``rows``, (p, 2), in ascending order; as long as these."""

    pairs: IntArray
    rows: range

    def __len__(self) -> int:
        return len(self.rows)


class Scored(NamedTuple):
    """The pairs of a block that reach the threshold, (p, 2), and their scores; ``failed`` is one
    that has none.
    """

    pairs: IntArray
    scores: Float64Array
    failed: tuple[int, int] | None


def least_cosine(combiner: Combiner, score: float) -> float:
    """The least cosine of vectors whose sentences can have this score; -inf where there are no
    bounds.
    """
    if not isinstance(combiner, HasBounds):
        return -np.inf

    def most(cosine: float) -> float:
        vectors = np.array([[1, 0], [cosine, np.sqrt(1 - cosine * cosine)]], np.float32)
        first, second = np.array([0]), np.array([1])
        return float(combiner.bounds(Batch((), (), None, vectors), first, second)[0, 0])

    low, high = -1.0, 1.0
    if most(low) >= score:
        return -np.inf
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if most(middle) >= score else (middle, high)
    return low - MARGIN


def close(first: Float32Array, second: Float32Array | None, least: float) -> Iterator[Block]:
    """The pairs of rows with a cosine from ``least`` on, in blocks of the first's rows.

    Args:
        first: Unit vectors, (n, d).
        second: Others, (m, d); None: the pairs within ``first``, the lower number first.
        least: The least cosine.
    """
    others = first if second is None else second
    for at in range(0, len(first), ROWS):
        rows = first[at : at + ROWS]
        found = []
        for start in range(at // COLUMNS * COLUMNS if second is None else 0, len(others), COLUMNS):
            cosines = rows @ others[start : start + COLUMNS].T
            places = np.argwhere(cosines >= least)
            pairs = places + np.array([at, start])
            found.append(pairs if second is not None else pairs[pairs[:, 0] < pairs[:, 1]])
        pairs = np.concatenate(found) if found else np.empty((0, 2), np.int64)
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        yield Block(pairs[order], range(at, min(at + ROWS, len(first))))


def all_pairs(first: int, second: int | None) -> Iterator[Block]:
    """All pairs of so many sentences, a row a block, where nothing is known of their scores."""
    for row in range(first):
        columns = np.arange(row + 1, first) if second is None else np.arange(second)
        yield Block(np.stack([np.full(len(columns), row), columns], axis=1), range(row, row + 1))


def mined(
    model: Model,
    first: Sequence[str],
    second: Sequence[str] | None,
    blocks: Iterable[Block],
    threshold: float,
) -> Iterator[Scored]:
    """The pairs of the blocks that score ``threshold`` or more.

    Args:
        model: Scores; one that remembers reads each text once.
        first: Usable sentences.
        second: Those that they are compared with; None: each other.
        blocks: Candidates.
        threshold: The least score.
    """
    others = first if second is None else second
    for block in blocks:
        scores = np.empty(len(block.pairs))
        for at in range(0, len(block.pairs), PAIRS):
            some = block.pairs[at : at + PAIRS].tolist()
            texts = [(first[one], others[two]) for one, two in some]
            scores[at : at + PAIRS] = scores_of(model.combiner, model.read(texts))
        good = scores >= threshold  # not NaN
        failed = np.flatnonzero(np.isnan(scores))
        pair = block.pairs[failed[0]].tolist() if failed.size else None
        yield Scored(block.pairs[good], scores[good], None if pair is None else (pair[0], pair[1]))


def best_of_each(pairs: IntArray, scores: Float64Array, top_k: int, both: bool) -> IntArray:
    """The places of the pairs that are among the ``top_k`` best of their first sentence, or with
    ``both`` of either; of equals the pair that stands first is the better.

    Args:
        pairs: Numbers of sentences, (p, 2).
        scores: Theirs, (p,).
        top_k: How many of each.
        both: Whether the second number counts as the first does.
    """
    kept = np.zeros(len(pairs), bool)
    sides = [pairs[:, 0], pairs[:, 1]] if both else [pairs[:, 0]]
    place = np.tile(np.arange(len(pairs)), len(sides))
    numbers = np.concatenate(sides)
    order = np.lexsort((place, -scores[place], numbers))
    ordered = numbers[order]
    begins = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(order) else order
    sizes = np.diff(np.r_[begins, len(order)])
    rank = np.arange(len(order)) - np.repeat(begins, sizes)
    kept[place[order[rank < top_k]]] = True
    return np.flatnonzero(kept)
