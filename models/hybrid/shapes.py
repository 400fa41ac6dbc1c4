"""The curves of the comparison's terms, fitted with torch to one objective.

Each term is piecewise linear, with knots at quantiles of its values above 0. Weights stay at 0 or
above by projection, so that L1 makes terms vanish.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, repeat

import numpy as np
import torch

from hybridsem._typing import Float32Array, Float64Array
from hybridsem._utils.predictors import Curve
from hybridsem.combiners.weighting import Weighting
from models.fit import minimise
from models.hybrid.features import Terms

Objective = Callable[[torch.Tensor], torch.Tensor]

QUANTILES = (0.25, 0.5, 0.75, 0.97)
NEGLIGIBLE = 1e-3
"""A term that is worth less than this at its most is left out of the constants."""


def knots_of(values: Float32Array) -> tuple[float, ...]:
    """Where the pieces of a term begin and end; one that is 0 everywhere has a single one up to
    1.
    """
    above = values[values > 0]
    ends = np.unique(np.quantile(above, QUANTILES).round(4)) if len(above) else np.ones(1)
    ends = ends[ends > 0]
    return (0.0, *map(float, ends if len(ends) else np.ones(1)))


@dataclass(frozen=True)
class Settings:
    """How the curves are fitted."""

    l1: float = 2e-2
    l2: float = 2e-3
    steps: int = 300
    rate: float = 0.05
    penalty_exponent: float = 1.0
    """F: the penalties are multiplied by the cosine to the power of F."""


def additive(
    terms: Terms,
    names: Sequence[str],
    objective: Objective,
    settings: Settings,
    least: Mapping[str, float] | None = None,
) -> Weighting:
    """Constants of the weighting.

    Args:
        terms: Of all pairs; knots are quantiles over all of them, as they need no target.
        names: The terms that are weighed.
        objective: Of the scores of all pairs.
        settings: Steps and shrinkage.
        least: The share L of the score that a term takes at least, at an amount x: 1 - exp(-f(x)) ≥
            L x.
    """
    knots = {name: knots_of(terms.column(name)) for name in names}
    # A column for each piece of a term: 0 before the piece, 1 behind it, linear between.
    every = [
        np.clip((terms.column(name) - low) / (high - low), 0, 1)
        for name, ends in knots.items()
        for low, high in pairwise(ends)
    ]
    columns = torch.from_numpy(np.stack(every, axis=1).astype(np.float32))
    cosines = torch.from_numpy(terms.column("cosine")).float()
    weights = torch.full((len(every),), 0.05, requires_grad=True)
    positive = cosines.clamp(0, 1)
    scale = positive**settings.penalty_exponent

    def loss() -> torch.Tensor:
        kept = torch.exp(-(columns @ weights) * scale)
        shrinkage = settings.l1 * weights.abs().sum() + settings.l2 * weights.square().sum()
        return objective(torch.where(cosines > 0, positive * kept, cosines)) + shrinkage

    lowest = []
    for name, ends in knots.items():
        falls = [math.log1p(-(least or {}).get(name, 0.0) * end) for end in ends]
        lowest += [before - behind for before, behind in pairwise(falls)]
    limit, losses = torch.tensor(lowest), repeat(loss, settings.steps)
    minimise([weights], losses, settings.steps, settings.rate, lambda: weights.clamp_(min=limit))
    found, learned = iter(weights.detach().numpy().astype(float)), {}
    for name, ends in knots.items():
        values = np.cumsum([next(found) for _ in ends[1:]]).round(5)
        if values[-1] >= NEGLIGIBLE:
            learned[name] = Curve(np.array(ends), np.append(0.0, values))
    return Weighting(learned, settings.penalty_exponent)


def scored(weighting: Weighting, terms: Terms) -> Float64Array:
    """The scores of all pairs, (pairs,)."""
    values = {name: terms.column(name).astype(np.float64) for name in weighting.terms}
    return weighting.weighted(terms.column("cosine").astype(np.float64), values).scores
