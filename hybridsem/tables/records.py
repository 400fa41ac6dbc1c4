"""The records of a data file, whatever its columns, in and out.

Read are csv, tsv, JSON lines and Parquet, each text file also .gz or .zst; written are JSON lines,
tsv and csv.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hybridsem._utils.disk import saving
from hybridsem._utils.doors import door
from hybridsem._utils.lines import plain_suffix
from hybridsem.errors import FormatError, InputError
from hybridsem.tables.columnar import ColumnarRows
from hybridsem.tables.rows import Rows
from hybridsem.tables.text import DELIMITERS, JSON_LINES, JSON_SUFFIXES, Quotes, TextRows
from hybridsem.tables.writers import Output, open_writer

WRITTEN: Mapping[str, str | None] = {".jsonl": None, ".tsv": "\t", ".csv": ","}
"""What parts the columns of a file that is written, by its name; None for JSON lines."""
SUFFIXES = (*DELIMITERS, *JSON_SUFFIXES, ".parquet")
"""What files of records are called."""


@door
def records(path: str | Path, suffix: str | None = None) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The (line, record) of a file, in order; the names of the columns are stripped and in lower
    case. In a tsv file quotation marks are as any other character. ``suffix`` is the ending of the
    format, where the name does not tell it.

    Raises :class:`InputError` for a file that cannot be read, :class:`FormatError` for what is not
    what the name says.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as stream:
    ...     print("Name,Score", file=stream)
    ...     print("first,3", file=stream, flush=True)
    ...     list(records(stream.name))
    [(2, {'name': 'first', 'score': '3'})]
    """
    suffix = suffix or plain_suffix(path)
    if suffix not in SUFFIXES:
        raise InputError(
            f"cannot tell the format of {str(path)!r}; it is told by the name: "
            f"{', '.join(SUFFIXES)}"
        )
    mark = DELIMITERS.get(suffix)

    def header(names: list[str], _: object, line: int | None) -> None:
        plain = [name.strip().lower() for name in names]
        if mark is not None and (twice := [n for at, n in enumerate(plain) if n in plain[:at]]):
            raise FormatError(f"two columns are named {twice[0]!r}", rows.name, line)

    rows: Rows
    if suffix == ".parquet":
        rows = ColumnarRows(path, header)
    else:
        quotes: Quotes = "none" if mark == "\t" else "strict"
        rows = TextRows(path, header, lambda *_: mark or JSON_LINES, quotes=quotes)
    for number, record, problem in rows:
        if mark is not None:
            record = {name: cell.rstrip("\n") for name, cell in record.items()}
            if not any(record.values()):
                continue
        if problem is not None:
            raise FormatError(problem, rows.name, number, rows.rows_are)
        yield number, {name.strip().lower(): value for name, value in record.items()}


@door
def written_as(path: Path, what: str) -> str | None:
    """The separator of an output's columns, None for JSON lines; :class:`InputError` for a name
    that ends in neither ``.jsonl``, ``.tsv`` nor ``.csv``.

    >>> written_as(Path("mine.csv"), "pairs"), written_as(Path("mine.jsonl"), "pairs")
    (',', None)
    """
    if path.suffix.lower() not in WRITTEN:
        raise InputError(f"{what} are written as {', '.join(WRITTEN)}, got {str(path)!r}")
    return WRITTEN[path.suffix.lower()]


def write_records(
    path: Path, columns: Sequence[str], records: Iterable[Mapping[str, Any]], what: str
) -> int:
    r"""Write records; returns how many they are.

    A table has an empty cell for what a record does not have. The file appears when it is whole.

    Args:
        path: Of the file, ``.jsonl``, ``.tsv`` or ``.csv``.
        columns: In their order.
        records: Plain data by column.
        what: They are called in a message.

    Raises:
        InputError: Another name, or a file that cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "mine.tsv"
    ...     count = write_records(file, ["a", "b"], [{"a": "1", "b": "2"}, {"a": "3"}], "records")
    ...     count, file.read_text()
    (2, 'a\tb\n1\t2\n3\t\n')
    """
    written_as(path, what)
    numbers = itertools.count()
    with (
        saving(path, f"the {what}") as part,
        open_writer(part, path, Output(tuple(columns))) as writer,
    ):
        writer.write((record, (), None) for record, _ in zip(records, numbers, strict=False))
    return next(numbers)
