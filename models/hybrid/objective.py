"""What the weights of the comparison are learned for: one smooth loss over tasks of all kinds.

Every task's loss is 1 - what the task is measured by, made smooth, so that a point is a point
everywhere:

    rated      1 - the mean of Pearson's and Spearman's correlation; for Spearman's, scores are
               replaced by their rank, interpolated between the quantiles of the moment
    labelled   the share of pairs of a positive and a negative item that are in the wrong order
    triples    the share of items whose paraphrase is not above all alterations

The shares count a sigmoid of the lead instead of its sign. A task whose loss is above that of the
cosine alone costs ``guard`` times the difference in addition: no kind of text is to pay for
another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import torch
from scipy.stats import rankdata

from models.hybrid.data import TASKS, Task

Loss = Callable[[torch.Tensor], torch.Tensor]

WEIGHTS: Mapping[str, float] = {name: row["weight"] for name, row in TASKS.items()}
TOGETHER = {name: row.get("together", row["weight"]) for name, row in TASKS.items()}
"""What a task counts without and with a pair reader."""
TEMPERATURE = 0.04
"""The lead, in points of the score, at which an order counts as nearly sure."""
GUARD = 4.0
GUARDS = {name: row["guard"] for name, row in TASKS.items() if "guard" in row}
"""What a loss of some tasks costs in addition, beside a pair reader."""
QUANTILES = 64
DRAWN = 40_000
"""How many pairs of a positive and a negative item stand for all of them."""


@dataclass(frozen=True)
class Objective:
    """The sum of the tasks' losses; each has a weight, a floor, and what a loss above that costs in
    addition.
    """

    losses: Mapping[str, Loss]
    rows: Mapping[str, tuple[float, float, float]]

    def __call__(self, scores: torch.Tensor) -> torch.Tensor:
        total = torch.zeros(())
        for name, (weight, floor, guard) in self.rows.items():
            value = self.losses[name](scores)
            total = total + weight * value + guard * torch.relu(value - floor)
        return total


def objective(
    tasks: tuple[Task, ...],
    cosines: torch.Tensor,
    weights: Mapping[str, float] = WEIGHTS,
    guard: float = GUARD,
    temperature: float = TEMPERATURE,
    guards: Mapping[str, float] = MappingProxyType({}),
) -> Objective:
    """The loss of scores of all pairs.

    Args:
        tasks: What is learned from; their rows are rows of the scores.
        cosines: (pairs,), whose losses no task shall exceed.
        weights: By the name of the task.
        guard: How much more a loss above the cosine's costs, by weight.
        guards: What it costs in addition, by the name of the task.
        temperature: Of the sigmoid.
    """
    makers = {"rated": _rated, "labelled": _labelled, "triples": _triples}
    losses = {task.name: makers[task.kind](task, temperature) for task in tasks if len(task.rows)}
    rows = {}
    for name, loss in losses.items():
        own = weights[name] * guard + guards.get(name, 0.0)
        rows[name] = weights[name], float(loss(cosines)), own
    return Objective(losses, rows)


def _rated(task: Task, temperature: float) -> Loss:
    rows = torch.from_numpy(task.rows)
    gold = _standardised(torch.from_numpy(task.target).float())
    ranks = _standardised(torch.from_numpy(rankdata(task.target)).float())

    def loss(scores: torch.Tensor) -> torch.Tensor:
        chosen = scores[rows]
        pearson = (_standardised(chosen) * gold).mean()
        spearman = (_standardised(_soft_ranks(chosen)) * ranks).mean()
        return 1 - (pearson + spearman) / 2

    return loss


def _soft_ranks(scores: torch.Tensor) -> torch.Tensor:
    """Ranks in [0, 1], interpolated between quantiles that are taken as they are now."""
    ordered = scores.detach().sort().values
    places = torch.linspace(0, len(ordered) - 1, min(QUANTILES, len(ordered))).long()
    knots = ordered[places]
    knots = knots + torch.arange(len(knots)) * 1e-6  # ties do not divide by 0
    right = torch.searchsorted(knots, scores.detach()).clamp(1, len(knots) - 1)
    low, high = knots[right - 1], knots[right]
    return (right - 1 + (scores - low) / (high - low)) / (len(knots) - 1)


def _labelled(task: Task, temperature: float) -> Loss:
    random = np.random.default_rng(0)
    positive, negative = (
        torch.from_numpy(random.choice(task.rows[task.target == label], DRAWN)) for label in (1, 0)
    )

    def loss(scores: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid((scores[negative] - scores[positive]) / temperature).mean()

    return loss


def _triples(task: Task, temperature: float) -> Loss:
    rows = torch.from_numpy(task.rows)

    def loss(scores: torch.Tensor) -> torch.Tensor:
        chosen = scores[rows]
        lead = chosen[:, 0] - chosen[:, 1:].max(dim=1).values
        return torch.sigmoid(-lead / temperature).mean()

    return loss


def _standardised(values: torch.Tensor) -> torch.Tensor:
    centred = values - values.mean()
    return centred / centred.square().mean().sqrt().clamp_min(1e-9)
