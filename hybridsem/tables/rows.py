"""What every format is read as: records with their numbers, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

Row = tuple[int, dict[str, Any], str | None]
"""The line or row of a record from 1, its cells by column, and what is wrong with it, if anything.
"""

Header = Callable[[list[str], Mapping[str, Any] | None, int | None], Sequence[str] | None]
"""Called with the names of the columns, a sample record, by which numbers differ from words, and
the line. Returns the names of the columns if the first record of a text table is not a header.
"""


class Rows(Protocol):
    """The records of a file, as often as they are asked for (once, for a stream).

    ``format`` is known once the first record was read; ``schema`` is the Arrow schema of a
    columnar file; ``rows_are`` is what the numbers of records count.
    """

    name: str
    rows_are: str
    format: str | None
    schema: Any

    def __iter__(self) -> Iterator[Row]: ...

    @property
    def progress(self) -> tuple[int, int | None]:
        """How far the reading is, and all of it where that is known: bytes or rows."""
        ...
