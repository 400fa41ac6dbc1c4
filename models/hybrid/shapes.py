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
from hybridsem.combiners.weighting import Together, Weighting, log_odds
from hybridsem.comparison.edits import CHARGED, Evidence, Kind
from hybridsem.pair_reader.base import Readings
from models.hybrid.features import Terms

Objective = Callable[[torch.Tensor], torch.Tensor]

QUANTILES: Mapping[str, tuple[float, ...]] = {"linear": (0.95,), "pieces": (0.25, 0.5, 0.75, 0.97)}
MOST_FADE = 8.0
NO_TERMS = frozenset({"cosine", "score"})
OPEN = tuple(
    kind.value
    for kind in CHARGED
    if kind.evidence not in (None, Evidence.OTHER)
    or kind in (Kind.NAME, Kind.MODALITY, Kind.QUESTION, Kind.QUESTION_WORD, Kind.COORDINATION)
)
"""Terms of what is not read away: places, values, negations, opposites."""
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


class Meanings:
    """The constants of a pair reader while they are learned.

    Args:
        read: The readings of all pairs.
    """

    def __init__(self, read: Readings) -> None:
        self.inputs = torch.from_numpy(log_odds(read)).float()
        self.weights = torch.tensor([0.5, 0.3, 0.3, 0.2], requires_grad=True)
        self.bias, self.fade = (torch.tensor(start, requires_grad=True) for start in (0.0, 1.0))
        self.shares = torch.tensor([0.0, -1.0], requires_grad=True)
        self.parameters = [self.weights, self.bias, self.fade, self.shares]

    def base(self, cosines: torch.Tensor, penalties: torch.Tensor) -> torch.Tensor:
        """The cosines as the reader moves them, (pairs,); ``penalties`` are those of the open
        terms.
        """
        away = torch.sigmoid(self.inputs @ self.weights + self.bias) - cosines
        lift, fall = torch.sigmoid(self.shares)
        lifted = lift * torch.exp(-self.fade * penalties) * away
        return cosines + torch.where(away > 0, lifted, fall * away)

    def constrain(self) -> None:
        """Keep what must not fall below zero."""
        self.weights.clamp_(min=0)
        self.fade.clamp_(min=0, max=MOST_FADE)

    def learned(self) -> Together:
        """What was learned."""
        values = [one.detach().numpy().astype(float).round(5) for one in self.parameters[:3]]
        lift, fall = torch.sigmoid(self.shares.detach()).numpy().astype(float).round(5).tolist()
        return Together(values[0], float(values[1]), lift, fall, float(values[2]), OPEN)


def additive(
    terms: Terms,
    names: Sequence[str],
    objective: Objective,
    settings: Settings,
    read: Readings | None = None,
) -> Weighting:
    """Constants of the weighting, with those of a pair reader if there are readings.

    Args:
        terms: Of all pairs; knots are quantiles over all of them, as they need no target.
        names: The terms that are weighed.
        objective: Of the scores of all pairs.
        settings: Shape and shrinkage.
        read: The readings of all pairs.
    """
    ramps = Ramps.of(terms, names, QUANTILES[settings.shape])
    cosines = torch.from_numpy(terms.column("cosine")).float()
    weights = torch.full((ramps.columns.shape[1],), 0.05, requires_grad=True)
    meanings = None if read is None else Meanings(read)
    is_open = torch.tensor([name in OPEN for name in names])[ramps.owners]

    def loss() -> torch.Tensor:
        base = cosines
        if meanings is not None:
            base = meanings.base(cosines, (ramps.columns * is_open) @ weights)
        positive = base.clamp(0, 1)
        kept = torch.exp(-(ramps.columns @ weights) * positive**settings.penalty_exponent)
        shrinkage = settings.l1 * weights.abs().sum() + settings.l2 * weights.square().sum()
        return objective(torch.where(base > 0, positive * kept, base)) + shrinkage

    least = torch.tensor(
        [
            math.log1p(-settings.least.get(name, 0.0) * low)
            - math.log1p(-settings.least.get(name, 0.0) * high)
            for name, ends in zip(names, ramps.knots, strict=True)
            for low, high in pairwise(ends)
        ]
    )
    _minimise(weights, loss, settings, least, meanings)
    found = weights.detach().numpy().astype(float)
    owners = ramps.owners.numpy()
    learned = {}
    for number, name in enumerate(names):
        values = np.cumsum(found[owners == number]).round(5)
        if values[-1] >= NEGLIGIBLE:
            learned[name] = Curve(np.array(ramps.knots[number]), np.append(0.0, values))
    together = None if meanings is None else meanings.learned()
    return Weighting(learned, settings.penalty_exponent, together)


def _minimise(
    weights: torch.Tensor,
    loss: Callable[[], torch.Tensor],
    settings: Settings,
    least: torch.Tensor,
    meanings: Meanings | None,
) -> None:
    """Adam with steps that shrink to 0; weights are kept at ``least`` or above."""
    optimiser = torch.optim.Adam([weights], lr=settings.rate)
    if meanings is not None:
        optimiser.add_param_group({"params": meanings.parameters, "lr": settings.rate / 2})
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, settings.steps)
    for _ in range(settings.steps):
        optimiser.zero_grad()
        loss().backward()
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            weights.clamp_(min=least)
            if meanings is not None:
                meanings.constrain()


def scored(weighting: Weighting, terms: Terms, read: Readings | None = None) -> Float64Array:
    """The scores of all pairs, (pairs,)."""
    values = {name: terms.column(name).astype(np.float64) for name in weighting.terms}
    together = weighting.together
    meanings = None if together is None or read is None else together.meanings(read)
    return weighting.scores(terms.column("cosine").astype(np.float64), values, meanings)


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
