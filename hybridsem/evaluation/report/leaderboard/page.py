"""The files of a board: a self-contained HTML page, Markdown, csv and JSON; and reading cards."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from io import StringIO
from pathlib import Path

from hybridsem._typing import Plain, Record
from hybridsem._utils.disk import saving
from hybridsem._utils.lines import read_json
from hybridsem._utils.tables import read_table
from hybridsem.errors import InputError, counted
from hybridsem.evaluation.card import Card, load_card, number
from hybridsem.evaluation.report.leaderboard import board as boards
from hybridsem.evaluation.report.leaderboard.board import Board, Figure, PublishedRow, Row, Table
from hybridsem.evaluation.report.leaderboard.provenance import KINDS, UNKNOWN
from hybridsem.evaluation.report.pages import fill, fill_markdown
from hybridsem.evaluation.report.tables import NAMES, SEEN, figure
from hybridsem.render.wording import visible

_TEXTS = read_table(__file__)


def as_page(board: Board) -> str:
    """Return the board as an HTML page. Raises :class:`MissingExtraError` without Jinja2."""
    rows, kinds = [row for table in board.tables for row in table.rows], _kinds(board)
    has_published = any(table.published for table in board.tables)
    return fill(
        "leaderboard",
        "Leaderboard of sentence similarity",
        tables=board.tables,
        introduction=_TEXTS["introduction"].replace("`", '"'),
        kinds=kinds,
        colours=[*KINDS],
        boxes=[*kinds, "published"] if has_published else [*kinds],
        licences=sorted({row.licence for row in rows}),
        cards=counted(len(rows), "result card"),
        unknown=UNKNOWN,
        rank_value=lambda shown: f"{shown.first + shown.last / 10_000:.4f}" if shown.first else "",
        value_of=lambda one: "" if one.estimate.value is None else f"{one.estimate.value:.6f}",
        count_of=counted,
        **_words(board),
    )


def as_markdown(board: Board) -> str:
    """Return the board as Markdown. Raises :class:`MissingExtraError` without Jinja2."""
    values = {"kinds": _kinds(board), "introduction": _TEXTS["introduction"], "visible": visible}
    return fill_markdown("leaderboard.md", **values, **_words(board))


def _words(board: Board) -> Plain:
    """Return what both templates use."""
    return {
        "board": board,
        "published_note": _TEXTS["published"],
        "about_table": _about_table,
        "differences_by_paper": _differences_by_paper,
        "figure_text": lambda f: UNKNOWN if f is boards.LACKING else _number(f.estimate.value),
        "interval_text": _interval_text,
        "measure_name": lambda table: NAMES.get(table.measure, table.measure),
        "published_text": _published_text,
        "rank_note": rank_note,
        "speed_text": lambda speed: UNKNOWN if speed is None else f"{speed:,.{int(speed < 10)}f}",
    }


def _kinds(board: Board) -> dict[str, str]:
    """Return the kinds of models on the board with their descriptions."""
    shown = {row.kind for table in board.tables for row in table.rows}
    return {kind: what for kind, what in KINDS.items() if kind in shown}


def _about_table(table: Table) -> str:
    """Return the benchmark's summary, its paper, and the number of rows."""
    told = [*filter(None, (table.summary, table.citation)), counted(table.items, "row")]
    texts = [text[:1].upper() + text[1:] for text in told]
    return " ".join(text if text.endswith((".", "?", "!")) else f"{text}." for text in texts)


def _interval_text(shown: Figure) -> str:
    low, high = shown.estimate.low, shown.estimate.high
    return "" if low is None else f"[{_number(low)}, {_number(high)}]"


def _published_text(given: Sequence[Decimal]) -> str:
    """Return a published figure with its own decimals; two as a range."""
    texts = (str(value).replace("0.", ".", 1) if abs(value) < 1 else str(value) for value in given)
    return "–".join(texts).replace("-", "−") or UNKNOWN


def _number(value: float | None) -> str:
    return figure(value).replace("-", "−")


def _differences_by_paper(table: Table) -> dict[str, list[str]]:
    """Return lines on what differs in the published rows, by paper."""
    papers: dict[str, dict[tuple[str, str], list[str]]] = {}
    for row in table.published:
        setting = ", ".join(filter(None, (row.setting, row.where)))
        lines = papers.setdefault(row.paper, {})
        lines.setdefault((setting, row.difference), []).append(row.model)

    def line(setting: str, difference: str, models: list[str]) -> str:
        named = ", ".join(dict.fromkeys(models)) + (f" ({setting})" if setting else "")
        return f"{named}: {difference}" if difference else named

    return {
        paper: [line(*key, models) for key, models in lines.items()]
        for paper, lines in papers.items()
    }


def rank_note(board: Board, table: Table) -> str:
    """Return how the models of a table were separated, and which were trained on its pairs."""
    seen = (
        f" {SEEN} {row.name}: trained on test, the weights were trained on {row.trained_on:,} of "
        "its pairs."
        for row in table.rows
        if row.trained_on
    )
    return "".join([_separated(board, table), *seen])


def _separated(board: Board, table: Table) -> str:
    if table.unranked:
        return f"Nothing is ranked: {table.unranked}."
    if len(table.rows) < 2:
        return "One card: there is nothing to rank."
    levels = {row.card.settings.get("level") for row in table.rows}
    level = levels.pop() if len(levels) == 1 else None
    own_level = f"{level * 100:g} % " if isinstance(level, float) else ""
    given = {"resamples": board.resamples, "level": board.level, "own_level": own_level}
    how = {name: text.format(**given) for name, text in _TEXTS["separated"].items()}
    sums = {name: sum(getattr(one, name) for one in table.rankings.values()) for name in how}
    whole = sum(sums.values())
    notes = {name: f" ({n:,} of {whole:,} pairs)" if n < whole else "" for name, n in sums.items()}
    parts = "; by ".join(how[name] + notes[name] for name, count in sums.items() if count)
    return f"Models are separated by {parts}."


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
        "published": [_published(table, row) for row in table.published],
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


def _published(table: Table, row: PublishedRow) -> Plain:
    given = {group: table.published_figure(row, group) for group in table.groups}
    figures = {group: list(map(float, values)) for group, values in given.items() if values}
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
        for group in table.groups:
            if given := table.published_figure(published, group):
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
