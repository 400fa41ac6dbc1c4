"""Learn what the terms of the comparison are worth, on development data of all kinds at once.

    python -m models.hybrid.features --of MODULE:FUNCTION --to runs/terms.npz
    python -m models.hybrid.features --to runs/published.npz           (hybrid-0.1, to compare with)
    python -m models.hybrid.learn --terms runs/terms.npz --published runs/published.npz
        [--shapes linear pieces network boosted] [--ablation] [--write]

Every column of the terms is a penalty, but for those that ``--leave-out`` names. Prints the
out-of-fold figures of every task, beside those of the cosine alone and of hybrid-0.1: folds are of
whole groups of pairs that share a sentence, and every figure is of scores from weights that were
learned on the four other folds. ``--ablation`` adds what each term is worth out of fold.
``--write`` learns the first shape on all pairs and writes ``hybridsem/data/comparison.json``, and
what was printed to ``comparison.log`` beside this file; run ``python -m models.manifest``
afterwards. No test set is read but to leave its pairs out.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from hybridsem._typing import Float64Array, IntArray
from hybridsem.combiners.hybrid import shipped_weighting
from hybridsem.combiners.weighting import Weighting
from models.hybrid.data import Development, development
from models.hybrid.features import Terms, load
from models.hybrid.figures import Figures, figures, table
from models.hybrid.objective import GUARD, TEMPERATURE, WEIGHTS, Objective, objective
from models.hybrid.shapes import NO_TERMS, Settings, additive, boosted, network, scored

CONSTANTS = Path(__file__).parents[2] / "hybridsem/data/comparison.json"
LOG = Path(__file__).parent / "comparison.log"
FOLDS = 5
LEAST = {
    "roles exchanged": 0.75,
    "roles exchanged, abstract": 0.4,
    "roles exchanged, others": 0.4,
    "quantity": 0.5,
    "governors exchanged, abstract": 0.15,
    "question words": 0.3,
    "coordination": 0.2,
    "modality": 0.3,
    "amount": 1.5,
    "time": 1.5,
    "identifier": 1.5,
    "name": 0.3,
    "precision": 0.3,
    "negation": 0.02,
}
"""The share of the score that a term takes at least: the exchange of main roles that of hybrid-0.1,
which was chosen on the pilot, STSb dev and SICK train (``choose.py``), as few development sentences
are as short as those where all depends on it. The others are rare in rated sentences, or (the last)
have another kind beside them that takes all, so that no explanation would name them.
"""
UPPER_BOUNDS = {"network": network, "boosted": boosted}
SHAPES = ("linear", "pieces", *UPPER_BOUNDS)


@dataclass(frozen=True)
class Learner:
    """The data, the terms and what they are learned for."""

    data: Development
    terms: Terms
    names: Sequence[str]
    weights: Mapping[str, float]
    guard: float
    temperature: float

    def objective(self, chosen: IntArray) -> Objective:
        """The objective on the items within these pairs, (pairs,) of booleans."""
        tasks = tuple(task.within(chosen) for task in self.data.tasks)
        cosines = torch.from_numpy(self.terms.column("cosine")).float()
        return objective(tasks, cosines, self.weights, self.guard, self.temperature)

    def weighting(self, settings: Settings, chosen: IntArray | None = None) -> Weighting:
        """The constants, learned on these pairs, (pairs,) of booleans; None: on all."""
        rows = np.ones(len(self.data.pairs), bool) if chosen is None else chosen
        return additive(self.terms, self.names, self.objective(rows), settings)

    def weightings(self, settings: Settings) -> list[Weighting]:
        """Constants for each fold, learned on the others."""
        folds = self.data.folds(FOLDS)
        return [self.weighting(settings, folds != fold) for fold in range(FOLDS)]

    def out_of_fold(self, settings: Settings, weightings: Sequence[Weighting] = ()) -> Float64Array:
        """The scores of all pairs, each from what was learned on the other folds.

        Args:
            settings: Shape and shrinkage.
            weightings: Of each fold, where the shape has any.
        """
        folds = self.data.folds(FOLDS)
        scores = np.empty(len(folds))
        for fold in range(FOLDS):
            if weightings:
                found = scored(weightings[fold], self.terms)
            else:
                others = self.objective(folds != fold)
                bound = UPPER_BOUNDS[settings.shape]
                found = bound(self.terms, self.names, others, settings)
            scores[folds == fold] = found[folds == fold]
        return scores


def told(weighting: Weighting, terms: Terms) -> list[str]:
    """Lines of the terms' weights, the largest first, with how many pairs have the term."""
    lines = []
    for name, curve in sorted(weighting.terms.items(), key=lambda term: -term[1].values[-1]):
        share = float((terms.column(name) > 0).mean())
        steps = "  ".join(
            f"{knot:g}: {value:.3f}" for knot, value in zip(curve.knots, curve.values, strict=True)
        )
        lines.append(f"{name:<28} in {share:6.1%}  {steps}")
    return lines


