"""Write tables: the columns kept from an input, then added columns. Check before a run that an
output can hold its input, and find the types of its columns.

text      csv, tsv, JSON lines; each also .gz and .zst        TextWriter
columnar  Parquet, Arrow and Feather; types are kept          ColumnarWriter
Excel     xlsx                                                ExcelWriter
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import math
import os
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from hybridsem._utils.disk import LONGEST
from hybridsem._utils.lines import plain_suffix, pyarrow
from hybridsem.errors import FormatError, InputError
from hybridsem.tables.columns import number_in
from hybridsem.tables.readers import PairReader
from hybridsem.tables.rows import COLUMNAR, EXCEL, openpyxl
from hybridsem.tables.text import DELIMITERS, JSON_LINES

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

OUTPUTS: Mapping[str, str] = {**DELIMITERS, ".jsonl": JSON_LINES, ".ndjson": JSON_LINES}
"""Extension of a text output -> its format: a delimiter, or JSON lines."""
ROW_GROUP = 4096
ROW_GROUP_TEXT = 1 << 26  # characters
EXCEL_TIME = datetime.datetime(1980, 1, 1)
"""The time in a workbook, so that the same content gives the same bytes."""
WrittenRow = tuple[Mapping[str, object], Sequence[object], int | None]
"""The kept cells by column, the added cells in order, and the line of the input."""


@dataclass(frozen=True)
class Output:
    """The columns of an output: those ``kept``, then those ``added``.

    ``kinds`` has the types of added columns other than float: int, str, bool, a list or dict of
    numbers. ``safe``: no cell of a text table is a formula.
    """

    kept: tuple[str, ...]
    added: tuple[str, ...] = ()
    kinds: Mapping[str, type] = field(default_factory=dict)
    safe: bool = False
    compression: str = "zstd"
    """Of a Parquet file."""

    def cells(self, fields: Mapping[str, object], line: int | None) -> list[object]:
        """Return the kept cells in order; raise :class:`FormatError` for one without a column."""
        if unknown := fields.keys() - {*self.kept}:
            late = next(name for name in fields if name in unknown)
            why = f"the key {late!r} is not in the first line, so a table has no column for it"
            raise FormatError(f"{why}; write to a .jsonl file instead", line=line)
        return [fields.get(name) for name in self.kept]


@contextmanager
def open_writer(
    path: Path, target: Path, columns: Output, schema: pa.Schema | None = None
) -> Iterator[RowWriter]:
    """Yield a writer in the format of ``target``; ``schema`` has the types of kept columns."""
    suffix = plain_suffix(target)
    if suffix in COLUMNAR:
        with ColumnarWriter(path, suffix, columns, schema) as columnar:
            yield columnar
    elif suffix in EXCEL:
        excel = ExcelWriter(columns)
        try:
            yield excel
        except BaseException:
            excel.close()
            raise
        excel.save(path)
    else:
        packed = target.suffix.lower()
        with path.open("wb") as raw, _packed(raw, packed) as stream, text_over(stream) as text:
            yield TextWriter(text, OUTPUTS[suffix], columns)


@contextmanager
def _packed(raw: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    """Yield a stream that compresses into ``raw`` by the suffix, always to the same bytes."""
    with ExitStack() as stack:
        if suffix == ".gz":
            import gzip

            packed = stack.enter_context(gzip.GzipFile("", "wb", fileobj=raw, mtime=0))
            yield cast(IO[bytes], packed)
        elif suffix == ".zst":
            arrow = pyarrow("reads and writes .zst files")
            # Arrow closes its file, so it has its own descriptor.
            own = stack.enter_context(open(os.dup(raw.fileno()), "wb"))
            file = arrow.PythonFile(own, mode="w")
            yield stack.enter_context(arrow.CompressedOutputStream(file, "zstd"))
        else:
            yield raw


@contextmanager
def text_over(raw: IO[bytes]) -> Iterator[IO[str]]:
    """Yield a text stream over bytes, which stay open; lone surrogates are escaped."""
    text = io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", newline="")
    try:
        yield text
        text.flush()
    finally:
        text.detach()


class TextWriter:
    """Writes a table, with six decimals in added columns, or JSON lines, with all digits."""

    def __init__(self, stream: IO[str], format: str, columns: Output) -> None:
        self.stream, self.columns = stream, columns
        self._table: Any = None
        if format != JSON_LINES:
            self._table = csv.writer(stream, delimiter=format, lineterminator="\n")
            self._row([*columns.kept, *columns.added])

    def write(self, rows: Iterable[WrittenRow]) -> None:
        """Write rows."""
        columns, names = self.columns, self.columns.added
        for fields, added, line in rows:
            if self._table is None:
                self.stream.write(_json({**fields, **dict(zip(names, added, strict=True))}) + "\n")
                continue
            kept = columns.cells(fields, line)
            row = list(map(cell_text, kept))
            row += [f"{cell:.6f}" if isinstance(cell, float) else cell_text(cell) for cell in added]
            self._row(row)

    def _row(self, cells: list[str]) -> None:
        self._table.writerow(map(_as_text, cells) if self.columns.safe else cells)


def _as_text(cell: str) -> str:
    """Return the cell, with an apostrophe if a spreadsheet would take it for a formula."""
    acts = cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))
    return f"'{cell}" if acts and number_in(cell) is None else cell


def cell_text(value: object) -> str:
    """Return a cell as text, empty for None."""
    if type(value) is str:  # nearly always
        return value
    if value is None:
        return ""
    plain = isinstance(value, (bool, int, float, list, dict))
    return json.dumps(value, ensure_ascii=False, default=str) if plain else str(value)


def _json(record: Mapping[str, object]) -> str:
    """Return a record as JSON, with null for NaN and infinity."""
    try:
        text = json.dumps(record, ensure_ascii=False, allow_nan=False, default=str)
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        text = json.dumps(record, allow_nan=False, default=str)
    except ValueError:
        return _json({key: _finite(item) for key, item in record.items()})
    return text


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


class ColumnarWriter:
    """Writes Parquet, Arrow or Feather, in row groups."""

    def __init__(
        self, path: Path, suffix: str, columns: Output, schema: pa.Schema | None = None
    ) -> None:
        self.arrow = arrow = pyarrow("writes Parquet, Arrow and Feather files")
        self.path, self.suffix, self.columns = path, suffix, columns
        texts = ((sound(name), arrow.string()) for name in columns.kept)
        self._kept = arrow.schema(texts) if schema is None else schema
        self._rows: list[WrittenRow] = []
        self._held = 0
        self._file: ParquetWriter | pa.ipc.RecordBatchFileWriter | None = None

    def __enter__(self) -> ColumnarWriter:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None and (self._rows or self._file is None):
            self._flush()
        if self._file is not None:
            self._file.close()

    def write(self, rows: Iterable[WrittenRow]) -> None:
        """Write rows."""
        for row in rows:
            self._rows.append(row)
            self._held += sum(len(cell) for cell in row[0].values() if isinstance(cell, str))
            if len(self._rows) >= ROW_GROUP or self._held >= ROW_GROUP_TEXT:
                self._flush()

    def _flush(self) -> None:
        rows, self._rows, self._held = self._rows, [], 0
        kept = [self.columns.cells(fields, line) for fields, _, line in rows]
        arrays = []
        for at, kind in enumerate(self._kept.types):
            cells = [row[at] for row in kept]
            if kind == self.arrow.string():
                cells = [None if cell is None else sound(cell_text(cell)) for cell in cells]
            arrays.append(self.arrow.array(cells, kind))
        batch = self.arrow.RecordBatch.from_arrays(arrays, schema=self._kept)
        self.write_batch(batch, [added for _, added, _ in rows])

    def write_batch(self, kept: pa.RecordBatch, added: Iterable[Sequence[object]]) -> None:
        """Write the rows of a record batch with their added cells."""
        arrow = self.arrow
        names = self.columns.added
        cells: list[Sequence[object]] = list(zip(*added, strict=True)) or [()] * len(names)
        types = {int: arrow.int64(), str: arrow.string(), bool: arrow.bool_()}
        types |= {float: arrow.float64(), list: arrow.list_(arrow.float32())}
        types |= {dict: arrow.map_(arrow.string(), arrow.float64())}
        kinds = [types[self.columns.kinds.get(name, float)] for name in names]
        for at, own in enumerate(kept.schema):
            # Arrow files allow one dictionary for each column.
            if self.suffix != ".parquet" and arrow.types.is_dictionary(own.type):
                column = kept.column(at).dictionary_decode()
                kept = kept.set_column(at, own.with_type(column.type), column)
        plain = [
            [list(cell.items()) if isinstance(cell, dict) else cell for cell in column]
            for column in cells
        ]
        arrays = [*kept.columns, *map(arrow.array, plain, kinds)]
        added_fields = map(arrow.field, map(sound, names), kinds)
        schema = arrow.schema([*kept.schema, *added_fields], kept.schema.metadata)
        if self._file is None and self.suffix == ".parquet":
            from pyarrow.parquet import ParquetWriter

            self._file = ParquetWriter(self.path, schema, compression=self.columns.compression)
        elif self._file is None:
            self._file = arrow.ipc.new_file(str(self.path), schema)
        self._file.write_batch(arrow.RecordBatch.from_arrays(arrays, schema=schema))


def sound(text: str) -> str:
    """Return the text with lone surrogates escaped."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


