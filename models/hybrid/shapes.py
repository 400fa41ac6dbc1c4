"""Shapes of the score, fitted with torch to one objective.

    linear      each term a ramp from 0 to its 95th percentile
    pieces      each term piecewise linear, with knots at quantiles of its values above 0
    network     a small network over the same ramps: no explanation, an upper bound
    boosted     monotone trees on the gradients of the objective: an upper bound, too

The first two give constants of ``hybridsem.combiners.weighting``. Weights stay at 0 or above by
projection, so that L1 makes terms vanish.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import torch

from hybridsem._typing import Float32Array, Float64Array
from hybridsem._utils.predictors import Curve
from hybridsem.combiners.weighting import Weighting
from models.hybrid.features import Terms

Objective = Callable[[torch.Tensor], torch.Tensor]

QUANTILES: Mapping[str, tuple[float, ...]] = {"linear": (0.95,), "pieces": (0.25, 0.5, 0.75, 0.97)}
NO_TERMS = frozenset({"cosine", "score"})
NEGLIGIBLE = 1e-3
"""A term that is worth less than this at its most is left out of the constants."""


@dataclass(frozen=True)
class Ramps:
    """A column for each piece of each term: 0 before the piece, 1 behind it, linear between."""

    columns: torch.Tensor  # (pairs, pieces)
    owners: torch.Tensor  # (pieces,), the number of the term
    names: tuple[str, ...]
    knots: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, terms: Terms, names: Sequence[str], quantiles: Sequence[float]) -> Ramps:
        """The ramps of terms; one that is 0 everywhere has a single piece up to 1."""
        columns, owners, knots = [], [], []
        for number, name in enumerate(names):
            values = terms.column(name)
            above = values[values > 0]
            ends = np.unique(np.quantile(above, quantiles).round(4)) if len(above) else np.ones(1)
            ends = ends[ends > 0]
            of_term = (0.0, *map(float, ends if len(ends) else np.ones(1)))
            for low, high in pairwise(of_term):
                columns.append(np.clip((values - low) / (high - low), 0, 1))
                owners.append(number)
            knots.append(of_term)
        matrix = np.stack(columns, axis=1).astype(np.float32)
        return cls(torch.from_numpy(matrix), torch.tensor(owners), tuple(names), tuple(knots))


@dataclass(frozen=True)
class Settings:
    """How a shape is fitted."""

    shape: str = "pieces"
    l1: float = 2e-2
    l2: float = 2e-3
    steps: int = 300
    rate: float = 0.05
    penalty_exponent: float = 1.0
    """F: the penalties are multiplied by the cosine to the power of F."""
    least: Mapping[str, float] = field(default_factory=dict)
    """The share L of the score that a term takes at least, at an amount x: 1 - exp(-f(x)) ≥ L x."""


def additive(
    terms: Terms, names: Sequence[str], objective: Objective, settings: Settings
) -> Weighting:
    """Constants of the weighting.

    Args:
        terms: Of all pairs; knots are quantiles over all of them, as they need no target.
        names: The terms that are weighed.
        objective: Of the scores of all pairs.
        settings: Shape and shrinkage.
    """
    ramps = Ramps.of(terms, names, QUANTILES[settings.shape])
    cosines = torch.from_numpy(terms.column("cosine")).float()
    weights = torch.full((ramps.columns.shape[1],), 0.05, requires_grad=True)
    positive = cosines.clamp(0, 1)
    scale = positive**settings.penalty_exponent

    def loss() -> torch.Tensor:
        kept = torch.exp(-(ramps.columns @ weights) * scale)
        shrinkage = settings.l1 * weights.abs().sum() + settings.l2 * weights.square().sum()
        return objective(torch.where(cosines > 0, positive * kept, cosines)) + shrinkage

    least = torch.tensor(
        [
            math.log1p(-settings.least.get(name, 0.0) * low)
            - math.log1p(-settings.least.get(name, 0.0) * high)
            for name, ends in zip(names, ramps.knots, strict=True)
            for low, high in pairwise(ends)
        ]
    )
    _minimise(weights, loss, settings, least)
    found = weights.detach().numpy().astype(float)
    owners = ramps.owners.numpy()
    learned = {}
    for number, name in enumerate(names):
        values = np.cumsum(found[owners == number]).round(5)
        if values[-1] >= NEGLIGIBLE:
            learned[name] = Curve(np.array(ramps.knots[number]), np.append(0.0, values))
    return Weighting(learned, settings.penalty_exponent)


def _minimise(
    weights: torch.Tensor, loss: Callable[[], torch.Tensor], settings: Settings, least: torch.Tensor
) -> None:
    """Adam with steps that shrink to 0; weights are kept at ``least`` or above."""
    optimiser = torch.optim.Adam([weights], lr=settings.rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, settings.steps)
    for _ in range(settings.steps):
        optimiser.zero_grad()
        loss().backward()
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            weights.clamp_(min=least)


def scored(weighting: Weighting, terms: Terms) -> Float64Array:
    """The scores of all pairs, (pairs,)."""
    values = {name: terms.column(name).astype(np.float64) for name in weighting.terms}
    return weighting.weighted(terms.column("cosine").astype(np.float64), values).scores


def network(
    terms: Terms, names: Sequence[str], objective: Objective, settings: Settings, hidden: int = 32
) -> Float64Array:
    """Scores of all pairs by a network over all columns, which knows no signs."""
    torch.manual_seed(0)
    ramps = Ramps.of(terms, names, (0.5, 0.97))
    cosines = torch.from_numpy(terms.column("cosine")).float()
    inputs = torch.cat([cosines[:, None], ramps.columns], 1)
    net = torch.nn.Sequential(
        torch.nn.Linear(inputs.shape[1], hidden), torch.nn.Tanh(), torch.nn.Linear(hidden, 1)
    )
    torch.nn.init.zeros_(net[-1].weight)
    torch.nn.init.zeros_(net[-1].bias)
    optimiser = torch.optim.AdamW(net.parameters(), lr=0.01, weight_decay=0.1)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, settings.steps)
    for _ in range(settings.steps):
        optimiser.zero_grad()
        objective(cosines + net(inputs)[:, 0]).backward()
        optimiser.step()
        schedule.step()
    with torch.no_grad():
        found = cosines + net(inputs)[:, 0]
    # The objective knows no zero and no unit; networks of several folds need the same.
    found = (found - found.mean()) / found.std() * cosines.std() + cosines.mean()
    return found.numpy().astype(np.float64)


def boosted(
    terms: Terms, names: Sequence[str], objective: Objective, settings: Settings, rounds: int = 150
) -> Float64Array:
    """Scores of all pairs by monotone trees, each fitted to the gradient of the objective."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    columns = ["cosine", *names]
    inputs: Float32Array = np.stack([terms.column(name) for name in columns], 1)
    direction = [1, *(-1 for _ in names)]
    cosines = torch.from_numpy(terms.column("cosine")).float()
    scores = cosines.clone()
    for _ in range(rounds):
        now = scores.clone().requires_grad_(True)
        objective(now).backward()
        assert now.grad is not None
        known = now.grad != 0
        target = (-now.grad / now.grad[known].abs().mean()).numpy()
        tree = HistGradientBoostingRegressor(
            max_iter=1,
            learning_rate=1.0,
            max_leaf_nodes=15,
            min_samples_leaf=40,
            monotonic_cst=direction,
            early_stopping=False,
            l2_regularization=1.0,
        )
        tree.fit(inputs[known.numpy()], target[known.numpy()])
        scores = scores + 0.01 * torch.from_numpy(tree.predict(inputs)).float()
    return scores.numpy().astype(np.float64)
