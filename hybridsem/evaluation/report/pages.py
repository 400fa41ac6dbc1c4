"""HTML and Markdown pages from the files of ``templates/``, with all inserted values escaped."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from hybridsem._utils.extras import extra
from hybridsem.render.displays import escaped
from hybridsem.render.template_files import page
from hybridsem.render.wording import visible

FOLDER = Path(__file__).with_name("templates")
POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; {policy}; '
    "base-uri 'none'; form-action 'none'\">\n"
    '<meta name="referrer" content="no-referrer">\n'
)


def source(name: str) -> str:
    """Return a file of ``templates/`` unchanged, such as a style sheet."""
    return (FOLDER / name).read_text(encoding="utf-8")


def fill(
    template: str,
    title: str,
    script: str,
    style: str,
    *,
    classes: str = "",
    inline: bool = False,
    **values: Any,
) -> str:
    """Return a page whose content is a template, with its script and style.

    A policy allows no other script, and no other style unless ``inline``.
    """
    content: str = _environment().get_template(template).render(values)
    styles = "'unsafe-inline'" if inline else f"'sha256-{_hash(style)}'"
    policy = f"style-src {styles}; script-src 'sha256-{_hash(script)}'"
    head = POLICY.format(policy=policy)
    content += f"<script>{script}</script>"
    return page(escaped(title), content, style, head=head, classes=classes)


def fill_markdown(template: str, **values: Any) -> str:
    """Return a page of Markdown; inserted values cannot act as Markdown or HTML."""
    page: str = _environment(_inert).get_template(template).render(values)
    return page.rstrip("\n") + "\n"


def _inert(text: object) -> str:
    return re.sub(r"([\\`*_\[\]<>|#&])", r"\\\1", visible(str(text)))


@cache
def _environment(escape: Callable[[Any], str] = escaped) -> Any:
    with extra("Jinja2", "report"):
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def finalize(value: Any) -> Markup:
        return value if isinstance(value, Markup) else Markup(escape(value))

    return Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _hash(text: str) -> str:
    """Return the hash of a style or a script in a page's policy."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
