"""Pictures of result cards: bars with intervals and heat maps, and the kinds of benchmarks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsem._typing import Plain
from hybridsem._utils.disk import saving
from hybridsem._utils.extras import extra
from hybridsem._utils.tables import read_table
from hybridsem._utils.terminal import visible
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.report.compare import by_column, refuse_different_data, row_names
from hybridsem.evaluation.report.tables import NAMES, Column, figure
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.task import Picture, tasks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


NamedCards = Sequence[tuple[str, Card]]  #: cards with the names to draw

# Okabe and Ito's colours, distinct for colour-blind readers.
BLUE, RED = "#0072b2", "#d55e00"
COLOURS = (BLUE, RED, "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#555555", "#000000")
INK, PALE, SOFT_BLUE, SOFT_RED = "#222222", "#bbbbbb", "#6aaed6", "#f0a378"
ROW = 0.28  # inches that a model's line takes
STYLE: Plain = read_table(__file__)


def matplotlib() -> Any:
    """Return the library; :class:`MissingExtraError` names the extra if it is not installed."""
    with extra("matplotlib", "plot"):
        import matplotlib
    return matplotlib


def label(text: str) -> str:
    """Return a text that is drawn literally: a dollar sign would begin a formula."""
    return visible(text).replace("$", r"\$")


def panels(number: int, width: float, height: float, left: float = 0) -> tuple[Figure, list[Axes]]:
    """Return a figure with panels of that size in inches in a row, with ``left`` for labels."""
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(width * number + left + 0.3, height + 0.2), layout="constrained")
    return drawn, drawn.subplots(1, number, squeeze=False, sharey=True).ravel().tolist()


def width_of_names(names: Sequence[str]) -> float:
    """Return the width of the longest name in inches."""
    return 0.075 * max(map(len, names))


UNDATED = {"png": "Software", "svg": "Date Creator", "pdf": "CreationDate Creator Producer"}


def kinds() -> Mapping[str, Picture]:
    """Return the kinds of pictures by name: those of any cards, then those of benchmarks."""
    own = [picture for task in tasks().values() for picture in task.pictures.items()]
    return {**KINDS, **{name: picture for name, picture in own if name not in KINDS}}


def plot(
    cards: Sequence[Card],
    kind: str = "bars",
    *,
    names: Sequence[str] | None = None,
    measure: str | None = None,
    groups: Sequence[str] | None = None,
) -> Figure:
    """Draw cards: of any tasks as ``bars``, of one task on the same data as another of
    :func:`kinds`.

    Args:
        cards: The cards.
        kind: One of :func:`kinds`.
        names: The names of the cards, one each; None: the models' names.
        measure: The statistic, where the picture shows one; None: the task's headline.
        groups: The groups, where the picture distinguishes them; None: all.
    """
    known = kinds()
    if kind not in known:
        raise UnknownNameError("kind of picture", kind, known)
    if not cards:
        raise InputError("no cards to draw")
    shown = row_names(cards, names)
    refuse_different_data(cards, shown)
    benchmarks = sorted({str(card.task["name"]) for card in cards})
    if kind != "bars" and len(benchmarks) > 1:
        raise InputError(f"this picture is of one benchmark, got cards of {', '.join(benchmarks)}")
    task = tasks().get(str(cards[0].task["name"]))
    picture = known[kind] if task is None else task.pictures.get(kind, known[kind])
    with matplotlib().rc_context(STYLE):
        return picture.draw(list(zip(map(label, shown), cards, strict=True)), measure, groups)


def save(drawn: Figure, path: str | Path) -> None:
    """Write a picture (``.png``, ``.svg`` or ``.pdf``) atomically."""
    layout = Path(path).suffix.lower().removeprefix(".")
    if layout not in UNDATED:
        raise InputError(f"pictures are written as {', '.join(UNDATED)}, got {str(path)!r}")
    undated = dict.fromkeys(UNDATED[layout].split())  # the same picture gives the same bytes
    with matplotlib().rc_context(STYLE), saving(path, "the picture") as part:
        drawn.savefig(part, format=layout, metadata=undated, facecolor="white")


def _bars(cards: NamedCards, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """Draw a panel for each group and a bar for each model, sorted by the first panel's figures."""
    shown = _estimates(cards, measure, groups)
    first = next(iter(shown.values()))
    values = {name: one.value for name, one in first.items() if one.value is not None}
    names = dict.fromkeys(name for name, _ in cards)
    models = sorted(names, key=lambda name: values.get(name, -math.inf))
    several = len({(one.task, one.split, one.data) for one in shown}) > 1
    drawn, axes = panels(len(shown), 2.3, ROW * len(models) + 0.9, width_of_names(models))
    for (column, estimates), panel in zip(shown.items(), axes, strict=True):
        _bar_panel(panel, models, estimates)
        above = [" ".join(filter(None, (column.task, column.split)))] if several else []
        panel.set_title("\n".join(map(label, [*above, column.group])))
        panel.set_xlabel(NAMES.get(column.measure, label(column.measure)))
        panel.tick_params(labelleft=panel is axes[0])
    axes[0].set_yticks(range(len(models)), models)
    return drawn


