"""Cards of set operations side by side: one grid of ε for all, from their samples' values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.errors import InputError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.comparison import CardComparison, PairedTest
from hybridsem.evaluation.setops import criteria
from hybridsem.evaluation.setops.criteria import SATISFIED, Group
from hybridsem.evaluation.statistics import Difference
from hybridsem.evaluation.statistics.summaries import Column, paired, summaries


class OnCommonGrid(CardComparison):
    """The paper's comparison: ε from the least to the greatest difference of all models."""

    tested = (SATISFIED,)
    lacks = "holds no values of samples"

    def prepared(self, cards: Sequence[Card]) -> list[Card]:
        """The cards with the statistics that depend on ε computed anew on the common range; one
        without the values of its samples stays where its range is the common one already. Raises
        :class:`InputError` for any other such card, and for cards with different θ.
        """
        if len({card.settings["theta"] for card in cards}) > 1:
            told = ", ".join(f"{card.name!r} with {card.settings['theta']}" for card in cards)
            raise InputError(f"these cards have different theta, so C5 cannot be compared: {told}")
        ranges: dict[str, list[Any]] = {}
        for card in cards:
            for name, own in card.settings["epsilon"].items():
                ranges.setdefault(name, []).append(own)
        common = {name: criteria.common(given) for name, given in ranges.items()}
        return [self._on(card, common) for card in cards]

    def _on(self, card: Card, common: Mapping[str, list[criteria.Range]]) -> Card:
        given = card.settings["epsilon"]
        own = {name: [tuple(one) for one in found] for name, found in given.items()}
        wanted = {name: common[name] for name in own}
        if own == wanted:
            return card
        if not card.columns:
            raise InputError(
                f"the card of {card.name!r} holds no values of samples, so it cannot be put on "
                "the common range of ε; "
                "evaluate each model with the same epsilon_range (--epsilon-range)"
            )
        scores = {name: dict(found) for name, found in card.scores.items()}
        drawing = [card.settings[name] for name in ("resamples", "seed", "level")]
        for group in groups_of(card):
            if own.get(group.name) != wanted.get(group.name):
                scores[group.name] = summaries(_values(card, group, wanted), *drawing)
        settings = {**card.settings, "epsilon": criteria.plain(wanted)}
        return replace(card, scores=scores, settings=settings)

    def holds(self, card: Card, test: PairedTest) -> bool:
        """Whether there are values of the group's samples."""
        return bool(card.columns) and any(own.name == test.group for own in groups_of(card))

    def difference(self, card: Card, base: Card, test: PairedTest) -> Difference:
        """The first card's share minus the second's, over samples."""
        one, two = (
            _values(each, own, each.settings["epsilon"])[test.measure]
            for each in (card, base)
            for own in groups_of(each)
            if own.name == test.group
        )
        return paired(one, two, **test.drawing)


def groups_of(card: Card) -> list[Group]:
    """The criteria, by measure, that a card has statistics of."""
    planes = any(name not in card.settings["epsilon"] for name in card.scores)
    found = criteria.groups(card.settings["measures"], [*card.groups], planes)
    return [group for group in found if group.name in card.scores]


def _values(card: Card, group: Group, epsilon: Mapping[str, Any]) -> dict[str, Column]:
    columns = columns_of(card, group.criterion.operator)
    set_by = card.settings
    middle = set_by.get("theta_middle", criteria.MIDDLE)  # cards of 0.1.0 have none
    return criteria.values(group, columns, epsilon.get(group.name, ()), set_by["theta"], middle)


def columns_of(card: Card, operator: str) -> dict[str, Float64Array]:
    """The values of an operator's samples, NaN where missing."""
    rows = np.array(card.groups[operator], int)
    return {name: np.array(column, float)[rows] for name, column in card.columns.items()}