def ablation(
    learner: Learner, settings: Settings, weightings: Sequence[Weighting]
) -> Iterator[str]:
    """What each term is worth, in points out of fold: the figures with it less those without it,
    the other terms' weights as they were learned beside it.
    """
    tasks = learner.data.tasks
    whole = figures(tasks, learner.out_of_fold(settings, weightings), 0, by_type=False)
    heads = [key for key in whole if key[1] != "average precision"]
    yield f"| term | {' | '.join(task for task, _ in heads)} |"
    yield "| --- |" + " --- |" * len(heads)
    names = dict.fromkeys(name for weighting in weightings for name in weighting.terms)
    for name in names:
        without = [
            replace(each, terms={term: each.terms[term] for term in each.terms if term != name})
            for each in weightings
        ]
        lesser = figures(tasks, learner.out_of_fold(settings, without), 0, by_type=False)
        cells = (
            f"{100 * ((whole[key].value or 0) - (lesser[key].value or 0)):+.1f}" for key in heads
        )
        yield f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--terms", type=Path, required=True, help="of models.hybrid.features")
    parser.add_argument("--published", type=Path, help="the same, of hybrid-0.1")
    parser.add_argument("--most", type=int, help="items of each task, as in models.hybrid.features")
    parser.add_argument("--shapes", nargs="*", default=["pieces"], choices=SHAPES)
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="TERM")
    parser.add_argument("--weight", nargs="*", default=[], metavar="TASK=WEIGHT")
    parser.add_argument("--guard", type=float, default=GUARD)
    parser.add_argument("--temperature", type=float, default=TEMPERATURE)
    parser.add_argument("--l1", type=float, default=Settings.l1)
    parser.add_argument("--l2", type=float, default=Settings.l2)
    parser.add_argument(
        "--penalty-exponent", "--fade", type=float, default=Settings.penalty_exponent
    )
    parser.add_argument("--steps", type=int, default=Settings.steps)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", nargs="*", default=[], metavar="TERM", help="the others stay")
    options = parser.parse_args()
    data = development(options.data)
    if options.most is not None:
        data = data.sample(options.most)
    terms = load(options.terms, data)
    weights = {**WEIGHTS, **{k: float(v) for k, v in (one.split("=") for one in options.weight)}}
    if unknown := {*options.leave_out} - {*terms.names}:
        parser.error(f"no such terms: {', '.join(sorted(unknown))}")
    names = [name for name in terms.names if name not in NO_TERMS | {*options.leave_out}]
    learner = Learner(data, terms, names, weights, options.guard, options.temperature)
    settings = Settings(
        l1=options.l1,
        l2=options.l2,
        penalty_exponent=options.penalty_exponent,
        steps=options.steps,
        least=LEAST,
    )

    log: list[str] = []

    def say(*lines: str) -> None:
        log.extend(lines)
        print("\n".join(lines), flush=True)

    columns: dict[str, Figures] = {}
    cosines = terms.column("cosine").astype(np.float64)
    columns["cosine"] = figures(data.tasks, cosines, options.resamples)
    if options.published is not None:
        scores = load(options.published, data).column("score").astype(np.float64)
        columns["hybrid-0.1"] = figures(data.tasks, scores, options.resamples)
    say(f"{len(data.pairs)} pairs, {settings}, guard {learner.guard}, weights {weights}")
    weightings: dict[str, list[Weighting]] = {}
    for shape in options.shapes:
        began = time.perf_counter()
        chosen = replace(settings, shape=shape)
        weightings[shape] = [] if shape in UPPER_BOUNDS else learner.weightings(chosen)
        scores = learner.out_of_fold(chosen, weightings[shape])
        columns[shape] = figures(data.tasks, scores, options.resamples)
        print(f"{shape}: {FOLDS} folds in {time.perf_counter() - began:.0f} s", flush=True)
    say("", f"Out of fold, {FOLDS} folds, with intervals of 95 %", "", *table(columns))
    settings = replace(settings, shape=options.shapes[0])
    if settings.shape in UPPER_BOUNDS:
        return
    weighting = learner.weighting(settings)
    say("", f"Learned on all pairs, shape {settings.shape}", "", *told(weighting, terms))
    if options.ablation:
        say("", "What each term is worth, in points", "")
        say(*ablation(learner, settings, weightings[settings.shape]))
    if options.only:
        learned, shipped = weighting.terms, shipped_weighting()
        own = {term: learned[term] for term in options.only}
        weighting = replace(shipped, terms=dict(shipped.terms) | own)
    if options.write:
        about = {"learned": "python -m models.hybrid.learn", "pairs": data.sha256}
        CONSTANTS.write_text(json.dumps(weighting.to_dict() | about, indent=1) + "\n", "utf-8")
        LOG.write_text("\n".join(log) + "\n", "utf-8")


if __name__ == "__main__":
    main()
