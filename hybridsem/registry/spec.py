"""What is written down about a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hybridsem.combiners.alignment import Normalise
from hybridsem.combiners.base import Combiner
from hybridsem.combiners.sentence import SentenceCombiner
from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import InputError

Build = Callable[[WordVectors, Normalise | None], Combiner]


@dataclass(frozen=True)
class ModelSpec:
    """A named model: what it is, what it needs, where it is from, and how its combiner is made.

    Attributes:
        name: As :func:`hybridsem.registry.model` finds it.
        summary: What it is, in a line.
        needs: ``embedded`` for what runs on what ships, else an extra, a download, a key.
        licence: Of its weights.
        reference: The paper.
        build: Makes the combiner.
        parser: The parser that it takes when none is given.
        vectors: The word vectors that it takes when none are given.
        encoder: The encoder that it takes when none is given.
        dimension: Of its sentence vectors; None: it has none, or it is not known beforehand.
        rows: The rows of the papers' tables that it stands for.

    >>> from hybridsem.registry import model
    >>> spec = model("verbnet-cn")
    >>> spec.name, spec.needs, spec.vectors
    ('verbnet-cn', 'embedded', 'embedded')
    """

    name: str
    summary: str
    needs: str
    licence: str
    reference: str
    build: Build
    parser: str = "embedded"
    vectors: str = "embedded"
    encoder: str = "embedded"
    dimension: int | None = None
    rows: tuple[str, ...] = ()


def cosine(name: str) -> Build:
    """How the combiner of a model is made that is the cosine of its encoder's sentence vectors."""
    return without_roles(name, lambda vectors: SentenceCombiner(name))


def without_roles(name: str, make: Callable[[WordVectors], Combiner]) -> Build:
    """How a combiner is made that compares no roles, so that there is nothing to normalise."""

    def build(vectors: WordVectors, normalise: Normalise | None) -> Combiner:
        if normalise is not None:
            raise InputError(
                f"normalise= is for models that compare roles, and {name!r} does not; got "
                f"{normalise!r}"
            )
        return make(vectors)

    return build
