"""What search needs of a pipeline, which stands above it and has its methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, TypeVar, cast

from hybridsem._typing import Float32Array
from hybridsem.combiners.base import Batch, Combiner
from hybridsem.explanations import Explanation
from hybridsem.structures import Parsed

__all__ = ["Elsewhere", "Model", "pipeline"]

Chunk = TypeVar("Chunk")
Made = TypeVar("Made")


class Elsewhere(Protocol):
    """Other processes, each with a pipeline of its own."""

    def map(
        self, begin: Callable[[Any], Callable[[Chunk], Made]], chunks: Iterable[Chunk]
    ) -> Iterator[Made]:
        """What is made of every chunk, in order, by what ``begin`` returns for a pipeline."""
        ...


class Model(Protocol):
    """A :class:`hybridsem.Pipeline`, as far as search uses it."""

    @property
    def combiner(self) -> Combiner:
        """What compares."""
        ...

    @property
    def settings(self) -> dict[str, str]:
        """What it was made from."""
        ...

    @property
    def contents(self) -> Mapping[str, str]:
        """The hashes of the files behind it."""
        ...

    def for_call(self) -> Model:
        """The same with a memory of what it reads, for one call."""
        ...

    def read(self, pairs: Iterable[tuple[str, str]]) -> Batch:
        """What the model reads of the pairs."""
        ...

    def vectors_read(self, sentences: Sequence[str]) -> Float32Array:
        """The unit vectors of sentences, (n, d), to the last bit as scores see them."""
        ...

    def mapped(
        self, begin: Callable[[Any], Callable[[Chunk], Made]], chunks: Iterable[Chunk]
    ) -> Iterator[Made]:
        """What is made of every chunk, in order, here or elsewhere."""
        ...

    def explain(self, sentence1: str, sentence2: str) -> Explanation:
        """The score with what it is made of."""
        ...

    def parse(self, sentences: Iterable[str]) -> list[Parsed]:
        """A role structure, or a failure, for every sentence."""
        ...

    def encode(self, sentences: Iterable[str], *, unit: bool = True) -> Float32Array:
        """A vector for every sentence, (n, d)."""
        ...


def pipeline(settings: Mapping[str, Any]) -> Model:
    """The pipeline of these settings, by its name as ``hybridsem.__getattr__`` finds it."""
    return cast(Model, import_module("hybridsem.pipeline").Pipeline(**settings))
