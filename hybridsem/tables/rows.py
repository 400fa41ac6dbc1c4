"""Records one at a time: their common form, and those of columnar files and workbooks.

Parquet, Arrow and Feather files are read batch by batch through pyarrow, the first visible sheet of
an Excel workbook (xlsx) through openpyxl.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from hybridsem._utils.disk import unreadable
from hybridsem._utils.extras import extra
from hybridsem._utils.lines import pyarrow
from hybridsem._utils.safe_read import check_memory
from hybridsem.errors import FormatError, HybridSemError
from hybridsem.tables.arrow import is_text, parquet_batches, pieces

if TYPE_CHECKING:
    import pyarrow as pa
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

COLUMNAR = (".parquet", ".arrow", ".feather")  # the endings of columnar files
EXCEL = (".xlsx",)  # the endings of workbooks
STRINGS_TAKE = 8  # openpyxl's bytes of memory for each byte of the shared parts
Row = tuple[int, dict[str, object], str | None]
"""A record's line or row from 1, its cells by column, and its fault, if any."""
Header = Callable[[list[str], Mapping[str, object] | None, int | None], Sequence[str] | None]
"""Takes the column names, a sample record and the header's line. Returns the column names if the
first record of a text table is not a header.
"""


class Rows:
    """The records of a file; a stream can be iterated only once. ``rows_are`` is their unit."""

    rows_are = "row"
    format: str | None = None
    schema: pa.Schema = None

    def __init__(self, path: str | Path, header: Header) -> None:
        self.path, self.name, self.header = Path(path), str(path), header
        self._read = 0
        self._rows: int | None = None

    def __iter__(self) -> Iterator[Row]:
        raise NotImplementedError

    @property
    def progress(self) -> tuple[int, int | None]:
        """The bytes or rows read, and their total if known."""
        return self._read, self._rows


# -- Parquet, Arrow, Feather


class ColumnarRows(Rows):
    """The records of a Parquet, Arrow or Feather file with columns of any type."""

    def __init__(self, path: str | Path, header: Header) -> None:
        pyarrow("reads Parquet, Arrow and Feather files")
        super().__init__(path, header)
        self.format = self.path.suffix.lower().removeprefix(".")
        self.wanted: Sequence[str] | None = None
        """The columns of the records; None: all."""
        self.problems: dict[int, str] = {}
        """The faults of the last batch, by row."""

    def __iter__(self) -> Iterator[Row]:
        number = 0
        for batch in self.batches():
            names = self.schema.names if self.wanted is None else self.wanted
            columns = batch.columns if self.wanted is None else map(batch.column, names)
            for at, cells in enumerate(zip(*map(values_of, columns), strict=True)):
                number += 1
                yield number, dict(zip(names, cells, strict=True)), self.problems.get(at)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield checked record batches; bytes that are not UTF-8 are escaped."""
        import pyarrow.lib

        self._read = 0
        try:
            with self._open() as (self.schema, batches):
                sample = dict(zip(self.schema.names, map(_sample, self.schema.types), strict=True))
                self.header(self.schema.names, sample, None)
                for batch in batches:
                    for part, problems in pieces(batch, self.name):
                        self.problems = problems
                        self._read += part.num_rows
                        yield part
        except UnicodeDecodeError as error:
            why = f"the name of a column is not UTF-8, got {error.object!r:.80}"
            raise FormatError(why, self.name) from error
        except (pyarrow.lib.ArrowException, OSError, MemoryError) as error:
            raise FormatError(f"cannot be read as {self.format}: {error}", self.name) from error

    def check_text(self, names: Sequence[str]) -> None:
        """Raise :class:`FormatError` for a column that does not hold text."""
        from pyarrow.types import is_dictionary

        for name in names:
            kind = self.schema.field(name).type
            if not is_text(kind.value_type if is_dictionary(kind) else kind):
                raise FormatError(f"column {name!r}: expected text, it has {kind}", self.name)

    @contextmanager
    def _open(self) -> Iterator[tuple[pa.Schema, Iterator[pa.RecordBatch]]]:
        import pyarrow

        if not self.path.is_file():
            raise unreadable(self.name)
        if self.format == "parquet":
            import pyarrow.parquet

            with pyarrow.parquet.ParquetFile(self.path) as file:
                self._rows = file.metadata.num_rows
                yield file.schema_arrow, parquet_batches(self.path, file)
            return
        # Not mapped into memory: truncating the file would end the process.
        with pyarrow.OSFile(str(self.path)) as source:
            try:
                file = pyarrow.ipc.open_file(source)
                batches: Iterator[pa.RecordBatch] = map(
                    file.get_batch, range(file.num_record_batches)
                )
            except pyarrow.lib.ArrowInvalid:
                source.seek(0)
                file = pyarrow.ipc.open_stream(source)
                batches = iter(file)
            yield file.schema, batches


def values_of(column: pa.Array) -> list[object]:
    """Return the cells of a column, as text if Python has no such value (the year 10,000)."""
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError):
        import pyarrow

        return list(column.cast(pyarrow.string()).to_pylist())


def _sample(kind: pa.DataType) -> float | str:
    """Return a sample number or text of an Arrow type."""
    import pyarrow.types as types

    number = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    return 0.0 if number else ""


# -- Excel


class SheetRows(Rows):
    """The records of a workbook's first visible sheet; a formula is its saved value."""

    format = "xlsx"

    def __init__(self, path: str | Path, header: Header) -> None:
        openpyxl()
        super().__init__(path, header)

    def __iter__(self) -> Iterator[Row]:
        self._read = 0
        with _first_sheet(self.path) as sheet, closing(_rows_of(sheet)) as rows:
            self._rows = sheet.max_row
            # The stated size may be a lie of 17 billion cells.
            sheet.reset_dimensions()
            if len(sheet.parent.sheetnames) > 1:
                self.name = f"{self.path}, sheet {sheet.title!r}"
            header, cells = next(rows, (0, ()))
            self._read = header
            while cells and cells[-1] is None:
                cells = cells[:-1]
            numbered = enumerate(cells, start=1)
            names = [f"column{i}" if cell is None else str(cell).strip() for i, cell in numbered]
            for at, (self._read, cells) in enumerate(rows):
                fields = dict(zip_longest(names, cells[: len(names)]))
                if not at:
                    self.header(names, fields, header)
                yield self._read, fields, None


