"""The files of a board: a page, Markdown, csv and JSON; and reading cards."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path

from hybridsem._typing import Plain, Record
from hybridsem._utils.disk import saving
from hybridsem._utils.lines import read_json
from hybridsem._utils.terminal import visible
from hybridsem.errors import InputError
from hybridsem.evaluation.card import Card, load_card, number
from hybridsem.evaluation.report.leaderboard.board import Board, Figure, PublishedRow, Row, Table
from hybridsem.evaluation.report.leaderboard.page import as_markdown, as_page

SCHEMA, VERSION = "hybridsem/leaderboard", 1
FORMULA = ("=", "+", "-", "@")  # the beginnings of texts that a spreadsheet would compute
ESTIMATE = ("value", "low", "high", "n", "missing")
OF_TABLE = ("task", "split", "data", "source", "items", "summary", "citation", "measure")
OF_PUBLISHED = ("model", "paper", "setting", "where", "difference")
OF_FIGURE = ("benchmark", "split", "data", "group", "measure", "model", "published", *ESTIMATE)
OF_MODEL = ("kind", "licence", "needs", "command", "trained_on")
COLUMNS = (*OF_FIGURE, "best_rank", "worst_rank", "rows_per_second", *OF_MODEL, "card")


def read_cards(paths: Iterable[str | Path]) -> tuple[list[Card], list[str]]:
    """Read the cards of files and of all ``*.json`` of folders, and the names of the files."""
    cards: list[Card] = []
    names: list[str] = []
    for path in map(Path, paths):
        files = sorted(path.rglob("*.json")) if os.path.isdir(path) else [path]
        files = [file for file in files if file == path or not _is_board(file)]
        if not files:
            why = f"no result cards in {str(path)!r}: a card is a .json file that"
            raise InputError(f"{why} `hybridsem evaluate -o` writes")
        cards += map(load_card, files)
        names += [file.stem for file in files]
    return cards, names


def _is_board(path: Path) -> bool:
    """Test if a file is the output of :func:`as_json`."""
    plain = read_json(path) if path.name == "leaderboard.json" else None
    return isinstance(plain, dict) and plain.get("schema") == SCHEMA


def as_json(board: Board) -> str:
    """Return the board as JSON."""
    plain = {"schema": SCHEMA, "version": VERSION, **_fields(board, "resamples", "seed", "level")}
    plain["tables"] = [_table(table) for table in board.tables]
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _fields(one: object, *names: str) -> Plain:
    return {name: getattr(one, name) for name in names}


def _table(table: Table) -> Plain:
    names = ("tested", "by_intervals", "undecided")
    return _fields(table, *OF_TABLE, "unranked") | {
        "groups": list(table.groups),
        "pairs": {group: _fields(one, *names) for group, one in table.rankings.items()},
        "rows": [_row(row) for row in table.rows],
        "published": list(map(_published, table.published)),
    }


def _row(row: Row) -> Plain:
    figures = {
        group: _figure(shown) | {"ranks": shown.first and [shown.first, shown.last]}
        for group, shown in row.figures.items()
    }
    about = {"figures": figures, "card": row.card.digest, "model": dict(row.card.model)}
    return _fields(row, "name", *OF_MODEL, "speed") | about


def _figure(shown: Figure) -> Plain:
    return {name: number(value) for name, value in _fields(shown.estimate, *ESTIMATE).items()}


def _published(row: PublishedRow) -> Plain:
    figures = {group: list(map(float, values)) for group, values in row.figures.items()}
    return _fields(row, *OF_PUBLISHED) | {"figures": figures}


def as_csv(board: Board) -> str:
    """Return a line for each figure; a published range has its ends in ``low`` and ``high``."""
    text = StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n", restval="")
    writer.writeheader()
    for table in board.tables:
        of = {"benchmark": table.task} | _fields(table, "split", "data", "measure")
        writer.writerows(_cells(of | line) for line in _lines(table))
    return text.getvalue()


def _lines(table: Table) -> Iterator[Plain]:
    for row in table.rows:
        about = _fields(row, *OF_MODEL)
        about |= {"model": row.name, "rows_per_second": row.speed, "card": row.card.digest}
        for group, shown in row.figures.items():
            ranks = {"best_rank": shown.first, "worst_rank": shown.last}
            yield about | {"group": group, **_figure(shown), **ranks}
    for published in table.published:
        for group, given in published.figures.items():
            names = ("value",) if len(given) == 1 else ("low", "high")
            about = {"model": published.model, "published": published.paper, "group": group}
            yield about | dict(zip(names, given, strict=True))


def _cells(line: Record) -> Plain:
    """Return a line whose texts are safe for spreadsheets and terminals."""
    cells = {name: value for name, value in line.items() if value is not None}
    texts = {name: visible(value) for name, value in cells.items() if isinstance(value, str)}
    acting = {name: f"'{text}" for name, text in texts.items() if text.startswith(FORMULA)}
    return cells | texts | acting


# The writers of the files of a board.
FILES: Mapping[str, Callable[[Board], str]] = {
    "index.html": as_page,
    "leaderboard.md": as_markdown,
    "leaderboard.csv": as_csv,
    "leaderboard.json": as_json,
}


def write(board: Board, folder: str | Path) -> Sequence[Path]:
    """Write all files into a folder, which is created if missing; existing files are replaced."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {str(folder)!r}: {error.strerror}") from error
    for name, make in FILES.items():
        with saving(folder / name, "the leaderboard") as part:
            part.write_text(make(board), encoding="utf-8", errors="backslashreplace")
    return [folder / name for name in FILES]
