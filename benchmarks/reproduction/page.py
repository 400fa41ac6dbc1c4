"""The page of the papers' tables beside ours, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.reproduction.published import number, printed
from benchmarks.reproduction.tables import CARDS, Figure, Reproduction, command, difference, load

HEAD = """# The papers' tables, and ours

Each table of the four papers beside what is computed here. *Printed* is the paper's figure. *At
hand* is what the authors' own output gives over the rows that we have, where we lack some. *Ours*
is computed here. The difference is to *at hand* if there is such a figure, otherwise to *printed*.
A letter names the cause of each difference of more than .002 (in figures up to 1).

`make reproduction DATA=../shared/data` computes all of it; the cards are in
`benchmarks/reproduction/cards`, the papers' tables in `docs/published/tables`. Nothing in hybridsem
is chosen by these figures.
"""


def page(papers: Mapping[str, Sequence[Reproduction]], folder: Path = CARDS) -> str:
    """The whole page: a section a paper, a part a table."""
    parts = [HEAD]
    for title, tables in papers.items():
        parts.append(f"## {title}\n")
        parts += [section(table, load(table.name, folder)) for table in tables]
    return "\n".join(parts)


def section(table: Reproduction, figures: Sequence[Figure] | None) -> str:
    """A table: what is run, printed beside ours, the causes, what is left."""
    source = printed(table.name)
    parts = [f"### {source.title}\n"]
    if table.about:
        parts.append(f"{table.about}\n")
    if figures:
        parts.append(_comparison(table, figures))
        parts.append(f"    {command(table.name)}\n")
    if table.left:
        parts.append(f"Not run: {table.left}\n")
    return "\n".join(parts)


def unexplained(table: Reproduction, figures: Sequence[Figure]) -> list[Figure]:
    """The figures that differ by more than the tolerance and name no cause."""
    return [
        figure
        for figure in figures
        if not figure.cause
        and (found := difference(table.name, figure)) is not None
        and abs(found) > table.tolerance + 1e-9
    ]


def _comparison(table: Reproduction, figures: Sequence[Figure]) -> str:
    cells = printed(table.name).cells
    letters: dict[str, str] = {}
    at_hand = any(figure.expected is not None for figure in figures)
    named = any(figure.model for figure in figures)
    header = ["row", "column", "printed", "ours", "difference"]
    header[3:3] = ["at hand"] * at_hand + ["by"] * named
    lines = [f"| {' | '.join(header)} |", f"| {' | '.join(['---'] * len(header))} |"]
    for figure in figures:
        theirs = cells.get((figure.row, figure.column), "")
        decimals = (number(theirs) or (0, 3))[1]
        apart = difference(table.name, figure)
        for cause in figure.cause.split():
            letters.setdefault(cause, chr(ord("a") + len(letters)))
        marks = "".join(letters[cause] for cause in figure.cause.split())
        row = [figure.row, figure.column, theirs or "–"]
        row += [_written(figure.expected, decimals)] * at_hand + [figure.model] * named
        row += [_written(figure.value, decimals), f"{_apart(apart, decimals)} {marks}".rstrip()]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")
    causes = [f"- {letter}: {table.causes[cause]}" for cause, letter in letters.items()]
    return "\n".join([*lines, "", *causes, *([""] if causes else [])])


def _apart(difference: float | None, decimals: int) -> str:
    if difference is None:
        return "–"
    decimals = 0 if decimals == 0 and abs(difference) >= 1 else max(decimals, 3)
    return "0" if abs(difference) < 0.5 * 10**-decimals else f"{difference:+.{decimals}f}"


def _written(value: float | None, decimals: int) -> str:
    if value is None:
        return "–"
    if 0 < abs(value) < 0.5 * 10**-decimals:
        return f"{value:.2g}"
    text = f"{value:.{decimals}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 else text
