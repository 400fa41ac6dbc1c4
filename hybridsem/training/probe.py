"""What a fit has forgotten: minimal pairs, before and after.

Ratings of ordinary pairs say little of who did what to whom. A regressor that follows them may lose
it, and the figures on those ratings do not show it. So after every fit the held-out half of the
minimal pairs is scored by the model and by what was learned: how often the paraphrase of a sentence
is above an altered sentence, whose words are the same or opposites and whose meaning is another.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.triples import MinimalPairs, minimal_pairs, packaged_minimal_pairs

LIMIT = 0.05
"""The loss beyond which what was learned is refused."""
HELD_OUT = "held-out"


@dataclass(frozen=True)
class Probe:
    """The share of ``items`` whose paraphrase is above the alteration, by the model's own score and
    by the learned one; the loss with its interval of 95 % over items.

    >>> found = Probe(items=100, before=0.9, after=0.8, low=0.05, high=0.15)
    >>> round(found.loss, 2), found.forgets
    (0.1, True)
    """

    items: int
    before: float
    after: float
    low: float
    high: float

    @property
    def loss(self) -> float:
        """The share lost; negative for a gain."""
        return self.before - self.after

    @property
    def forgets(self) -> bool:
        """True where the loss is beyond :data:`LIMIT`."""
        return self.loss > LIMIT

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with the loss and its limit."""
        return {**asdict(self), "loss": self.loss, "limit": LIMIT}

    def __str__(self) -> str:
        return (
            f"minimal pairs in order: {self.before:.3f} before, {self.after:.3f} after, a change "
            f"of {-self.loss:+.3f} [{-self.high:+.3f}, {-self.low:+.3f}]"
        )


def probe_pairs(part: str = HELD_OUT) -> list[tuple[str, str]]:
    """The pairs of a part of the minimal pairs, ``held-out`` or ``development``: a sentence with
    its paraphrase, then with its alteration, by turns.

    >>> pairs = probe_pairs("development")
    >>> len(pairs) % 2, pairs[0][0] == pairs[1][0]
    (0, True)
    """
    data = minimal_pairs(packaged_minimal_pairs(), Settings(options={"part": part}))
    assert not isinstance(data, MinimalPairs)  # the packaged ones are triples
    return [
        (item.sentence, other)
        for item in data.items
        for other in (item.paraphrase, item.alteration)
    ]


def probe(own: Float64Array, learned: Float64Array, seed: int = 0, resamples: int = 2000) -> Probe:
    """The probe of scores of :func:`probe_pairs`, (n,); items without a score are left out.

    Args:
        own: The model's.
        learned: After the fit.
        seed: Of the resamples.
        resamples: Of the interval.

    >>> own, learned = np.array([0.9, 0.4, 0.8, 0.5]), np.array([0.9, 0.4, 0.5, 0.8])
    >>> found = probe(own, learned)  # two sentences: paraphrase, alteration, by turns
    >>> found.before, found.after, found.forgets
    (1.0, 0.5, True)
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
    """1 where the paraphrase is above the alteration, a half where they are the same."""
    paraphrase, alteration = scores.reshape(-1, 2).T
    missing = np.isnan(paraphrase) | np.isnan(alteration)
    found = np.where(paraphrase > alteration, 1.0, np.where(paraphrase == alteration, 0.5, 0.0))
    return np.where(missing, np.nan, found)
