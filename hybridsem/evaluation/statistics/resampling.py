"""Bootstrap resamples as counts of drawn rows, and the correlations of such weighted rows.

A resample of n rows is an array of n counts that sum to n, so the rows are sorted once. The midrank
of a value, minus the mean rank, is half of ``(drawn below or equal) + (drawn below) - n``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from hybridsem._typing import AnyArray
from hybridsem._utils.threads import cores

_Kind = Callable[[AnyArray], AnyArray]  # of counts (b, n) in b resamples -> (b,), or (columns, b)
OfColumns = Callable[[Sequence[AnyArray]], AnyArray]
Seed = int | Sequence[int]
FORM_ROWS = 4_096  #: the most rows of a matrix that is computed in 32 bit
MAX_ROWS = 5_000  # int32 then holds any sum of counts times counts, or ranks
CELLS = 30_000  # counts held at once: memory of small arrays is reused


def resampled(
    scores: AnyArray,
    gold: AnyArray,
    measures: Sequence[str],
    resamples: int,
    seed: int,
    items: AnyArray | None = None,
) -> dict[str, AnyArray]:
    """Return correlations (m, resamples) by measure; ``items`` are drawn with all their rows."""
    columns = [_Columns(row, gold) for row in scores]
    kinds = [_KINDS[measure](column) for measure in measures for column in columns]

    def correlations(counts: AnyArray) -> AnyArray:
        of_rows = counts if items is None else counts.take(items, axis=1)
        return np.array([kind(of_rows) for kind in kinds])

    rows = len(gold) if items is None else int(items.max()) + 1
    drawn = resampled_counts(correlations, rows, resamples, seed)
    return dict(zip(measures, drawn.reshape(-1, len(columns), resamples), strict=True))


def of_many_rows(
    rows: Sequence[AnyArray], statistic: OfColumns, drawn_of: OfColumns, seed: Seed
) -> AnyArray:
    """Return a statistic in resamples; beyond MAX_ROWS from a sample, its spread shrunk."""
    n = len(rows[0])
    if n <= MAX_ROWS:
        return drawn_of(rows)
    sample = np.sort(np.random.default_rng(seed).choice(n, MAX_ROWS, replace=False))
    some = [row[sample] for row in rows]
    apart = drawn_of(some) - statistic(some)[:, None]
    return np.asarray(statistic(rows)[:, None] + apart * np.sqrt(MAX_ROWS / n))


def resampled_columns(columns: Sequence[AnyArray], of: str, resamples: int, seed: Seed) -> AnyArray:
    """Return the means or medians of m complete columns in the same resamples, (m, resamples)."""
    kind = (_means if of == "mean" else _medians)(np.array(columns))
    return resampled_counts(kind, len(columns[0]), resamples, seed)


def resampled_forms(matrices: Sequence[AnyArray], resamples: int, seed: Seed) -> AnyArray:
    """Return the quadratic forms w'Mw of m matrices (n, n), w counting draws, (m, resamples)."""
    n = len(matrices[0])
    # Sums of whole numbers are exact below 2 ** 24: for up to 4,096 rows all pairs of drawn ones.
    number = np.float32 if n <= FORM_ROWS else np.float64

    def form(counts: AnyArray, matrix: AnyArray) -> AnyArray:
        drawn: AnyArray = counts.astype(number)
        sums: AnyArray = np.einsum("bi,bi->b", drawn @ matrix, drawn)
        return sums[None]

    # One matrix at a time is held.
    kinds = (partial(form, matrix=np.asarray(matrix, number)) for matrix in matrices)
    return np.concatenate([resampled_counts(kind, n, resamples, seed) for kind in kinds])


