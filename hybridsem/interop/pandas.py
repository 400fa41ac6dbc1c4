"""``df.hybridsem``: two columns of a pandas frame compared, after this module is imported.

import hybridsem.interop.pandas

df["similarity"] = df.hybridsem.similarity("question", "answer")
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
    """The accessor ``df.hybridsem``. Columns need no names where theirs are usual, or there are
    two.

    >>> import pandas
    >>> frame = pandas.DataFrame({"s1": ["It rains."], "s2": ["It rains."]})
    >>> frame.hybridsem.similarity().round(3).tolist()
    [1.0]
    """

    def _series(self, scores: Any) -> pandas.Series[float]:
        return pandas.Series(scores, self._frame.index, name="similarity")

    def _table(self, columns: Any) -> pandas.DataFrame:
        return pandas.DataFrame(columns, self._frame.index)


if pandas is not None:
    pandas.api.extensions.register_dataframe_accessor("hybridsem")(HybridSemAccessor)
