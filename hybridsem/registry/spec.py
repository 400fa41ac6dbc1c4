"""The description of a model."""

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
    """A named model: its description, requirements, origin, and the function that builds it.

    Attributes:
        name: As :func:`hybridsem.registry.model` finds it.
        summary: A description in one line.
        needs: ``embedded`` if the package has all it needs, else an extra, a download, a key.
        licence: The licence of its weights.
        reference: The paper.
        build: Returns the combiner.
        parser: The default parser.
        vectors: The default word vectors.
        encoder: The default encoder.
        dimension: Dimension of its sentence vectors; None if unknown, or without vectors.
        rows: The rows of the papers' tables that it reproduces.

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
    """Return the builder of a model that is the cosine of its encoder's sentence vectors."""
    return without_roles(name, lambda vectors: SentenceCombiner(name))


def without_roles(name: str, make: Callable[[WordVectors], Combiner]) -> Build:
    """Return the builder of a combiner that compares no roles and so has no ``normalise``."""

    def build(vectors: WordVectors, normalise: Normalise | None) -> Combiner:
        if normalise is not None:
            raise InputError(
                f"normalise= is for models that compare roles, and {name!r} does not; got "
                f"{normalise!r}"
            )
        return make(vectors)

    return build
