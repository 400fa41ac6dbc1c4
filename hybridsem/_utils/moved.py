"""Modules that version 0.1.0 had elsewhere: their old names still import, with a warning."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["MOVED", "find_moved_modules", "moved_names"]

MOVED: Mapping[str, str] = {
    "evaluation.analogies.build": "corpora.analogies.build",
    "evaluation.analogies.candidates": "corpora.analogies.distractors",
    "evaluation.analogies.changes": "corpora.analogies.word_changes",
    "evaluation.analogies.comparing": "evaluation.analogies.answered_questions",
    "evaluation.analogies.files": "datasets.analogy_files",
    "evaluation.analogies.items": "datasets.analogies",
    "evaluation.analogies.lexical": "corpora.analogies.lexical",
    "evaluation.analogies.relations": "corpora.analogies.relations",
    "evaluation.analogies.report": "corpora.analogies.manifest",
    "evaluation.analogies.roles": "evaluation.analogies.role_edits",
    "evaluation.analogies.sources": "corpora.analogies.sources",
    "evaluation.compare": "evaluation.report.compare",
    "evaluation.pair_types": "evaluation.sts.pair_types",
    "evaluation.plots": "evaluation.report.plots",
    "evaluation.rated": "datasets.rated_pairs",
    "evaluation.reliability": "datasets.raters",
    "evaluation.sage.comparing": "evaluation.sage.document_values",
    "evaluation.sage.models": "evaluation.sage.document_models",
    "evaluation.sage.task": "evaluation.sage.template",
    "evaluation.setops.build": "corpora.set_operations.build",
    "evaluation.setops.chat": "corpora.set_operations.chat",
    "evaluation.setops.comparing": "evaluation.setops.epsilon_grid",
    "evaluation.setops.joining": "corpora.set_operations.joining",
    "evaluation.setops.roles": "evaluation.setops.role_retention",
    "evaluation.setops.samples": "datasets.set_operations",
    "evaluation.setops.sheets": "corpora.set_operations.sheets",
    "evaluation.sts_files": "datasets.sts_files",
    "evaluation.subject": "evaluation.model",
    "evaluation.tables": "evaluation.report.tables",
    "frames": "combiners.frames",
    "fusion": "combiners.role_swaps",
    "learned.models": "learned.fitted",
    "parsers.amr_embedded": "parsers.amr_rules.parser",
    "parsers.amrlib": "parsers.foreign.amrlib",
    "parsers.clearnlp": "parsers.trees.clearnlp",
    "parsers.conll2012": "parsers.foreign.conll2012",
    "parsers.conllu": "parsers.trees.conllu",
    "parsers.dependency": "parsers.trees.dependency",
    "parsers.embedded": "parsers.trees.embedded",
    "parsers.over_trees": "parsers.base",
    "parsers.penman": "parsers.foreign.penman",
    "parsers.precomputed": "parsers.foreign.precomputed",
    "parsers.propbank": "parsers.srl.propbank",
    "parsers.semantic_roles": "parsers.srl.labeller",
    "parsers.semparse": "parsers.foreign.semparse",
    "parsers.spacy": "parsers.trees.spacy",
    "parsers.spacy_roles": "parsers.foreign.spacy_roles",
    "parsers.tokenise": "english.tokenise",
    "paths": "combiners.paths",
    "registry.roles": "registry.structure_models",
    "slots": "combiners.slots",
}
"""Old name -> new name, both without the package's own."""


def find_moved_modules() -> None:
    """Let the old names be imported; they are asked for only where no module has the name."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())


def moved_names(module: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """A ``__getattr__`` for ``module``, some of whose names have moved: each name's module,
    with ``:`` and its new name where that is another.
    """

    def getattr_(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, _, new = homes[name].partition(":")
        _warn(f"{module}.{name}", f"{home}.{new or name}", stacklevel=2)
        return getattr(import_module(home), new or name)

    return getattr_


def _warn(old: str, new: str, stacklevel: int) -> None:
    message = f"{old} has moved; import {new}"
    warnings.warn(message, DeprecationWarning, stacklevel=stacklevel + 1)


# Importing importlib.abc takes longer than all of hybridsem.
if TYPE_CHECKING:
    from importlib.abc import Loader
else:
    Loader = object


class _Finder:
    """Finds the modules of :data:`MOVED`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.partition(".")
        if package != "hybridsem" or name not in MOVED:
            return None
        return ModuleSpec(fullname, _Alias(f"{package}.{MOVED[name]}"))


class _Alias(Loader):
    """Puts a module in the place of its old name."""

    def __init__(self, new: str) -> None:
        self.new = new

    def create_module(self, spec: ModuleSpec) -> None:
        return None  # the usual empty one, which exec_module replaces

    def exec_module(self, module: ModuleType) -> None:
        _warn(module.__name__, self.new, stacklevel=2)
        sys.modules[module.__name__] = import_module(self.new)
