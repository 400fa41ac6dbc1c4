"""Parsers by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError
from hybridsem.registry._parts import argument_of, given, options_of
from hybridsem.registry.protocols import Parser

__all__ = ["parser"]


def parser(part: Any, formalism: str, shared: EmbeddedEncoder | None) -> Any:
    """A parser for ``formalism`` by name, or the object given.

    ``embedded``, ``verbnet`` (its trees with learned semantic roles, the tables where those say
    nothing) and ``verbnet:tables`` (the tables alone), ``spacy:NAME`` (any spaCy pipeline),
    ``precomputed:ROLES.json,PAIRS.txt`` (the files of the STS3k release), ``conll2012:FILE``
    (semantic roles in columns), ``semparse:URL`` (the service of SemParse), ``spacy-roles:NAME`` (a
    spaCy pipeline's span group of roles), and for AMR ``penman:FILE`` (graphs that are there
    already) and ``amrlib:FOLDER`` (a model of amrlib). An object that has ``trees`` or ``graphs``
    and no ``parse`` gives what the roles are read from; so does a mapping from sentences to AMR
    graphs.
    """
    if not isinstance(part, (str, type)) and not hasattr(part, "parse"):
        if isinstance(part, Mapping):
            from hybridsem.parsers.foreign.penman import PenmanGraphs

            part = PenmanGraphs(part)
        if hasattr(part, "graphs"):
            return _over_graphs(part, formalism, "the graphs given")
        if hasattr(part, "trees"):
            return _over_trees(part, formalism)
    if part is None or part == "embedded":
        from hybridsem.parsers.trees.embedded import EmbeddedTrees

        return _over_trees(EmbeddedTrees(shared), formalism)
    kind, _, argument = part.partition(":") if isinstance(part, str) else ("", "", "")
    if kind == "verbnet":
        return _verbnet(part, argument, formalism, shared)
    if kind == "spacy":
        from hybridsem.parsers.trees.spacy import SpacyTrees

        return _over_trees(
            SpacyTrees(argument_of(part, argument, "spacy:en_core_web_sm")), formalism
        )
    if kind == "spacy-roles":
        from hybridsem.parsers.foreign import spacy_roles

        _only_verbnet(part, formalism)
        name, options = options_of(
            argument_of(part, argument, "spacy-roles:PIPELINE"), spacy_roles.OPTIONS
        )
        return spacy_roles.SpacyRoles(name, **options)
    if kind == "precomputed":
        from hybridsem.parsers.foreign.precomputed import PrecomputedParser

        _only_verbnet(part, formalism)
        roles, comma, pairs = argument_of(
            part, argument, "precomputed:roles.json,pairs.txt"
        ).partition(",")
        if not comma:
            raise InputError(
                f"precomputed needs two files, got {part!r}; write precomputed:roles.json,pairs.txt"
            )
        return PrecomputedParser.from_release(roles, pairs)
    if kind == "conll2012":
        from hybridsem.parsers.foreign.precomputed import PrecomputedParser

        _only_verbnet(part, formalism)
        return PrecomputedParser.from_conll2012(
            argument_of(part, argument, "conll2012:roles.conll")
        )
    if kind == "semparse":
        from hybridsem.parsers.foreign import semparse

        _only_verbnet(part, formalism)
        address, options = options_of(
            argument_of(part, argument, "semparse:http://localhost:8080"), semparse.OPTIONS
        )
        return semparse.SemParse.from_options(address, options)
    if kind == "penman":
        from hybridsem.parsers.foreign.penman import PenmanGraphs

        return _over_graphs(
            PenmanGraphs.from_file(argument_of(part, argument, "penman:graphs.txt")),
            formalism,
            part,
        )
    if kind == "amrlib":
        from hybridsem.parsers.foreign.amrlib import OPTIONS, AmrlibGraphs

        model, options = options_of(argument_of(part, argument, "amrlib:FOLDER"), OPTIONS)
        return _over_graphs(AmrlibGraphs.from_options(model, options), formalism, part)
    return given(
        "parser",
        part,
        Parser,
        {
            *(
                "amrlib:FOLDER",
                "conll2012:FILE",
                "embedded",
                "penman:FILE",
                "precomputed:ROLES,PAIRS",
            ),
            *("semparse:URL", "spacy-roles:NAME", "spacy:NAME", "verbnet", "verbnet:tables"),
        },
    )


def _verbnet(part: str, argument: str, formalism: str, shared: EmbeddedEncoder | None) -> Any:
    from hybridsem.parsers.srl.labeller import SemanticRoles
    from hybridsem.parsers.trees.embedded import EmbeddedTrees

    _only_verbnet(part, formalism)
    if argument not in ("", "tables"):
        raise InputError(
            f"VerbNet-style roles are learned or by tables, got {part!r}; write verbnet or "
            "verbnet:tables"
        )
    encoder = shared or EmbeddedEncoder()
    return _over_trees(
        EmbeddedTrees(encoder, None if argument else SemanticRoles(encoder)), formalism
    )


def _only_verbnet(part: object, formalism: str) -> None:
    if formalism != "verbnet":
        raise InputError(
            f"{part!r} gives VerbNet-style roles, and this model reads {formalism} structures"
        )


def _over_graphs(graphs: Any, formalism: str, part: object) -> Any:
    from hybridsem.parsers.amr import AmrParser

    if formalism != "amr":
        raise InputError(
            f"{part!r} gives AMR graphs, and this model reads {formalism} structures; take an "
            "amr- model"
        )
    return AmrParser(graphs)


def _over_trees(trees: Any, formalism: str) -> Any:
    if formalism == "amr":
        from hybridsem.parsers.amr_rules.parser import EmbeddedAmr

        return _over_graphs(EmbeddedAmr(trees), formalism, trees)
    from hybridsem.parsers.trees.dependency import DependencyParser
    from hybridsem.parsers.verbnet.rules import VerbNetParser

    return {"verbnet": VerbNetParser, "dependency": DependencyParser}[formalism](trees)