class ExcelWriter:
    """Writes the single sheet of a workbook. Formulas are text."""

    def __init__(self, columns: Output) -> None:
        self.columns = columns
        self._book = openpyxl().Workbook(write_only=True)
        self._sheet = self._book.create_sheet("scores")
        self._append([*columns.kept, *columns.added])

    def write(self, rows: Iterable[WrittenRow]) -> None:
        """Write rows."""
        for fields, added, line in rows:
            self._append([*self.columns.cells(fields, line), *added])

    def _append(self, cells: Sequence[object]) -> None:
        self._sheet.append([self._cell(cell) for cell in cells])

    def _cell(self, value: object) -> object:
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

        if excel_holds(value):
            return value
        # Excel's own escapes
        text = ILLEGAL_CHARACTERS_RE.sub(lambda found: f"_x{ord(found[0]):04X}_", cell_text(value))
        cell = WriteOnlyCell(self._sheet, sound(text))
        cell.data_type = "s"
        return cell

    def save(self, path: Path) -> None:
        """Write the workbook."""
        self._book.properties.created = self._book.properties.modified = EXCEL_TIME
        made = io.BytesIO()
        self._book.save(made)
        packed = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        with zipfile.ZipFile(made) as source, packed as target:
            for name in source.namelist():
                content = source.read(name)
                if name == "docProps/core.xml":  # openpyxl sets the time of saving
                    when = EXCEL_TIME.isoformat().encode()
                    content = re.sub(rb">\d{4}-\d\d-\d\dT[\d:.]+Z<", b">%bZ<" % when, content)
                entry = zipfile.ZipInfo(name, EXCEL_TIME.timetuple()[:6])
                target.writestr(entry, content, zipfile.ZIP_DEFLATED)

    def close(self) -> None:
        """Close the sheet without saving it."""
        self._sheet.close()


