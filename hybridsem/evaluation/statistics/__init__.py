"""How sure a figure is: correlations with intervals, tests between two models, corrections,
split-half reliability.

One policy for missing scores: a row whose score or rating is NaN takes no part in a statistic and
is counted in ``missing``; no number stands in for it. A statistic that is not defined is None, with
the reason in ``note``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hybridsem._typing import AnyArray
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.statistics.resampling import MAX_ROWS, observed, resampled

__all__ = [
    "MEASURES",
    "Difference",
    "Estimate",
    "Reliability",
    "WilliamsTest",
    "benjamini_hochberg",
    "correlation",
    "correlations",
    "difference",
    "holm",
    "paired_bootstrap",
    "resampled_correlations",
    "split_half",
    "williams",
    "with_resamples",
]

MEASURES = ("spearman", "pearson", "kendall")
RESAMPLES = 10_000
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
    """Split-half reliability; ``low`` and ``high`` hold the middle share of the splits. ``n``
    counts the items.
    """

    splits: int = 0


def correlations(
    scores: ArrayLike,
    gold: ArrayLike,
    measures: Sequence[str] = MEASURES,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """Correlations of scores with ratings, each with the percentile interval of a bootstrap over
    rows.

    Within each resample the rows are ranked anew, ties with their mean rank; Kendall's is tau-b.
    All measures see the same resamples. For more than 5,000 rows, the deviations from the estimate
    are those of a seeded sample of 5,000, shrunk by the square root of the ratio of the sizes.

    Args:
        scores: (n,); NaN is a missing score.
        gold: (n,); NaN is a missing rating.
        measures: Of spearman, pearson, kendall.
        resamples: How many; 0 for no intervals.
        seed: Of the resamples.
        level: Share of the resamples within the interval.

    Raises:
        InputError: Lengths that differ, infinite values, options out of range.
    """
    found = with_resamples(scores, gold, measures, resamples, seed, level)
    return {measure: estimate for measure, (estimate, _) in found.items()}


def with_resamples(
    scores: ArrayLike,
    gold: ArrayLike,
    measures: Sequence[str] = MEASURES,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, tuple[Estimate, AnyArray]]:
    """As :func:`correlations`, and each with its values in the resamples; none where it is not
    defined.
    """
    _check(measures, resamples, level)
    rows, ratings, missing = _complete([scores], gold)
    n, reason = len(ratings), _why_undefined(rows[0], ratings)
    if reason:
        return {
            measure: (Estimate(None, None, None, n, missing, reason), np.empty(0))
            for measure in measures
        }
    found = {}
    for measure, drawn in resampled_correlations(rows, ratings, measures, resamples, seed).items():
        value = _correlation(rows[0], ratings, measure)
        low, high, note = interval(drawn[0], level)
        if n > MAX_ROWS and low is not None:
            note = f"the width of the interval is from a sample of {MAX_ROWS:,} rows"
        found[measure] = Estimate(value, low, high, n, missing, note), drawn[0]
    return found


def correlation(scores: ArrayLike, gold: ArrayLike, measure: str = "spearman") -> float | None:
    """A correlation of finite values; None where it is not defined: fewer than two rows, or no
    spread.

    Spearman's is Pearson's over midranks, Kendall's is tau-b.
    """
    _check([measure])
    x, y = np.asarray(scores, float), np.asarray(gold, float)
    return None if _why_undefined(x, y) else _correlation(x, y, measure)


def _correlation(x: AnyArray, y: AnyArray, measure: str) -> float:
    if measure != "pearson" and len(x) <= MAX_ROWS:
        return observed(x, y, measure)  # without scipy.stats, whose import takes longer than this
    if measure == "kendall":
        from scipy import stats

        return float(stats.kendalltau(x, y).statistic)
    if measure == "spearman":
        from scipy import stats

        x, y = stats.rankdata(x), stats.rankdata(y)
    x, y = (_standardised(column) for column in (x, y))
    return float(np.clip(x @ y, -1, 1))


def paired_bootstrap(
    first: ArrayLike,
    second: ArrayLike,
    gold: ArrayLike,
    measure: str = "spearman",
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> Difference:
    """The difference of two models' correlations with the same ratings, over the same resampled
    rows.

    The p-value is twice the share of resamples in which the difference has the other sign or is 0,
    the observed data counted as one more resample (so it is never 0). Rows where either score is
    missing are left out for both.

    Args:
        first: (n,).
        second: (n,).
        gold: (n,).
        measure: spearman, pearson or kendall.
        resamples: How many; at least 1.
        seed: Of the resamples.
        level: Of the interval.
    """
    _check([measure], resamples, level, least=1)
    rows, ratings, missing = _complete([first, second], gold)
    reason = next(filter(None, (_why_undefined(row, ratings) for row in rows)), "")
    if reason:
        return Difference(None, None, None, len(ratings), missing, reason)
    drawn = resampled_correlations(rows, ratings, [measure], resamples, seed)[measure]
    one, two = (_correlation(row, ratings, measure) for row in rows)
    return difference(one - two, drawn[0] - drawn[1], len(ratings), missing, level)


def difference(
    value: float, drawn: AnyArray, n: int, missing: int = 0, level: float = 0.95
) -> Difference:
    """A difference from its value and what it is in each resample (NaN where it is not defined
    there).
    """
    low, high, note = interval(drawn, level)
    if low is None:
        return Difference(value, None, None, n, missing, note)
    drawn = drawn[~np.isnan(drawn)]
    side = min(np.sum(drawn <= 0), np.sum(drawn >= 0))
    return Difference(
        value, low, high, n, missing, note, p=float(min(1.0, 2 * (side + 1) / (len(drawn) + 1)))
    )


def resampled_correlations(
    scores: ArrayLike,
    gold: ArrayLike,
    measures: Sequence[str],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, AnyArray]:
    """The correlations of several models with the same ratings in the same resamples, (m,
    resamples) by measure.

    What :func:`correlations` and :func:`paired_bootstrap` take their intervals from.

    Args:
        scores: (m, n), finite, none constant.
        gold: (n,), finite, not constant.
        measures: Of spearman, pearson, kendall.
        resamples: How many.
        seed: Of the resamples.
    """
    _check(measures, resamples)
    rows, ratings = np.atleast_2d(np.asarray(scores, float)), np.asarray(gold, float)
    if not resamples:
        return {measure: np.empty((len(rows), 0)) for measure in measures}
    n = len(ratings)
    if n <= MAX_ROWS:
        return resampled(rows, ratings, measures, resamples, seed)
    sample = np.sort(np.random.default_rng(seed).choice(n, MAX_ROWS, replace=False))
    drawn = resampled(rows[:, sample], ratings[sample], measures, resamples, seed)
    shrunk = {}
    for measure, values in drawn.items():
        centre = [[_correlation(row[sample], ratings[sample], measure)] for row in rows]
        whole = [[_correlation(row, ratings, measure)] for row in rows]
        shrunk[measure] = np.array(whole, float) + (values - np.array(centre, float)) * np.sqrt(
            MAX_ROWS / n
        )
    return shrunk


@dataclass(frozen=True)
class WilliamsTest:
    """A test statistic, its degrees of freedom and the two-sided p-value; None where it is not
    defined.
    """

    statistic: float | None
    p: float | None
    df: int
    n: int
    missing: int = 0
    note: str = ""


def williams(
    first: ArrayLike, second: ArrayLike, gold: ArrayLike, measure: str = "pearson"
) -> WilliamsTest:
    """Williams' test between two models' correlations with the same ratings (two dependent
    correlations, one shared).

    Williams (1959) in the form of Steiger (1980, eq. 7), with n - 3 degrees of freedom. It is
    derived for Pearson's correlation of normal variables; with ``measure="spearman"`` it is applied
    to ranks, an approximation.
    """
    if measure not in ("pearson", "spearman"):
        raise InputError(
            f"Williams' test is of pearson or spearman, got {measure!r}; use the paired bootstrap"
        )
    rows, ratings, missing = _complete([first, second], gold)
    n = len(ratings)
    reason = next(filter(None, (_why_undefined(row, ratings) for row in rows)), "") or (
        "fewer than 4 rows" * (n < 4)
    )
    if reason:
        return WilliamsTest(None, None, n - 3, n, missing, reason)
    one, two = rows
    r12, r13, r23 = (
        _correlation(x, y, measure) for x, y in ((one, ratings), (two, ratings), (one, two))
    )
    determinant = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    mean = (r12 + r13) / 2
    below = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - r23) ** 3
    if below < 1e-15:
        return WilliamsTest(
            None, None, n - 3, n, missing, "the two models' scores are the same up to a linear map"
        )
    statistic = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / below)
    from scipy.special import stdtr

    return WilliamsTest(
        float(statistic), float(2 * stdtr(n - 3, -abs(statistic))), n - 3, n, missing
    )


def holm(p: ArrayLike) -> AnyArray:
    """Holm's adjusted p-values: the chance of any false finding among all stays below the level.
    NaN stays NaN.
    """
    return _adjusted(p, lambda ordered, m: np.maximum.accumulate(ordered * np.arange(m, 0, -1)))


def benjamini_hochberg(p: ArrayLike) -> AnyArray:
    """Benjamini and Hochberg's adjusted p-values: the expected share of false findings. NaN stays
    NaN.
    """

    def adjust(ordered: AnyArray, m: int) -> AnyArray:
        return np.minimum.accumulate((ordered * m / np.arange(1, m + 1))[::-1])[::-1]

    return _adjusted(p, adjust)


def _adjusted(p: ArrayLike, adjust: Callable[[AnyArray, int], AnyArray]) -> AnyArray:
    given = np.asarray(p, float)
    if np.any((given < 0) | (given > 1)):
        raise InputError(
            f"p-values lie between 0 and 1, got {given[(given < 0) | (given > 1)][0]!r}"
        )
    adjusted = np.full(given.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(given))
    order = tested[np.argsort(given[tested], kind="stable")]
    adjusted[order] = np.minimum(adjust(given[order], len(order)), 1)
    return adjusted


def split_half(
    ratings: ArrayLike,
    splits: int = 1_000,
    seed: int = 0,
    level: float = 0.95,
    measure: str = "pearson",
) -> Reliability:
    """Split-half reliability of mean ratings, with the Spearman-Brown correction for the halved
    number of raters.

    In each split the raters are dealt into two halves at random, the items' mean ratings in the two
    halves are correlated to r, and 2 r / (1 + r) is averaged over the splits. An item without a
    rating in either half takes no part in that split.

    Args:
        ratings: (raters, items); NaN where a rater has not rated an item.
        splits: How many.
        seed: Of the splits.
        level: Share of the splits between ``low`` and ``high``.
        measure: pearson or spearman.

    Raises:
        InputError: Not a matrix of at least two raters, infinite ratings, options out of range.
    """
    _check([measure], splits, level, least=1)
    matrix = np.asarray(ratings, float)
    if matrix.ndim != 2 or len(matrix) < 2:
        raise InputError(
            f"ratings are a matrix of at least two raters by items, got the shape {matrix.shape}"
        )
    if np.isinf(matrix).any():
        raise InputError("ratings are finite or NaN, got an infinite one")
    given = ~np.isnan(matrix)
    random, raters = np.random.default_rng(seed), len(matrix)
    dealt = random.permuted(np.tile(np.arange(raters) < raters // 2, (splits, 1)), axis=1).astype(
        float
    )
    zeroed = np.where(given, matrix, 0)
    halves = []
    for half in (dealt, 1 - dealt):
        rated = half @ given
        halves.append(
            np.divide(half @ zeroed, rated, out=np.full(rated.shape, np.nan), where=rated > 0)
        )
    halves = [
        np.where(np.isnan(other), np.nan, half)
        for half, other in zip(halves, reversed(halves), strict=True)
    ]
    if measure == "spearman":
        from scipy import stats

        halves = [stats.rankdata(half, axis=1, nan_policy="omit") for half in halves]
    r = _row_correlations(*halves)
    with np.errstate(divide="ignore", invalid="ignore"):
        corrected = np.where(r > -1, 2 * r / (1 + r), np.nan)
    items, missing = int(given.any(axis=0).sum()), int((~given).sum())
    low, high, note = interval(corrected, level)
    if low is None:
        return Reliability(None, None, None, items, missing, note, splits)
    return Reliability(float(np.nanmean(corrected)), low, high, items, missing, note, splits)


def _row_correlations(left: AnyArray, right: AnyArray) -> AnyArray:
    """Pearson's correlation of each row of one matrix with the same row of the other; NaN where not
    defined.
    """
    used = ~np.isnan(left)
    count = used.sum(axis=1, keepdims=True)
    centred = []
    for side in (left, right):
        filled = np.where(used, side, 0)
        centred.append(
            np.where(used, filled - filled.sum(axis=1, keepdims=True) / np.maximum(count, 1), 0)
        )
    x, y = centred
    spread = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    found: AnyArray = np.divide(
        (x * y).sum(axis=1), spread, out=np.full(len(x), np.nan), where=spread > 1e-12
    )
    return found


def _check(
    measures: Sequence[str], resamples: int = 0, level: float = 0.95, least: int = 0
) -> None:
    for measure in measures:
        if measure not in MEASURES:
            raise UnknownNameError("measure", measure, MEASURES)
    if resamples < least:
        raise InputError(
            f"the number of resamples or splits is at least {least}, got {resamples!r}"
        )
    if not 0 < level < 1:
        raise InputError(f"the level of an interval lies between 0 and 1, got {level!r}")


def _complete(scores: Sequence[ArrayLike], gold: ArrayLike) -> tuple[AnyArray, AnyArray, int]:
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


def _why_undefined(scores: AnyArray, gold: AnyArray) -> str:
    if len(gold) < 2:
        return "fewer than two rows"
    if np.ptp(scores) == 0:
        return "the scores are all the same"
    return "the ratings are all the same" if np.ptp(gold) == 0 else ""


def _standardised(column: AnyArray) -> AnyArray:
    """Centred, of length 1; scaled first, so that no square overflows or vanishes."""
    centred = column - column.mean()
    centred /= np.abs(centred).max()
    unit: AnyArray = centred / np.linalg.norm(centred)
    return unit


def interval(drawn: AnyArray, level: float) -> tuple[float | None, float | None, str]:
    """The middle share of what was drawn, and a note where that is not to be had."""
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
