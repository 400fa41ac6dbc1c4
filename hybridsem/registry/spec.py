"""What is written down about a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hybridsem.combiners import Combiner, Normalise
from hybridsem.embeddings.words import WordVectors

__all__ = ["ModelSpec"]


@dataclass(frozen=True)
class ModelSpec:
    """A named model: what it is, what it needs, where it is from, and how its combiner is made.

    ``needs`` is ``embedded`` for what runs on what ships, else an extra, a download, a key. ``parser``, ``vectors`` and
    ``encoder`` are the parts that it takes when none are given. ``dimension`` is that of its sentence vectors.
    """

    name: str
    summary: str
    needs: str
    licence: str
    reference: str
    build: Callable[[WordVectors, Normalise | None], Combiner]
    parser: str = "embedded"
    vectors: str = "embedded"
    encoder: str = "embedded"
    dimension: int | None = None
