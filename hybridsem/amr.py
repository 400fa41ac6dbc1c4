"""AMR graphs (Banarescu et al. 2013): a sentence's meaning as a rooted graph of concepts; read and
written by penman.

    "The dog did not bark."      (b / bark-01        triples  b :instance bark-01
                                    :polarity -               b :polarity -
                                    :ARG0 (d / dog))          b :ARG0 d
                                                              d :instance dog

A graph keeps its triples as they are written, from the root downwards, so that the same notation
can be written again and a node has a path; :attr:`AmrGraph.edges` has them with inverted roles
(``:ARG0-of``) turned round.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from itertools import zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from hybridsem.errors import FormatError

if TYPE_CHECKING:
    from penman.graph import Graph

__all__ = ["INSTANCE", "MAX_DEPTH", "AmrGraph", "Triple"]

INSTANCE = ":instance"
"""The role of a node's concept."""

MAX_DEPTH = 200
"""Deeper graphs are refused; the deepest in the AMR corpora have about 20 levels."""

# What can only be a variable where it stands bare: constants are numbers, strings, + and -, or
# words like "imperative".
_VARIABLE = re.compile(r"[a-z]\d*|[a-z]{2}\d+")
# A word of the notation; what else a constant holds must stand in quotes.
_WORD = r"""[^ \t\r\n\v\f"()/:~]+"""
_SYMBOL, _ROLE = re.compile(_WORD), re.compile(f":{_WORD}")
_TARGET = re.compile(rf"""{_WORD}|"[^"\\\n]*(?:\\.[^"\\\n]*)*\"""")
# Nothing here gives back what it took, so that time grows with the notation and not its square.
_PIECES = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?P<closed>")?|#.*|[()]|[^\s()"]+')
_KEY = re.compile(r"::(\S++)")
_SNT = re.compile(r"snt(-\d+)?")
_SENTENCE = re.compile(r"#\s*+::(?P<key>snt(?:-\d+)?)(?P<value>[ \t].*|\s*+$)")


class Triple(NamedTuple):
    """A variable, a role with its colon, and a variable, concept or constant.

    >>> graph = AmrGraph.from_penman("(b / bark-01 :ARG0 (d / dog))", "A dog barks.")
    >>> graph.triples[1]
    Triple(source='b', role=':ARG0', target='d')
    """

    source: str
    role: str
    target: str


