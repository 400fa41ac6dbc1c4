"""Pictures of sentence similarity: the adversarial gap, scores against ratings, kinds of pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsem._typing import AnyArray
from hybridsem.datasets.pair_types import MODIFIERS, figure8_kind, type_name
from hybridsem.datasets.sts_files import ADVERSARIAL, NON_ADVERSARIAL
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.report.drawing import (
    BLUE,
    COLOURS,
    MARKERS,
    PALE,
    RED,
    ROW,
    NamedCards,
    label,
    panels,
    width_of_names,
)
from hybridsem.evaluation.report.tables import NAMES, figure
from hybridsem.evaluation.statistics import Estimate
from hybridsem.evaluation.task import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _gap(cards: NamedCards, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """Draw each model's correlations over non-adversarial and adversarial pairs, and their gap."""
    wanted = measure or str(cards[0][1].task["headline"])
    found: list[tuple[str, list[tuple[float, Estimate]]]] = []
    for name, card in cards:
        both = [card.scores.get(group, {}).get(wanted) for group in (NON_ADVERSARIAL, ADVERSARIAL)]
        if None in both:
            both_named = f"{NON_ADVERSARIAL} and {ADVERSARIAL} with {wanted}"
            raise InputError(f"the card of {name!r} has no groups {both_named}")
        defined = [(one.value, one) for one in both if one is not None and one.value is not None]
        if len(defined) < 2:
            raise InputError(f"the gap of {name!r} is undefined: a correlation is")
        found.append((name, defined))
    found.sort(key=lambda item: item[1][1][0])  # the best over adversarial pairs on top
    models = [name for name, _ in found]
    drawn, [panel] = panels(1, width=6, height=ROW * len(models) + 1.2, left=width_of_names(models))
    beside = panel.get_yaxis_transform()
    for place, (_, pair) in enumerate(found):
        (one, _), (two, _) = pair
        panel.plot([one, two], [place, place], color=PALE, linewidth=3, zorder=1)
        for (value, estimate), colour in zip(pair, (BLUE, RED), strict=True):
            if estimate.low is not None and estimate.high is not None:
                ends, line = [estimate.low, estimate.high], [place, place]
                panel.plot(ends, line, color=colour, linewidth=1.2, zorder=2)
            panel.plot(value, place, "o", color=colour, markersize=6, zorder=3)
        panel.text(1.02, place, figure(one - two), va="center", fontsize=8, transform=beside)
    panel.text(1.02, len(models) - 0.4, "gap", fontsize=8, weight="bold", transform=beside)
    for colour, name in ((BLUE, NON_ADVERSARIAL), (RED, ADVERSARIAL)):
        panel.plot([], [], "o-", color=colour, label=name)
    drawn.legend(loc="outside upper center", ncols=2, frameon=False)
    panel.axvline(0, color="#888888", linewidth=0.8)
    panel.set_yticks(range(len(models)), models)
    panel.set_ylim(-0.6, len(models) - 0.4)
    panel.set_xlabel(f"{NAMES.get(wanted, label(wanted))} with the ratings")
    panel.grid(axis="x")
    panel.tick_params(axis="y", length=0)
    return drawn


