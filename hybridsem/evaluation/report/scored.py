"""A scored file, read for a report: the output of `hybridsem score`, or any table of pairs."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array, Plain
from hybridsem._utils.progress import counter
from hybridsem._utils.validation import problem
from hybridsem.batch.checkpoint import spooled
from hybridsem.errors import FormatError, InputError, listed
from hybridsem.evaluation.statistics.rating_correlations import Estimate, correlations
from hybridsem.explanations import Explanation
from hybridsem.pipeline import Pipeline
from hybridsem.tables import Layout, Pair, PairReader, open_pairs
from hybridsem.tables.columns import header_layout, number_in

__all__ = ["ScoredFile", "ScoredPair", "explained", "read_scored"]
BINS = 40  #: bins of the distribution
GRID = 20  #: squares along a side of the picture of scores by gold scores
ROWS = 500  #: rows that are shown by default
MAX_TEXT = 2_000  #: characters of a cell that are shown
KINDS = 200  #: distinct notes that are counted
CLOSE = 1e-4  #: the tolerance between an explanation's score and the file's six decimals
STEP = 1_000  #: rows between two updates of the progress bar


@dataclass(frozen=True)
class ScoredPair:
    """A row. ``gap`` is the share of rows with a lower score minus that with a lower gold score."""

    line: int
    text1: str
    text2: str
    score: float | None
    gold: float | None = None
    gap: float | None = None
    note: str = ""
    figures: Mapping[str, str] = field(default_factory=dict)
    explanation: Explanation | None = None


@dataclass(frozen=True)
class ScoredFile:
    """The contents of a report. ``distribution`` has (low, high, rows) of each bin, ``quartiles``
    both ends too, ``grid`` the rows by (gold, score).
    """

    name: str
    rows_are: str
    columns: Mapping[str, str]
    rows: int
    scored: int
    with_gold: int
    unusable: int
    notes: Mapping[str, int]
    distribution: tuple[tuple[float, float, int], ...]
    quartiles: tuple[float, ...]
    grid: tuple[tuple[int, ...], ...]
    gold_range: tuple[float, float] | None
    correlations: Mapping[str, Estimate]
    shown: tuple[ScoredPair, ...]
    choice: str
    model: str | None = None
    others: int = 0

    @property
    def explained(self) -> int:
        """The number of rows with an explanation."""
        return sum(pair.explanation is not None for pair in self.shown)

    def to_dict(self) -> Plain:
        """Return plain data, without the rows."""
        plain: Plain = {"file": self.name, "columns": dict(self.columns)}
        counts = ("rows", "scored", "with_gold", "unusable")
        plain |= {name: getattr(self, name) for name in counts}
        plain |= {"notes": dict(self.notes), "quartiles": list(self.quartiles)}
        keys, figures = ("value", "low", "high", "n"), self.correlations.items()
        plain["correlations"] = {name: {k: vars(one)[k] for k in keys} for name, one in figures}
        plain |= {"shown": len(self.shown), "explained": self.explained, "model": self.model}
        return plain | {"explained_otherwise": self.others}


def read_scored(
    path: str | Path,
    *,
    columns: Sequence[str] | None = None,
    score: str | None = None,
    rows: int = ROWS,
    resamples: int = 2_000,
    progress: bool = False,
    encoding: str = "utf-8",
) -> ScoredFile:
    r"""Read a scored file for a report, in any format of :func:`hybridsem.tables.open_pairs`.

    Args:
        path: The file; ``-`` is standard input.
        columns: The columns of the sentences and the gold scores; None: found in the header.
        score: The column of the scores, a name or position; None: ``hybridsem_score`` or ``score``.
        rows: The most rows to show.
        resamples: Bootstrap resamples for intervals of the correlations; 0: no intervals.
        progress: Show a bar on stderr if that is a terminal.
        encoding: The encoding of a text file, as named in Python.
    """
    if rows < 1:
        raise InputError(f"rows is a whole number from 1, got {rows!r}")
    with TemporaryDirectory() as folder, spooled(path, Path(folder)) as place:
        name = "standard input" if str(path) == "-" else str(path)

        def reader() -> PairReader:
            opened = open_pairs(place, columns=columns, keep_bad=True, encoding=encoding)
            opened.rows.name = name
            return opened

        with counter("reading", None, progress) as advance:
            whole = _Numbers(first := reader(), score, name, advance)
        rows_shown, choice = _chosen(whole, rows)
        wanted = set(rows_shown)
        again = (pair for pair in reader() if pair.row in wanted)
        shown = {pair.row: _shown(pair, whole) for pair in again}
    found = _summary(whole, name, first.rows_are, resamples)
    return replace(found, shown=tuple(map(shown.__getitem__, rows_shown)), choice=choice)


def explained(found: ScoredFile, pipeline: Pipeline, number: int, model: str) -> ScoredFile:
    """Add a pipeline's explanations to at most ``number`` of the shown rows."""
    usable = {
        place: (pair.score, (pair.text1, pair.text2))
        for place, pair in enumerate(found.shown)
        if pair.score is not None and not (problem(pair.text1) or problem(pair.text2))
    }
    places = dict(islice(usable.items(), number))
    made = pipeline.explain([texts for _, texts in places.values()])
    shown, others = list(found.shown), 0
    for (place, (score, _)), explanation in zip(places.items(), made, strict=True):
        if math.isnan(explanation.score):
            others += 1
            continue
        others += abs(explanation.score - score) > CLOSE
        shown[place] = replace(shown[place], explanation=explanation)
    return replace(found, shown=tuple(shown), model=model, others=others)


