"""Scores as classifiers: areas under curves and bests of any threshold; F1 of labels; intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from hybridsem._typing import AnyArray, BoolArray, Float64Array
from hybridsem.evaluation.statistics import rating_correlations as stats
from hybridsem.evaluation.statistics.rating_correlations import Difference, Estimate
from hybridsem.evaluation.statistics.resampling import of_many_rows, resampled_counts


class _Sweep(NamedTuple):
    """The selection of each threshold, (b, t); thresholds are distinct scores, highest first."""

    true_positives: AnyArray
    false_positives: AnyArray
    positives: AnyArray  # (b, 1)
    negatives: AnyArray


def _area(sweep: _Sweep) -> Float64Array:
    """Return the area under the ROC curve; a tie counts half."""
    tp, fp, positives, negatives = sweep
    before = np.concatenate([np.zeros_like(positives), tp[:, :-1]], axis=1)
    gained = np.diff(fp, axis=1, prepend=0)
    won = (gained * (before + tp)).sum(axis=1, keepdims=True) / 2
    return _quotient(won, positives * negatives)


def _average_precision(sweep: _Sweep) -> Float64Array:
    """Return precision at each threshold, weighted by the positives that it adds."""
    tp, fp, positives, _ = sweep
    precision = np.divide(tp, tp + fp, out=np.zeros(tp.shape), where=tp + fp > 0)
    gained = np.diff(tp, axis=1, prepend=0)
    return _quotient((gained * precision).sum(axis=1, keepdims=True), positives)


def _best_f1(sweep: _Sweep) -> Float64Array:
    tp, fp, positives, _ = sweep
    selected = tp + fp + positives
    f1 = np.divide(2 * tp, selected, out=np.zeros(tp.shape), where=selected > 0)
    return _quotient(f1.max(axis=1, keepdims=True), (positives > 0).astype(float))


def _best_accuracy(sweep: _Sweep) -> Float64Array:
    tp, fp, positives, negatives = sweep
    right = np.concatenate([negatives, tp + negatives - fp], axis=1).max(axis=1, keepdims=True)
    return _quotient(right, positives + negatives)


def _quotient(part: AnyArray, whole: AnyArray) -> Float64Array:
    shares = np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
    return np.asarray(shares[:, 0])


#: A best is that of any threshold on the same rows.
CLASSIFICATION_MEASURES: Mapping[str, Callable[[_Sweep], Float64Array]] = {
    "auc": _area,
    "average precision": _average_precision,
    "best f1": _best_f1,
    "best accuracy": _best_accuracy,
}


def _sweeping(scores: Float64Array, positive: BoolArray) -> Callable[[AnyArray], _Sweep]:
    """Return the function of the counts (b, n) of drawn rows that gives thresholds' selections."""
    order = np.argsort(-scores, kind="stable")
    positive = positive[order]
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)  # of ties

    def sweep(counts: AnyArray) -> _Sweep:
        drawn = counts[:, order]
        selected = np.cumsum(drawn, axis=1)[:, ends]
        tp = np.cumsum(drawn * positive, axis=1)[:, ends].astype(np.float64)
        fp = selected - tp
        return _Sweep(tp, fp, tp[:, -1:], fp[:, -1:])

    return sweep


