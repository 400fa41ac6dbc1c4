"""Pictures of set operations: where targets lie between A and B, and the shares that reach each
ε.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsem.datasets.set_operations import OPERATORS
from hybridsem.errors import InputError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.setops import criteria
from hybridsem.evaluation.setops.criteria import GRID, Group
from hybridsem.evaluation.setops.epsilon_grid import OnCommonGrid, columns_of, groups_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["angle_panels", "epsilon_panels"]

BINS = np.linspace(0, 4, 81)
"""Of angles in units of that between A and B; what is beyond goes into the last."""

Named = Sequence[tuple[str, Card]]
Panel = Callable[[Any, Sequence[str]], None]
"""What draws into axes, with these colours."""


def angle_panels(cards: Named) -> dict[str, Panel]:
    """The panels by operator; :class:`InputError` where there is no operator that all cards have
    angles of.
    """
    found = [
        name
        for name in OPERATORS
        if all(name in card.groups and "angle to B" in card.columns for _, card in cards)
    ]
    if not found:
        raise InputError(
            "no operator for which all cards hold angles of samples; they come with vectors"
        )
    return {name: partial(_angles, cards, name) for name in found}


def epsilon_panels(cards: Named) -> dict[str, Panel]:
    """The panels by criterion, of the first measure; :class:`InputError` where no criterion is in
    all cards.
    """
    if any("epsilon" not in card.settings or not card.columns for _, card in cards):
        raise InputError(
            "a card holds no values of samples of set operations, so there is nothing to draw "
            "against ε"
        )
    first = [
        group
        for group in groups_of(cards[0][1])
        if group.criterion.compared and "," not in group.name
    ]
    found = [group for group in first if all(group.name in card.scores for _, card in cards)]
    if not found:
        raise InputError("no criterion with an ε that all cards have")
    return {group.name: partial(_epsilon, cards, group) for group in found}


def _angles(cards: Named, operator: str, panel: Axes, colours: Sequence[str]) -> None:
    """The distribution of the angle between B and the projected target, in units of that between A
    and B.
    """
    for place, (name, card) in enumerate(cards):
        values = columns_of(card, operator)["angle to B"]
        values = np.minimum(values[~np.isnan(values)], BINS[-1])
        shares, _ = np.histogram(values, BINS)
        panel.stairs(
            shares / max(1, len(values)),
            BINS,
            color=colours[place % len(colours)],
            label=name,
            linewidth=1.3,
        )
    for where, letter in ((0, "B"), (1, "A")):
        panel.axvline(where, color="#888888", linewidth=0.8)
        panel.text(
            where, 1.0, f" {letter}", transform=panel.get_xaxis_transform(), va="top", fontsize=8
        )
    panel.set_title(operator)
    panel.set_xlabel("angle to B, over the angle of A and B")
    panel.grid(axis="y")


def _epsilon(cards: Named, group: Group, panel: Axes, colours: Sequence[str]) -> None:
    """The share of samples for which all differences reach ε, from the least to the greatest of all
    cards' ranges.
    """
    prepared = OnCommonGrid().prepared([card for _, card in cards])
    limits = prepared[0].settings["epsilon"][group.name]
    grid = np.linspace(min(low for low, _ in limits), max(high for _, high in limits), GRID)
    for place, (name, card) in enumerate(cards):
        apart = criteria.differences(group, columns_of(card, group.criterion.operator))
        least = np.min(apart, axis=0)
        least = np.sort(least[~np.isnan(least)])
        shares = 1 - np.searchsorted(least, grid) / max(1, len(least))
        panel.plot(grid, shares, color=colours[place % len(colours)], label=name, linewidth=1.3)
    panel.axvline(0, color="#888888", linewidth=0.8)
    panel.set_title(group.name)
    panel.set_xlabel("ε, the same for both" if len(limits) > 1 else "ε")
    panel.grid()