@dataclass(frozen=True)
class AmrGraph:
    """A rooted, connected graph; every variable has one concept.

    ``text`` is its sentence (``::snt``), ``triples`` are as written, depth first, the root's
    concept first and every node's concept right after the edge that leads to it. ``metadata`` is
    that of the notation's comments. A directed cycle is no error: what closes it is a variable that
    was there before. ``truncated`` tells that the text goes on after what the graph says, too long
    for the parser. Raises :class:`FormatError`.
    """

    text: str
    triples: tuple[Triple, ...]
    metadata: Mapping[str, str] = field(default_factory=dict, hash=False)
    truncated: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "metadata", MappingProxyType(dict(self.metadata)))
        _check(self.triples)

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only view has no copy.
        return AmrGraph, (
            self.text,
            self.triples,
            dict(self.metadata),
            self.truncated,
        )

    @property
    def id(self) -> str | None:
        """The graph's ``::id``."""
        return self.metadata.get("id")

    @property
    def top(self) -> str:
        """The variable of the root."""
        return self.triples[0].source

    @cached_property
    def concepts(self) -> Mapping[str, str]:
        """The concept of every variable, in order of appearance."""
        return MappingProxyType(
            {source: target for source, role, target in self.triples if role == INSTANCE}
        )

    @property
    def instances(self) -> tuple[Triple, ...]:
        """The triples that give the variables their concepts."""
        return tuple(triple for triple in self.triples if triple.role == INSTANCE)

    @cached_property
    def edges(self) -> tuple[Triple, ...]:
        """The triples between variables, none inverted: ``d :ARG0-of b`` is ``b :ARG0 d``."""
        return tuple(
            Triple(target, role.removesuffix("-of"), source)
            if is_inverted(role)
            else Triple(source, role, target)
            for source, role, target in self.triples
            if role != INSTANCE and target in self.concepts
        )

    @cached_property
    def attributes(self) -> tuple[Triple, ...]:
        """The triples with a constant: a number, a quoted string, ``-``, ``imperative``."""
        return tuple(
            triple
            for triple in self.triples
            if triple.role != INSTANCE and triple.target not in self.concepts
        )

    @classmethod
    def from_penman(cls, notation: str, text: str | None = None) -> AmrGraph:
        r"""The graph of a PENMAN notation with its metadata; alignments (``~e.4``) are left out.
        ``notation``: of one graph, with comments or without; ``text``: the sentence, where the
        notation does not say it. Raises :class:`FormatError` for what is no graph; it names the
        line.

        >>> AmrGraph.from_penman("# ::snt A dog barks.\n(b / bark-01 :ARG0 (d / dog))").text
        'A dog barks.'
        """
        metadata = _metadata(notation)
        _check_brackets(notation)
        found = next((value for key, value in metadata.items() if _SNT.fullmatch(key)), "")
        return cls(found or text or "", tuple(_written(_tree(notation))), metadata)

    @classmethod
    def from_triples(
        cls,
        triples: Iterable[tuple[str, str, str]],
        top: str,
        text: str = "",
        metadata: Mapping[str, str] | None = None,
    ) -> AmrGraph:
        """The graph of triples in any order and direction, arranged from ``top`` downwards.

        Raises :class:`FormatError` where they are not connected or a variable has no concept.

        Args:
            triples: Source, role with its colon, target; ``:instance`` gives a variable's concept.
            top: The variable of the root.
            text: The sentence that the graph stands for.
            metadata: Key to value, as after ``# ::`` in a file.

        >>> rows = [("b", ":instance", "bark-01"), ("d", ":instance", "dog"), ("b", ":ARG0", "d")]
        >>> AmrGraph.from_triples(rows, "b").to_penman(metadata=False, indent=None)
        '(b / bark-01 :ARG0 (d / dog))'
        """
        from penman.exceptions import PenmanError
        from penman.graph import Graph
        from penman.layout import configure

        given = [Triple(*triple) for triple in triples]
        try:
            tree = configure(Graph(given, top=top), model=_model())
        except PenmanError as error:
            raise FormatError(
                f"the triples are no connected graph under {top!r}: {error}"
            ) from None
        except RecursionError:
            raise FormatError(f"nested deeper than {MAX_DEPTH} levels") from None
        graph = cls(text, tuple(_written(tree.node)), metadata or {})
        if len(graph.triples) != len(given):
            raise FormatError(f"the triples are no connected graph under {top!r}")
        return graph

    def to_penman(self, *, metadata: bool = True, indent: int | None = 6) -> str:
        """The notation, without line end. ``metadata``: write the metadata and the sentence as
        comments before it; ``indent``: blanks a level; None writes the graph on one line.

        >>> AmrGraph.from_penman("(b / bark-01 :ARG0 (d / dog))").to_penman(indent=None)
        '(b / bark-01 :ARG0 (d / dog))'
        """
        from penman import Tree, format

        node: tuple[str, list[Any]] = (self.top, [])
        stack = [node]
        for i, (source, role, target) in enumerate(self.triples):
            while stack[-1][0] != source:
                stack.pop()
            if role == INSTANCE:
                stack[-1][1].append(("/", target))
            elif self.opens(i):
                below: tuple[str, list[Any]] = (target, [])
                stack[-1][1].append((role, below))
                stack.append(below)
            else:
                stack[-1][1].append((role, target))
        said = dict(self.metadata)
        if self.text and not any(_SNT.fullmatch(key) for key in said):
            said["snt"] = self.text
        comments = (
            {key: " ".join(value.splitlines()) for key, value in said.items()} if metadata else {}
        )
        return str(format(Tree(node, metadata=comments), indent=indent))

    def to_graph(self) -> Graph:
        """The same as a :class:`penman.Graph`, inverted roles turned round."""
        from penman import Graph

        edges = iter(self.edges)
        triples = [
            next(edges) if t.role != INSTANCE and t.target in self.concepts else t
            for t in self.triples
        ]
        return Graph(list(triples), top=self.top, metadata=dict(self.metadata))

    def paths(self) -> list[tuple[tuple[str, ...], Triple]]:
        """Every node and constant with its path: the roles, as written, that lead to it from the
        root.

        The triple is the node's ``:instance``, or that of the constant. A node that is mentioned
        again is not repeated.

        >>> graph = AmrGraph.from_penman("(b / bark-01 :ARG0 (d / dog))", "A dog barks.")
        >>> [(path, triple.target) for path, triple in graph.paths()]
        [((), 'bark-01'), ((':ARG0',), 'dog')]
        """
        place: dict[str, tuple[str, ...]] = {self.top: ()}
        found = []
        for i, triple in enumerate(self.triples):
            source, role, target = triple
            if role == INSTANCE:
                found.append((place[source], triple))
            elif self.opens(i):
                place[target] = (*place[source], role)
            elif target not in self.concepts:
                found.append(((*place[source], role), triple))
        return found

    def opens(self, index: int) -> bool:
        """Whether the triple of that number is the edge under which its target is written out."""
        after = self.triples[index + 1] if index + 1 < len(self.triples) else None
        return (
            after is not None
            and after.role == INSTANCE
            and after.source == self.triples[index].target
        )

    def __str__(self) -> str:
        return self.to_penman(metadata=False)

    def __repr__(self) -> str:
        return f"AmrGraph({self.to_penman(metadata=False, indent=None)!r})"

    def _repr_html_(self) -> str:
        # What draws stands above: it is found by name when needed.
        drawn: str = import_module("hybridsem.render").graph_as_html(self)
        return drawn


