"""AMR graphs (Banarescu et al. 2013), read and written by penman.

    "The dog did not bark."      (b / bark-01        triples  b :instance bark-01
                                    :polarity -               b :polarity -
                                    :ARG0 (d / dog))          b :ARG0 d
                                                              d :instance dog

A graph keeps its triples as written, from the root downwards, so that it can be written in the same
notation and each node has a path. :attr:`AmrGraph.edges` has them without inverted roles
(``:ARG0-of``).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from hybridsem._utils import displays
from hybridsem.errors import FormatError

__all__ = ["INSTANCE", "MAX_DEPTH", "AmrGraph", "Triple"]

INSTANCE = ":instance"
"""The role of a node's concept."""

MAX_DEPTH = 200
"""Deeper graphs are refused; the deepest in the AMR corpora have about 20 levels."""

# A bare target of this form is a variable; constants are numbers, strings, + and -, or words like
# "imperative".
_VARIABLE = re.compile(r"[a-z]\d*|[a-z]{2}\d+")
# A word of the notation; a constant with other characters must be quoted.
_WORD = r"""[^ \t\r\n\v\f"()/:~]+"""
_SYMBOL, _ROLE = re.compile(_WORD), re.compile(f":{_WORD}")
_TARGET = re.compile(rf"""{_WORD}|"[^"\\\n]*(?:\\.[^"\\\n]*)*\"""")
# Possessive, so that matching takes linear time.
_PIECES = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?P<closed>")?|#.*|[()]|[^\s()"]+')
_KEY = re.compile(r"(?:(?<=^#)|(?<=[ \t]))::(\S++)")
_SNT = re.compile(r"snt(-\d+)?")
_SENTENCE = re.compile(r"#\s*+::(?P<key>snt(?:-\d+)?)(?P<value>[ \t].*|\s*+$)")


class Triple(NamedTuple):
    """A variable, a role with its colon, and a variable, concept or constant."""

    source: str
    role: str
    target: str


@dataclass(frozen=True)
class AmrGraph:
    """A rooted, connected graph; every variable has one concept.

    ``text`` is its sentence (``::snt``). ``triples`` are as written, depth first, with each node's
    concept right after the edge that leads to it. ``metadata`` is from the notation's comments.
    Directed cycles are allowed. ``truncated``: the parser did not read the end of the text. Raises
    :class:`FormatError`.
    """

    text: str
    triples: tuple[Triple, ...]
    metadata: Mapping[str, str] = field(default_factory=dict, hash=False)
    truncated: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "metadata", MappingProxyType(dict(self.metadata)))
        _check(self.triples)

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only view cannot be pickled.
        return AmrGraph, (self.text, self.triples, dict(self.metadata), self.truncated)

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
        """The triples of the concepts."""
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
        r"""Read one graph in PENMAN notation with its metadata, without alignments (``~e.4``).

        ``text`` is a default for the sentence. Raises :class:`FormatError` with the line.

        >>> AmrGraph.from_penman("# ::snt A dog barks.\n(b / bark-01 :ARG0 (d / dog))").text
        'A dog barks.'
        """
        metadata = _metadata(notation)
        _check_brackets(notation)
        found = next((value for key, value in metadata.items() if _SNT.fullmatch(key)), "")
        return cls(found or text or "", tuple(_written(_tree(notation))), metadata)

    def to_penman(self, *, metadata: bool = True, indent: int | None = 6) -> str:
        """Return the notation, after ``metadata`` and sentence as comments, without line end.

        ``indent`` is the number of blanks a level; None writes the graph on one line.
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
        comments = dict(self.metadata) if metadata else {}
        if metadata and self.text and not any(_SNT.fullmatch(key) for key in comments):
            comments["snt"] = self.text
        comments = {key: " ".join(value.splitlines()) for key, value in comments.items()}
        return str(format(Tree(node, metadata=comments), indent=indent))

    def paths(self) -> list[tuple[tuple[str, ...], Triple]]:
        """Return each node and constant once, with the path of roles from the root, as written.

        The triple is the node's ``:instance``, or that of the constant.

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
        """Test if a triple, by number, is the edge under which its target is written out."""
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
        return displays.as_html(self)


