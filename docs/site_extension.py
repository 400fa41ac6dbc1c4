"""What the site adds to Sphinx, so that docstrings written for readers of the source look right.

- The layout of a module's docstring is kept: what it indents, or sets in columns.
- A constant that a package takes from one of its modules is described as it is there.
- ``:class:`InputError``` means the class of that name, wherever in hybridsem it is; a role that
  names nothing is a warning.
- What libraries put into our classes is left out.
- The pages of figures are written from the result cards (``make_results.py``).
- What an accessibility check finds in the pages that Sphinx and the theme make is mended.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import operator
import pkgutil
import pydoc
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from docutils import nodes
from make_results import write_pages
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.util import logging
from sphinx.util.nodes import make_refnode

import hybridsem

LOG = logging.getLogger(__name__)


def keep_layout(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Mark what a module's docstring indents as preformatted."""
    if what != "module":
        return
    kept: list[str] = []
    for paragraph in "\n".join(lines).split("\n\n"):
        said = paragraph.split("\n")
        if said[0].startswith(" ") or re.search(r"\S {3,}\S", paragraph):  # columns
            kept += ["::", "", *(f"    {line}" for line in said), ""]
        else:
            kept += [*said, ""]
    lines[:] = kept


def add_title(app: Sphinx, docname: str, source: list[str]) -> None:
    """Give a table that a command wrote a title."""
    if docname.endswith("analogies/comparison"):
        source[0] = f"# Analogies: all models\n\n{source[0]}"


def describe_constants(app: Sphinx) -> None:
    """Give constants that a package takes from its modules the text that they have there."""
    for found in pkgutil.iter_modules(hybridsem.__path__, "hybridsem."):
        if not found.ispkg:
            continue
        package = ModuleAnalyzer.for_module(found.name)
        package.analyze()
        for node in ast.parse(package.code).body:
            if not isinstance(node, ast.ImportFrom) or not str(node.module).startswith("hybridsem"):
                continue
            docs = ModuleAnalyzer.for_module(str(node.module)).find_attr_docs()
            for key in (("", alias.name) for alias in node.names):
                if key in docs:
                    package.attr_docs[key] = docs[key]


def leave_out(app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Leave out methods that scikit-learn makes."""
    made_by = getattr(obj, "__module__", None) or getattr(type(obj), "__module__", "")
    return True if str(made_by).startswith("sklearn.") else None


def find_reference(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.Element
) -> nodes.Element | None:
    """Resolve a role or annotation that names something of hybridsem without its module."""
    if node.get("refdomain") != "py":
        return None
    target = str(node["reftarget"])
    value = pydoc.locate(target) if "." in target else None
    wanted = {target, getattr(value, "__qualname__", target)}
    places = {
        (entry.docname, entry.node_id): name
        for name, entry in env.domains.python_domain.objects.items()
        if any(f".{name}".endswith(f".{end}") for end in wanted)
    }
    if len(places) == 1:
        (((docname, place), name),) = places.items()
        return make_refnode(app.builder, node["refdoc"], docname, place, text, name)
    if "refwarn" in node and not _exists(target, node.get("py:module"), node.get("py:class")):
        LOG.warning("nothing is called %r", target, location=node)
    return None


def _exists(target: str, module: str | None, class_name: str | None) -> bool:
    """Whether a role names something that there is, though the site does not describe it."""
    if hasattr(builtins, target):
        return True
    homes = [importlib.import_module(module)] if module else []
    if homes and class_name:
        homes.append(operator.attrgetter(class_name)(homes[0]))
        homes.append(sys.modules[homes[1].__module__])
    for home in homes:
        with suppress(AttributeError):
            operator.attrgetter(target)(home)
            return True
    return pydoc.locate(target) is not None


MENDED = (
    # An ellipsis that a doctest needs is none of the number.
    (re.compile(r'(<span class="go">[^<]*\d)\.\.\.'), r"\1…"),
    # A header cell without text is no header.
    (re.compile(r'<th(?: class="[^"]*")?\s*>(?:<p></p>|&nbsp;)?</th>'), "<td></td>"),
    # What can be opened is called what it shows.
    (re.compile(r'<summary aria-label="Toggle hidden content">'), "<summary>"),
    # What scrolls can be reached with the keyboard.
    (re.compile(r"<pre>"), '<pre tabindex="0">'),
    (
        re.compile(r'<div class="table-wrapper ([^"]*)">'),
        r'<div class="table-wrapper \1" role="group" aria-label="Table" tabindex="0">',
    ),
    # Parameters are a list without terms.
    (
        re.compile(r'<dl>\s*((?:<dd><em class="sig-param">.*?</dd>\s*|<dd>[*/].*?</dd>\s*)+)</dl>'),
        lambda found: (
            '<ul class="sig-params">'
            + found[1].replace("<dd>", "<li>").replace("</dd>", "</li>")
            + "</ul>"
        ),
    ),
    # A heading says of which level it is.
    (
        re.compile(r'<p class="caption" role="heading">'),
        '<p class="caption" role="heading" aria-level="2">',
    ),
    # Landmarks of one kind have names.
    (
        re.compile(r'<aside class="sidebar-drawer">'),
        '<aside class="sidebar-drawer" aria-label="Site">',
    ),
    (
        re.compile(r'<aside class="(toc-drawer[^"]*)">'),
        r'<aside class="\1" aria-label="On this page">',
    ),
)


def mend_pages(app: Sphinx, error: Exception | None) -> None:
    """Change in the finished pages what would keep a reader from them."""
    if error is not None or app.builder.name != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        mended = text
        for pattern, by in MENDED:
            mended = pattern.sub(by, mended)
        if mended != text:
            page.write_text(mended, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect all of the above."""
    app.connect("source-read", add_title)
    app.connect("autodoc-process-docstring", keep_layout, priority=400)
    app.connect("builder-inited", lambda app: write_pages())
    app.connect("builder-inited", describe_constants)
    app.connect("autodoc-skip-member", leave_out)
    app.connect("missing-reference", find_reference)
    app.connect("build-finished", mend_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
