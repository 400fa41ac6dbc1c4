"""Displays in notebooks: parses, trees, graphs and tables of figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from hybridsem._utils.terminal import visible, visible_lines
from hybridsem.amr import AmrGraph
from hybridsem.render.template_files import fill, fragment
from hybridsem.render.text import frame_heading, frame_rows
from hybridsem.render.trees import tree_as_svg
from hybridsem.structures import DependencyTree, Frame, Parsed, ParseFailure, Role, RoleStructure

SHOWN = 20  # the number of sentences shown of a list

COLOURS = {str(role): number for number, role in enumerate(Role)}
"""The colours of the general roles, as in the pictures of explanations."""

RIGHT = ' class="hs-n"'
TOO_LONG = "Too long to be drawn."


def tree_as_html(tree: DependencyTree) -> str:
    """Return a dependency tree as an HTML fragment: its words, and their relations as arcs."""
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
    rows = [(name, [(value, "")]) for name, value in facts.items()]
    return fragment(_table(caption, [], rows))


def figures_as_html(
    caption: str, heads: Sequence[str], rows: Iterable[Sequence[object]], notes: Iterable[str] = ()
) -> str:
    """Return rows of figures as an HTML table.

    Args:
        caption: The title of the table.
        heads: The names of the columns, the first that of the rows' names.
        rows: A name, then its figures.
        notes: Lines below the table.
    """
    kinds = ["", *[RIGHT] * (len(heads) - 1)]
    cells = [(name, [(figure, RIGHT) for figure in figures]) for name, *figures in rows]
    table = _table(caption, list(zip(heads, kinds, strict=True)), cells)
    return fragment(table + "".join(map(_note, notes)))


def escaped(text: object) -> str:
    """Escape text for HTML, and spell out characters that act on a page."""
    return escape(visible(str(text)))


def _note(text: str) -> str:
    return fill("facts.html", facts=escaped(text))


def _scroll(content: str, label: str) -> str:
    return fill("scroll.html", label=escaped(label), content=content)


def _table(
    caption: str,
    heads: Sequence[tuple[str, str]],
    rows: Iterable[tuple[object, Sequence[tuple[object, str]]]],
    kinds: Mapping[object, str] | None = None,
) -> str:
    """Return a table that scrolls if it is too wide. ``heads`` and cells have attributes; ``kinds``
    gives those of rows, by name.
    """
    lines = [
        fill(
            "display_row.html",
            kind=(kinds or {}).get(name, ""),
            name=escaped(name),
            cells="".join(
                fill("display_cell.html", kind=kind, text=escaped(text)) for text, kind in cells
            ),
        )
        for name, cells in rows
    ]
    names = (fill("display_head.html", kind=kind, text=escaped(head)) for head, kind in heads)
    table = fill(
        "display_table.html", caption=escaped(caption), heads="".join(names), rows="\n".join(lines)
    )
    return _scroll(table, caption)


def _tree(tree: DependencyTree, colours: Mapping[int, int] | None = None) -> str:
    drawn = tree_as_svg(tree, colours)
    return _scroll(drawn, "Dependencies") if drawn else _note(TOO_LONG)


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
    colours = {
        token: COLOURS[role]
        for role, filler in parsed.roles.items()
        for token in filler.tokens
        if role in COLOURS
    }
    return content + _tree(parsed.tree, colours)


def _frame(frame: Frame, tree: DependencyTree | None) -> str:
    rows = frame_rows(frame, tree)
    labelled = any(label for _, _, label in rows)
    heads = ["role", "phrase", *(["PropBank (VerbNet)"] if labelled else [])]
    caption = frame_heading(frame)
    return _table(
        caption,
        [(head, "") for head in heads],
        [(name, [(text, ""), *([(label, "")] if labelled else [])]) for name, text, label in rows],
        {str(role): f' class="hs-r{number}"' for role, number in COLOURS.items()},
    )
