"""Result cards compared: one row per model, one column per group, and corrected tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hybridsem._typing import AnyArray
from hybridsem._utils.progress import in_chunks
from hybridsem.errors import InputError, UnknownNameError, counted
from hybridsem.evaluation.card import TRAINED_ON, Card
from hybridsem.evaluation.comparison import CardComparison, PairedTest, RatingComparison
from hybridsem.evaluation.report.tables import Cell, Column, ComparisonTable
from hybridsem.evaluation.statistics import rating_correlations as stats
from hybridsem.evaluation.statistics.model_tests import benjamini_hochberg, holm
from hybridsem.evaluation.statistics.rating_correlations import Difference
from hybridsem.evaluation.task import tasks

TESTS = ("bootstrap", "williams", "none")
CORRECTIONS: dict[str, Callable[[ArrayLike], AnyArray]] = {
    "holm": holm,
    "benjamini-hochberg": benjamini_hochberg,
    "none": np.asarray,
}


def compare(
    cards: Sequence[Card],
    *,
    names: Sequence[str] | None = None,
    measure: str | None = None,
    groups: Sequence[str] | None = None,
    against: str | None = None,
    test: str = "bootstrap",
    correction: str = "holm",
    resamples: int = stats.RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
    allow_different_data: bool = False,
    progress: bool = False,
) -> ComparisonTable:
    """Compare cards and test which figures differ. The cards of one model are one row.

    Args:
        cards: Of any tasks.
        names: The names of the rows, one per card; None: the models' names.
        measure: The statistic; None: the one that each task's papers report.
        groups: The groups in this order; None: all.
        against: The model to test against; None: the best of each column.
        test: bootstrap (paired, over rows), williams, or none.
        correction: holm, benjamini-hochberg or none; over all tests of the table.
        resamples: The number of bootstrap resamples.
        seed: The seed of the bootstrap.
        level: A corrected p-value below ``1 - level`` separates two models.
        allow_different_data: Give cards of one task on different data separate columns.
        progress: Show a bar on stderr if that is a terminal.
    """
    for kind, given, known in (("test", test, TESTS), ("correction", correction, CORRECTIONS)):
        if given not in known:
            raise UnknownNameError(kind, given, known)
    stats.check_settings((), level=level)
    if not cards:
        raise InputError("no cards to compare")
    rows = row_names(cards, names)
    if against is not None and against not in rows:
        raise UnknownNameError("model", against, rows)
    if not allow_different_data:
        refuse_different_data(cards, rows)
    table = by_column(zip(rows, prepared(cards), strict=True), measure, groups)
    cells: dict[tuple[str, Column], Cell] = {}
    for [column] in in_chunks([*table], 1, "testing", progress):
        how = PairedTest(column.group, column.measure, test, resamples, seed, level)
        found = _cells(column, table[column], against, how)
        cells |= {(name, column): cell for name, cell in found.items()}
    tests = {key: cell.difference for key, cell in cells.items() if cell.difference}
    raw = {key: tested.p for key, tested in tests.items() if tested.p is not None}
    for key, p in zip(raw, CORRECTIONS[correction](list(raw.values())), strict=True):
        cells[key] = replace(cells[key], p=float(p), separable=bool(p < 1 - level))
    for (name, column), cell in cells.items():
        seen = int(table[column][name].counts.get(TRAINED_ON) or 0)
        cells[name, column] = replace(cell, trained_on=seen)
    models = tuple(dict.fromkeys(rows))
    cells = dict(sorted(cells.items(), key=lambda item: models.index(item[0][0])))
    about = test, correction, level, against, len(raw), resamples
    return ComparisonTable(models, tuple(table), cells, *about)


def prepared(cards: Sequence[Card]) -> list[Card]:
    """Return the cards prepared for comparison with those of the same task and data."""
    alike: dict[tuple[str, str], list[int]] = {}
    for place, card in enumerate(cards):
        alike.setdefault((str(card.task["name"]), str(card.data["sha256"])), []).append(place)
    found = list(cards)
    for (name, _), places in alike.items():
        given = [cards[place] for place in places]
        _refuse_other_rows(given)
        for place, card in zip(places, _comparison_of(name).prepared(given), strict=True):
            found[place] = card
    return found


def _refuse_other_rows(cards: Sequence[Card]) -> None:
    """Raise :class:`InputError` if cards of the same data differ in the rows of a group."""
    first: dict[str, tuple[Card, object]] = {}
    for card in cards:
        groups: dict[str, object] = {**card.groups}
        if card.columns:
            groups["all"] = len(next(iter(card.columns.values())))
            groups |= dict.fromkeys(card.scores.keys() - groups.keys())
        for group, rows in groups.items():
            other, same = first.setdefault(group, (card, rows))
            if rows != same:
                why = f"the cards of {other.name!r} and {card.name!r} are of the same data, and"
                damaged = f"their group {group!r:.80} has other rows; one of them is damaged"
                raise InputError(f"{why} {damaged}")


def _comparison_of(name: str) -> CardComparison[Any]:
    return ((task := tasks().get(name)) and task.comparison) or RatingComparison()


def row_names(cards: Sequence[Card], names: Sequence[str] | None) -> list[str]:
    """Return the given names, one per card; None: the models' names."""
    rows = [card.name for card in cards] if names is None else list(names)
    if len(rows) != len(cards):
        raise InputError(f"one name a card is needed, got {len(rows)} names for {len(cards)} cards")
    return rows