def sheet_rows(path: Path) -> Iterator[tuple[int, tuple[object, ...]]]:
    """Yield the number from 1 and the cells of each row of the first sheet that is not empty."""
    with _first_sheet(path) as sheet:
        yield from _rows_of(sheet)


def _rows_of(sheet: ReadOnlyWorksheet) -> Generator[tuple[int, tuple[object, ...]], None, None]:
    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
        if any(cell is not None for cell in cells):
            yield number, cells


@contextmanager
def _first_sheet(path: Path) -> Iterator[ReadOnlyWorksheet]:
    """Yield openpyxl's first visible sheet of a workbook, with values only."""
    if not path.is_file():
        raise unreadable(path)
    _check_size(path)
    how = {"read_only": True, "data_only": True, "keep_links": False}
    try:
        with closing(openpyxl().load_workbook(path, **how)) as book:
            sheets = (sheet for sheet in book.worksheets if sheet.sheet_state == "visible")
            yield next(sheets, book.worksheets[0])
    except HybridSemError:
        raise
    except Exception as error:  # openpyxl has no errors of its own
        raise FormatError(f"cannot be read as an Excel workbook: {error}", path) from error


def _check_size(path: Path) -> None:
    """Raise :class:`FormatError` for a workbook whose decompressed parts exceed the memory."""
    try:
        with zipfile.ZipFile(path) as packed:
            sizes = {entry.filename: entry.file_size for entry in packed.infolist()}
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError) as error:
        raise FormatError(f"cannot be read as an Excel workbook: {error}", path) from error
    strings = sum(size for name, size in sizes.items() if "/worksheets/" not in name)
    check_memory(STRINGS_TAKE * strings, "what its cells share", path)
    check_memory(max(sizes.values(), default=0), "its largest sheet", path)


def is_error(cell: object) -> bool:
    """Test if a cell holds a formula's error value."""
    from openpyxl.cell.cell import ERROR_CODES

    return cell in ERROR_CODES


def openpyxl() -> ModuleType:
    """Import ``openpyxl``; raise :class:`MissingExtraError` with the command that installs it."""
    with extra("openpyxl, which reads and writes Excel workbooks,", "files"):
        import openpyxl as library
    module: ModuleType = library
    return module
