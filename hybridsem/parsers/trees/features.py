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

from hybridsem._typing import Float32Array

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

_SHAPE = {name: index for index, name in enumerate(SHAPES)}


def pool(
    pieces: Float32Array, offsets: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]]
) -> Float32Array:
    """The mean over the pieces that overlap each span; a span without a piece gets zeros.

    ``offsets`` and ``spans`` are in order, so one walk over both is enough.
    """
    if len(offsets) == len(spans) and all(
        o[0] == s[0] and o[1] == s[1] for o, s in zip(offsets, spans, strict=True)
    ):
        return pieces  # the usual case: every word is one piece
    first, last = np.empty(len(spans), np.intp), np.empty(len(spans), np.intp)
    at = 0
    for row, (start, end) in enumerate(spans):
        while at and offsets[at - 1][1] > start:
            at -= 1
        while at < len(offsets) and offsets[at][1] <= start:
            at += 1
        stop = at
        while stop < len(offsets) and offsets[stop][0] < end:
            stop += 1
        first[row], last[row] = at, stop
    rows = np.zeros((len(spans), pieces.shape[-1] if pieces.ndim == 2 else 0), np.float32)
    for row, (a, b) in enumerate(zip(first, last, strict=True)):
        if b - a == 1:
            rows[row] = pieces[a]
        elif b > a:
            rows[row] = pieces[a:b].mean(0)
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
