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
from hybridsem.render.wording import visible

FOLDER = Path(__file__).with_name("templates")


def source(name: str) -> str:
    """Return a file of ``templates/`` unchanged, such as a style sheet."""
    return (FOLDER / name).read_text(encoding="utf-8")


def fill(template: str, script: str, style: str, **values: Any) -> str:
    """Return a page from a template with its script and style; a policy allows no others."""
    environment = _environment()
    from markupsafe import Markup

    page: str = environment.get_template(template).render(
        values,
        script=Markup(script),
        script_hash=_hash(script),
        style=Markup(style),
        style_hash=_hash(style),
    )
    return page + "\n"


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
