"""How an explanation is shown: a table for the terminal, a fragment for notebooks, a page and a
picture.

Everything that comes from a sentence is escaped, and characters that act on a terminal or a page
are spelled out.
"""

from hybridsem.render.html import as_html, as_page, as_svg
from hybridsem.render.text import as_terminal, as_text, parsed_as_text

__all__ = ["as_html", "as_page", "as_svg", "as_terminal", "as_text", "parsed_as_text"]
