"""Parts of the pages of reports: one skeleton, with the style of explanations and a script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from hybridsem import __version__
from hybridsem.render.markup import Markup, escaped, joined, tag
from hybridsem.render.template_files import page, style

FOLDER = Path(__file__).with_name("templates")
POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    "style-src {styles}; script-src 'sha256-{script}'; base-uri 'none'; form-action 'none'\">\n"
    '<meta name="referrer" content="no-referrer">\n'
)


def page_of(name: str, title: str, *content: object, is_styled: bool = False) -> str:
    """Return a page with the script and the style sheet of a name, after those of all pages.

    A policy allows no other script, and other styles only if the content ``is_styled``.
    """
    script = "(() => {\n" + _source("page.js") + _source(f"{name}.js") + "})();"
    sheet = style() + _source("page.css") + _source(f"{name}.css")
    styles = "'unsafe-inline'" if is_styled else f"'sha256-{_hash(sheet)}'"
    made = f"Made by hybridsem {__version__}. Nothing on this page is loaded from elsewhere."
    parts = (
        tag("a", "Skip to the table", class_="skip", href="#list"),
        tag("main", tag("h1", title), joined(content, "\n")),
        tag("footer", tag("p", made, class_="hs-facts")),
        tag("script", Markup(script)),
    )
    policy = POLICY.format(styles=styles, script=_hash(script))
    return page(escaped(title), joined(parts, "\n"), sheet, head=policy)


def _source(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def lead(*text: object) -> Markup:
    """Return an introductory paragraph."""
    return tag("p", *text, class_="lead")


def card(key: str, title: str, *content: object, kind: str = "") -> Markup:
    """Return a section with its title; ``key`` is its address."""
    named = tag("h2", title, id=f"{key}-title", tabindex=-1)
    kinds = f"hs-card {kind}".strip()
    return tag("section", named, *content, class_=kinds, id=key, aria_labelledby=f"{key}-title")


def filters(*fields: Markup) -> Markup:
    """Return a form of filters, which the script shows, with the count of what they leave."""
    reset = tag("button", "Show all", type="reset")
    count = tag("p", tag("output", id="count", role="status"), class_="count")
    return tag("form", *fields, reset, count, class_="filters", id="filters", hidden=True)


def field(label: str, key: str, kind: str, **attributes: object) -> Markup:
    """Return an input with its label."""
    return tag("label", f"{label} ", tag("input", id=key, type=kind, **attributes))


def choice(label: str, key: str, options: Mapping[str, str]) -> Markup:
    """Return a box of texts by value with its label."""
    shown = (tag("option", text, value=value) for value, text in options.items())
    return tag("label", f"{label} ", tag("select", *shown, id=key))


def disclosed(key: str, summary: Sequence[object], *content: object, back: str) -> Markup:
    """Return content under its summary, with an address and a way back."""
    link = tag("p", tag("a", "Back to the table", href=f"#{back}"))
    line = tag("summary", *summary)
    return tag("details", line, tag("div", *content, class_="in"), link, class_="why", id=key)
