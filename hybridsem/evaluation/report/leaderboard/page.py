"""A board as a self-contained HTML page and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from hybridsem._typing import Record
from hybridsem._utils.tables import read_table
from hybridsem._utils.terminal import visible
from hybridsem.errors import counted
from hybridsem.evaluation.report import pages
from hybridsem.evaluation.report.leaderboard.board import LACKING, Board, Figure, Row, Table
from hybridsem.evaluation.report.leaderboard.provenance import KINDS, UNKNOWN
from hybridsem.evaluation.report.tables import NAMES, SEEN, figure
from hybridsem.render.markup import Markup, head, joined, scrolling, tag
from hybridsem.render.markup import table as html_table
from hybridsem.render.wording import minus

_TEXTS = read_table(__file__)
COLOURS = [*KINDS]
PUBLISHED = "published"  # the kind of rows of papers


def as_page(board: Board) -> str:
    """Return the board as an HTML page."""
    rows, kinds = [row for table in board.tables for row in table.rows], _kinds(board)
    links = (
        tag("li", tag("a", f"{table.title} ", tag("small", len(table.rows)), href=f"#{table.key}"))
        for table in board.tables
    )
    terms = (tag("dt", kind) + tag("dd", what) for kind, what in kinds.items())
    is_beside = any(table.published for table in board.tables)
    boxes = [*kinds, PUBLISHED] if is_beside else [*kinds]
    of_kinds = (
        tag("label", tag("input", type="checkbox", value=kind), f" {kind}") for kind in boxes
    )
    licences = {"": "any"} | {licence: licence for licence in sorted({row.licence for row in rows})}
    return pages.page_of(
        "leaderboard",
        "Leaderboard of sentence similarity",
        pages.lead(_TEXTS["introduction"].replace("`", '"')),
        pages.lead(f"Made from {counted(len(rows), 'result card')}."),
        tag("nav", tag("ul", *links), aria_label="Benchmarks"),
        tag("details", tag("summary", "Kinds of models"), tag("dl", *map(Markup, terms))),
        pages.filters(
            tag("fieldset", tag("legend", "Kind"), *of_kinds),
            pages.choice("Licence", "licence", licences),
            pages.field(
                "Model", "name", "search", autocomplete="off", placeholder="part of a name"
            ),
            pages.field("needs nothing but the package", "ships", "checkbox"),
        ),
        tag("div", *(_section(board, table) for table in board.tables), id="list"),
    )


def _section(board: Board, table: Table) -> Markup:
    caption = f"{_measure_name(table)}, {counted(len(table.rows), 'card')}"
    rank = "Rank", tag("small", "in ", tag("span", *table.groups[:1]))
    heads = [
        head(joined(rank, " "), "rank", data_sort="up", data_role="rank"),
        head("Model", "model", data_sort="up"),
        *(head(name, "figure", data_sort="down", data_group=name) for name in table.groups),
        head("Rows/s", "figure", data_sort="down", title="rows of the data per second"),
        head("Needs", data_sort="up"),
        head("Licence", data_sort="up"),
    ]
    keyed = [(f"{table.key}-card-{at}", row) for at, row in enumerate(table.rows, 1)]
    lines = _lines(table)
    beside = map(_row, lines[len(keyed) :])
    more = [tag("tbody", *beside, class_=PUBLISHED)] if table.published else []
    rows = (_row(line, key) for line, (key, _) in zip(lines, keyed, strict=False))
    cards = (_card(table, row, key) for key, row in keyed)
    return pages.card(
        table.key,
        table.title,
        tag("p", _about_table(table), class_="note"),
        scrolling(html_table(heads, rows, *more, caption=caption), table.title),
        tag("p", rank_note(board, table), class_="note"),
        *_sources(table),
        tag("details", tag("summary", "Commands and cards"), *cards),
        kind="board",
    )


def _shown(figure: Figure) -> dict[str, str]:
    """Return a figure's cell: text and interval, and what rows are sorted by."""
    one, rank = figure.estimate, ""
    if figure.first and figure.last:
        rank = f"{figure.first + figure.last / 10_000:.4f}"
    return {
        "text": UNKNOWN if figure is LACKING else _number(one.value),
        "interval": "" if one.low is None else f"[{_number(one.low)}, {_number(one.high)}]",
        "value": "" if one.value is None else f"{one.value:.6f}",
        "ranks": figure.ranks,
        "rank": rank,
    }


