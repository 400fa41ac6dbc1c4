"""Elements of HTML and SVG. Texts are escaped here, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from hybridsem._utils.terminal import visible

_EMPTY = {"input": ">", "rect": "/>", "path": "/>"}  # the ends of elements without content


class Markup(str):
    """A text that is HTML or SVG, and not to be escaped."""

    __slots__ = ()


def escaped(value: object) -> Markup:
    """Return a text for a page: escaped, with characters that act on a page spelled out.

    >>> escaped("a < b"), escaped(Markup("<b>"))
    ('a &lt; b', '<b>')
    """
    return value if isinstance(value, Markup) else Markup(escape(visible(str(value))))


def joined(parts: Iterable[object], between: str = "") -> Markup:
    """Return parts of a page one after the other."""
    return Markup(escaped(between).join(map(escaped, parts)))


def decimal(number: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")


def tag(name: str, /, *content: object, **attributes: object) -> Markup:
    """Return an element. In names of attributes ``_`` is ``-``, and none at the end; one that is
    None or False is left out, and True has no value. A content of None is left out.

    >>> tag("td", "a & b", class_="hs-n", colspan=2, data_value=None)
    '<td class="hs-n" colspan="2">a &amp; b</td>'
    """
    named = []
    for attribute, value in attributes.items():
        if value is None or value is False:
            continue
        shown = decimal(value) if isinstance(value, float) else value
        written = "" if value is True else f'="{escaped(shown)}"'
        named.append(f" {attribute.rstrip('_').replace('_', '-')}{written}")
    inside = joined(part for part in content if part is not None)
    end = _EMPTY.get(name) or f">{inside}</{name}>"
    return Markup(f"<{name}{''.join(named)}{end}")


def head(text: object, kind: str | None = None, /, **attributes: object) -> Markup:
    """Return the head of a column."""
    return tag("th", text, scope="col", class_=kind, **attributes)


def row(name: object, cells: Iterable[object], kind: str | None = None, **of_row: object) -> Markup:
    """Return a row that begins with its name. Cells that are texts have the class ``kind``."""
    whole = (one if isinstance(one, Markup) else tag("td", one, class_=kind) for one in cells)
    return tag("tr", tag("th", name, scope="row"), *whole, **of_row)


def table(
    heads: Sequence[object],
    rows: Iterable[Markup],
    /,
    *more: Markup,
    caption: object = None,
    **attributes: object,
) -> Markup:
    """Return a table. Heads that are texts are wrapped; ``more`` follows its body."""
    whole = (one if isinstance(one, Markup) else head(one) for one in heads)
    named = None if caption is None else tag("caption", caption)
    body = tag("thead", tag("tr", *whole)), tag("tbody", joined(rows, "\n"))
    return tag("table", named, *body, *more, **attributes)


def scrolling(content: Markup, label: str) -> Markup:
    """Return content that scrolls within itself where it is too wide."""
    return tag("div", content, class_="hs-scroll", tabindex=0, role="group", aria_label=label)
