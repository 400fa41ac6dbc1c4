"""How an explanation is shown: a table for the terminal, a fragment for notebooks, a page and a
picture.

Everything that comes from a sentence is escaped, and characters that act on a terminal or a page
are spelled out.
"""

from __future__ import annotations

import textwrap
from functools import cache
from html import escape
from importlib.resources import files
from io import StringIO
from typing import Any

from hybridsem.explanations import Explanation, RoleMatch
from hybridsem.render.diagram import Picture, diagram, palette
from hybridsem.render.wording import CORRECTIONS, NOTHING, facts, line, notes, visible
from hybridsem.structures import Argument, DependencyTree, Frame, Parsed, ParseFailure, Role

__all__ = ["as_html", "as_page", "as_svg", "as_terminal", "as_text", "parsed_as_text"]

TEXT_WIDTH = 100
ROOMY = 90
"""From this width on the table's columns have their full names."""

TOO_LONG = "The sentences are too long to be drawn."


def as_text(explanation: Explanation, width: int = TEXT_WIDTH) -> str:
    """The explanation as plain text: score, sentences, and a table whose last column adds up to the
    score.
    """
    return _table(explanation, width=width, color_system=None)


def as_terminal(explanation: Explanation, width: int | None = None) -> str:
    """As :func:`as_text`, with ANSI colours and as wide as the terminal."""
    return _table(explanation, width=width, color_system="standard", force_terminal=True)


def _table(explanation: Explanation, **settings: Any) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_footer=True, padding=(0, 1, 0, 0), pad_edge=False)
    stream = StringIO()
    console = Console(file=stream, highlight=False, emoji=False, legacy_windows=False, **settings)
    lines = [line(match, explanation) for match in explanation.matches]
    short = max((len(said.name) for said in lines), default=0) <= 0.35 * console.width
    table.add_column("role", footer="score", no_wrap=short, overflow="fold")
    table.add_column("sentence 1", overflow="fold")
    table.add_column("sentence 2", overflow="fold")
    numbers = (
        ("similarity", "weight", "contribution")
        if console.width >= ROOMY
        else ("sim.", "weight", "adds")
    )
    for name, footer in zip(numbers, ("", "", f"{explanation.score:.4f}"), strict=True):
        table.add_column(name, footer=footer, justify="right", no_wrap=True)
    for match, said in zip(explanation.matches, lines, strict=True):
        similarity = NOTHING if said.similarity is None else f"{said.similarity:.4f}"
        cells = (
            said.name,
            said.cell1,
            said.cell2,
            similarity,
            f"{match.weight:.4f}",
            f"{match.contribution:+.4f}",
        )
        # Text and not str: a string would be read as markup.
        table.add_row(*map(Text, cells), style="red" if match.term in CORRECTIONS else None)
    console.print(
        Text(f"{explanation.score:.4f}", style="bold"), Text(f"({visible(explanation.model)})")
    )
    for sentence in (explanation.sentence1, explanation.sentence2):
        console.print(Text("  " + visible(sentence)), soft_wrap=True)
    console.print(table)
    if behind := [
        f"{value} {name}" if first else f"{name} {value}"
        for name, value, first in facts(explanation)
    ]:
        kept = "\xa0· ".join(
            fact.replace(" ", "\xa0") for fact in behind
        )  # folded between facts, not within them
        console.print(
            Text(textwrap.fill(kept, console.width, break_on_hyphens=False).replace("\xa0", " "))
        )
    for note in notes(explanation):
        console.print(Text(f"note: {note}"), soft_wrap=True)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def parsed_as_text(parsed: Parsed) -> str:
    """A sentence and its frames as indented lines, or the reason why it has none; ends in a blank
    line.
    """
    lines = [visible(parsed.text)]
    if isinstance(parsed, ParseFailure):
        return "\n".join([*lines, f"  not parsed: {visible(parsed.reason)}", ""])
    for frame in parsed.frames:
        marks = [
            frame.roleset or "",
            frame.voice if frame.voice != "active" else "",
            "negated" if frame.negated else "",
            frame.modality or "",
        ]
        said = ", ".join(visible(mark) for mark in marks if mark)
        lines.append(f"  {visible(frame.predicate)}" + (f"  ({said})" if said else ""))
        rows = _frame_rows(frame, parsed.tree)
        widths = [max(len(row[column]) for row in rows) if rows else 0 for column in (0, 1)]
        lines += [
            f"    {name:<{widths[0]}}  {text:<{widths[1]}}  {labels}".rstrip()
            for name, text, labels in rows
        ]
    if parsed.truncated:
        lines.append("  truncated: longer than the parser reads")
    return "\n".join([*lines, ""])


