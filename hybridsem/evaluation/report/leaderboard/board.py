"""Cards as tables: one for each benchmark and data set, a row per card, a column per group, ranks.

A rank is a range: one more than the significantly better models, to those not significantly worse.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

from hybridsem._typing import Record
from hybridsem._utils.lines import read_toml
from hybridsem._utils.progress import in_chunks
from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation.card import TRAINED_ON, Card
from hybridsem.evaluation.comparison import PairedTest
from hybridsem.evaluation.report.compare import by_column, pairwise_differences, prepared, row_names
from hybridsem.evaluation.report.leaderboard import provenance
from hybridsem.evaluation.report.tables import SEEN, Column
from hybridsem.evaluation.statistics.model_tests import benjamini_hochberg
from hybridsem.evaluation.statistics.rating_correlations import Difference, Estimate, check_settings
from hybridsem.evaluation.task import tasks

RESAMPLES = 2_000  # resamples of the tests between all pairs of models; a card's interval has more
MAX_COLUMNS = 6  # the most groups that are columns; the view of a card has all
# The keys of a row other than its figures.
ABOUT = ("model", "setting", "where", "ours", "difference", "benchmark")


@dataclass(frozen=True)
class PublishedRow:
    """A row of a paper's table; ``figures`` have one number, or two for a range, and are by key
    as read, by group in a table.
    """

    benchmark: str
    model: str
    paper: str
    setting: str
    where: str
    difference: str
    figures: Mapping[str, tuple[Decimal, ...]]


def read_published(paths: Iterable[str | Path]) -> list[PublishedRow]:
    """Read figures as papers print them (docs/published), of files and folders."""
    files: list[Path] = []
    for path in map(Path, paths):
        files += sorted(path.rglob("*.toml")) if os.path.isdir(path) else [path]
    rows: dict[tuple[str, ...], PublishedRow] = {}
    for row in (row for file in files for row in _rows_of(file)):
        key = (row.benchmark, row.model.lower(), row.paper, row.setting, row.where)
        first = rows.setdefault(key, row)
        rows[key] = replace(first, figures={**row.figures, **first.figures})
    return list(rows.values())


def _rows_of(path: Path) -> list[PublishedRow]:
    plain = read_toml(path, Decimal)
    try:
        paper = f"{plain['authors']}: {plain['title']}. {plain['venue']}"
        return [_published(row, plain.get("benchmark"), paper) for row in plain["row"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        why = f"not a file of published figures: {type(error).__name__}: {error}; needed are"
        needed = "authors, title, venue, benchmark, and rows with a model and figures"
        raise FormatError(f"{why} {needed}", path) from None


def _published(row: Record, benchmark: str | None, paper: str) -> PublishedRow:
    figures = {
        key: tuple(map(_number, value if isinstance(value, list) else [value]))
        for key, value in row.items()
        if key not in ABOUT
    }
    of = row.get("benchmark", benchmark)
    if of is None:
        raise KeyError("benchmark")
    if not figures or not all(len(figure) in (1, 2) for figure in figures.values()):
        raise ValueError(f"{row['model']!r} needs figures, each a number or two")
    texts = {name: str(row.get(name, "")) for name in ("setting", "where", "difference")}
    return PublishedRow(str(of), str(row["model"]), paper, **texts, figures=figures)


def _number(value: Any) -> Decimal:
    if not isinstance(value, (int, Decimal)) or isinstance(value, bool):
        raise TypeError(f"a figure is a number, got {value!r:.40}")
    figure = Decimal(value)
    if not figure.is_finite() or not math.isfinite(float(figure)):
        raise ValueError(f"a figure is a finite number, got {value!r:.40}")
    return figure


@dataclass(frozen=True)
class Ranking:
    """The best and worst rank of each model with a figure, and counts of pairs by comparison."""

    places: Mapping[str, tuple[int, int]]
    tested: int = 0
    by_intervals: int = 0
    undecided: int = 0


def rank(
    estimates: Mapping[str, Estimate],
    differences: Mapping[tuple[str, str], Difference] | None = None,
    level: float = 0.95,
) -> Ranking:
    """Rank models by a statistic, the greatest first; p-values of ``differences`` are corrected."""
    values = {name: one.value for name, one in estimates.items() if one.value is not None}
    given = {
        pair: (tested.value, tested.p)
        for pair, tested in (differences or {}).items()
        if tested.p is not None and tested.value is not None and values.keys() >= set(pair)
    }
    corrected = benjamini_hochberg([p for _, p in given.values()]) if given else ()
    better: set[tuple[str, str]] = set()  # (a, b): a is significantly better than b
    for ((first, second), (value, _)), p in zip(given.items(), corrected, strict=True):
        if p < 1 - level and value:
            better.add((first, second) if value > 0 else (second, first))
    by_intervals = undecided = 0
    for first, second in combinations(values, 2):
        if (first, second) in given or (second, first) in given:
            continue
        one, two = estimates[first], estimates[second]
        if one.low is None or one.high is None or two.low is None or two.high is None:
            undecided += 1
            continue
        by_intervals += 1
        better |= {(first, second)} if one.low > two.high else set()
        better |= {(second, first)} if two.low > one.high else set()
    wins, losses = (Counter(pair[side] for pair in better) for side in (0, 1))
    places = {name: (1 + losses[name], len(values) - wins[name]) for name in values}
    return Ranking(places, len(given), by_intervals, undecided)


@dataclass(frozen=True)
class Figure:
    """A statistic with its best and worst possible rank; None without a value or a ranking."""

    estimate: Estimate
    first: int | None = None
    last: int | None = None

    @property
    def ranks(self) -> str:
        """The range of ranks as text: ``2–4``, or ``1``."""
        if self.first is None:
            return provenance.UNKNOWN
        return f"{self.first}" if self.first == self.last else f"{self.first}–{self.last}"


LACKING = Figure(Estimate(None, None, None, 0))  # the figure of a group that a card lacks


@dataclass(frozen=True)
class Row:
    """A card in a table: its model's distinct name and provenance, its speed, and its figures."""

    name: str
    kind: str
    licence: str
    needs: str
    command: str | None
    speed: float | None
    figures: Mapping[str, Figure]
    card: Card

    @property
    def trained_on(self) -> int:
        """The pairs of the data that the model's weights were trained on."""
        return int(self.card.counts.get(TRAINED_ON) or 0)

    @property
    def shown_name(self) -> str:
        """The name, with a mark for weights that were trained on pairs of the data."""
        return f"{self.name} {SEEN}" if self.trained_on else self.name

    def figure(self, group: str) -> Figure:
        """Return the figure of a group; an empty one if the card lacks it."""
        return self.figures.get(group, LACKING)


