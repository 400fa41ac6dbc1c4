"""Compare cards: by how much one model's figure exceeds another's, by a paired bootstrap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, NamedTuple, TypeVar

import numpy as np

from hybridsem._typing import AnyArray, BoolArray, Float64Array, IntArray
from hybridsem.datasets.settings import Drawing
from hybridsem.errors import InputError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.statistics.classification import paired_classification
from hybridsem.evaluation.statistics.model_tests import paired_bootstrap, williams
from hybridsem.evaluation.statistics.rating_correlations import MEASURES, RESAMPLES, Difference
from hybridsem.evaluation.statistics.summaries import Column, paired

Pair = tuple[str, str]
Values = TypeVar("Values")
Classes = tuple[Float64Array, BoolArray]  # the scores of rows, and which of them are positive


@dataclass(frozen=True)
class PairedTest:
    """The tested figure and the test; ``kind`` is bootstrap or williams."""

    group: str
    measure: str
    kind: str = "bootstrap"
    resamples: int = RESAMPLES
    seed: int = 0
    level: float = 0.95

    @property
    def drawing(self) -> Drawing:
        """The settings of every bootstrap."""
        return {"resamples": self.resamples, "seed": self.seed, "level": self.level}


class CardComparison(Generic[Values]):
    """The comparison of cards of a task by ``tested`` statistics; greater is better."""

    tested: tuple[str, ...] = ()
    lacks: ClassVar[str] = "does not hold the values of its rows"  #: why a card cannot be tested
    alike: tuple[str, ...] = ()  #: settings in which the cards must agree
    of_ratings: ClassVar[bool] = False  #: cards have correlations with ratings

    def prepared(self, cards: Sequence[Card]) -> list[Card]:
        """Return comparable cards; :class:`InputError` if their figures cannot be compared."""
        for name in self.alike:
            if len({repr(card.settings.get(name)) for card in cards}) > 1:
                told = ", ".join(f"{card.name!r} with {card.settings.get(name)}" for card in cards)
                why = f"these cards have different {name}, so their figures cannot be compared"
                raise InputError(f"{why}: {told}")
        return list(cards)

    def values(self, card: Card, test: PairedTest) -> Values | None:
        """Return the values from which the figure can be resampled; None if the card lacks them."""
        raise NotImplementedError

    def difference(self, one: Values, two: Values, test: PairedTest) -> Difference:
        """Return the statistic of a card's :meth:`values` minus another's."""
        raise NotImplementedError

    def differences(
        self, cards: Mapping[str, Card], pairs: Iterable[Pair], test: PairedTest
    ) -> dict[Pair, Difference]:
        """Return the difference of each pair of prepared cards of the same data."""
        values = {name: self.values(card, test) for name, card in cards.items()}
        differences: dict[Pair, Difference] = {}
        for name, base in pairs:
            own, others = values[name], values[base]
            if own is None or others is None:
                why = f"not tested: the card of {base if others is None else name} {self.lacks}"
                differences[name, base] = Difference(None, None, None, 0, note=why)
            elif name != base:
                differences[name, base] = self.difference(own, others, test)
        return differences


class RatingComparison(CardComparison[AnyArray]):
    """The difference of two models' correlations with the same ratings."""

    tested, of_ratings = MEASURES, True
    lacks = "holds no scores of rows"

    def values(self, card: Card, test: PairedTest) -> AnyArray | None:
        """Return the scores and the ratings of the group's rows, (2, n)."""
        if not card.columns.keys() >= {"score", "gold"} or test.group not in ("all", *card.groups):
            return None
        return np.array([card.numbers("score"), card.numbers("gold")])[:, _rows(card, test.group)]

    def difference(self, one: AnyArray, two: AnyArray, test: PairedTest) -> Difference:
        """Return the first correlation minus the second; ``test`` may be Williams' test."""
        columns = one[0], two[0], one[1]
        if test.kind == "williams":
            return williams(*columns, test.measure)
        return paired_bootstrap(*columns, test.measure, **test.drawing)


@dataclass(frozen=True)
class MeanComparison(CardComparison[Column]):
    """The difference of two models' means over items; each measure is a column of the card."""

    tested: tuple[str, ...]

    def values(self, card: Card, test: PairedTest) -> Column | None:
        """Return the group's rows of the column."""
        if test.measure not in card.columns:
            return None
        return Column(card.numbers(test.measure)[_rows(card, test.group)])

    def difference(self, one: Column, two: Column, test: PairedTest) -> Difference:
        """Return the statistic of a column minus that of another."""
        return paired(one, two, **test.drawing)


class ClassMeasure(NamedTuple):
    """A statistic of ``positive`` labels ``among`` these (or all); ``sign`` -1 inverts it.

    A sort, positive or not, with fewer than ``least`` rows takes part with all of the data's.
    """

    statistic: str
    positive: tuple[str, ...]
    among: tuple[str, ...] = ()
    sign: int = 1
    least: int = 0

    def rows(self, labels: AnyArray, rows: IntArray) -> IntArray:
        """Return those of the rows that take part, and all of a sort that is too rare in them."""
        if not self.among:
            return rows
        taking_part, is_positive = np.isin(labels, self.among), np.isin(labels, self.positive)
        chosen = rows[taking_part[rows]]
        positive = np.count_nonzero(is_positive[chosen])
        rarer = positive < len(chosen) - positive
        if min(positive, len(chosen) - positive) < self.least <= len(chosen):
            chosen = np.union1d(chosen, np.flatnonzero(taking_part & (is_positive == rarer)))
        return chosen


class ClassComparison(CardComparison[Column | Classes]):
    """The difference of two models' statistics of classification, by measure, and of ``means``."""

    def __init__(self, classes: Mapping[str, ClassMeasure], means: tuple[str, ...] = ()) -> None:
        self.classes, self.means = classes, MeanComparison(means)
        self.tested = (*classes, *means)

    def values(self, card: Card, test: PairedTest) -> Column | Classes | None:
        """Return the scores and classes of the rows that take part, or the column of a mean."""
        if test.measure in self.means.tested:
            return self.means.values(card, test)
        if "score" not in card.columns:
            return None
        one, labels = self.classes[test.measure], np.array(card.columns["label"])
        rows = one.rows(labels, _rows(card, test.group))
        return one.sign * card.numbers("score")[rows], np.isin(labels[rows], one.positive)

    def difference(
        self, one: Column | Classes, two: Column | Classes, test: PairedTest
    ) -> Difference:
        """Return the first card's statistic minus the second's."""
        if isinstance(one, Column) and isinstance(two, Column):
            return self.means.difference(one, two, test)
        statistic = self.classes[test.measure].statistic
        return paired_classification(one[0], two[0], two[1], statistic, **test.drawing)


def _rows(card: Card, group: str) -> IntArray:
    """Return the rows of a group; all rows for "all" and for a group without rows."""
    if group in card.groups:
        return np.array(card.groups[group], np.int64)
    return np.arange(len(next(iter(card.columns.values()))))
