"""Compare cards: by how much one model's figure exceeds another's, by a paired bootstrap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from hybridsem._typing import AnyArray, BoolArray, Float64Array
from hybridsem.errors import InputError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.statistics import (
    MEASURES,
    RESAMPLES,
    Difference,
    correlation,
    difference,
    resampled_correlations,
    williams,
)
from hybridsem.evaluation.statistics.classification import paired_classification
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

    needs: ClassVar[tuple[str, ...]] = ()
    """The columns from which a card's figures can be resampled."""

    lacks: ClassVar[str] = "does not hold the values of its rows"
    """Why a card that :meth:`holds` rejects cannot be tested."""

    alike: tuple[str, ...] = ()
    """The settings in which cards must agree."""

    def prepared(self, cards: Sequence[Card]) -> list[Card]:
        """Return comparable cards; :class:`InputError` if their figures cannot be compared."""
        for name in self.alike:
            if len({repr(card.settings.get(name)) for card in cards}) > 1:
                told = ", ".join(f"{card.name!r} with {card.settings.get(name)}" for card in cards)
                why = f"these cards have different {name}, so their figures cannot be compared"
                raise InputError(f"{why}: {told}")
        return list(cards)

    def holds(self, card: Card, test: PairedTest) -> bool:
        """Test if the card has the values from which the figure can be resampled."""
        return card.columns.keys() >= {*self.needs}

    def difference(self, card: Card, base: Card, test: PairedTest) -> Difference | str:
        """Return the first card's statistic minus the second's over common rows, or why not."""
        raise NotImplementedError

    def differences(
        self, cards: Mapping[str, Card], pairs: Iterable[Pair], test: PairedTest
    ) -> dict[Pair, Difference | str]:
        """Return the difference of each pair of prepared cards by model, or why it is not tested.
        All cards are on the same data; a model and itself have no entry.
        """
        found, testable = self._testable(cards, pairs, test)
        for name, base in testable:
            found[name, base] = self.difference(cards[name], cards[base], test)
        return found

    def _testable(
        self, cards: Mapping[str, Card], pairs: Iterable[Pair], test: PairedTest
    ) -> tuple[dict[Pair, Difference | str], list[Pair]]:
        """Return why pairs are not tested, and the pairs that can be tested."""
        bare = {name for name, card in cards.items() if not self.holds(card, test)}
        said: dict[Pair, Difference | str] = {}
        testable = []
        for name, base in pairs:
            if lacking := [one for one in (base, name) if one in bare]:
                said[name, base] = f"not tested: the card of {lacking[0]} {self.lacks}"
            elif name != base:
                testable.append((name, base))
        return said, testable


class RatingComparison(CardComparison):
    """The difference of two models' correlations with the same ratings."""

    tested = MEASURES
    needs = ("score", "gold")
    lacks = "holds no scores of rows"

    def holds(self, card: Card, test: PairedTest) -> bool:
        """Test if there are scores and ratings of the group's rows."""
        return super().holds(card, test) and test.group in ("all", *card.groups)

    def differences(
        self, cards: Mapping[str, Card], pairs: Iterable[Pair], test: PairedTest
    ) -> dict[Pair, Difference | str]:
        """Return differences as other comparisons do; ``test`` may be Williams' test."""
        rows = {}
        found, testable = self._testable(cards, pairs, test)
        for name in dict.fromkeys(name for pair in testable for name in pair):
            card = cards[name]
            own = slice(None) if test.group == "all" else list(card.groups[test.group])
            rows[name] = np.array([_column(card, "score"), _column(card, "gold")])[:, own]
        alike: dict[bytes, list[Pair]] = {}
        for name, base in testable:
            missing = np.isnan([rows[name], rows[base]]).any(axis=(0, 1))
            alike.setdefault(missing.tobytes(), []).append((name, base))
        for mask, some in alike.items():
            known = ~np.frombuffer(mask, bool)
            names = dict.fromkeys(name for pair in some for name in pair)
            tables = {name: rows[name][:, known] for name in names}
            found |= _of_ratings(tables, some, test, int((~known).sum()))
        return found


def _of_ratings(
    tables: Mapping[str, AnyArray], pairs: Iterable[Pair], test: PairedTest, missing: int
) -> dict[Pair, Difference | str]:
    """Return the differences of models over the same rows, tables (2, n) of scores and ratings."""
    gold = next(iter(tables.values()))[1]
    values = {name: correlation(table[0], gold, test.measure) for name, table in tables.items()}
    fit = [name for name, value in values.items() if value is not None]
    drawn: dict[str, AnyArray] = {}
    if test.kind == "bootstrap" and fit:
        scores = [tables[name][0] for name in fit]
        resampled = resampled_correlations(scores, gold, [test.measure], test.resamples, test.seed)
        drawn = dict(zip(fit, resampled[test.measure], strict=True))
    found: dict[Pair, Difference | str] = {}
    n = len(gold)
    for name, reference in pairs:
        one, two = values[name], values[reference]
        if one is None or two is None:
            note = "not tested: not defined over the rows that both have scores for"
            found[name, reference] = note
        elif test.kind == "bootstrap":
            apart = drawn[name] - drawn[reference]
            found[name, reference] = difference(one - two, apart, n, missing, test.level)
        else:
            by = williams(tables[name][0], tables[reference][0], gold, test.measure)
            found[name, reference] = Difference(one - two, None, None, n, missing, by.note, by.p)
    return found


@dataclass(frozen=True)
class MeanComparison(CardComparison):
    """The difference of two models' means over items; each measure is a column of the card."""

    tested: tuple[str, ...]

    def holds(self, card: Card, test: PairedTest) -> bool:
        """Test if the card has the column."""
        return test.measure in card.columns

    def difference(self, card: Card, base: Card, test: PairedTest) -> Difference:
        """Return the first card's mean minus the second's."""
        one, two = (
            Column(_column(each, test.measure)[_rows(each, test.group)]) for each in (card, base)
        )
        return paired(one, two, **test.drawing)


class ClassMeasure(NamedTuple):
    """A statistic that separates ``positive`` labels from the others ``among`` those that take part
    (all if empty); ``sign`` is -1 if positive rows should have the lower scores.
    """

    statistic: str
    positive: tuple[str, ...]
    among: tuple[str, ...] = ()
    sign: int = 1


class ClassComparison(CardComparison):
    """The difference of two models' statistics of classification, by measure."""

    needs = ("score",)

    def __init__(self, classes: Mapping[str, ClassMeasure]) -> None:
        self.classes, self.tested = classes, tuple(classes)

    def difference(self, card: Card, base: Card, test: PairedTest) -> Difference:
        """Return the first card's statistic minus the second's."""
        statistic, positive, among, sign = self.classes[test.measure]
        labels = np.array(base.columns["label"])
        rows = _rows(base, test.group)
        rows &= np.isin(labels, among) if among else True
        one, two = (sign * _column(each, "score")[rows] for each in (card, base))
        is_positive = np.isin(labels[rows], positive)
        return paired_classification(one, two, is_positive, statistic, **test.drawing)


def _column(card: Card, name: str) -> Float64Array:
    return np.array([np.nan if value is None else value for value in card.columns[name]], float)


def _rows(card: Card, group: str) -> BoolArray:
    """Mark the rows of a group, (n,); all rows for "all" and for a group without rows."""
    rows = np.zeros(len(next(iter(card.columns.values()))), bool)
    rows[list(card.groups[group]) if group in card.groups else slice(None)] = True
    return rows
