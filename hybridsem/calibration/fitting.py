"""Fitting a calibration to labelled pairs, and figures on held-out pairs with intervals of 95 %.

Held-out pairs share no sentence with others; the curve that is saved is fitted to all pairs. Platt
(1999) is a logistic curve; isotonic regression follows any rising curve and needs more pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from hybridsem._typing import BoolArray, Float64Array, Plain
from hybridsem._utils.predictors import Curve, Logistic, Predictor
from hybridsem._version import __version__
from hybridsem.calibration.labelled import MIN_CLASS, LabelledPairs
from hybridsem.calibration.model import EDGE, INPUTS, SCORE, Calibration, inputs_of_pairs
from hybridsem.datasets.splits import Fold, components, grouped
from hybridsem.errors import InputError
from hybridsem.judge.labels import Assume, checked
from hybridsem.reader import HoldsReader, Reader, reader_of

ISOTONIC_FROM = 1000  # the number of pairs from which isotonic regression is the default
RIDGE = 3.0  # the penalty on the weights of several standardised inputs
STEPS = 100
BINS = 10
THRESHOLDS = tuple(round(0.1 * step, 1) for step in range(1, 10))


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
    """Probabilities and labels of held-out pairs; a row of ``counts`` is a bootstrap sample."""

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
        bins = (self._bin == number for number in np.unique(self._bin))
        p, y = self.probabilities, self.positive
        return [Bin(float(p[at].mean()), float(y[at].mean()), int(at.sum())) for at in bins]

    def expected_at(self, threshold: float) -> Expected:
        """Return what to expect at a threshold."""
        taken = self.probabilities >= threshold
        selected, positives = self.counts @ taken, self.counts @ self.positive
        hits, total = self.counts @ (taken & self.positive), self.counts.sum(1)

        def share(part: Float64Array, of: Float64Array) -> Figure:
            return _interval(np.divide(part, of, out=np.full(len(part), np.nan), where=of > 0))

        false_positives = share(selected - hits, total - positives)
        shares = share(hits, selected), share(hits, positives), false_positives
        return Expected(threshold, *shares, share(selected, total))


def _interval(values: Float64Array) -> Figure:
    """Return the first value, with the middle 95 % of the others."""
    if np.isnan(values[0]):
        return Figure(None)
    defined = values[1:][~np.isnan(values[1:])]
    if len(defined) < 20:
        return Figure(float(values[0]))
    low, high = np.quantile(defined, [0.025, 0.975])
    return Figure(float(values[0]), float(low), float(high))


@dataclass(frozen=True)
class Calibrated:
    """A calibration, with its probabilities and figures of held-out pairs."""

    calibration: Calibration
    probabilities: Float64Array
    positive: BoolArray
    auc: Figure
    error: Figure
    chosen: Expected
    others: Sequence[Expected]
    bins: Sequence[Bin]
    notes: tuple[str, ...] = ()


def platt(X: Float64Array, y: BoolArray) -> Predictor:
    """Fit a logistic curve by Newton's method; several inputs are standardised and shrunk."""
    mean, scale = X.mean(0), X.std(0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    Z = np.column_stack([(X - mean) / scale, np.ones(len(X))])
    above, below = int(y.sum()), int((~y).sum())
    target = np.where(y, (above + 1) / (above + 2), 1 / (below + 2))
    shrink = np.full(Z.shape[1], RIDGE if X.shape[1] > 1 else 1e-3)
    shrink[-1] = 0.0
    w = np.zeros(Z.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-np.clip(Z @ w, -30, 30)))
        slope = Z.T @ (p - target) + shrink * w
        curvature = (Z * (p * (1 - p))[:, None]).T @ Z + np.diag(shrink + 1e-9)
        step = np.linalg.solve(curvature, slope)
        w -= step * min(1.0, 5 / (np.abs(step).max() + 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    weights = w[:-1] / scale
    return Logistic(weights, float(w[-1] - weights @ mean))


def isotonic(X: Float64Array, y: BoolArray) -> Curve:
    """Fit a curve that rises with the score, or falls if positive pairs have lower scores."""
    from scipy.optimize import isotonic_regression

    score = X[:, 0]
    sign = 1.0 if np.cov(score, y)[0, 1] >= 0 else -1.0
    x, place, counts = np.unique(sign * score, return_inverse=True, return_counts=True)
    values = isotonic_regression(np.bincount(place, y) / counts, weights=counts).x
    edge = np.ones(len(x), bool)  # the two ends of each flat part
    edge[1:-1] = (values[1:-1] != values[:-2]) | (values[1:-1] != values[2:])
    order = slice(None, None, int(sign))
    return Curve((sign * x[edge])[order], values[edge][order])


# From inputs (n, inputs) and labels (n,) to a predictor of probabilities.
Fit = Callable[[Float64Array, BoolArray], Predictor]
AUTO = "auto"
FITS: Mapping[str, Fit] = {"platt": platt, "isotonic": isotonic}


def calibrate(
    pipeline: Reader | HoldsReader,
    data: LabelledPairs,
    *,
    of: str = SCORE,
    assume: str = Assume.SITUATION,
    precision: float | None = None,
    recall: float | None = None,
    cost: tuple[float, float] | None = None,
    folds: int = 5,
    seed: int = 0,
    resamples: int = 1000,
) -> Calibrated:
    """Fit a calibration to pairs, and measure it on held-out pairs. The curve is isotonic for the
    scores of 1,000 pairs or more, otherwise Platt's.

    Args:
        pipeline: The model that scores or judges.
        data: The result of :func:`labelled`.
        of: ``score``, or ``judgement``: what ``Pipeline.judge`` reads (``hybrid``).
        assume: What a judgement assumes that both texts speak of, as for ``Pipeline.judge``; with
            ``auto``, that with the least log loss on held-out pairs.
        precision: Target: the threshold with the highest recall at this precision or more.
        recall: Target: the highest threshold with this recall or more.
        cost: Target: the least cost, given the costs of a false positive and of a false negative;
            (1, 1) without any target.
        folds: Parts that are held out in turn; no sentence is in two of them.
        seed: The seed of folds and resamples.
        resamples: The number of resamples of the intervals.

    Raises :class:`InputError` if the settings or data cannot be used, or no threshold reaches the
    target.

    >>> from hybridsem import Pipeline
    >>> from hybridsem.calibration import labelled
    >>> same = [(f"Bus {n} is late.", f"Late is bus {n}.", 1) for n in range(10, 35)]
    >>> other = [(f"Bus {n} is late.", f"Shop {n} sells apples.", 0) for n in range(40, 65)]
    >>> data = labelled(same + other)
    >>> result = calibrate(Pipeline("embedded"), data, precision=0.9, resamples=50)
    >>> result.auc.value > 0.9, 0 < result.chosen.threshold < 1
    (True, True)
    """
    targets = {"precision": precision, "recall": recall, "cost": cost}
    target = {name: value for name, value in targets.items() if value is not None}
    _check(of, assume, target)
    reader = reader_of(pipeline)
    read, data = _inputs(reader, data, of, [*Assume] if assume == AUTO else [checked(assume)])
    y, notes = data.positive, [*data.notes]
    if of == SCORE:
        notes += _inverted(HeldOut(read[Assume.SITUATION][:, 0], y, resamples, seed), data.what)
    method = "isotonic" if of == SCORE and len(y) >= ISOTONIC_FROM else "platt"
    fit, folds = FITS[method], min(folds, int(components(data.pairs).max()) + 1)
    parts = grouped(data.pairs, folds, seed)
    found = {one: _held_out_probabilities(fit, X, y, parts) for one, X in read.items()}
    losses = {one: float(-np.log(np.where(y, p, 1 - p)).mean()) for one, p in found.items()}
    best = min(losses, key=lambda one: losses[one])
    if assume == AUTO:
        told = ", ".join(f"{one} {loss:.3f}" for one, loss in losses.items())
        notes.append(f"log loss by assumption: {told}; chosen: {best}")
    held_out = HeldOut(found[best], y, resamples, seed)
    chosen = held_out.expected_at(_threshold(found[best], y, precision, recall, cost))
    area, error = held_out.auc, held_out.calibration_error
    figures = {"auc": area, "calibration_error": error}
    figures |= {"precision": chosen.precision, "recall": chosen.recall}
    training: Plain = {"pairs": len(y), "positive": int(y.sum()), "what": data.what}
    training |= {"method": method, "wanted": target, "folds": folds, "seed": seed}
    training["held_out"] = {name: figure.value for name, figure in figures.items()}
    if contents := dict(reader.parts.contents):
        training["contents"] = contents
    calibration = Calibration(
        pipeline=reader.parts.settings,
        of=of,
        assume=str(best),
        model=fit(read[best], y),
        threshold=chosen.threshold,
        training=training,
        versions={"hybridsem": __version__, "numpy": np.__version__},
    )
    others = [held_out.expected_at(threshold) for threshold in THRESHOLDS]
    measured = area, error, chosen, others, held_out.bins, tuple(notes)
    return Calibrated(calibration, found[best], y, *measured)


def _inputs(
    reader: Reader, data: LabelledPairs, of: str, assumed: Sequence[Assume]
) -> tuple[dict[Assume, Float64Array], LabelledPairs]:
    """Return the inputs (n, inputs) under each assumption, and the pairs that have them."""
    read = {one: inputs_of_pairs(reader, data.pairs, of, one) for one in assumed}
    usable = np.asarray(~np.isnan(read[assumed[0]]).any(axis=1))
    if usable.all():
        return read, data
    failed = f"{int((~usable).sum())} pairs have a sentence without parse and are left out"
    pairs, notes = [*compress(data.pairs, usable)], (*data.notes, failed)
    left = replace(data, pairs=pairs, positive=data.positive[usable], notes=notes)
    return {one: inputs[usable] for one, inputs in read.items()}, left


def _inverted(scores: HeldOut, what: str) -> list[str]:
    """Return a note if the positive pairs score lower than the negative ones."""
    area = scores.auc
    if area.high is None or area.high >= 0.5:
        return []
    why = f"positive pairs ({what}) score lower than negative ones"
    how = "if the labels are inverted, name the positive one with positive="
    return [f"{why} (AUC {area.value:.2f}); {how} (--positive LABEL)"]


def _held_out_probabilities(
    fit: Fit, X: Float64Array, y: BoolArray, folds: Sequence[Fold]
) -> Float64Array:
    """Return the probability of each pair by a curve that is fitted to the other folds, (n,)."""
    probabilities = np.full(len(y), np.nan)
    for rows, tested in folds:
        if y[rows].all() or not y[rows].any():
            why = "the pairs of one kind share their sentences, so none can be held out"
            raise InputError(f"{why}; add others")
        predicted = fit(X[rows], y[rows]).predict(X[tested])
        probabilities[tested] = np.clip(predicted, EDGE, 1 - EDGE)
    return probabilities


def _check(of: str, assume: str, target: Mapping[str, float | tuple[float, float]]) -> None:
    if of not in INPUTS:
        raise InputError(f"unknown input, got of={of!r}; it is one of {', '.join(INPUTS)}")
    if of == SCORE and assume != Assume.SITUATION:
        raise InputError(f"assume is for of='judgement', got {assume!r}")
    if len(target) > 1:
        raise InputError(f"choose one target, got {' and '.join(target)}")
    for name, value in target.items():
        if isinstance(value, tuple):
            if min(value) < 0 or not max(value) > 0:
                raise InputError(f"costs are at least 0 and not both 0, got {value!r}")
        elif not 0 < value <= 1:
            raise InputError(f"{name} lies between 0 and 1, got {value!r}")


def _threshold(
    probabilities: Float64Array,
    y: BoolArray,
    precision: float | None,
    recall: float | None,
    cost: tuple[float, float] | None,
) -> float:
    """Return the threshold for the target, halfway to the next lower probability."""
    order = np.argsort(-probabilities, kind="stable")
    ranked, hits = probabilities[order], np.cumsum(y[order])
    last = np.append(ranked[1:] < ranked[:-1], True)
    taken = np.flatnonzero(last)  # the rank of the last pair that each threshold can select
    precisions, recalls = hits[taken] / (taken + 1), hits[taken] / y.sum()
    if precision is not None:
        enough = taken + 1 >= MIN_CLASS  # the precision of two or three pairs means nothing
        good = taken[enough & (precisions >= precision)]
        if not len(good):
            why = f"no threshold has a precision of {precision:g} on held-out pairs"
            raise InputError(f"{why}; the highest is {precisions[enough].max():.3f}")
        at = int(good[-1])
    elif recall is not None:
        at = int(taken[recalls >= recall][0])
    else:
        wrong, missed = cost or (1.0, 1.0)
        spent = wrong * (taken + 1 - hits[taken]) + missed * (y.sum() - hits[taken])
        at = int(taken[spent.argmin()])
    below = ranked[at + 1] if at + 1 < len(probabilities) else 0.0
    return float((ranked[at] + below) / 2)
