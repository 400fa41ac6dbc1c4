"""Displays in notebooks: parses, trees, graphs and tables of figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import zip_longest

from hybridsem._utils.terminal import visible, visible_lines
from hybridsem.amr import AmrGraph
from hybridsem.render.template_files import fill, fragment
from hybridsem.render.text import frame_heading, frame_rows
from hybridsem.structures import DependencyTree, Frame, Parsed, ParseFailure, Role, RoleStructure

SHOWN = 20  # the number of sentences shown of a list

COLOURS = {str(role): number for number, role in enumerate(Role)}
"""The colours of the general roles, as in the pictures of explanations."""


def tree_as_html(tree: DependencyTree) -> str:
    """Return a dependency tree as an HTML fragment: a table of words, relations and governors."""
    return fragment(_tree(tree))


def graph_as_html(graph: AmrGraph) -> str:
    """Return an AMR graph as an HTML fragment: its PENMAN notation."""
    title = fill("display_title.html", text=escaped(graph.text)) if graph.text else ""
    return fragment(title + _graph(graph))


def parsed_as_html(parsed: Parsed) -> str:
    """Return a parsed sentence as an HTML fragment: its frames and its tree or graph, or the reason
    for the failure.
    """
    return fragment(_parsed(parsed))


def parses_as_html(parses: Sequence[Parsed]) -> str:
    """Return parsed sentences as an HTML fragment: the first 20, and the number of others."""
    shown = "\n".join(map(_parsed, parses[:SHOWN]))
    more = len(parses) - SHOWN
    return fragment(shown + (_note(f"… and {more:,} more sentences.") if more > 0 else ""))


def facts_as_html(caption: str, facts: Mapping[str, object]) -> str:
    """Return names and values as an HTML table with a caption; all are escaped."""
    return fragment(table(caption, [], facts.items()))


def figures_as_html(
    caption: str, heads: Sequence[str], rows: Iterable[Sequence[object]], notes: Iterable[str] = ()
) -> str:
    """Return rows of figures, each after its name, as an HTML table. ``heads`` name the columns,
    the first that of the names; ``notes`` are lines below the table.
    """
    figures = table(caption, heads, rows, cell=' class="hs-n"')
    return fragment(figures + "".join(map(_note, notes)))


def escaped(text: object) -> str:
    """Escape text for HTML, and spell out characters that act on a page."""
    return escape(visible(str(text)))


def _note(text: str) -> str:
    return fill("facts.html", facts=escaped(text))


def table(
    caption: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    cell: str = "",
    roles: Iterable[object] = (),
) -> str:
    """Return a table that scrolls if it is too wide. Rows begin with their names; ``cell`` has the
    attributes of the other cells, and ``roles`` colour the rows.
    """
    lines = [
        fill(
            "display_row.html",
            kind=f' class="hs-r{COLOURS[role]}"' if role in COLOURS else "",
            name=escaped(name),
            cells="".join(
                fill("display_cell.html", kind=cell, text=escaped(text)) for text in cells
            ),
        )
        for (name, *cells), role in zip_longest(rows, roles)
    ]
    kinds = ["", *[cell] * (len(heads) - 1)]
    names = (
        fill("display_head.html", kind=kind, text=escaped(head))
        for head, kind in zip(heads, kinds, strict=False)
    )
    content = fill(
        "display_table.html", caption=escaped(caption), heads="".join(names), rows="\n".join(lines)
    )
    return fill("scroll.html", label=escaped(caption), content=content)


def _tree(tree: DependencyTree, roles: Mapping[int, object] | None = None) -> str:
    """Return the table of a tree; ``roles`` gives the role of a word, which colours its row."""
    rows = [
        (at, one.text, one.pos, one.relation, tree[one.head].text if one.head >= 0 else "")
        for at, one in enumerate(tree)
    ]
    of_words = map((roles or {}).get, range(len(tree)))
    heads = ["", "word", "part of speech", "relation", "governor"]
    return table("Dependencies", heads, rows, roles=of_words)


def _graph(graph: AmrGraph) -> str:
    return fill("display_text.html", text=escape(visible_lines(graph.to_penman(metadata=False))))


def _parsed(parsed: Parsed) -> str:
    if isinstance(parsed, ParseFailure):
        content = _note(f"not parsed: {parsed.reason}")
    else:
        content = _structure(parsed)
    return fill("display_part.html", title=escaped(parsed.text), content=content)


def _structure(parsed: RoleStructure) -> str:
    content = "".join(_frame(frame, parsed.tree) for frame in parsed.frames)
    if parsed.truncated:
        content += _note("truncated: longer than the parser reads")
    if parsed.graph is not None:
        return content + _graph(parsed.graph)
    if parsed.tree is None:
        return content
    roles = {at: role for role, filler in parsed.roles.items() for at in filler.tokens}
    return content + _tree(parsed.tree, roles)


def _frame(frame: Frame, tree: DependencyTree | None) -> str:
    rows: list[Sequence[str]] = [*frame_rows(frame, tree)]
    heads = ["role", "phrase", "PropBank (VerbNet)"]
    if not any(label for _, _, label in rows):
        heads, rows = heads[:2], [row[:2] for row in rows]
    return table(frame_heading(frame), heads, rows, roles=[row[0] for row in rows])
