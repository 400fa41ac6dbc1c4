"""Compare cards: by how much one model's figure exceeds another's, by a paired bootstrap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from hybridsem._typing import AnyArray, BoolArray, Float64Array
from hybridsem.errors import InputError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.statistics.classification import paired_classification
from hybridsem.evaluation.statistics.model_tests import paired_bootstrap, williams
from hybridsem.evaluation.statistics.rating_correlations import MEASURES, RESAMPLES, Difference
from hybridsem.evaluation.statistics.summaries import Column, paired

Pair = tuple[str, str]


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
    def drawing(self) -> dict[str, Any]:
        """The settings of every bootstrap."""
        return {"resamples": self.resamples, "seed": self.seed, "level": self.level}


class CardComparison:
    """The comparison of cards of a task."""

    tested: tuple[str, ...] = ()
    """The statistics, greater being better, on which models are tested."""

    lacks: ClassVar[str] = "does not hold the values of its rows"
    """Why a card without :meth:`values` cannot be tested."""

    alike: tuple[str, ...] = ()
    """The settings in which cards must agree."""

    of_ratings: ClassVar[bool] = False
    """Cards have correlations with ratings."""

    def prepared(self, cards: Sequence[Card]) -> list[Card]:
        """Return comparable cards; :class:`InputError` if their figures cannot be compared."""
        for name in self.alike:
            if len({repr(card.settings.get(name)) for card in cards}) > 1:
                told = ", ".join(f"{card.name!r} with {card.settings.get(name)}" for card in cards)
                why = f"these cards have different {name}, so their figures cannot be compared"
                raise InputError(f"{why}: {told}")
        return list(cards)

    def values(self, card: Card, test: PairedTest) -> Any:
        """Return the values from which the figure can be resampled; None if the card lacks them."""
        raise NotImplementedError

    def difference(self, one: Any, two: Any, test: PairedTest) -> Difference:
        """Return the statistic of a card's :meth:`values`, here a column, minus another's."""
        return paired(one, two, **test.drawing)

    def differences(
        self, cards: Mapping[str, Card], pairs: Iterable[Pair], test: PairedTest
    ) -> dict[Pair, Difference]:
        """Return the difference of each pair of prepared cards of the same data."""
        values = {name: self.values(card, test) for name, card in cards.items()}
        found: dict[Pair, Difference] = {}
        for name, base in pairs:
            if lacking := [one for one in (base, name) if values[one] is None]:
                why = f"not tested: the card of {lacking[0]} {self.lacks}"
                found[name, base] = Difference(None, None, None, 0, note=why)
            elif name != base:
                found[name, base] = self.difference(values[name], values[base], test)
        return found


class RatingComparison(CardComparison):
    """The difference of two models' correlations with the same ratings."""

    tested, of_ratings = MEASURES, True
    lacks = "holds no scores of rows"

    def values(self, card: Card, test: PairedTest) -> AnyArray | None:
        """Return the scores and the ratings of the group's rows, (2, n)."""
        if not card.columns.keys() >= {"score", "gold"} or test.group not in ("all", *card.groups):
            return None
        table = np.array([_column(card, "score"), _column(card, "gold")])
        return table if test.group == "all" else table[:, list(card.groups[test.group])]

    def difference(self, one: AnyArray, two: AnyArray, test: PairedTest) -> Difference:
        """Return the first correlation minus the second; ``test`` may be Williams' test."""
        columns = one[0], two[0], one[1]
        if test.kind == "williams":
            return williams(*columns, test.measure)
        return paired_bootstrap(*columns, test.measure, **test.drawing)


@dataclass(frozen=True)
class MeanComparison(CardComparison):
    """The difference of two models' means over items; each measure is a column of the card."""

    tested: tuple[str, ...]

    def values(self, card: Card, test: PairedTest) -> Column | None:
        """Return the group's rows of the column."""
        if test.measure not in card.columns:
            return None
        return Column(_column(card, test.measure)[_rows(card, test.group)])


class ClassMeasure(NamedTuple):
    """A statistic of ``positive`` labels ``among`` these (all if empty); ``sign`` -1 inverts the
    scores.
    """

    statistic: str
    positive: tuple[str, ...]
    among: tuple[str, ...] = ()
    sign: int = 1


class ClassComparison(CardComparison):
    """The difference of two models' statistics of classification, by measure."""

    def __init__(self, classes: Mapping[str, ClassMeasure]) -> None:
        self.classes, self.tested = classes, tuple(classes)

    def values(self, card: Card, test: PairedTest) -> tuple[Float64Array, BoolArray] | None:
        """Return the scores of the rows that take part, and which of them are positive."""
        if "score" not in card.columns:
            return None
        _, positive, among, sign = self.classes[test.measure]
        labels = np.array(card.columns["label"])
        rows = _rows(card, test.group)
        rows &= np.isin(labels, among) if among else True
        return sign * _column(card, "score")[rows], np.isin(labels[rows], positive)

    def difference(self, one: Any, two: Any, test: PairedTest) -> Difference:
        """Return the first card's statistic minus the second's."""
        measure = self.classes[test.measure].statistic
        return paired_classification(one[0], two[0], two[1], measure, **test.drawing)


def _column(card: Card, name: str) -> Float64Array:
    return np.array([np.nan if value is None else value for value in card.columns[name]], float)


def _rows(card: Card, group: str) -> BoolArray:
    """Mark the rows of a group, (n,); all rows for "all" and for a group without rows."""
    rows = np.zeros(len(next(iter(card.columns.values()))), bool)
    rows[list(card.groups[group]) if group in card.groups else slice(None)] = True
    return rows
