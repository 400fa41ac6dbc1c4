"""A comparison as a table: for the terminal, Markdown, LaTeX, HTML, csv, JSON."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from io import StringIO
from itertools import groupby

from hybridsem._typing import Plain
from hybridsem._utils.terminal import visible
from hybridsem.errors import counted
from hybridsem.evaluation.statistics.rating_correlations import Difference, Estimate
from hybridsem.render import figures_as_html


@dataclass(frozen=True)
class Column:
    """The source of a column's figures; ``data`` is the sha256 of the rows."""

    task: str
    split: str
    data: str
    group: str
    measure: str


@dataclass(frozen=True)
class Cell:
    """A figure and its test against the column's reference, with the corrected p-value."""

    estimate: Estimate
    is_best: bool = False
    difference: Difference | None = None
    p: float | None = None
    separable: bool | None = None
    note: str = ""
    trained_on: int = 0  #: the pairs of the data that the model's weights were trained on


@dataclass(frozen=True)
class ComparisonTable:
    """The table ``cells[model, column]``, models and columns in the order of the cards."""

    models: tuple[str, ...]
    columns: tuple[Column, ...]
    cells: dict[tuple[str, Column], Cell] = field(repr=False)
    test: str
    correction: str
    level: float
    against: str | None
    tests: int
    resamples: int

    def __str__(self) -> str:
        return LAYOUTS["text"](self, False).rstrip("\n")

    def _repr_html_(self) -> str:
        return LAYOUTS["html"](self, True)

    def records(self) -> list[Plain]:
        """Return one plain record per figure, with its interval and its test."""
        names = ("value", "low", "high", "n", "missing")
        return [
            {"model": model, **asdict(column)}
            | {name: getattr(cell.estimate, name) for name in names}
            | {"best": cell.is_best, "difference": cell.difference and cell.difference.value}
            | {"p": cell.p, "separable": cell.separable, "note": cell.note or cell.estimate.note}
            | {"trained_on": cell.trained_on}
            for (model, column), cell in self.cells.items()
        ]

    @property
    def warnings(self) -> list[str]:
        """A line for each model and benchmark with pairs that its weights were trained on."""
        seen = dict.fromkeys((_where(*key), cell.trained_on) for key, cell in self.cells.items())
        why = "trained on test, the weights were trained on"
        return [f"{SEEN} {where}: {why} {n} of its pairs." for where, n in seen if n]


NOTHING = "–"  # no card has this figure
SEEN = "†"  #: the mark of figures on pairs that the weights were trained on
UNDEFINED = "undefined"
NAMES = {"spearman": "Spearman's rho", "pearson": "Pearson's r", "kendall": "Kendall's tau-b"}
TESTS = {"bootstrap": "paired bootstrap", "williams": "Williams' test"}
CORRECTIONS = {
    "holm": "Holm's correction",
    "benjamini-hochberg": "Benjamini and Hochberg's correction",
}


def figure(value: float | None) -> str:
    """Return a number with three decimals and no zero before the point."""
    if value is None:
        return UNDEFINED
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"


def _heads(comparison: ComparisonTable) -> tuple[list[str], list[str]]:
    """Return the two lines of the column heads: the benchmark and the group."""
    distinct = {(column.task, column.split, column.data) for column in comparison.columns}
    data_sets = Counter((task, split) for task, split, _ in distinct)
    above, below = [], []
    several = len(_measures(comparison)) > 1
    for column in comparison.columns:
        is_one = data_sets[column.task, column.split] == 1
        parts = (column.task, column.split, "" if is_one else f"data {column.data[:8]}")
        above.append(" ".join(filter(None, parts)))
        below.append(column.group + (f" ({column.measure})" if several else ""))
    return above, below


def _where(model: str, column: Column) -> str:
    return ", ".join([model, " ".join(filter(None, (column.task, column.split)))])


def _measures(comparison: ComparisonTable) -> list[str]:
    return list(dict.fromkeys(column.measure for column in comparison.columns))


#: Formats a cell from its figure, True for the best, True if not separable, and the interval.
Show = Callable[[str, bool, bool, str], str]


def _table(
    comparison: ComparisonTable, intervals: bool, show: Show
) -> tuple[list[str], list[list[str]]]:
    """Return the heads of the columns, and a row for each model: its name and its figures."""

    def shown(cell: Cell | None) -> str:
        if cell is None:
            return NOTHING
        one, is_tied = cell.estimate, cell.separable is False
        has_interval = intervals and one.low is not None
        interval = f" [{figure(one.low)}, {figure(one.high)}]" if has_interval else ""
        value = figure(one.value) + (SEEN if cell.trained_on else "")
        return show(value, cell.is_best, is_tied, interval)

    heads = [f"{above}: {below}" for above, below in zip(*_heads(comparison), strict=True)]
    return heads, [
        [model, *(shown(comparison.cells.get((model, column))) for column in comparison.columns)]
        for model in comparison.models
    ]


def _signs(best: bool, tied: bool) -> str:
    return ("*" if best else "") + ("≈" if tied else "")


