"""Bootstrap resamples as counts of drawn rows, and the correlations of such weighted rows.

A resample of n rows is an array of n counts that sum to n, so the rows are sorted once. The midrank
of a value, minus the mean rank, is half of ``(drawn below or equal) + (drawn below) - n``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from hybridsem._typing import AnyArray
from hybridsem._utils.threads import cores

_Kind = Callable[["_Counts"], AnyArray]  # of b resamples -> (columns, b)
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
    kinds = [_KINDS[measure](columns) for measure in measures]
    drawn = len(gold) if items is None else int(items.max()) + 1
    return dict(zip(measures, _through(kinds, drawn, resamples, seed, items), strict=True))


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
    return np.asarray(_through([kind], len(columns[0]), resamples, seed)[0])


def resampled_forms(matrices: Sequence[AnyArray], resamples: int, seed: Seed) -> AnyArray:
    """Return the quadratic forms w'Mw of m matrices (n, n), w counting draws, (m, resamples)."""
    n = len(matrices[0])
    # Sums of whole numbers are exact below 2 ** 24: for up to 4,096 rows all pairs of drawn ones.
    number = np.float32 if n <= FORM_ROWS else np.float64

    def form(counts: _Counts, matrix: AnyArray) -> AnyArray:
        drawn: AnyArray = counts.rows.astype(number)
        sums: AnyArray = np.einsum("bi,bi->b", drawn @ matrix, drawn)
        return sums[None]

    # One matrix at a time is held.
    kinds = (partial(form, matrix=np.asarray(matrix, number)) for matrix in matrices)
    return np.array([_through([kind], n, resamples, seed)[0, 0] for kind in kinds])


def resampled_counts(
    statistic: Callable[[AnyArray], AnyArray], rows: int, resamples: int, seed: Seed
) -> AnyArray:
    """Return a statistic of the counts (b, rows) in each resample, (columns, resamples)."""
    return np.asarray(_through([lambda counts: statistic(counts.rows)], rows, resamples, seed)[0])


