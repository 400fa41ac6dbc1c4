"""A picture of SAGE: the scores of the five parts round a circle, a line a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsem.errors import InputError
from hybridsem.evaluation.report.drawing import COLOURS, NamedCards, refuse_several_tasks
from hybridsem.evaluation.sage.results import SCORE

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def radar(
    parts: Sequence[str],
    cards: NamedCards,
    measure: str | None,
    groups: Sequence[str] | None,
) -> Figure:
    """Draw the parts' scores of cards of ``sage``; a part that is missing leaves a gap.

    Args:
        parts: The names of the parts, in their order round the circle.
        cards: Of ``sage``, with the names that are drawn.
        measure: Always the score.
        groups: Always all parts.

    Raises:
        InputError: A card has no parts.
    """
    from matplotlib.figure import Figure

    refuse_several_tasks(cards)
    drawn = Figure(figsize=(6.4, 4.4), layout="constrained")
    panel: Any = drawn.add_subplot(projection="polar")
    angles = 2 * np.pi * np.arange(len(parts)) / len(parts)
    for place, (name, card) in enumerate(cards):
        found = [card.scores[part][SCORE].value if part in card.scores else None for part in parts]
        if all(value is None for value in found):
            raise InputError(
                f"the card of {name!r} has no part of SAGE; `hybridsem evaluate sage` makes "
                "such cards"
            )
        values = np.array([np.nan if value is None else value for value in found])
        colour = COLOURS[place % len(COLOURS)]
        dashes = "-" if place < len(COLOURS) else "--"
        panel.plot(
            *(np.append(row, row[0]) for row in (angles, values)),
            dashes,
            color=colour,
            label=name,
            linewidth=1.4,
        )
        panel.plot(angles, values, "o", color=colour, markersize=3)
    panel.set_theta_offset(np.pi / 2)
    panel.set_theta_direction(-1)
    panel.set_xticks(angles, list(parts))
    panel.tick_params(axis="x", pad=14)
    panel.set_ylim(0, 1)
    panel.set_yticks([0.2, 0.4, 0.6, 0.8, 1.0])
    panel.set_rlabel_position(180 / len(parts))
    panel.tick_params(axis="y", labelsize=7, labelcolor="#888888")
    panel.spines["polar"].set_color("#888888")
    panel.grid(True)
    drawn.legend(loc="outside right upper", frameon=False)
    return drawn
