"""What a sentence encoder may do besides encoding: optional Protocols for ``isinstance``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from hybridsem.embeddings.splitting import SplitVector
from hybridsem.embeddings.words import Coverage

__all__ = [
    "HasMaskToken",
    "ReadsEnglishAlone",
    "ReportsCoverage",
    "ReportsTruncation",
    "SplitsVectors",
]


@runtime_checkable
class ReportsTruncation(Protocol):
    """Knows which sentences are longer than it reads."""

    def too_long(self, sentences: list[str]) -> list[bool]:
        """For each sentence, whether it is cut."""
        ...


@runtime_checkable
class ReadsEnglishAlone(Protocol):
    """Has learned no other language than English, and knows which sentences are not English.

    >>> from hybridsem.embeddings.embedded import EmbeddedEncoder
    >>> EmbeddedEncoder().foreign(["The dog is asleep.", "Der Hund schläft auf dem Sofa."])
    [False, True]
    """

    def foreign(self, sentences: list[str]) -> list[bool]:
        """For each sentence, whether it is in another language."""
        ...


@runtime_checkable
class ReportsCoverage(Protocol):
    """Looks words up, and knows which of them have no vector."""

    def coverage(self, sentences: Sequence[str]) -> Sequence[Coverage]:
        """The coverage of each sentence, in order."""
        ...


@runtime_checkable
class SplitsVectors(Protocol):
    """Knows what each word adds to a sentence's vector."""

    def split(self, sentences: Sequence[str]) -> Sequence[SplitVector] | None:
        """The vectors that ``encode`` gives, each as a sum, in order; None where the model behind
        the encoder makes them otherwise.
        """
        ...


@runtime_checkable
class HasMaskToken(Protocol):
    """Has a sign of its own for a hidden word.

    >>> from hybridsem.embeddings.embedded import EmbeddedEncoder
    >>> EmbeddedEncoder().mask_token
    '[MASK]'
    """

    @property
    def mask_token(self) -> str | None:
        """The sign; None where the model behind the encoder has none."""
        ...