def _frame_rows(frame: Frame, tree: DependencyTree | None) -> list[tuple[str, str, str]]:
    """A frame's roles: name, phrase, PropBank's label with the VerbNet roles; then the arguments in
    no role.
    """
    if tree is None or not frame.arguments:
        return [(visible(role), visible(filler.text), "") for role, filler in frame.fillers.items()]
    left, rows = list(frame.arguments), []
    for role, filler in frame.fillers.items():
        inside = [
            argument for argument in left if role != Role.VERB and argument.head in filler.tokens
        ]
        left = [argument for argument in left if argument not in inside]
        rows.append((visible(role), visible(filler.text), ", ".join(map(_labelled, inside))))
    return [
        *rows,
        *(("", visible(tree.phrase(argument.tokens)), _labelled(argument)) for argument in left),
    ]


def _labelled(argument: Argument) -> str:
    return visible(
        " ".join(
            [argument.label, *([f"({', '.join(argument.verbnet)})"] if argument.verbnet else [])]
        )
    )


def as_svg(explanation: Explanation) -> str:
    """The picture of the explanation as an SVG document with its own style; fits a README.

    Two sentences with their roles joined by curves; for sentences too long to draw, a line that
    says so.
    """
    picture = diagram(explanation) or Picture(
        f'<text class="hs-word" x="480" y="46">{TOO_LONG}</text>', "", 0, 960, 80
    )
    left, above = picture.left, 58.0
    heading = (
        f"<style>{_style()}</style>\n"
        f'<rect class="hs-behind" x="{left:.1f}" y="{-above:g}" width="100%" height="100%" rx="14"/>\n'
        f'<text class="hs-headline" x="{left + 20:.1f}" y="-20">{_number(explanation.score, 2)}'
        f'<tspan class="hs-model" dx="10">{escape(visible(explanation.model))}</tspan></text>\n'
    )
    return picture.svg("hs hs-diagram", heading, above) + "\n"


def as_html(explanation: Explanation) -> str:
    """The explanation as an HTML fragment with its own style, for notebooks."""
    drawn = _drawn(explanation)
    return (
        f'<div class="hs" style="padding:16px;border-radius:12px"><style>{_style()}</style>'
        f"{_heading(explanation)}{drawn}{_html_table(explanation)}</div>"
    )


