"""Cards of SAGE side by side: the values of documents or queries, and the paired bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.errors import InputError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.comparison import CardComparison, PairedTest
from hybridsem.evaluation.sage.parts import ALL
from hybridsem.evaluation.statistics import Difference, difference
from hybridsem.evaluation.statistics.summaries import resampled_of

KEPT_ITEMS = 100_000
"""The values of documents or queries stay in the card up to this many."""


class Statistic(NamedTuple):
    """What a statistic is made of: columns of a value an item, and from their means (c, r), in r
    resamples, it (r,).
    """

    columns: tuple[str, ...]
    of_means: Callable[[Float64Array], Float64Array] = lambda means: means[0]


class OverItems(CardComparison):
    """The difference of two models' statistics (the greatest is the best) over the items that both
    have values for, drawn together. Cards must not differ in the settings ``alike``. Over several
    data sets it is the mean of the differences, and the items of each are drawn apart.
    """

    lacks = "holds no values of single items"

    def __init__(self, statistics: Mapping[str, Statistic], alike: Sequence[str] = ()) -> None:
        self.statistics, self.alike = dict(statistics), tuple(alike)
        self.tested = tuple(statistics)

    def prepared(self, cards: Sequence[Card]) -> list[Card]:
        """The cards; :class:`InputError` if they differ in a setting that the figures depend on."""
        for name in self.alike:
            if len({repr(card.settings.get(name)) for card in cards}) > 1:
                told = ", ".join(f"{card.name!r} with {card.settings.get(name)}" for card in cards)
                raise InputError(
                    f"these cards have different {name}, so their figures cannot be compared: "
                    f"{told}"
                )
        return list(cards)

    def holds(self, card: Card, test: PairedTest) -> bool:
        """Whether there are the values of documents or queries."""
        return bool(_tables(card, test.group, self.statistics[test.measure].columns))

    def difference(self, card: Card, base: Card, test: PairedTest) -> Difference | str:
        """The first card's statistic minus the second's, by a paired bootstrap over items."""
        columns, of_means = self.statistics[test.measure]
        given, other = (_tables(each, test.group, columns) for each in (card, base))
        if [one.shape for one in given] != [one.shape for one in other]:
            return (
                f"not tested: the cards of {card.name} and {base.name} hold values of different "
                "items"
            )
        pairs = enumerate(zip(given, other, strict=True))
        parts = [_apart(*two, of_means, test.resamples, (test.seed, place)) for place, two in pairs]
        return _mean(parts, test.level)


def kept_columns(
    by_set: Mapping[str, Mapping[str, Float64Array]],
) -> tuple[dict[str, list[float]], dict[str, list[int]]]:
    """The columns of all data sets one after the other, and the rows of each where there are
    several; nothing where there are too many items for a card.
    """
    sizes = [len(next(iter(columns.values()))) for columns in by_set.values()]
    if sum(sizes) > KEPT_ITEMS:
        return {}, {}
    names = next(iter(by_set.values()))
    joined = {
        name: np.concatenate([columns[name] for columns in by_set.values()]).tolist()
        for name in names
    }
    ends = np.cumsum(sizes).tolist()
    rows = {
        name: list(range(end - size, end))
        for name, size, end in zip(by_set, sizes, ends, strict=True)
    }
    return joined, rows if len(by_set) > 1 else {}


def _tables(card: Card, group: str, columns: Sequence[str]) -> list[Float64Array]:
    """The columns (c, n) of each data set of the group, NaN: missing; none where not held."""
    if not set(columns) <= card.columns.keys() or group not in (ALL, *card.groups):
        return []
    whole = np.array([card.columns[name] for name in columns], float)
    if group in card.groups:
        return [whole[:, card.groups[group]]]
    return [whole[:, rows] for rows in card.groups.values()] or [whole]


def _apart(
    one: Float64Array,
    two: Float64Array,
    of_means: Callable[[Float64Array], Float64Array],
    resamples: int,
    seed: tuple[int, int],
) -> tuple[Float64Array, int, int]:
    """The difference in data and resamples, (1 + r,), over items with both values; the others."""
    known = ~np.any(np.isnan([one, two]), axis=(0, 1))
    n = int(known.sum())
    if not n:
        return np.full(1 + resamples, np.nan), 0, len(known)
    rows = [*one[:, known], *two[:, known]]
    means = np.hstack([np.mean(rows, axis=1)[:, None], resampled_of(rows, "mean", resamples, seed)])
    return of_means(means[: len(one)]) - of_means(means[len(one) :]), n, len(known) - n


def _mean(parts: Sequence[tuple[Float64Array, int, int]], level: float) -> Difference | str:
    values = np.mean([part for part, *_ in parts], axis=0)
    n, missing = sum(one for _, one, _ in parts), sum(one for *_, one in parts)
    if np.isnan(values[0]):
        return "not tested: not defined over the items that both have values for"
    return difference(float(values[0]), values[1:], n, missing, level)
