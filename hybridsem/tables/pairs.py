"""Files of sentence pairs, in every format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hybridsem._utils.doors import reading
from hybridsem._utils.lines import checked_encoding, plain_suffix
from hybridsem.errors import FormatError, InputError
from hybridsem.tables.columnar import COLUMNAR, ColumnarRows, values_of
from hybridsem.tables.columns import (
    Layout,
    Pair,
    checked_columns,
    header_layout,
    number_in,
    pair_of,
    text_columns,
    unknown_columns,
)
from hybridsem.tables.excel import EXCEL, SheetRows, is_error
from hybridsem.tables.rows import Rows
from hybridsem.tables.text import (
    DELIMITERS,
    JSON_LINES,
    JSON_SUFFIXES,
    TextRows,
    mended,
    split,
)

UNREAD = (".xls", ".xlsb", ".xlsm", ".ods", ".numbers")
FORMATS: Mapping[str, tuple[str, ...]] = {
    **{suffix: (mark,) for suffix, mark in DELIMITERS.items()},
    ".csv": (",", ";", "\t"),
    **dict.fromkeys(JSON_SUFFIXES, (JSON_LINES,)),
}
"""Ending -> the formats that such a text file may have, the likeliest first."""
OTHERWISE = ("\t", ";", ",")
BARE = [True, True, False]
"""Which cells of a record without a header are texts."""


class PairReader:
    r"""An iterable over the pairs of a file, as often as it is asked for (once, for a stream).

    ``format`` and ``layout`` are known once the first pair was read. A record that cannot be used
    raises :class:`FormatError`.

    Args:
        path: The file, whose ending is its format; ``-`` is standard input.
        columns: The columns of the two sentences and, if wanted, of the gold score: their names,
            or for a file without a header their positions from 1. None: found in the header.
        delimiter: The character between the cells of a text table; None: found in the file.
        keep_bad: A record that cannot be used is no error but a pair with a ``problem``.
        encoding: Of a text file, as Python calls it; None: UTF-8.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "pairs.csv"
    ...     _ = path.write_text("s1,s2,gold\nIt rains.,It pours.,4\n", encoding="utf-8")
    ...     reader = open_pairs(path)
    ...     [(pair.text1, pair.gold) for pair in reader], reader.layout.gold
    ([('It rains.', 4.0)], 'gold')
    """

    def __init__(
        self,
        path: str | Path,
        *,
        columns: Sequence[str] | None = None,
        delimiter: str | None = None,
        keep_bad: bool = False,
        encoding: str | None = None,
    ) -> None:
        self.columns, self.keep_bad = checked_columns(columns), keep_bad
        self.layout: Layout | None = None
        self.suffix = plain_suffix(path)
        if self.suffix in UNREAD:
            raise InputError(
                f"{self.suffix} files are not read; save the table as .xlsx or .csv, got "
                f"{str(path)!r}"
            )
        self.rows: Rows
        if self.suffix in (*COLUMNAR, *EXCEL):
            if delimiter is not None:
                raise InputError(
                    f"delimiter is for text tables, got {delimiter!r} for {str(path)!r}"
                )
            if encoding is not None:
                checked_encoding(encoding)  # such files say themselves what their texts are in
            rows = ColumnarRows if self.suffix in COLUMNAR else SheetRows
            self.rows = rows(path, self._header)
        else:
            if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
                raise InputError(
                    f"delimiter must be one character and no quote or line end, got {delimiter!r}"
                )
            self.formats = FORMATS.get(self.suffix, OTHERWISE)
            if delimiter is not None:
                self.formats = (delimiter,)
            self.rows = TextRows(path, self._text_header, self._recognise, encoding)

    @property
    def name(self) -> str:
        """What the file is called in messages."""
        return self.rows.name

    @name.setter
    def name(self, name: str) -> None:
        self.rows.name = name

    @property
    def format(self) -> str | None:
        """A delimiter, ``jsonl``, ``parquet``, ``arrow``, ``feather`` or ``xlsx``."""
        return self.rows.format

    @property
    def rows_are(self) -> str:
        """The unit of a pair's ``line``: ``line``, or ``row``."""
        return self.rows.rows_are

    @property
    def schema(self) -> Any:
        """The Arrow schema of a columnar file; None for others."""
        return self.rows.schema

    @property
    def progress(self) -> tuple[int, int | None]:
        """How far the reading is, and all of it where that is known: bytes or rows."""
        return self.rows.progress

    def __iter__(self) -> Iterator[Pair]:
        with reading(self.name):
            yield from self._pairs()

    def _pairs(self) -> Iterator[Pair]:
        row = -1
        for row, (number, fields, problem) in enumerate(self.rows):
            layout = self.layout
            assert layout is not None  # the header comes before the first record
            if isinstance(self.rows, SheetRows):
                problem = _error_in(fields, layout)
            elif problem is not None and not fields:  # a line that is no JSON object
                assert isinstance(self.rows, TextRows)
                fields = {layout.text1: mended(self.rows.line)}
            pair = pair_of(row, number, fields, layout, problem)
            if pair.problem is not None and not self.keep_bad:
                raise FormatError(pair.problem, self.name, number, self.rows_are)
            yield pair
        if row < 0:
            empty = "the file is empty; expected pairs of sentences"
            raise FormatError(empty if self.format is None else "a header and no pairs", self.name)

    def batches(self) -> Iterator[Any]:
        """The record batches of a columnar file, each checked."""
        assert isinstance(self.rows, ColumnarRows)
        return self.rows.batches()

    def pairs_in(self, batch: Any, row: int) -> Iterator[Pair]:
        """The pairs of a batch whose first row is ``row``, without the other columns."""
        layout = self.layout
        assert layout is not None  # batches() has set it
        names = [name for name in (layout.text1, layout.text2, layout.gold) if name is not None]
        columns = [values_of(batch.column(name)) for name in names]
        assert isinstance(self.rows, ColumnarRows)
        problems = self.rows.problems
        for at, cells in enumerate(zip(*columns, strict=True)):
            fields = dict(zip(names, cells, strict=True))
            yield pair_of(row + at, row + at + 1, fields, layout, problems.get(at))

    # -- which column is which

    def _header(
        self, names: list[str], sample: Mapping[str, Any] | None, line: int | None
    ) -> Sequence[str] | None:
        self.layout = header_layout(names, self.columns, sample, self.name, line, self.rows_are)
        if self.layout is None:
            raise unknown_columns(names, self.name, line, self.rows_are)
        if isinstance(self.rows, ColumnarRows):
            self.rows.check_text([self.layout.text1, self.layout.text2])
        return None

    def _text_header(
        self, names: list[str], sample: Mapping[str, Any] | None, line: int | None
    ) -> Sequence[str] | None:
        """The names of the columns where the first record of a text table is not a header."""
        counted = (
            self.columns is not None
            and not set(self.columns) <= set(names)
            and text_columns(names) is None
            and all(name.isdecimal() for name in self.columns)
        )
        if self.format == JSON_LINES:
            return self._header(names, sample, line)
        if not counted:
            self.layout = header_layout(names, self.columns, sample, self.name, line)
            if self.layout is not None:
                return None
        self.layout = self._bare_layout(names, line)
        return self.layout.columns

    def _bare_layout(self, first: list[str], line: int | None) -> Layout:
        """The layout without a header: two sentences and perhaps a number, or given positions."""
        names = [f"column{i}" for i in range(1, len(first) + 1)]
        if self.columns is not None:
            at = [int(position) - 1 for position in self.columns]
            if bad := [i + 1 for i in at if not 0 <= i < len(first)]:
                raise FormatError(f"no column {bad[0]}; the line has {len(first)}", self.name, line)
        elif len(first) == 3 and number_in(first[2]) is not None:
            at = [0, 1, 2]
        elif len(first) == 2 and (self.format == ";" or all(" " in text for text in first)):
            at = [0, 1]
        else:
            raise unknown_columns(first, self.name, line)
        for i, name in zip(at, ("text1", "text2", "gold"), strict=False):
            names[i] = name
        return Layout(tuple(names), *(names[i] for i in at))

    def _recognise(self, line: str, number: int) -> str:
        """The format that the first line speaks for, among those that the name allows."""
        if len(self.formats) == 1:
            return self.formats[0]
        if self.suffix not in FORMATS and line.lstrip().startswith(("{", "[{")):
            return JSON_LINES
        cells = {mark: split(line, mark) for mark in self.formats}
        for mark, found in cells.items():
            if text_columns(found) or (self.columns and set(self.columns) <= set(found)):
                return mark
        for mark, found in cells.items():
            # Two sentences and a number, as in files of the STS3k release that are named .csv.
            if [number_in(cell) is None for cell in found] == BARE:
                return mark
        for mark, found in cells.items():
            if len(found) > 1:
                return mark
        raise FormatError(
            "expected two sentences with a tab, ';' or ',' between them, or a JSON object; "
            f"got {line[:60]!r}",
            self.name,
            number,
        )


def _error_in(fields: Mapping[str, Any], layout: Layout) -> str | None:
    """The problem of a record where a sentence is the error value of a formula."""
    for name in (layout.text1, layout.text2):
        if is_error(fields.get(name)):
            return f"column {name!r}: expected a sentence, got the error {fields[name]}"
    return None


open_pairs = PairReader


def read_pairs(
    path: str | Path,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Iterator[Pair]:
    """The pairs of a file, lazily and in order; blank lines are passed over.

    Raises :class:`FormatError` that names the file and the line.

    Args:
        path: The file, as for :class:`PairReader`.
        columns: As there.
        delimiter: As there.
        encoding: As there.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as stream:
    ...     print("It rains.;It pours.;4.5", file=stream, flush=True)
    ...     pairs = list(read_pairs(stream.name))
    >>> pairs[0].text2, pairs[0].gold, pairs[0].line
    ('It pours.', 4.5, 1)
    """
    return iter(PairReader(path, columns=columns, delimiter=delimiter, encoding=encoding))
