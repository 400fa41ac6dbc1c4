"""Read text tables, one record at a time: csv, tsv, ``s1;s2[;gold]`` lines and JSON lines.

bytes --LineReader--> (number, line) --records--> (number, cells) --header--> (number, fields)
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal

from hybridsem._utils.lines import LINE_LIMIT, LineReader, json_object, next_record
from hybridsem.errors import FormatError
from hybridsem.tables.rows import Header, Row, Rows

JSON_LINES = "jsonl"  # the other formats are named by their delimiters
DELIMITERS: Mapping[str, str] = {".csv": ",", ".tsv": "\t", ".tab": "\t"}  # by ending
JSON_SUFFIXES = (".jsonl", ".ndjson", ".json")
# ``strict`` has the rules of csv; with ``lenient``, marks in tab- and ;-separated files that cannot
# quote are plain; with ``none`` all are.
Quotes = Literal["lenient", "strict", "none"]
Lines = Iterator[tuple[int, str]]
_NAMES = {"\t": "a tab", ",": "a comma", ";": "a semicolon"}


class TextRows(Rows):
    """The records of a table or of JSON lines; ``choose`` returns a format."""

    rows_are = "line"

    def __init__(
        self,
        path: str | Path,
        header: Header,
        choose: Callable[[str, int], str],
        encoding: str | None = None,
        quotes: Quotes = "lenient",
    ) -> None:
        super().__init__(path, header)
        self.lines = LineReader(path, keep=True, encoding=encoding)
        self.name, self.choose, self.quotes = self.lines.name, choose, quotes
        self.line = ""

    @property
    def progress(self) -> tuple[int, int | None]:
        """The bytes read, and their total if known."""
        return self.lines.progress

    def __iter__(self) -> Iterator[Row]:
        self.format = None
        with closing(iter(self.lines)) as lines:
            yield from self._records(lines)

    def _records(self, lines: Lines) -> Iterator[Row]:
        first = next((numbered for numbered in lines if numbered[1].strip(" ")), None)
        if first is None:
            return
        number, line = first
        if self.lines.problems:
            raise FormatError(self.lines.problem(), self.name, number)
        if any("\r" in part.rstrip("\r") for part in line.split('"')[::2]):  # outside quotes
            why = "lines end in CR alone; save the file with LF or CRLF at line ends"
            raise FormatError(why, self.name, number)
        self.format = self.choose(line, number)
        read = self._objects if self.format == JSON_LINES else self._table
        yield from read(itertools.chain([first], lines))

    def _objects(self, lines: Lines) -> Iterator[Row]:
        begun = False
        for number, self.line in lines:
            if not self.line.strip():
                continue
            record, problem = json_object(self.line)
            if self.lines.problems:
                problem = _named(self.lines.problem(), record)
            if not begun:
                if problem is not None:
                    raise FormatError(problem, self.name, number)
                self.header(list(record), record, number)
                begun = True
            yield number, record if problem is None else _mended(record), problem

    def _table(self, lines: Lines) -> Iterator[Row]:
        assert self.format is not None  # as __iter__ has chosen
        mark = self.format
        head = next(cells_of(self.lines, lines, mark, quotes=self.quotes))
        number, first, _ = head
        width = len(first)
        names = [name.strip() or f"column{i}" for i, name in enumerate(first, start=1)]
        records = cells_of(self.lines, lines, mark, width, quotes=self.quotes)
        begun = list(itertools.islice(records, 1))
        sample = dict(zip(names, begun[0][1], strict=False)) if begun else None
        if (bare := self.header(names, sample, number)) is not None:  # the first is a record too
            names, begun = list(bare), [head, *begun]
        for at, cells, problem in itertools.chain(begun, records):
            if len(cells) != width:
                what = f"expected {width} columns as in line {number}, got {len(cells)}"
                if self.quotes != "none":
                    of = _NAMES.get(mark, repr(mark))
                    what += f"; a sentence that contains {of} must be in double quotes"
                problem = problem or what
                cells = [*cells[: width - 1], mark.join(cells[width - 1 :])]
                cells += [""] * (width - len(cells))
            fields: dict[str, object] = dict(zip(names, cells, strict=True))
            if problem is not None:
                problem, fields = _named(problem, fields), _mended(fields)
            yield at, fields, problem


def cells_of(
    reader: LineReader,
    lines: Lines,
    mark: str,
    width: int | None = None,
    quotes: Quotes = "lenient",
) -> Iterator[tuple[int, list[str], str | None]]:
    """Yield the line, cells and fault of each record, of ``width`` cells; see ``Quotes``."""
    for number, line in lines:
        if not line.strip(" "):
            continue
        if '"' in line and quotes != "none":
            lenient = quotes == "lenient" and mark != ","
            cells = _quoted(line, mark, width if lenient else -1)
            if cells is None:  # a quote spans lines
                rest = itertools.chain([f"{line}\n"], _until_too_long(lines))
                try:
                    cells = _parsed(rest, mark)
                except csv.Error as error:
                    why = f"a stray or open quotation mark ({error})"
                    raise FormatError(why, reader.name, number) from None
        else:
            cells = line.split(mark)
        yield number, cells, reader.problem() if reader.problems else None


def _quoted(line: str, mark: str, width: int | None) -> list[str] | None:
    """Return the cells of a line with quotation marks, None if a quote is open at its end."""
    with suppress(csv.Error):
        cells = _parsed([line], mark)
        if width in (None, -1, len(cells)):
            return cells
    plain = line.split(mark)
    return plain if len(plain) == width or (width is None and len(plain) > 1) else None


def _until_too_long(lines: Lines) -> Iterator[str]:
    """Yield the lines of an open quote, up to a limit."""
    length = 0
    for _, text in lines:
        length += len(text) + 1
        if length > LINE_LIMIT:
            raise csv.Error(f"longer than {LINE_LIMIT >> 20} MiB")
        yield f"{text}\n"


def split(line: str, mark: str) -> list[str]:
    """Return the cells of a line; quotation marks that cannot quote are plain."""
    try:
        return _parsed([line], mark)
    except csv.Error:
        return line.split(mark)


def _parsed(lines: Iterable[str], mark: str) -> list[str]:
    return next_record(csv.reader(lines, delimiter=mark, strict=True)) or []


def mended(text: str) -> str:
    """Return the text with bytes that are no text (surrogates) escaped."""
    if text.isascii():
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # a surrogate from an escape in JSON
        return text


def _named(problem: str, fields: Mapping[str, object]) -> str:
    """Return the fault with the name of the column that has undecodable bytes or a NUL, if any."""
    cells = ((name, cell) for name, cell in fields.items() if isinstance(cell, str))
    column = next((name for name, cell in cells if "\0" in cell or mended(cell) != cell), None)
    return problem if column is None else f"column {column!r}: {problem}"


def _mended(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: mended(cell) if isinstance(cell, str) else cell for name, cell in fields.items()}
