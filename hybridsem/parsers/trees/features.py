"""What the parser's heads read of a word: its pieces' vectors, and what an uncased encoder cannot
see.

    pooled  (n, d)   the mean of the pieces that overlap the word
    shape   (n,)     an index into SHAPES: capitals, digits, punctuation
    suffix  (n,)     a hash of the last three letters

The same functions serve training (``models/parser``) and use, so the two cannot drift apart.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import cycle

import numpy as np

from hybridsem._typing import Float32Array, IntArray

SHAPES = (
    "lower",
    "Title",
    "UPPER",
    "Mixed",
    "digits",
    "word-digits",
    "punctuation",
    "other",
    "Title first",
)
N_SUFFIXES = 4096
CACHED = 16_384

Span = tuple[int, int]

_SHAPE = {name: index for index, name in enumerate(SHAPES)}


def pool(
    pieces: Float32Array, offsets: IntArray | Sequence[Span], spans: IntArray | Sequence[Span]
) -> Float32Array:
    """The mean over the pieces that overlap each span; a span without a piece gets zeros.

    ``offsets`` and ``spans`` are in order.
    """
    begins, ends = np.reshape(offsets, (-1, 2)).T
    starts, stops = np.reshape(spans, (-1, 2)).T
    first = np.searchsorted(ends, starts, "right")
    count = np.maximum(np.searchsorted(begins, stops) - first, 0)
    if (count == 1).all():  # the usual case: every word is one piece
        return pieces[first]
    if not count.any():
        return np.zeros((len(count), pieces.shape[-1]), np.float32)
    rows = pieces.take(first, 0, mode="clip")
    rows[count == 0] = 0
    several = np.flatnonzero(count > 1)
    for nth in range(1, count.max(initial=0)):
        some = several[count[several] > nth]
        rows[some] += pieces[first[some] + nth]
    rows[several] /= count[several, None]
    return rows


@lru_cache(CACHED)
def shape(word: str, first: bool) -> int:
    """The index in :data:`SHAPES` of a word; ``first`` tells that it opens the sentence."""
    if word.isalpha():
        if word.islower():
            return _SHAPE["lower"]
        if word.istitle():
            return _SHAPE["Title first" if first else "Title"]
        return _SHAPE["UPPER" if word.isupper() else "Mixed"]
    if any(c.isdigit() for c in word):
        return _SHAPE["word-digits" if any(c.isalpha() for c in word) else "digits"]
    return _SHAPE["other" if any(c.isalpha() for c in word) else "punctuation"]


def shapes(forms: Sequence[str], length: int) -> IntArray:
    """The shapes of the words of sentences that have ``length`` words each, (words,)."""
    first = cycle((True, *[False] * (length - 1)))
    return np.fromiter(map(shape, forms, first), np.int64, len(forms))


@lru_cache(CACHED)
def suffix(word: str) -> int:
    """One of :data:`N_SUFFIXES` buckets for the last three letters (crc32, everywhere alike)."""
    return zlib.crc32(word[-3:].lower().encode("utf-8", "replace")) % N_SUFFIXES
