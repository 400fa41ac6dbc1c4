"""Parsers by name, by ``kind:argument``, or given as an object.

    parser("embedded", "amr")                 the embedded trees, read as the formalism asks
    parser("spacy:en_core_web_sm", "verbnet") a kind of parser with its argument
    parser("penman:graphs.txt", "amr")        existing graphs

A kind returns trees, graphs or role structures; trees and graphs become structures here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError
from hybridsem.parsers.adapters.precomputed import PrecomputedParser
from hybridsem.parsers.amr import AmrParser, GraphParser
from hybridsem.parsers.base import TreeParser
from hybridsem.parsers.trees.dependency import DependencyParser
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.parsers.verbnet.rules import VerbNetParser
from hybridsem.registry.parts import Kind, Parser, given, imported, kinds
from hybridsem.registry.plugins import plugins

Shared = EmbeddedEncoder | None
"""The embedded encoder that a pipeline's parts share."""


def parser(part: object, formalism: str, shared: Shared = None) -> Parser:
    """Return a parser by name, or the object given. ``part`` is ``embedded``, a name of
    :data:`hybridsem.registry.parsers.KINDS`, or an object with ``parse``; of an object with
    ``trees`` or ``graphs`` alone, a ``Language`` of spaCy, or a mapping from sentences to AMR
    graphs, the structures are read. ``formalism`` is ``verbnet``, ``dependency`` or ``amr``;
    ``shared`` the encoder of the embedded parser. Raises :class:`InputError` for an unknown name,
    an object without these methods, or a parser without the formalism.

    >>> (found,) = parser("verbnet", "verbnet").parse(["A dog barked."])
    >>> found.main.predicate
    'bark'
    """
    made: Any = part
    if part is None or part == "embedded":
        made = EmbeddedTrees(shared)
    elif isinstance(part, str):
        name, _, argument = part.partition(":")
        if (kind := KINDS.get(name)) is not None:
            if kind.verbnet_only and formalism != "verbnet":
                raise InputError(
                    f"{part!r} gives VerbNet-style roles, and this model reads {formalism} "
                    "structures"
                )
            made = kind.made(part, argument, shared)
        elif (plugin := plugins("parser").get(name)) is not None:
            made = plugin.made(argument)
    if not isinstance(made, (str, type, Parser)):
        if isinstance(made, Mapping):
            made = imported("parsers.adapters.penman:PenmanGraphs")(made)
        elif hasattr(made, "pipe_labels"):  # a Language, without importing spaCy
            made = KINDS["spacy"].build(made)
        if hasattr(made, "graphs"):
            return _over_graphs(made, formalism, part)
        if isinstance(made, TreeParser):
            if formalism == "amr":
                return AmrParser(imported("parsers.amr_rules.parser:EmbeddedAmr")(made))
            return {"verbnet": VerbNetParser, "dependency": DependencyParser}[formalism](made)
    forms = (kind.form for kind in KINDS.values())
    known = sorted(["embedded", *forms, "verbnet:tables", *plugins("parser")])
    found: Parser = given("parser", made, Parser, known)
    return found


def _over_graphs(graphs: GraphParser, formalism: str, part: object) -> Parser:
    if formalism != "amr":
        shown = repr(part) if isinstance(part, str) else "a parser of graphs"
        raise InputError(
            f"{shown} gives AMR graphs, and this model reads {formalism} structures; take an "
            "amr- model"
        )
    return AmrParser(graphs)


def _verbnet(argument: str, shared: Shared) -> TreeParser:
    if argument not in ("", "tables"):
        raise InputError(
            f"VerbNet-style roles are learned or by tables, got {f'verbnet:{argument}'!r}; write "
            "verbnet or verbnet:tables"
        )
    labelled = imported("parsers.srl.labeller:labelled_trees")
    trees: TreeParser = EmbeddedTrees(shared) if argument else labelled(shared)
    return trees


def _precomputed(argument: str, _: Shared) -> Parser:
    roles, comma, pairs = argument.partition(",")
    if not comma:
        raise InputError(
            f"precomputed needs two files, got {f'precomputed:{argument}'!r}; write "
            "precomputed:roles.json,pairs.txt"
        )
    return PrecomputedParser.from_release(roles, pairs)


KINDS: Mapping[str, Kind] = kinds("parsers", {"verbnet": _verbnet, "precomputed": _precomputed})
