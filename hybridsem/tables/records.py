"""Read and write records with any columns.

Input is csv, tsv, JSON lines (each also .gz or .zst) and Parquet; output is JSON lines, tsv, csv.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from hybridsem._typing import Record
from hybridsem._utils.disk import saving
from hybridsem._utils.lines import plain_suffix
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem.errors import FormatError, InputError
from hybridsem.tables.rows import ColumnarRows, Rows
from hybridsem.tables.text import DELIMITERS, JSON_LINES, JSON_SUFFIXES, TextRows
from hybridsem.tables.writers import Output, open_writer

WRITTEN = (".jsonl", ".tsv", ".csv")  # the endings of outputs
SUFFIXES = (*DELIMITERS, *JSON_SUFFIXES, ".parquet")  # the endings of input files


@wrap_read_errors
def records(path: str | Path, suffix: str | None = None) -> Iterator[tuple[int, Record]]:
    """Yield the (line, record) of a file in order, with column names in lower case."""
    suffix = suffix or plain_suffix(path)
    if suffix not in SUFFIXES:
        known = f"its name must end in one of {', '.join(SUFFIXES)}"
        raise InputError(f"cannot determine the format of {str(path)!r}; {known}")
    mark = DELIMITERS.get(suffix)

    def header(names: list[str], _: object, line: int | None) -> None:
        plain = [name.strip().lower() for name in names]
        if mark is not None and (twice := [n for at, n in enumerate(plain) if n in plain[:at]]):
            raise FormatError(f"two columns are named {twice[0]!r}", rows.name, line)

    rows: Rows
    if suffix == ".parquet":
        rows = ColumnarRows(path, header)
    else:
        choose = lambda *_: mark or JSON_LINES  # noqa: E731
        rows = TextRows(path, header, choose, quotes="none" if mark == "\t" else "strict")
    for number, record, problem in rows:
        if mark is not None:
            record = {name: str(cell).rstrip("\n") for name, cell in record.items()}
            if not any(record.values()):
                continue
        if problem is not None:
            raise FormatError(problem, rows.name, number, rows.rows_are)
        yield number, {name.strip().lower(): value for name, value in record.items()}


def check_ending(path: Path, what: str) -> None:
    """Raise :class:`InputError` for any ending of an output but ``.jsonl``, ``.tsv``, ``.csv``."""
    if path.suffix.lower() not in WRITTEN:
        raise InputError(f"{what} are written as {', '.join(WRITTEN)}, got {str(path)!r}")


def write_records(
    path: Path, columns: Sequence[str], records: Iterable[Mapping[str, object]], what: str
) -> int:
    """Write a complete file of records, or none, and return their number."""
    check_ending(path, what)
    numbers = itertools.count()
    with (
        saving(path, f"the {what}") as part,
        open_writer(part, path, Output(tuple(columns))) as writer,
    ):
        writer.write((record, (), None) for record, _ in zip(records, numbers, strict=False))
    return next(numbers)