class _Named(NamedTuple):
    """The names of the columns; ``added`` are those of ``--details``."""

    layout: Layout
    score: str
    gold: str | None
    note: str | None
    added: tuple[str, ...]


def _named(pair: Pair, score: str | None, file: str) -> _Named:
    """Find the columns of a file by its first row."""
    layout = pair.layout
    assert layout is not None  # a reader gives every pair one
    names = layout.columns
    known = (score,) if score is not None else ("hybridsem_score", "score")
    column = next((name for name in known if name in names), None)
    if column is None and score is not None and score.isdecimal() and len(score) < 10:
        column = names[int(score) - 1] if int(score) in range(1, len(names) + 1) else None
    if column is None:
        why = f"{file} has no column {known[-1]!r} of scores; it has {listed(names)}: make one with"
        raise InputError(f"{why} `hybridsem score`, or name it with score= (--score)")
    gold = layout.gold
    if gold == column:  # taken for one because of its name
        others = [name for name in names if name != column]
        other = header_layout(others, None, pair.fields, file, None)
        gold = None if other is None else other.gold
    at = names.index(column)
    note = next((n for n in ("hybridsem_note", "note") if n in names[at:]), None)
    used = {layout.text1, layout.text2, gold, column, note}
    end = len(names) if note is None else names.index(note)
    added = tuple(name for name in names[at + 1 : end] if name not in used)
    return _Named(layout, column, gold, note, added)


class _Numbers:
    """The scores and gold scores of all rows (NaN: missing), and counts of their notes.

    ``compared`` marks the rows that have both; ``gaps`` are how much higher these rank by score
    than by gold score, as a share of them.
    """

    def __init__(
        self, pairs: Iterable[Pair], score: str | None, name: str, advance: Callable[[int], object]
    ) -> None:
        named, self.unusable = None, 0
        scores, golds, failed = array("d"), array("d"), bytearray()
        self.notes = notes = Counter[str]()
        for row, pair in enumerate(pairs, start=1):
            named = named or _named(pair, score, name)
            value, note = _number(pair, named.score), _note(pair, named)
            scores.append(value)
            golds.append(_number(pair, named.gold))
            failed.append(bool(note) or math.isnan(value))
            self.unusable += _is_unusable(pair, named)
            for part in filter(None, note.split("; ")):
                notes[part if part in notes or len(notes) < KINDS else "other"] += 1
            if math.isnan(value) and not note:
                notes["no score"] += 1
            if not row % STEP:
                advance(STEP)
        if named is None:
            raise FormatError("a header and no pairs", name)
        self.named, self.rows = named, len(scores)
        self.failed = np.flatnonzero(np.frombuffer(failed, np.uint8))
        self.values, self.ratings = np.frombuffer(scores), np.frombuffer(golds)
        self.compared = both = np.isfinite(self.values) & np.isfinite(self.ratings)
        self.gaps = np.full(self.rows, np.nan)
        if both.any():
            from scipy.stats import rankdata

            ranks = rankdata(self.values[both]) - rankdata(self.ratings[both])
            self.gaps[both] = ranks / both.sum()


def _number(pair: Pair, column: str | None) -> float:
    """Return the number in a column; NaN if there is none."""
    number = None if column is None else number_in(pair.fields.get(column))
    return math.nan if number is None else number


def _is_unusable(pair: Pair, named: _Named) -> bool:
    """Test if the record is not a pair of texts."""
    texts = (pair.fields.get(named.layout.text1), pair.fields.get(named.layout.text2))
    return not all(isinstance(text, str) and text.strip() for text in texts)


