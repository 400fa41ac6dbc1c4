"""Forgetting of a fit: minimal pairs before and after.

Ratings of ordinary pairs say little about who did what to whom. A regressor that follows them may
forget it, and its figures on these ratings do not show that. So after each fit the held-out half of
the minimal pairs is scored before and after: how often the paraphrase of a sentence scores above an
alteration with another meaning.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.triples import minimal_pairs, packaged_minimal_pairs

LIMIT = 0.05  # the loss above which learned weights are refused
HELD_OUT = "held-out"


@dataclass(frozen=True)
class Probe:
    """The share of ``items`` with the paraphrase above the alteration, before and after the fit.
    ``low`` and ``high`` are the interval of 95 % of the loss over items.
    """

    items: int
    before: float
    after: float
    low: float
    high: float

    @property
    def loss(self) -> float:
        """The lost share; negative for a gain."""
        return self.before - self.after

    @property
    def forgets(self) -> bool:
        """True if the loss is above :data:`LIMIT`."""
        return self.loss > LIMIT

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, with the loss and its limit."""
        return {**asdict(self), "loss": self.loss, "limit": LIMIT}

    def __str__(self) -> str:
        return (
            f"minimal pairs in order: {self.before:.3f} before, {self.after:.3f} after, a change "
            f"of {-self.loss:+.3f} [{-self.high:+.3f}, {-self.low:+.3f}]"
        )


def probe_pairs(part: str = HELD_OUT) -> list[tuple[str, str]]:
    """Return the pairs of a part of the minimal pairs, ``held-out`` or ``development``. Each
    sentence is paired with its paraphrase, then with its alteration.
    """
    data = minimal_pairs(packaged_minimal_pairs(), Settings(options={"part": part}))
    return [
        (item.sentence, other)
        for item in data.items
        for other in (item.paraphrase, item.alteration)
    ]


def probe(own: Float64Array, learned: Float64Array, seed: int = 0, resamples: int = 2000) -> Probe:
    """Return the probe of the scores of :func:`probe_pairs`, without items that have no score.

    Args:
        own: The model's own scores, (n,).
        learned: The scores after the fit, (n,).
        seed: The seed of the resamples.
        resamples: The number of resamples for the interval.
    """
    before, after = _in_order(own), _in_order(learned)
    known = ~np.isnan(before) & ~np.isnan(after)
    lost = (before - after)[known]
    random = np.random.default_rng(seed)
    rows = random.integers(len(lost), size=(resamples, len(lost)))
    low, high = np.quantile(lost[rows].mean(axis=1), [0.025, 0.975])
    return Probe(
        len(lost), float(before[known].mean()), float(after[known].mean()), float(low), float(high)
    )


def _in_order(scores: Float64Array) -> Float64Array:
    """Return 1 if the paraphrase is above the alteration, ½ if they are equal."""
    paraphrase, alteration = scores.reshape(-1, 2).T
    missing = np.isnan(paraphrase) | np.isnan(alteration)
    found = np.where(paraphrase > alteration, 1.0, np.where(paraphrase == alteration, 0.5, 0.0))
    return np.where(missing, np.nan, found)