def resampled_counts(statistic: _Kind, rows: int, resamples: int, seed: Seed) -> AnyArray:
    """Return a statistic of the counts (b, rows) in each resample, (columns, resamples)."""
    sizes = np.diff(range(0, resamples, max(1, CELLS // rows)), append=resamples).tolist()
    seeds = np.random.SeedSequence(seed).spawn(len(sizes))

    def work(size: int, seed: np.random.SeedSequence) -> AnyArray:
        drawn = np.random.default_rng(seed).integers(rows, size=(size, rows))
        drawn += rows * np.arange(size)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
        return statistic(counts.astype(np.int32))

    with ThreadPoolExecutor(cores()) as pool:  # each chunk has its own seed: threads change nothing
        return np.concatenate(list(pool.map(work, sizes, seeds)), axis=1)


def observed(scores: AnyArray, gold: AnyArray, measure: str) -> float:
    """Return the correlation of the data, finite columns (n,): every row drawn once."""
    once = np.ones((1, len(gold)), np.int32)
    value = float(_KINDS[measure](_Columns(scores, gold))(once)[0])
    return min(1.0, max(-1.0, value))


class _Values:
    """Rows in ascending ``order``, the starts of distinct values, and the place of each's value."""

    def __init__(self, order: AnyArray, *columns: AnyArray) -> None:
        new = np.zeros(len(order), bool)
        for column in columns:
            new[1:] |= np.diff(column[order]) != 0
        self.order, self.places = order, np.cumsum(new)
        new[0] = True
        self.starts = np.flatnonzero(new)

    def drawn(self, counts: AnyArray) -> AnyArray:
        """Return the counts (b, values) of each distinct value."""
        drawn = counts.take(self.order, axis=1)
        has_ties = len(self.starts) < len(self.order)
        return np.add.reduceat(drawn, self.starts, axis=1) if has_ties else drawn

    def ties(self, counts: AnyArray) -> AnyArray:
        """Return the number of drawn pairs with equal values, (b,)."""
        drawn = self.drawn(counts)
        pairs: AnyArray = np.einsum("bi,bi->b", drawn, drawn, dtype=float) - counts.sum(axis=1)
        return pairs / 2

    def ranks(self, counts: AnyArray) -> tuple[AnyArray, AnyArray]:
        """Return centred, doubled midranks (b, values) and their sums of squares (b,)."""
        drawn, n = self.drawn(counts), counts.sum(axis=1, dtype=np.int32)
        ranks: AnyArray = 2 * np.cumsum(drawn, axis=1, dtype=np.int32) - drawn - n[:, None]
        cubes = np.einsum("bi,bi,bi->b", drawn, drawn, drawn, dtype=float)
        return ranks, (n.astype(float) ** 3 - cubes) / 3


class _Columns:
    """Scores and ratings, sorted once for all measures; ties in one are sorted by the other."""

    def __init__(self, scores: AnyArray, gold: AnyArray) -> None:
        by_x, by_y = np.lexsort((gold, scores)), np.lexsort((scores, gold))
        self.scores, self.gold = scores, gold
        self.x, self.y = _Values(by_x, scores), _Values(by_y, gold)
        self.both = _Values(by_x, scores, gold)


def _ratio(above: AnyArray, below: AnyArray) -> AnyArray:
    """Return ``above / below``; NaN without spread."""
    return np.asarray(np.divide(above, below, out=np.full(len(below), np.nan), where=below > 0))


def _spearman(columns: _Columns) -> _Kind:
    """The correlation of midranks."""
    x, y = columns.x, columns.y
    # Summed in the order of the ratings, so their ranks need no lookup by row.
    value_of = x.places[np.argsort(x.order)][y.order]

    def correlations(counts: AnyArray) -> AnyArray:
        (ranks, spread), (gold_ranks, gold_spread) = x.ranks(counts), y.ranks(counts)
        weighted = counts.take(y.order, axis=1) * gold_ranks.take(y.places, axis=1)
        products = np.einsum("bi,bi->b", weighted, ranks.take(value_of, axis=1), dtype=float)
        return _ratio(products, np.sqrt(spread * gold_spread))

    return correlations


def _pearson(columns: _Columns) -> _Kind:
    """Pearson's correlation from sums of products of standardised columns."""
    both = columns.scores, columns.gold
    x, y = ((values - values.mean()) / (np.std(values) or 1) for values in both)
    table = np.stack([x, y, x * x, y * y, x * y], axis=1)

    def correlations(counts: AnyArray) -> AnyArray:
        x, y, xx, yy, xy = (counts @ table / counts.sum(axis=1)[:, None]).T
        spread = (xx - x * x) * (yy - y * y)
        return _ratio(xy - x * y, np.sqrt(np.where(spread > 1e-24, spread, 0)))

    return correlations


def _kendall(columns: _Columns) -> _Kind:
    """Tau-b from inversions: rows by score with places by rating, compared digit by digit.

    The first binary digit in which two places differ says whether the two rows are inverted.
    """
    rows = columns.x.order
    # Rows with equal scores are in the order of their ratings, and vice versa: no inversions.
    places = np.argsort(columns.y.order)[rows]
    digits = []
    for digit in range(len(rows).bit_length()):
        alike = places >> digit + 1  # the digits before this one
        order = np.argsort(alike, kind="stable")
        is_one = (places[order] >> digit & 1) == 1
        ones = np.cumsum(is_one) - is_one  # those before each row
        first = ones[np.searchsorted(alike[order], alike[order])]  # before any that is alike
        ordered, is_zero = rows[order], ~is_one
        digits.append((ordered[is_one], ordered[is_zero], first[is_zero], ones[is_zero]))

    def correlations(counts: AnyArray) -> AnyArray:
        n, opposite = counts.sum(axis=1).astype(float), np.zeros(len(counts))
        for ones, zeros, start, stop in digits:
            drawn: AnyArray = np.zeros((len(counts), len(ones) + 1), np.int32)
            np.cumsum(counts.take(ones, axis=1), axis=1, out=drawn[:, 1:])
            before = drawn.take(stop, axis=1) - drawn.take(start, axis=1)
            opposite += np.einsum("bi,bi->b", counts.take(zeros, axis=1), before, dtype=float)
        pairs = n * (n - 1) / 2
        tied_x, tied_y, tied = (own.ties(counts) for own in (columns.x, columns.y, columns.both))
        # All pairs are in the same order, opposite, or tied.
        difference = pairs - tied_x - tied_y + tied - 2 * opposite
        return _ratio(difference, np.sqrt((pairs - tied_x) * (pairs - tied_y)))

    return correlations


def _means(columns: AnyArray) -> _Kind:
    return lambda counts: np.asarray((counts @ columns.T / counts.shape[1]).T)


def _medians(columns: AnyArray) -> _Kind:
    orders = [(np.argsort(column, kind="stable"), np.sort(column)) for column in columns]

    def medians(counts: AnyArray) -> AnyArray:
        found = []
        halves = (counts.shape[1] + 1) // 2, counts.shape[1] // 2 + 1
        for order, values in orders:
            below = np.cumsum(counts.take(order, axis=1), axis=1)
            lower, upper = (np.argmax(below >= half, axis=1) for half in halves)
            found.append((values[lower] + values[upper]) / 2)
        return np.array(found)

    return medians


_KINDS: dict[str, Callable[[_Columns], _Kind]] = {
    "spearman": _spearman,
    "pearson": _pearson,
    "kendall": _kendall,
}