@cache
def _model() -> Any:
    """The table of AMR roles; penman's warnings are errors here and not logged."""
    logging.getLogger("penman").addHandler(logging.NullHandler())
    from penman.models.amr import model

    return model


@cache
def is_inverted(role: str) -> bool:
    """Whether a role is written against its direction: ``:ARG0-of`` is, ``:consist-of`` is not."""
    return bool(role.endswith("-of") and _model().is_role_inverted(role))


def _tree(notation: str) -> Any:
    """The node that penman reads: ``(variable, [(role, variable, constant or node), …])``."""
    from penman import iterparse
    from penman.exceptions import DecodeError

    _model()
    try:
        return next(iterparse(notation.split("\n"))).node
    except DecodeError as error:
        raise FormatError(f"not PENMAN notation: {_said(error)}", line=error.lineno) from None


def _said(error: Any) -> str:
    said = str(error.message or error).strip().splitlines()[-1]
    return f"{said}, got {error.text.strip()!r:.80}" if error.text else said


def _written(node: Any) -> Iterable[Triple]:
    """The triples of penman's tree, depth first."""
    stack: list[Any] = [("", "", node)]
    while stack:
        source, role, target = stack.pop()
        if not isinstance(target, tuple):
            yield Triple(source, role.partition("~")[0], _constant(target, source, role))
            continue
        variable, branches = target
        if variable is None:
            raise FormatError("a pair of brackets is empty; it must hold a variable: (d / dog)")
        if role:
            yield Triple(source, role.partition("~")[0], variable)
        concepts = [branch for branch in branches if branch[0] == "/"]
        if len(concepts) != 1:
            raise FormatError(
                f"the variable {variable!r} has no concept; write ({variable} / concept)"
            )
        yield Triple(variable, INSTANCE, _constant(concepts[0][1], variable, "/"))
        stack += [(variable, below, given) for below, given in reversed(branches) if below != "/"]


