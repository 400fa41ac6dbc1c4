"""Calibrating on own pairs: from scores to probabilities, and a threshold for what is wanted.

    labelled     pairs with labels or ratings -> what is positive
    calibrate    inputs -> held-out probabilities by folds that share no sentence -> the threshold
                 and what to expect of it -> the fit to all pairs

Platt's method (1999) is a logistic curve, with his smoothed targets; isotonic regression follows
any rising curve, and needs more pairs (Niculescu-Mizil & Caruana 2005): from a thousand on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import hybridsem
from hybridsem._typing import BoolArray, Float64Array
from hybridsem._utils.validation import problem
from hybridsem.errors import InputError, listed
from hybridsem.judge.calibration import INPUTS, SCORE, Calibration
from hybridsem.pipeline import Pipeline
from hybridsem.tables import Pair
from hybridsem.training.splits import components, grouped

METHODS = ("platt", "isotonic")
MIN_PAIRS, MIN_CLASS = 50, 10
ISOTONIC_FROM = 1000
"""The pairs from which isotonic regression is chosen."""
RIDGE = 3.0
"""What holds the weights of several standardised inputs small."""
BINS = 10
STEPS = 100
LABELS = ("label", "gold_label", "entailment_judgment", "is_duplicate", "same")
"""Columns that hold a label, where none is named."""
POSITIVE = frozenset({"1", "1.0", "true", "yes", "same", "paraphrase", "duplicate"})
NEGATIVE = frozenset({"0", "0.0", "false", "no", "different", "not duplicate", "non-duplicate"})
THRESHOLDS = tuple(round(0.1 * step, 1) for step in range(1, 10))


@dataclass(frozen=True)
class LabelledPairs:
    """Pairs, and whether each is positive, (n,); ``what`` says what that means.

    >>> found = LabelledPairs([("It rains.", "It pours.")], np.array([True]), "same")
    >>> found.positive.tolist()
    [True]
    """

    pairs: Sequence[tuple[str, str]]
    positive: BoolArray
    what: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A figure on held-out pairs with its interval of 95 %; None where it is not defined.

    >>> Figure(0.91, 0.88, 0.94).value
    0.91
    """

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Expected:
    """What to expect at a threshold: of the pairs taken for positive how many are (precision), of
    the positive ones how many are found (recall), of the negative ones how many are taken for
    positive, and of all how many are.
    """

    threshold: float
    precision: Figure
    recall: Figure
    false_positives: Figure
    positives: Figure


@dataclass(frozen=True)
class Bin:
    """Pairs of about the same probability: its mean, the share that is positive, how many.

    >>> found = Bin(probability=0.55, positive=0.6, pairs=20)
    >>> found.pairs
    20
    """

    probability: float
    positive: float
    pairs: int


@dataclass(frozen=True)
class Calibrated:
    """A calibration, and what it is worth on pairs that were held out."""

    calibration: Calibration
    probabilities: Float64Array
    positive: BoolArray
    auc: Figure
    error: Figure
    chosen: Expected
    others: Sequence[Expected]
    bins: Sequence[Bin]
    notes: tuple[str, ...] = ()


def labelled(
    pairs: Iterable[Pair | tuple[str, str, Any]],
    positive: Sequence[str] = (),
    rating_from: float | None = None,
) -> LabelledPairs:
    """Check labelled or rated pairs: records of ``read_pairs``, whose label is the third of the
    named columns or a column ``label``, or (text, text, label). The labels that count as positive
    are 1, true, same, paraphrase, duplicate if not given; where there are ratings, those from
    ``rating_from`` on.

    Raises :class:`InputError` for texts or labels that cannot be used, fewer than 50 pairs, one
    class only.

    >>> pairs = [(f"Order {n} is here.", "It has come.", n % 2) for n in range(50)]
    >>> data = labelled(pairs)
    >>> len(data.pairs), int(data.positive.sum())
    (50, 25)
    """
    if positive and rating_from is not None:
        raise InputError("positive labels and a rating from which pairs are positive exclude")
    texts: list[tuple[str, str]] = []
    labels: list[str] = []
    missing = 0
    for row, pair in enumerate(pairs):
        one, two, label = _record(pair)
        if label in ("", "-", "nan"):
            missing += 1
            continue
        for side, text in ((1, one), (2, two)):
            if (why := problem(text)) is not None:
                where = f"line {pair.line}" if isinstance(pair, Pair) else f"pair {row}"
                raise InputError(f"{where}, sentence {side}: {why}")
        texts.append((one, two))
        labels.append(label)
    if len(texts) < MIN_PAIRS:
        raise InputError(f"at least {MIN_PAIRS} labelled pairs are needed, got {len(texts)}")
    found, what = _classes(labels, positive, rating_from)
    if found.all() or not found.any():
        which = "positive" if found.any() else "negative"
        raise InputError(
            f"all {len(found)} pairs are {which} ({what}); pairs of both kinds are needed"
        )
    if (least := int(min(found.sum(), (~found).sum()))) < MIN_CLASS:
        raise InputError(
            f"at least {MIN_CLASS} positive and {MIN_CLASS} negative pairs are needed, got "
            f"{int(found.sum())} and {int((~found).sum())} ({what}; {least} are too few)"
        )
    notes = (f"{missing} pairs have no label and are left out",) if missing else ()
    return LabelledPairs(texts, found, what, notes)


