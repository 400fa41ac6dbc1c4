"""Read files of texts, one text a line or record.

txt (and any other name)     a line each; blank lines are skipped
csv, tsv                     a column, by its name in the header
jsonl                        an object on each line
parquet, arrow, feather      a column
xlsx                         a column of the first visible sheet
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hybridsem._utils.lines import LineReader, plain_suffix
from hybridsem._utils.safe_read import reading
from hybridsem.errors import FormatError, InputError, listed
from hybridsem.tables.columnar import COLUMNAR, ColumnarRows
from hybridsem.tables.excel import EXCEL, SheetRows
from hybridsem.tables.rows import Rows
from hybridsem.tables.text import DELIMITERS, JSON_LINES, JSON_SUFFIXES, TextRows

NAMES = ("text", "sentence", "document", "passage", "content", "query", "question", "body", "title")
"""The usual names of the column of texts, the likeliest first."""


class TextRow(NamedTuple):
    """A text (or the cell in its place), its id, and its line or row in the file, from 1."""

    text: Any
    id: Any
    line: int


class TextsReader:
    """Iterates over the texts of a file; ``rows_are`` is the unit of their ``line``.

    Raises :class:`InputError` if the file cannot be opened, or a column is named for a text file.

    Args:
        path: The file, whose ending is its format; ``-`` is standard input.
        column: The column of the texts. None: found in the header.
        id_column: The column of their ids, if any.
        encoding: Python's name of a text file's encoding. None: UTF-8.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        column: str | None = None,
        id_column: str | None = None,
        encoding: str | None = None,
    ) -> None:
        self.column, self.id_column = column, id_column
        self._texts: str | None = None
        suffix = plain_suffix(path)
        self.rows: Rows | None = None
        if suffix in COLUMNAR:
            self.rows = ColumnarRows(path, self._header)
        elif suffix in EXCEL:
            self.rows = SheetRows(path, self._header)
        elif suffix in (*DELIMITERS, *JSON_SUFFIXES):
            mark = DELIMITERS.get(suffix, JSON_LINES)
            self.rows = TextRows(path, self._header, lambda *_: mark, encoding, "strict")
        else:
            self.lines = LineReader(path, encoding=encoding)
        if self.rows is None and (column or id_column) is not None:
            raise InputError(
                f"a text file has a text a line and no columns, got {str(path)!r}; name a .csv, "
                ".tsv, .jsonl, .parquet or .xlsx file"
            )
        self.rows_are = "line" if self.rows is None else self.rows.rows_are
        self.name = self.lines.name if self.rows is None else self.rows.name

    @property
    def progress(self) -> tuple[int, int | None]:
        """The bytes or rows read, and their total if known."""
        return (self.rows or self.lines).progress

    def __iter__(self) -> Iterator[TextRow]:
        with reading(self.name):
            if self.rows is None:
                lines = ((number, line.strip()) for number, line in self.lines)
                yield from (TextRow(text, None, number) for number, text in lines if text)
                return
            tables = DELIMITERS.values()
            for number, record, problem in self.rows:
                if self.rows.format in tables and not any(map(str.strip, record.values())):
                    continue
                if problem is not None:
                    raise self._error(problem, number)
                yield self._row(record, number)

    def _header(self, names: list[str], _: Mapping[str, Any] | None, line: int | None) -> None:
        """Find the column of the texts."""
        wanted = [name for name in (self.column, self.id_column) if name is not None]
        if missing := [name for name in wanted if name not in names]:
            raise self._error(f"no column {missing[0]!r}; it has {listed(names)}", line)
        plain = {name.strip().lower(): name for name in names}
        likely = [plain[name] for name in NAMES if name in plain]
        others = [name for name in names if name != self.id_column]
        found = self.column or next(iter(likely), others[0] if len(others) == 1 else None)
        if found is None:
            raise self._error(
                f"cannot determine which column has the texts, got {listed(names)}; say which with "
                "column= (--column)",
                line,
            )
        self._texts = found
        if isinstance(self.rows, ColumnarRows):
            self.rows.check_text([found])
            self.rows.wanted = [found] if self.id_column is None else [found, self.id_column]

    def _row(self, record: Mapping[str, Any], line: int) -> TextRow:
        text, name = record.get(self._texts or ""), self.id_column
        if name is not None and record.get(name) in (None, ""):
            raise self._error(f"column {name!r}: the id is missing", line)
        return TextRow(text, None if name is None else record[name], line)

    def _error(self, message: str, line: int | None) -> FormatError:
        return FormatError(message, self.name, line, self.rows_are)


open_texts = TextsReader
