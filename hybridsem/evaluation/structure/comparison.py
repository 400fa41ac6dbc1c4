"""Cards of structure benchmarks side by side, over the rows that both models have scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hybridsem._typing import BoolArray, Float64Array
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.statistics import Difference
from hybridsem.evaluation.statistics.classification import paired_classification
from hybridsem.evaluation.statistics.summaries import Column, paired

__all__ = ["ClassComparison", "ClassMeasure", "MeanComparison", "positive_rows"]

_NOT_HELD = "not tested: the card of {} does not hold the values of its rows"


class ClassMeasure(NamedTuple):
    """A statistic of classification over labelled rows.

    ``positive`` are the labels to be told from the others, ``among`` those that take part (all if
    empty); ``sign`` is -1 where positive rows should have the lower scores.
    """

    statistic: str
    positive: tuple[str, ...]
    among: tuple[str, ...] = ()
    sign: int = 1


@dataclass(frozen=True)
class ClassComparison:
    """The difference of two models' areas and best shares, by the names of the measures."""

    classes: Mapping[str, ClassMeasure]

    @property
    def tested(self) -> tuple[str, ...]:
        """The measures that are tested."""
        return tuple(self.classes)

    def prepared(self, cards: Sequence[Card]) -> list[Card]:
        """The cards as they are: all measures are of one scale."""
        return list(cards)

    def differences(
        self,
        cards: Mapping[str, Card],
        reference: str,
        group: str,
        measure: str,
        *,
        resamples: int,
        seed: int,
        level: float,
    ) -> dict[str, Difference | str]:
        """Each model's statistic minus the reference's, by a paired bootstrap over pairs."""
        if "score" not in cards[reference].columns:
            return dict.fromkeys(cards, _NOT_HELD.format(reference))
        statistic, positive, among, sign = self.classes[measure]
        labels = np.array(cards[reference].columns["label"])
        rows = _rows(cards[reference], group, len(labels))
        rows &= np.isin(labels, among) if among else True
        found: dict[str, Difference | str] = {}
        base = sign * _column(cards[reference], "score")[rows]
        for name, card in cards.items():
            if "score" not in card.columns:
                found[name] = _NOT_HELD.format(name)
            elif name != reference:
                own = sign * _column(card, "score")[rows]
                found[name] = paired_classification(
                    own, base, np.isin(labels[rows], positive), statistic, resamples, seed, level
                )
        return found


@dataclass(frozen=True)
class MeanComparison:
    """The difference of two models' means over items; each measure is a column of the card."""

    tested: tuple[str, ...]

    def prepared(self, cards: Sequence[Card]) -> list[Card]:
        """The cards as they are: all measures are of one scale."""
        return list(cards)

    def differences(
        self,
        cards: Mapping[str, Card],
        reference: str,
        group: str,
        measure: str,
        *,
        resamples: int,
        seed: int,
        level: float,
    ) -> dict[str, Difference | str]:
        """Each model's mean minus the reference's, by a paired bootstrap over items."""
        bare = {name for name, card in cards.items() if measure not in card.columns}
        if reference in bare:
            return dict.fromkeys(cards, _NOT_HELD.format(reference))
        columns = {}
        for name, card in cards.items():
            if name not in bare:
                values = _column(card, measure)
                columns[name] = Column(values[_rows(card, group, len(values))])
        found: dict[str, Difference | str] = dict(
            paired(columns, reference, resamples, seed, level)
        )
        return found | {name: _NOT_HELD.format(name) for name in bare}


def positive_rows(labels: Sequence[str], positive: Sequence[str]) -> BoolArray:
    """(n,) whether each label is one of the positive ones."""
    return np.isin(np.array(labels), positive)


def _column(card: Card, name: str) -> Float64Array:
    return np.array([np.nan if value is None else value for value in card.columns[name]], float)


def _rows(card: Card, group: str, count: int) -> BoolArray:
    rows = np.zeros(count, bool)
    rows[list(card.groups[group]) if group in card.groups else slice(None)] = True
    return rows
