"""Parsers by name, by ``kind:argument``, or given as an object.

    parser("embedded", "amr")                 the embedded trees, read as the formalism asks
    parser("spacy:en_core_web_sm", "verbnet") a kind of parser, what to build it of
    parser("penman:graphs.txt", "amr")        graphs that are there already

A kind gives trees, graphs or role structures; trees and graphs become structures here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError
from hybridsem.parsers.base import TreeParser
from hybridsem.registry.parts import Parser, argument_of, given, kinds, late

if TYPE_CHECKING:
    from hybridsem.parsers.amr import GraphParser

Shared = EmbeddedEncoder | None
"""The embedded encoder that a pipeline's parts share."""


@dataclass(frozen=True)
class ParserKind:
    """A kind of parser: how it is built of what stands after the colon, and what it gives.

    ``build`` imports what it needs when it is called. ``form`` shows how the kind is written,
    ``example`` an argument as well; where the example has no colon, the kind stands alone too.
    ``verbnet_only`` is for what gives VerbNet-style roles and nothing else.
    """

    build: Callable[[str, Shared], Any]
    form: str
    example: str
    gives: Literal["trees", "graphs", "roles"]
    verbnet_only: bool = False


def parser(part: Any, formalism: str, shared: Shared = None) -> Parser:
    """A parser by name, or the object given. ``part``: ``embedded``, a name of
    :data:`hybridsem.registry.parsers.KINDS`, or an object with ``parse``. One with ``trees`` or
    ``graphs`` and no ``parse`` gives what the roles are read from; so does a ``Language`` of spaCy,
    or a mapping from sentences to AMR graphs; ``formalism``: what its structures are, such as
    ``verbnet``, ``dependency`` or ``amr``; ``shared``: the encoder on whose pass the embedded
    parser runs; None: its own. Raises :class:`InputError` (a name that nothing has, an object
    without these methods, or a parser that does not give the formalism).

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
    elif not isinstance(part, (type, Parser)):
        from hybridsem.parsers.amr import GraphParser

        if isinstance(part, Mapping):
            from hybridsem.parsers.adapters.penman import PenmanGraphs

            part = PenmanGraphs(part)
        elif hasattr(part, "pipe_labels"):  # a Language, known without importing spaCy
            part = KINDS["spacy"].build(part, shared)
        if isinstance(part, GraphParser):
            return _over_graphs(part, formalism, "the graphs given")
        if isinstance(part, TreeParser):
            return _over_trees(part, formalism)
    known = ["embedded", *(kind.form for kind in KINDS.values()), "verbnet:tables"]
    found: Parser = given("parser", part, Parser, sorted(known))
    return found


def _of_kind(kind: ParserKind, part: str, argument: str, formalism: str, shared: Shared) -> Parser:
    if kind.verbnet_only and formalism != "verbnet":
        raise InputError(
            f"{part!r} gives VerbNet-style roles, and this model reads {formalism} structures"
        )
    built = kind.build(
        argument_of(part, argument, kind.example) if ":" in kind.example else argument, shared
    )
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


_BUILD: Mapping[str, Callable[[str, Shared], Any]] = {
    "verbnet": _verbnet,
    "precomputed": _precomputed,
}


def _kind(name: str, row: Mapping[str, Any]) -> ParserKind:
    build, only = _BUILD.get(name) or late(row), row.get("verbnet_only", False)
    return ParserKind(build, row["form"], row["example"], row["gives"], only)


KINDS: Mapping[str, ParserKind] = {name: _kind(name, row) for name, row in kinds("parsers").items()}
