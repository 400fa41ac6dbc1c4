"""Draws the pictures of docs/hybrid.md and docs/what-structure-sees.md from real scores.

    python docs/make_structure.py

score-steps.svg           how a score comes about: the cosine, and what each difference takes off
structure-pairs.svg       sentences that say the same, and that do not, by encoder and hybrid
structure-phenomena.svg   the minimal pairs by phenomenon, from the cards in benchmarks/results
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hybridsem import Explanation, Pipeline
from hybridsem.evaluation import load_card
from hybridsem.evaluation.report.drawing import BLUE, INK, PALE, RED, STYLE, matplotlib
from hybridsem.evaluation.report.plots import save
from hybridsem.explanations import Term

HERE = Path(__file__).parent
CARDS = HERE.parent / "benchmarks" / "results" / "minimal-pairs"

STEPS = (
    "The red car stopped before the old bridge on Monday.",
    "The old car stopped after the red bridge on Sunday.",
)
PAIRS = (
    ("The nurse thanked the pilot.", "The pilot was thanked by the nurse.", True),
    ("", "The pilot thanked the nurse.", False),
    ("She sold the car to her brother.", "Her brother bought the car from her.", True),
    ("", "She bought the car from her brother.", False),
    ("We left before the storm.", "The storm came after we left.", True),
    ("", "We left after the storm.", False),
    ("A red car stood by a blue house.", "By a blue house stood a red car.", True),
    ("", "A blue car stood by a red house.", False),
    ("The door was closed.", "The door was not open.", True),
    ("", "The door was not closed.", False),
)
"""A sentence with one that says the same, then with one that does not."""
ENCODER, HYBRID = "embedded", "hybrid"


def main() -> None:
    with matplotlib().rc_context(STYLE):
        drawn = {
            "score-steps": steps(Pipeline().explain(*STEPS, words=False)),
            "structure-pairs": pairs(),
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


def pairs() -> Any:
    """Scores of the encoder and of the hybrid beside each other, a row a pair."""
    full, first = [], ""
    for one, other, same in PAIRS:
        first = one or first
        full.append((first, other, same))
    texts = [(one, other) for one, other, _ in full]
    encoder, hybrid = Pipeline(ENCODER).score(texts), Pipeline(HYBRID).score(texts)
    figure, axes = panel(8, 0.34 * len(PAIRS) + 1.2)
    for row, (was, now) in enumerate(zip(encoder, hybrid, strict=True)):
        axes.plot([was, now], [row, row], color=PALE, linewidth=2, zorder=1)
    rows = range(len(PAIRS))
    axes.scatter(encoder, rows, color="white", edgecolor=INK, s=40, label="encoder", zorder=2)
    for wanted, colour, label in (
        (True, BLUE, "hybrid, the same meaning"),
        (False, RED, "hybrid, another meaning"),
    ):
        chosen = [row for row in rows if full[row][2] is wanted]
        marker = "o" if wanted else "s"
        axes.scatter(
            hybrid[chosen], chosen, color=colour, marker=marker, s=40, label=label, zorder=3
        )
    axes.set_yticks(rows, [f"{one}  {other}" if one else other for one, other, _ in PAIRS])
    axes.invert_yaxis()
    axes.set_xlim(0.3, 1.02)
    axes.set_xlabel("score")
    figure.legend(loc="outside upper left", ncols=3, frameon=False)
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
