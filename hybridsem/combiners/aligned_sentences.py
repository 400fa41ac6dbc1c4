"""The sentences of two texts, aligned one to many: each with the most similar one of the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from hybridsem._typing import BoolArray, Float32Array, Float64Array, IntArray
from hybridsem._utils.exact import ROUNDING, dots

ROWS = 512
"""Sentences that are compared with all of the other text at once."""
ALIKE = 0.5
"""The least similarity of a sentence to a part of another one's counterpart."""
LONE = 1 << 18
"""The most pairs of sentences without counterparts that are compared."""
BETTER = 0.3
"""The difference of similarities by which a sentence belongs to another one's counterpart."""


class AlignedSentences(NamedTuple):
    """Aligned sentences of two texts: the places of k pairs, (k,) each, in order.

    ``similarities`` are those of the pairs. ``best1`` marks the pairs whose second sentence is the
    best of the first, ``best2`` the reverse. Every pair is marked. ``shares1`` (n,) and
    ``shares2`` (m,) are the shares of the sentences in their text, by words.
    """

    first: IntArray
    second: IntArray
    similarities: Float64Array
    best1: BoolArray
    best2: BoolArray
    shares1: Float64Array
    shares2: Float64Array

    @property
    def mutual(self) -> BoolArray:
        """The pairs of counterparts: sentences that are each other's best, (k,)."""
        return self.best1 & self.best2

    def is_lone(self, at: int) -> bool:
        """Test if a pair is of a sentence without counterpart, and a best that is unlike it."""
        return not self.mutual[at] and bool(self.similarities[at] < ALIKE)

    @property
    def inverted(self) -> AlignedSentences:
        """The alignment with the texts exchanged."""
        first, second, similarities, best1, best2, shares1, shares2 = self
        return AlignedSentences(second, first, similarities, best2, best1, shares2, shares1)

    def weights(self) -> Float64Array:
        """Return the share of each pair in both texts, (k,); they add up to 1."""
        ways = self.best1 * self.shares1[self.first], self.best2 * self.shares2[self.second]
        return np.asarray(sum(ways) / 2)

    def rest(self, bases: Float64Array) -> Float64Array:
        """Return the mean of the ``bases`` of the pairs, (k,), without the two sentences of each
        pair, (k,); 0 if nothing is left.
        """
        parts1, parts2 = np.zeros(len(self.shares1)), np.zeros(len(self.shares2))
        parts1[self.first[self.best1]] = bases[self.best1]
        parts2[self.second[self.best2]] = bases[self.best2]
        parts1, parts2 = parts1 * self.shares1, parts2 * self.shares2
        # Sums of two, so that exchanged texts change no last bit.
        whole = 2 - (self.shares1[self.first] + self.shares2[self.second])
        every = math.fsum((*parts1.tolist(), *parts2.tolist()))
        parts = every - (parts1[self.first] + parts2[self.second])
        left = whole > ROUNDING
        return np.divide(parts, whole, out=np.zeros(len(bases)), where=left)


def shares_of(texts: Sequence[str]) -> Float64Array:
    """Return the share of each sentence in its text, by words between blanks, (n,)."""
    words = np.array([max(1, len(text.split())) for text in texts], float)
    return np.asarray(words / words.sum())


def aligned_by(
    table: Float64Array, shares1: Float64Array, shares2: Float64Array
) -> AlignedSentences:
    """Align by a table of similarities (n, m); of equals the first is the best."""
    best = _Best(table.argmax(1), table.max(1), table.argmax(0), table.max(0))
    return best.aligned(lambda one, two: table[np.ix_(one, two)], shares1, shares2)


def aligned_by_vectors(
    first: Sequence[str],
    second: Sequence[str],
    vectors1: Float32Array,
    vectors2: Float32Array,
) -> AlignedSentences:
    """Align by the cosines of unit vectors (n, d) and (m, d), :data:`ROWS` at once; a sentence has
    the cosine 1 with itself.
    """
    n, m = len(first), len(second)
    best = _Best(np.empty(n, np.int64), np.empty(n), np.zeros(m, np.int64), np.full(m, -np.inf))
    numbers = {text: at for at, text in enumerate(dict.fromkeys((*first, *second)))}
    keys1, keys2 = (np.array([numbers[text] for text in side]) for side in (first, second))

    def table(one: IntArray, two: IntArray) -> Float64Array:
        cosines = np.clip(dots(vectors1[one], vectors2[two]), -1, 1)
        return np.where(np.equal.outer(keys1[one], keys2[two]), 1.0, cosines)

    for at in range(0, n, ROWS):
        rows = np.arange(at, min(at + ROWS, n))
        part = table(rows, np.arange(m))
        best.to[rows], best.similarities1[rows] = part.argmax(1), part.max(1)
        better = part.max(0) > best.similarities2
        best.back[better] = rows[part.argmax(0)[better]]
        best.similarities2[better] = part.max(0)[better]
    return best.aligned(table, shares_of(first), shares_of(second))


class _Best(NamedTuple):
    """The best of each sentence in the other text, and its similarity: of the first text, (n,),
    and of the second, (m,).
    """

    to: IntArray
    similarities1: Float64Array
    back: IntArray
    similarities2: Float64Array

    def aligned(
        self,
        table: Callable[[IntArray, IntArray], Float64Array],
        shares1: Float64Array,
        shares2: Float64Array,
    ) -> AlignedSentences:
        """Return the alignment; ``table`` are the similarities of some sentences."""
        self._pair_the_rest(table)
        to, similarities1, back, similarities2 = (one.tolist() for one in self)
        found = {(i, j): each for i, (j, each) in enumerate(zip(to, similarities1, strict=True))}
        found |= {(i, j): each for j, (i, each) in enumerate(zip(back, similarities2, strict=True))}
        places = np.array(sorted(found), np.int64)
        i, j = places.T
        similarities = np.array([found[one, two] for one, two in places.tolist()], float)
        best1, best2 = self.to[i] == j, self.back[j] == i
        return AlignedSentences(i, j, similarities, best1, best2, shares1, shares2)

    def _pair_the_rest(self, table: Callable[[IntArray, IntArray], Float64Array]) -> None:
        """Make counterparts of sentences that have none, the most similar first, unless the best
        of one is more similar by :data:`BETTER`: a sentence in place of another.
        """
        lone1 = np.flatnonzero(self.back[self.to] != np.arange(len(self.to)))
        lone2 = np.flatnonzero(self.to[self.back] != np.arange(len(self.back)))
        if not 0 < len(lone1) * len(lone2) <= LONE:
            return
        found = table(lone1, lone2)
        best = np.maximum.outer(self.similarities1[lone1], self.similarities2[lone2])
        rows, columns = np.nonzero(found >= best - BETTER)
        for at in np.argsort(-found[rows, columns], kind="stable").tolist():
            i, j = lone1[rows[at]], lone2[columns[at]]
            if self.back[self.to[i]] != i and self.to[self.back[j]] != j:
                self.to[i], self.back[j] = j, i
                self.similarities1[i] = self.similarities2[j] = found[rows[at], columns[at]]
