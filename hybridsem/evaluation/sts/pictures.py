"""The picture of the adversarial gap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hybridsem.datasets.sts_files import ADVERSARIAL, NON_ADVERSARIAL
from hybridsem.errors import InputError
from hybridsem.evaluation.report.plots import (
    BLUE,
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


PICTURES: Mapping[str, Picture] = {
    "gap": Picture("the adversarial gap", _gap),
}
