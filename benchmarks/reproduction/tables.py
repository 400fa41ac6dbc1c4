"""What is computed of a table, how it compares with what is printed, and its card."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.reproduction.published import number, printed
from hybridsem import __version__
from hybridsem._utils.tables import read_table

CARDS = Path(__file__).parent / "cards"
SCHEMA = "hybridsem/reproduction"
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


Value = float | None
Measure = Callable[[Path], Sequence[Figure]]


def grid(
    rows: Iterable[str], columns: Iterable[str], value: Callable[[str, str], Value], cause: str = ""
) -> list[Figure]:
    """Return the figures of rows and columns, all with one cause if they differ."""
    return [
        Figure(row, column, value(row, column), cause=cause) for row in rows for column in columns
    ]


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
    measure: Measure | None = None
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


def tables(module: str, measures: Mapping[str, Measure]) -> tuple[Reproduction, ...]:
    """Return the tables of the file beside a module, with what computes them.

    ``about`` and ``left`` are texts, or names of texts in the section ``texts``.
    """
    found = read_table(module)
    texts: Mapping[str, str] = found.get("texts", {})

    def made(name: str, row: Mapping[str, Any]) -> Reproduction:
        told = []
        for given in (row.get("about", []), row.get("left", [])):
            parts = [given] if isinstance(given, str) else given
            told.append(" ".join(texts.get(part, part) for part in parts))
        limit = row.get("tolerance", TOLERANCE)
        return Reproduction(name, told[0], measures.get(name), told[1], found["causes"], limit)

    return tuple(made(name, row) for name, row in found["tables"].items())


def command(name: str) -> str:
    """What computes a table anew."""
    return f"python -m benchmarks.reproduction --data ../shared/data --only {name}"


def save(name: str, figures: Sequence[Figure], folder: Path = CARDS) -> None:
    """Write the card of a table; figures to six decimals."""
    plain = {
        "schema": SCHEMA,
        "table": name,
        "hybridsem": __version__,
        "command": command(name),
        "figures": [
            {
                key: round(value, 6) if isinstance(value, float) else value
                for key, value in asdict(figure).items()
                if value not in (None, "") or key == "value"
            }
            for figure in figures
        ],
    }
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(plain, indent=1, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def load(name: str, folder: Path = CARDS) -> list[Figure] | None:
    """The figures of a table's card; None where there is no card."""
    file = folder / f"{name}.json"
    if not file.exists():
        return None
    plain = json.loads(file.read_text(encoding="utf-8"))
    return [Figure(**figure) for figure in plain["figures"]]