@cache
def _model() -> Any:
    """Return penman's table of AMR roles, with its logging silenced."""
    logging.getLogger("penman").addHandler(logging.NullHandler())
    from penman.models.amr import model

    return model


@cache
def is_inverted(role: str) -> bool:
    """Test if a role is inverted: ``:ARG0-of`` is, ``:consist-of`` is not."""
    return bool(role.endswith("-of") and _model().is_role_inverted(role))


def _tree(notation: str) -> Any:
    """Return penman's tree: ``(variable, [(role, variable, constant or node), …])``."""
    from penman import iterparse
    from penman.exceptions import DecodeError

    _model()
    try:
        return next(iterparse(notation.split("\n"))).node
    except DecodeError as error:
        message = str(error.message or error).strip().splitlines()[-1]
        got = f", got {error.text.strip()!r:.80}" if error.text else ""
        raise FormatError(f"not PENMAN notation: {message}{got}", line=error.lineno) from None


def _written(node: Any) -> Iterable[Triple]:
    """Yield the triples of penman's tree, depth first."""
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
    """Return a target without its alignment."""
    if not target:
        raise FormatError(
            f"{role!r} of {source!r} has no target; write a concept, a variable or a constant"
        )
    if target.startswith('"'):
        return target[: target.rindex('"') + 1]
    return target.partition("~")[0]


def _check(triples: tuple[Triple, ...]) -> None:
    """Raise :class:`FormatError` unless the triples are a graph as in :class:`AmrGraph`."""
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
                    f"the variable {source!r} has two concepts, or is not connected to the graph"
                )
            if i:
                seen.add(source)
                open_.append(source)
            continue
        while open_ and open_[-1] != source:
            open_.pop()
        if not open_:
            raise FormatError(
                f"the variable {source!r} is not connected to the graph, or its triples are not"
            )
        if len(open_) > MAX_DEPTH:
            raise FormatError(f"nested deeper than {MAX_DEPTH} levels")
    for source, role, target in triples:
        if not (_SYMBOL.fullmatch(source) and _TARGET.fullmatch(target)):
            raise FormatError(
                f"cannot be written in PENMAN, got {target!r} ({role} of {source!r}); quote it"
            )
        if role != INSTANCE and target not in seen and _VARIABLE.fullmatch(target):
            raise FormatError(f"the variable {target!r} ({role} of {source!r}) is not defined")


def _check_brackets(notation: str) -> None:
    """Raise :class:`FormatError` with the line unless the notation is one pair of brackets."""
    depth, closed, number = 0, False, 0
    for number, line in enumerate(notation.split("\n"), start=1):
        for found in _PIECES.finditer(line):
            piece = found.group()
            if piece.startswith("#"):
                continue
            if piece.startswith('"') and not found["closed"]:
                message = f"a quotation mark is not closed, got {line.strip()!r:.80}"
                raise FormatError(message, line=number)
            if closed or (depth == 0 and piece != "("):
                message = f"expected one graph in brackets, got {piece!r:.40} outside of them"
                raise FormatError(message, line=number)
            depth += {"(": 1, ")": -1}.get(piece, 0)
            closed = depth == 0
            if depth > MAX_DEPTH:
                raise FormatError(f"nested deeper than {MAX_DEPTH} levels", line=number)
    if depth:
        raise FormatError(f"brackets are not closed: {depth} at the end of the graph", line=number)
    if not closed:
        raise FormatError("there is no graph; expected (variable / concept …)")


def _metadata(notation: str) -> dict[str, str]:
    """Return the ``::key value`` pairs of the comments; a sentence fills its line."""
    found: dict[str, str] = {}
    for line in notation.split("\n"):
        if not line.startswith("#"):
            continue
        if sentence := _SENTENCE.match(line):
            found[sentence["key"]] = sentence["value"].lstrip(" \t").rstrip()
            continue
        _, *parts = _KEY.split(line)
        for key, value in zip(parts[::2], parts[1::2], strict=True):
            found[key] = value.strip(" \t")
    return found
