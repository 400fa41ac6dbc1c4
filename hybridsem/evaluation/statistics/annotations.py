"""Correlations of one score an item with several annotators' ratings of it.

An item with three ratings stands three times beside them, always with the same score (Mitchell &
Lapata 2008, Grefenstette & Sadrzadeh 2011). Such rows depend on each other, so a resample draws
items, each with all of its ratings.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hybridsem._typing import AnyArray, Float64Array
from hybridsem.evaluation.statistics.estimates import (
    MEASURES,
    RESAMPLES,
    Estimate,
    interval,
    why_undefined,
)
from hybridsem.evaluation.statistics.rating_correlations import correlation
from hybridsem.evaluation.statistics.resampling import MAX_ROWS, resampled_counts


def annotation_correlations(
    scores: Float64Array,
    annotations: Sequence[Float64Array],
    measures: Sequence[str] = MEASURES,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """The correlations of the scores with all single ratings, with intervals over items.

    Args:
        scores: (items,); NaN is a missing score.
        annotations: The finite ratings of each item, at least one.
        measures: Of spearman, pearson, kendall.
        resamples: How many; 0 for no intervals. There are none for more than 5,000 items.
        seed: Of the resamples.
        level: Share of the resamples within the interval.

    Returns:
        By measure; ``n`` and ``missing`` count ratings.
    """
    scored = [int(item) for item in np.flatnonzero(~np.isnan(scores))]
    rated = [annotations[item] for item in scored]
    sizes = np.array([len(ratings) for ratings in rated], int)
    n = int(sizes.sum())
    missing = sum(map(len, annotations)) - n
    flat = np.concatenate(rated) if rated else np.empty(0)
    repeated = np.repeat(scores[scored], sizes)
    if reason := why_undefined(repeated, flat):
        return dict.fromkeys(measures, Estimate(None, None, None, n, missing, reason))
    values = {measure: correlation(repeated, flat, measure) for measure in measures}
    if not resamples or len(scored) > MAX_ROWS:
        note = f"no interval: more than {MAX_ROWS:,} items" if resamples else ""
        return {
            name: Estimate(value, None, None, n, missing, note) for name, value in values.items()
        }
    table = _Table(scores[scored], sizes, flat)
    drawn = resampled_counts(
        lambda counts: np.array([getattr(table, measure)(counts) for measure in measures]),
        len(scored),
        resamples,
        seed,
    )
    found = {}
    for measure, row in zip(measures, drawn, strict=True):
        low, high, note = interval(row, level)
        found[measure] = Estimate(values[measure], low, high, n, missing, note)
    return found


class _Table:
    """How often each item has each rating, (items, ratings), from which the correlations of
    resampled items follow; the counts of the items are (b, items).
    """

    def __init__(self, scores: Float64Array, sizes: AnyArray, flat: Float64Array) -> None:
        items = np.repeat(np.arange(len(scores)), sizes)
        ratings, columns = np.unique(flat, return_inverse=True)
        self.table = np.zeros((len(scores), len(ratings)))
        np.add.at(self.table, (items, columns), 1)
        self.order = np.argsort(scores, kind="stable")
        distinct, self.value_of = np.unique(scores, return_inverse=True)
        self.starts = np.searchsorted(scores[self.order], distinct)
        self.x = (scores - np.average(scores, weights=sizes)) / np.std(np.repeat(scores, sizes))
        self.y = (ratings - flat.mean()) / np.std(flat)
        higher = np.sign(ratings[:, None] - ratings[None, :])
        self.agreement = np.sign(scores[:, None] - scores[None, :]) * (
            self.table @ higher @ self.table.T
        )

    def spearman(self, counts: AnyArray) -> AnyArray:
        by_rating, by_score = self._drawn(counts)
        x, y = _midranks(by_score), _midranks(by_rating)
        return self._correlation(counts, x[:, self.value_of], y)

    def pearson(self, counts: AnyArray) -> AnyArray:
        by_rating, _ = self._drawn(counts)
        rows = counts * self.table.sum(axis=1)
        n = rows.sum(axis=1, keepdims=True)
        x = self.x - (rows @ self.x)[:, None] / n
        y = self.y - (by_rating @ self.y)[:, None] / n
        return self._correlation(counts, x, y)

    def kendall(self, counts: AnyArray) -> AnyArray:
        by_rating, by_score = self._drawn(counts)
        n = by_rating.sum(axis=1)
        untied = [(n * n - (drawn * drawn).sum(axis=1)) / 2 for drawn in (by_score, by_rating)]
        weighted = counts.astype(float)
        agreement = np.einsum("bi,bi->b", weighted @ self.agreement, weighted) / 2
        return _ratio(agreement, np.sqrt(untied[0] * untied[1]))

    def _drawn(self, counts: AnyArray) -> tuple[AnyArray, AnyArray]:
        """How often each distinct rating was drawn, and each distinct score."""
        rows = counts * self.table.sum(axis=1)
        by_score: AnyArray = np.add.reduceat(rows[:, self.order], self.starts, axis=1)
        by_rating: AnyArray = counts @ self.table
        return by_rating, by_score

    def _correlation(self, counts: AnyArray, x: AnyArray, y: AnyArray) -> AnyArray:
        """Pearson's r of centred values: of the items (b, items), of the ratings (b, ratings)."""
        products = np.einsum("bi,bi->b", counts * x, y @ self.table.T)
        spread_x = np.einsum("bi,bi->b", counts * self.table.sum(axis=1), x * x)
        spread_y = np.einsum("bi,bi->b", counts @ self.table, y * y)
        return _ratio(products, np.sqrt(spread_x * spread_y))


def _midranks(drawn: AnyArray) -> AnyArray:
    """(b, values) midranks of values in ascending order, centred and doubled."""
    ranks: AnyArray = 2 * np.cumsum(drawn, axis=1) - drawn - drawn.sum(axis=1, keepdims=True)
    return ranks


def _ratio(above: AnyArray, below: AnyArray) -> AnyArray:
    """``above / below``, NaN where there is no spread."""
    found: AnyArray = np.divide(above, below, out=np.full(len(below), np.nan), where=below > 1e-12)
    return found