def excel_holds(value: object) -> bool:
    """Test if Excel has such a value: up to 15 digits, dates from 1900 without a zone."""
    if isinstance(value, (bool, datetime.timedelta)) or value is None:
        return True
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, (int, Decimal)):
        return -(10**15) < value < 10**15
    if isinstance(value, datetime.date):
        return value.year >= 1900 and getattr(value, "tzinfo", None) is None
    return isinstance(value, datetime.time) and value.tzinfo is None


RowWriter = TextWriter | ColumnarWriter | ExcelWriter


# -- checks before a run that an output can hold its input

EXCEL_ROWS = 1_048_576
EXCEL_CELL = 32_767


class ColumnTypes:
    """The Arrow types of columns with any values; ``notes`` has those of several kinds."""

    def __init__(self, suffix: str, columns: Sequence[str]) -> None:
        self.arrow = pyarrow("writes Parquet, Arrow and Feather files")
        self.suffix = suffix
        self.types: dict[str, pa.DataType] = dict.fromkeys(columns, self.arrow.null())
        self.notes: dict[str, pa.DataType] = {}
        self._large: set[str] = set()
        """Columns with numbers that a float does not hold exactly."""

    def add(self, rows: Sequence[Sequence[object]]) -> None:
        """Widen the types for more rows."""
        for name, values in zip(self.types, zip(*rows, strict=True), strict=True):
            if any(map(_is_large, values)):
                self._large.add(name)
            before, found = self.types[name], self._widened(name, values)
            self.types[name] = found or self.arrow.string()
            if found is None or before not in (found, self.arrow.null()):
                self.notes[name] = self.types[name]

    def _widened(self, name: str, values: Sequence[object]) -> pa.DataType | None:
        """Return the type of a column with further values, None if none holds all unchanged."""
        arrow, before = self.arrow, self.types[name]
        kinds = {type(value) for value in values if value is not None}
        if len(kinds) > 1 and kinds != {int, float}:  # Arrow turns a time into its date
            return None
        try:
            kind = arrow.string() if kinds == {str} else arrow.array(values).type
            both = [arrow.schema([("", one)]) for one in (before, kind)]
            found = arrow.unify_schemas(both, promote_options="permissive").field(0).type
            check_type(self.suffix, name, found)
        except (arrow.lib.ArrowException, ValueError, TypeError, OverflowError):
            return None
        widens = any(one not in (found, arrow.null()) for one in (before, kind))
        return None if widens and name in self._large and "double" in str(found) else found

    @property
    def schema(self) -> pa.Schema:
        """The types as an Arrow schema; a column without values is text."""
        text, none = self.arrow.string(), self.arrow.null()
        types = ((sound(name), kind) for name, kind in self.types.items())
        return self.arrow.schema([(n, text if kind == none else kind) for n, kind in types])


