"""The records of a data file, whatever its columns, in and out.

Read are csv, tsv, JSON lines and Parquet, each text file also .gz or .zst; written are JSON lines,
tsv and csv.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from hybridsem._utils.arrow import pieces
from hybridsem._utils.arrow_memory import parquet_batches
from hybridsem._utils.disk import saving, unreadable
from hybridsem._utils.doors import door
from hybridsem._utils.lines import LineReader, json_object, next_record, plain_suffix, pyarrow
from hybridsem.errors import FormatError, InputError

__all__ = ["SUFFIXES", "records", "write_records", "written_as"]

TABLES = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_QUOTING: Mapping[str, Literal[0, 3]] = {",": csv.QUOTE_MINIMAL, "\t": csv.QUOTE_NONE}
JSON_LINES = (".jsonl", ".ndjson", ".json")
WRITTEN: Mapping[str, str | None] = {".jsonl": None, ".tsv": "\t", ".csv": ","}
"""What parts the columns of a file that is written, by its name; None for JSON lines."""
SUFFIXES = (*TABLES, *JSON_LINES, ".parquet")
"""What files of records are called."""

Record = tuple[int, Mapping[str, Any]]


@door
def records(path: str | Path, suffix: str | None = None) -> Iterator[Record]:
    """The (line, record) of a file, in order; the names of the columns are stripped and in lower
    case.

    Args:
        path: Of the file.
        suffix: The format where the file's name does not tell it, one of :data:`SUFFIXES`.

    Raises:
        InputError: The file cannot be read.
        FormatError: With file and line, what is not what the name says.

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
    found = (
        _columnar(path)
        if suffix == ".parquet"
        else _table(path, suffix)
        if suffix in TABLES
        else _lines(path)
    )
    for line, record in found:
        yield line, {name.strip().lower(): value for name, value in record.items()}


@door
def written_as(path: Path, what: str) -> str | None:
    """The separator of an output's columns, None for JSON lines.

    Args:
        path: Of the output.
        what: The records are called in the message.

    Raises:
        InputError: A name that ends in neither ``.jsonl``, ``.tsv`` nor ``.csv``.

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
    delimiter = written_as(path, what)
    count = 0
    with (
        saving(path, f"the {what}") as part,
        part.open("w", encoding="utf-8", newline="") as stream,
    ):
        table = csv.DictWriter(
            stream, columns, restval="", delimiter=delimiter or ",", lineterminator="\n"
        )
        if delimiter is not None:
            table.writeheader()
        for record in records:
            count += 1
            if delimiter is None:
                stream.write(json.dumps(record, ensure_ascii=False) + "\n")
            else:
                table.writerow(record)
    return count


def _lines(path: str | Path) -> Iterator[Record]:
    reader = LineReader(path)
    for number, line in reader:
        if not line.strip():
            continue
        record, problem = json_object(line)
        if problem is not None:
            raise FormatError(problem, reader.name, number)
        yield number, record


def _table(path: str | Path, suffix: str) -> Iterator[Record]:
    """By the rules of csv; in a tsv file quotation marks are as any other character."""
    reader = LineReader(path)
    mark = TABLES[suffix]
    try:
        rows = csv.reader(
            (f"{line}\n" for _, line in reader), delimiter=mark, strict=True, quoting=_QUOTING[mark]
        )
        head: list[str] | None = None
        number = 1
        while (cells := next_record(rows)) is not None:
            cells = [cell.rstrip("\n") for cell in cells]
            if head is None:
                head = cells
                names = [name for cell in cells if (name := cell.strip().lower())]
                if twice := [name for place, name in enumerate(names) if name in names[:place]]:
                    raise FormatError(f"two columns are named {twice[0]!r}", reader.name, number)
            elif any(cells):
                if len(cells) != len(head):
                    raise FormatError(
                        f"expected {len(head)} columns, got {len(cells)}", reader.name, number
                    )
                yield number, dict(zip(head, cells, strict=True))
            number = rows.line_num + 1
    except csv.Error as error:
        raise FormatError(
            f"a stray or open quotation mark, or a huge cell ({error})", reader.name, number
        ) from None


def _columnar(path: str | Path) -> Iterator[Record]:
    arrow = pyarrow("reads Parquet files")
    from pyarrow.parquet import ParquetFile

    if not Path(path).is_file():
        raise unreadable(path)
    row = 0
    try:
        with ParquetFile(path) as file:
            for batch in parquet_batches(Path(path), file):
                for part, problems in pieces(batch, path):
                    for at, why in problems.items():
                        raise FormatError(why, path, row + at + 1, "row")
                    for row, record in enumerate(part.to_pylist(), start=row + 1):  # noqa: B020
                        yield row, record
    except UnicodeDecodeError as error:
        raise FormatError(
            f"the name of a column is not UTF-8: {error.object!r:.80}", path
        ) from None
    except (arrow.lib.ArrowException, OSError, MemoryError) as error:
        raise FormatError(f"cannot be read as parquet: {error}", path) from None
