"""The papers' tables as they are printed: tab-separated, two lines of comment above the header.

    # the paper
    # number and title of the table
    row<TAB>a column<TAB>another …          or  row<TAB>column<TAB>value, where most cells are empty

``?`` stands where the text at hand cannot be read, an empty cell where the paper has none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs" / "published" / "tables"
LONG = ["row", "column", "value"]


@dataclass(frozen=True)
class Printed:
    """A table: its cells by (row, column), in the paper's order, as texts."""

    paper: str
    title: str
    cells: Mapping[tuple[str, str], str]

    @property
    def rows(self) -> list[str]:
        """The names of the rows."""
        return list(dict.fromkeys(row for row, _ in self.cells))

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(dict.fromkeys(column for _, column in self.cells))


@cache
def printed(name: str) -> Printed:
    """The table in ``docs/published/tables/NAME.tsv``."""
    lines = (FOLDER / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    paper, title = (line.removeprefix("# ") for line in lines[:2])
    header, *records = (line.split("\t") for line in lines[2:])
    if header == LONG:
        return Printed(paper, title, {(row, column): value for row, column, value in records})
    cells = {}
    for row, *values in records:
        cells |= {(row, column): v for column, v in zip(header[1:], values, strict=True) if v}
    return Printed(paper, title, cells)


def number(cell: str) -> tuple[float, int] | None:
    """The number in a cell and its decimals; None where there is none.

    >>> number("-.291"), number("around 0.7"), number("79.4")
    ((-0.291, 3), None, (79.4, 1))
    """
    try:
        value = float(re.sub(r"(?<=\d),(?=\d{3}\b)", "", cell))
    except ValueError:
        return None
    return value, len(cell.partition(".")[2]) if "e" not in cell else 0