def classification(
    scores: ArrayLike,
    positive: ArrayLike,
    measures: Sequence[str] = tuple(CLASSIFICATION_MEASURES),
    resamples: int = stats.RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> dict[str, Estimate]:
    """Return how well scores (n,), NaN if missing, separate positive rows from others, with
    intervals.

    >>> scores, positive = [0.9, 0.8, 0.3, 0.1], [True, True, False, False]
    >>> classification(scores, positive, ["auc"], resamples=100)["auc"].value
    1.0
    """
    values, drawn, n, missing, reason = _separated([scores], positive, measures, resamples, seed)
    if reason:
        return dict.fromkeys(measures, Estimate(None, None, None, n, missing, reason))
    by_measure = zip(measures, values[0].tolist(), drawn[0], strict=True)
    return {name: stats.estimated(value, own, level, n, missing) for name, value, own in by_measure}


def paired_classification(
    first: ArrayLike,
    second: ArrayLike,
    positive: ArrayLike,
    measure: str,
    resamples: int = stats.RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> Difference:
    """Return the first scores' statistic minus the second's, by a paired bootstrap."""
    given = [first, second], positive, [measure], resamples, seed
    values, drawn, n, missing, reason = _separated(*given)
    if reason:
        return Difference(None, None, None, n, missing, reason)
    one, other = values[:, 0].tolist()
    return stats.difference(one - other, drawn[0, 0] - drawn[1, 0], n, missing, level)


def macro_f1(
    predicted: ArrayLike,
    gold: ArrayLike,
    resamples: int = stats.RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """Return the mean F1 over the classes of the data, numbers from 0; a predicted NaN is missing.

    >>> macro_f1([0, 0, 1, 1], [0, 1, 1, 1], resamples=0).value.__round__(3)
    0.733
    """
    (guessed,), labels, missing = stats.complete_rows([predicted], gold)
    if not len(labels):
        return Estimate(None, None, None, 0, missing, "no row has a label")
    size = int(max(guessed.max(), labels.max())) + 1
    known = np.unique(labels).astype(int)

    def of_counts(cells: Sequence[AnyArray]) -> Callable[[AnyArray], AnyArray]:
        at = np.eye(size * size)[cells[0].astype(int)]

        def mean_f1(counts: AnyArray) -> AnyArray:
            table = (counts @ at).reshape(-1, size, size)
            total = table.sum(axis=1) + table.sum(axis=2)
            both = np.diagonal(table, axis1=1, axis2=2)
            f1 = np.divide(2 * both, total, out=np.zeros(total.shape), where=total > 0)
            return np.asarray(f1[:, known].mean(axis=1)[None])

        return mean_f1

    [value], [drawn] = _with_resamples([guessed * size + labels], of_counts, resamples, seed)
    return stats.estimated(float(value), drawn, level, len(labels), missing)


def _separated(
    scores: Sequence[ArrayLike], positive: ArrayLike, measures: Sequence[str], *drawing: int
) -> tuple[Float64Array, Float64Array, int, int, str]:
    """Return statistics, their resamples, the rows, those missing, and why all are undefined."""
    rows, ratings, missing = stats.complete_rows(scores, positive)
    labels, shape = ratings > 0, (len(rows), len(measures))
    if labels.all() or not labels.any():
        why = f"{int(labels.sum())} of {len(labels)} rows are positive: nothing to distinguish"
        return np.empty(shape), np.empty((*shape, 0)), len(labels), missing, why

    def of_counts(columns: Sequence[AnyArray]) -> Callable[[AnyArray], AnyArray]:
        sweeps = [_sweeping(row, columns[-1]) for row in columns[:-1]]
        return lambda counts: np.array(
            [CLASSIFICATION_MEASURES[m](sweep(counts)) for sweep in sweeps for m in measures]
        )

    values, drawn = _with_resamples([*rows, labels], of_counts, *drawing)
    return values.reshape(shape), drawn.reshape(*shape, -1), len(labels), missing, ""


OfCounts = Callable[[Sequence[AnyArray]], Callable[[AnyArray], AnyArray]]


def _with_resamples(
    columns: Sequence[AnyArray], of_counts: OfCounts, resamples: int, seed: int
) -> tuple[AnyArray, AnyArray]:
    """Return m statistics of columns, (m,), and in the resamples, (m, resamples)."""

    def observed(rows: Sequence[AnyArray]) -> AnyArray:
        return np.asarray(of_counts(rows)(np.ones((1, len(rows[-1])), np.int32))[:, 0])

    def drawn(rows: Sequence[AnyArray]) -> AnyArray:
        return resampled_counts(of_counts(rows), len(rows[-1]), resamples, seed)

    values = observed(columns)
    if not resamples:
        return values, np.empty((len(values), 0))
    return values, of_many_rows(columns, observed, drawn, seed)
