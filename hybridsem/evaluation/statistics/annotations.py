"""Correlations of one score an item with several annotators' ratings of it.

An item with three ratings stands three times beside them, always with the same score (Mitchell &
Lapata 2008, Grefenstette & Sadrzadeh 2011). Such rows depend on each other, so a resample draws
items, each with all of its ratings.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.evaluation.statistics.estimates import (
    MEASURES,
    RESAMPLES,
    Estimate,
    interval,
    why_undefined,
)
from hybridsem.evaluation.statistics.rating_correlations import correlation
from hybridsem.evaluation.statistics.resampling import MAX_ROWS, resampled


def annotation_correlations(
    scores: Float64Array,
    annotations: Sequence[Float64Array],
    measures: Sequence[str] = MEASURES,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """The correlations of the scores with all single ratings, with intervals over items (none for
    more than 5,000 items). ``n`` and ``missing`` count ratings.

    Args: scores (items,), NaN missing; the finite ratings of each item, at least one; the others as
    of :func:`~hybridsem.evaluation.statistics.correlations`.
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
    items = np.repeat(np.arange(len(scored)), sizes)
    drawn = resampled(repeated[None], flat, measures, resamples, seed, items)
    found = {}
    for measure in measures:
        low, high, note = interval(drawn[measure][0], level)
        found[measure] = Estimate(values[measure], low, high, n, missing, note)
    return found
