"""What the accessors of pandas and polars share: columns to scores and judgements."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from hybridsem.interop._shared import Model, pipeline_of
from hybridsem.pipeline import Pipeline
from hybridsem.tables.frames import pairs_in

__all__ = ["judged", "pipeline_for", "scored"]


@lru_cache(maxsize=2)
def _kept(name: str) -> Pipeline:
    return Pipeline(name)


def pipeline_for(model: Model) -> Pipeline:
    """The pipeline of a model; of a name the same one each time, so that its weights are read
    once.
    """
    return _kept(model) if isinstance(model, str) else pipeline_of(model)


def _pairs(frame: Any, first: Any, second: Any) -> list[Any]:
    return pairs_in(frame, None if first is second is None else (first, second))


def scored(frame: Any, first: Any, second: Any, model: Model, on_error: str) -> Any:
    """The similarities of two columns, (n,).

    Args:
        frame: A data frame.
        first: The name of a column of texts.
        second: Another; both may be None where their names say it.
        model: Scores.
        on_error: As for :meth:`Pipeline.score`.
    """
    return pipeline_for(model).score(_pairs(frame, first, second), on_error=on_error)


def judged(frame: Any, first: Any, second: Any, model: Model) -> dict[str, list[Any]]:
    """Columns of what the pairs of two columns are to each other.

    Args:
        frame: A data frame.
        first: The name of a column of texts.
        second: Another; both may be None where their names say it.
        model: Judges.
    """
    found = pipeline_for(model).judge_all(_pairs(frame, first, second))
    return {
        "label": [None if one.label is None else str(one.label) for one in found],
        "probability": [one.probability for one in found],
        "reasons": ["; ".join(one.reasons or one.notes) for one in found],
    }
