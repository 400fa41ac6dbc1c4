"""Excel workbooks (xlsx): pairs of the first visible sheet, with a header, read by openpyxl."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

from hybridsem._utils.disk import unreadable
from hybridsem._utils.doors import check_memory, reading
from hybridsem._utils.extras import extra
from hybridsem.errors import FormatError, HybridSemError
from hybridsem.pairs._columns import (
    Layout,
    Pair,
    checked_columns,
    header_layout,
    pair_of,
    unknown_columns,
)

__all__ = ["ExcelReader", "first_sheet", "openpyxl"]


STRINGS_TAKE = 8
"""The bytes of memory that openpyxl takes for a byte of what is not a sheet."""


class ExcelReader:
    """An iterable over the pairs of a workbook's first visible sheet; a formula counts as the value
    it was saved with.

    Where there are more sheets, its name is part of ``name`` once it is read. Raises
    :class:`FormatError` that names the row as Excel counts it.
    """

    rows_are = "row"
    format: str | None = "xlsx"

    def __init__(
        self, path: str | Path, *, columns: Sequence[str] | None = None, keep_bad: bool = False
    ) -> None:
        openpyxl()
        self.path = Path(path)
        self.name = str(path)
        self.columns = checked_columns(columns)
        self.keep_bad = keep_bad
        self.layout: Layout | None = None
        self._read, self._rows = 0, None

    @property
    def progress(self) -> tuple[int, int | None]:
        """How many rows have been read, and how many there are where the file says so."""
        return self._read, self._rows

    def __iter__(self) -> Iterator[Pair]:
        with reading(self.name):
            yield from self._pairs()

    def _pairs(self) -> Iterator[Pair]:
        row = -1
        for row, (number, fields, layout) in enumerate(self._records()):
            pair = pair_of(row, number, fields, layout, _error_in(fields, layout))
            if pair.problem is not None and not self.keep_bad:
                raise FormatError(pair.problem, self.name, number, self.rows_are)
            yield pair
        if row < 0:
            raise FormatError("a header and no pairs", self.name)

    def _records(self) -> Iterator[tuple[int, dict[str, Any], Layout]]:
        """The rows below the header, with their numbers; empty rows are passed over."""
        rows = (
            (number, cells)
            for number, cells in self._rows_of_sheet()
            if any(cell is not None for cell in cells)
        )
        header, first = next(rows, (1, []))
        while first and first[-1] is None:
            first.pop()
        names = [
            f"column{i}" if cell is None else str(cell).strip()
            for i, cell in enumerate(first, start=1)
        ]
        layout: Layout | None = None
        for number, cells in rows:
            fields = dict(zip_longest(names, cells[: len(names)]))
            if layout is None:
                layout = self.layout = header_layout(
                    names, self.columns, fields, self.name, header, self.rows_are
                )
            if layout is None:
                raise unknown_columns(names, self.name, header, self.rows_are)
            yield number, fields, layout

    def _rows_of_sheet(self) -> Iterator[tuple[int, list[Any]]]:
        self._read = 0
        with first_sheet(self.path) as sheet:
            self._rows = sheet.max_row
            # What a file says of its size may be a lie of 17 thousand million cells.
            sheet.reset_dimensions()
            if len(sheet.parent.sheetnames) > 1:
                self.name = f"{self.path}, sheet {sheet.title!r}"
            for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
                self._read = number
                yield number, list(cells)


@contextmanager
def first_sheet(path: Path) -> Iterator[Any]:
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


def _error_in(fields: Mapping[str, Any], layout: Layout) -> str | None:
    """What is wrong with the sentences, where one is the error that a formula came to."""
    from openpyxl.cell.cell import ERROR_CODES

    names = [name for name in (layout.text1, layout.text2) if fields.get(name) in ERROR_CODES]
    return (
        f"column {names[0]!r}: expected a sentence, got the error {fields[names[0]]}"
        if names
        else None
    )


def openpyxl() -> Any:
    """The library ``openpyxl``, or the error that says how to get it."""
    with extra("openpyxl, which reads and writes Excel workbooks,", "files"):
        import openpyxl as library
    return library
