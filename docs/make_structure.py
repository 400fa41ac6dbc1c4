"""Draw the pictures of docs/comparison.md and docs/hybrid-figures.md from real scores.

    python docs/make_structure.py

score-steps.svg           how a score comes about: the cosine, and what each difference takes off
structure-phenomena.svg   the minimal pairs by phenomenon, from the cards in benchmarks/results
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hybridsem import Explanation, Pipeline
from hybridsem.evaluation import load_card
from hybridsem.evaluation.report.plots import BLUE, INK, PALE, RED, STYLE, matplotlib, save
from hybridsem.explanations import Term

HERE = Path(__file__).parent
CARDS = HERE.parent / "benchmarks" / "results" / "minimal-pairs"

STEPS = (
    "The red car stopped before the old bridge on Monday.",
    "The old car stopped after the red bridge on Sunday.",
)
ENCODER, HYBRID = "embedded", "hybrid"


def main() -> None:
    with matplotlib().rc_context(STYLE):
        drawn = {
            "score-steps": steps(Pipeline().explain(*STEPS, words=False)),
            "structure-phenomena": phenomena(),
        }
    for name, figure in drawn.items():
        save(figure, HERE / f"{name}.svg")
        print(f"wrote {HERE / name}.svg")


def panel(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.grid(axis="x")
    axes.tick_params(length=0)
    return figure, axes


def taken(explanation: Explanation) -> dict[str, float]:
    """What each kind of difference takes off, by its name and its words."""
    return {
        f"{line.label}: {' – '.join(filter(None, (line.filler1, line.filler2)))}": part
        for line in explanation.matches
        if line.term != Term.SENTENCE and abs(part := line.contribution) >= 0.005
    }


def steps(explanation: Explanation) -> Any:
    """A fall from the cosine to the score, a bar a difference."""
    parts = taken(explanation)
    figure, axes = panel(8, 0.36 * (len(parts) + 2) + 1.1)
    names = ["cosine of the sentence vectors", *parts, "score"]
    level = explanation.details["cosine"]
    axes.barh(0, level, color=BLUE)
    axes.text(level + 0.01, 0, f"{level:.2f}", va="center")
    for row, part in enumerate(parts.values(), 1):
        axes.barh(row, part, left=level, color=RED)
        axes.plot([level, level], [row - 1, row], color=PALE, linewidth=1)
        level += part
        axes.text(level - 0.01, row, f"{part:+.2f}".replace("-", "−"), va="center", ha="right")
    axes.barh(len(names) - 1, explanation.score, color=BLUE)
    axes.text(explanation.score + 0.01, len(names) - 1, f"{explanation.score:.2f}", va="center")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.08)
    axes.set_title("\n".join(STEPS), loc="left")
    return figure


def phenomena() -> Any:
    """The share of minimal pairs in order, by phenomenon; chance is a half."""
    found = {name: load_card(CARDS / f"{name}.json").scores for name in (ENCODER, HYBRID)}
    value = {
        name: {group: shares["accuracy"].value for group, shares in groups.items()}
        for name, groups in found.items()
    }
    order = sorted(value[HYBRID], key=lambda group: (group == "all", value[HYBRID][group]))
    figure, axes = panel(8, 0.19 * len(order) + 1)
    rows = range(len(order))
    was, now = ([value[name][group] for group in order] for name in (ENCODER, HYBRID))
    for row in rows:
        axes.plot([was[row], now[row]], [row, row], color=PALE, linewidth=2, zorder=1)
    axes.scatter(was, rows, color="white", edgecolor=INK, s=28, label="encoder", zorder=2)
    axes.scatter(now, rows, color=BLUE, s=28, label="hybrid", zorder=3)
    axes.axvline(0.5, color=INK, linestyle=":", linewidth=1)
    axes.set_yticks(rows, [group.replace("-", " ") for group in order])
    axes.set_ylim(-0.7, len(order) - 0.3)
    axes.set_xlim(0, 1.02)
    axes.set_xlabel("share of items whose paraphrase is above the alteration; dotted: chance")
    figure.legend(loc="outside upper left", ncols=2, frameon=False)
    return figure


if __name__ == "__main__":
    main()