def names_from_files(cards: Sequence[Card], paths: Sequence[str]) -> list[str]:
    """Return names of rows: the models', with the file's if one model has two cards."""
    seen = Counter((card.name, card.task["name"], card.data["sha256"]) for card in cards)
    twice = {name for (name, *_), count in seen.items() if count > 1}
    return [
        f"{card.name} ({PurePath(path).stem})" if card.name in twice else card.name
        for card, path in zip(cards, paths, strict=True)
    ]


def refuse_different_data(cards: Sequence[Card], names: Sequence[str]) -> None:
    """Raise :class:`InputError` for cards of one task and split from different data."""
    first: dict[tuple[str, str], tuple[str, Card]] = {}

    def described(name: str, card: Card) -> str:
        about = f"{counted(card.data['rows'], 'row')}, {card.data['sha256'][:12]}"
        return f"{name!r} on {card.data.get('source', '?')} ({about})"

    for name, card in zip(names, cards, strict=True):
        task, split = str(card.task["name"]), str(card.data.get("split") or "")
        other = first.setdefault((task, split), (name, card))
        if other[1].data["sha256"] != card.data["sha256"]:
            raise InputError(
                f"these cards of {task} were made from different data, so their figures cannot "
                f"be compared: {described(*other)} and {described(name, card)}; leave one out, or "
                "show them in separate columns with --different-data (in Python: "
                "allow_different_data=True)"
            )


def by_column(
    cards: Iterable[tuple[str, Card]],
    measure: str | None = None,
    groups: Sequence[str] | None = None,
) -> dict[Column, dict[str, Card]]:
    """Return the named cards with a figure in each column; None: the headline, and all groups."""
    found: dict[Column, dict[str, Card]] = {}
    cards = list(cards)
    for name, card in cards:
        wanted = measure or str(card.task["headline"])
        split, data = str(card.data.get("split") or ""), str(card.data["sha256"])
        for group in card.scores if groups is None else groups:
            if wanted not in card.scores.get(group, {}):
                continue
            column = Column(str(card.task["name"]), split, data, group, wanted)
            if name in found.setdefault(column, {}):
                why = f"two cards of {name!r} on the same data ({column.task}); leave one out,"
                raise InputError(f"{why} or give them different names")
            found[column][name] = card
    if not found:
        shown = ", ".join(groups or sorted({group for _, card in cards for group in card.scores}))
        wanted = measure or "its headline measure"
        raise InputError(f"nothing to show: no card has {wanted} in {shown}")
    return found


def _cells(
    column: Column, cards: dict[str, Card], against: str | None, test: PairedTest
) -> dict[str, Cell]:
    """Return the cells of a column; p-values are not corrected yet."""
    estimates = {name: card.scores[column.group][column.measure] for name, card in cards.items()}
    values = {name: one.value for name, one in estimates.items() if one.value is not None}
    comparison = _comparison_of(column.task)
    is_tested = column.measure in comparison.tested
    if comparison.of_ratings:
        is_tested &= any(column.group in ("all", *card.groups) for card in cards.values())
    if not is_tested or not values:
        return {name: Cell(estimate) for name, estimate in estimates.items()}
    best = max(values, key=lambda name: values[name])
    reference = against or best
    why, tests = "", {}
    if test.kind != "none" and reference not in values:
        why = f"not tested: {reference} has no figure here"
    elif test.kind == "williams" and not comparison.of_ratings:
        why = "not tested: Williams' test is of correlations"
    elif test.kind != "none":
        known = {name: cards[name] for name in values}
        tests = comparison.differences(known, [(name, reference) for name in values], test)
    untested = Difference(None, None, None, 0, note=why)
    cells = {}
    for name, estimate in estimates.items():
        one = tests.get((name, reference), untested)
        tested, note = one if one.value is not None else None, one.note if name in values else ""
        cells[name] = Cell(estimate, name == best, tested, note=note)
    return cells


def pairwise_differences(
    cards: Mapping[str, Card], column: Column, test: PairedTest
) -> dict[tuple[str, str], Difference]:
    """Return the uncorrected difference of each pair of prepared cards, all with the column."""
    figures = {name: card.scores[column.group][column.measure] for name, card in cards.items()}
    defined = {name: card for name, card in cards.items() if figures[name].value is not None}
    comparison = _comparison_of(column.task)
    if column.measure not in comparison.tested:
        return {}
    return comparison.differences(defined, combinations(defined, 2), test)
