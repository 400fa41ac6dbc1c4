"""Sentence encoders and their optional abilities: Protocols for ``isinstance``.

An encoder of a model that has a mask token gives it as ``mask_token``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from hybridsem._typing import Float32Array
from hybridsem.embeddings.splitting import SplitVector
from hybridsem.embeddings.words import Coverage


@runtime_checkable
class SentenceEncoder(Protocol):
    """Sentences to vectors; the other Protocols are optional abilities."""

    def encode(self, sentences: list[str]) -> Float32Array:
        """Return (n, d) float32, row i for sentence i."""
        ...


@runtime_checkable
class ReportsTruncation(Protocol):
    """Knows which sentences are too long for it."""

    def too_long(self, sentences: list[str]) -> list[bool]:
        """Return whether each sentence is truncated."""
        ...


@runtime_checkable
class ReadsEnglishAlone(Protocol):
    """Was trained only on English, and knows which sentences are not English."""

    def foreign(self, sentences: list[str]) -> list[bool]:
        """Return whether each sentence is in another language."""
        ...


@runtime_checkable
class ReportsCoverage(Protocol):
    """Looks words up, and knows which have no vector."""

    def coverage(self, sentences: Sequence[str]) -> Sequence[Coverage]:
        """Return the coverage of each sentence."""
        ...


@runtime_checkable
class SplitsVectors(Protocol):
    """Knows the contribution of each word to a sentence vector."""

    def split(self, sentences: Sequence[str]) -> Sequence[SplitVector] | None:
        """Return the vectors of ``encode`` as sums; None if the model is not such a sum."""
        ...
