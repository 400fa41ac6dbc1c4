"""Learn what the terms of the comparison are worth, on development data of all kinds at once.

    python -m models.hybrid.features --to runs/terms.npz
    python -m models.hybrid.learn --terms runs/terms.npz [--only TERM …] [--write]

Prints the out-of-fold figures of every task, beside those of the cosine alone: folds are of whole
groups of pairs that share a sentence, and every figure is of scores from weights that were learned
on the four other folds. ``--only`` learns some terms beside the others' shipped weights.
``--write`` learns on all pairs and writes ``hybridsem/data/comparison.json``, and what was printed
to ``comparison.log`` beside this file; run ``python -m models.manifest`` afterwards. No test set is
read but to leave its pairs out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from hybridsem._typing import BoolArray, Float64Array
from hybridsem.combiners.hybrid import shipped_weighting
from hybridsem.combiners.weighting import Weighting
from models.hybrid.data import Development, development
from models.hybrid.features import Terms, load
from models.hybrid.figures import figures, table
from models.hybrid.objective import objective
from models.hybrid.shapes import Settings, additive, scored
from models.recipe import SHIPPED, command, parse
from models.recipe import table as recipe

CONSTANTS, LOG = SHIPPED / "comparison.json", Path(__file__).with_name("comparison.log")
FOLDS = 5


def weighting_of(
    data: Development, terms: Terms, settings: Settings, chosen: BoolArray | None = None
) -> Weighting:
    """The constants, learned on these pairs, (pairs,); None: on all."""
    rows = np.ones(len(data.pairs), bool) if chosen is None else chosen
    tasks = tuple(task.within(rows) for task in data.tasks)
    goal = objective(tasks, torch.from_numpy(terms.column("cosine")).float())
    return additive(terms, terms.names[1:], goal, settings, recipe(__file__)["least"])


def out_of_fold(data: Development, terms: Terms, settings: Settings) -> Float64Array:
    """The scores of all pairs, (pairs,), each from what was learned on the other folds."""
    folds = data.folds(FOLDS)
    scores = np.empty(len(folds))
    for fold in range(FOLDS):
        found = scored(weighting_of(data, terms, settings, folds != fold), terms)
        scores[folds == fold] = found[folds == fold]
    return scores


def told(weighting: Weighting, terms: Terms) -> Iterator[str]:
    """Lines of the terms' weights, the largest first, with how many pairs have the term."""
    for name, curve in sorted(weighting.terms.items(), key=lambda term: -term[1].values[-1]):
        steps = zip(curve.knots, curve.values, strict=True)
        cells = "  ".join(f"{knot:g}: {value:.3f}" for knot, value in steps)
        yield f"{name:<28} in {(terms.column(name) > 0).mean():6.1%}  {cells}"


def main() -> None:
    parser = command(__doc__)
    parser.add_argument("--terms", type=Path, required=True, help="of models.hybrid.features")
    parser.add_argument("--most", type=int, help="items of each task, as in models.hybrid.features")
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", nargs="*", default=[], metavar="TERM", help="the others stay")
    options, settings = parse(parser, __file__, Settings)
    data = development(options.data, options.most)
    terms = load(options.terms, data)
    columns = {
        "cosine": terms.column("cosine").astype(np.float64),
        "pieces": out_of_fold(data, terms, settings),
    }
    found = {name: figures(data.tasks, one, options.resamples) for name, one in columns.items()}
    weighting = weighting_of(data, terms, settings)
    lines = [f"{len(data.pairs)} pairs, {settings}", "", f"Out of fold, {FOLDS} folds", ""]
    lines += [*table(found), "", "Learned on all pairs", "", *told(weighting, terms)]
    print("\n".join(lines))
    if options.only:
        shipped = shipped_weighting()
        own = {term: weighting.terms[term] for term in options.only}
        weighting = replace(shipped, terms=dict(shipped.terms) | own)
    if options.write:
        about = {"learned": "python -m models.hybrid.learn", "pairs": data.sha256}
        CONSTANTS.write_text(json.dumps(weighting.to_dict() | about, indent=1) + "\n", "utf-8")
        LOG.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
