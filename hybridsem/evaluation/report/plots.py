"""The field's pictures of result cards: bars with intervals, heat maps, the adversarial gap, scores
against ratings, pair types.

matplotlib's figures are used without its global state, and the same cards give the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsem._typing import AnyArray
from hybridsem._utils.disk import saving
from hybridsem._utils.extras import extra
from hybridsem.datasets.analogies import MICRO
from hybridsem.datasets.pair_types import MODIFIERS, type_name
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.report.compare import Column, columns_of, refuse_different_data
from hybridsem.evaluation.report.tables import NAMES, figure
from hybridsem.evaluation.statistics import Estimate
from hybridsem.render.wording import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["FORMATS", "KINDS", "RADAR", "SET_OPERATIONS", "plot", "save"]

FORMATS = ("png", "svg", "pdf")
NON_ADVERSARIAL, ADVERSARIAL = "non-adversarial", "adversarial"

# Okabe and Ito's colours, told apart by people who see fewer colours too.
BLUE, RED = "#0072b2", "#d55e00"
COLOURS = (BLUE, RED, "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#555555")
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
UNDATED: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def plot(
    cards: Sequence[Card],
    kind: str = "bars",
    *,
    names: Sequence[str] | None = None,
    measure: str | None = None,
    groups: Sequence[str] | None = None,
) -> Figure:
    """Draw cards.

    Args:
        cards: Of any tasks for ``bars``; of one task on the same data for the others.
        kind: One of KINDS or SET_OPERATIONS, or RADAR.
        names: What the cards are called, one a card; the models' names if not given.
        measure: Which statistic (``bars``, ``heat`` and ``gap``); if not given, the one that the
            task's papers report.
        groups: Which groups (``bars``, ``heat`` and ``scatter``); all if not given.

    Raises:
        InputError: Cards that do not hold what the picture needs, or that were made from different
            data.
        MissingExtraError: matplotlib is not installed.
    """
    drawers = (
        KINDS | dict.fromkeys(SET_OPERATIONS, partial(_of_set_operations, kind)) | {RADAR: _radar}
    )
    if kind not in drawers:
        raise UnknownNameError("kind of picture", kind, drawers)
    if not cards:
        raise InputError("no cards to draw")
    called = list(names) if names is not None else [card.name for card in cards]
    refuse_different_data(cards, called)
    with _matplotlib().rc_context(STYLE):
        named = list(zip(map(_label, called), cards, strict=True))
        return drawers[kind](named, measure, groups)


def save(drawn: Figure, path: str | Path) -> None:
    """Write a picture as png, svg or pdf, by the file's ending; it appears under its name only when
    it is whole.
    """
    layout = Path(path).suffix.lower().removeprefix(".")
    if layout not in FORMATS:
        raise InputError(f"pictures are written as {', '.join(FORMATS)}, got {str(path)!r}")
    with _matplotlib().rc_context(STYLE), saving(path, "the picture") as part:
        drawn.savefig(part, format=layout, metadata=UNDATED[layout], facecolor="white")


def _matplotlib() -> Any:
    with extra("matplotlib", "plot"):
        import matplotlib
    return matplotlib


def _label(text: str) -> str:
    """A text that is drawn as it is: a dollar sign would begin a formula."""
    return visible(text).replace("$", r"\$")


Named = list[tuple[str, Card]]


def _bars(cards: Named, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """A panel a group, a bar a model, in the order of the first panel's figures."""
    panels: dict[Column, dict[str, Estimate]] = {}
    for name, card in cards:
        for column in columns_of(card, measure, groups):
            if name in panels.setdefault(column, {}):
                raise InputError(f"two cards of {name!r} on the same data; leave one out")
            panels[column][name] = card.scores[column.group][column.measure]
    if not panels:
        raise InputError(
            f"no card has {measure or 'its headline measure'} in "
            f"{', '.join(groups or ('any group',))}"
        )
    first = next(iter(panels.values()))

    def place(name: str) -> float:
        value = first[name].value if name in first else None
        return -math.inf if value is None else value

    models = sorted(dict.fromkeys(name for name, _ in cards), key=place)
    drawn, axes = _figure(
        len(panels), width=2.3, height=ROW * len(models) + 0.9, left=_longest(models)
    )
    for (column, estimates), panel in zip(panels.items(), axes, strict=True):
        _bar_panel(panel, models, estimates)
        panel.set_title(_title(column, list(panels)))
        panel.set_xlabel(NAMES.get(column.measure, _label(column.measure)))
        panel.tick_params(labelleft=panel is axes[0])
    axes[0].set_yticks(range(len(models)), models)
    return drawn


