"""What a part must be able to do to take its place in a pipeline; word vectors have theirs in ``embeddings.words``."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from hybridsem.structures import Parsed

__all__ = ["Parser", "SentenceEncoder"]


@runtime_checkable
class Parser(Protocol):
    """Sentences to role structures: as many results as sentences, in their order."""

    def parse(self, sentences: list[str]) -> list[Parsed]:
        """A structure, or a failure that says why there is none, for every sentence."""
        ...


@runtime_checkable
class SentenceEncoder(Protocol):
    """Sentences to vectors."""

    def encode(self, sentences: list[str]) -> npt.NDArray[np.float32]:
        """(n, d) float32, row i for sentence i."""
        ...
