"""A board as one HTML page that stands alone: nothing is loaded, all works from the file system,
and all of it can be read without its script.

Whatever comes from a card is escaped here, before it is put into a template of
``render/templates/leaderboard/``. The page's policy lets no other style or script run than its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from html import escape
from typing import Any

from hybridsem.evaluation.card import Card
from hybridsem.evaluation.card import figure as whole_figure
from hybridsem.evaluation.report.leaderboard.board import Board, Figure, Row, Table
from hybridsem.evaluation.report.leaderboard.provenance import KINDS, UNKNOWN
from hybridsem.evaluation.report.leaderboard.published import PublishedRow
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
from hybridsem.render.template_files import fill as fill_template
from hybridsem.render.template_files import text_of
from hybridsem.render.wording import visible

__all__ = ["as_page"]

MEASURES_SHOWN = 3
"""So many statistics of each group are shown in the view of a card, the headline first."""

PLOT = (4.0, 96.0)
"""From where to where the axis of an interval's picture goes, in pixels."""


def fill(template: str, /, **values: object) -> str:
    return fill_template(f"leaderboard/{template}", **values)


def as_page(board: Board) -> str:
    """The board as an HTML page."""
    style, script = (text_of(f"leaderboard/leaderboard.{kind}") for kind in ("css", "js"))
    rows = [row for table in board.tables for row in table.rows]
    kinds = [kind for kind in KINDS if kind in {row.kind for row in rows}]
    has_published = any(table.published for table in board.tables)
    return (
        fill(
            "page.html",
            style=style,
            style_hash=_hash(style),
            script=script,
            script_hash=_hash(script),
            introduction=_text(INTRODUCTION.replace("`", "")),
            links="\n".join(
                fill("link.html", key=table.key, title=_text(table.title), count=len(table.rows))
                for table in board.tables
            ),
            kinds="\n".join(fill("fact.html", name=kind, value=KINDS[kind]) for kind in kinds),
            boxes="\n".join(
                fill("box.html", kind=kind) for kind in [*kinds, *["published"] * has_published]
            ),
            licences="".join(
                fill("option.html", value=_text(licence))
                for licence in sorted({row.licence for row in rows})
            ),
            tables="\n".join(_table(board, table) for table in board.tables),
            cards=f"{len(rows)} result card{'s' * (len(rows) != 1)}",
        )
        + "\n"
    )


