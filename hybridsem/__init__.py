"""Sentence similarity that reads structure.

>>> from hybridsem import Pipeline
>>> round(Pipeline().similarity("A cat sat on the mat.", "A cat sat on the mat."), 6)
1.0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hybridsem._utils import displays
from hybridsem._version import __version__ as __version__

if TYPE_CHECKING:
    from hybridsem.errors import HybridSemError
    from hybridsem.explanations import Explanation
    from hybridsem.pipeline import Pipeline
    from hybridsem.registry.plugins import register
    from hybridsem.structures import ParseFailure, Role, RoleStructure

__all__ = [
    "Explanation",
    "HybridSemError",
    "ParseFailure",
    "Pipeline",
    "Role",
    "RoleStructure",
    "register",
]

_HOME = {
    "HybridSemError": "hybridsem.errors",
    "Pipeline": "hybridsem.pipeline",
    "register": "hybridsem.registry.plugins",
    "Explanation": "hybridsem.explanations",
    **dict.fromkeys(("ParseFailure", "Role", "RoleStructure"), "hybridsem.structures"),
}

displays.load_with(lambda: import_module("hybridsem.render"))


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``import hybridsem`` stays light."""
    if name not in _HOME:
        raise AttributeError(f"module 'hybridsem' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
