"""Ranks as ranges: what cannot be told apart shares a rank.

    a .81 [.79, .83]    b .80 [.78, .82]    c .60 [.57, .63]        a 1–2, b 1–2, c 3

A model's best rank counts the models that are surely better, its worst those that are not surely
worse. Two models are told apart by a paired test over the same rows where their cards allow it,
else by intervals that do not overlap.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from hybridsem.evaluation.statistics import Difference, Estimate, benjamini_hochberg


@dataclass(frozen=True)
class Ranking:
    """The ranks of the models of a column: the best and the worst of each that has a figure, and
    how many pairs were told apart (or not) by a paired test, by whether their intervals overlap, or
    not at all for want of an interval, so that they share a rank.
    """

    places: Mapping[str, tuple[int, int]]
    tested: int = 0
    by_intervals: int = 0
    undecided: int = 0


def rank(
    estimates: Mapping[str, Estimate],
    differences: Mapping[tuple[str, str], Difference] | None = None,
    level: float = 0.95,
) -> Ranking:
    """Rank models by one statistic, the greatest first; one without a value has no rank. The
    p-values of ``differences`` (the first's statistic minus the second's) are corrected together by
    Benjamini and Hochberg's method, and tell two apart below ``1 - level``.
    """
    values = {
        name: estimate.value for name, estimate in estimates.items() if estimate.value is not None
    }
    given = {
        pair: (tested.value, tested.p)
        for pair, tested in (differences or {}).items()
        if tested.p is not None and tested.value is not None and values.keys() >= set(pair)
    }
    corrected = benjamini_hochberg([p for _, p in given.values()]) if given else ()
    better: set[tuple[str, str]] = set()  # (a, b): a is surely better than b
    for ((first, second), (value, _)), p in zip(given.items(), corrected, strict=True):
        if p < 1 - level and value:
            better.add((first, second) if value > 0 else (second, first))
    by_intervals = undecided = 0
    for first, second in combinations(values, 2):
        if (first, second) in given or (second, first) in given:
            continue
        if (apart := _apart(estimates[first], estimates[second])) is None:
            undecided += 1
            continue
        by_intervals += 1
        if apart:
            better.add((first, second) if apart > 0 else (second, first))
    places = {
        name: (
            1 + sum((other, name) in better for other in values),
            len(values) - sum((name, other) in better for other in values),
        )
        for name in values
    }
    return Ranking(places, len(given), by_intervals, undecided)


def _apart(first: Estimate, second: Estimate) -> int | None:
    """1 where the first interval is above the second, -1 below, 0 else; None if one is missing."""
    if first.low is None or first.high is None or second.low is None or second.high is None:
        return None
    return (first.low > second.high) - (first.high < second.low)