def as_page(explanation: Explanation) -> str:
    """The explanation as an HTML page that stands alone: no script, nothing loaded, light and
    dark.
    """
    drawn = _drawn(explanation)
    title = (
        f"{explanation.score:.2f} · {visible(explanation.sentence1)[:60]} | "
        f"{visible(explanation.sentence2)[:60]}"
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>
{_style()}</style>
</head>
<body class="hs hs-page">
<main>
{_heading(explanation)}
<div class="hs-card">
{drawn}
</div>
<div class="hs-card">
{_html_table(explanation)}
</div>
</main>
</body>
</html>
"""


@cache
def _style() -> str:
    return files("hybridsem.render").joinpath("explanation.css").read_text(encoding="utf-8")


def _heading(explanation: Explanation) -> str:
    return (
        f'<p class="hs-score">{_number(explanation.score, 2)}</p>'
        f'<p class="hs-model">similarity by the model {escape(visible(explanation.model))}</p>'
    )


def _html_table(explanation: Explanation) -> str:
    """The contributions as a table that adds up to the score, then the numbers behind it and the
    notes.
    """
    colours = palette(explanation)
    largest = max((abs(match.contribution) for match in explanation.matches), default=0.0) or 1.0
    rows = "\n".join(
        _html_row(match, explanation, colours, largest) for match in explanation.matches
    )
    behind = "".join(
        f"<span>{' '.join([f'<b>{_minus(value)}</b>', escape(name)][:: 1 if first else -1])}</span>"
        for name, value, first in facts(explanation)
    )
    said = "".join(f"<li>{escape(note)}</li>" for note in notes(explanation))
    return f"""<div class="hs-scroll"><table>
<thead><tr><th>role</th><th>sentence 1</th><th>sentence 2</th><th class="hs-n">similarity</th>\
<th class="hs-n">weight</th><th class="hs-n">contribution</th></tr></thead>
<tbody>
{rows}
</tbody>
<tfoot><tr><th colspan="5">score, the sum of the contributions</th>\
<td class="hs-n">{_number(explanation.score, 4)}{_bar(explanation.score, 0.0, 0.0)}</td></tr></tfoot>
</table></div>
{f'<p class="hs-facts">{behind}</p>' if behind else ""}{f'<ul class="hs-notes">{said}</ul>' if said else ""}"""


def _html_row(
    match: RoleMatch, explanation: Explanation, colours: dict[str, int], largest: float
) -> str:
    role = match.role1 if match.role1 is not None else match.role2
    kind = (
        "hs-swap"
        if match.term in CORRECTIONS
        else f"hs-r{colours[str(role)]}"
        if role is not None
        else ""
    )
    said = line(match, explanation)
    similarity = NOTHING if said.similarity is None else _number(said.similarity, 4)
    share = match.contribution / largest
    bar = _bar(0.0, 0.0, 0.0) if said.similarity is None else _bar(said.similarity, 0.0, 1.0)
    return (
        f'<tr class="{kind}"><th scope="row">{escape(said.name)}</th>'
        f"{_html_cell(said.cell1)}{_html_cell(said.cell2)}"
        f'<td class="hs-n">{similarity}{bar}</td>'
        f'<td class="hs-n">{_number(match.weight, 4)}</td>'
        f'<td class="hs-n hs-add">{_number(match.contribution, 4)}{_bar(share, 0.5, 0.5)}</td></tr>'
    )


def _html_cell(text: str) -> str:
    nothing = " class=hs-none" if text in ("", NOTHING) else ""
    return f'<td dir="auto"{nothing}><bdi>{escape(text)}</bdi></td>'


def _bar(value: float, origin: float, scale: float) -> str:
    """A bar from ``origin`` (0 to 1) that is ``value · scale`` long; an invisible one where the
    scale is 0.
    """
    if scale == 0:
        return '<span class="hs-bar" style="visibility:hidden"></span>'
    length = (
        max(-origin, min(1 - origin, value * scale))
        if origin
        else max(0.0, min(1.0, value * scale))
    )
    left, width = (origin + min(length, 0.0)) * 100, abs(length) * 100
    minus = ' class="hs-minus"' if length < 0 else ""
    return f'<span class="hs-bar"><i{minus} style="left:{left:.1f}%;width:{width:.1f}%"></i></span>'


def _number(value: float, digits: int) -> str:
    return _minus(f"{value:.{digits}f}")


def _minus(number: str) -> str:
    return number.replace("-", "−")


def _drawn(explanation: Explanation) -> str:
    picture = diagram(explanation)
    if picture is not None:
        return picture.svg()
    sentences = (explanation.sentence1, explanation.sentence2)
    shown = "".join(
        f'<p dir="auto" class="hs-long">{escape(visible(sentence))}</p>' for sentence in sentences
    )
    return f'<p class="hs-model">{TOO_LONG}</p>{shown}'
