"""Check before a run that an output can hold its input, and find the types of its columns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hybridsem._utils.disk import LONGEST
from hybridsem._utils.lines import plain_suffix, pyarrow
from hybridsem.errors import FormatError, InputError
from hybridsem.tables.readers import PairReader
from hybridsem.tables.rows import COLUMNAR, EXCEL, openpyxl
from hybridsem.tables.text import JSON_LINES
from hybridsem.tables.writers import (
    OUTPUTS,
    ROW_GROUP,
    ROW_GROUP_TEXT,
    Output,
    cell_text,
    excel_holds,
    sound,
)

if TYPE_CHECKING:
    import pyarrow as pa

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
    why = ""
    if rows > EXCEL_ROWS:
        why = f"a sheet has at most {EXCEL_ROWS:,} rows; write to .csv or .parquet instead"
    for text in (cell_text(value) for value in cells if not excel_holds(value)):
        if len(text) > EXCEL_CELL and not why:
            got = f"got {len(text):,}; write to .csv instead"
            why = f"a cell holds at most {EXCEL_CELL:,} characters, {got}"
    if why:
        raise FormatError(why, line=line)


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
