"""Display explanations: a table for the terminal, a fragment for notebooks, a page and a
picture. Notebooks also show parses, trees, graphs and tables.

Everything that comes from a sentence is escaped, and characters that act on a terminal or a page
are spelled out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hybridsem.render.summary import summary
from hybridsem.render.text import as_terminal, as_text, parsed_as_text

if TYPE_CHECKING:
    from hybridsem.render.displays import (
        facts_as_html,
        figures_as_html,
        graph_as_html,
        parsed_as_html,
        parses_as_html,
        tree_as_html,
    )
    from hybridsem.render.html import as_html, as_page, as_section, as_svg

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


def __getattr__(name: str) -> Any:
    """Import what makes pages and pictures when it is first used; a comparison needs only texts."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hybridsem.render import displays, html

    return getattr(html if hasattr(html, name) else displays, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
