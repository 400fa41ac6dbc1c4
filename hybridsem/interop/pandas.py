"""``df.hybridsem``: two columns of a pandas frame compared, after this module is imported.

import hybridsem.interop.pandas

df["score"] = df.hybridsem.score("question", "answer")
df.join(df.hybridsem.judge("question", "answer"))
"""

from __future__ import annotations

from typing import Any

from hybridsem.interop._frames import FrameAccessor

try:
    import pandas
except ImportError:
    pandas = None

__all__ = ["HybridSemAccessor"]


class HybridSemAccessor(FrameAccessor["pandas.Series[float]", "pandas.DataFrame"]):
    """The accessor ``df.hybridsem``.

    >>> import pandas
    >>> frame = pandas.DataFrame({"s1": ["It rains."], "s2": ["It rains."]})
    >>> frame.hybridsem.score().round(3).tolist()
    [1.0]
    """

    def _series(self, scores: Any) -> pandas.Series[float]:
        return pandas.Series(scores, self._frame.index, name="score")

    def _table(self, columns: Any) -> pandas.DataFrame:
        return pandas.DataFrame(columns, self._frame.index)


if pandas is not None:
    pandas.api.extensions.register_dataframe_accessor("hybridsem")(HybridSemAccessor)
