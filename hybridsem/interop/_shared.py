"""Helpers of the adapters: pipelines, and their names in other libraries."""

from __future__ import annotations

from collections.abc import Mapping

from hybridsem import registry
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.combiners.sentence import SentenceCombiner
from hybridsem.pipeline import Pipeline

EMBEDDED = "embedded"
Model = str | Mapping[str, str] | Pipeline
"""A model's name, the arguments of a :class:`Pipeline` as names, or a pipeline."""


def pipeline_of(model: Model) -> Pipeline:
    """Return the given pipeline, or one made from a name or from named parts."""
    if isinstance(model, Pipeline):
        return model
    return Pipeline(model) if isinstance(model, str) else Pipeline(**dict(model))  # type: ignore[arg-type]


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
