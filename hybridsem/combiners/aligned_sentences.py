"""The sentences of two texts, aligned one to many: each with the most similar one of the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hybridsem._typing import BoolArray, Float32Array, Float64Array, IntArray
from hybridsem._utils.exact import ROUNDING, dots

ROWS = 512
"""Sentences that are compared with all of the other text at once."""


class AlignedSentences(NamedTuple):
    """Aligned sentences of two texts: the places of ``k`` pairs, (k,) each, in order, and their
    ``similarities``. ``best1`` marks the pairs in which the second is the best of the first,
    ``best2`` those in which the first is the best of the second; every pair is one of these.
    ``shares1`` (n,) and ``shares2`` (m,) are the shares of the sentences in their text, by words.
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
        whole = 2 - self.shares1[self.first] - self.shares2[self.second]
        parts = (
            math.fsum((*parts1.tolist(), *parts2.tolist()))
            - parts1[self.first]
            - parts2[self.second]
        )
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
    return _aligned(
        *(table.argmax(1), table.max(1), table.argmax(0), table.max(0)), shares1, shares2
    )


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
    to, cosines1 = np.empty(n, np.int64), np.empty(n)
    back, cosines2 = np.zeros(m, np.int64), np.full(m, -np.inf)
    numbers = {text: at for at, text in enumerate(dict.fromkeys((*first, *second)))}
    keys1, keys2 = (np.array([numbers[text] for text in side]) for side in (first, second))
    for at in range(0, n, ROWS):
        table = np.clip(dots(vectors1[at : at + ROWS], vectors2), -1, 1)
        table[np.equal.outer(keys1[at : at + ROWS], keys2)] = 1.0
        to[at : at + ROWS], cosines1[at : at + ROWS] = table.argmax(1), table.max(1)
        better = table.max(0) > cosines2
        back[better], cosines2[better] = at + table.argmax(0)[better], table.max(0)[better]
    return _aligned(to, cosines1, back, cosines2, shares_of(first), shares_of(second))


def _aligned(
    to: IntArray,
    similarities1: Float64Array,
    back: IntArray,
    similarities2: Float64Array,
    shares1: Float64Array,
    shares2: Float64Array,
) -> AlignedSentences:
    found = {
        (i, j): similarity
        for i, (j, similarity) in enumerate(zip(to.tolist(), similarities1, strict=True))
    }
    found |= {
        (i, j): similarity
        for j, (i, similarity) in enumerate(zip(back.tolist(), similarities2, strict=True))
    }
    places = np.array(sorted(found), np.int64)
    i, j = places.T
    similarities = np.array([found[one, two] for one, two in places.tolist()], float)
    return AlignedSentences(i, j, similarities, to[i] == j, back[j] == i, shares1, shares2)
