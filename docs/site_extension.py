"""What the site adds to Sphinx, so that docstrings written for readers of the source look right there.

- The layout of a module's docstring is kept: what it indents is preformatted.
- A constant that a package takes from one of its modules is described as it is there.
- ``:class:`InputError``` means the class of that name, wherever in hybridsem it is; a role that names
  nothing is a warning.
- What libraries put into our classes is left out.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.util import logging

LOG = logging.getLogger(__name__)


def keep_layout(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Mark what a module's docstring indents as preformatted."""
    if what != "module":
        return
    kept: list[str] = []
    for line in lines:
        indented, after_blank = line.startswith(" "), not kept or not kept[-1].strip()
        if indented and after_blank and _last_text(kept)[:1] not in ("", " ", "-", "*", ":", ".", ">"):
            kept += ["::", ""]
        kept.append(line)
    lines[:] = kept


def _last_text(lines: list[str]) -> str:
    """The last line that is not blank."""
    return next((line for line in reversed(lines) if line.strip()), "")


def describe_constant(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Give a constant that a package has from one of its modules the text that it has there."""
    if what != "data":
        return
    package, _, constant = name.rpartition(".")
    for node in ast.parse(inspect.getsource(importlib.import_module(package))).body:
        if isinstance(node, ast.ImportFrom) and constant in [alias.name for alias in node.names]:
            docs = ModuleAnalyzer.for_module(str(node.module)).find_attr_docs()
            lines[:] = docs.get(("", constant), lines)


def leave_out(app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Leave out methods that scikit-learn makes."""
    made_by = getattr(obj, "__module__", None) or getattr(type(obj), "__module__", "")
    return True if made_by.startswith("sklearn.") else None


def find_reference(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.Element
) -> nodes.Element | None:
    """Resolve a role that names something of hybridsem without saying where it is."""
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"]
    last = target.rpartition(".")[2]
    domain = env.domains.python_domain
    found = {
        entry.docname + entry.node_id: (name, entry)
        for name, entry in domain.objects.items()
        if name == target or name.endswith(f".{target}")
    }
    if len(found) == 1:
        ((name, entry),) = found.values()
        return _link(app, node["refdoc"], entry, text, name)
    return None


def _link(app: Sphinx, docname: str, entry: Any, text: nodes.Element, title: str) -> nodes.Element:
    from sphinx.util.nodes import make_refnode

    return make_refnode(app.builder, docname, entry.docname, entry.node_id, text, title)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect all of the above."""
    app.connect("autodoc-process-docstring", keep_layout, priority=400)
    app.connect("autodoc-process-docstring", describe_constant, priority=400)
    app.connect("autodoc-skip-member", leave_out)
    app.connect("missing-reference", find_reference)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
