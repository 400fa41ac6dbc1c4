"""A board as Markdown: a table a benchmark, published figures, and the commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hybridsem.evaluation.report.leaderboard.board import Board, Row, Table
from hybridsem.evaluation.report.leaderboard.provenance import KINDS
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
from hybridsem.render.wording import visible


def as_markdown(board: Board) -> str:
    """The board as a page of Markdown."""
    shown = {row.kind for table in board.tables for row in table.rows}
    lines = ["# Leaderboard", "", INTRODUCTION, ""]
    lines += [f"- **{kind}**: {what}" for kind, what in KINDS.items() if kind in shown]
    for table in board.tables:
        lines += ["", *_table(board, table)]
    return "\n".join(lines) + "\n"


def _table(board: Board, table: Table) -> Iterator[str]:
    yield f"## {_text(table.title)}"
    yield ""
    yield f"{_text(about_table(table))} Figures are {_text(measure_name(table))}."
    yield ""
    yield _line(["rank", "model", *map(_text, table.groups), "rows/s", "kind", "needs", "licence"])
    yield _line(["---", "---", *["---:"] * (len(table.groups) + 1), "---", "---", "---"])
    for row in table.rows:
        figures = [_figure(row, group) for group in table.groups]
        told = [_text(row.kind), _text(row.needs), _text(row.licence)]
        yield _line([ranks_of(table, row), _text(row.name), *figures, speed_text(row.speed), *told])
    for published in table.published:
        figures = [published_text(table.published_figure(published, g)) for g in table.groups]
        yield _line(["–", f"*{_text(published.model)}*", *figures, "–", "*published*", "–", "–"])
    yield ""
    yield _text(rank_note(board, table))
    if table.published:
        yield ""
        yield PUBLISHED
        yield ""
        yield from _sources(table)
    commands = [row.command for row in table.rows if row.command]
    if commands:
        yield ""
        yield "The commands, with the data's files by their names:"
        yield ""
        yield from (f"    {visible(command)}" for command in commands)


def _figure(row: Row, group: str) -> str:
    shown = row.figures.get(group)
    return " ".join(filter(None, (figure_text(shown), interval_text(shown))))


def _sources(table: Table) -> Iterator[str]:
    for paper, differences in differences_by_paper(table).items():
        yield f"{_text(paper)}."
        yield ""
        yield from (f"- {_text(told)}" for told in differences)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    """A text in which nothing acts as Markdown or HTML."""
    return re.sub(r"([\\`*_\[\]<>|#&])", r"\\\1", visible(text))
