"""Read files of sentence pairs, and of texts, in every format.

A text is a line of a .txt file (or of any other name), or a cell in a column of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hybridsem._utils.lines import LineReader, plain_suffix
from hybridsem._utils.safe_read import reading
from hybridsem.errors import FormatError, InputError
from hybridsem.tables import columns as names_of
from hybridsem.tables import rows as records_of
from hybridsem.tables.columns import Layout, Pair, header_layout, number_in, text_columns
from hybridsem.tables.rows import COLUMNAR, EXCEL, ColumnarRows, Header, Rows, SheetRows
from hybridsem.tables.text import DELIMITERS, JSON_LINES, JSON_SUFFIXES, TextRows, mended, split

if TYPE_CHECKING:
    import pyarrow as pa

UNREAD = (".xls", ".xlsb", ".xlsm", ".ods", ".numbers")
# Ending -> the possible formats of such a text file, the likeliest first.
FORMATS: Mapping[str, tuple[str, ...]] = {
    **{suffix: (mark,) for suffix, mark in DELIMITERS.items()},
    ".csv": (",", ";", "\t"),
    **dict.fromkeys(JSON_SUFFIXES, (JSON_LINES,)),
}
OTHERWISE = ("\t", ";", ",")
BARE = [True, True, False]  # which cells of a record without a header are texts


class PairReader:
    r"""Iterates over the pairs of a file, skipping blank lines; a stream can be iterated only once.

    ``format`` and ``layout`` are known after the first pair; ``rows_are`` is the unit of a pair's
    ``line``. A record that cannot be used raises :class:`FormatError`.

    Args:
        path: The file, whose ending is its format; ``-`` is standard input.
        columns: The columns of the two sentences and, if wanted, of the gold score: names, or
            positions from 1 in a file without a header. None: found in the header.
        delimiter: The character between the cells of a text table. None: found in the file.
        keep_bad: Return an unusable record as a pair with a ``problem``.
        encoding: Python's name of a text file's encoding. None: UTF-8.

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
        self.columns, self.keep_bad = names_of.checked_columns(columns), keep_bad
        self.layout: Layout | None = None
        self.suffix = plain_suffix(path)
        if self.suffix in UNREAD:
            why = f"{self.suffix} files are not read; save the table as .xlsx or .csv"
            raise InputError(f"{why}, got {str(path)!r}")
        self.rows: Rows
        if self.suffix in (*COLUMNAR, *EXCEL):
            if delimiter is not None:
                raise InputError(f"delimiter is for text tables, got {str(path)!r}")
            self.rows = _binary_rows(path, self.suffix, self._header)
        else:
            if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
                why = f"delimiter must be one character and no quote or line end, got {delimiter!r}"
                raise InputError(why)
            known = FORMATS.get(self.suffix, OTHERWISE)
            self.formats = known if delimiter is None else (delimiter,)
            self.rows = TextRows(path, self._text_header, self._recognise, encoding)
        self.rows_are = self.rows.rows_are

    @property
    def name(self) -> str:
        """The file's name in messages."""
        return self.rows.name

    @property
    def format(self) -> str | None:
        """A delimiter, ``jsonl``, ``parquet``, ``arrow``, ``feather`` or ``xlsx``."""
        return self.rows.format

    def __iter__(self) -> Iterator[Pair]:
        with reading(self.name):
            yield from self._pairs()

    def _pairs(self) -> Iterator[Pair]:
        row = -1
        for row, (number, fields, problem) in enumerate(self.rows):
            layout = self.layout
            assert layout is not None  # the header comes before the first record
            if isinstance(self.rows, SheetRows):
                texts = layout.text1, layout.text2
                errors = (name for name in texts if records_of.is_error(fields.get(name)))
                if (name := next(errors, None)) is not None:
                    problem = f"column {name!r}: expected a sentence, got the error {fields[name]}"
            elif problem is not None and not fields:  # a line that is not a JSON object
                assert isinstance(self.rows, TextRows)
                fields = {layout.text1: mended(self.rows.line)}
            pair = names_of.pair_of(row, number, fields, layout, problem)
            if pair.problem is not None and not self.keep_bad:
                raise FormatError(pair.problem, self.name, number, self.rows_are)
            yield pair
        if row < 0:
            empty = "the file is empty; expected pairs of sentences"
            raise FormatError(empty if self.format is None else "a header and no pairs", self.name)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the checked record batches of a columnar file."""
        assert isinstance(self.rows, ColumnarRows)
        return self.rows.batches()

    def pairs_in(self, batch: pa.RecordBatch, row: int) -> Iterator[Pair]:
        """Yield the pairs of a batch that begins at ``row``, without the other columns."""
        layout = self.layout
        assert layout is not None  # batches() has set it
        assert isinstance(self.rows, ColumnarRows)
        names = [name for name in (layout.text1, layout.text2, layout.gold) if name is not None]
        columns = [records_of.values_of(batch.column(name)) for name in names]
        problems = self.rows.problems
        for at, cells in enumerate(zip(*columns, strict=True)):
            fields = dict(zip(names, cells, strict=True))
            yield names_of.pair_of(row + at, row + at + 1, fields, layout, problems.get(at))

    # -- the columns

    def _header(
        self, names: list[str], sample: Mapping[str, object] | None, line: int | None
    ) -> Sequence[str] | None:
        self.layout = header_layout(names, self.columns, sample, self.name, line, self.rows_are)
        if self.layout is None:
            raise names_of.unknown_columns(names, self.name, line, self.rows_are)
        if isinstance(self.rows, ColumnarRows):
            self.rows.check_text([self.layout.text1, self.layout.text2])
        return None

    def _text_header(
        self, names: list[str], sample: Mapping[str, object] | None, line: int | None
    ) -> Sequence[str] | None:
        """Return the column names if the first record of a text table is not a header."""
        if self.format == JSON_LINES:
            return self._header(names, sample, line)
        given = set(self.columns or ()) - set(names)
        are_positions = given and all(name.isdecimal() for name in self.columns or ())
        if not are_positions or text_columns(names) is not None:
            self.layout = header_layout(names, self.columns, sample, self.name, line)
            if self.layout is not None:
                return None
        self.layout = self._bare_layout(names, line)
        return self.layout.columns

    def _bare_layout(self, first: list[str], line: int | None) -> Layout:
        """Return the layout without a header: two sentences and perhaps a number, or positions."""
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
            raise names_of.unknown_columns(first, self.name, line)
        for i, name in zip(at, ("text1", "text2", "gold"), strict=False):
            names[i] = name
        return Layout(tuple(names), *(names[i] for i in at))

    def _recognise(self, line: str, number: int) -> str:
        if len(self.formats) == 1:
            return self.formats[0]
        if self.suffix not in FORMATS and line.lstrip().startswith(("{", "[{")):
            return JSON_LINES
        cells = {mark: split(line, mark) for mark in self.formats}
        tests: tuple[Callable[[list[str]], object], ...] = (
            lambda found: text_columns(found) or (self.columns and {*self.columns} <= {*found}),
            # Two sentences and a number, as in files of the STS3k release that are named .csv.
            lambda found: [number_in(cell) is None for cell in found] == BARE,
            lambda found: len(found) > 1,
        )
        for matches in tests:
            for mark, found in cells.items():
                if matches(found):
                    return mark
        why = "expected two sentences with a tab, ';' or ',' between them, or a JSON object"
        raise FormatError(f"{why}; got {line[:60]!r}", self.name, number)


def _binary_rows(path: str | Path, suffix: str, header: Header) -> Rows:
    return (ColumnarRows if suffix in COLUMNAR else SheetRows)(path, header)


open_pairs = read_pairs = PairReader


# -- texts


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
        if suffix in (*COLUMNAR, *EXCEL):
            self.rows = _binary_rows(path, suffix, self._header)
        elif suffix in (*DELIMITERS, *JSON_SUFFIXES):
            mark = DELIMITERS.get(suffix, JSON_LINES)
            self.rows = TextRows(path, self._header, lambda *_: mark, encoding, "strict")
        else:
            self.lines = LineReader(path, encoding=encoding)
        if self.rows is None and (column or id_column) is not None:
            why = f"a text file has a text a line and no columns, got {str(path)!r}; name"
            raise InputError(f"{why} a .csv, .tsv, .jsonl, .parquet or .xlsx file")
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
                if self.rows.format in tables and not "".join(map(str, record.values())).strip():
                    continue
                if problem is not None:
                    raise self._error(problem, number)
                yield self._row(record, number)

    def _header(self, names: list[str], _: Mapping[str, object] | None, line: int | None) -> None:
        try:
            found = names_of.column_of_texts(names, self.column, self.id_column)
        except InputError as error:
            raise self._error(str(error), line) from None
        self._texts = found
        if isinstance(self.rows, ColumnarRows):
            self.rows.check_text([found])
            self.rows.wanted = [found] if self.id_column is None else [found, self.id_column]

    def _row(self, record: Mapping[str, object], line: int) -> TextRow:
        text, name = record.get(self._texts or ""), self.id_column
        if name is not None and record.get(name) in (None, ""):
            raise self._error(f"column {name!r}: the id is missing", line)
        return TextRow(text, None if name is None else record[name], line)

    def _error(self, message: str, line: int | None) -> FormatError:
        return FormatError(message, self.name, line, self.rows_are)


open_texts = TextsReader
