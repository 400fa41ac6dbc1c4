"""The page, the style sheets and the wording in ``templates/``."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from string import Template

from hybridsem.render.markup import Markup, decimal, tag


def fill(template: str, /, **values: object) -> str:
    """Return the template file with its ``$names`` replaced by values. Floats get one decimal;
    texts are already escaped.
    """
    shown = {name: decimal(v) if isinstance(v, float) else v for name, v in values.items()}
    return Template(text_of(template).removesuffix("\n")).substitute(shown)


def page(title: str, content: str, style: str, *, head: str = "") -> str:
    """Return a whole HTML page; ``head`` has more lines of its head, each with its end."""
    return fill("page.html", title=title, content=content, style=style, head=head) + "\n"


def fragment(content: str) -> str:
    """Return HTML for a notebook: the content with its style."""
    whole = tag("style", Markup(style())), Markup(content)
    return tag("div", *whole, class_="hs", style="padding:16px;border-radius:12px")


@cache
def style() -> str:
    """Return the style sheet of all forms."""
    return fill("explanation.css", dark=text_of("dark.css").strip()) + "\n"


@cache
def wording(section: str) -> dict[str, str]:
    """Return a section of ``wording.toml``."""
    content: dict[str, str] = tomllib.loads(text_of("wording.toml"))[section]
    return content


@cache
def text_of(name: str) -> str:
    """Return a file of ``templates/`` unchanged."""
    return (Path(__file__).parent / "templates" / name).read_text(encoding="utf-8")