@dataclass(frozen=True)
class Table:
    """The cards of one benchmark on the same data, in the order of the first column."""

    key: str
    title: str
    summary: str
    citation: str
    task: str
    split: str
    data: str
    source: str
    items: int
    measure: str
    groups: tuple[str, ...]
    rows: tuple[Row, ...] = field(repr=False)
    rankings: Mapping[str, Ranking]
    unranked: str = ""
    published: tuple[PublishedRow, ...] = ()


@dataclass(frozen=True)
class Board:
    """All tables, and the settings of the tests between models."""

    tables: tuple[Table, ...]
    resamples: int
    seed: int
    level: float


def leaderboard(
    cards: Sequence[Card],
    *,
    names: Sequence[str] | None = None,
    published: Iterable[PublishedRow] = (),
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
    progress: bool = False,
) -> Board:
    """Rank the models of cards by a paired bootstrap; ``names`` distinguish their cards."""
    if not cards:
        raise InputError("no cards to rank; `hybridsem evaluate -o CARD.json` writes one")
    check_settings((), level=level)
    words = row_names(cards, [""] * len(cards) if names is None else names)
    alike: dict[tuple[str, str, str], dict[str, tuple[str, Card]]] = {}
    worded = zip(words, cards, strict=True)
    for word, card in sorted(worded, key=lambda item: (item[0], item[1].created)):
        data = (str(card.task["name"]), str(card.data.get("split") or ""), card.data["sha256"])
        alike.setdefault(data, {}).setdefault(card.digest, (word, card))
    places = {name: place for place, name in enumerate(tasks())}
    order = sorted(alike, key=lambda data: (places.get(data[0], len(places)), *data))
    board = Board((), resamples, seed, level)
    keys: Counter[str] = Counter()
    tables: list[Table] = []
    several = Counter((task, split) for task, split, _ in alike)
    given = list(published)
    for [data] in in_chunks(order, 1, "ranking", progress):
        named = _named(alike[data].values())
        title = name = " ".join(filter(None, data[:2]))
        if several[data[:2]] > 1:
            card = min(named.values(), key=lambda card: str(card.data.get("source", "")))
            source = card.data.get("source", "")
            name, title = f"{title} {source}", f"{title} ({source}, {card.data['rows']:,} rows)"
        key = provenance.slug(name)
        keys[key] += 1
        key += f"-{keys[key]}" if keys[key] > 1 else ""
        tables.append(_table(key, title, named, given, board))
    return Board(tuple(tables), resamples, seed, level)


