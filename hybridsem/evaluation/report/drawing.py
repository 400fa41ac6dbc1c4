"""Shared by pictures of cards: style, colours, panels, labels.

matplotlib is used without its global state, and the same cards give the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hybridsem._utils.extras import extra
from hybridsem.evaluation.card import Card
from hybridsem.render.wording import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


NamedCards = Sequence[tuple[str, Card]]
"""Cards with the names to draw."""

# Okabe and Ito's colours, distinct for colour-blind readers.
BLUE, RED = "#0072b2", "#d55e00"
COLOURS = (BLUE, RED, "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#555555", "#000000")
INK, PALE, SOFT_BLUE, SOFT_RED = "#222222", "#bbbbbb", "#6aaed6", "#f0a378"
ROW = 0.28  # inches that a model's line takes
STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so every machine draws the same
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.edgecolor": "#888888",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#e6e6e6",
    "svg.hashsalt": "hybridsem",
    "figure.dpi": 100,
    "savefig.dpi": 160,
}


def matplotlib() -> Any:
    """Return the library; :class:`MissingExtraError` names the extra if it is not installed."""
    with extra("matplotlib", "plot"):
        import matplotlib
    return matplotlib


def label(text: str) -> str:
    """Return a text that is drawn literally: a dollar sign would begin a formula."""
    return visible(text).replace("$", r"\$")


def panels(
    number: int,
    width: float,
    height: float,
    left: float = 0,
    across: int | None = None,
    share: bool = True,
) -> tuple[Figure, list[Axes]]:
    """Return a figure with panels of that size, in one row or in rows of ``across``, in inches."""
    from matplotlib.figure import Figure

    columns = across or number
    rows = math.ceil(number / columns)
    size = width * columns + left + 0.3, height * rows + 0.2
    drawn = Figure(figsize=size, layout="constrained")
    axes = drawn.subplots(rows, columns, squeeze=False, sharey=share).ravel().tolist()
    for unused in axes[number:]:
        unused.set_visible(False)
    return drawn, axes[:number]


def width_of_names(names: Sequence[str]) -> float:
    """Return the width of the longest name in inches."""
    return 0.075 * max(map(len, names))
