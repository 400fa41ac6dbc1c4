"""Learn what the pair reader is worth in a score, beside the shipped weights of the edits.

    python -m models.hybrid.together --terms runs/terms.npz --made runs/pairs.jsonl [--write]

Only pairs that the reader has not learned from count (``models/pair_reader``). The objective is
that of ``learn.py``, with more kinds of text (``objective.TOGETHER``); a task that falls below its
score without a reader costs ``GUARD`` times what it loses, and ``objective.GUARDS`` in addition.
There are sixty weights; the last column has figures out of fold, of weights that were learned
without the pairs. ``--write`` writes
``hybridsem/data/read_together.json``, and what was printed to ``together.log`` beside this file;
run ``python -m models.manifest`` afterwards.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Annotated

import numpy as np
import torch

from benchmarks.command import run
from hybridsem._typing import BoolArray, Float64Array
from hybridsem.combiners.hybrid import READ_TOGETHER, TERMS, shipped_weighting
from hybridsem.combiners.weighting import (
    COLUMNS,
    GIVEN,
    RISING,
    Together,
    gates,
    inputs,
    log_odds,
)
from hybridsem.comparison.edits import CHARGED, Evidence, Kind
from hybridsem.pair_reader import EmbeddedPairReader, Readings
from models.fit import minimise
from models.hybrid.data import Development, development
from models.hybrid.features import Terms, load
from models.hybrid.figures import figures, table
from models.hybrid.objective import GUARDS, TEMPERATURE, TOGETHER, Objective, objective
from models.hybrid.shapes import scored
from models.pair_reader.data import Kept
from models.recipe import SHIPPED

LOG = Path(__file__).with_name("together.log")
GUARD, STEPS, RATE, FOLDS = 1.8, 800, 0.05, 3
STARTS = (-2.0, -1.0), (0.0, 0.0)
"""Log odds of L and U to start from: the loss has several minima."""
OPEN_KINDS = {Kind.NAME, Kind.MODALITY, Kind.QUESTION, Kind.QUESTION_WORD, Kind.COORDINATION}
OPEN_KINDS |= {kind for kind in CHARGED if kind.evidence not in (None, Evidence.OTHER)}
OPEN = tuple(kind.value for kind in CHARGED if kind in OPEN_KINDS)
"""Terms of what may not be read away: places, values, negations, opposites."""
NEW = tuple(kind.value for kind in CHARGED if kind.value.startswith(("added ", "replaced")))
"""Terms of words that one sentence alone has."""


def readings_of(data: Development, kept: Kept, file: Path) -> tuple[Readings, BoolArray]:
    """The readings of all pairs, kept in a file, and which were not learned from, (pairs,)."""
    if not file.is_file():
        found = EmbeddedPairReader().read(data.pairs)
        seen = {frozenset((row.first, row.second)) for row in kept.read() if not row.held}
        unseen = np.array([frozenset(pair) not in seen for pair in data.pairs])
        columns = np.column_stack(found).astype(np.float32)
        np.savez_compressed(file, keys=data.keys, readings=columns, unseen=unseen)
    with np.load(file) as held:
        if len(held["keys"]) != len(data.keys) or (held["keys"] != data.keys).any():
            raise SystemExit(f"{file} is of other pairs; delete it")
        return Readings(*held["readings"].astype(np.float64).T), held["unseen"]


def learn(terms: Terms, read: Readings, goal: Objective) -> Together:
    """The weights, by Adam with steps that shrink to 0; of several starts, those with the least
    loss.
    """
    curves = shipped_weighting().terms
    amounts = {name: terms.column(name).astype(float) for name in TERMS}
    parts = {name: curves[name].outputs(amounts[name]) for name in curves}
    penalties, open_ = (
        np.sum([parts[name] for name in names if name in parts], axis=0) for names in (parts, OPEN)
    )
    followed = gates(np.sum([amounts[name] for name in NEW], axis=0), open_)
    every = torch.from_numpy(penalties).float()
    columns = torch.from_numpy(inputs(log_odds(read), followed)).float()
    cosines = torch.from_numpy(terms.column("cosine")).float()
    signs = torch.from_numpy(RISING).float()

    def from_start(start: tuple[float, float]) -> tuple[float, Together]:
        weights = torch.zeros(4, COLUMNS)
        weights[:2, GIVEN:] = 0.6
        weights[2:, 0] = torch.tensor(start)
        weights.requires_grad_()

        def loss() -> torch.Tensor:
            common, most, lift, fall = torch.sigmoid(columns @ weights.T).T
            base = cosines + lift * torch.relu(common - cosines)
            base = base - fall * torch.relu(base - most)
            positive = base.clamp(0, 1)
            return goal(torch.where(base > 0, positive * torch.exp(-every * positive), base))

        def within() -> None:
            weights[:, GIVEN:] = signs * torch.relu(signs * weights[:, GIVEN:])

        minimise([weights], repeat(loss, STEPS), STEPS, RATE, within)
        found = weights.detach().numpy().astype(float).round(5)
        return float(loss().detach()), Together(found, NEW, OPEN)

    return min(map(from_start, STARTS), key=lambda reached: reached[0])[1]


def main(
    kept: Kept,
    *,
    terms: Annotated[Path, "of models.hybrid.features"],
    readings: Path = Path("runs/readings.npz"),
    most: Annotated[int | None, "items of each task, as in models.hybrid.features"] = None,
    resamples: int = 1000,
    write: bool = False,
) -> None:
    data = development(kept.data, most)
    of_pairs = load(terms, data)
    read, unseen = readings_of(data, kept, readings)
    tasks = tuple(task.within(unseen) for task in data.tasks)
    shipped = shipped_weighting()
    before = torch.from_numpy(scored(shipped, of_pairs)).float()
    amounts = {name: of_pairs.column(name).astype(float) for name in TERMS}
    cosines = of_pairs.column("cosine").astype(float)

    def learned(known: BoolArray) -> tuple[Together, Float64Array]:
        """The weights by some of the pairs, and the scores of all."""
        some = tuple(task.within(known) for task in tasks)
        goal = objective(some, before, TOGETHER, GUARD, TEMPERATURE, GUARDS)
        together = learn(of_pairs, read, goal)
        weighting = replace(shipped, together=together)
        return together, weighting.weighted(cosines, amounts, log_odds(read)).scores

    together, after = learned(np.ones(len(cosines), bool))
    folds, unlearned = data.folds(FOLDS), np.zeros(len(cosines))
    for fold in range(FOLDS):
        unlearned[folds == fold] = learned(folds != fold)[1][folds == fold]
    scores = {"cosine": cosines, "hybrid": before.numpy(), "similarity read": read.similarity}
    scores |= {"hybrid with the reader": after, "out of fold": unlearned}
    columns = {
        name: figures(tasks, one.astype(float), resamples, by_type=False)
        for name, one in scores.items()
    }
    lines = [json.dumps(together.to_dict()), "", *table(columns)]
    print("\n".join(lines))
    if write:
        about = {"learned": "python -m models.hybrid.together", "pairs": data.sha256}
        content = json.dumps(together.to_dict() | about, indent=1)
        (SHIPPED / READ_TOGETHER).write_text(content + "\n", "utf-8")
        LOG.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    run(main)
