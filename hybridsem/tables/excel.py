"""Read the first visible sheet of an Excel workbook (xlsx) through openpyxl."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

from hybridsem._utils.disk import unreadable
from hybridsem._utils.extras import extra
from hybridsem._utils.safe_read import check_memory
from hybridsem.errors import FormatError, HybridSemError
from hybridsem.tables.rows import Header, Row, Rows

EXCEL = (".xlsx",)
"""The endings of workbooks."""
STRINGS_TAKE = 8
"""openpyxl's bytes of memory for each byte of the shared parts."""


class SheetRows(Rows):
    """The records below the header of a workbook's first visible sheet.

    Empty rows are skipped; a formula is its saved value. If there are several sheets, ``name``
    includes the sheet's name once it is read.
    """

    format = "xlsx"

    def __init__(self, path: str | Path, header: Header) -> None:
        openpyxl()
        super().__init__(path, header)

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
            # The stated size may be a lie of 17 billion cells.
            sheet.reset_dimensions()
            if len(sheet.parent.sheetnames) > 1:
                self.name = f"{self.path}, sheet {sheet.title!r}"
            for self._read, cells in _rows_of(sheet):
                yield self._read, list(cells)


def sheet_rows(path: Path) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Yield the number from 1 and the cells of each row of the first sheet that is not empty."""
    with _first_sheet(path) as sheet:
        yield from _rows_of(sheet)


def _rows_of(sheet: Any) -> Iterator[tuple[int, tuple[Any, ...]]]:
    for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
        if any(cell is not None for cell in cells):
            yield number, cells


@contextmanager
def _first_sheet(path: Path) -> Iterator[Any]:
    """Yield openpyxl's first visible sheet of a workbook, with values only."""
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


def openpyxl() -> Any:
    """Import ``openpyxl``; raise :class:`MissingExtraError` with the command that installs it."""
    with extra("openpyxl, which reads and writes Excel workbooks,", "files"):
        import openpyxl as library
    return library
