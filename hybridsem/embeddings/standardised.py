"""Standardised sentence vectors: the data set's mean subtracted, each feature divided by its
deviation.

Fodor, De Deyne & Suzuki 2024, section 4.3. Their release's script divides each vector by its own
deviation instead, which no cosine sees: ``by="vector"``. (It also centres the first sentences and
the second ones apart, which no encoder can that sees a sentence alone.) On STS3k-dev the two give
the same to .002.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from hybridsem._typing import Float32Array, Float64Array
from hybridsem._utils.disk import missing_advice, reason, saving
from hybridsem._utils.validation import check_sentences
from hybridsem.embeddings.abilities import (
    HasMaskToken,
    ReadsEnglishAlone,
    ReportsCoverage,
    ReportsTruncation,
)
from hybridsem.embeddings.words import Coverage
from hybridsem.errors import FormatError, InputError

__all__ = ["Standardised"]


EPSILON = 1e-6
"""A feature is flat, and not used, if its deviation is at most this share of the largest."""


BY = ("features", "vector")


class Standardised:
    """An encoder whose vectors are standardised over a data set: (x - mean) / deviation, feature by
    feature.

    ``fit`` sees the distinct sentences of the data set once; it keeps ``mean_`` and ``scale_``,
    each (d,) float64. ``save`` writes them to a file, ``load`` reads them (as does
    ``standardised:ENCODER,fitted=FILE.npz``). ``encoder``: what gives the vectors that are
    standardised; ``by``: what is divided by: the deviation of each feature (``features``), or of
    each vector (``vector``). Raises :class:`InputError` (another ``by``; and by ``encode``, before
    ``fit`` or ``load``).

    >>> from hybridsem.registry import encoder
    >>> fitted = encoder("standardised:embedded").fit(["A dog barked.", "It rains.", "He reads."])
    >>> fitted.encode(["A dog barked."]).shape
    (1, 384)
    """

    def __init__(self, encoder: Any, by: str = "features") -> None:
        if by not in BY:
            raise InputError(f"by= is 'features' or 'vector', got {by!r}")
        self.encoder = encoder
        self.by = by
        self.mean_: Float64Array | None = None
        self.scale_: Float64Array | None = None

    @property
    def fitted(self) -> bool:
        """Whether mean and deviation are known."""
        return self.mean_ is not None

    def fit(self, sentences: Sequence[str]) -> Self:
        """Learn mean and deviation. ``sentences``: those of the data set, at least two that differ.
        Raises :class:`InputError` (fewer, or an encoder that gives no
        (n, d) numbers).
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
        """The encoder's sign for a hidden word, if it has one."""
        return self.encoder.mask_token if isinstance(self.encoder, HasMaskToken) else None

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Standardised vectors, (n, d) float32."""
        if self.mean_ is None or self.scale_ is None:
            raise InputError(
                "the standardised encoder has seen no data set; call its fit(sentences) with all "
                "sentences, or name what was saved after that: standardised:ENCODER,fitted=FILE.npz"
            )
        rows = np.asarray(self.encoder.encode(list(sentences)), np.float64)
        if len(rows) and rows.shape[1] != len(self.mean_):
            raise InputError(
                f"fitted to vectors of {len(self.mean_)} dimensions, and the encoder gives "
                f"{rows.shape[1]}"
            )
        centred = rows.reshape(len(rows), len(self.mean_)) - self.mean_
        if self.by == "features":
            return np.asarray(centred / self.scale_, np.float32)
        spread = rows.reshape(len(rows), len(self.mean_)).std(axis=1, keepdims=True)
        return np.asarray(centred / np.where(spread > 0, spread, 1.0), np.float32)

    def too_long(self, sentences: Sequence[str]) -> list[bool]:
        """For each sentence, whether the encoder cuts it."""
        if isinstance(self.encoder, ReportsTruncation):
            return list(self.encoder.too_long(list(sentences)))
        return [False] * len(sentences)

    def foreign(self, sentences: Sequence[str]) -> list[bool]:
        """For each sentence, whether it is in a language that the encoder has not learned."""
        if isinstance(self.encoder, ReadsEnglishAlone):
            return list(self.encoder.foreign(list(sentences)))
        return [False] * len(sentences)

    def coverage(self, sentences: Sequence[str]) -> list[Coverage]:
        """How many words of each sentence the encoder found, if it looks words up."""
        if isinstance(self.encoder, ReportsCoverage):
            return list(self.encoder.coverage(sentences))
        return []

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write mean and deviation, whole or not at all. Raises :class:`InputError` (there is
        nothing to save before :meth:`fit`).
        """
        if self.mean_ is None or self.scale_ is None:
            raise InputError("there is nothing to save before fit()")
        with saving(path) as part, part.open("wb") as stream:
            np.savez(stream, mean=self.mean_, scale=self.scale_)

    def load(self, path: str | os.PathLike[str]) -> Self:
        """Read what :meth:`save` wrote. Raises :class:`FormatError` (it
        is something else).
        """
        try:
            with np.load(path, allow_pickle=False) as stored:
                mean, scale = stored["mean"], stored["scale"]
        except OSError as error:
            raise FormatError(
                f"cannot be read ({reason(error)}){missing_advice(path, error)}", path
            ) from error
        except (
            ValueError,
            KeyError,
            AttributeError,
            TypeError,
            EOFError,
            zipfile.BadZipFile,
        ) as error:
            raise FormatError(f"no file of a standardised encoder ({error})", path) from error
        usable = (
            mean.ndim == 1
            and mean.shape == scale.shape
            and mean.dtype.kind == scale.dtype.kind == "f"
        )
        if (
            not usable
            or not np.isfinite(mean).all()
            or not (scale > 0).all()
            or not np.isfinite(scale).all()
        ):
            raise FormatError(
                f"mean {mean.shape} and scale {scale.shape} must be (d,), finite, and scale "
                "positive",
                path,
            )
        self.mean_, self.scale_ = mean, scale
        return self
