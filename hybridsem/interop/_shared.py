"""Helpers of the adapters: names, ranks, and stand-ins for missing libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hybridsem import registry
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.combiners.sentence import SentenceCombiner
from hybridsem.errors import InputError, MissingExtraError
from hybridsem.pipeline import Pipeline

EMBEDDED = "embedded"
Model = str | Mapping[str, str] | Pipeline
"""A model's name, the arguments of a :class:`Pipeline` as names, or a pipeline."""


def missing(library: str, distribution: str) -> Any:
    """Return a stand-in for a base class of ``library``. Its subclasses cannot be instantiated, and
    the error names the package to install.
    """

    def __new__(cls: type, *args: object, **kwargs: object) -> Any:
        raise MissingExtraError(library, command=f"pip install {distribution}")

    return type(library, (), {"__new__": __new__})


def pipeline_of(model: Model) -> Pipeline:
    """Return the given pipeline, or one made from a name or from named parts."""
    if isinstance(model, Pipeline):
        return model
    return Pipeline(model) if isinstance(model, str) else Pipeline(**dict(model))  # type: ignore[arg-type]


def named(pipeline: Pipeline) -> str | dict[str, str]:
    """Return plain data from which :func:`pipeline_of` makes the pipeline again;
    :class:`InputError` for parts given as objects.
    """
    if pipeline.unnamed:
        raise InputError(
            f"parts given as objects have no names to save: {', '.join(pipeline.unnamed)}"
        )
    parts = own_parts(pipeline)
    return {"model": pipeline.spec.name, **parts} if parts else pipeline.spec.name


def own_parts(pipeline: Pipeline) -> dict[str, str]:
    """Return the parts that replace a model's own."""
    return {
        name: part
        for name, part in pipeline.settings.items()
        if name != "model" and (name != "parser" or part != pipeline.spec.parser)
    }


def name_of_scores(pipeline: Pipeline) -> str:
    """Return the name of a pipeline's scores in other libraries: ``hybridsem/hybrid``."""
    return f"hybridsem/{pipeline.spec.name}"


def name_of_vectors(part: str | registry.SentenceEncoder | Pipeline) -> str:
    """Return the name of the vectors of an encoder or a pipeline in other libraries. A model that
    compares pairs has the vectors of its encoder: ``hybridsem/encoder`` for the package's encoder.
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
    """Return index and score of the ``top_k`` best documents, best first.

    A document without a score (a blank one) comes last, with None; ties keep their order.

    Args:
        pipeline: The pipeline that scores.
        query: A sentence.
        documents: The texts.
        top_k: Number of documents to return; None returns all.
    """
    ranking = pipeline.rank(query, documents, top_k, on_error="skip")
    found = {one["corpus_id"]: one["score"] for one in ranking}
    rest = (i for i in range(len(documents)) if i not in found)
    return [*found.items(), *((i, None) for i in rest)][:top_k]