class _Line(NamedTuple):
    """A row of a table: of a card, or of a paper."""

    name: str
    shown_name: str
    kind: str
    figures: Sequence[Record]
    speed: float | None
    needs: str
    licence: str

    @property
    def first(self) -> Record:
        return self.figures[0] if self.figures else _shown(LACKING)


def _lines(table: Table) -> list[_Line]:
    """Return the rows of cards, then those of papers."""
    lines = []
    for row in table.rows:
        figures = [_shown(row.figure(group)) for group in table.groups]
        names = row.name, row.shown_name, row.kind
        lines.append(_Line(*names, figures, row.speed, row.needs, row.licence))
    for published in table.published:
        figures = []
        for given in (published.figures.get(group, ()) for group in table.groups):
            value = f"{sum(given) / len(given):.6f}" if given else ""
            figures.append(_shown(LACKING) | {"text": _published_text(given), "value": value})
        setting = published.setting + (f" ({published.where})" if published.where else "")
        name = published.model
        lines.append(_Line(name, name, PUBLISHED, figures, None, setting, ""))
    return lines


def _row(line: _Line, key: str | None = None) -> Markup:
    """Return a row of the page; ``key`` is the address of its card."""
    name = line.shown_name if key is None else tag("a", line.shown_name, href=f"#{key}")
    colour = PUBLISHED if key is None else f"hs-r{COLOURS.index(line.kind)}"
    named = name, " ", tag("span", line.kind, class_=f"kind {colour}")
    cells = [
        tag("td", line.first["ranks"], class_="rank", data_value=line.first["rank"]),
        tag("th", *named, scope="row", class_="model", data_value=line.name),
    ]
    for one in line.figures:
        shown = tag("b", one["text"]), " ", tag("small", one["interval"])
        of_column = {f"data_{name}": one[name] for name in ("value", "ranks", "rank")}
        cells.append(tag("td", *shown, class_="figure", **of_column))
    value = "" if line.speed is None else f"{line.speed:.6g}"
    cells.append(tag("td", _speed_text(line.speed), class_="figure", data_value=value))
    cells += (tag("td", text, class_="small") for text in (line.needs, line.licence))
    about = {"data_licence": line.licence, "data_needs": "" if key is None else line.needs}
    return tag("tr", *cells, data_kind=line.kind, **about)


def _card(table: Table, row: Row, key: str) -> Markup:
    command = tag("p", "Evaluated in Python; there is no command for it.", class_="note")
    if row.command:
        label = "The command that makes the card"
        command = tag("pre", tag("code", row.command), tabindex=0, aria_label=label)
    quote = tag("p", row.card.fingerprint(), class_="note")
    return pages.disclosed(key, [row.name], command, quote, back=table.key)


def _sources(table: Table) -> Iterator[Markup]:
    """Yield the differences of the published rows from ours."""
    if table.published:
        yield tag("p", _TEXTS["published"], class_="note")
    for paper, differences in _differences_by_paper(table).items():
        lines = tag("ul", *(tag("li", line) for line in differences))
        yield tag("div", tag("p", f"{paper}."), lines, class_="note")


def as_markdown(board: Board) -> str:
    """Return the board as Markdown; no value can act as Markdown or HTML."""
    lines = ["# Leaderboard", "", _TEXTS["introduction"], ""]
    lines += (f"- **{_inert(kind)}**: {_inert(what)}" for kind, what in _kinds(board).items())
    for table in board.tables:
        about = f"{_about_table(table)} Figures are {_measure_name(table)}."
        lines += ["", f"## {_inert(table.title)}", "", _inert(about), "", *_markdown_table(table)]
        lines += ["", _inert(rank_note(board, table))]
        if table.published:
            lines += ["", _inert(_TEXTS["published"])]
        for paper, differences in _differences_by_paper(table).items():
            lines += ["", f"{_inert(paper)}.", "", *(f"- {_inert(line)}" for line in differences)]
        if commands := [row.command for row in table.rows if row.command]:
            lines += ["", "The commands, with the data's files by their names:", ""]
            lines += (f"    {visible(command)}" for command in commands)
    return "\n".join([*lines, ""])


