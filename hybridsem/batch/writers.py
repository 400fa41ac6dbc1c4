"""Scored pairs to files: the input's columns as they were, then ``score``, the details that were
asked for, ``note``.

    text      csv, tsv, JSON lines; each also .gz and .zst        TextWriter
    columnar  Parquet, Arrow and Feather; types are kept          ColumnarWriter
    Excel     xlsx                                                ExcelWriter

An input column of the same name keeps it, and the new one is called ``hybridsem_score``,
``hybridsem_score_2``, …
"""

from __future__ import annotations

import csv
import datetime
import itertools
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, Protocol

from hybridsem._utils.disk import LONGEST
from hybridsem._utils.lines import plain_suffix, pyarrow
from hybridsem.batch._files import text_over
from hybridsem.batch.work import Result
from hybridsem.errors import FormatError, InputError
from hybridsem.pairs import COLUMNAR, EXCEL, JSON_LINES, Layout, Pair, PairReader
from hybridsem.pairs._columns import number_in
from hybridsem.structures import Role

__all__ = [
    "OUTPUTS",
    "Columns",
    "RowWriter",
    "TextWriter",
    "WiderTypesNeeded",
    "check_output",
    "check_rows",
    "is_text",
    "open_writer",
]

OUTPUTS: Mapping[str, str] = {
    ".csv": ",",
    ".tsv": "\t",
    ".tab": "\t",
    ".jsonl": JSON_LINES,
    ".ndjson": JSON_LINES,
}
"""Extension of a text output -> its format: a delimiter, or JSON lines."""

ROW_GROUP = 4096
ROW_GROUP_TEXT = 1 << 26  # characters
EXCEL_ROWS = 1_048_576
EXCEL_CELL = 32_767


class RowWriter(Protocol):
    """Takes rows, a chunk at a time."""

    def write(self, pairs: Sequence[Pair], results: Sequence[Result]) -> None:
        """Write the pairs with their results."""
        ...


class Columns:
    """The columns of an output and the cells of a row.

    ``values`` and ``roles`` are the names of the details that occur. Roles of a closed inventory
    have a column each; others, paths for instance, stand together in a column ``roles``.
    """

    def __init__(
        self, layout: Layout | None, values: Sequence[str] = (), roles: Sequence[str] | None = None
    ) -> None:
        self.kept = layout.columns if layout is not None else ("text1", "text2")
        self._known = frozenset(self.kept)
        self._in_order = itemgetter(*self.kept)
        self.values = tuple(values)
        self.roles: tuple[str, ...] | None = () if roles is None else None
        if roles is not None and set(roles) <= set(Role):
            self.roles = tuple(map(str, Role))
        names = ["score", *self.values, *(("roles",) if self.roles is None else self.roles), "note"]
        self.added: list[str] = []
        for name in names:
            self.added.append(self._free(name))

    def _free(self, name: str) -> str:
        names = itertools.chain(
            [name, f"hybridsem_{name}"], (f"hybridsem_{name}_{i}" for i in itertools.count(2))
        )
        return next(free for free in names if free not in self._known and free not in self.added)

    def cells(self, result: Result) -> list[Any]:
        """The cells of the added columns: numbers, None, a mapping of open roles, and the note."""
        if not (self.values or self.roles is None or self.roles):
            return [result.score, result.note]
        roles: list[Any] = (
            [dict(result.roles)]
            if self.roles is None
            else [result.roles.get(r) for r in self.roles]
        )
        return [
            result.score,
            *(result.values.get(name) for name in self.values),
            *roles,
            result.note,
        ]

    def fields(self, pair: Pair) -> Mapping[str, Any]:
        """The cells of the kept columns, for an output that has no others."""
        fields = pair.fields or {"text1": pair.text1, "text2": pair.text2}
        if not fields.keys() <= self._known:
            unknown = [name for name in fields if name not in self._known]
            raise FormatError(
                f"the key {unknown[0]!r} is not in the first line, so a table has no column "
                "for it; "
                "write to a .jsonl file instead",
                line=pair.line,
            )
        return fields

    def kept_cells(self, pair: Pair) -> Sequence[Any]:
        """The cells of the kept columns in their order; None where there is none."""
        try:
            cells: tuple[Any, ...] = self._in_order(pair.fields)
        except KeyError:
            return tuple(map(self.fields(pair).get, self.kept))
        if len(pair.fields) > len(cells):
            self.fields(pair)  # some have no column
        return cells


def is_text(out: Path) -> bool:
    """Whether an output of this name is a text file, which can be written row by row."""
    return plain_suffix(out) in OUTPUTS


