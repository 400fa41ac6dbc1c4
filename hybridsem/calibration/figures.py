"""Figures on held-out pairs, each with a bootstrap interval of 95 %."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hybridsem._typing import BoolArray, Float64Array

BINS = 10


@dataclass(frozen=True)
class Figure:
    """A figure with its interval; None if it is not defined."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Expected:
    """Expected figures at a threshold.

    ``precision`` is the share of the selected pairs that are positive. The others are shares that
    are selected: ``recall`` of the positive pairs, ``false_positives`` of the negative pairs,
    ``positives`` of all.
    """

    threshold: float
    precision: Figure
    recall: Figure
    false_positives: Figure
    positives: Figure


@dataclass(frozen=True)
class Bin:
    """Pairs of similar probability: its mean, the share that is positive, the number of pairs."""

    probability: float
    positive: float
    pairs: int


class HeldOut:
    """Probabilities and labels of n held-out pairs, with bootstrap samples of them. A row of
    ``counts``, (1 + resamples, n), is how often each pair counts: once, then as drawn.
    """

    def __init__(
        self, probabilities: Float64Array, positive: BoolArray, resamples: int, seed: int
    ) -> None:
        self.probabilities, self.positive, n = probabilities, positive, len(positive)
        random = np.random.default_rng(seed)
        drawn = random.multinomial(n, np.full(n, 1 / n), size=resamples)
        self.counts: Float64Array = np.vstack([np.ones((1, n)), drawn])
        self._bin = np.minimum((probabilities * BINS).astype(int), BINS - 1)

    @property
    def auc(self) -> Figure:
        """The area under the ROC curve."""
        order = np.argsort(self.probabilities, kind="stable")
        _, starts = np.unique(self.probabilities[order], return_index=True)
        areas = []
        for counts in self.counts:
            above = np.add.reduceat((counts * self.positive)[order], starts)
            below = np.add.reduceat((counts * ~self.positive)[order], starts)
            total = above.sum() * below.sum()
            won = (above * (np.cumsum(below) - below / 2)).sum()
            areas.append(won / total if total else np.nan)
        return _interval(np.array(areas))

    @property
    def calibration_error(self) -> Figure:
        """The expected calibration error in bins of equal width."""
        errors = []
        for counts in self.counts:
            expected = np.bincount(self._bin, counts * self.probabilities)
            positive = np.bincount(self._bin, counts * self.positive)
            errors.append(np.abs(expected - positive).sum() / counts.sum())
        return _interval(np.array(errors))

    @property
    def bins(self) -> list[Bin]:
        """The bins that have pairs, for a reliability plot."""
        return [
            Bin(
                float(self.probabilities[rows].mean()),
                float(self.positive[rows].mean()),
                int(rows.sum()),
            )
            for rows in (self._bin == number for number in np.unique(self._bin))
        ]

    def expected_at(self, threshold: float) -> Expected:
        """Return what to expect at a threshold."""
        taken = self.probabilities >= threshold
        selected, positives = self.counts @ taken, self.counts @ self.positive
        hits, total = self.counts @ (taken & self.positive), self.counts.sum(1)

        def share(part: Float64Array, of: Float64Array) -> Figure:
            return _interval(np.divide(part, of, out=np.full(len(part), np.nan), where=of > 0))

        return Expected(
            threshold,
            share(hits, selected),
            share(hits, positives),
            share(selected - hits, total - positives),
            share(selected, total),
        )


def _interval(values: Float64Array) -> Figure:
    """Return the first value, with the middle 95 % of the others."""
    if np.isnan(values[0]):
        return Figure(None)
    defined = values[1:][~np.isnan(values[1:])]
    if len(defined) < 20:
        return Figure(float(values[0]))
    low, high = np.quantile(defined, [0.025, 0.975])
    return Figure(float(values[0]), float(low), float(high))