def _hash(text: str) -> str:
    """What the page's policy knows a style or a script by."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _text(text: object) -> str:
    return escape(visible(str(text)))


def _table(board: Board, table: Table) -> str:
    scale = _scale(table)
    plot = table.groups[0] if scale and table.groups else None
    heads = []
    for group in table.groups:
        sorted_by = ' aria-sort="descending"' if group == table.groups[0] else ""
        heads.append(fill("head.html", group=_text(group), sorted=sorted_by))
        if group == plot and scale:
            low, high = (_text(published_text([Decimal(f"{end:g}")])) for end in scale)
            heads.append(fill("head_plot.html", group=_text(group), low=low, high=high))
    published = "\n".join(_published(table, row, scale) for row in table.published)
    cards = f"{len(table.rows)} card{'s' * (len(table.rows) != 1)}"
    return fill(
        "table.html",
        key=table.key,
        title=_text(table.title),
        about=_text(about_table(table)),
        caption=_text(f"{measure_name(table)}, {cards}"),
        first=_text(next(iter(table.groups), "")),
        heads="\n".join(heads),
        rows="\n".join(
            _row(table, row, scale, place) for place, row in enumerate(table.rows, start=1)
        ),
        published=fill("published.html", rows=published) if published else "",
        ranks=_text(rank_note(board, table)),
        sources=_sources(table),
        cards="\n".join(_card(table, row, place) for place, row in enumerate(table.rows, start=1)),
    )


def _scale(table: Table) -> tuple[float, float] | None:
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


def _row(table: Table, row: Row, scale: tuple[float, float] | None, place: int) -> str:
    figures = []
    for group in table.groups:
        shown = row.figures.get(group)
        figures.append(_figure(shown))
        if scale and group == table.groups[0]:
            figures.append(fill("plot.html", marks=_marks(shown, scale)))
    first = row.figures.get(table.groups[0]) if table.groups else None
    return fill(
        "row.html",
        name=_text(row.name),
        kind=_text(row.kind),
        colour=[*KINDS].index(row.kind),
        licence=_text(row.licence),
        needs=_text(row.needs),
        card=_card_key(table, place),
        ranks=ranks_of(table, row),
        rank_value=_rank_value(first),
        figures="\n".join(figures),
        speed=speed_text(row.speed),
        speed_value="" if row.speed is None else f"{row.speed:.6g}",
    )


def _card_key(table: Table, place: int) -> str:
    return f"{table.key}-card-{place}"


def _rank_value(shown: Figure | None) -> str:
    """What ranges of ranks are sorted by: the best rank, then the worst."""
    if shown is None or shown.first is None or shown.last is None:
        return ""
    return f"{shown.first + shown.last / 10_000:.4f}"


def _figure(shown: Figure | None) -> str:
    value = None if shown is None else shown.estimate.value
    return fill(
        "figure.html",
        value="" if value is None else f"{value:.6f}",
        ranks=UNKNOWN if shown is None else shown.ranks,
        rank_value=_rank_value(shown),
        text=figure_text(shown),
        interval=interval_text(shown),
    )


def _marks(shown: Figure | None, scale: tuple[float, float]) -> str:
    """A figure's point and interval on the axis."""
    if shown is None or shown.estimate.value is None:
        return ""
    value, low, high = shown.estimate.value, shown.estimate.low, shown.estimate.high
    given = {
        "value": value,
        "low": value if low is None else low,
        "high": value if high is None else high,
    }
    share = (PLOT[1] - PLOT[0]) / (scale[1] - scale[0])
    return fill(
        "marks.html",
        **{name: f"{PLOT[0] + (end - scale[0]) * share:.1f}" for name, end in given.items()},
    )


def _published(table: Table, row: PublishedRow, scale: tuple[float, float] | None) -> str:
    figures = []
    for group in table.groups:
        given = table.published_figure(row, group)
        figures.append(
            fill(
                "figure.html",
                value=f"{sum(given) / len(given):.6f}" if given else "",
                ranks=UNKNOWN,
                rank_value="",
                text=published_text(given),
                interval="",
            )
        )
        if scale and group == table.groups[0]:
            figures.append(fill("plot_empty.html"))
    return fill(
        "published_row.html",
        name=_text(row.model),
        figures="\n".join(figures),
        setting=_text(row.setting + (f" ({row.where})" if row.where else "")),
    )


def _sources(table: Table) -> str:
    """Which papers the published rows are of, and what is not the same there."""
    if not table.published:
        return ""
    papers = [
        fill(
            "paper.html",
            paper=_text(paper),
            sources="\n".join(fill("source.html", source=_text(told)) for told in differences),
        )
        for paper, differences in differences_by_paper(table).items()
    ]
    return fill("sources.html", note=_text(PUBLISHED), papers="\n".join(papers))


def _card(table: Table, row: Row, place: int) -> str:
    card = row.card
    measures = list(dict.fromkeys(name for found in card.scores.values() for name in found))
    measures.sort(key=lambda name: name != card.task["headline"])
    shown = measures[:MEASURES_SHOWN]
    rows = []
    for group, found in card.scores.items():
        texts = (whole_figure(found[name]) if name in found else UNKNOWN for name in shown)
        figures = "".join(fill("cell.html", text=_text(text)) for text in texts)
        rows.append(fill("group.html", group=_text(group), figures=figures))
    return fill(
        "card.html",
        name=_text(row.name),
        key=table.key,
        card=_card_key(table, place),
        command=fill("command.html", command=_text(row.command))
        if row.command
        else fill("no_command.html"),
        facts="\n".join(
            fill("fact.html", name=_text(name), value=_text(value)) for name, value in _facts(card)
        ),
        heads="".join(fill("measure.html", measure=_text(measure)) for measure in shown),
        rows="\n".join(rows),
        fingerprint=_text(card.fingerprint()),
    )


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
