"""Displays in notebooks: parses, trees, graphs and tables of figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import zip_longest

from hybridsem._utils.terminal import visible_lines
from hybridsem.amr import AmrGraph
from hybridsem.render import markup
from hybridsem.render.markup import Markup, head, joined, row, scrolling, tag
from hybridsem.render.template_files import fragment
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
    title = _title(graph.text) if graph.text else ""
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
    return fragment(table(caption, heads, rows, kind="hs-n") + joined(map(_note, notes)))


def _title(text: str) -> Markup:
    return tag("p", text, class_="hs-title", dir="auto")


def _note(text: str) -> Markup:
    return tag("p", text, class_="hs-facts")


def table(
    caption: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    kind: str | None = None,
    roles: Iterable[object] = (),
) -> Markup:
    """Return a table that scrolls if it is too wide. Rows begin with their names; ``kind`` is the
    class of the other cells, and ``roles`` colour the rows.
    """
    named = [head(text, kind if at else None) for at, text in enumerate(heads)]
    colours = ((cells, COLOURS.get(str(role))) for cells, role in zip_longest(rows, roles))
    lines = (
        row(name, cells, kind, class_=None if colour is None else f"hs-r{colour}")
        for (name, *cells), colour in colours
    )
    return scrolling(markup.table(named, lines, caption=caption), caption)


def _tree(tree: DependencyTree, roles: Mapping[int, object] | None = None) -> Markup:
    rows = [
        (at, one.text, one.pos, one.relation, tree[one.head].text if one.head >= 0 else "")
        for at, one in enumerate(tree)
    ]
    of_words = map((roles or {}).get, range(len(tree)))
    heads = ["", "word", "part of speech", "relation", "governor"]
    return table("Dependencies", heads, rows, roles=of_words)


def _graph(graph: AmrGraph) -> Markup:
    return tag("pre", Markup(escape(visible_lines(graph.to_penman(metadata=False)))))


def _parsed(parsed: Parsed) -> Markup:
    if isinstance(parsed, ParseFailure):
        content = [_note(f"not parsed: {parsed.reason}")]
    else:
        content = _structure(parsed)
    return tag("div", _title(parsed.text), *content, class_="hs-part")


def _structure(parsed: RoleStructure) -> list[Markup]:
    content = [_frame(frame, parsed.tree) for frame in parsed.frames]
    if parsed.truncated:
        content.append(_note("truncated: longer than the parser reads"))
    if parsed.graph is not None:
        return [*content, _graph(parsed.graph)]
    if parsed.tree is None:
        return content
    roles = {at: role for role, filler in parsed.roles.items() for at in filler.tokens}
    return [*content, _tree(parsed.tree, roles)]


def _frame(frame: Frame, tree: DependencyTree | None) -> Markup:
    rows: list[Sequence[str]] = [*frame_rows(frame, tree)]
    heads = ["role", "phrase", "PropBank (VerbNet)"]
    if not any(label for _, _, label in rows):
        heads, rows = heads[:2], [row[:2] for row in rows]
    return table(frame_heading(frame), heads, rows, roles=[row[0] for row in rows])
