"""A sentence vector as a sum: of what the encoder makes of each word piece, and of each word.

    vector  =  rest  +  piece + piece + piece        what mean pooling adds up
            =  rest  +  word  +  word                pieces summed to words

The cosine of two such vectors is a sum over pairs of words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hybridsem._typing import Float32Array, Float64Array
from hybridsem._utils.exact import product
from hybridsem.errors import InputError

__all__ = ["SplitVector"]

ROUNDING = 1e-5
"""How far a sum may be from its vector, as a share of that vector's length."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SplitVector:
    """A sentence's ``vector`` (d,), the sum of ``pieces`` (k, d) and ``rest`` (d,) up to rounding.

    ``offsets`` are the pieces' k (start, end) character spans, in order; ``rest`` is what the
    encoder adds to the words: its marks, a prompt.

    >>> from hybridsem.embeddings.embedded import EmbeddedEncoder
    >>> (found,) = EmbeddedEncoder().split(["It rains."])
    >>> found.pieces.shape, found.by_words([(0, 2), (3, 9)]).shape
    ((3, 384), (3, 384))
    """

    vector: Float32Array
    pieces: Float32Array
    rest: Float32Array
    offsets: Sequence[Span]

    def by_words(self, spans: Sequence[Span]) -> Float64Array:
        """What each word is of the unit vector.

        A piece that several words share is divided by their letters; one in none is the nearest's.
        ``spans``: the (start, end) character spans of n words, at least one. Returns (n + 1, d), in
        the last row the rest. Raises :class:`InputError` (the sum is not the vector).
        """
        pieces = self.pieces.astype(np.float64)
        if list(spans) != list(self.offsets):
            pieces = product(self._shares(spans), pieces)
        parts: Float64Array = np.vstack([pieces, self.rest])
        length = float(np.linalg.norm(self.vector.astype(np.float64), axis=0))
        if not np.linalg.norm(parts.sum(0) - self.vector) <= ROUNDING * length:
            raise InputError("the encoder's parts of a sentence vector do not add up to it")
        return parts / (length or 1.0)

    def _shares(self, spans: Sequence[Span]) -> Float64Array:
        """How much of each piece is in each word, (n, k); the columns add up to 1."""
        words, pieces = np.array(spans), np.array(self.offsets).reshape(-1, 2)
        common = np.minimum(words[:, 1:], pieces[:, 1]) - np.maximum(words[:, :1], pieces[:, 0])
        shares: Float64Array = np.maximum(common, 0).astype(np.float64)
        (outside,) = np.nonzero(~shares.any(0))
        shares[common[:, outside].argmax(0), outside] = 1
        shares /= shares.sum(0)
        return shares
