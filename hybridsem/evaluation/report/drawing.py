"""What pictures of cards share: style, colours, panels, labels.

matplotlib's figures are used without its global state, and the same cards give the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hybridsem._utils.extras import extra
from hybridsem.errors import InputError
from hybridsem.evaluation.card import Card
from hybridsem.render.wording import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


NamedCards = Sequence[tuple[str, Card]]
"""Cards, each with the name that is drawn for it."""

# Okabe and Ito's colours, told apart by people who see fewer colours too.
BLUE, RED = "#0072b2", "#d55e00"
COLOURS = (BLUE, RED, "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#555555", "#000000")
MARKERS = "osv^D<>p*X"
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
    """The library; :class:`MissingExtraError` names the extra where it is not installed."""
    with extra("matplotlib", "plot"):
        import matplotlib
    return matplotlib


def label(text: str) -> str:
    """A text that is drawn as it is: a dollar sign would begin a formula."""
    return visible(text).replace("$", r"\$")


def panels(
    number: int,
    width: float,
    height: float,
    left: float = 0,
    across: int | None = None,
    share: bool = True,
) -> tuple[Figure, list[Axes]]:
    """A figure of so many panels, in one row or in rows of ``across``.

    Args: width and height of a panel and ``left`` beside the first, for its labels, in inches;
    ``share`` the vertical axis.
    """
    from matplotlib.figure import Figure

    columns = across or number
    rows = math.ceil(number / columns)
    drawn = Figure(
        figsize=(width * columns + left + 0.3, height * rows + 0.2), layout="constrained"
    )
    axes = drawn.subplots(rows, columns, squeeze=False, sharey=share).ravel().tolist()
    for unused in axes[number:]:
        unused.set_visible(False)
    return drawn, axes[:number]


def width_of_names(names: Sequence[str]) -> float:
    """Inches that the longest name takes."""
    return 0.075 * max(map(len, names))


def refuse_several_tasks(cards: NamedCards) -> None:
    """:class:`InputError` for cards of more than one benchmark."""
    tasks = {str(card.task["name"]) for _, card in cards}
    if len(tasks) > 1:
        raise InputError(
            f"this picture is of one benchmark, got cards of {', '.join(sorted(tasks))}"
        )
