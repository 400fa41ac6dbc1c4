"""A board as one HTML page that stands alone: nothing is loaded, all works from the file system,
and all of it can be read without its script.

The page's policy lets no other style or script run than its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from hybridsem.evaluation.card import Card
from hybridsem.evaluation.card import figure as whole_figure
from hybridsem.evaluation.report.leaderboard.board import Board, Figure, Table
from hybridsem.evaluation.report.leaderboard.provenance import KINDS, UNKNOWN
from hybridsem.evaluation.report.leaderboard.wording import (
    INTRODUCTION,
    PUBLISHED,
    about_table,
    differences_by_paper,
    figure_text,
    interval_text,
    measure_name,
    published_text,
    rank_note,
    ranks_of,
    speed_text,
)
from hybridsem.evaluation.report.pages import fill, source

MEASURES_SHOWN = 3
"""So many statistics of each group are shown in the view of a card, the headline first."""

PLOT = (4.0, 96.0)
"""From where to where the axis of an interval's picture goes, in pixels."""


def as_page(board: Board) -> str:
    """The board as an HTML page.

    Raises:
        MissingExtraError: Without Jinja2.
    """
    rows = [row for table in board.tables for row in table.rows]
    kinds = {kind: what for kind, what in KINDS.items() if kind in {row.kind for row in rows}}
    boxes = [*kinds, "published"] if any(table.published for table in board.tables) else [*kinds]
    return fill(
        "leaderboard.html",
        source("leaderboard.js"),
        source("leaderboard.css"),
        board=board,
        tables=board.tables,
        introduction=INTRODUCTION.replace("`", ""),
        kinds=kinds,
        colours=[*KINDS],
        boxes=boxes,
        licences=sorted({row.licence for row in rows}),
        cards=_count(len(rows), "result card"),
        published_note=PUBLISHED,
        unknown=UNKNOWN,
        axis_of=_axis,
        marks_of=_marks,
        facts_of=_facts,
        measures_of=_measures,
        rank_value=_rank_value,
        value_of=_value,
        count_of=_count,
        end_text=lambda end: published_text([Decimal(f"{end:g}")]),
        whole_figure=whole_figure,
        about_table=about_table,
        differences_by_paper=differences_by_paper,
        figure_text=figure_text,
        interval_text=interval_text,
        measure_name=measure_name,
        published_text=published_text,
        rank_note=rank_note,
        ranks_of=ranks_of,
        speed_text=speed_text,
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _axis(table: Table) -> tuple[float, float] | None:
    """The axis of the first column's pictures, a tenth beyond its figures; None without any."""
    ends: list[float] = []
    for row in table.rows:
        shown = row.figures.get(table.groups[0]) if table.groups else None
        if shown is not None and shown.estimate.value is not None:
            given = (shown.estimate.value, shown.estimate.low, shown.estimate.high)
            ends += [end for end in given if end is not None]
    if not ends:
        return None
    low, high = int(min(ends) * 10 // 1), int(-(-max(ends) * 10 // 1))
    return low / 10, max(high, low + 1) / 10


def _rank_value(shown: Figure | None) -> str:
    """What ranges of ranks are sorted by: the best rank, then the worst."""
    if shown is None or shown.first is None or shown.last is None:
        return ""
    return f"{shown.first + shown.last / 10_000:.4f}"


def _value(shown: Figure | None) -> str:
    return "" if shown is None or shown.estimate.value is None else f"{shown.estimate.value:.6f}"


def _marks(shown: Figure | None, axis: tuple[float, float]) -> dict[str, str]:
    """Where a figure's point and the ends of its interval are in the picture, in pixels."""
    if shown is None or shown.estimate.value is None:
        return {}
    value, low, high = shown.estimate.value, shown.estimate.low, shown.estimate.high
    given = {
        "value": value,
        "low": value if low is None else low,
        "high": value if high is None else high,
    }
    share = (PLOT[1] - PLOT[0]) / (axis[1] - axis[0])
    return {name: f"{PLOT[0] + (end - axis[0]) * share:.1f}" for name, end in given.items()}


def _measures(card: Card) -> list[str]:
    """The statistics that the view of a card shows."""
    measures = dict.fromkeys(name for found in card.scores.values() for name in found)
    return sorted(measures, key=lambda name: name != card.task["headline"])[:MEASURES_SHOWN]


def _facts(card: Card) -> Iterator[tuple[str, str]]:
    """What a card tells beside its figures."""
    yield from (
        (name, _plain(value)) for name, value in card.model.items() if value and name != "name"
    )
    data = {name: card.data.get(name) for name in ("source", "split", "rows", "sha256")}
    yield "data", _plain(data)
    yield "data licence", _plain(card.task.get("licence") or UNKNOWN)
    for name in ("settings", "counts", "cost", "versions"):
        if given := getattr(card, name):
            yield name, _plain(given)
    if card.created:
        yield "made", card.created
    for note in card.notes:
        yield "note", note


def _plain(value: Any) -> str:
    """A value of a card as a line."""
    if isinstance(value, Mapping):
        return ", ".join(
            f"{name} {_plain(part)}" for name, part in value.items() if part not in (None, "", {})
        )
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_plain, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
