"""The template files of HTML and SVG, in ``templates/``, and how they are filled."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template

__all__ = ["fill", "fragment", "style", "text_of"]


def fill(template: str, /, **values: object) -> str:
    """The template file of that name with its ``$names`` replaced; values are escaped already."""
    return _template(template).substitute(values)


def fragment(content: str) -> str:
    """What a notebook shows: the content, HTML, with the style that it needs."""
    return fill("fragment.html", style=style(), content=content)


@cache
def style() -> str:
    """The style sheet of all forms."""
    return fill("explanation.css", dark=text_of("dark.css").strip()) + "\n"


@cache
def _template(name: str) -> Template:
    return Template(text_of(name).removesuffix("\n"))


def text_of(name: str) -> str:
    """A file of ``templates/`` as it is."""
    return files("hybridsem.render").joinpath("templates", name).read_text(encoding="utf-8")
