"""Tests between two models with the same ratings, and corrections of p-values for many tests."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from hybridsem._typing import AnyArray
from hybridsem.errors import InputError
from hybridsem.evaluation.statistics import rating_correlations as stats
from hybridsem.evaluation.statistics.rating_correlations import Difference


def holm(p: ArrayLike) -> AnyArray:
    """Return Holm's adjusted p-values (m,), at most 1.

    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p, float)
    order = np.argsort(given, kind="stable")
    found = np.empty_like(given)
    raised = given[order] * np.arange(len(given), 0, -1)
    found[order] = np.minimum(np.maximum.accumulate(raised), 1)
    return found


def benjamini_hochberg(p: ArrayLike) -> AnyArray:
    """Return Benjamini and Hochberg's adjusted p-values (m,).

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.04, 0.04]
    """
    from scipy.stats import false_discovery_control

    given = np.asarray(p, float)
    return np.asarray(false_discovery_control(given)) if len(given) else given


def paired_bootstrap(
    first: ArrayLike,
    second: ArrayLike,
    gold: ArrayLike,
    measure: str = "spearman",
    resamples: int = stats.RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> Difference:
    """Return the difference of two models' correlations over the same resampled rows. The p-value
    is twice the share of resamples with the other sign or 0, with the data as one more resample.
    """
    stats.check_settings([measure], resamples, level)
    rows, ratings, missing = stats.complete_rows([first, second], gold)
    if reason := stats.why_undefined(rows[0], ratings) or stats.why_undefined(rows[1], ratings):
        return Difference(None, None, None, len(ratings), missing, reason)
    (one, drawn), (two, others) = (
        _correlated(row.tobytes(), ratings.tobytes(), measure, resamples, seed) for row in rows
    )
    return stats.difference(one - two, drawn - others, len(ratings), missing, level)


@lru_cache(maxsize=64)  # a model has the same draws in all its pairs
def _correlated(
    scores: bytes, gold: bytes, measure: str, resamples: int, seed: int
) -> tuple[float, AnyArray]:
    """Return a model's correlation with the ratings, and its values in the resamples."""
    rows, ratings = np.frombuffer(scores), np.frombuffer(gold)
    [drawn] = stats.resampled_correlations(rows, ratings, [measure], resamples, seed)[measure]
    return stats.correlation_of(rows, ratings, measure), drawn


def williams(
    first: ArrayLike, second: ArrayLike, gold: ArrayLike, measure: str = "pearson"
) -> Difference:
    """Williams' test of two dependent correlations, of two models with the same ratings (n,):
    Steiger (1980, eq. 7), with n - 3 degrees of freedom. For ranks it is approximate.
    """
    if measure not in ("pearson", "spearman"):
        why = f"Williams' test is of pearson or spearman, got {measure!r}; use the paired bootstrap"
        raise InputError(why)
    rows, ratings, missing = stats.complete_rows([first, second], gold)
    n = len(ratings)
    reason = stats.why_undefined(rows[0], ratings) or stats.why_undefined(rows[1], ratings)
    if reason or n < 4:
        return Difference(None, None, None, n, missing, reason or "fewer than 4 rows")
    pairs = (rows[0], ratings), (rows[1], ratings), (rows[0], rows[1])
    r12, r13, r23 = (stats.correlation_of(x, y, measure) for x, y in pairs)
    determinant = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    mean = (r12 + r13) / 2
    below = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - r23) ** 3
    if below < 1e-15:
        reason = "the two models' scores are the same up to a linear map"
        return Difference(r12 - r13, None, None, n, missing, reason)
    from scipy.special import stdtr

    statistic = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / below)
    p = float(2 * stdtr(n - 3, -abs(statistic)))
    return Difference(r12 - r13, None, None, n, missing, p=p)
