"""Parsers by name, by ``kind:argument``, or given as an object.

    parser("embedded", "amr")                 the embedded trees, read as the formalism asks
    parser("spacy:en_core_web_sm", "verbnet") a kind of parser with its argument
    parser("penman:graphs.txt", "amr")        existing graphs

A kind returns trees, graphs or role structures; trees and graphs become structures here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError
from hybridsem.parsers.base import TreeParser
from hybridsem.registry.parts import Parser, argument_of, given, kinds, late
from hybridsem.registry.plugins import plugins

if TYPE_CHECKING:
    from hybridsem.parsers.amr import GraphParser

Shared = EmbeddedEncoder | None
"""The embedded encoder that a pipeline's parts share."""


@dataclass(frozen=True)
class ParserKind:
    """A kind of parser: ``build`` makes it from the text after the colon and imports what it needs
    when called. ``form`` shows the notation, ``example`` an argument too; without a colon in it,
    the kind needs no argument. ``verbnet_only`` marks kinds with VerbNet-style roles alone.
    """

    build: Callable[[str, Shared], Any]
    form: str
    example: str
    gives: Literal["trees", "graphs", "roles"]
    verbnet_only: bool = False


def parser(part: Any, formalism: str, shared: Shared = None) -> Parser:
    """Return a parser by name, or the object given.

    ``part`` is ``embedded``, a name of :data:`hybridsem.registry.parsers.KINDS`, or an object with
    ``parse``; of an object with ``trees`` or ``graphs`` alone, a ``Language`` of spaCy, or a
    mapping from sentences to AMR graphs, the structures are read. ``formalism`` is ``verbnet``,
    ``dependency`` or ``amr``; ``shared`` the encoder of the embedded parser. Raises
    :class:`InputError` for an unknown name, an object without these methods, or a parser without
    the formalism.

    >>> (found,) = parser("verbnet", "verbnet").parse(["A dog barked."])
    >>> found.main.predicate
    'bark'
    """
    if part is None or part == "embedded":
        return _over_trees(_embedded("", shared), formalism)
    if isinstance(part, str):
        name, _, argument = part.partition(":")
        if (kind := KINDS.get(name)) is not None:
            return _of_kind(kind, part, argument, formalism, shared)
        if (plugin := plugins("parser").get(name)) is not None:
            return parser(plugin.made(argument), formalism, shared)
    elif not isinstance(part, (type, Parser)):
        from hybridsem.parsers.amr import GraphParser

        if isinstance(part, Mapping):
            from hybridsem.parsers.adapters.penman import PenmanGraphs

            part = PenmanGraphs(part)
        elif hasattr(part, "pipe_labels"):  # a Language, without importing spaCy
            part = KINDS["spacy"].build(part, shared)
        if isinstance(part, GraphParser):
            return _over_graphs(part, formalism, "the graphs given")
        if isinstance(part, TreeParser):
            return _over_trees(part, formalism)
    forms = (kind.form for kind in KINDS.values())
    known = sorted(["embedded", *forms, "verbnet:tables", *plugins("parser")])
    found: Parser = given("parser", part, Parser, known)
    return found


def _of_kind(kind: ParserKind, part: str, argument: str, formalism: str, shared: Shared) -> Parser:
    if kind.verbnet_only and formalism != "verbnet":
        raise InputError(
            f"{part!r} gives VerbNet-style roles, and this model reads {formalism} structures"
        )
    if ":" in kind.example:
        argument = argument_of(part, argument, kind.example)
    built = kind.build(argument, shared)
    if kind.gives == "trees":
        return _over_trees(built, formalism)
    if kind.gives == "graphs":
        return _over_graphs(built, formalism, part)
    roles: Parser = built
    return roles


def _over_graphs(graphs: GraphParser, formalism: str, part: object) -> Parser:
    if formalism != "amr":
        raise InputError(
            f"{part!r} gives AMR graphs, and this model reads {formalism} structures; take an "
            "amr- model"
        )
    from hybridsem.parsers.amr import AmrParser

    return AmrParser(graphs)


def _over_trees(trees: TreeParser, formalism: str) -> Parser:
    if formalism == "amr":
        from hybridsem.parsers.amr import AmrParser
        from hybridsem.parsers.amr_rules.parser import EmbeddedAmr

        return AmrParser(EmbeddedAmr(trees))
    from hybridsem.parsers.trees.dependency import DependencyParser
    from hybridsem.parsers.verbnet.rules import VerbNetParser

    return {"verbnet": VerbNetParser, "dependency": DependencyParser}[formalism](trees)


def _embedded(argument: str, shared: Shared) -> TreeParser:
    from hybridsem.parsers.trees.embedded import EmbeddedTrees

    return EmbeddedTrees(shared)


def _verbnet(argument: str, shared: Shared) -> TreeParser:
    from hybridsem.parsers.srl.labeller import labelled_trees

    if argument not in ("", "tables"):
        raise InputError(
            f"VerbNet-style roles are learned or by tables, got {f'verbnet:{argument}'!r}; write "
            "verbnet or verbnet:tables"
        )
    return _embedded("", shared) if argument else labelled_trees(shared)


def _precomputed(argument: str, shared: Shared) -> Parser:
    from hybridsem.parsers.adapters.precomputed import PrecomputedParser

    roles, comma, pairs = argument.partition(",")
    if not comma:
        raise InputError(
            f"precomputed needs two files, got {f'precomputed:{argument}'!r}; write "
            "precomputed:roles.json,pairs.txt"
        )
    return PrecomputedParser.from_release(roles, pairs)


FIELDS = ("form", "example", "gives", "verbnet_only")
_BUILD = {"verbnet": _verbnet, "precomputed": _precomputed}


KINDS: Mapping[str, ParserKind] = {
    name: ParserKind(
        _BUILD.get(name) or late(row), **{key: row[key] for key in row if key in FIELDS}
    )
    for name, row in kinds("parsers").items()
}
