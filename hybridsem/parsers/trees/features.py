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

import numpy as np

from hybridsem._typing import Float32Array, IntArray

__all__ = ["N_SUFFIXES", "SHAPES", "pool", "shape", "suffix"]

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
    rows = np.zeros((len(count), pieces.shape[-1]), np.float32)
    for nth in range(count.max(initial=0)):
        some = np.flatnonzero(count > nth)
        more = pieces[first[some] + nth]
        rows[some] = rows[some] + more if nth else more
    rows /= np.maximum(count, 1)[:, None]
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


@lru_cache(CACHED)
def suffix(word: str) -> int:
    """One of :data:`N_SUFFIXES` buckets for the last three letters (crc32, everywhere alike)."""
    return zlib.crc32(word[-3:].lower().encode("utf-8", "replace")) % N_SUFFIXES
