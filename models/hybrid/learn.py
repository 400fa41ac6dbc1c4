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
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import torch

from benchmarks.command import DATA, run
from hybridsem._typing import BoolArray, Float64Array
from hybridsem.combiners.hybrid import shipped_weighting
from hybridsem.combiners.weighting import Weighting
from models.hybrid.data import Development, development
from models.hybrid.features import Terms, load
from models.hybrid.figures import figures, table
from models.hybrid.objective import objective
from models.hybrid.shapes import Settings, additive, scored
from models.recipe import SHIPPED
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


def main(
    settings: Settings,
    data: Path = DATA,
    *,
    terms: Annotated[Path, "of models.hybrid.features"],
    most: Annotated[int | None, "items of each task, as in models.hybrid.features"] = None,
    resamples: int = 1000,
    write: bool = False,
    only: Annotated[Sequence[str], "terms; the others stay"] = (),
) -> None:
    known = development(data, most)
    found = load(terms, known)
    columns = {"cosine": found.column("cosine").astype(np.float64)}
    columns["pieces"] = out_of_fold(known, found, settings)
    measured = {name: figures(known.tasks, one, resamples) for name, one in columns.items()}
    weighting = weighting_of(known, found, settings)
    lines = [f"{len(known.pairs)} pairs, {settings}", "", f"Out of fold, {FOLDS} folds", ""]
    lines += [*table(measured), "", "Learned on all pairs", "", *told(weighting, found)]
    print("\n".join(lines))
    if only:
        shipped = shipped_weighting()
        own = {term: weighting.terms[term] for term in only}
        weighting = replace(shipped, terms=dict(shipped.terms) | own)
    if write:
        about = {"learned": "python -m models.hybrid.learn", "pairs": known.sha256}
        CONSTANTS.write_text(json.dumps(weighting.to_dict() | about, indent=1) + "\n", "utf-8")
        LOG.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    run(main)
