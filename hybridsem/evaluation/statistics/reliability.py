"""Reliability of mean ratings: agreement of halves of the raters, their deviation, a shuffle test.

All are those of Fodor, De Deyne & Suzuki 2024 (section 5.1 and Figure 2) for STS3k.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hybridsem._typing import AnyArray
from hybridsem.errors import InputError
from hybridsem.evaluation.statistics.rating_correlations import (
    Difference,
    Estimate,
    Reliability,
    check_settings,
    interval,
)

KAPPA = "kappa"
"""Kappa with linear weights of the halves' mean ratings, rounded to whole steps."""


def split_half(
    ratings: ArrayLike,
    splits: int = 1_000,
    seed: int = 0,
    level: float = 0.95,
    measure: str = "pearson",
) -> Reliability:
    """Return split-half reliability of mean ratings, with the Spearman-Brown correction.

    Ratings are (raters, items); NaN where a rater has not rated an item. In each split the raters
    are dealt into two halves at random. The items' mean ratings in the halves correlate by r
    (pearson, spearman or :data:`KAPPA`), and 2 r / (1 + r) is averaged over the splits. An item
    without a rating in either half takes no part in that split. ``low`` and ``high`` hold a share
    ``level`` of the splits. Raises :class:`InputError` for fewer than two raters, infinite ratings,
    options out of range. Args: the number of splits and their seed.

    >>> ratings = [[1, 2, 4, 5], [1, 3, 4, 5], [2, 2, 5, 4], [1, 2, 4, 4]]  # a row for each rater
    >>> split_half(ratings, splits=50).value > 0.9
    True
    """
    check_settings([] if measure == KAPPA else [measure], splits, level, least=1)
    matrix = _checked(ratings)
    given = ~np.isnan(matrix)
    random, raters = np.random.default_rng(seed), len(matrix)
    first = np.tile(np.arange(raters) < raters // 2, (splits, 1))
    dealt = random.permuted(first, axis=1).astype(float)
    zeroed = np.where(given, matrix, 0)
    halves = []
    for half in (dealt, 1 - dealt):
        rated = half @ given
        none = np.full(rated.shape, np.nan)
        halves.append(np.divide(half @ zeroed, rated, out=none, where=rated > 0))
    both = ~np.isnan(halves).any(axis=0)
    halves = [np.where(both, half, np.nan) for half in halves]
    if measure == "spearman":
        from scipy import stats

        halves = [stats.rankdata(half, axis=1, nan_policy="omit") for half in halves]
    r = _row_kappas(*halves) if measure == KAPPA else _row_correlations(*halves)
    with np.errstate(divide="ignore", invalid="ignore"):
        corrected = np.where(r > -1, 2 * r / (1 + r), np.nan)
    items, missing = int(given.any(axis=0).sum()), int((~given).sum())
    low, high, note = interval(corrected, level)
    if low is None:
        return Reliability(None, None, None, items, missing, note, splits)
    return Reliability(float(np.nanmean(corrected)), low, high, items, missing, note, splits)


def rater_deviation(ratings: ArrayLike) -> Estimate:
    """Return the mean standard deviation of an item's ratings, as a share of the ratings' range.
    Ratings are (raters, items), NaN is missing; items with fewer than two are left out.
    """
    matrix = _checked(ratings)
    given = ~np.isnan(matrix)
    counts = given.sum(axis=0)
    items = counts > 1
    n, missing = int(items.sum()), int((~given).sum())
    spread = float(np.ptp(matrix[given])) if given.any() else 0.0
    if not n or spread == 0:
        return Estimate(None, None, None, n, missing, "no item has two ratings that could differ")
    found = np.nanstd(matrix[:, items], axis=0, ddof=1)
    return Estimate(float(found.mean() / spread), None, None, n, missing)


def shuffled_ratings(ratings: ArrayLike, seed: int = 0) -> Difference:
    """Return Kolmogorov and Smirnov's test of mean ratings (raters, items; NaN is missing) against
    ratings that are shuffled for each rater. The value is the largest distance.
    """
    from scipy import stats

    matrix = _checked(ratings)
    given = ~np.isnan(matrix)
    items = given.any(axis=0)
    if not items.any():
        return Difference(None, None, None, 0, int((~given).sum()), "there are no ratings")
    shuffled, random = matrix.copy(), np.random.default_rng(seed)
    for row, has in zip(shuffled, given, strict=True):
        row[has] = random.permutation(row[has])
    means = [np.nanmean(each[:, items], axis=0) for each in (matrix, shuffled)]
    test = stats.ks_2samp(*means)
    n, missing = int(items.sum()), int((~given).sum())
    return Difference(float(test.statistic), None, None, n, missing, p=float(test.pvalue))


def _checked(ratings: ArrayLike) -> AnyArray:
    matrix = np.asarray(ratings, float)
    if matrix.ndim != 2 or len(matrix) < 2:
        why = f"ratings are a matrix of at least two raters by items, got the shape {matrix.shape}"
        raise InputError(why)
    if np.isinf(matrix).any():
        raise InputError("ratings are finite or NaN, got an infinite one")
    return matrix


def _row_kappas(left: AnyArray, right: AnyArray) -> AnyArray:
    """Return kappa with linear weights of each rounded row with the same row of the other."""
    found = np.full(len(left), np.nan)
    for row, (one, two) in enumerate(zip(np.rint(left), np.rint(right), strict=True)):
        used = ~np.isnan(one)
        if not used.any():
            continue
        steps = np.arange(np.nanmin((one, two)), np.nanmax((one, two)) + 1)
        shares = [(side[used, None] == steps).mean(axis=0) for side in (one, two)]
        by_chance = shares[0] @ np.abs(steps[:, None] - steps) @ shares[1]
        if by_chance > 0:
            found[row] = 1 - np.abs(one[used] - two[used]).mean() / by_chance
    return found


def _row_correlations(left: AnyArray, right: AnyArray) -> AnyArray:
    """Return Pearson's correlation of each row with the other's; NaN where undefined."""
    used = ~np.isnan(left)
    count = used.sum(axis=1, keepdims=True)
    centred = []
    for side in (left, right):
        filled = np.where(used, side, 0)
        means = filled.sum(axis=1, keepdims=True) / np.maximum(count, 1)
        centred.append(np.where(used, filled - means, 0))
    x, y = centred
    spread = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    products, none = (x * y).sum(axis=1), np.full(len(x), np.nan)
    return np.asarray(np.divide(products, spread, out=none, where=spread > 1e-12))
