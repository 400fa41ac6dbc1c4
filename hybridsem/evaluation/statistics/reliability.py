"""How reliable mean ratings are: the correlation of two halves of the raters."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from hybridsem._typing import AnyArray
from hybridsem.errors import InputError
from hybridsem.evaluation.statistics._inputs import check_settings
from hybridsem.evaluation.statistics.estimates import Reliability, interval

__all__ = ["split_half"]


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
    check_settings([measure], splits, level, least=1)
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
    """Pearson's correlation of each row with the same row of the other; NaN where undefined."""
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