def _through(
    kinds: Sequence[_Kind], rows: int, resamples: int, seed: Seed, items: AnyArray | None = None
) -> AnyArray:
    """Return each kind's statistics of the counts of each resample, (kinds, columns, resamples)."""
    sizes = np.diff(range(0, resamples, max(1, CELLS // rows)), append=resamples).tolist()
    seeds = np.random.SeedSequence(seed).spawn(len(sizes))

    def work(size: int, seed: np.random.SeedSequence) -> AnyArray:
        drawn = _drawn(rows, size, seed)
        counts = _Counts(drawn if items is None else drawn.take(items, axis=1))
        return np.array([kind(counts) for kind in kinds])

    with ThreadPoolExecutor(cores()) as pool:  # each chunk has its own seed: threads change nothing
        return np.concatenate(list(pool.map(work, sizes, seeds)), axis=2)


def observed(scores: AnyArray, gold: AnyArray, measure: str) -> float:
    """Return the correlation of the data, finite columns (n,): every row drawn once."""
    once = _Counts(np.ones((1, len(gold)), np.int32))
    value = float(_KINDS[measure]([_Columns(scores, gold)])(once)[0, 0])
    return min(1.0, max(-1.0, value))


def _drawn(rows: int, resamples: int, seed: np.random.SeedSequence) -> AnyArray:
    """Return how often each row was drawn, (resamples, rows)."""
    drawn = np.random.default_rng(seed).integers(rows, size=(resamples, rows))
    drawn += rows * np.arange(resamples)[:, None]
    return np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape).astype(np.int32)


class _Counts:
    """The counts of drawn ``rows`` (b, n), also in other orders, each computed once."""

    def __init__(self, rows: AnyArray) -> None:
        self.rows = rows
        self.sizes = rows.sum(axis=1, dtype=np.int32)
        self._ordered: dict[int, AnyArray] = {}
        self._drawn: dict[_Values, AnyArray] = {}

    def ordered(self, order: AnyArray) -> AnyArray:
        """Return the counts (b, n) in an order, which must live as long as the counts."""
        if id(order) not in self._ordered:
            self._ordered[id(order)] = self.rows.take(order, axis=1)
        return self._ordered[id(order)]

    def drawn(self, values: _Values) -> AnyArray:
        """Return the counts (b, values) of each distinct value."""
        if values not in self._drawn:
            drawn = self.ordered(values.order)
            if len(values.starts) < len(values.order):
                drawn = np.add.reduceat(drawn, values.starts, axis=1)
            self._drawn[values] = drawn
        return self._drawn[values]

    def ties(self, values: _Values) -> AnyArray:
        """Return the number of drawn pairs with equal values, (b,)."""
        drawn = self.drawn(values)
        return np.asarray((np.einsum("bi,bi->b", drawn, drawn, dtype=float) - self.sizes) / 2)


@dataclass(frozen=True, eq=False)
class _Values:
    """A column's ascending rows, the starts of distinct values, and the value of each row."""

    order: AnyArray
    starts: AnyArray
    places: AnyArray

    @classmethod
    def of(cls, order: AnyArray, *columns: AnyArray) -> _Values:
        """Return the values of one column in its order, or of several columns together."""
        new = np.zeros(len(order), bool)
        for column in columns:
            new[1:] |= np.diff(column[order]) != 0
        places = np.cumsum(new)
        new[0] = True
        return cls(order, np.flatnonzero(new), places)


class _Columns:
    """Scores and ratings, sorted once for all measures; ties in one are sorted by the other."""

    def __init__(self, scores: AnyArray, gold: AnyArray) -> None:
        by_x, by_y = np.lexsort((gold, scores)), np.lexsort((scores, gold))
        self.scores, self.gold = scores, gold
        self.x, self.y = _Values.of(by_x, scores), _Values.of(by_y, gold)
        self.both = _Values.of(by_x, scores, gold)


def _ratio(above: AnyArray, below: AnyArray) -> AnyArray:
    """Return ``above / below``; NaN without spread."""
    return np.asarray(np.divide(above, below, out=np.full(len(below), np.nan), where=below > 0))


class _Spearman:
    """The correlation of midranks for several columns; the ratings' ranks are computed once."""

    def __init__(self, columns: Sequence[_Columns]) -> None:
        self.gold = columns[0].y
        # Summed in the order of the ratings, so their ranks need no lookup by row.
        self.columns = [
            (column.x, column.x.places[np.argsort(column.x.order)][self.gold.order])
            for column in columns
        ]

    def __call__(self, counts: _Counts) -> AnyArray:
        ranks, gold_spread = self._ranks(self.gold, counts)
        weighted, found = counts.ordered(self.gold.order) * ranks.take(self.gold.places, axis=1), []
        for values, value_of in self.columns:
            ranks, spread = self._ranks(values, counts)
            products = np.einsum("bi,bi->b", weighted, ranks.take(value_of, axis=1), dtype=float)
            found.append(_ratio(products, np.sqrt(spread * gold_spread)))
        return np.array(found)

    @staticmethod
    def _ranks(values: _Values, counts: _Counts) -> tuple[AnyArray, AnyArray]:
        """Return centred, doubled midranks (b, values) and their sums of squares (b,)."""
        drawn, n = counts.drawn(values), counts.sizes
        ranks: AnyArray = 2 * np.cumsum(drawn, axis=1, dtype=np.int32) - drawn - n[:, None]
        spread: AnyArray = (
            n.astype(float) ** 3 - np.einsum("bi,bi,bi->b", drawn, drawn, drawn, dtype=float)
        ) / 3
        return ranks, spread


def _pearson(columns: Sequence[_Columns]) -> _Kind:
    """Pearson's correlation from sums of products of standardised columns."""

    def products(column: _Columns) -> AnyArray:
        both = column.scores, column.gold
        x, y = ((values - values.mean()) / (np.std(values) or 1) for values in both)
        return np.stack([x, y, x * x, y * y, x * y], axis=1)

    def correlations(counts: _Counts, table: AnyArray) -> AnyArray:
        x, y, xx, yy, xy = (counts.rows @ table / counts.sizes[:, None]).T
        spread = (xx - x * x) * (yy - y * y)
        return _ratio(xy - x * y, np.sqrt(np.where(spread > 1e-24, spread, 0)))

    tables = [products(column) for column in columns]
    return lambda counts: np.array([correlations(counts, table) for table in tables])


def _means(columns: AnyArray) -> _Kind:
    return lambda counts: np.asarray((counts.rows @ columns.T / counts.rows.shape[1]).T)


def _medians(columns: AnyArray) -> _Kind:
    orders = [(np.argsort(column, kind="stable"), np.sort(column)) for column in columns]

    def medians(counts: _Counts) -> AnyArray:
        found = []
        halves = (counts.rows.shape[1] + 1) // 2, counts.rows.shape[1] // 2 + 1
        for order, values in orders:
            below = np.cumsum(counts.ordered(order), axis=1)
            lower, upper = (np.argmax(below >= half, axis=1) for half in halves)
            found.append((values[lower] + values[upper]) / 2)
        return np.array(found)

    return medians


class _Kendall:
    """Tau-b: inversions of one order, as quadratic forms within blocks and sums between them."""

    def __init__(self, columns: _Columns) -> None:
        self.columns, n = columns, len(columns.gold)
        x, y = columns.x.order, columns.y.order
        self.size = size = int(np.ceil(2 * np.sqrt(n)))
        self.blocks = -(-n // size)
        # Rows with equal scores are in the order of their ratings, and vice versa: no inversions.
        place_x, place_y = np.argsort(x), np.argsort(y)
        self.within_x = self._inversions(place_y[x], apart=False)
        self.within_y = self._inversions(place_x[y], apart=True)
        cell = place_x // size * self.blocks + place_y // size
        self.cells, self.filled = _Values.of(np.argsort(cell, kind="stable"), cell), np.unique(cell)

    def _folded(self, rows: AnyArray) -> AnyArray:
        """Pad (…, n) and fold it to (…, blocks, size)."""
        padding = [(0, 0)] * (rows.ndim - 1) + [(0, self.blocks * self.size - rows.shape[-1])]
        return np.pad(rows, padding).reshape(*rows.shape[:-1], self.blocks, self.size)

    def _inversions(self, places: AnyArray, apart: bool) -> AnyArray:
        """Mark rows of a block that are inverted on the other axis, (blocks, size, size)."""
        folded = self._folded(places)
        found = np.triu(folded[:, :, None] > folded[:, None, :])
        if apart:  # those in one block of the other axis are counted there
            found &= folded[:, :, None] // self.size != folded[:, None, :] // self.size
        return found.astype(np.float32)  # MAX_ROWS rows have under 2**24 pairs: sums are exact

    def __call__(self, counts: _Counts) -> AnyArray:
        resamples, n = len(counts.rows), counts.sizes.astype(float)
        opposite = np.zeros(resamples)
        columns = self.columns
        for values, found in ((columns.x, self.within_x), (columns.y, self.within_y)):
            drawn = self._folded(counts.ordered(values.order)).astype(np.float32).transpose(1, 0, 2)
            opposite += np.einsum("kbi,kbi->b", drawn @ found, drawn)
        grid: AnyArray = np.zeros((resamples, self.blocks**2), np.int32)
        grid[:, self.filled] = counts.drawn(self.cells)
        grid = grid.reshape(-1, self.blocks, self.blocks)
        below = np.cumsum(grid, axis=2, dtype=np.int32) - grid
        after = below.sum(axis=1, keepdims=True) - np.cumsum(below, axis=1, dtype=np.int32)
        opposite += np.einsum("bij,bij->b", grid, after, dtype=float)
        pairs = n * (n - 1) / 2
        tied_x, tied_y, tied = map(counts.ties, (columns.x, columns.y, columns.both))
        # All pairs are in the same order, opposite, or tied.
        difference = pairs - tied_x - tied_y + tied - 2 * opposite
        return _ratio(difference, np.sqrt((pairs - tied_x) * (pairs - tied_y)))


def _kendall(columns: Sequence[_Columns]) -> _Kind:
    kinds = list(map(_Kendall, columns))
    return lambda counts: np.array([kind(counts) for kind in kinds])


# m columns of scores with their ratings -> (b, n) counts -> (m, b) correlations
_KINDS: dict[str, Callable[[Sequence[_Columns]], _Kind]] = {
    "spearman": _Spearman,
    "pearson": _pearson,
    "kendall": _kendall,
}
