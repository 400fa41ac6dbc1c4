"""What a part reports: its score over all data sets, each one's statistics, and row counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hybridsem.evaluation.sage.sets import Sets
from hybridsem.evaluation.statistics import Estimate
from hybridsem.evaluation.task import Measured

ALL, SCORE = "all", "score"
"""The group of all data sets, and the statistic that a part is judged by, in [0, 1]."""


def mean_of(estimates: Mapping[str, Estimate]) -> Estimate:
    """The mean of statistics; undefined where one of them is, which is named."""
    undefined = [name for name, one in estimates.items() if one.value is None]
    n = len(estimates)
    if undefined or not n:
        return Estimate(
            None,
            None,
            None,
            n - len(undefined),
            len(undefined),
            f"undefined for {', '.join(undefined)}",
        )
    value = float(np.mean([one.value for one in estimates.values() if one.value is not None]))
    return Estimate(value, None, None, n)


def total(counts: Iterable[int | None]) -> int | None:
    """The sum of counts; None where one of them is not known."""
    known = list(counts)
    return None if None in known else sum(count for count in known if count is not None)


def measured(
    data: Sets[Any],
    by_set: Mapping[str, Mapping[str, Estimate]],
    scored: int,
    truncated: int | None,
    *,
    overall: Mapping[str, Estimate] | None = None,
    settings: Mapping[str, Any] | None = None,
    notes: tuple[str, ...] = (),
) -> Measured:
    """The card's contents of a part.

    Args:
        data: What was read; what was left out of it is counted.
        by_set: The statistics of each data set; ``score`` is averaged over them, as any other that
            all of them have.
        scored: How many items have an answer.
        truncated: How many items the model could not read all of; None where it does not tell.
        overall: Statistics over all data sets in place of the averages.
        settings: Those that the data and the model have set.
        notes: What is to be said of the result.
    """
    common = [
        name
        for name in next(iter(by_set.values()), {})
        if all(name in found for found in by_set.values())
    ]
    over_all = {
        name: mean_of({one: found[name] for one, found in by_set.items()}) for name in common
    }
    if len(by_set) == 1:
        over_all = dict(next(iter(by_set.values())))
    scores = {ALL: {**over_all, **(overall or {})}}
    if len(by_set) > 1:
        scores |= {name: dict(found) for name, found in by_set.items()}
    counts = {
        "rows": data.rows,
        "scored": scored,
        "failed": data.rows - scored,
        "truncated": truncated,
    }
    return Measured(scores, counts | data.excluded, notes=notes, settings=settings or {})