@contextmanager
def open_writer(
    path: Path,
    target: Path,
    columns: Columns,
    schema: Any = None,
    kinds: Mapping[str, Any] | None = None,
    safe: bool = False,
) -> Iterator[RowWriter]:
    """A writer in the format that the name of ``target`` says.

    Args:
        path: The file that is written.
        target: The name that it will have.
        columns: What stands in its columns.
        schema: The types of a columnar input, an Arrow schema.
        kinds: The types that :class:`WiderTypesNeeded` has asked for, by column.
        safe: Whether no cell of a text table may be a formula.
    """
    suffix = plain_suffix(target)
    if suffix in COLUMNAR:
        with ColumnarWriter(path, suffix, columns, schema, kinds or {}) as columnar:
            yield columnar
    elif suffix in EXCEL:
        excel = ExcelWriter(columns)
        try:
            yield excel
        except BaseException:
            excel.give_up()
            raise
        excel.save(path)
    else:
        with (
            path.open("wb") as raw,
            _packed(raw, target.suffix.lower()) as stream,
            text_over(stream) as text,
        ):
            yield TextWriter(text, OUTPUTS[suffix], columns, safe)


@contextmanager
def _packed(raw: IO[bytes], suffix: str) -> Iterator[Any]:
    """What is written goes to ``raw``, compressed if the name says so, always as the same bytes."""
    if suffix == ".gz":
        import gzip

        with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as stream:
            yield stream
    elif suffix == ".zst":
        arrow = pyarrow("reads and writes .zst files")
        with arrow.CompressedOutputStream(arrow.PythonFile(_Open(raw), mode="w"), "zstd") as stream:
            yield stream
    else:
        yield raw


class _Open:
    """A file that its user cannot close."""

    def __init__(self, raw: IO[bytes]) -> None:
        self.write, self.flush, self.closed = raw.write, raw.flush, False

    def close(self) -> None:
        """Stay open."""


class TextWriter:
    """Rows to a table, with six decimals, or to JSON lines, with all digits.

    Args:
        stream: Where the text goes.
        format: A delimiter, or JSON lines.
        columns: Those of the output.
        safe: Whether no cell of a table may be a formula.
    """

    def __init__(self, stream: Any, format: str, columns: Columns, safe: bool = False) -> None:
        self.stream, self.format, self.columns = stream, format, columns
        self._safe = safe
        self._table = csv.writer(
            stream, delimiter="," if format == JSON_LINES else format, lineterminator="\n"
        )
        if format != JSON_LINES:
            self._row([*columns.kept, *columns.added])

    def write(self, pairs: Sequence[Pair], results: Sequence[Result]) -> None:
        """Write rows."""
        rows = zip(pairs, results, strict=True)
        if self.format == JSON_LINES:
            self.stream.writelines(itertools.starmap(self._line, rows))
        else:
            plain = len(self.columns.added) == 2
            for pair, result in rows:
                kept, score = map(_cell, self.columns.kept_cells(pair)), result.score
                if plain and type(score) is float:  # nearly always
                    self._row([*kept, f"{score:.6f}", result.note])
                else:
                    self._row([*kept, *map(_number, self.columns.cells(result))])

    def _line(self, pair: Pair, result: Result) -> str:
        fields = pair.fields or {"text1": pair.text1, "text2": pair.text2}
        added = self.columns.cells(result)
        return f"{_json({**fields, **dict(zip(self.columns.added, added, strict=True))})}\n"

    def _row(self, cells: list[str]) -> None:
        """Write a row of a table as csv does, which takes three times as long."""
        if self._safe:
            cells = list(map(_as_text, cells))
        mark = self.format
        line = mark.join(cells)
        if "\r" in line:  # versions of Python differ in whether it is quoted
            self._table.writerow(cells)
            return
        if '"' in line or "\n" in line or line.count(mark) >= len(cells):
            line = mark.join([_quoted(cell, mark) for cell in cells])
        self.stream.write(f"{line}\n")


def _quoted(cell: str, mark: str) -> str:
    """The cell of a table, in quotation marks where it would be read as several, or as none."""
    if '"' in cell or "\n" in cell or mark in cell:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _as_text(cell: str) -> str:
    """The cell with an apostrophe where a spreadsheet would take it for a formula."""
    acts = cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))
    return f"'{cell}" if acts and number_in(cell) is None else cell


def _number(value: object) -> str:
    return f"{value:.6f}" if isinstance(value, float) else _cell(value)


def _cell(value: object) -> str:
    if type(value) is str:  # nearly always
        return value
    if value is None:
        return ""
    plain = isinstance(value, (bool, int, float, list, dict))
    return json.dumps(value, ensure_ascii=False, default=str) if plain else str(value)