def _record(pair: Pair | tuple[str, str, Any]) -> tuple[str, str, str]:
    """Two texts and the label in lower case, "" without one."""
    if not isinstance(pair, Pair):
        one, two, value = pair
    else:
        one, two, value = pair.text1, pair.text2, pair.gold
        name = pair.layout.gold if pair.layout is not None else None
        if name is None:
            name = next((name for name in LABELS if name in (pair.fields or {})), None)
        if name is not None and pair.fields:
            value = pair.fields.get(name)
    return one, two, "" if value is None else str(value).strip().casefold()


def _classes(
    labels: Sequence[str], positive: Sequence[str], rating_from: float | None
) -> tuple[BoolArray, str]:
    """Return which labels are positive, and what that means."""
    known = sorted(set(labels))
    if rating_from is not None:
        try:
            ratings = np.array(list(map(float, labels)))
        except ValueError:
            raise InputError(f"ratings are numbers, got the labels {listed(known)}") from None
        return ratings >= rating_from, f"rated {rating_from:g} or more"
    if positive:
        wanted = {one.strip().casefold() for one in positive}
        if unknown := sorted(wanted - set(known)):
            raise InputError(f"no pair has the label {unknown[0]!r}; they have {listed(known)}")
        return np.array([label in wanted for label in labels]), " or ".join(sorted(wanted))
    if not set(known) <= POSITIVE | NEGATIVE:
        if (span := _span(known)) is not None:
            raise InputError(
                f"these are ratings, from {span[0]:g} to {span[1]:g}, and not labels; name the "
                "lowest rating of a positive pair with rating_from= (--from RATING)"
            )
        raise InputError(
            f"it is not clear which labels are positive, got {listed(known)}; say it with "
            "positive= (--positive LABEL)"
        )
    return np.array([label in POSITIVE for label in labels]), "the same"


def _span(labels: Iterable[str]) -> tuple[float, float] | None:
    """Return the lowest and highest of labels that are all numbers, else None."""
    try:
        ratings = [float(label) for label in labels]
    except ValueError:
        return None
    return min(ratings), max(ratings)


# --- fitting


Fitted = tuple[tuple[float, ...], float, tuple[float, ...], tuple[float, ...]]
"""Weights, bias, knots, values."""


def _platt(X: Float64Array, y: BoolArray) -> Fitted:
    """A logistic curve by Newton's method; several inputs are standardised and shrunk."""
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
    return tuple(map(float, weights)), float(w[-1] - weights @ mean), (), ()


def _isotonic(X: Float64Array, y: BoolArray) -> Fitted:
    """A curve that rises with the score, or falls where the score does not speak for the label."""
    from scipy.optimize import isotonic_regression

    score = X[:, 0]
    sign = 1.0 if np.cov(score, y)[0, 1] >= 0 else -1.0
    x, place, counts = np.unique(sign * score, return_inverse=True, return_counts=True)
    means = np.bincount(place, y) / counts
    curve = isotonic_regression(means, weights=counts).x
    # Of a flat part the two ends are enough.
    edge = np.ones(len(x), bool)
    edge[1:-1] = (curve[1:-1] != curve[:-2]) | (curve[1:-1] != curve[2:])
    return (sign,), 0.0, tuple(x[edge].tolist()), tuple(curve[edge].tolist())


FITS: Mapping[str, Callable[[Float64Array, BoolArray], Fitted]] = {
    "platt": _platt,
    "isotonic": _isotonic,
}


