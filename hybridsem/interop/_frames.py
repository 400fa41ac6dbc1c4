"""``df.hybridsem`` of pandas and polars: two columns of texts compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

from hybridsem._typing import Float64Array
from hybridsem.interop._shared import Model, pipeline_of
from hybridsem.pipeline import Pipeline
from hybridsem.tables.frames import pairs_in

__all__ = ["FrameAccessor"]

Series = TypeVar("Series")
Frame = TypeVar("Frame")


@lru_cache(maxsize=2)
def _kept(name: str) -> Pipeline:
    return Pipeline(name)


def pipeline_for(model: Model) -> Pipeline:
    """The pipeline of a model; of a name the same one each time, so that its weights are read
    once.
    """
    return _kept(model) if isinstance(model, str) else pipeline_of(model)


class FrameAccessor(Generic[Series, Frame]):
    """The accessor of both libraries; each makes its own columns and frames of the results."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def similarity(
        self,
        first: Any = None,
        second: Any = None,
        *,
        model: Model = "hybrid",
        on_error: str = "fail",
    ) -> Series:
        """The similarity of each row's two texts, in [-1, 1]; pandas keeps the frame's index.

        Args:
            first: The name of a column of texts.
            second: Another.
            model: A model's name, or a pipeline.
            on_error: ``"fail"`` raises for the first pair without a score and names its row (from
                0), ``"skip"`` gives it NaN in pandas and null in polars.
        """
        pairs = self._pairs(first, second)
        return self._series(pipeline_for(model).score(pairs, on_error=on_error))

    def judge(self, first: Any = None, second: Any = None, *, model: Model = "hybrid") -> Frame:
        """What the texts of two columns are to each other, in the columns ``label``,
        ``probability`` and ``reasons``; pandas keeps the frame's index.
        """
        judged = pipeline_for(model).judge(self._pairs(first, second))
        return self._table(
            {
                "label": [None if one.label is None else str(one.label) for one in judged],
                "probability": [one.probability for one in judged],
                "reasons": [" ".join(one.reasons) or "; ".join(one.notes) for one in judged],
            }
        )

    def _pairs(self, first: Any, second: Any) -> list[Any]:
        return pairs_in(self._frame, None if first is second is None else (first, second))

    def _series(self, scores: Float64Array) -> Series:
        raise NotImplementedError

    def _table(self, columns: Mapping[str, Sequence[Any]]) -> Frame:
        raise NotImplementedError
