"""What a statistic is reported as: its value, its interval, and why it has none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hybridsem._typing import AnyArray

MIN_DEFINED = 0.95  # of the resamples, for an interval


@dataclass(frozen=True)
class Estimate:
    """A statistic and its interval; None where it is not defined, and ``note`` says why.

    ``n`` is the number of rows it was computed from, ``missing`` the number left out because a
    value was NaN.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    missing: int = 0
    note: str = ""


@dataclass(frozen=True)
class Difference(Estimate):
    """A first model's correlation minus a second's, and the two-sided p-value of no difference."""

    p: float | None = None


@dataclass(frozen=True)
class Reliability(Estimate):
    """Split-half reliability of ``n`` items; ``low`` and ``high`` hold the splits' middle share."""

    splits: int = 0


def interval(drawn: AnyArray, level: float) -> tuple[float | None, float | None, str]:
    """The percentile interval of a statistic, from its values in resamples.

    Args:
        drawn: (r,), NaN where the statistic is not defined.
        level: The share of the values within the interval, in (0, 1).

    Returns:
        The two ends and a note; where there is no interval, two times None and the reason.

    >>> low, high, note = interval(np.arange(101.0), level=0.9)
    >>> round(low), round(high)
    (5, 95)
    """
    if not len(drawn):
        return None, None, ""
    defined = drawn[~np.isnan(drawn)]
    if len(defined) < MIN_DEFINED * len(drawn):
        return (
            None,
            None,
            f"no interval: not defined in {len(drawn) - len(defined)} of {len(drawn)} resamples",
        )
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high), ""


def difference(
    value: float, drawn: AnyArray, n: int, missing: int = 0, level: float = 0.95
) -> Difference:
    """A difference with its interval and p-value, from what it is in resamples.

    Args:
        value: The difference in the data.
        drawn: (r,) in each resample; NaN where it is not defined there.
        n: Rows that it was computed from.
        missing: Rows that were left out.
        level: Of the interval.
    """
    low, high, note = interval(drawn, level)
    if low is None:
        return Difference(value, None, None, n, missing, note)
    drawn = drawn[~np.isnan(drawn)]
    side = min(np.sum(drawn <= 0), np.sum(drawn >= 0))
    return Difference(
        value, low, high, n, missing, note, p=float(min(1.0, 2 * (side + 1) / (len(drawn) + 1)))
    )
