"""What is computed of a table, and how it compares with what is printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.reproduction.published import number, printed

__all__ = ["TOLERANCE", "Figure", "Reproduction", "difference"]

TOLERANCE = 0.002
"""Figures that are further apart than this need a cause."""


@dataclass(frozen=True)
class Figure:
    """A figure computed here.

    Attributes:
        row: As the printed table names it. A row that the table lacks is one of ours beside it.
        column: Alike.
        value: In the units of the printed table.
        expected: What the authors' own output gives over the very rows at hand, where these are
            not all rows of the paper: the difference is then to this figure.
        cause: Why it differs: a key of the table's causes, or several with a blank between.
        model: What gave it, where a row has several figures.
    """

    row: str
    column: str
    value: float | None
    expected: float | None = None
    cause: str = ""
    model: str = ""


@dataclass(frozen=True)
class Reproduction:
    """A table of a paper.

    Attributes:
        name: Of the file in ``docs/published/tables`` and of the card.
        about: What is run on what, for the page.
        measure: The figures, from the folder of the data; None where nothing can be computed.
        left: What is not run, and why; for the page.
        causes: Named causes of differences.
        tolerance: In the units of the table.
    """

    name: str
    about: str = ""
    measure: Callable[[Path], Sequence[Figure]] | None = None
    left: str = ""
    causes: Mapping[str, str] = field(default_factory=dict)
    tolerance: float = TOLERANCE


def difference(table: str, figure: Figure) -> float | None:
    """By how much a figure differs from the expected one, or else from the printed one."""
    if figure.value is None:
        return None
    if figure.expected is not None:
        return figure.value - figure.expected
    found = number(printed(table).cells.get((figure.row, figure.column), ""))
    return None if found is None else figure.value - found[0]