def _named(given: Iterable[tuple[str, Card]]) -> dict[str, Card]:
    """Return the cards of a table by distinct names."""
    items = list(given)
    seen = Counter(card.name for _, card in items)
    worded = Counter((card.name, word) for word, card in items)
    named: dict[str, Card] = {}
    for word, card in items:
        own = word if word and worded[card.name, word] == 1 else card.digest[:8]
        named[f"{card.name} ({own})" if seen[card.name] > 1 else card.name] = card
    return dict(sorted(named.items()))


def _table(
    key: str, title: str, named: Mapping[str, Card], published: Sequence[PublishedRow], how: Board
) -> Table:
    unranked = ""
    try:
        named = dict(zip(named, prepared(list(named.values())), strict=True))
    except InputError as error:
        unranked = str(error)
    first = next(iter(named.values()))
    task, measure = str(first.task["name"]), str(first.task["headline"])
    has_figures = any(measure in found for card in named.values() for found in card.scores.values())
    table = by_column(named.items(), measure) if has_figures else {}
    groups = _groups(table)
    rankings: dict[str, Ranking] = {}
    drawing = "bootstrap", how.resamples, how.seed, how.level
    for column, chosen in () if unranked else table.items():
        if column.group not in groups:
            continue
        test = PairedTest(column.group, measure, *drawing)
        tested = pairwise_differences(chosen, column, test) if how.resamples else {}
        estimates = {name: card.scores[column.group][measure] for name, card in chosen.items()}
        rankings[column.group] = rank(estimates, tested, how.level)
    rows = [_row(name, card, groups, measure, rankings) for name, card in named.items()]
    values = {row.name: row.figure(groups[0]).estimate.value if groups else None for row in rows}
    rows.sort(key=lambda row: (values[row.name] is None, -(values[row.name] or 0.0), row.name))
    beside = []
    for row in (row for row in published if row.benchmark == task):
        # A key has "_" for other signs: non_adversarial is non-adversarial.
        given = {group: row.figures.get(re.sub(r"\W+", "_", group)) for group in groups}
        if own := {group: figure for group, figure in given.items() if figure}:
            beside.append(replace(row, figures=own))
    summary, citation = (str(first.task.get(name) or "") for name in ("summary", "citation"))
    split, data = str(first.data.get("split") or ""), str(first.data["sha256"])
    source = min(str(card.data.get("source") or "") for card in named.values())
    about = key, title, summary, citation, task, split, data, source
    figures = measure, groups, tuple(rows), rankings, unranked, tuple(beside)
    return Table(*about, int(first.data["rows"]), *figures)


def _groups(table: Mapping[Column, Mapping[str, Card]]) -> tuple[str, ...]:
    """Return the columns: groups that the task reports on, or all if there are fewer than two."""
    first = ((column, next(iter(cards.values()))) for column, cards in table.items())
    figures = {column.group: card.scores[column.group][column.measure] for column, card in first}
    known = [group for group, figure in figures.items() if not isinstance(figure, Difference)]
    task = tasks().get(next((column.task for column in table), ""))
    chosen = [group for group in (("all",) if task is None else task.groups) if group in known]
    if len(chosen) < 2:
        chosen += [group for group in known if group not in chosen]
    return tuple(chosen[:MAX_COLUMNS])


def _row(
    name: str, card: Card, groups: Iterable[str], measure: str, rankings: Mapping[str, Ranking]
) -> Row:
    figures = {}
    for group in groups:
        if measure in (found := card.scores.get(group, {})):
            places = rankings[group].places.get(name) if group in rankings else None
            figures[group] = Figure(found[measure], *(places or (None, None)))
    seconds, rows = card.cost.get("seconds"), card.counts.get("rows")
    about = provenance.kind(card), provenance.known(card, "licence"), provenance.needs(card)
    speed = rows / seconds if seconds and rows else None
    return Row(name, *about, provenance.command(card), speed=speed, figures=figures, card=card)
