"""Draw what `role-encoder` keeps against what it tells apart, from logs of its blends.

    python docs/make_trade.py blend-small.jsonl blend-large.jsonl

role-encoder-trade.svg   STSb dev and STS12 against PAWS-Wiki dev and exchanged words
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from hybridsem.evaluation.report.plots import save

APART = {
    "PAWS-Wiki dev auc": "PAWS-Wiki dev (held-out half), AUC",
    "held order": "recast above exchanged (held-out groups)",
}
KEPT = {"STSb dev spearman": "o-", "STS12 mean": "s--"}


def main() -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    for log in map(Path, sys.argv[1:]):
        lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
        lines.sort(key=lambda line: line["share"])
        for axes, (apart, label) in zip(panels, APART.items(), strict=True):
            for name, style in KEPT.items():
                points = [(line[apart], line[name] - lines[0][name]) for line in lines]
                kept = name.removesuffix(" spearman")
                run = log.stem.removeprefix("blend-")
                axes.plot(*zip(*points, strict=True), style, label=f"{kept}, {run} run")
                for line, point in zip(lines, points, strict=True):
                    text = f"{line['share']:g}"
                    axes.annotate(text, point, textcoords="offset points", xytext=(3, 4))
            axes.set_xlabel(label)
    panels[0].set_ylabel("Spearman, more than the plain vector has")
    panels[0].legend(fontsize=8)
    save(figure, Path(__file__).with_name("role-encoder-trade.svg"))


if __name__ == "__main__":
    main()
