"""Correlations of scores with ratings, with bootstrap intervals; the reliability of ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from hybridsem._typing import AnyArray, Float64Array
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.statistics.resampling import MAX_ROWS, observed, of_many_rows, resampled

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
    """A statistic and its interval; None where undefined, with the reason in ``note``. ``missing``
    counts the rows with a NaN, which take no part.
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
    """Return the percentile interval of values in resamples, (r,), and a note if there is none."""
    if not len(drawn):
        return None, None, ""
    defined = drawn[~np.isnan(drawn)]
    if len(defined) < MIN_DEFINED * len(drawn):
        lacking = f"{len(drawn) - len(defined)} of {len(drawn)}"
        return None, None, f"no interval: not defined in {lacking} resamples"
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high), ""


def estimated(value: float, drawn: AnyArray, level: float, n: int, missing: int = 0) -> Estimate:
    """Return a statistic with its interval, from its values in resamples (r,)."""
    low, high, note = interval(drawn, level)
    return Estimate(value, low, high, n, missing, note)


def difference(
    value: float, drawn: AnyArray, n: int, missing: int = 0, level: float = 0.95
) -> Difference:
    """Return a difference with its interval and p-value, from its values in resamples (r,)."""
    low, high, note = interval(drawn, level)
    if low is None:
        return Difference(value, None, None, n, missing, note)
    drawn = drawn[~np.isnan(drawn)]
    side = min(np.sum(drawn <= 0), np.sum(drawn >= 0))
    p = float(min(1.0, 2 * (side + 1) / (len(drawn) + 1)))
    return Difference(value, low, high, n, missing, note, p)


