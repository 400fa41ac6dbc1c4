"""``df.hybridsem``: two columns of a polars frame compared, after this module is imported.

import hybridsem.interop.polars

df.with_columns(df.hybridsem.similarity("question", "answer"))
df.hstack(df.hybridsem.judge("question", "answer"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hybridsem.interop._frames import judged, scored
from hybridsem.interop._shared import Model

if TYPE_CHECKING:
    from polars import DataFrame, Series

__all__ = ["HybridSemNamespace"]


class HybridSemNamespace:
    """What ``df.hybridsem`` is. Columns need no names where theirs say it, or there are two.

    >>> import polars
    >>> frame = polars.DataFrame({"s1": ["It rains."], "s2": ["It rains."]})
    >>> frame.hybridsem.similarity().round(3).to_list()
    [1.0]
    """

    def __init__(self, frame: DataFrame) -> None:
        self._frame = frame

    def similarity(
        self,
        first: str | None = None,
        second: str | None = None,
        *,
        model: Model = "hybrid",
        on_error: str = "fail",
    ) -> Series:
        """The similarity of each row's two texts, in [-1, 1].

        Args:
            first: The name of a column of texts.
            second: Another.
            model: A model's name, or a pipeline.
            on_error: ``"fail"`` raises for the first pair without a score and names its row (from
                0), ``"skip"`` gives it null.
        """
        import polars

        found = scored(self._frame, first, second, model, on_error)
        return polars.Series("similarity", found, nan_to_null=True)

    def judge(
        self, first: str | None = None, second: str | None = None, *, model: Model = "hybrid"
    ) -> DataFrame:
        """What each row's two texts are to each other.

        Args:
            first: The name of a column of texts.
            second: Another.
            model: A model's name, or a pipeline.

        Returns:
            The columns ``label``, ``probability`` and ``reasons``.
        """
        import polars

        columns: dict[str, Any] = judged(self._frame, first, second, model)
        kinds = {"label": polars.String, "probability": polars.Float64, "reasons": polars.String}
        return polars.DataFrame(columns, schema=kinds, nan_to_null=True)


try:
    import polars
except ImportError:
    pass
else:
    polars.api.register_dataframe_namespace("hybridsem")(HybridSemNamespace)
