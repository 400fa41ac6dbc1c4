"""A board's files: reading cards, and the page, Markdown, csv and JSON."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from hybridsem._utils.disk import saving
from hybridsem._utils.lines import read_json
from hybridsem.errors import InputError
from hybridsem.evaluation.card import Card, load_card, number
from hybridsem.evaluation.report.leaderboard.board import Board, Row, Table
from hybridsem.evaluation.report.leaderboard.markdown import as_markdown
from hybridsem.evaluation.report.leaderboard.page import as_page
from hybridsem.evaluation.report.leaderboard.published import PublishedRow
from hybridsem.render.wording import visible

SCHEMA, VERSION = "hybridsem/leaderboard", 1
FORMULA = ("=", "+", "-", "@")
"""How a text begins that a spreadsheet computes."""


def read_cards(paths: Iterable[str | Path]) -> tuple[list[Card], list[str]]:
    """The cards of files, and of all ``*.json`` files of folders, with each file's name without
    ending.

    A board's own ``leaderboard.json`` in a folder is passed over. Raises :class:`InputError` where
    a path holds no cards, :class:`FormatError` with the file's name for what is no card.
    """
    cards: list[Card] = []
    names: list[str] = []
    for path in map(Path, paths):
        files = sorted(path.rglob("*.json")) if os.path.isdir(path) else [path]
        files = [file for file in files if file == path or not _is_board(file)]
        if not files:
            raise InputError(
                f"no result cards in {str(path)!r}: a card is a .json file that "
                "`hybridsem evaluate -o` writes"
            )
        cards += map(load_card, files)
        names += [file.stem for file in files]
    return cards, names


def _is_board(path: Path) -> bool:
    """Whether it is what :func:`as_json` wrote."""
    if path.name != "leaderboard.json":
        return False
    plain = read_json(path)
    return isinstance(plain, dict) and plain.get("schema") == SCHEMA


def as_json(board: Board) -> str:
    """The board as data."""
    plain = {
        "schema": SCHEMA,
        "version": VERSION,
        "resamples": board.resamples,
        "seed": board.seed,
        "level": board.level,
        "tables": [_table(table) for table in board.tables],
    }
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _table(table: Table) -> dict[str, Any]:
    about = (
        "task",
        "split",
        "data",
        "source",
        "items",
        "summary",
        "citation",
        "measure",
        "unranked",
    )
    return {name: getattr(table, name) for name in about} | {
        "groups": list(table.groups),
        "pairs": {
            group: {
                "tested": ranking.tested,
                "by_intervals": ranking.by_intervals,
                "undecided": ranking.undecided,
            }
            for group, ranking in table.rankings.items()
        },
        "rows": [_row(row) for row in table.rows],
        "published": [_published(table, row) for row in table.published],
    }


def _row(row: Row) -> dict[str, Any]:
    figures = {
        group: {
            "value": number(shown.estimate.value),
            "low": number(shown.estimate.low),
            "high": number(shown.estimate.high),
            "n": shown.estimate.n,
            "missing": shown.estimate.missing,
            "ranks": None if shown.first is None else [shown.first, shown.last],
        }
        for group, shown in row.figures.items()
    }
    about = ("name", "kind", "licence", "needs", "command", "speed")
    return {name: getattr(row, name) for name in about} | {
        "figures": figures,
        "card": row.card.digest,
        "model": dict(row.card.model),
    }


def _published(table: Table, row: PublishedRow) -> dict[str, Any]:
    about = ("model", "paper", "setting", "where", "difference")
    figures = {
        group: [float(value) for value in table.published_figure(row, group)]
        for group in table.groups
    }
    return {name: getattr(row, name) for name in about} | {
        "figures": {group: figure for group, figure in figures.items() if figure}
    }


COLUMNS = (
    "benchmark",
    "split",
    "data",
    "group",
    "measure",
    "model",
    "published",
    "value",
    "low",
    "high",
    "n",
    "missing",
    "best_rank",
    "worst_rank",
    "rows_per_second",
    "kind",
    "licence",
    "needs",
    "command",
    "card",
)


def as_csv(board: Board) -> str:
    """A line a figure; a published range has its ends in ``low`` and ``high``."""
    text = StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n", restval="")
    writer.writeheader()
    for table in board.tables:
        of = {
            "benchmark": table.task,
            "split": table.split,
            "data": table.data,
            "measure": table.measure,
        }
        for row in table.rows:
            writer.writerows(_figure_lines(of, row))
        for published in table.published:
            for group in table.groups:
                if given := table.published_figure(published, group):
                    ends = {"low": given[0], "high": given[1]} if len(given) > 1 else {}
                    value = {"value": given[0]} if len(given) == 1 else {}
                    writer.writerow(
                        _cells(
                            of
                            | {"group": group, "model": published.model}
                            | {"published": published.paper}
                            | value
                            | ends
                        )
                    )
    return text.getvalue()


def _figure_lines(of: Mapping[str, Any], row: Row) -> Iterable[dict[str, Any]]:
    for group, shown in row.figures.items():
        estimate = shown.estimate
        yield _cells(
            {
                **of,
                "group": group,
                "model": row.name,
                "value": number(estimate.value),
                "low": number(estimate.low),
                "high": number(estimate.high),
                "n": estimate.n,
                "missing": estimate.missing,
                "best_rank": shown.first,
                "worst_rank": shown.last,
                "rows_per_second": row.speed,
                "kind": row.kind,
                "licence": row.licence,
                "needs": row.needs,
                "command": row.command,
                "card": row.card.digest,
            }
        )


def _cells(line: Mapping[str, Any]) -> dict[str, Any]:
    """A line whose texts no spreadsheet takes for a formula, and no terminal for a command."""
    texts = {
        name: visible(value) if isinstance(value, str) else value
        for name, value in line.items()
        if value is not None
    }
    return {
        name: f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
        for name, value in texts.items()
    }


FILES: Mapping[str, Callable[[Board], str]] = {
    "index.html": as_page,
    "leaderboard.md": as_markdown,
    "leaderboard.csv": as_csv,
    "leaderboard.json": as_json,
}
"""The files of a board, and what makes each."""


def write(board: Board, folder: str | Path) -> Sequence[Path]:
    """Write all files into a folder, which is made where it is not there; files of before are
    replaced.

    Raises :class:`InputError` where they cannot be written.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {str(folder)!r}: {error.strerror}") from error
    for name, make in FILES.items():
        with saving(folder / name, "the leaderboard") as part:
            part.write_text(make(board), encoding="utf-8", errors="backslashreplace")
    return [folder / name for name in FILES]
