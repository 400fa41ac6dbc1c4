"""Pictures of set operations: where targets lie between A and B, and shares that reach ε."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.datasets.set_operations import OPERATORS, UNION
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.report.drawing import COLOURS, NamedCards, panels
from hybridsem.evaluation.setops import criteria
from hybridsem.evaluation.setops.criteria import GRID, Group, OnCommonGrid, columns_of, groups_of
from hybridsem.evaluation.task import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


BINS = np.linspace(0, 4, 81)
"""Bins of angles in units of that between A and B; greater angles go into the last."""

RATIOS = np.linspace(0.5, 2, 61)
"""Bins of ‖A‖/‖B‖; values outside go into the first and the last."""

Panel = Callable[[Any], None]
"""A function that draws into axes."""


def _draw(
    panels_of: Callable[[NamedCards], Mapping[str, Panel]],
    cards: NamedCards,
    measure: str | None,
    groups: Sequence[str] | None,
) -> Figure:
    """Draw a panel for each operator or criterion, for the cards' first measure."""
    known = panels_of(cards)
    chosen = [draw for name, draw in known.items() if groups is None or name in groups]
    if not chosen:
        raise UnknownNameError("group", (groups or ("",))[0], known)
    drawn, axes = panels(len(chosen), width=2.8, height=2.4)
    for draw, panel in zip(chosen, axes, strict=True):
        draw(panel)
    axes[0].set_ylabel("share of samples")
    drawn.legend(
        *axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False
    )
    return drawn


def _angle_panels(cards: NamedCards) -> dict[str, Panel]:
    """Return the panels by operator; :class:`InputError` if the cards share none with angles."""
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


def _epsilon_panels(cards: NamedCards) -> dict[str, Panel]:
    """Return the first measure's panels by criterion; :class:`InputError` without any."""
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


def _norm_panels(cards: NamedCards) -> dict[str, Panel]:
    """Return the panel of unions; :class:`InputError` if a card has no norm ratios."""
    if not all(UNION in card.groups and "norm ratio" in card.columns for _, card in cards):
        raise InputError("a card holds no norm ratios of unions; they come with vectors")
    return {UNION: partial(_norms, cards)}


def _norms(cards: NamedCards, panel: Axes) -> None:
    """Draw the lengths of A over those of B (Figure 6)."""
    _shares(cards, UNION, "norm ratio", RATIOS, panel)
    panel.axvline(1, color="#888888", linewidth=0.8)
    panel.set_xlabel("length of A, over that of B")


def _shares(cards: NamedCards, operator: str, column: str, bins: Float64Array, panel: Axes) -> None:
    """Draw the shares of a column's values in bins."""
    for place, (name, card) in enumerate(cards):
        values = columns_of(card, operator)[column]
        values = np.clip(values[~np.isnan(values)], bins[0], bins[-1])
        shares = np.histogram(values, bins)[0] / max(1, len(values))
        colour = COLOURS[place % len(COLOURS)]
        panel.stairs(shares, bins, color=colour, label=name, linewidth=1.3)
    panel.set_title(operator)
    panel.grid(axis="y")


def _angles(cards: NamedCards, operator: str, panel: Axes) -> None:
    """Draw the angles between B and the projected target, in units of that between A and B."""
    _shares(cards, operator, "angle to B", BINS, panel)
    for where, letter in ((0, "B"), (1, "A")):
        panel.axvline(where, color="#888888", linewidth=0.8)
        panel.text(
            where, 1.0, f" {letter}", transform=panel.get_xaxis_transform(), va="top", fontsize=8
        )
    panel.set_xlabel("angle to B, over the angle of A and B")


def _epsilon(cards: NamedCards, group: Group, panel: Axes) -> None:
    """Draw the share of samples whose differences all reach ε, over the range of all cards."""
    prepared = OnCommonGrid().prepared([card for _, card in cards])
    limits = prepared[0].settings["epsilon"][group.name]
    grid = np.linspace(min(low for low, _ in limits), max(high for _, high in limits), GRID)
    for place, (name, card) in enumerate(cards):
        apart = criteria.differences(group, columns_of(card, group.criterion.operator))
        least = np.min(apart, axis=0)
        least = np.sort(least[~np.isnan(least)])
        shares = 1 - np.searchsorted(least, grid) / max(1, len(least))
        panel.plot(grid, shares, color=COLOURS[place % len(COLOURS)], label=name, linewidth=1.3)
    panel.axvline(0, color="#888888", linewidth=0.8)
    panel.set_title(group.name)
    panel.set_xlabel("ε, the same for both" if len(limits) > 1 else "ε")
    panel.grid()


PICTURES: Mapping[str, Picture] = {
    "angles": Picture(
        "set operations: where targets lie between A and B", partial(_draw, _angle_panels)
    ),
    "norms": Picture(
        "set operations: the lengths of A over those of B in unions", partial(_draw, _norm_panels)
    ),
    "epsilon": Picture(
        "set operations: the shares of samples that reach each ε", partial(_draw, _epsilon_panels)
    ),
}