def _bar_panel(panel: Axes, models: Sequence[str], estimates: dict[str, Estimate]) -> None:
    found = [
        bound
        for one in estimates.values()
        for bound in (one.value, one.low, one.high)
        if bound is not None
    ]
    low, high = min(found, default=0), max(found, default=1)
    low, high = min(low, 0), max(high, 0)
    high = high if low < high else 1
    for place, name in enumerate(models):
        if (one := estimates.get(name)) is None:
            continue
        if one.value is None:
            panel.text(0, place, " undefined", va="center", color="#888888", fontsize=7.5)
            continue
        panel.barh(place, one.value, height=0.66, color=SOFT_BLUE if one.value >= 0 else SOFT_RED)
        if one.low is not None and one.high is not None:
            panel.plot(
                [one.low, one.high], [place, place], color=INK, linewidth=1.2, solid_capstyle="butt"
            )
        panel.text(high + 0.03 * (high - low), place, figure(one.value), va="center", fontsize=7.5)
    panel.axvline(0, color="#888888", linewidth=0.8)
    panel.set_xlim(low - 0.02 * (high - low), high + 0.24 * (high - low))
    panel.set_ylim(-0.6, len(models) - 0.4)
    panel.xaxis.set_major_locator(_matplotlib_ticks(4))
    panel.grid(axis="x")
    panel.tick_params(axis="y", length=0)
    panel.spines["left"].set_visible(False)