def _markdown_table(table: Table) -> Iterator[str]:
    names = ("rank", "model", *table.groups, "rows/s", "kind", "needs", "licence")
    yield "| " + " | ".join(map(_inert, names)) + " |"
    figures = ["---:"] * (len(table.groups) + 1)
    yield "| " + " | ".join(["---"] * 2 + figures + ["---"] * 3) + " |"
    for line in _lines(table):
        shown = (" ".join(filter(None, (one["text"], one["interval"]))) for one in line.figures)
        name, kind, *about = [*map(_inert, (line.shown_name, line.kind, line.needs, line.licence))]
        if line.kind == PUBLISHED:
            name, kind, about = f"*{name}*", f"*{kind}*", [UNKNOWN] * 2
        cells = line.first["ranks"], name, *shown, _speed_text(line.speed), kind, *about
        yield "| " + " | ".join(cells) + " |"


def _inert(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|#&])", r"\\\1", visible(text))


def _kinds(board: Board) -> dict[str, str]:
    shown = {row.kind for table in board.tables for row in table.rows}
    return {kind: what for kind, what in KINDS.items() if kind in shown}


def _measure_name(table: Table) -> str:
    return NAMES.get(table.measure, table.measure)


def _speed_text(speed: float | None) -> str:
    return UNKNOWN if speed is None else f"{speed:,.{int(speed < 10)}f}"


def _about_table(table: Table) -> str:
    """Return the benchmark's summary, its paper, and the number of rows."""
    told = [*filter(None, (table.summary, table.citation)), counted(table.items, "row")]
    texts = [text[:1].upper() + text[1:] for text in told]
    return " ".join(text if text.endswith((".", "?", "!")) else f"{text}." for text in texts)


def _published_text(given: Sequence[Decimal]) -> str:
    """Return a published figure with its own decimals; two as a range."""
    texts = (str(value).replace("0.", ".", 1) if abs(value) < 1 else str(value) for value in given)
    return minus("–".join(texts)) or UNKNOWN


def _number(value: float | None) -> str:
    return minus(figure(value))


def _differences_by_paper(table: Table) -> dict[str, list[str]]:
    """Return lines on what differs in the published rows, by paper."""
    papers: dict[str, dict[tuple[str, str], list[str]]] = {}
    for row in table.published:
        setting = ", ".join(filter(None, (row.setting, row.where)))
        lines = papers.setdefault(row.paper, {})
        lines.setdefault((setting, row.difference), []).append(row.model)

    def line(setting: str, difference: str, models: list[str]) -> str:
        named = ", ".join(dict.fromkeys(models)) + (f" ({setting})" if setting else "")
        return f"{named}: {difference}" if difference else named

    return {
        paper: [line(*key, models) for key, models in lines.items()]
        for paper, lines in papers.items()
    }


def rank_note(board: Board, table: Table) -> str:
    """Return how the models of a table were separated, and which were trained on its pairs."""
    seen = (
        f" {SEEN} {row.name}: trained on test, the weights were trained on {row.trained_on:,} of "
        "its pairs."
        for row in table.rows
        if row.trained_on
    )
    return "".join([_separated(board, table), *seen])


def _separated(board: Board, table: Table) -> str:
    if table.unranked:
        return f"Nothing is ranked: {table.unranked}."
    if len(table.rows) < 2:
        return "One card: there is nothing to rank."
    levels = {row.card.settings.get("level") for row in table.rows}
    level = levels.pop() if len(levels) == 1 else None
    own_level = f"{level * 100:g} % " if isinstance(level, float) else ""
    given = {"resamples": board.resamples, "level": board.level, "own_level": own_level}
    how = {name: text.format(**given) for name, text in _TEXTS["separated"].items()}
    sums = {name: sum(getattr(one, name) for one in table.rankings.values()) for name in how}
    whole = sum(sums.values())
    notes = {name: f" ({n:,} of {whole:,} pairs)" if n < whole else "" for name, n in sums.items()}
    parts = "; by ".join(how[name] + notes[name] for name, count in sums.items() if count)
    return f"Models are separated by {parts}."
