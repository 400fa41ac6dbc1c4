"""Statistics with intervals, and the reason where a statistic or an interval is undefined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hybridsem._typing import AnyArray
from hybridsem.errors import InputError, UnknownNameError

MEASURES = ("spearman", "pearson", "kendall")
RESAMPLES = 10_000


def check_settings(
    measures: Sequence[str], resamples: int = 0, level: float = 0.95, least: int = 0
) -> None:
    """Raise :class:`InputError` for unknown measures and numbers out of range."""
    for measure in measures:
        if measure not in MEASURES:
            raise UnknownNameError("measure", measure, MEASURES)
    if resamples < least:
        why = f"the number of resamples or splits is at least {least}"
        raise InputError(f"{why}, got {resamples!r}")
    if not 0 < level < 1:
        raise InputError(f"the level of an interval lies between 0 and 1, got {level!r}")


def complete_rows(scores: Sequence[ArrayLike], gold: ArrayLike) -> tuple[AnyArray, AnyArray, int]:
    """Return the rows without missing values, and the number of others."""
    columns = [np.asarray(column, float) for column in (*scores, gold)]
    shapes = {column.shape for column in columns}
    if len(shapes) > 1 or columns[0].ndim != 1:
        given = [column.shape for column in columns]
        raise InputError(f"scores and ratings are columns of one length, got {given}")
    table = np.stack(columns)
    if np.isinf(table).any():
        raise InputError("scores and ratings are finite or NaN, got an infinite one")
    whole = ~np.isnan(table).any(axis=0)
    return table[:-1, whole], table[-1, whole], int(len(whole) - whole.sum())


def why_undefined(scores: AnyArray, gold: AnyArray) -> str:
    """Return why a correlation of finite values is undefined; "" if it is defined."""
    if len(gold) < 2:
        return "fewer than two rows"
    if np.ptp(scores) == 0:
        return "the scores are all the same"
    return "the ratings are all the same" if np.ptp(gold) == 0 else ""


MIN_DEFINED = 0.95  # of the resamples, for an interval


@dataclass(frozen=True)
class Estimate:
    """A statistic and its interval; None where undefined, with the reason in ``note``. ``n`` is the
    number of rows, ``missing`` the number of rows with a NaN, which take no part.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    missing: int = 0
    note: str = ""


@dataclass(frozen=True)
class Difference(Estimate):
    """A first model's statistic minus a second's, with the two-sided p-value of no difference."""

    p: float | None = None


@dataclass(frozen=True)
class Reliability(Estimate):
    """Split-half reliability of ``n`` items; ``low`` and ``high`` bound the middle splits."""

    splits: int = 0


def interval(drawn: AnyArray, level: float) -> tuple[float | None, float | None, str]:
    """Return the percentile interval of a statistic from its values in resamples, and a note.

    Args:
        drawn: (r,), NaN where the statistic is not defined.
        level: The share of the values within the interval, in (0, 1).

    Returns:
        The two ends and ""; without an interval, None twice and the reason.

    >>> [end and round(end) for end in interval(np.arange(101.0), level=0.9)[:2]]
    [5, 95]
    """
    if not len(drawn):
        return None, None, ""
    defined = drawn[~np.isnan(drawn)]
    if len(defined) < MIN_DEFINED * len(drawn):
        lacking = f"{len(drawn) - len(defined)} of {len(drawn)}"
        return None, None, f"no interval: not defined in {lacking} resamples"
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high), ""


def difference(
    value: float, drawn: AnyArray, n: int, missing: int = 0, level: float = 0.95
) -> Difference:
    """Return a difference with its interval and p-value, from its values in resamples (r,), NaN
    where undefined; ``missing`` rows were left out.
    """
    low, high, note = interval(drawn, level)
    if low is None:
        return Difference(value, None, None, n, missing, note)
    drawn = drawn[~np.isnan(drawn)]
    side = min(np.sum(drawn <= 0), np.sum(drawn >= 0))
    p = float(min(1.0, 2 * (side + 1) / (len(drawn) + 1)))
    return Difference(value, low, high, n, missing, note, p)