def _constant(target: str | None, source: str, role: str) -> str:
    """A target without its alignment."""
    if not target:
        raise FormatError(
            f"{role!r} of {source!r} has no target; write a concept, a variable or a constant"
        )
    if target.startswith('"'):
        return target[: target.rindex('"') + 1]
    return target.partition("~")[0]


def _check(triples: tuple[Triple, ...]) -> None:
    """:class:`FormatError` unless the triples are a graph as :class:`AmrGraph` describes it."""
    if not triples or triples[0].role != INSTANCE:
        raise FormatError("the graph has no root; its first triple is the root's concept")
    open_, seen = [triples[0].source], {triples[0].source}
    for i, (source, role, _) in enumerate(triples):
        if not _ROLE.fullmatch(role):
            raise FormatError(f"a role starts with a colon and has a name, got {role!r}")
        if role == INSTANCE:
            led_to = i == 0 or (triples[i - 1].role != INSTANCE and triples[i - 1].target == source)
            if not led_to or (i and source in seen):
                raise FormatError(
                    f"the variable {source!r} has two concepts, or stands apart from the graph"
                )
            if i:
                seen.add(source)
                open_.append(source)
            continue
        while open_ and open_[-1] != source:
            open_.pop()
        if not open_:
            raise FormatError(
                f"the variable {source!r} stands apart from the graph, or its triples do"
            )
        if len(open_) > MAX_DEPTH:
            raise FormatError(f"nested deeper than {MAX_DEPTH} levels")
    for source, role, target in triples:
        if not (_SYMBOL.fullmatch(source) and _TARGET.fullmatch(target)):
            raise FormatError(
                f"cannot be written in PENMAN, got {target!r} ({role} of {source!r}); quote it"
            )
        if role != INSTANCE and target not in seen and _VARIABLE.fullmatch(target):
            raise FormatError(f"the variable {target!r} ({role} of {source!r}) is nowhere defined")


def _check_brackets(notation: str) -> None:
    """:class:`FormatError`, with the line, unless the notation is one pair of brackets."""
    depth, closed, number = 0, False, 0
    for number, line in enumerate(notation.split("\n"), start=1):
        for found in _PIECES.finditer(line):
            piece = found.group()
            if piece.startswith("#"):
                continue
            if piece.startswith('"') and not found["closed"]:
                raise FormatError(
                    f"a quotation mark is not closed, got {line.strip()!r:.80}", line=number
                )
            if closed or (depth == 0 and piece != "("):
                raise FormatError(
                    f"expected one graph in brackets, got {piece!r:.40} outside of them",
                    line=number,
                )
            depth += {"(": 1, ")": -1}.get(piece, 0)
            closed = depth == 0
            if depth > MAX_DEPTH:
                raise FormatError(f"nested deeper than {MAX_DEPTH} levels", line=number)
    if depth:
        raise FormatError(f"brackets are not closed: {depth} at the end of the graph", line=number)
    if not closed:
        raise FormatError("there is no graph; expected (variable / concept …)")


def _metadata(notation: str) -> dict[str, str]:
    """The ``::key value`` pairs of the comments; a sentence goes to the end of its line."""
    found: dict[str, str] = {}
    for line in notation.split("\n"):
        if not line.startswith("#"):
            continue
        if sentence := _SENTENCE.match(line):
            found[sentence["key"]] = sentence["value"].lstrip(" \t").rstrip()
            continue
        keys = [
            key
            for number, key in enumerate(_KEY.finditer(line))
            if not number or line[key.start() - 1] in " \t"
        ]
        for key, following in zip_longest(keys, keys[1:]):
            end = len(line) if following is None else following.start()
            found[key[1]] = line[key.end() : end].strip(" \t")
    return found