def _estimates(
    cards: NamedCards, measure: str | None, groups: Sequence[str] | None
) -> dict[Column, dict[str, Estimate]]:
    return {
        column: {name: card.scores[column.group][column.measure] for name, card in own.items()}
        for column, own in by_column(cards, measure, groups).items()
    }


def _bar_panel(panel: Axes, models: Sequence[str], estimates: dict[str, Estimate]) -> None:
    from matplotlib.ticker import MaxNLocator

    figures = (end for one in estimates.values() for end in (one.value, one.low, one.high))
    ends = [end for end in figures if end is not None]
    low, high = min([0, *ends]), max([0, *ends] if ends else [1])
    high = high if low < high else 1
    for place, name in enumerate(models):
        if (one := estimates.get(name)) is None:
            continue
        if one.value is None:
            panel.text(0, place, " undefined", va="center", color="#888888", fontsize=7.5)
            continue
        panel.barh(place, one.value, height=0.66, color=SOFT_BLUE if one.value >= 0 else SOFT_RED)
        if one.low is not None and one.high is not None:
            ends = [one.low, one.high]
            panel.plot(ends, [place, place], color=INK, linewidth=1.2, solid_capstyle="butt")
        panel.text(high + 0.03 * (high - low), place, figure(one.value), va="center", fontsize=7.5)
    panel.axvline(0, color="#888888", linewidth=0.8)
    panel.set_xlim(low - 0.02 * (high - low), high + 0.24 * (high - low))
    panel.set_ylim(-0.6, len(models) - 0.4)
    panel.xaxis.set_major_locator(MaxNLocator(4))
    panel.grid(axis="x")
    panel.tick_params(axis="y", length=0)
    panel.spines["left"].set_visible(False)


def heat(
    cards: NamedCards,
    measure: str | None,
    groups: Sequence[str] | None,
    shows: Callable[[str], bool] = lambda group: True,
) -> Figure:
    """Draw models by groups; darker is greater. ``shows`` selects the default groups."""
    columns = {column.group: own for column, own in _estimates(cards, measure, groups).items()}
    models = [name for name, _ in cards]
    shown = [group for group in columns if groups is not None or shows(group)]
    empty = Estimate(None, None, None, 0)
    table = [[columns[group].get(name, empty).value for group in shown] for name in models]
    values = np.array(table, float)
    known = values[~np.isnan(values)]
    low, high = min(0, known.min(initial=0)), max(1, known.max(initial=1))
    height = ROW * len(models) + 0.1 * max(map(len, shown))
    drawn, [panel] = panels(1, 0.5 * len(shown) + 0.6, height, width_of_names(models))
    panel.imshow(values, cmap="Blues", vmin=low, vmax=high, aspect="auto")
    for (row, place), value in np.ndenumerate(values):
        colour = "white" if (value - low) / (high - low) > 0.55 else INK
        text = "–" if np.isnan(value) else figure(value)
        panel.text(place, row, text, ha="center", va="center", color=colour, fontsize=7.5)
    panel.set_yticks(range(len(models)), models)
    panel.set_xticks(range(len(shown)), [label(group) for group in shown], rotation=45, ha="right")
    panel.tick_params(length=0)
    panel.spines[:].set_visible(False)
    wanted = measure or str(cards[0][1].task["headline"])
    panel.set_title(NAMES.get(wanted, label(wanted)))
    return drawn


#: The pictures of any cards.
KINDS: Mapping[str, Picture] = {
    "bars": Picture("figures with intervals by group", _bars),
    "heat": Picture("models by groups in colour", heat),
}
