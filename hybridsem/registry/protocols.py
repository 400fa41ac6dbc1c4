"""What a part must be able to do to take its place in a pipeline; for word vectors,
``embeddings.words`` says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self, runtime_checkable

from hybridsem._typing import Float32Array
from hybridsem.structures import Parsed


@runtime_checkable
class Parser(Protocol):
    """Sentences to role structures: as many results as sentences, in their order."""

    def parse(self, sentences: list[str]) -> list[Parsed]:
        """A structure, or a failure that says why there is none, for every sentence."""
        ...


@runtime_checkable
class SentenceEncoder(Protocol):
    """Sentences to vectors; what else an encoder may do is in ``embeddings.abilities``."""

    def encode(self, sentences: list[str]) -> Float32Array:
        """(n, d) float32, row i for sentence i."""
        ...


@runtime_checkable
class FittedEncoder(SentenceEncoder, Protocol):
    """An encoder that must see the sentences of the data set, all of them and once, before it
    encodes.

    Whoever has the data set calls ``fit`` where ``fitted`` is False. (``fit`` alone is no sign:
    other libraries' models train with a method of that name.)
    """

    @property
    def fitted(self) -> bool:
        """Whether it has seen a data set."""
        ...

    def fit(self, sentences: Sequence[str]) -> Self:
        """Learn what it needs from the distinct sentences of a data set."""
        ...
