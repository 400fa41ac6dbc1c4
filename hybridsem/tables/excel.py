"""Excel workbooks (xlsx): the records of the first visible sheet, read by openpyxl."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

from hybridsem._utils.disk import unreadable
from hybridsem._utils.doors import check_memory
from hybridsem._utils.extras import extra
from hybridsem.errors import FormatError, HybridSemError
from hybridsem.tables.rows import Header, Row

EXCEL = (".xlsx",)
"""The endings of workbooks."""
STRINGS_TAKE = 8
"""The bytes of memory that openpyxl takes for a byte of what is not a sheet."""


class SheetRows:
    """The records below the header of a workbook's first visible sheet; empty rows are passed over,
    and a formula counts as the value it was saved with. ``header`` is called with the names of the
    columns.

    Where there are more sheets, its name is part of ``name`` once it is read.
    """

    rows_are = "row"
    format: str | None = "xlsx"
    schema: Any = None

    def __init__(self, path: str | Path, header: Header) -> None:
        openpyxl()
        self.path, self.name, self.header = Path(path), str(path), header
        self._read, self._rows = 0, None

    @property
    def progress(self) -> tuple[int, int | None]:
        """How many rows have been read, and how many there are where the file says so."""
        return self._read, self._rows

    def __iter__(self) -> Iterator[Row]:
        names: list[str] = []
        header: int | None = None
        begun = False
        for number, cells in self._cells():
            if not names:
                while cells[-1] is None:
                    cells.pop()
                header = number
                names = [
                    f"column{i}" if cell is None else str(cell).strip()
                    for i, cell in enumerate(cells, start=1)
                ]
                continue
            fields = dict(zip_longest(names, cells[: len(names)]))
            if not begun:
                self.header(names, fields, header)
                begun = True
            yield number, fields, None

    def _cells(self) -> Iterator[tuple[int, list[Any]]]:
        self._read = 0
        with _first_sheet(self.path) as sheet:
            self._rows = sheet.max_row
            # What a file says of its size may be a lie of 17 thousand million cells.
            sheet.reset_dimensions()
            if len(sheet.parent.sheetnames) > 1:
                self.name = f"{self.path}, sheet {sheet.title!r}"
            for self._read, cells in _rows_of(sheet):
                yield self._read, list(cells)


def sheet_rows(path: Path) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """The numbers from 1 and the cells of the first visible sheet's rows that are not empty."""
    with _first_sheet(path) as sheet:
        yield from _rows_of(sheet)


def _rows_of(sheet: Any) -> Iterator[tuple[int, tuple[Any, ...]]]:
    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
        if any(cell is not None for cell in cells):
            yield number, cells


@contextmanager
def _first_sheet(path: Path) -> Iterator[Any]:
    """The first visible sheet of a workbook, as openpyxl gives it: values only, in one pass."""
    if not path.is_file():
        raise unreadable(path)
    _check_size(path)
    try:
        with closing(
            openpyxl().load_workbook(path, read_only=True, data_only=True, keep_links=False)
        ) as book:
            yield next(
                (sheet for sheet in book.worksheets if sheet.sheet_state == "visible"),
                book.worksheets[0],
            )
    except HybridSemError:
        raise
    # openpyxl has no errors of its own, and meets what is damaged only when it gets there
    except Exception as error:
        raise FormatError(f"cannot be read as an Excel workbook: {error}", path) from error


def _check_size(path: Path) -> None:
    """:class:`FormatError` for a workbook whose parts are larger than memory once unpacked."""
    try:
        with zipfile.ZipFile(path) as packed:
            sizes = {entry.filename: entry.file_size for entry in packed.infolist()}
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError) as error:
        raise FormatError(f"cannot be read as an Excel workbook: {error}", path) from error
    strings = sum(size for name, size in sizes.items() if "/worksheets/" not in name)
    check_memory(STRINGS_TAKE * strings, "what its cells share", path)
    check_memory(max(sizes.values(), default=0), "its largest sheet", path)


def is_error(cell: object) -> bool:
    """Return whether a cell of a workbook holds the error value of a formula."""
    from openpyxl.cell.cell import ERROR_CODES

    return cell in ERROR_CODES


def openpyxl() -> Any:
    """The library ``openpyxl``, or the error that says how to get it."""
    with extra("openpyxl, which reads and writes Excel workbooks,", "files"):
        import openpyxl as library
    return library
