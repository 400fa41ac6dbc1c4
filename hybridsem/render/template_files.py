"""The HTML and SVG templates in ``templates/``."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any


def fill(template: str, /, **values: object) -> str:
    """Fill the template file: replace its ``$names`` by values: floats get one decimal, texts are
    escaped already.
    """
    shown = {
        name: f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else value
        for name, value in values.items()
    }
    return _template(template).substitute(shown)


def fragment(content: str) -> str:
    """The HTML that a notebook shows: the content, with the style that it needs."""
    return fill("fragment.html", style=style(), content=content)


def drawing(parts: Iterable[str], width: float, height: float, title: str) -> str:
    """An ``<svg>`` element without style.

    Args:
        parts: The elements.
        width: Of the drawing, pixels.
        height: Likewise.
        title: In words, not escaped.
    """
    return fill(
        "graph.svg",
        width=width,
        height=height,
        shown_width=f"{width:.0f}",
        shown_height=f"{height:.0f}",
        title=escape(title),
        content="\n".join(parts),
    )


@cache
def style() -> str:
    """The style sheet of all forms."""
    return fill("explanation.css", dark=text_of("dark.css").strip()) + "\n"


@cache
def wording(section: str) -> dict[str, Any]:
    """A section of ``wording.toml``."""
    content: dict[str, Any] = tomllib.loads(text_of("wording.toml"))[section]
    return content


@cache
def _template(name: str) -> Template:
    return Template(text_of(name).removesuffix("\n"))


def text_of(name: str) -> str:
    """A file of ``templates/`` as it is."""
    return files("hybridsem.render").joinpath("templates", name).read_text(encoding="utf-8")
