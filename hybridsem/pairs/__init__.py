"""Pair files: sentence pairs from tables of every usual kind, one record at a time.

    text.py       csv, tsv, s1;s2[;gold] lines, JSON lines; each also .gz or .zst; standard input
    columnar.py   Parquet, Arrow and Feather
    excel.py      xlsx
    tables.py     lists, arrays and data frames in memory
    texts.py      the same kinds of files with one text a record

A file is read as its name says; any other name, and standard input, by looking at the first line.
Every problem is a :class:`FormatError` that names the file, the row and the column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from hybridsem._utils.lines import checked_encoding, plain_suffix
from hybridsem.errors import InputError
from hybridsem.pairs._columns import Layout, Pair
from hybridsem.pairs.text import JSON_LINES, TextReader

__all__ = [
    "COLUMNAR",
    "EXCEL",
    "JSON_LINES",
    "Layout",
    "Pair",
    "PairReader",
    "TextReader",
    "open_pairs",
    "read_pairs",
]

COLUMNAR = (".parquet", ".arrow", ".feather")
"""The endings of columnar files."""
EXCEL = (".xlsx",)
"""The endings of workbooks."""
UNREAD = (".xls", ".xlsb", ".xlsm", ".ods", ".numbers")


class PairReader(Protocol):
    r"""An iterable over the pairs of a file, as often as it is asked for (but for a stream).

    ``layout`` is known once the first pair was read; ``progress`` is (done, all or None);
    ``rows_are`` says what a pair's ``line`` counts.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "pairs.csv"
    ...     _ = path.write_text("s1,s2,gold\nIt rains.,It pours.,4\n", encoding="utf-8")
    ...     reader = open_pairs(path)
    ...     [(pair.text1, pair.gold) for pair in reader], reader.layout.gold
    ([('It rains.', 4.0)], 'gold')
    """

    name: str
    format: str | None
    layout: Layout | None
    rows_are: str

    def __iter__(self) -> Iterator[Pair]: ...

    @property
    def progress(self) -> tuple[int, int | None]:
        """How far the reading is."""
        ...


def open_pairs(
    path: str | Path,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    keep_bad: bool = False,
    encoding: str | None = None,
) -> PairReader:
    """A reader of the pairs of a file.

    Args:
        path: The file, whose ending says its format; ``-`` is standard input.
        columns: The columns of the two sentences and, if wanted, of the gold score: their names,
            or for a file without a header their positions from 1. None: told by the header.
        delimiter: The character between the cells of a text table; None: told by the file.
        keep_bad: A record that cannot be used is no error but a pair with a ``problem``.
        encoding: Of a text file, as Python calls it; None: UTF-8.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as stream:
    ...     print("s1,s2", file=stream)
    ...     print("It rains.,It pours.", file=stream, flush=True)
    ...     reader = open_pairs(stream.name)
    ...     pairs = list(reader)
    >>> reader.layout.text2, pairs[0].text2, pairs[0].line
    ('s2', 'It pours.', 2)
    """
    suffix = plain_suffix(path)
    if suffix in UNREAD:
        raise InputError(
            f"{suffix} files are not read; save the table as .xlsx or .csv, got {str(path)!r}"
        )
    if delimiter is not None and suffix in (*COLUMNAR, *EXCEL):
        raise InputError(f"delimiter is for text tables, got {delimiter!r} for {str(path)!r}")
    if encoding is not None and suffix in (*COLUMNAR, *EXCEL):
        checked_encoding(encoding)  # such files say themselves what their texts are in
    if suffix in COLUMNAR:
        from hybridsem.pairs.columnar import ColumnarReader

        return ColumnarReader(path, columns=columns, keep_bad=keep_bad)
    if suffix in EXCEL:
        from hybridsem.pairs.excel import ExcelReader

        return ExcelReader(path, columns=columns, keep_bad=keep_bad)
    return TextReader(
        path, columns=columns, delimiter=delimiter, keep_bad=keep_bad, encoding=encoding
    )


def read_pairs(
    path: str | Path,
    *,
    columns: Sequence[str] | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Iterator[Pair]:
    """The pairs of a file, lazily and in order; blank lines are passed over.

    Raises :class:`FormatError` that names the file and the line.

    Args:
        path: The file, as for :func:`open_pairs`.
        columns: As there.
        delimiter: As there.
        encoding: As there.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as stream:
    ...     print("It rains.;It pours.;4.5", file=stream, flush=True)
    ...     pairs = list(read_pairs(stream.name))
    >>> pairs[0].text2, pairs[0].gold, pairs[0].line
    ('It pours.', 4.5, 1)
    """
    return iter(open_pairs(path, columns=columns, delimiter=delimiter, encoding=encoding))