def _gap(cards: Named, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """For each model the correlations over non-adversarial and adversarial pairs, joined by the gap
    between them.
    """
    _one_task(cards)
    wanted = measure or str(cards[0][1].task["headline"])
    found: list[tuple[str, list[tuple[float, Estimate]]]] = []
    for name, card in cards:
        both = [card.scores.get(group, {}).get(wanted) for group in (NON_ADVERSARIAL, ADVERSARIAL)]
        if None in both:
            raise InputError(
                f"the card of {name!r} has no groups {NON_ADVERSARIAL} and {ADVERSARIAL} with "
                f"{wanted}"
            )
        defined = [(one.value, one) for one in both if one is not None and one.value is not None]
        if len(defined) < 2:
            raise InputError(f"the gap of {name!r} is undefined: a correlation is")
        found.append((name, defined))
    found.sort(key=lambda item: item[1][1][0])  # the best over adversarial pairs on top
    models = [name for name, _ in found]
    drawn, [panel] = _figure(1, width=6, height=ROW * len(models) + 1.2, left=_longest(models))
    for place, (_, pair) in enumerate(found):
        (one, _), (two, _) = pair
        panel.plot([one, two], [place, place], color=PALE, linewidth=3, zorder=1)
        for (value, estimate), colour in zip(pair, (BLUE, RED), strict=True):
            if estimate.low is not None and estimate.high is not None:
                panel.plot(
                    [estimate.low, estimate.high],
                    [place, place],
                    color=colour,
                    linewidth=1.2,
                    zorder=2,
                )
            panel.plot(value, place, "o", color=colour, markersize=6, zorder=3)
        panel.text(
            1.02,
            place,
            figure(one - two),
            va="center",
            fontsize=8,
            transform=panel.get_yaxis_transform(),
        )
    panel.text(
        1.02,
        len(models) - 0.4,
        "gap",
        fontsize=8,
        weight="bold",
        transform=panel.get_yaxis_transform(),
    )
    for colour, name in ((BLUE, NON_ADVERSARIAL), (RED, ADVERSARIAL)):
        panel.plot([], [], "o-", color=colour, label=name)
    drawn.legend(loc="outside upper center", ncols=2, frameon=False)
    panel.axvline(0, color="#888888", linewidth=0.8)
    panel.set_yticks(range(len(models)), models)
    panel.set_ylim(-0.6, len(models) - 0.4)
    panel.set_xlabel(f"{NAMES.get(wanted, _label(wanted))} with the ratings")
    panel.grid(axis="x")
    panel.tick_params(axis="y", length=0)
    return drawn


def _scatter(cards: Named, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """Scores against ratings, a panel a card, coloured by group."""
    _one_task(cards)
    known = [*cards[0][1].groups, "all"]
    chosen = list(groups) if groups is not None else known[:-1] or known
    for group in chosen:
        if group not in known:
            raise UnknownNameError("group", group, known)
    drawn, axes = _figure(len(cards), width=2.6, height=2.5, across=min(3, len(cards)), share=False)
    dots: dict[str, Any] = {"linestyle": "none", "marker": ".", "markeredgewidth": 0}
    for (name, card), panel in zip(cards, axes, strict=True):
        scores, gold = (_column(name, card, wanted) for wanted in ("score", "gold"))
        pale = max(0.12, min(0.6, 250 / len(gold)))
        for group, colour in zip(chosen, cycle(COLOURS), strict=False):
            rows = slice(None) if group == "all" else np.array(card.groups[group], int)
            panel.plot(
                gold[rows],
                scores[rows],
                color=colour,
                alpha=pale,
                markersize=4,
                rasterized=True,
                **dots,
            )
        rho = card.headline.get("all")
        panel.set_title(name + (f"  {figure(rho.value)}" if rho is not None else ""), fontsize=8)
        panel.grid()
    if len(chosen) > 1:
        for group, colour in zip(chosen, cycle(COLOURS), strict=False):
            axes[0].plot([], [], color=colour, label=_label(group), markersize=8, **dots)
        drawn.legend(loc="outside upper center", ncols=len(chosen), frameon=False)
    drawn.supxlabel("rating", fontsize=9)
    drawn.supylabel("score", fontsize=9)
    return drawn


def _types(cards: Named, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """Mean scores by kind of pair beside the mean ratings, each divided by its mean over the kind
    "modifiers".
    """
    _one_task(cards)
    if any("type" not in card.columns for _, card in cards):
        raise InputError(
            "a card has no types of pairs; they come from a column or a file of types beside "
            "the data"
        )
    labels = [
        np.array([type_name(str(label or "")) for label in card.columns["type"]])
        for _, card in cards
    ]
    kinds = sorted(set(labels[0]) - {""})
    if MODIFIERS not in kinds or len(kinds) < 2:
        raise InputError(
            f"the picture divides by the mean of the type {MODIFIERS!r}, got the types "
            f"{', '.join(kinds)}"
        )
    human = _means(_column(cards[0][0], cards[0][1], "gold"), labels[0], kinds)
    kinds.sort(key=lambda kind: human[kind])
    drawn, [panel] = _figure(1, width=6, height=ROW * 1.2 * len(kinds) + 1.0, left=_longest(kinds))
    places = np.arange(len(kinds))
    panel.barh(places, [human[kind] for kind in kinds], height=0.7, color="#dddddd", label="people")
    for place, ((name, card), label) in enumerate(zip(cards, labels, strict=True)):
        mean = _means(_column(name, card, "score"), label, kinds)
        panel.plot(
            [mean[kind] for kind in kinds],
            places + (place - (len(cards) - 1) / 2) * min(0.08, 0.6 / len(cards)),
            MARKERS[place % len(MARKERS)],
            color=COLOURS[place % len(COLOURS)],
            markersize=5,
            label=name,
        )
    panel.set_yticks(places, [_label(kind) for kind in kinds])
    panel.axvline(1, color="#888888", linewidth=0.8)
    panel.set_xlabel(f"mean, as a ratio to the mean of {MODIFIERS}")
    panel.grid(axis="x")
    panel.tick_params(axis="y", length=0)
    drawn.legend(loc="outside right upper", frameon=False)
    return drawn


def _heat(cards: Named, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """Models by groups, the darker the greater; sums over questions (micro) only where they are
    asked for.
    """
    _one_task(cards)
    cells = {
        (name, column.group): card.scores[column.group][column.measure].value
        for name, card in cards
        for column in columns_of(card, measure, groups)
        if groups is not None or not column.group.endswith(MICRO)
    }
    if not cells:
        raise InputError(
            f"no card has {measure or 'its headline measure'} in "
            f"{', '.join(groups or ('any group',))}"
        )
    models, shown = (list(dict.fromkeys(names)) for names in zip(*cells, strict=True))
    values = np.array([[cells.get((model, group)) for group in shown] for model in models], float)
    known = values[~np.isnan(values)]
    low, high = min(0, known.min(initial=0)), max(1, known.max(initial=1))
    drawn, [panel] = _figure(
        1, 0.5 * len(shown) + 0.6, ROW * len(models) + 0.1 * max(map(len, shown)), _longest(models)
    )
    panel.imshow(values, cmap="Blues", vmin=low, vmax=high, aspect="auto")
    for (row, place), value in np.ndenumerate(values):
        colour = "white" if (value - low) / (high - low) > 0.55 else INK
        text = "–" if np.isnan(value) else figure(value)
        panel.text(place, row, text, ha="center", va="center", color=colour, fontsize=7.5)
    panel.set_yticks(range(len(models)), models)
    panel.set_xticks(range(len(shown)), [_label(group) for group in shown], rotation=45, ha="right")
    panel.tick_params(length=0)
    panel.spines[:].set_visible(False)
    wanted = measure or str(cards[0][1].task["headline"])
    panel.set_title(NAMES.get(wanted, _label(wanted)))
    return drawn


def _radar(cards: Named, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """The parts of SAGE round a circle."""
    from matplotlib.figure import Figure

    from hybridsem.evaluation.sage.pictures import radar

    _one_task(cards)
    drawn = Figure(figsize=(6.4, 4.4), layout="constrained")
    radar(cards, drawn, COLOURS)
    drawn.legend(loc="outside right upper", frameon=False)
    return drawn


def _of_set_operations(
    kind: str, cards: Named, measure: str | None, groups: Sequence[str] | None
) -> Figure:
    """A panel an operator (``angles``) or a criterion (``epsilon``)."""
    from hybridsem.evaluation.setops import pictures

    _one_task(cards)
    drawers = pictures.angle_panels(cards) if kind == "angles" else pictures.epsilon_panels(cards)
    chosen = [draw for name, draw in drawers.items() if groups is None or name in groups]
    if not chosen:
        raise UnknownNameError("group", (groups or ("",))[0], drawers)
    drawn, axes = _figure(len(chosen), width=2.8, height=2.4)
    for draw, panel in zip(chosen, axes, strict=True):
        draw(panel, COLOURS)
    axes[0].set_ylabel("share of samples")
    drawn.legend(
        *axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False
    )
    return drawn


KINDS: dict[str, Callable[[Named, str | None, Sequence[str] | None], Figure]] = {
    "bars": _bars,
    "gap": _gap,
    "scatter": _scatter,
    "types": _types,
    "heat": _heat,
}
"""What can be drawn of figures, ratings and scores."""

SET_OPERATIONS = ("angles", "epsilon")
"""What can be drawn of set operations."""

RADAR = "radar"
"""What can be drawn of all parts of SAGE."""


def _figure(
    panels: int,
    width: float,
    height: float,
    left: float = 0,
    across: int | None = None,
    share: bool = True,
) -> tuple[Figure, list[Axes]]:
    """A figure of panels of this size in inches, in one row or in rows of ``across``."""
    from matplotlib.figure import Figure

    columns = across or panels
    rows = math.ceil(panels / columns)
    drawn = Figure(
        figsize=(width * columns + left + 0.3, height * rows + 0.2), layout="constrained"
    )
    axes = drawn.subplots(rows, columns, squeeze=False, sharey=share).ravel().tolist()
    for unused in axes[panels:]:
        unused.set_visible(False)
    return drawn, axes[:panels]


def _longest(names: Sequence[str]) -> float:
    """Inches that the longest name takes."""
    return 0.075 * max(map(len, names))


def _matplotlib_ticks(count: int) -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(count)


def _title(column: Column, columns: Sequence[Column]) -> str:
    """The group, under the benchmark where there are several."""
    several = len({(one.task, one.split, one.data) for one in columns}) > 1
    above = [" ".join(filter(None, (column.task, column.split)))] if several else []
    return "\n".join(map(_label, [*above, column.group]))


def _one_task(cards: Named) -> None:
    tasks = {str(card.task["name"]) for _, card in cards}
    if len(tasks) > 1:
        raise InputError(
            f"this picture is of one benchmark, got cards of {', '.join(sorted(tasks))}"
        )


def _column(name: str, card: Card, wanted: str) -> AnyArray:
    if wanted not in card.columns:
        raise InputError(f"the card of {name!r} holds no {wanted} of single rows")
    return np.array(card.columns[wanted], float)


def _means(values: AnyArray, labels: AnyArray, kinds: Sequence[str]) -> dict[str, float]:
    """The mean by kind, missing values left out, as a ratio to that of the modifiers."""
    means = {}
    for kind in (MODIFIERS, *kinds):
        chosen = values[(labels == kind) & ~np.isnan(values)]
        means[kind] = float(chosen.mean()) if len(chosen) else math.nan
    return {kind: mean / means[MODIFIERS] for kind, mean in means.items()}
