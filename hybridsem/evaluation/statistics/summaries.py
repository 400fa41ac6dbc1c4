"""Means, medians and deviations of columns of values, with bootstrap intervals over rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, NamedTuple, TypeVar

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.evaluation.statistics import rating_correlations as stats
from hybridsem.evaluation.statistics.rating_correlations import Difference, Estimate
from hybridsem.evaluation.statistics.resampling import MAX_ROWS, of_many_rows, resampled_columns

Key = TypeVar("Key", bound=Hashable)
_OF: dict[str, Callable[[Float64Array], np.floating]] = {"mean": np.mean, "median": np.median}


class Column(NamedTuple):
    """A value for each row, and the reported statistic."""

    values: Float64Array
    of: Literal["mean", "median", "deviation"] = "mean"


def statistic(column: Column) -> Estimate:
    """Return the statistic of a column, without an interval."""
    known = column.values[~np.isnan(column.values)]
    n, missing = len(known), len(column.values) - len(known)
    if n < (2 if column.of == "deviation" else 1):
        return Estimate(None, None, None, n, missing, f"{n} samples have a value")
    value = float(np.std(known, ddof=1) if column.of == "deviation" else _OF[column.of](known))
    return Estimate(value, None, None, n, missing)


def summaries(
    columns: Mapping[Key, Column], resamples: int, seed: int = 0, level: float = 0.95
) -> dict[Key, Estimate]:
    """Return the statistics of columns; means and medians have bootstrap intervals over samples.

    >>> found = summaries({"length": Column(np.array([1.0, 2.0, 6.0]))}, resamples=100)["length"]
    >>> found.value, found.low < found.value < found.high
    (3.0, True)
    """
    found = {name: statistic(column) for name, column in columns.items()}
    # Columns that lack the same rows are resampled together.
    alike: dict[tuple[str, bytes], list[Key]] = {}
    for name, column in columns.items():
        if column.of != "deviation" and resamples and found[name].n > 1:
            alike.setdefault((column.of, np.isnan(column.values).tobytes()), []).append(name)
    for (of, mask), names in alike.items():
        known = ~np.frombuffer(mask, bool)
        rows = [columns[name].values[known] for name in names]
        for name, drawn in zip(names, resampled_of(rows, of, resamples, seed), strict=True):
            low, high, note = stats.interval(drawn, level)
            if found[name].n > MAX_ROWS:
                note = f"the width of the interval is from a sample of {MAX_ROWS:,} samples"
            found[name] = replace(found[name], low=low, high=high, note=note)
    return found


def paired(
    first: Column, second: Column, resamples: int, seed: int = 0, level: float = 0.95
) -> Difference:
    """Return a model's statistic minus another's, resampled over the samples that both have."""
    known = ~(np.isnan(first.values) | np.isnan(second.values))
    n, missing = int(known.sum()), int((~known).sum())
    if not n:
        return Difference(None, None, None, 0, missing, "no sample has a value from both")
    rows = [column.values[known] for column in (first, second)]
    one, two = (float(_OF[second.of](row)) for row in rows)
    drawn = resampled_of(rows, second.of, resamples, seed)
    return stats.difference(one - two, drawn[0] - drawn[1], n, missing, level)


def resampled_of(
    rows: Sequence[Float64Array], of: str, resamples: int, seed: int | Sequence[int]
) -> Float64Array:
    """Return the mean or median of complete columns in the same resamples, (columns, resamples)."""
    drawn = partial(resampled_columns, of=of, resamples=resamples, seed=seed)
    return of_many_rows(rows, lambda some: np.array([*map(_OF[of], some)]), drawn, seed)
