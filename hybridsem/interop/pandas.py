"""``df.hybridsem``: two columns of a pandas frame compared, after this module is imported.

import hybridsem.interop.pandas

df["similarity"] = df.hybridsem.similarity("question", "answer")
df.join(df.hybridsem.judge("question", "answer"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hybridsem.interop._frames import judged, scored
from hybridsem.interop._shared import Model

if TYPE_CHECKING:
    from pandas import DataFrame, Series

__all__ = ["HybridSemAccessor"]


class HybridSemAccessor:
    """What ``df.hybridsem`` is. Columns need no names where theirs say it, or there are two.

    >>> import pandas
    >>> frame = pandas.DataFrame({"s1": ["It rains."], "s2": ["It rains."]})
    >>> frame.hybridsem.similarity().round(3).tolist()
    [1.0]
    """

    def __init__(self, frame: DataFrame) -> None:
        self._frame = frame

    def similarity(
        self,
        first: Any = None,
        second: Any = None,
        *,
        model: Model = "hybrid",
        on_error: str = "fail",
    ) -> Series[float]:
        """The similarity of each row's two texts, in [-1, 1], with the frame's index.

        Args:
            first: The name of a column of texts.
            second: Another.
            model: A model's name, or a pipeline.
            on_error: ``"fail"`` raises for the first pair without a score and names its row (from
                0), ``"skip"`` gives it NaN.
        """
        import pandas

        found = scored(self._frame, first, second, model, on_error)
        return pandas.Series(found, self._frame.index, name="similarity")

    def judge(self, first: Any = None, second: Any = None, *, model: Model = "hybrid") -> DataFrame:
        """What each row's two texts are to each other, with the frame's index.

        Args:
            first: The name of a column of texts.
            second: Another.
            model: A model's name, or a pipeline.

        Returns:
            The columns ``label``, ``probability`` and ``reasons``.
        """
        import pandas

        return pandas.DataFrame(judged(self._frame, first, second, model), self._frame.index)


try:
    import pandas
except ImportError:
    pass
else:
    pandas.api.extensions.register_dataframe_accessor("hybridsem")(HybridSemAccessor)