def _scatter(cards: NamedCards, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """Draw scores against ratings, a panel for each card, coloured by group."""
    known = [*cards[0][1].groups, "all"]
    chosen = list(groups) if groups is not None else known[:-1] or known
    for group in chosen:
        if group not in known:
            raise UnknownNameError("group", group, known)

    def rows(card: Card, group: str) -> Any:
        return slice(None) if group == "all" else np.array(card.groups[group], int)

    own = {name: [rows(card, group) for group in chosen] for name, card in cards}
    return _dots(cards, own, chosen)


def _scatter_types(cards: NamedCards, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """Draw scores against ratings, coloured by the eight kinds of Figure 8, or by all kinds."""
    labels = {name: _labels(name, card) for name, card in cards}
    of = figure8_kind if any(map(figure8_kind, labels[cards[0][0]])) else type_name
    kinds = {name: np.array([of(label) for label in own]) for name, own in labels.items()}
    known = list(dict.fromkeys(str(kind) for kind in kinds[cards[0][0]] if kind))
    chosen = list(groups) if groups is not None else known
    for kind in chosen:
        if kind not in known:
            raise UnknownNameError("kind of pair", kind, known)
    rows = {name: [np.flatnonzero(own == kind) for kind in chosen] for name, own in kinds.items()}
    return _dots(cards, rows, chosen)


def _dots(
    cards: NamedCards, rows: Mapping[str, Sequence[Any]], colours_of: Sequence[str]
) -> Figure:
    """Draw a panel for each card; ``rows`` are those of each colour, by the card's name."""
    drawn, axes = panels(len(cards), width=2.6, height=2.5, across=min(3, len(cards)), share=False)
    dots: dict[str, Any] = {"linestyle": "none", "marker": ".", "markeredgewidth": 0}
    for (name, card), panel in zip(cards, axes, strict=True):
        scores, gold = (_column(name, card, wanted) for wanted in ("score", "gold"))
        pale = max(0.12, min(0.6, 250 / len(gold)))
        for places, colour in zip(rows[name], cycle(COLOURS), strict=False):
            drawing = dots | {"color": colour, "alpha": pale, "markersize": 4, "rasterized": True}
            panel.plot(gold[places], scores[places], **drawing)
        rho = card.headline.get("all")
        panel.set_title(name + (f"  {figure(rho.value)}" if rho is not None else ""), fontsize=8)
        panel.grid()
    if len(colours_of) > 1:
        for each, colour in zip(colours_of, cycle(COLOURS), strict=False):
            axes[0].plot([], [], color=colour, label=label(each), markersize=8, **dots)
        drawn.legend(loc="outside upper center", ncols=min(4, len(colours_of)), frameon=False)
    drawn.supxlabel("rating", fontsize=9)
    drawn.supylabel("score", fontsize=9)
    return drawn


def _types(cards: NamedCards, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """Draw mean scores and ratings by kind of pair, each divided by its mean over "modifiers"."""
    labels = [np.array([type_name(one) for one in _labels(name, card)]) for name, card in cards]
    kinds = sorted(set(labels[0]) - {""})
    if MODIFIERS not in kinds or len(kinds) < 2:
        why = f"the picture divides by the mean of the type {MODIFIERS!r}"
        raise InputError(f"{why}, got the types {', '.join(kinds)}")
    human = _means(_column(cards[0][0], cards[0][1], "gold"), labels[0], kinds)
    kinds.sort(key=lambda kind: human[kind])
    height = ROW * 1.2 * len(kinds) + 1.0
    drawn, [panel] = panels(1, width=6, height=height, left=width_of_names(kinds))
    places = np.arange(len(kinds))
    panel.barh(places, [human[kind] for kind in kinds], height=0.7, color="#dddddd", label="people")
    for place, ((name, card), own) in enumerate(zip(cards, labels, strict=True)):
        mean = _means(_column(name, card, "score"), own, kinds)
        at = places + (place - (len(cards) - 1) / 2) * min(0.08, 0.6 / len(cards))
        marker, colour = MARKERS[place % len(MARKERS)], COLOURS[place % len(COLOURS)]
        values = [mean[kind] for kind in kinds]
        panel.plot(values, at, marker, color=colour, markersize=5, label=name)
    panel.set_yticks(places, [label(kind) for kind in kinds])
    panel.axvline(1, color="#888888", linewidth=0.8)
    panel.set_xlabel(f"mean, as a ratio to the mean of {MODIFIERS}")
    panel.grid(axis="x")
    panel.tick_params(axis="y", length=0)
    drawn.legend(loc="outside right upper", frameon=False)
    return drawn


def _labels(name: str, card: Card) -> list[str]:
    if "type" not in card.columns:
        why = f"the card of {name!r} has no types of pairs"
        raise InputError(f"{why}; they come from a column or a file of types next to the data")
    return [str(written or "") for written in card.columns["type"]]


def _column(name: str, card: Card, wanted: str) -> AnyArray:
    if wanted not in card.columns:
        raise InputError(f"the card of {name!r} holds no {wanted} of single rows")
    return np.array(card.columns[wanted], float)


def _means(values: AnyArray, labels: AnyArray, kinds: Sequence[str]) -> dict[str, float]:
    """Return the mean by kind as a ratio to that of the modifiers, without missing values."""
    means = {}
    for kind in (MODIFIERS, *kinds):
        chosen = values[(labels == kind) & ~np.isnan(values)]
        means[kind] = float(chosen.mean()) if len(chosen) else math.nan
    return {kind: mean / means[MODIFIERS] for kind, mean in means.items()}


PICTURES: Mapping[str, Picture] = {
    "gap": Picture("the adversarial gap", _gap),
    "scatter": Picture("scores against ratings", _scatter),
    "scatter-types": Picture("scores against ratings, coloured by kind of pair", _scatter_types),
    "types": Picture("means by kind of pair", _types),
}
