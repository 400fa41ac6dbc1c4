"""Text tables: csv, tsv, ``s1;s2[;gold]`` lines and JSON lines, read one record at a time.

bytes --LineReader--> (number, line) --_record--> (number, fields) --Layout--> Pair
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hybridsem._utils.doors import reading
from hybridsem._utils.lines import LINE_LIMIT, LineReader, json_object, next_record, plain_suffix
from hybridsem.errors import FormatError, InputError
from hybridsem.pairs._columns import (
    Layout,
    Pair,
    checked_columns,
    header_layout,
    number_in,
    pair_of,
    text_columns,
    unknown_columns,
)

__all__ = ["JSON_LINES", "TextReader"]

JSON_LINES = "jsonl"
"""The format name of JSON lines; every other format is named by its delimiter."""

FORMATS: Mapping[str, tuple[str, ...]] = {
    ".csv": (",", ";", "\t"),
    ".tsv": ("\t",),
    ".tab": ("\t",),
    ".jsonl": (JSON_LINES,),
    ".ndjson": (JSON_LINES,),
    ".json": (JSON_LINES,),
}
"""Extension -> the formats that such a file may have, the likeliest first."""

OTHERWISE = ("\t", ";", ",")

BARE = [True, True, False]
"""Which cells of a record without a header are texts."""

Record = tuple[int, Mapping[str, Any], Layout, str | None]
"""The line, the fields, the layout, and what is wrong with the record."""


class TextReader:
    """An iterable over the pairs of a text file.

    ``format`` and ``layout`` are known once the first pair was read. A record that cannot be used
    raises :class:`FormatError`.

    Args:
        path: The file; ``-`` is standard input.
        columns: The columns of the two sentences and, if wanted, of the gold score: their names,
            or for a file without a header their positions from 1. None: told by the header.
        delimiter: The character between the cells of a table; None: told by the file.
        keep_bad: Give a record that cannot be used as a pair with a ``problem``, its cells as far
            as they can be read.
        encoding: Of the file, as Python calls it; None: UTF-8.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as stream:
    ...     print("s1,s2", file=stream)
    ...     print("It rains.,It pours.", file=stream, flush=True)
    ...     [(pair.text1, pair.text2) for pair in TextReader(stream.name)]
    [('It rains.', 'It pours.')]
    """

    rows_are = "line"

    def __init__(
        self,
        path: str | Path,
        *,
        columns: Sequence[str] | None = None,
        delimiter: str | None = None,
        keep_bad: bool = False,
        encoding: str | None = None,
    ) -> None:
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
            raise InputError(
                f"delimiter must be one character and no quote or line end, got {delimiter!r}"
            )
        self.lines = LineReader(path, keep=True, encoding=encoding)
        self.name = self.lines.name
        self.suffix = plain_suffix(path)
        self.columns = checked_columns(columns)
        self.keep_bad = keep_bad
        self.formats = (
            (delimiter,) if delimiter is not None else FORMATS.get(self.suffix, OTHERWISE)
        )
        self.format: str | None = None
        self.layout: Layout | None = None

    @property
    def progress(self) -> tuple[int, int | None]:
        """How much has been read, and how much there is where that is known (bytes)."""
        return self.lines.bytes_read, self.lines.size

    def __iter__(self) -> Iterator[Pair]:
        with reading(self.name):
            yield from self._pairs()

    def _pairs(self) -> Iterator[Pair]:
        lines = iter(self.lines)
        first = next((numbered for numbered in lines if _says_something(numbered)), None)
        if first is None:
            raise FormatError("the file is empty; expected pairs of sentences", self.name)
        if self.lines.problems:
            raise FormatError(self._undecodable(), self.name, first[0])
        if any(
            "\r" in part.rstrip("\r") for part in first[1].split('"')[::2]
        ):  # outside quotation marks
            raise FormatError(
                "lines end in CR alone; save the file with LF or CRLF at line ends",
                self.name,
                first[0],
            )
        self.format = self._recognise(*first)
        lines = itertools.chain([first], lines)
        rows = (
            self._json_rows(lines)
            if self.format == JSON_LINES
            else self._table_rows(lines, self.format)
        )
        row = -1
        for row, (number, fields, self.layout, problem) in enumerate(rows):
            pair = pair_of(row, number, fields, self.layout, problem)
            if pair.problem is not None and not self.keep_bad:
                raise FormatError(pair.problem, self.name, number)
            yield pair
        if row < 0:
            raise FormatError("a header and no pairs", self.name)

    # -- lines to records
    # ----------------------------------------------------------------------------------------------

    def _recognise(self, number: int, line: str) -> str:
        """The format that the first line speaks for, among those that the name allows."""
        if (
            self.suffix not in FORMATS
            and len(self.formats) > 1
            and line.lstrip().startswith(("{", "[{"))
        ):
            return JSON_LINES
        if len(self.formats) == 1:
            return self.formats[0]
        split = {mark: _split(line, mark) for mark in self.formats}
        for mark, fields in split.items():
            if text_columns(fields) is not None or (
                self.columns and set(self.columns) <= set(fields)
            ):
                return mark
        for mark, fields in split.items():
            # Two sentences and a number, as in files of the STS3k release that are named .csv.
            if len(fields) == 3 and [number_in(cell) is None for cell in fields] == BARE:
                return mark
        for mark, fields in split.items():
            if len(fields) > 1:
                return mark
        raise FormatError(
            "expected two sentences with a tab, ';' or ',' between them, or a JSON object; "
            f"got {line[:60]!r}",
            self.name,
            number,
        )

    def _json_rows(self, lines: Iterator[tuple[int, str]]) -> Iterator[Record]:
        layout: Layout | None = None
        for number, line in filter(_says_something, lines):
            record, problem = json_object(line)
            if self.lines.problems:
                problem = _named(self._undecodable(), record)
            if layout is None:
                if problem is not None:
                    raise FormatError(problem, self.name, number)
                layout = header_layout(list(record), self.columns, record, self.name, number)
                if layout is None:
                    raise unknown_columns(list(record), self.name, number)
            if problem is not None:
                record = _mended(record) or {layout.text1: _mend(line)}
            yield number, record, layout, problem

    def _table_rows(self, lines: Iterator[tuple[int, str]], mark: str) -> Iterator[Record]:
        head = next(self._records(lines, mark, None))
        number, first, _ = head
        width = len(first)
        names = [name.strip() or f"column{i}" for i, name in enumerate(first, start=1)]
        records = self._records(lines, mark, width)
        second = list(itertools.islice(records, 1))
        sample = dict(zip(names, second[0][1], strict=False)) if second else None
        layout = (
            None
            if self._counted(names)
            else header_layout(names, self.columns, sample, self.name, number)
        )
        if layout is None:
            layout = self._bare_layout(first, number, mark)
            second = [head, *second]
        columns = layout.columns
        for at, cells, problem in itertools.chain(second, records):
            if len(cells) != width:
                problem = problem or (
                    f"expected {width} columns as in line {number}, got {len(cells)}; "
                    f"a sentence that contains {_NAMES.get(mark, repr(mark))} must stand in "
                    "double quotes"
                )
                cells = [
                    *cells[: width - 1],
                    mark.join(cells[width - 1 :]),
                    *[""] * (width - len(cells) - 1),
                ]
            fields = dict(zip(columns, cells, strict=True))
            if problem is None:
                yield at, fields, layout, None
            else:
                yield at, _mended(fields), layout, _named(problem, fields)

    def _records(
        self, lines: Iterator[tuple[int, str]], mark: str, width: int | None
    ) -> Iterator[tuple[int, list[str], str | None]]:
        """The line and the fields of each record, and what is wrong with its bytes."""
        problems = self.lines.problems
        for number, line in lines:
            # A quoted field may hold blank lines: those are taken from ``lines``.
            if not line.strip(" "):
                continue
            if '"' in line:
                cells = self._quoted(number, line, lines, mark, width)
            else:
                cells = line.split(mark)
            yield number, cells, self._undecodable() if problems else None

    def _quoted(
        self, number: int, line: str, lines: Iterator[tuple[int, str]], mark: str, width: int | None
    ) -> list[str]:
        """The fields of a record with quotation marks; it goes on over more lines where a quote is
        open.

        Tab- and ``;``-separated files are often written without any quoting, so there a quotation
        mark that does not read as quoting is taken as it stands.
        """
        try:
            fields = _parsed([line], mark)
            if width in (None, len(fields)):
                return fields
        except csv.Error:
            pass
        plain = line.split(mark)
        if mark != "," and (len(plain) == width or (width is None and len(plain) > 1)):
            return plain
        try:
            return _parsed(itertools.chain([f"{line}\n"], self._until_too_long(lines)), mark)
        except csv.Error as error:
            raise FormatError(
                f"a stray or open quotation mark ({error})", self.name, number
            ) from None

    def _until_too_long(self, lines: Iterator[tuple[int, str]]) -> Iterator[str]:
        """Lines over which an open quote goes on; one never closed does not read the whole file."""
        length = 0
        for _, text in lines:
            length += len(text) + 1
            if length > LINE_LIMIT:
                raise csv.Error(f"longer than {LINE_LIMIT >> 20} MiB")
            yield f"{text}\n"

    def _undecodable(self) -> str:
        """What is wrong with the bytes of the lines that were read last."""
        what = next(iter(self.lines.problems.values()))
        self.lines.problems.clear()
        return what

    # -- which column is which
    # -----------------------------------------------------------------------------------------

    def _counted(self, names: Sequence[str]) -> bool:
        """Whether the caller has given positions, for a file without a header."""
        return (
            self.columns is not None
            and not set(self.columns) <= set(names)
            and text_columns(names) is None
            and all(name.isdecimal() for name in self.columns)
        )

    def _bare_layout(self, first: list[str], number: int, mark: str) -> Layout:
        """The layout without a header: two sentences and perhaps a number, or given positions."""
        names = [f"column{i}" for i in range(1, len(first) + 1)]
        if self.columns is not None:
            at = [int(position) - 1 for position in self.columns]
            if bad := [i + 1 for i in at if not 0 <= i < len(first)]:
                raise FormatError(
                    f"no column {bad[0]}; the line has {len(first)}", self.name, number
                )
        elif len(first) == 3 and number_in(first[2]) is not None:
            at = [0, 1, 2]
        elif len(first) == 2 and (mark == ";" or all(" " in text.strip() for text in first)):
            at = [0, 1]
        else:
            raise unknown_columns(first, self.name, number)
        for i, name in zip(at, ("text1", "text2", "gold"), strict=False):
            names[i] = name
        return Layout(tuple(names), *(names[i] for i in at))


_NAMES = {"\t": "a tab", ",": "a comma", ";": "a semicolon"}


def _says_something(numbered: tuple[int, str]) -> bool:
    return bool(numbered[1].strip(" "))


def _mend(text: str) -> str:
    """The text with undecodable bytes, which stand in it as surrogates, written out."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # another surrogate, from an escape in JSON
        return text


def _named(problem: str, fields: Mapping[str, Any]) -> str:
    """The problem with the name of the column that has undecodable bytes or a NUL, if one has."""
    cells = ((name, cell) for name, cell in fields.items() if isinstance(cell, str))
    column = next((name for name, cell in cells if "\0" in cell or _mend(cell) != cell), None)
    return problem if column is None else f"column {column!r}: {problem}"


def _mended(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _mend(cell) if isinstance(cell, str) else cell for name, cell in fields.items()}


def _parsed(lines: Iterable[str], mark: str) -> list[str]:
    """The first record of the lines, by the rules of csv."""
    return next_record(csv.reader(lines, delimiter=mark, strict=True)) or []


def _split(line: str, mark: str) -> list[str]:
    if mark == JSON_LINES:
        return []
    try:
        return _parsed([line], mark)
    except csv.Error:
        return line.split(mark)
