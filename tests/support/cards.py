"""Result cards of a made-up benchmark, from scores and ratings."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hybridsem.evaluation.card import Card
from hybridsem.evaluation.statistics.rating_correlations import correlations

N = 240
HALF = tuple(range(0, N, 2))
RANDOM = np.random.default_rng(11)
GOLD = RANDOM.random(N).round(2)
NOISE = {"good": 0.1, "as good": 0.1, "poor": 0.6}
SCORES = {name: GOLD + noise * RANDOM.normal(size=N) for name, noise in NOISE.items()}


def toy_card(
    name: str,
    scores: Any,
    gold: np.ndarray,
    groups: Mapping[str, Sequence[int]],
    resamples: int = 50,
    /,
    **changes: Any,
) -> Card:
    """Return the card of a model with correlations of all rows and of groups."""
    found = np.asarray(scores, float)
    rows = {"all": np.arange(len(found))} | {name: np.array(own) for name, own in groups.items()}
    fields: dict[str, Any] = {
        "task": {"name": "toy", "headline": "spearman", "summary": "toys", "citation": "Me 2024"},
        "data": {"source": "toy.csv", "split": "test", "sha256": "ab" * 32, "rows": len(found)},
        "model": {"name": name, "kind": "similarity"},
        "settings": {"seed": 0, "resamples": resamples, "level": 0.95},
        "versions": {"hybridsem": "0.1.0"},
        "scores": {
            group: correlations(found[own], gold[own], resamples=resamples)
            for group, own in rows.items()
        },
        "counts": {"rows": len(found), "scored": len(found)},
        "cost": {"seconds": 4.0},
        "columns": {
            "score": [None if math.isnan(one) else one for one in found.tolist()],
            "gold": gold.tolist(),
        },
        "groups": groups,
    }
    return Card(**(fields | changes))


def card(name: str, values: Any = None, **changes: Any) -> Card:
    """Return a card of a made-up benchmark with the groups "all" and "half"."""
    scores = SCORES[name] if values is None else values
    return toy_card(name, scores, GOLD, {"half": HALF}, **changes)


CARDS = [card(name) for name in SCORES]