def _is_large(value: object) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return any(map(_is_large, value))
    return isinstance(value, int) and abs(value) > 2**53


def check_type(suffix: str, name: str, kind: pa.DataType) -> None:
    """Raise :class:`FormatError` for an Arrow type that a format cannot hold."""
    arrow = pyarrow("writes Parquet, Arrow and Feather files")
    if suffix != ".parquet":
        return
    from pyarrow import parquet

    empty = arrow.schema([(sound(name), kind)]).empty_table()
    try:
        parquet.write_table(empty, arrow.BufferOutputStream())
    except arrow.lib.ArrowException as error:
        why = f"the column {name!r} is of the type {kind}, which Parquet does not hold"
        raise FormatError(f"{why}; write to a .arrow or .jsonl file instead") from error


def _check_sheet(rows: int, cells: Iterable[object], line: int | None) -> None:
    """Raise :class:`FormatError` if a sheet cannot hold the rows, or a cell."""
    if rows > EXCEL_ROWS:
        why = f"a sheet has at most {EXCEL_ROWS:,} rows; write to .csv or .parquet instead"
        raise FormatError(why, line=line)
    for text in (cell_text(value) for value in cells if not excel_holds(value)):
        if len(text) > EXCEL_CELL:
            got = f"got {len(text):,}; write to .csv instead"
            raise FormatError(f"a cell holds at most {EXCEL_CELL:,} characters, {got}", line=line)


def check_output(out: Path, safe: bool = False) -> None:
    """Raise :class:`InputError` if a file of this name cannot be written."""
    if safe and OUTPUTS.get(plain_suffix(out), JSON_LINES) == JSON_LINES:
        why = "safe_csv (--safe-csv) is for .csv and .tsv, which spreadsheets read"
        raise InputError(f"{why}; no other output has formulas, got {str(out)!r}")
    if len(os.fsencode(out.name)) > LONGEST:
        raise InputError(f"a file's name has at most {LONGEST} bytes, got {out.name!r:.80}")
    suffix, packed = plain_suffix(out), out.suffix.lower() in (".gz", ".zst")
    if suffix not in OUTPUTS and (packed or suffix not in (*COLUMNAR, *EXCEL)):
        names = f"{', '.join((*OUTPUTS, *COLUMNAR, *EXCEL))} (text also in .gz or .zst)"
        raise InputError(f"the output must end in one of {names}, got {str(out)!r}")
    if suffix in COLUMNAR or out.suffix.lower() == ".zst":
        pyarrow("writes Parquet, Arrow, Feather and .zst files")
    if suffix in EXCEL:
        openpyxl()
    if out.is_dir():
        raise InputError(f"the output must be a file, got the folder {str(out)!r}")
    if not out.resolve().parent.is_dir():
        raise InputError(f"the output's folder does not exist, got {str(out)!r}")


def check_rows(reader: PairReader, out: Path) -> tuple[pa.Schema | None, Mapping[str, pa.DataType]]:
    """Return the schema of the kept columns, and types of mixed ones; raise before scoring."""
    suffix = plain_suffix(out)
    if OUTPUTS.get(suffix) == JSON_LINES:
        return None, {}
    columns, types, rows, held = Output(()), None, [], 0
    for number, pair in enumerate(reader, start=1):
        if number == 1:
            assert reader.layout is not None  # as a pair was read
            columns, schema = Output(reader.layout.columns), reader.rows.schema
            for kind in (schema or ()) if suffix in COLUMNAR else ():
                check_type(suffix, kind.name, kind.type)
            if suffix not in EXCEL and (schema or reader.format not in (JSON_LINES, "xlsx")):
                return schema, {}
            if suffix in COLUMNAR:
                types = ColumnTypes(suffix, columns.kept)
        cells = columns.cells(pair.fields, pair.line)
        if suffix in EXCEL:
            _check_sheet(number + 1, cells, pair.line)  # after the header
        elif types is not None:
            rows.append(cells)
            held += sum(len(cell) for cell in cells if isinstance(cell, str))
            if len(rows) >= ROW_GROUP or held >= ROW_GROUP_TEXT:
                types.add(rows)
                rows, held = [], 0
    if types is None:
        return None, {}
    if rows:
        types.add(rows)
    return types.schema, types.notes
