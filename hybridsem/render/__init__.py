"""Display explanations: a table for the terminal, a fragment for notebooks, a page and a
picture. Notebooks also show parses, trees, graphs and tables.

Everything that comes from a sentence is escaped, and characters that act on a terminal or a page
are spelled out. Importing this registers the displays of all types (``hybridsem._utils.displays``).
"""

from __future__ import annotations

from hybridsem._utils import displays as registry
from hybridsem.amr import AmrGraph
from hybridsem.explanations import Explanation
from hybridsem.render.displays import (
    facts_as_html,
    figures_as_html,
    graph_as_html,
    parsed_as_html,
    parses_as_html,
    tree_as_html,
)
from hybridsem.render.html import as_html, as_page, as_section, as_svg
from hybridsem.render.summary import summary
from hybridsem.render.text import as_terminal, as_text, parsed_as_text
from hybridsem.structures import DependencyTree, ParseFailure, Parses, RoleStructure

__all__ = [
    "as_html",
    "as_page",
    "as_section",
    "as_svg",
    "as_terminal",
    "as_text",
    "facts_as_html",
    "figures_as_html",
    "graph_as_html",
    "parsed_as_html",
    "parsed_as_text",
    "parses_as_html",
    "summary",
    "tree_as_html",
]

registry.summary.register(Explanation, summary)
registry.as_text.register(Explanation, as_text)
registry.as_text.register(RoleStructure, parsed_as_text)
registry.as_html.register(Explanation, as_html)
registry.as_html.register(AmrGraph, graph_as_html)
registry.as_html.register(DependencyTree, tree_as_html)
registry.as_html.register(ParseFailure, parsed_as_html)
registry.as_html.register(Parses, parses_as_html)
registry.as_html.register(RoleStructure, parsed_as_html)
registry.as_html.register(registry.Facts, lambda table: facts_as_html(*table))
registry.as_html.register(registry.Figures, lambda table: figures_as_html(*table))
