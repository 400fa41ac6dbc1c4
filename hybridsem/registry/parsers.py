"""Parsers by name."""

from __future__ import annotations

from typing import Any

from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError
from hybridsem.registry._parts import argument_of, given
from hybridsem.registry.protocols import Parser

__all__ = ["parser"]


def parser(part: str | Parser | None, formalism: str, shared: EmbeddedEncoder | None) -> Any:
    """A parser for ``formalism`` by name, or the object given.

    ``embedded``, ``spacy:NAME`` (any spaCy pipeline), and ``precomputed:ROLES.json,PAIRS.txt`` (the files of the STS3k
    release). An object that has ``trees`` and no ``parse`` gives the trees from which roles are read.
    """
    if not isinstance(part, (str, type)) and hasattr(part, "trees") and not hasattr(part, "parse"):
        return _over_trees(part, formalism)
    if part is None or part == "embedded":
        from hybridsem.parsers.embedded import EmbeddedTrees

        return _over_trees(EmbeddedTrees(shared), formalism)
    kind, _, argument = part.partition(":") if isinstance(part, str) else ("", "", "")
    if kind == "spacy":
        from hybridsem.parsers.spacy import SpacyTrees

        return _over_trees(SpacyTrees(argument_of(part, argument, "spacy:en_core_web_sm")), formalism)
    if kind == "precomputed":
        from hybridsem.parsers.precomputed import PrecomputedParser

        if formalism != "verbnet":
            raise InputError(f"{part!r} gives VerbNet-style roles, and this model reads {formalism} structures")
        roles, comma, pairs = argument_of(part, argument, "precomputed:roles.json,pairs.txt").partition(",")
        if not comma:
            raise InputError(f"precomputed needs two files, got {part!r}; write precomputed:roles.json,pairs.txt")
        return PrecomputedParser.from_release(roles, pairs)
    return given("parser", part, Parser, {"embedded", "precomputed:ROLES,PAIRS", "spacy:NAME"})


def _over_trees(trees: Any, formalism: str) -> Any:
    from hybridsem.parsers.dependency import DependencyParser
    from hybridsem.parsers.verbnet import VerbNetParser

    return {"verbnet": VerbNetParser, "dependency": DependencyParser}[formalism](trees)
