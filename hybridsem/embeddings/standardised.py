"""Standardised sentence vectors: the data set's mean subtracted, each feature divided by its deviation.

Fodor, De Deyne & Suzuki 2024, section 4.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hybridsem._text import check_sentences
from hybridsem.errors import InputError

__all__ = ["Standardised"]

Floats = npt.NDArray[np.float32]

EPSILON = 1e-6
"""A feature whose deviation is at most this share of the largest is flat: its deviation is noise, and is not used."""


class Standardised:
    """An encoder whose vectors are standardised over a data set: (x - mean) / deviation, feature by feature.

    ``fit`` sees the distinct sentences of the data set once; it keeps ``mean_`` and ``scale_``, each (d,) float64.
    ``encode`` raises :class:`InputError` before that.
    """

    def __init__(self, encoder: Any) -> None:
        self.encoder = encoder
        self.mean_: npt.NDArray[np.float64] | None = None
        self.scale_: npt.NDArray[np.float64] | None = None

    @property
    def fitted(self) -> bool:
        """Whether mean and deviation are known."""
        return self.mean_ is not None

    def fit(self, sentences: Sequence[str]) -> Self:
        """Learn mean and deviation from the distinct ones among ``sentences``; at least two are needed."""
        distinct = list(dict.fromkeys(check_sentences(sentences)))
        if len(distinct) < 2:
            raise InputError(f"at least two distinct sentences are needed for a deviation, got {len(distinct)}")
        rows = np.asarray(self.encoder.encode(distinct), np.float64)
        scale = rows.std(axis=0)
        self.mean_ = rows.mean(axis=0)
        self.scale_ = np.where(scale > EPSILON * scale.max(), scale, 1.0)
        return self

    def encode(self, sentences: Sequence[str]) -> Floats:
        """Standardised vectors, (n, d) float32."""
        if self.mean_ is None or self.scale_ is None:
            raise InputError(
                "the standardised encoder has seen no data set; call its fit(sentences) with all sentences"
            )
        rows = np.asarray(self.encoder.encode(list(sentences)), np.float64)
        return np.asarray((rows - self.mean_) / self.scale_, np.float32)

    def too_long(self, sentences: Sequence[str]) -> list[bool]:
        """For each sentence, whether the encoder cuts it."""
        if hasattr(self.encoder, "too_long"):
            return list(self.encoder.too_long(sentences))
        return [False] * len(sentences)
