"""Files of texts, one a line or a record, read one at a time.

    txt (and any other name)     a line each; blank lines are passed over
    csv, tsv                     the column of the texts, by its name in the header
    jsonl                        an object, or a string, a line
    parquet, arrow, feather      a column
    xlsx                         a column of the first visible sheet

Text files may be .gz or .zst; ``-`` is standard input, a line each.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from hybridsem._utils.doors import reading
from hybridsem._utils.lines import LineReader, json_object, plain_suffix
from hybridsem.errors import FormatError, InputError, listed
from hybridsem.pairs._columns import Layout
from hybridsem.pairs.columnar import ColumnarReader, holds_text, values_of
from hybridsem.pairs.excel import first_sheet, openpyxl

__all__ = ["TextRow", "TextsReader", "open_texts"]

NAMES = ("text", "sentence", "document", "passage", "content", "query", "question", "body", "title")
"""Columns that are taken for the texts, the likeliest first, where none is named."""
TABLES = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
JSON = (".jsonl", ".ndjson", ".json")
COLUMNAR = (".parquet", ".arrow", ".feather")


class TextRow(NamedTuple):
    """A text (or what stands in its place), its id, and its line or row in the file, from 1."""

    text: Any
    id: Any
    line: int


class TextsReader(Protocol):
    """An iterable over the texts of a file; ``rows_are`` says what their ``line`` counts."""

    name: str
    rows_are: str

    def __iter__(self) -> Iterator[TextRow]: ...

    @property
    def progress(self) -> tuple[int, int | None]:
        """How far the reading is: bytes or rows, and all of them where that is known."""
        ...


def open_texts(
    path: str | Path,
    *,
    column: str | None = None,
    id_column: str | None = None,
    encoding: str | None = None,
) -> TextsReader:
    """A reader of the texts of a file.

    Args:
        path: The file, whose ending says its format; ``-`` is standard input.
        column: The column of the texts; None: told by the header.
        id_column: The column of their ids, if they have some.
        encoding: Of a text file, as Python calls it; None: UTF-8.

    Raises:
        InputError: The file cannot be opened, or is of a kind without columns and one is named.
    """
    suffix = plain_suffix(path)
    if suffix in COLUMNAR:
        return _ColumnOf(path, column, id_column)
    if suffix == ".xlsx":
        return _SheetOf(path, column, id_column)
    if suffix in JSON:
        return _Lines(path, _json_rows, column, id_column, encoding)
    if suffix in TABLES:
        return _Lines(path, _table_rows(TABLES[suffix]), column, id_column, encoding)
    if column is not None or id_column is not None:
        raise InputError(
            f"a text file has a text a line and no columns, got {str(path)!r}; name a .csv, .tsv, "
            ".jsonl, .parquet or .xlsx file"
        )
    return _Lines(path, _plain_rows, None, None, encoding)


class _Lines:
    """Of a file of lines; ``rows`` makes texts of them."""

    rows_are = "line"

    def __init__(
        self,
        path: str | Path,
        rows: Callable[[_Lines], Iterator[TextRow]],
        column: str | None,
        id_column: str | None,
        encoding: str | None,
    ) -> None:
        self.lines = LineReader(path, encoding=encoding)
        self.name, self.rows = self.lines.name, rows
        self.column, self.id_column = column, id_column

    @property
    def progress(self) -> tuple[int, int | None]:
        return self.lines.bytes_read, self.lines.size

    def __iter__(self) -> Iterator[TextRow]:
        with reading(self.name):
            yield from self.rows(self)


def _plain_rows(reader: _Lines) -> Iterator[TextRow]:
    for number, line in reader.lines:
        if line.strip():
            yield TextRow(line.strip(), None, number)


def _json_rows(reader: _Lines) -> Iterator[TextRow]:
    import json

    column: str | None = None
    for number, line in reader.lines:
        if not line.strip():
            continue
        if line.lstrip().startswith('"'):
            try:
                yield TextRow(json.loads(line), None, number)
            except ValueError as error:
                raise FormatError(f"no JSON: {error}", reader.name, number) from None
            continue
        record, problem = json_object(line)
        if problem is not None:
            raise FormatError(problem, reader.name, number)
        if column is None:  # the first object tells it for all
            column = _column(list(record), reader, number)
        yield TextRow(record.get(column), _id(record, reader, number), number)


def _table_rows(mark: str) -> Callable[[_Lines], Iterator[TextRow]]:
    def rows(reader: _Lines) -> Iterator[TextRow]:
        table = csv.reader((f"{line}\n" for _, line in reader.lines), delimiter=mark, strict=True)
        names: list[str] | None = None
        while True:
            start = reader.lines.number + 1
            try:
                cells = next(table, None)
            except csv.Error as error:
                raise FormatError(
                    f"a stray or open quotation mark ({error})", reader.name, start
                ) from None
            if cells is None:
                return
            if not any(cell.strip() for cell in cells):
                continue
            if names is None:
                names = [cell.strip() for cell in cells]
                column = _column(names, reader, start)
                continue
            if len(cells) != len(names):
                raise FormatError(
                    f"expected {len(names)} columns as in the header, got {len(cells)}",
                    reader.name,
                    start,
                )
            record = dict(zip(names, cells, strict=True))
            yield TextRow(record[column], _id(record, reader, start), start)

    return rows


def _column(names: Sequence[str], reader: Any, line: int | None) -> str:
    """The column of the texts among those of a file."""
    wanted = [name for name in (reader.column, reader.id_column) if name is not None]
    if missing := [name for name in wanted if name not in names]:
        raise FormatError(
            f"no column {missing[0]!r}; it has {listed(names)}", reader.name, line, reader.rows_are
        )
    if reader.column is not None:
        return str(reader.column)
    plain = {name.strip().lower(): name for name in names}
    found = next((plain[name] for name in NAMES if name in plain), None)
    others = [name for name in names if name != reader.id_column]
    if found is None and len(others) == 1:
        found = others[0]
    if found is None:
        raise FormatError(
            f"cannot tell which column has the texts, got {listed(names)}; say which with column= "
            "(--column)",
            reader.name,
            line,
            reader.rows_are,
        )
    return found


def _id(record: Mapping[str, Any], reader: Any, line: int) -> Any:
    if reader.id_column is None:
        return None
    found = record.get(reader.id_column)
    if found is None or found == "":
        raise FormatError(
            f"column {reader.id_column!r}: the id is missing", reader.name, line, reader.rows_are
        )
    return found


class _ColumnOf(ColumnarReader):
    """Of a Parquet, Arrow or Feather file."""

    def __init__(self, path: str | Path, column: str | None, id_column: str | None) -> None:
        super().__init__(path)
        self.column, self.id_column = column, id_column

    def __iter__(self) -> Iterator[TextRow]:  # type: ignore[override]
        row = 0
        with reading(self.name):
            for batch in self.batches():
                assert self.layout is not None  # batches() has set it
                texts = values_of(batch.column(self.layout.text1))
                ids = [None] * len(texts)
                if self.id_column is not None:
                    ids = values_of(batch.column(self.id_column))
                for at, (text, one) in enumerate(zip(texts, ids, strict=True)):
                    row += 1
                    if (problem := self._problems.get(at)) is not None:
                        raise FormatError(problem, self.name, row, self.rows_are)
                    if self.id_column is not None:
                        _id({self.id_column: one}, self, row)
                    yield TextRow(text, one, row)

    def _layout(self, schema: Any) -> Layout:
        column = _column(schema.names, self, None)
        if not holds_text(kind := schema.field(column).type):
            raise FormatError(f"column {column!r}: expected text, it has {kind}", self.name)
        return Layout(tuple(schema.names), column, column)


class _SheetOf:
    """Of an Excel workbook."""

    rows_are = "row"

    def __init__(self, path: str | Path, column: str | None, id_column: str | None) -> None:
        openpyxl()
        self.path, self.name = Path(path), str(path)
        self.column, self.id_column = column, id_column
        self._read, self._rows = 0, None

    @property
    def progress(self) -> tuple[int, int | None]:
        return self._read, self._rows

    def __iter__(self) -> Iterator[TextRow]:
        with reading(self.name), first_sheet(self.path) as sheet:
            names: list[str] | None = None
            sheet.reset_dimensions()
            for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
                self._read = number
                if all(cell is None for cell in cells):
                    continue
                if names is None:
                    names = [f"column{i}" if c is None else str(c) for i, c in enumerate(cells, 1)]
                    column = _column(names, self, number)
                    continue
                record = dict(zip(names, cells, strict=False))
                yield TextRow(record.get(column), _id(record, self, number), number)
