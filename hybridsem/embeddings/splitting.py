"""A sentence vector as a sum over word pieces or words.

    vector  =  rest  +  piece + piece + piece        mean pooling
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

SPLIT_ERROR = 1e-5
"""The largest distance of a sum from its vector, as a share of the vector's length."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SplitVector:
    """A sentence's ``vector`` (d,), the sum of ``pieces`` (k, d) and ``rest`` (d,) up to rounding.
    ``offsets`` are the (start, end) character spans of the pieces; ``rest`` comes from special
    tokens and the prompt.
    """

    vector: Float32Array
    pieces: Float32Array
    rest: Float32Array
    offsets: Sequence[Span]

    def by_words(self, spans: Sequence[Span]) -> Float64Array:
        """Return the share of each word in the unit vector, (n + 1, d); the last row is the rest. A
        piece that several words share is divided by their letters; a piece in no word belongs to
        the nearest. ``spans`` are the (start, end) character spans of n > 0 words. Raises
        :class:`InputError` if the parts do not add up to the vector.
        """
        pieces = self.pieces.astype(np.float64)
        if list(spans) != list(self.offsets):
            pieces = product(self._shares(spans), pieces)
        parts: Float64Array = np.vstack([pieces, self.rest])
        length = float(np.linalg.norm(self.vector.astype(np.float64), axis=0))
        if not np.linalg.norm(parts.sum(0) - self.vector) <= SPLIT_ERROR * length:
            raise InputError("the encoder's parts of a sentence vector do not add up to it")
        return parts / (length or 1.0)

    def _shares(self, spans: Sequence[Span]) -> Float64Array:
        """Return the share of each piece in each word, (n, k); columns sum to 1."""
        words, pieces = np.array(spans), np.array(self.offsets).reshape(-1, 2)
        common = np.minimum(words[:, 1:], pieces[:, 1]) - np.maximum(words[:, :1], pieces[:, 0])
        shares: Float64Array = np.maximum(common, 0).astype(np.float64)
        (outside,) = np.nonzero(~shares.any(0))
        shares[common[:, outside].argmax(0), outside] = 1
        shares /= shares.sum(0)
        return shares
