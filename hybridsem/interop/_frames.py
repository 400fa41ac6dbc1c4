"""``df.hybridsem`` of pandas and polars: two columns of texts compared."""

from __future__ import annotations

import warnings
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
_cached = lru_cache(maxsize=2)(Pipeline)


class FrameAccessor(Generic[Series, Frame]):
    """The accessor of both libraries, which convert the results to their own columns and frames."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def score(
        self,
        first: Any = None,
        second: Any = None,
        *,
        model: Model = "hybrid",
        on_error: str = "fail",
    ) -> Series:
        """Return the score of each row's two texts, in [-1, 1]; pandas keeps the frame's index.

        Args:
            first: The name of a text column; not needed if there are two, or names are usual.
            second: The name of the other.
            model: A model's name, or a pipeline.
            on_error: ``"fail"`` raises for the first pair without a score and names its row (from
                0), ``"skip"`` gives it NaN in pandas and null in polars.
        """
        pairs = self._pairs(first, second)
        return self._series(_pipeline(model).score(pairs, on_error=on_error))

    def similarity(self, first: Any = None, second: Any = None, **how: Any) -> Series:
        """Return :meth:`score`, which replaces this method."""
        message = "df.hybridsem.similarity is deprecated; use df.hybridsem.score"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return self.score(first, second, **how)

    def judge(self, first: Any = None, second: Any = None, *, model: Model = "hybrid") -> Frame:
        """Return how the texts of two columns relate, in the columns ``label``, ``probability`` and
        ``reasons``; pandas keeps the frame's index.
        """
        judged = _pipeline(model).judge(self._pairs(first, second))
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


def _pipeline(model: Model) -> Pipeline:
    """Return the pipeline of a model; that of a name is made once."""
    return _cached(model) if isinstance(model, str) else pipeline_of(model)
