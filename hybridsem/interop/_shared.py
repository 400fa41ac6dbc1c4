"""What the adapters share: honest names, ranks, and stand-ins for libraries that are not there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hybridsem import registry
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.combiners.sentence import SentenceCombiner
from hybridsem.errors import InputError, MissingExtraError
from hybridsem.pipeline import Pipeline

__all__ = [
    "Model",
    "missing",
    "name_of_scores",
    "name_of_vectors",
    "named",
    "own_parts",
    "pipeline_of",
    "ranked",
]

EMBEDDED = "embedded"
Model = str | Mapping[str, str] | Pipeline
"""A model's name, the arguments of a :class:`Pipeline` as names, or a pipeline."""


def missing(library: str, distribution: str) -> Any:
    """A base class in place of one of ``library``: what inherits from it cannot be made, and says
    what to install.
    """

    def __new__(cls: type, *args: object, **kwargs: object) -> Any:
        raise MissingExtraError(library, command=f"pip install {distribution}")

    return type(library, (), {"__new__": __new__})


def pipeline_of(model: Model) -> Pipeline:
    """The pipeline given, or that of a name or of named parts."""
    if isinstance(model, Pipeline):
        return model
    return Pipeline(model) if isinstance(model, str) else Pipeline(**dict(model))  # type: ignore[arg-type]


def named(pipeline: Pipeline) -> str | dict[str, str]:
    """What :func:`pipeline_of` makes the pipeline of again, in plain data: for files.

    :class:`InputError` for parts that were given as objects.
    """
    if pipeline.unnamed:
        raise InputError(
            f"parts given as objects have no name to be written down: {', '.join(pipeline.unnamed)}"
        )
    parts = own_parts(pipeline)
    return {"model": pipeline.spec.name, **parts} if parts else pipeline.spec.name


def own_parts(pipeline: Pipeline) -> dict[str, str]:
    """The parts that replace a model's own."""
    return {
        name: part
        for name, part in pipeline.settings.items()
        if name != "model" and (name != "parser" or part != pipeline.spec.parser)
    }


def name_of_scores(pipeline: Pipeline) -> str:
    """The name of a pipeline's scores in other libraries: ``hybridsem/hybrid``."""
    return f"hybridsem/{pipeline.spec.name}"


def name_of_vectors(part: str | registry.SentenceEncoder | Pipeline) -> str:
    """What the vectors of an encoder, or those that a pipeline's ``encode`` gives, are called
    elsewhere.

    A model that compares pairs has none of its own: they are its encoder's, ``hybridsem/encoder``
    for that of the package.
    """
    name: object = part
    if isinstance(part, Pipeline):
        name = part.encoder if "encoder" in part.unnamed else part.settings.get("encoder")
        if isinstance(part.combiner, RoleCombiner):
            name = part.spec.name
        elif name is None:
            is_cosine = isinstance(part.combiner, SentenceCombiner)
            name = part.spec.name if is_cosine else part.spec.encoder
    if not isinstance(name, str):
        name = getattr(name, "name", type(name).__name__)
    return f"hybridsem/{'encoder' if name == EMBEDDED else name}"


def ranked(
    pipeline: Pipeline, query: str, documents: Sequence[str], top_k: int | None = None
) -> list[tuple[int, float | None]]:
    """The documents by their score with the query, the best first: index and score.

    A document that has none (a blank one) comes last, with None. Of equal ones the first in
    ``documents`` comes first.

    Args:
        pipeline: Scores.
        query: A sentence.
        documents: Texts.
        top_k: So many, or all.
    """
    found: list[tuple[int, float | None]] = [
        (one["corpus_id"], one["score"])
        for one in pipeline.rank(query, documents, top_k, on_error="skip")
    ]
    placed = {i for i, _ in found}
    found += [(i, None) for i in range(len(documents)) if i not in placed]
    return found[:top_k]
