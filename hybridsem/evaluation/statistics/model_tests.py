"""Tests between two models with the same ratings, and corrections of p-values for many tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hybridsem._typing import AnyArray
from hybridsem.errors import InputError
from hybridsem.evaluation.statistics.rating_correlations import (
    RESAMPLES,
    Difference,
    check_settings,
    complete_rows,
    correlation_of,
    difference,
    resampled_correlations,
    why_undefined,
)


def holm(p: ArrayLike) -> AnyArray:
    """Return Holm's adjusted p-values (m,), at most 1: the chance of any false positive stays below
    the level.

    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """

    def adjusted(tested: AnyArray) -> AnyArray:
        order = np.argsort(tested, kind="stable")
        found = np.empty_like(tested)
        found[order] = np.maximum.accumulate(tested[order] * np.arange(len(tested), 0, -1))
        return np.minimum(found, 1)

    return _of_tested(p, adjusted)


def benjamini_hochberg(p: ArrayLike) -> AnyArray:
    """Return Benjamini and Hochberg's adjusted p-values (m,), for the expected share of false
    positives.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.04, 0.04]
    """
    from scipy.stats import false_discovery_control

    return _of_tested(p, false_discovery_control)


def _of_tested(p: ArrayLike, adjusted: Callable[[AnyArray], AnyArray]) -> AnyArray:
    """Adjust p-values; NaN is not counted as a test."""
    given = np.asarray(p, float)
    if len(outside := given[(given < 0) | (given > 1)]):
        raise InputError(f"p-values lie between 0 and 1, got {outside[0]!r}")
    found = np.full(given.shape, np.nan)
    tested = ~np.isnan(given)
    if tested.any():
        found[tested] = adjusted(given[tested])
    return found


def paired_bootstrap(
    first: ArrayLike,
    second: ArrayLike,
    gold: ArrayLike,
    measure: str = "spearman",
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> Difference:
    """Return the difference of two models' correlations over the same resampled rows.

    Scores and ratings are (n,); rows where either score is NaN are left out. The p-value is twice
    the share of resamples in which the difference has the other sign or is 0, with the data as one
    more resample (so it is never 0). Without resamples there is no interval and no p-value. Args:
    as of :func:`correlations`.

    >>> ratings = list(range(20))
    >>> good, noise = [2 * rating for rating in ratings], [rating % 3 for rating in ratings]
    >>> test = paired_bootstrap(good, noise, ratings, resamples=500)
    >>> test.value > 0.5, test.low > 0, test.p < 0.05
    (True, True, True)
    """
    check_settings([measure], resamples, level)
    rows, ratings, missing = complete_rows([first, second], gold)
    reason = next(filter(None, (why_undefined(row, ratings) for row in rows)), "")
    if reason:
        return Difference(None, None, None, len(ratings), missing, reason)
    drawn = resampled_correlations(rows, ratings, [measure], resamples, seed)[measure]
    one, two = (correlation_of(row, ratings, measure) for row in rows)
    return difference(one - two, drawn[0] - drawn[1], len(ratings), missing, level)


@dataclass(frozen=True)
class WilliamsTest:
    """A statistic, its degrees of freedom and two-sided p-value; None where undefined."""

    statistic: float | None
    p: float | None
    df: int
    n: int
    missing: int = 0
    note: str = ""


def williams(
    first: ArrayLike, second: ArrayLike, gold: ArrayLike, measure: str = "pearson"
) -> WilliamsTest:
    """Williams' test of two dependent correlations, of two models with the same ratings (n,).

    Williams (1959) in the form of Steiger (1980, eq. 7), with n - 3 degrees of freedom. It is
    derived for Pearson's correlation of normal variables; for ranks (``measure="spearman"``) it is
    approximate. NaN is missing. Args: ``measure`` is pearson or spearman.

    >>> ratings = [1, 2, 3, 4, 5, 6]
    >>> test = williams([1, 2, 3, 4, 6, 5], [3, 1, 2, 6, 4, 5], ratings)
    >>> test.df, 0 < test.p < 1
    (3, True)
    """
    if measure not in ("pearson", "spearman"):
        why = f"Williams' test is of pearson or spearman, got {measure!r}; use the paired bootstrap"
        raise InputError(why)
    rows, ratings, missing = complete_rows([first, second], gold)
    n = len(ratings)
    reason = next(filter(None, (why_undefined(row, ratings) for row in rows)), "")
    if not reason and n < 4:
        reason = "fewer than 4 rows"
    if reason:
        return WilliamsTest(None, None, n - 3, n, missing, reason)
    pairs = (rows[0], ratings), (rows[1], ratings), (rows[0], rows[1])
    r12, r13, r23 = (correlation_of(x, y, measure) for x, y in pairs)
    determinant = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    mean = (r12 + r13) / 2
    below = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - r23) ** 3
    if below < 1e-15:
        reason = "the two models' scores are the same up to a linear map"
        return WilliamsTest(None, None, n - 3, n, missing, reason)
    from scipy.special import stdtr

    statistic = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / below)
    p = float(2 * stdtr(n - 3, -abs(statistic)))
    return WilliamsTest(float(statistic), p, n - 3, n, missing)
