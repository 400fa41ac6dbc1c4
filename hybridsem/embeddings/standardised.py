"""Standardised sentence vectors (Fodor, De Deyne & Suzuki 2024, section 4.3).

The mean of a data set is subtracted, and each feature divided by its deviation. Their release
divides each vector by its own deviation instead, and centres first and second sentences separately.
On STS3k-dev both give the same within .002.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Sequence
from typing import Self

import numpy as np

from hybridsem._typing import Float32Array, Float64Array
from hybridsem._utils.disk import missing_advice, reason, saving
from hybridsem._utils.validation import check_sentences
from hybridsem.embeddings.abilities import SentenceEncoder
from hybridsem.errors import FormatError, InputError

EPSILON = 1e-6
"""Features with at most this share of the largest deviation are constant, and not divided."""


class Standardised:
    """An encoder whose vectors are standardised over a data set. It has the other abilities of its
    encoder (:mod:`~hybridsem.embeddings.abilities`), except to split vectors. ``fit`` computes
    ``mean_`` and ``scale_``, (d,) float64, from the distinct sentences of the data set.
    ``standardised:ENCODER,fitted=FILE.npz`` names a fitted encoder. ``encode`` raises
    :class:`InputError` before ``fit`` or ``load``.
    """

    def __init__(self, encoder: SentenceEncoder) -> None:
        self.encoder = encoder
        for ability in ("too_long", "foreign", "coverage"):
            if hasattr(encoder, ability):
                setattr(self, ability, getattr(encoder, ability))
        self.mean_: Float64Array | None = None
        self.scale_: Float64Array | None = None

    @property
    def fitted(self) -> bool:
        """True if mean and deviation are known."""
        return self.mean_ is not None

    def fit(self, sentences: Sequence[str]) -> Self:
        """Compute mean and deviation of at least two distinct sentences. Raises :class:`InputError`
        for fewer, and if the encoder does not return (n, d) numbers.
        """
        distinct = list(dict.fromkeys(check_sentences(sentences)))
        if len(distinct) < 2:
            raise InputError(
                f"at least two distinct sentences are needed for a deviation, got {len(distinct)}"
            )
        rows = np.asarray(self.encoder.encode(distinct), np.float64)
        if rows.ndim != 2 or len(rows) != len(distinct) or not np.isfinite(rows).all():
            raise InputError(
                f"the encoder gave {rows.shape} for {len(distinct)} sentences; it must be (n, "
                "d) and finite"
            )
        scale = rows.std(axis=0)
        self.mean_ = rows.mean(axis=0)
        self.scale_ = np.where(scale > EPSILON * scale.max(), scale, 1.0)
        return self

    @property
    def mask_token(self) -> str | None:
        """The mask token of the encoder, if it has one."""
        return getattr(self.encoder, "mask_token", None)

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Return standardised vectors, (n, d) float32."""
        if self.mean_ is None or self.scale_ is None:
            raise InputError(
                "the standardised encoder is not fitted; call fit(sentences), or name a saved fit: "
                "standardised:ENCODER,fitted=FILE.npz"
            )
        rows = np.asarray(self.encoder.encode(list(sentences)), np.float64)
        if len(rows) and rows.shape[1] != len(self.mean_):
            raise InputError(
                f"fitted to vectors of {len(self.mean_)} dimensions, and the encoder gives "
                f"{rows.shape[1]}"
            )
        rows = rows.reshape(len(rows), len(self.mean_))
        return np.asarray((rows - self.mean_) / self.scale_, np.float32)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write mean and deviation atomically; raise :class:`InputError` before :meth:`fit`."""
        if self.mean_ is None or self.scale_ is None:
            raise InputError("there is nothing to save before fit()")
        with saving(path) as part, part.open("wb") as stream:
            np.savez(stream, mean=self.mean_, scale=self.scale_)

    def load(self, path: str | os.PathLike[str]) -> Self:
        """Read what :meth:`save` wrote; raise :class:`FormatError` for any other file."""
        wrong = (ValueError, KeyError, AttributeError, TypeError, EOFError, zipfile.BadZipFile)
        try:
            with np.load(path, allow_pickle=False) as stored:
                mean, scale = stored["mean"], stored["scale"]
        except OSError as error:
            raise FormatError(
                f"cannot be read ({reason(error)}){missing_advice(path, error)}", path
            ) from error
        except wrong as error:
            raise FormatError(f"not a file of a standardised encoder ({error})", path) from error
        fits = mean.ndim == 1 and mean.shape == scale.shape
        if (
            not fits
            or not mean.dtype.kind == scale.dtype.kind == "f"
            or not (np.isfinite([mean, scale]).all() and (scale > 0).all())
        ):
            raise FormatError(
                f"mean {mean.shape} and scale {scale.shape} must be (d,), finite, and scale "
                "positive",
                path,
            )
        self.mean_, self.scale_ = mean, scale
        return self