def correlations(
    scores: ArrayLike,
    gold: ArrayLike,
    measures: Sequence[str] = MEASURES,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """Return correlations of scores with ratings, (n,), NaN if missing, with bootstrap intervals
    over rows. Beyond 5,000 rows the width of an interval is from a seeded sample.

    >>> scores, ratings = [0.1, 0.4, 0.35, 0.8, 0.95], [1, 2, 3, 4, 5]
    >>> found = correlations(scores, ratings, ["spearman"], resamples=200)["spearman"]
    >>> round(found.value, 2), found.n, found.low <= found.value <= found.high
    (0.9, 5, True)
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
    """Return :func:`correlations` and their values in the resamples (none where undefined)."""
    check_settings(measures, resamples, level)
    rows, ratings, missing = complete_rows([scores], gold)
    n, reason = len(ratings), why_undefined(rows[0], ratings)
    if reason:
        undefined = Estimate(None, None, None, n, missing, reason)
        return dict.fromkeys(measures, (undefined, np.empty(0)))
    found = {}
    for measure, drawn in resampled_correlations(rows, ratings, measures, resamples, seed).items():
        value = correlation_of(rows[0], ratings, measure)
        estimate = estimated(value, drawn[0], level, n, missing)
        if n > MAX_ROWS and estimate.low is not None:
            note = f"the width of the interval is from a sample of {MAX_ROWS:,} rows"
            estimate = replace(estimate, note=note)
        found[measure] = estimate, drawn[0]
    return found


def correlation(scores: ArrayLike, gold: ArrayLike, measure: str = "spearman") -> float | None:
    """Return a correlation of finite values (n,); None for fewer than two rows or no spread."""
    check_settings([measure])
    x, y = np.asarray(scores, float), np.asarray(gold, float)
    return None if why_undefined(x, y) else correlation_of(x, y, measure)


def correlation_of(x: AnyArray, y: AnyArray, measure: str) -> float:
    """Return a correlation of finite columns (n,), neither of them constant."""
    if measure != "pearson" and len(x) <= MAX_ROWS:
        return observed(x, y, measure)  # importing scipy.stats takes longer
    if measure != "pearson":
        from scipy import stats

        if measure == "kendall":
            return float(stats.kendalltau(x, y).statistic)
        x, y = stats.rankdata(x), stats.rankdata(y)
    x, y = (_standardised(column) for column in (x, y))
    return float(np.clip(x @ y, -1, 1))


def resampled_correlations(
    scores: ArrayLike,
    gold: ArrayLike,
    measures: Sequence[str],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, AnyArray]:
    """Return correlations of models (m, n) in the same resamples, (m, resamples)."""
    rows, ratings = np.atleast_2d(np.asarray(scores, float)), np.asarray(gold, float)
    if not resamples:
        return {measure: np.empty((len(rows), 0)) for measure in measures}

    def observed_in(some: Sequence[AnyArray]) -> AnyArray:
        return np.array([correlation_of(row, some[-1], m) for m in measures for row in some[:-1]])

    def drawn_in(some: Sequence[AnyArray]) -> AnyArray:
        own = resampled(np.array(some[:-1]), some[-1], measures, resamples, seed)
        return np.concatenate([*own.values()])

    drawn = of_many_rows([*rows, ratings], observed_in, drawn_in, seed)
    return dict(zip(measures, drawn.reshape(len(measures), len(rows), resamples), strict=True))


def annotation_correlations(
    scores: Float64Array,
    annotations: Sequence[Float64Array],
    measures: Sequence[str] = MEASURES,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """Return correlations of scores (items,) with single annotators' ratings. A resample draws
    items with all their ratings (Mitchell & Lapata 2008).
    """
    sizes = [len(ratings) for ratings in annotations]
    given = np.repeat(scores, sizes), np.concatenate([np.empty(0), *annotations])
    [repeated], flat, missing = complete_rows(given[:1], given[1])
    if reason := why_undefined(repeated, flat):
        return dict.fromkeys(measures, Estimate(None, None, None, len(flat), missing, reason))
    scored = ~np.isnan(scores)
    items = np.repeat(np.arange(scored.sum()), np.array(sizes)[scored])
    has_many = scored.sum() > MAX_ROWS
    drawn = dict.fromkeys(measures, np.empty((1, 0)))
    if resamples and not has_many:
        drawn = resampled(repeated[None], flat, measures, resamples, seed, items)
    found = {}
    for measure in measures:
        low, high, note = interval(drawn[measure][0], level)
        note = f"no interval: more than {MAX_ROWS:,} items" if has_many and resamples else note
        value = correlation_of(repeated, flat, measure)
        found[measure] = Estimate(value, low, high, len(flat), missing, note)
    return found


def _standardised(column: AnyArray) -> AnyArray:
    """Return the column centred and of length 1; scaled first against overflow."""
    centred = column - column.mean()
    centred /= np.abs(centred).max()
    return np.asarray(centred / np.linalg.norm(centred))


def split_half(
    ratings: ArrayLike, splits: int = 1_000, seed: int = 0, level: float = 0.95
) -> Reliability:
    """Return the split-half reliability of mean ratings (raters, items), with the Spearman-Brown
    correction, averaged over random halves (Fodor, De Deyne & Suzuki 2024, section 5.1).
    """
    check_settings([], splits, level, least=1)
    matrix = np.asarray(ratings, float)
    if matrix.ndim != 2 or len(matrix) < 2:
        why = f"ratings are a matrix of at least two raters by items, got the shape {matrix.shape}"
        raise InputError(why)
    if np.isinf(matrix).any():
        raise InputError("ratings are finite or NaN, got an infinite one")
    given = ~np.isnan(matrix)
    means = halves(matrix, splits, seed).swapaxes(0, 1)
    both = (of_split[:, ~np.isnan(of_split[0])] for of_split in means)
    r = np.array([correlation(one, two, "pearson") for one, two in both], float)
    with np.errstate(divide="ignore", invalid="ignore"):
        corrected = np.where(r > -1, 2 * r / (1 + r), np.nan)
    items, missing = int(given.any(axis=0).sum()), int((~given).sum())
    low, high, note = interval(corrected, level)
    value = None if low is None else float(np.nanmean(corrected))
    return Reliability(value, low, high, items, missing, note, splits)


def halves(matrix: AnyArray, splits: int, seed: int) -> AnyArray:
    """Return the items' mean ratings in the two halves, (2, splits, items); NaN without both."""
    given, raters = ~np.isnan(matrix), len(matrix)
    first = np.tile(np.arange(raters) < raters // 2, (splits, 1))
    dealt = np.random.default_rng(seed).permuted(first, axis=1).astype(float)
    means = []
    for half in (dealt, 1 - dealt):
        rated = half @ given
        none = np.full(rated.shape, np.nan)
        means.append(np.divide(half @ np.where(given, matrix, 0), rated, out=none, where=rated > 0))
    return np.where(np.isnan(means).any(axis=0), np.nan, means)
