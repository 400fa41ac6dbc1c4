"""An explanation as a table for the terminal, and a parsed sentence as indented lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from io import StringIO
from typing import Any

from hybridsem._utils.terminal import visible
from hybridsem.explanations import Explanation
from hybridsem.render.summary import summary
from hybridsem.render.wording import NOTHING, corrects, facts, in_words, lines, notes, shares_of
from hybridsem.structures import Argument, DependencyTree, Frame, Parsed, ParseFailure, Role

TEXT_WIDTH = 100
ROOMY = 90  # the least width at which the table's columns have their full names


def as_text(explanation: Explanation, width: int = TEXT_WIDTH) -> str:
    """Return the explanation as plain text: its summary, the score, the sentences, and a table that
    adds up to the score; ``width`` is in characters.
    """
    return _table(explanation, width=width, color_system=None)


def as_terminal(explanation: Explanation, width: int | None = None) -> str:
    """Return :func:`as_text` with ANSI colours; by default as wide as the terminal."""
    return _table(explanation, width=width, color_system="standard", force_terminal=True)


def _table(explanation: Explanation, **settings: Any) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_footer=True, padding=(0, 1, 0, 0), pad_edge=False)
    stream = StringIO()
    settings["force_jupyter"] = False  # else a notebook shows it, and the text is empty
    console = Console(file=stream, highlight=False, emoji=False, legacy_windows=False, **settings)
    rows = lines(explanation)
    short = max((len(shown.name) for _, shown in rows), default=0) <= 0.35 * console.width
    table.add_column("role", footer="score", no_wrap=short, overflow="fold")
    table.add_column("sentence 1", overflow="fold")
    table.add_column("sentence 2", overflow="fold")
    names = ("sim.", "weight", "adds")
    if console.width >= ROOMY:
        names = ("similarity", "weight", "contribution")
    for name, footer in zip(names, ("", "", f"{explanation.score:.4f}"), strict=True):
        table.add_column(name, footer=footer, justify="right", no_wrap=True)
    for match, shown in rows:
        similarity = NOTHING if shown.similarity is None else f"{shown.similarity:.4f}"
        weight = f"{match.weight:z.4f}" if match.weighs else NOTHING
        cells = (*shown[:3], similarity, weight, f"{match.contribution:+z.4f}")
        # Text and not str: a string would be read as markup.
        table.add_row(*map(Text, cells), style="red" if corrects(match) else None)
        for at, share in enumerate(shares_of(match, explanation)):
            name = "" if at else "  of which"
            cells = (name, *share[:2], f"{share.part:.4f}", "", "")
            table.add_row(*map(Text, cells), style="dim")
    console.print(Text(summary(explanation), style="bold"), soft_wrap=True)
    console.print(
        Text(f"{explanation.score:.4f}", style="bold"), Text(f"({visible(explanation.model)})")
    )
    for sentence in (explanation.sentence1, explanation.sentence2):
        console.print(Text("  " + visible(sentence)), soft_wrap=True)
    console.print(table)
    numbers = [
        f"{value} {name}" if value_first else f"{name} {value}"
        for name, value, value_first in facts(explanation)
    ]
    if numbers:
        console.print(Text(_folded(numbers, console.width)))
    if explanation.alignment:
        words = list(map(in_words, explanation.alignment))
        console.print(Text(_folded([f"aligned {words[0]}", *words[1:]], console.width)))
    for note in notes(explanation):
        console.print(Text(f"note: {note}"), soft_wrap=True)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def _folded(parts: Iterable[str], width: int) -> str:
    """Return the parts side by side; lines break between parts only."""
    joined = "\xa0· ".join(part.replace(" ", "\xa0") for part in parts)
    return textwrap.fill(joined, width, break_on_hyphens=False).replace("\xa0", " ")


def parsed_as_text(parsed: Parsed) -> str:
    """Return a sentence with its frames as indented lines, or the reason for a failure. The last
    line is blank.
    """
    lines = [visible(parsed.text)]
    if isinstance(parsed, ParseFailure):
        return "\n".join([*lines, f"  not parsed: {visible(parsed.reason)}", ""])
    for frame in parsed.frames:
        lines.append(f"  {frame_heading(frame)}")
        rows = frame_rows(frame, parsed.tree)
        widths = [max(len(row[column]) for row in rows) if rows else 0 for column in (0, 1)]
        lines += [
            f"    {name:<{widths[0]}}  {text:<{widths[1]}}  {labels}".rstrip()
            for name, text, labels in rows
        ]
    if parsed.truncated:
        lines.append("  truncated: longer than the parser reads")
    return "\n".join([*lines, ""])


def frame_heading(frame: Frame) -> str:
    """Return a frame's predicate, and in brackets its roleset, voice, negation and modality."""
    marks = [
        frame.roleset or "",
        frame.voice if frame.voice != "active" else "",
        "negated" if frame.negated else "",
        frame.modality or "",
    ]
    shown = ", ".join(visible(mark) for mark in marks if mark)
    return visible(frame.predicate) + (f"  ({shown})" if shown else "")


def frame_rows(frame: Frame, tree: DependencyTree | None) -> list[tuple[str, str, str]]:
    """Return a frame's roles: name, phrase, PropBank's label with the VerbNet roles. Arguments
    without a role come last, without a name.
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
    roles = f" ({', '.join(argument.verbnet)})" if argument.verbnet else ""
    return visible(argument.label + roles)