def _json(record: Mapping[str, Any]) -> str:
    """A record as JSON, which has no NaN and no infinity: they are null."""
    try:
        text = json.dumps(record, ensure_ascii=False, allow_nan=False, default=str)
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        text = json.dumps(record, allow_nan=False, default=str)
    except ValueError:
        return _json(_finite(record))
    return text


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


class WiderTypesNeeded(Exception):
    """Values do not have the types of their columns: the file is to be written anew with ``kinds``,
    types by column.
    """

    def __init__(self, kinds: Mapping[str, Any]) -> None:
        super().__init__(*kinds)
        self.kinds = kinds


class ColumnarWriter:
    """Rows to Parquet, Arrow or Feather.

    Args:
        path: The file to write.
        suffix: The format: ``.parquet``, ``.arrow`` or ``.feather``.
        columns: Those of the output.
        schema: The types of the input's columns; None: the first rows decide.
        kinds: Types that go before those, by column; to text everything can be turned.
    """

    def __init__(
        self,
        path: Path,
        suffix: str,
        columns: Columns,
        schema: Any = None,
        kinds: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.arrow = pyarrow("writes Parquet, Arrow and Feather files")
        self.path, self.suffix, self.columns = path, suffix, columns
        self._kept, self._kinds = schema, kinds
        self._rows: list[tuple[Pair, Result]] = []
        self._held = 0
        self._file: Any = None

    def __enter__(self) -> ColumnarWriter:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None and (self._rows or self._file is None):
            self._flush()
        if self._file is not None:
            self._file.close()

    def write(self, pairs: Sequence[Pair], results: Sequence[Result]) -> None:
        """Write rows, each in its row group."""
        for pair, result in zip(pairs, results, strict=True):
            self._rows.append((pair, result))
            self._held += len(pair.text1) + len(pair.text2)
            if len(self._rows) >= ROW_GROUP or self._held >= ROW_GROUP_TEXT:
                self._flush()

    def _flush(self) -> None:
        rows, self._rows, self._held = self._rows, [], 0
        self.write_batch(self._batch_of([pair for pair, _ in rows]), [result for _, result in rows])

    def write_batch(self, kept: Any, results: Iterable[Result]) -> None:
        """Write the rows of a record batch, with their results."""
        arrow = self.arrow
        rows = list(map(self.columns.cells, results))
        cells = [[row[i] for row in rows] for i in range(len(self.columns.added))]
        kinds = [arrow.float64()] * (len(cells) - 1) + [arrow.string()]
        if self.columns.roles is None:
            kinds[-2] = arrow.map_(arrow.string(), arrow.float64())
            cells[-2] = [list(roles.items()) for roles in cells[-2]]
        if self.suffix != ".parquet":
            kept = self._without_dictionaries(kept)
        arrays = [
            *kept.columns,
            *(arrow.array(column, kind) for column, kind in zip(cells, kinds, strict=True)),
        ]
        schema = arrow.schema(
            [*kept.schema, *map(arrow.field, map(_sound, self.columns.added), kinds)],
            kept.schema.metadata,
        )
        if self._file is None:
            self._file = self._open(schema)
        self._file.write_batch(arrow.RecordBatch.from_arrays(arrays, schema=schema))

    def _without_dictionaries(self, batch: Any) -> Any:
        """The batch with its values written out: in Arrow files dictionaries belong to columns."""
        for at, field in enumerate(batch.schema):
            if self.arrow.types.is_dictionary(field.type):
                column = batch.column(at).dictionary_decode()
                batch = batch.set_column(at, field.with_type(column.type), column)
        return batch

    def _batch_of(self, pairs: list[Pair]) -> Any:
        """The kept columns of pairs; the first rows decide the types where there is no schema.

        Raises :class:`WiderTypesNeeded` for values that do not have them.
        """
        arrow = self.arrow
        fields = [self.columns.fields(pair) for pair in pairs]
        columns = {name: [row.get(name) for row in fields] for name in self.columns.kept}
        wider: dict[str, Any] = {}
        if self._kept is None:
            kinds = {name: self._kind_of(name, column) for name, column in columns.items()}
            wider = {name: arrow.string() for name, kind in kinds.items() if kind is None}
            self._kept = arrow.schema(
                [(_sound(name), kind) for name, kind in kinds.items() if kind]
            )
        arrays = []
        for (name, column), field in zip(
            columns.items(), () if wider else self._kept, strict=False
        ):
            try:
                arrays.append(self._array(name, column, field.type))
            except (arrow.lib.ArrowException, ValueError, TypeError, OverflowError):
                wider[name] = _wider(arrow, field.type, column)
        if wider:
            raise WiderTypesNeeded(wider)
        return arrow.RecordBatch.from_arrays(arrays, schema=self._kept)

    def _kind_of(self, name: str, values: Sequence[Any]) -> Any:
        """The type of a column's first values; text for none. None: there is none to write."""
        arrow = self.arrow
        if name in self._kinds:
            return self._kinds[name]
        if all(value is None or isinstance(value, str) for value in values):
            return arrow.string()
        try:
            kind = arrow.array(values).type
            check_type(self.suffix, name, kind)
        except (arrow.lib.ArrowException, ValueError, TypeError, OverflowError):
            return None
        return kind

    def _array(self, name: str, values: Sequence[Any], kind: Any) -> Any:
        if kind != self.arrow.string():
            array = self.arrow.array(values, kind)
            # Arrow cuts fractions and drops keys where a type has no place for them.
            if not all(map(_same, values, array.to_pylist())):
                raise TypeError("not all are the same")
            return array
        if name not in self._kinds and any(
            value is not None and not isinstance(value, str) for value in values
        ):
            raise TypeError("not all are text")
        return self.arrow.array(
            [None if value is None else _sound(_cell(value)) for value in values], kind
        )

    def _open(self, schema: Any) -> Any:
        if self.suffix == ".parquet":
            import pyarrow.parquet

            return pyarrow.parquet.ParquetWriter(self.path, schema, compression="zstd")
        return self.arrow.ipc.new_file(str(self.path), schema)


def check_type(suffix: str, name: str, kind: Any) -> None:
    """:class:`FormatError` for a type of Arrow's that a format has no place for.

    Args:
        suffix: The format: ``.parquet``, ``.arrow`` or ``.feather``.
        name: The column.
        kind: Its type.
    """
    arrow = pyarrow("writes Parquet, Arrow and Feather files")
    if suffix != ".parquet":
        return
    from pyarrow import parquet

    empty = arrow.schema([(_sound(name), kind)]).empty_table()
    try:
        parquet.write_table(empty, arrow.BufferOutputStream())
    except arrow.lib.ArrowException as error:
        raise FormatError(
            f"the column {name!r} is of the type {kind}, which Parquet does not hold; write to a "
            ".arrow or .jsonl file instead"
        ) from error


def _wider(arrow: Any, kind: Any, values: Sequence[Any]) -> Any:
    """A type that holds a column's values, too, that do not fit ``kind``: text if no other does."""
    if arrow.types.is_integer(kind) and all(
        value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
        for value in values
    ):
        return arrow.float64()
    return arrow.string()


def _same(value: Any, read: Any) -> bool:
    """Whether a value has come back: a key without one may have been added."""
    if isinstance(value, dict) and isinstance(read, dict):
        known = all(key in read and _same(item, read[key]) for key, item in value.items())
        return known and all(read[key] is None for key in read if key not in value)
    if isinstance(value, (list, tuple)) and isinstance(read, list):
        return len(value) == len(read) and all(map(_same, value, read))
    if isinstance(value, bool) or isinstance(read, bool):
        return value is read
    return bool(value == read) or (value != value and read != read)


def _sound(text: str) -> str:
    """The text with lone surrogates written out."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _excel_holds(value: object) -> bool:
    """Whether a workbook holds a value as is: up to 15 digits, dates from 1900 without a zone."""
    if isinstance(value, (bool, datetime.timedelta)) or value is None:
        return True
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, (int, Decimal)):
        return -(10**15) < value < 10**15
    if isinstance(value, datetime.date):
        return value.year >= 1900 and getattr(value, "tzinfo", None) is None
    return isinstance(value, datetime.time) and value.tzinfo is None


class ExcelWriter:
    """Rows to the one sheet of a workbook. What looks like a formula stays text."""

    def __init__(self, columns: Columns) -> None:
        from hybridsem.pairs.excel import openpyxl

        self.columns, self.rows = columns, 0
        self._book = openpyxl().Workbook(write_only=True)
        self._sheet = self._book.create_sheet("scores")
        self._append([*columns.kept, *columns.added], None)

    def write(self, pairs: Sequence[Pair], results: Sequence[Result]) -> None:
        """Write rows."""
        for pair, result in zip(pairs, results, strict=True):
            fields = self.columns.fields(pair)
            kept = (fields.get(name) for name in self.columns.kept)
            self._append([*kept, *self.columns.cells(result)], pair.line)

    def _append(self, cells: Sequence[Any], line: int | None) -> None:
        self.rows += 1
        _check_row(self.rows, line)
        self._sheet.append([self._cell(cell, line) for cell in cells])

    def _cell(self, value: Any, line: int | None) -> Any:
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

        if _excel_holds(value):
            return value
        value = _cell(value)
        _check_cell(value, line)
        shown = ILLEGAL_CHARACTERS_RE.sub(
            lambda found: f"_x{ord(found[0]):04X}_", value
        )  # as Excel writes them
        cell = WriteOnlyCell(self._sheet, shown.encode("utf-8", "backslashreplace").decode())
        cell.data_type = "s"
        return cell

    def save(self, path: Path) -> None:
        """Write the workbook; the same content gives the same bytes."""
        import io
        import zipfile

        never = datetime.datetime(1980, 1, 1)
        self._book.properties.created = self._book.properties.modified = never
        made = io.BytesIO()
        self._book.save(made)
        with (
            zipfile.ZipFile(made) as source,
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target,
        ):
            for name in source.namelist():
                content = source.read(name)
                if name == "docProps/core.xml":  # openpyxl sets the time of saving
                    content = _without_times(content)
                target.writestr(
                    zipfile.ZipInfo(name, never.timetuple()[:6]), content, zipfile.ZIP_DEFLATED
                )

    def give_up(self) -> None:
        """Let go of the sheet, which is not to be saved."""
        self._sheet.close()


def _without_times(core: bytes) -> bytes:
    import re

    return re.sub(rb">\d{4}-\d\d-\d\dT[\d:.]+Z<", b">1980-01-01T00:00:00Z<", core)


def check_output(out: Path, safe: bool = False) -> None:
    """Whether something can be written to a file of this name, before the work begins."""
    if safe and OUTPUTS.get(plain_suffix(out), JSON_LINES) == JSON_LINES:
        raise InputError(
            "safe_csv (--safe-csv) is for .csv and .tsv, which spreadsheets read; no other output "
            f"has formulas, got {str(out)!r}"
        )
    if len(os.fsencode(out.name)) > LONGEST:
        raise InputError(f"a file's name has at most {LONGEST} bytes, got {out.name!r:.80}")
    suffix, packed = plain_suffix(out), out.suffix.lower() in (".gz", ".zst")
    if suffix not in OUTPUTS and (packed or suffix not in (*COLUMNAR, *EXCEL)):
        names = ", ".join((*OUTPUTS, *COLUMNAR, *EXCEL))
        raise InputError(
            f"the output must end in one of {names} (text also in .gz or .zst), got {str(out)!r}"
        )
    if suffix in COLUMNAR or out.suffix.lower() == ".zst":
        pyarrow("writes Parquet, Arrow, Feather and .zst files")
    if suffix in EXCEL:
        from hybridsem.pairs.excel import openpyxl

        openpyxl()
    if out.is_dir():
        raise InputError(f"the output must be a file, got the folder {str(out)!r}")
    if not out.resolve().parent.is_dir():
        raise InputError(f"the output's folder does not exist, got {str(out)!r}")


def check_rows(reader: PairReader, out: Path) -> None:
    """:class:`FormatError`, before anything is scored, for a file that the output has no place for:
    keys without a column, types, and what is too long for a workbook.

    Files that may hold such things are read once for this.
    """
    suffix = plain_suffix(out)
    if OUTPUTS.get(suffix) == JSON_LINES:
        return
    columns: Columns | None = None
    for number, pair in enumerate(reader, start=1):
        if columns is None:
            columns = Columns(reader.layout)
            if suffix in COLUMNAR:
                for field in getattr(reader, "schema", None) or ():
                    check_type(suffix, field.name, field.type)
            if reader.format != JSON_LINES and suffix not in EXCEL:
                return
        fields = columns.fields(pair)
        if suffix in EXCEL:
            _check_sheet(number, fields, pair.line)


def _check_sheet(rows: int, fields: Mapping[str, Any], line: int) -> None:
    """:class:`FormatError` where a sheet has no place for another row, or for one of its cells."""
    _check_row(rows + 1, line)  # after the header
    for value in fields.values():
        if not _excel_holds(value):
            _check_cell(_cell(value), line)


def _check_row(rows: int, line: int | None) -> None:
    if rows > EXCEL_ROWS:
        raise FormatError(
            f"a sheet has at most {EXCEL_ROWS:,} rows; write to .csv or .parquet instead",
            line=line,
        )


def _check_cell(text: str, line: int | None) -> None:
    if len(text) > EXCEL_CELL:
        raise FormatError(
            f"a cell holds at most {EXCEL_CELL:,} characters, got {len(text):,}; write to "
            ".csv instead",
            line=line,
        )