def _note(pair: Pair, named: _Named) -> str:
    """Return the note of a row, from the file or from its reader."""
    written = pair.fields.get(named.note) if named.note is not None else None
    if isinstance(written, str) and written:
        return written
    return (pair.problem or "") if _is_unusable(pair, named) else ""


def _chosen(whole: _Numbers, most: int) -> tuple[list[int], str]:
    """Return the numbers of the rows to show, in their order, and a description of the choice."""
    chosen, gaps, words = np.arange(whole.rows), whole.gaps, "all rows"
    order = np.argsort(-np.abs(np.nan_to_num(gaps)), kind="stable")
    if whole.rows > most:
        far = order[np.isfinite(gaps[order])][: most // 2]
        marked = np.setdiff1d(whole.failed, far)[: most // 5]
        rest = np.setdiff1d(np.flatnonzero(np.isfinite(whole.values)), [*far, *marked])
        by_score = rest[np.argsort(whole.values[rest], kind="stable")]
        places = np.linspace(0, len(rest) - 1, most - len(far) - len(marked)).astype(int)
        even = np.unique(by_score[places]) if len(rest) else rest
        parts = {
            f"the {len(far):,} furthest from their gold scores": len(far),
            f"the first {len(marked):,} others that have no score or a note": len(marked),
            f"{len(even):,} spread evenly over the scores": len(even),
        }
        chosen = np.unique(np.concatenate([far, marked, even]))
        words = f"{len(chosen):,} of {whole.rows:,} rows: " + ", ".join(filter(parts.get, parts))
    if np.isfinite(gaps).any():
        chosen = order[np.isin(order, chosen)]
    return chosen.tolist(), words


def _shown(pair: Pair, whole: _Numbers) -> ScoredPair:
    named, gap = whole.named, whole.gaps[pair.row]
    given = {name: pair.fields.get(name) for name in named.added}
    figures = {
        name: _cut(f"{value:.4f}" if isinstance(value, float) else str(value))
        for name, value in given.items()
        if value not in (None, "")
    }
    numbers = _number(pair, named.score), _number(pair, named.gold), gap
    score, gold, gap_shown = (None if math.isnan(number) else number for number in numbers)
    texts, note = (_cut(pair.text1), _cut(pair.text2)), _cut(_note(pair, named))
    return ScoredPair(pair.line, *texts, score, gold, gap_shown, note, figures)


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + " […]"


def _summary(whole: _Numbers, name: str, rows_are: str, resamples: int) -> ScoredFile:
    named, values, both = whole.named, whole.values, whole.compared
    columns = {"sentence 1": named.layout.text1, "sentence 2": named.layout.text2}
    columns |= {"score": named.score} | ({} if named.gold is None else {"gold score": named.gold})
    scores = values[np.isfinite(values)]
    edges = _edges(scores)
    counts = np.histogram(scores, edges)[0] if len(scores) else np.zeros(BINS, int)
    grid: tuple[tuple[int, ...], ...] = ()
    gold_range = None
    found: Mapping[str, Estimate] = {}
    if both.any():
        ratings = whole.ratings[both]
        gold_range = (float(ratings.min()), float(ratings.max()))
        high = gold_range[1] if gold_range[1] > gold_range[0] else gold_range[0] + 1
        sides = [np.linspace(gold_range[0], high, GRID + 1), edges[:: BINS // GRID]]
        table = np.histogram2d(ratings, values[both], sides)[0]
        grid = tuple(tuple(map(int, row)) for row in table.tolist())
        found = correlations(values[both], ratings, ("spearman", "pearson"), resamples)
    quartiles = np.quantile(scores, [0, 0.25, 0.5, 0.75, 1]).tolist() if len(scores) else []
    bins = zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
    numbers = whole.rows, len(scores), int(np.isfinite(whole.ratings).sum()), whole.unusable
    notes = dict(whole.notes.most_common())
    pictures = tuple(bins), tuple(quartiles), grid, gold_range
    return ScoredFile(name, rows_are, columns, *numbers, notes, *pictures, found, (), "")


def _edges(scores: Float64Array) -> Float64Array:
    """Return the edges of bins: of [0, 1], of [-1, 1], or of the range of the scores."""
    low, high = (float(scores.min()), float(scores.max())) if len(scores) else (0.0, 1.0)
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    elif low >= -1 and high <= 1:
        low, high = next(at for at in (-0.25, -0.5, -1.0) if low >= at), 1.0
    elif low == high:
        high = low + 1
    return np.asarray(np.linspace(low, high, BINS + 1))
