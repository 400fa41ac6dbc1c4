"""The common form of all formats: numbered records, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Row = tuple[int, dict[str, Any], str | None]
"""A record's line or row from 1, its cells by column, and its fault, if any."""

Header = Callable[[list[str], Mapping[str, Any] | None, int | None], Sequence[str] | None]
"""Takes the column names, a sample record and the header's line. Returns the column names if the
first record of a text table is not a header.
"""


class Rows:
    """The records of a file; a stream can be iterated only once.

    ``format`` is known after the first record; ``schema`` is the Arrow schema of a columnar file;
    ``rows_are`` is the unit of the records' numbers.
    """

    rows_are = "row"
    format: str | None = None
    schema: Any = None

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
