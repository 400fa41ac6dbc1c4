"""What statistics are given, checked: settings in range, rows in which nothing is missing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from hybridsem._typing import AnyArray
from hybridsem.errors import InputError, UnknownNameError

MEASURES = ("spearman", "pearson", "kendall")
RESAMPLES = 10_000


def check_settings(
    measures: Sequence[str], resamples: int = 0, level: float = 0.95, least: int = 0
) -> None:
    """:class:`InputError` for measures that there are not, and numbers out of range.

    Args:
        measures: Of :data:`MEASURES`.
        resamples: At least ``least``.
        level: Between 0 and 1.
        least: How many resamples are needed.
    """
    for measure in measures:
        if measure not in MEASURES:
            raise UnknownNameError("measure", measure, MEASURES)
    if resamples < least:
        raise InputError(
            f"the number of resamples or splits is at least {least}, got {resamples!r}"
        )
    if not 0 < level < 1:
        raise InputError(f"the level of an interval lies between 0 and 1, got {level!r}")


def complete_rows(scores: Sequence[ArrayLike], gold: ArrayLike) -> tuple[AnyArray, AnyArray, int]:
    """The rows in which nothing is missing, and how many others there were."""
    columns = [np.asarray(column, float) for column in (*scores, gold)]
    shapes = {column.shape for column in columns}
    if len(shapes) > 1 or columns[0].ndim != 1:
        raise InputError(
            "scores and ratings are columns of one length, got "
            f"{[column.shape for column in columns]}"
        )
    table = np.stack(columns)
    if np.isinf(table).any():
        raise InputError("scores and ratings are finite or NaN, got an infinite one")
    whole = ~np.isnan(table).any(axis=0)
    return table[:-1, whole], table[-1, whole], int(len(whole) - whole.sum())


def why_undefined(scores: AnyArray, gold: AnyArray) -> str:
    """Why a correlation of finite values is not defined; "" where it is."""
    if len(gold) < 2:
        return "fewer than two rows"
    if np.ptp(scores) == 0:
        return "the scores are all the same"
    return "the ratings are all the same" if np.ptp(gold) == 0 else ""