def calibrate(
    pipeline: Pipeline,
    data: LabelledPairs,
    *,
    of: str = SCORE,
    method: str | None = None,
    precision: float | None = None,
    recall: float | None = None,
    cost: tuple[float, float] | None = None,
    folds: int = 5,
    seed: int = 0,
    resamples: int = 1000,
) -> Calibrated:
    """A calibration for these pairs, and what to expect of it.

    Args:
        pipeline: What scores, or judges.
        data: From :func:`labelled`.
        of: ``score``, or ``judgement``: what ``Pipeline.judge`` sees (the hybrid).
        method: ``platt`` or ``isotonic``; None: isotonic for the score of a thousand pairs or more.
        precision: Wanted: the threshold that finds most with at least this precision.
        recall: Wanted: the highest threshold with at least this recall.
        cost: Wanted: the least cost, of a false positive and of a false negative; (1, 1) if nothing
            is wanted.
        folds: Parts that are held out in turn; no sentence is in two of them.
        seed: Of folds and resamples.
        resamples: Of the intervals.

    Raises:
        InputError: Settings or data that cannot be used; what is wanted is not reached.

    >>> from hybridsem import Pipeline
    >>> same = [(f"Bus {n} is late.", f"Late is bus {n}.", 1) for n in range(10, 35)]
    >>> other = [(f"Bus {n} is late.", f"Shop {n} sells apples.", 0) for n in range(40, 65)]
    >>> found = calibrate(Pipeline("embedded"), labelled(same + other), precision=0.9, resamples=50)
    >>> found.auc.value > 0.9, 0 < found.chosen.threshold < 1
    (True, True)
    """
    wanted = {"precision": precision, "recall": recall, "cost": cost}
    given = {name: value for name, value in wanted.items() if value is not None}
    _check(of, method, given)
    inputs = np.full((len(data.pairs), INPUTS[of]), np.nan)
    inputs[:] = pipeline._calibration_inputs(data.pairs, of)
    usable = ~np.isnan(inputs).any(axis=1)
    notes = [*data.notes]
    if failed := int((~usable).sum()):
        notes.append(f"{failed} pairs have a sentence without parse and are left out")
    X, y = inputs[usable], data.positive[usable]
    pairs = [pair for pair, ok in zip(data.pairs, usable, strict=True) if ok]
    name = method or ("isotonic" if of == SCORE and len(y) >= ISOTONIC_FROM else "platt")
    fit = FITS[name]

    def made(fitted: Fitted, threshold: float, training: Mapping[str, Any]) -> Calibration:
        weights, bias, knots, values = fitted
        versions = {"hybridsem": hybridsem.__version__, "numpy": np.__version__}
        return Calibration(
            pipeline.settings, of, weights, bias, threshold, knots, values, training, versions
        )

    groups = int(components(pairs).max()) + 1
    found = np.full(len(y), np.nan)
    for rows, tested in grouped(pairs, min(folds, groups), seed):
        if y[rows].all() or not y[rows].any():
            raise InputError(
                "the pairs of one kind share their sentences, so none can be held out; add others"
            )
        found[tested] = made(fit(X[rows], y[rows]), 0.5, {}).probabilities(X[tested])
    counts = _resampled(len(y), resamples, seed)
    threshold = _threshold(found, y, given)
    chosen = _expected(found, y, threshold, counts)
    others = [_expected(found, y, at, counts) for at in THRESHOLDS]
    auc, error = _figure(_auc, found, y, counts), _figure(_error, found, y, counts)
    training = {
        "pairs": len(y),
        "positive": int(y.sum()),
        "what": data.what,
        "method": name,
        "wanted": {
            key: list(value) if isinstance(value, tuple) else value for key, value in given.items()
        },
        "folds": min(folds, groups),
        "seed": seed,
        "held_out": {
            "auc": auc.value,
            "calibration_error": error.value,
            "precision": chosen.precision.value,
            "recall": chosen.recall.value,
        },
        **({"contents": contents} if (contents := dict(pipeline.contents)) else {}),
    }
    calibration = made(fit(X, y), threshold, training)
    bins = _bins(found, y)
    return Calibrated(calibration, found, y, auc, error, chosen, others, bins, tuple(notes))


def _check(of: str, method: str | None, given: Mapping[str, Any]) -> None:
    if of not in INPUTS:
        raise InputError(f"unknown input, got of={of!r}; it is one of {', '.join(INPUTS)}")
    if method is not None and method not in METHODS:
        raise InputError(f"unknown method, got {method!r}; it is one of {', '.join(METHODS)}")
    if method == "isotonic" and of != SCORE:
        raise InputError("isotonic regression is for the score; a judgement has several numbers")
    if len(given) > 1:
        raise InputError(f"one thing can be wanted at a time, got {' and '.join(given)}")
    for name in ("precision", "recall"):
        if name in given and not 0 < given[name] <= 1:
            raise InputError(f"{name} lies between 0 and 1, got {given[name]!r}")
    if "cost" in given and (min(given["cost"]) < 0 or not max(given["cost"]) > 0):
        raise InputError(f"costs are at least 0 and not both 0, got {given['cost']!r}")