def legend(comparison: ComparisonTable, best: str, tied: str) -> list[str]:
    """Return what the figures and signs mean, and notes on single figures."""
    measures = _measures(comparison)
    said = [f"{', '.join(NAMES.get(name, name) for name in measures)}."]
    if any(cell.is_best for cell in comparison.cells.values()):
        said[0] += f" The best of a column is {best}."
    if comparison.tests:
        against = comparison.against or "the best of its column"
        parts = TESTS[comparison.test], CORRECTIONS.get(comparison.correction)
        how, tests = ", ".join(filter(None, parts)), comparison.tests
        limit = f"is not separable from {against} at p < {1 - comparison.level:.2g}"
        said.append(f"{tied} marks what {limit} ({how}, {counted(tests, 'test')}).")
        # The smallest p-value that the resamples allow, times Holm's first factor.
        least = 2 / (comparison.resamples + 1) * tests
        is_default = (comparison.test, comparison.correction) == ("bootstrap", "holm")
        if is_default and least >= 1 - comparison.level:
            few = f"{comparison.resamples:,} resamples are too few to separate figures"
            said.append(f"{few} in {tests} tests.")
    elif comparison.test != "none" and len(comparison.models) > 1:
        said.append("No figure was tested.")
    missing: dict[str, list[str]] = {}
    for (model, column), cell in comparison.cells.items():
        where = _where(model, column)
        if cell.estimate.missing:
            total = cell.estimate.n + cell.estimate.missing
            told = f"{cell.estimate.missing} of {total} rows ({column.group})"
            missing.setdefault(where, []).append(told)
        if cell.note or (cell.estimate.value is None and cell.estimate.note):
            said.append(f"{where} {column.group}: {cell.note or cell.estimate.note}.")
    said += comparison.warnings
    return said + [f"{where}: no score for {', '.join(rows)}." for where, rows in missing.items()]


def _text(comparison: ComparisonTable, intervals: bool) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    def show(value: str, best: bool, tied: bool, interval: str) -> str:
        return value + (_signs(best, tied) or " ") + interval

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("model", overflow="fold")
    for head in zip(*_heads(comparison), strict=True):
        # Text and not str: a string would be read as markup.
        shown = Text("\n".join(map(visible, head)))
        table.add_column(shown, justify="left" if intervals else "right", no_wrap=True)
    for model, *row in _table(comparison, intervals, show)[1]:
        table.add_row(Text(visible(model)), *map(Text, row))
    stream = StringIO()
    # Wide enough for any table: a folded figure is worse than a long line. Without force_jupyter,
    # rich would show the table itself in a notebook and leave the text empty.
    settings: Plain = {"color_system": None, "highlight": False, "emoji": False}
    Console(file=stream, width=10_000, force_jupyter=False, **settings).print(table)
    said = map(visible, legend(comparison, "marked *", "≈"))
    return "\n".join([line.rstrip() for line in stream.getvalue().splitlines()] + [*said, ""])


def _markdown(comparison: ComparisonTable, intervals: bool) -> str:
    def show(value: str, best: bool, tied: bool, interval: str) -> str:
        return (f"**{value}**" if best else value) + (" ≈" if tied else "") + interval

    def escaped(text: str) -> str:
        return "".join("\\" + sign if sign in "\\`*_[]<>|#" else sign for sign in visible(text))

    heads, rows = _table(comparison, intervals, show)
    lines = [["", *map(escaped, heads)], ["---"] * (len(heads) + 1)]
    lines += [[escaped(model), *row] for model, *row in rows]
    table = ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join([*table, "", " ".join(map(escaped, legend(comparison, "bold", "≈"))), ""])


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "≈": r"$\approx$",
}
_LATEX |= {sign: "\\" + sign for sign in "&%$#_{}"}


def _latex(comparison: ComparisonTable, intervals: bool) -> str:
    """Return a tabular with the rules of the package booktabs."""

    def escaped(text: str) -> str:
        return "".join(_LATEX.get(sign, sign) for sign in visible(text))

    def show(value: str, best: bool, tied: bool, interval: str) -> str:
        value = value.replace("-", "$-$")
        value = rf"\textbf{{{value}}}" if best else value
        interval = rf" {{\small{interval}}}".replace("-", "$-$") if intervals else ""
        return value + (r"\,$\approx$" if tied else "") + interval

    above, below = _heads(comparison)
    spans = [(name, len(list(same))) for name, same in groupby(above)]
    top = [""] + [rf"\multicolumn{{{count}}}{{c}}{{{escaped(name)}}}" for name, count in spans]
    rows = [
        [escaped(model), *("--" if cell == NOTHING else cell for cell in row)]
        for model, *row in _table(comparison, intervals, show)[1]
    ]
    first, second, *body = (
        " & ".join(cells) + r" \\" for cells in (top, ["", *map(escaped, below)], *rows)
    )
    lines = [rf"\begin{{tabular}}{{l{'c' * len(above)}}}", r"\toprule", first, second]
    lines += [r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]
    notes = legend(comparison, "bold", "The sign of approximate equality")
    return "\n".join([*lines, *("% " + visible(line) for line in notes), ""])


def _html(comparison: ComparisonTable, intervals: bool) -> str:
    def show(value: str, best: bool, tied: bool, interval: str) -> str:
        return value + _signs(best, tied) + interval

    heads, rows = _table(comparison, intervals, show)
    notes = legend(comparison, "marked *", "≈")
    return figures_as_html("Models compared", ["model", *heads], rows, notes) + "\n"


def _csv(comparison: ComparisonTable, intervals: bool) -> str:
    """Return a line for each figure, always with its interval."""
    stream = StringIO()
    records = comparison.records()
    writer = csv.DictWriter(stream, list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return stream.getvalue()


def _json(comparison: ComparisonTable, intervals: bool) -> str:
    names = ("test", "correction", "level", "against")
    plain: Plain = {name: getattr(comparison, name) for name in names}
    plain["figures"] = comparison.records()
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


#: The writers of a comparison by name; the second argument adds intervals.
LAYOUTS: dict[str, Callable[[ComparisonTable, bool], str]] = {
    "text": _text,
    "markdown": _markdown,
    "latex": _latex,
    "html": _html,
    "csv": _csv,
    "json": _json,
}
