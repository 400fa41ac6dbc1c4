"""Compare cards of SAGE by a paired bootstrap over the values of documents or queries."""

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


class Statistic(NamedTuple):
    """A statistic (r,) of r resamples, from the means (c, r) of columns with a value per item."""

    columns: tuple[str, ...]
    of_means: Callable[[Float64Array], Float64Array] = lambda means: means[0]


class ItemBootstrap(CardComparison):
    """The difference of two models' statistics over the items that both have values for. Cards must
    agree in the settings ``alike``. The items of each data set are drawn separately.
    """

    lacks = "holds no values of single items"

    def __init__(self, statistics: Mapping[str, Statistic], alike: Sequence[str] = ()) -> None:
        self.statistics, self.alike = dict(statistics), tuple(alike)
        self.tested = tuple(statistics)

    def prepared(self, cards: Sequence[Card]) -> list[Card]:
        """Return the cards; :class:`InputError` if a setting in ``alike`` differs."""
        for name in self.alike:
            if len({repr(card.settings.get(name)) for card in cards}) > 1:
                told = ", ".join(f"{card.name!r} with {card.settings.get(name)}" for card in cards)
                raise InputError(
                    f"these cards have different {name}, so their figures cannot be compared: "
                    f"{told}"
                )
        return list(cards)

    def holds(self, card: Card, test: PairedTest) -> bool:
        """Test if the card has the values of documents or queries."""
        return bool(_tables(card, test.group, self.statistics[test.measure].columns))

    def difference(self, card: Card, base: Card, test: PairedTest) -> Difference | str:
        """Return the first card's statistic minus the second's, resampled over items."""
        columns, of_means = self.statistics[test.measure]
        given, other = (_tables(each, test.group, columns) for each in (card, base))
        if [one.shape for one in given] != [one.shape for one in other]:
            cards = f"the cards of {card.name} and {base.name}"
            return f"not tested: {cards} hold values of different items"
        values, n, missing = [], 0, 0
        for place, (one, two) in enumerate(zip(given, other, strict=True)):
            known = ~np.any(np.isnan([one, two]), axis=(0, 1))
            n, missing = n + int(known.sum()), missing + int((~known).sum())
            rows = [*one[:, known], *two[:, known]]
            values.append(np.full(1 + test.resamples, np.nan))
            if known.any():
                drawn = resampled_of(rows, "mean", test.resamples, (test.seed, place))
                means = np.hstack([np.mean(rows, axis=1)[:, None], drawn])
                values[-1] = of_means(means[: len(one)]) - of_means(means[len(one) :])
        mean = np.mean(values, axis=0)
        if np.isnan(mean[0]):
            return "not tested: not defined over the items that both have values for"
        return difference(float(mean[0]), mean[1:], n, missing, test.level)


def _tables(card: Card, group: str, columns: Sequence[str]) -> list[Float64Array]:
    """Return the columns (c, n) of each data set of the group; none if the card lacks them."""
    if not set(columns) <= card.columns.keys() or group not in (ALL, *card.groups):
        return []
    whole = np.array([card.columns[name] for name in columns], float)
    if group in card.groups:
        return [whole[:, card.groups[group]]]
    return [whole[:, rows] for rows in card.groups.values()] or [whole]