def _threshold(found: Float64Array, y: BoolArray, given: Mapping[str, Any]) -> float:
    """The threshold for what is wanted, half way to the next lower probability."""
    order = np.argsort(-found, kind="stable")
    sorted_found, hits = found[order], np.cumsum(y[order])
    last = np.append(sorted_found[1:] < sorted_found[:-1], True)
    taken = np.flatnonzero(last)  # how many pairs a threshold can take, less one
    precision, recall = hits[taken] / (taken + 1), hits[taken] / y.sum()
    if "precision" in given:
        enough = taken + 1 >= MIN_CLASS  # a precision of two or three pairs says nothing
        good = taken[enough & (precision >= given["precision"])]
        if not len(good):
            raise InputError(
                f"no threshold has a precision of {given['precision']:g} on held-out pairs; the "
                f"most is {precision[enough].max():.3f}"
            )
        at = int(good[-1])
    elif "recall" in given:
        at = int(taken[recall >= given["recall"]][0])
    else:
        wrong, missed = given.get("cost", (1.0, 1.0))
        spent = wrong * (taken + 1 - hits[taken]) + missed * (y.sum() - hits[taken])
        at = int(taken[spent.argmin()])
    below = sorted_found[at + 1] if at + 1 < len(found) else 0.0
    return float((sorted_found[at] + below) / 2)


# --- figures, of rows that are counted so often


Counts = Float64Array


def _resampled(rows: int, resamples: int, seed: int) -> Counts:
    """How often each row counts: once, and then as drawn, (1 + resamples, rows)."""
    random = np.random.default_rng(seed)
    drawn = random.multinomial(rows, np.full(rows, 1 / rows), size=resamples)
    return np.vstack([np.ones((1, rows)), drawn])


def _figure(
    measure: Callable[[Float64Array, BoolArray, Float64Array], float],
    found: Float64Array,
    y: BoolArray,
    counts: Counts,
) -> Figure:
    return _interval(np.array([measure(found, y, row) for row in counts]))


def _interval(values: Float64Array) -> Figure:
    """The first value, with the middle 95 % of the others."""
    if np.isnan(values[0]):
        return Figure(None)
    defined = values[1:][~np.isnan(values[1:])]
    if len(defined) < 20:
        return Figure(float(values[0]))
    low, high = np.quantile(defined, [0.025, 0.975])
    return Figure(float(values[0]), float(low), float(high))


def _auc(found: Float64Array, y: BoolArray, counts: Float64Array) -> float:
    order = np.argsort(found, kind="stable")
    values, starts = np.unique(found[order], return_index=True)
    above = np.add.reduceat((counts * y)[order], starts)
    below = np.add.reduceat((counts * ~y)[order], starts)
    total = above.sum() * below.sum()
    won = (above * (np.cumsum(below) - below / 2)).sum()
    return float(won / total) if total and len(values) else float("nan")


def _error(found: Float64Array, y: BoolArray, counts: Float64Array) -> float:
    """The expected calibration error in bins of equal width."""
    place = np.minimum((found * BINS).astype(int), BINS - 1)
    expected, positive = np.bincount(place, counts * found), np.bincount(place, counts * y)
    return float(np.abs(expected - positive).sum() / counts.sum())


def _expected(found: Float64Array, y: BoolArray, threshold: float, counts: Counts) -> Expected:
    taken = found >= threshold
    selected, positives = counts @ taken, counts @ y
    hits, total = counts @ (taken & y), counts.sum(1)

    def share(part: Float64Array, whole: Float64Array) -> Figure:
        return _interval(np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0))

    return Expected(
        threshold,
        share(hits, selected),
        share(hits, positives),
        share(selected - hits, total - positives),
        share(selected, total),
    )


def _bins(found: Float64Array, y: BoolArray) -> list[Bin]:
    place = np.minimum((found * BINS).astype(int), BINS - 1)
    bins = []
    for one in np.unique(place):
        within = place == one
        bins.append(Bin(float(found[within].mean()), float(y[within].mean()), int(within.sum())))
    return bins
