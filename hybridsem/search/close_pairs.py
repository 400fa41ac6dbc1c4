"""The pairs of vectors whose cosine is high enough, among all pairs.

score --a combiner's bounds--> the least cosine --blocks of products--> pairs
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, IntArray
from hybridsem.combiners.base import Batch, Combiner, HasBounds
from hybridsem.embeddings.scale import CosineScale
from hybridsem.errors import InputError

ROWS, COLUMNS = 512, 2048  # the size of a block of products: 4 MiB
SHORT = 64  # the number of dimensions that are multiplied first: those in which vectors differ most
SAMPLE = 4096  # the number of vectors by which these are chosen; a quarter is multiplied whole
FEW = 1 / 64  # the largest share of a block's pairs whose cosines are computed pair by pair
HELD = 1 << 21  # the most pairs of a block, unless it has a single row
MOST = 20_000_000  # the most pairs in memory at once: 320 MB of numbers
STEPS = 40
MARGIN = 2e-6
"""The margin for cosines of a table, which may be rounded differently from those of pairs."""
SLACK = 1e-5  # the largest rounding error of a product of short rows


@dataclass(frozen=True)
class Block:
    """Candidates: the pairs of some ``rows``, (p, 2), in ascending order."""

    pairs: IntArray
    rows: range

    def __len__(self) -> int:
        return len(self.rows)


def bounds_of(
    combiner: HasBounds, cosines: Float64Array, scale: CosineScale | None
) -> Float64Array:
    """Return the highest scores of sentences with these cosines, (n,)."""
    beside = np.stack([cosines, np.sqrt(1 - cosines * cosines)], axis=1)
    vectors = np.concatenate([[[1, 0]], beside]).astype(np.float32)
    places = np.arange(len(vectors))
    batch = Batch((), (), None, vectors, scale=scale)
    return np.asarray(combiner.bounds(batch, places[:1], places[1:])[0], np.float64)


def least_cosine(combiner: Combiner, score: float, scale: CosineScale | None = None) -> float:
    """Return the least cosine of sentences that can have this score; -inf without bounds."""
    if not isinstance(combiner, HasBounds):
        return -np.inf

    def most(cosine: float) -> float:
        return float(bounds_of(combiner, np.array([cosine]), scale)[0])

    low, high = -1.0, 1.0
    if most(low) >= score:
        return -np.inf
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if most(middle) >= score else (middle, high)
    return low - MARGIN


def close(first: Float32Array, second: Float32Array | None, least: float) -> Iterator[Block]:
    """Yield the pairs of unit vectors, (n, d) and (m, d), with a cosine of at least ``least``, in
    blocks of the first's rows; without a ``second`` the pairs within ``first``, the lower number
    first.
    """
    tables = _Tables(first, second)
    at, size = 0, ROWS
    while at < len(first):
        rows = range(at, min(at + size, len(first)))
        pairs = _close_to(rows, tables, least)
        if pairs is None:
            size = len(rows) // 2
            continue
        order = np.lexsort((pairs[:, 1], pairs[:, 0]))
        yield Block(pairs[order], rows)
        at, size = rows.stop, min(ROWS, 2 * size)


class _Tables:
    """Vectors, (n, d) and (m, d), each with a short row; products of short rows are never less than
    those of the vectors. ``one`` is True if the two lists are the same.
    """

    def __init__(self, first: Float32Array, second: Float32Array | None) -> None:
        self.first, self.one = first, second is None
        self.second = second = first if second is None else second
        self.short1, self.short2 = first, second
        if first.shape[1] <= 2 * SHORT or len(first) + len(second) < SAMPLE // 4:
            return
        step = max(1, (len(first) + len(second)) // SAMPLE)
        some = np.concatenate([first[::step], second[::step]]).astype(np.float64)
        axes = np.linalg.eigh(some.T @ some)[1][:, : -SHORT - 1 : -1].astype(np.float32)
        self.short1 = _shortened(first, axes)
        self.short2 = self.short1 if self.one else _shortened(second, axes)


def _shortened(vectors: Float32Array, axes: Float32Array) -> Float32Array:
    """Return unit vectors along some axes, and the length of the rest, (n, axes + 1). Products of
    two such rows are at least those of the vectors.
    """
    along = vectors @ axes
    left = 1 - np.sum(np.square(along, dtype=np.float64), axis=1)
    lengths = np.sqrt(np.maximum(left, 0) + SLACK)
    return np.concatenate([along, lengths[:, None].astype(np.float32)], axis=1)


def _close_to(rows: range, tables: _Tables, least: float) -> IntArray | None:
    """Return the close pairs of some rows, (p, 2); None if there are too many for memory."""
    found, count = [np.empty((0, 2), np.int64)], 0
    here = slice(rows.start, rows.stop)
    first, short = tables.first[here], tables.short1[here]
    for start in range(
        rows.start // COLUMNS * COLUMNS if tables.one else 0, len(tables.second), COLUMNS
    ):
        there = slice(start, start + COLUMNS)
        second = tables.second[there]
        i, j = _from(short @ tables.short2[there].T, least - SLACK)
        if short is not first:
            if len(i) > FEW * len(first) * len(second):
                i, j = _from(first @ second.T, least)
            else:
                near = np.einsum("pd,pd->p", first[i], second[j]) >= least
                i, j = i[near], j[near]
        pairs = np.stack([i + rows.start, j + start], axis=1)
        found.append(pairs[pairs[:, 0] < pairs[:, 1]] if tables.one else pairs)
        count += len(found[-1])
        if count > HELD and len(rows) > 1:
            return None
    return np.concatenate(found)


def _from(products: Float32Array, least: float) -> tuple[IntArray, IntArray]:
    """Return the rows and columns of a table's numbers that are ``least`` or more."""
    i, j = np.divmod(np.flatnonzero(products >= least), products.shape[1])
    return i, j


def gathered(blocks: Iterable[IntArray]) -> IntArray:
    """Join the pairs of all blocks, (p, 2); raise :class:`InputError` for more than ``MOST``."""
    found, count = [np.empty((0, 2), np.int64)], 0
    for pairs in blocks:
        found.append(pairs)
        count += len(pairs)
        if count > MOST:
            raise InputError(
                f"more than {MOST:,} pairs of these sentences may reach the threshold, which is "
                "more than is held in memory; raise the threshold, or give fewer sentences at once"
            )
    return np.concatenate(found)
