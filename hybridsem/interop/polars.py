"""``df.hybridsem``: two columns of a polars frame compared, after this module is imported.

import hybridsem.interop.polars

df.with_columns(df.hybridsem.score("question", "answer"))
df.hstack(df.hybridsem.judge("question", "answer"))
"""

from __future__ import annotations

from typing import Any

from hybridsem.interop._frames import FrameAccessor

try:
    import polars
except ImportError:
    polars = None  # type: ignore[assignment]

__all__ = ["HybridSemNamespace"]


class HybridSemNamespace(FrameAccessor["polars.Series", "polars.DataFrame"]):
    """The namespace ``df.hybridsem``.

    >>> import polars
    >>> frame = polars.DataFrame({"s1": ["It rains."], "s2": ["It rains."]})
    >>> frame.hybridsem.score().round(3).to_list()
    [1.0]
    """

    def _series(self, scores: Any) -> polars.Series:
        return polars.Series("score", scores, nan_to_null=True)

    def _table(self, columns: Any) -> polars.DataFrame:
        kinds = {"label": polars.String, "probability": polars.Float64, "reasons": polars.String}
        return polars.DataFrame(columns, schema=kinds, nan_to_null=True)


if polars is not None:
    polars.api.register_dataframe_namespace("hybridsem")(HybridSemNamespace)
