"""The data that parsers return.

    str --parser--> RoleStructure --combiner--> Explanation

    RoleStructure                 "The dog was chased by a cat."
      tree     DependencyTree     tokens: lemma, POS, head, relation, offsets; or None
        predicates  Predicate, …  a semantic role labeller's rolesets and arguments
      graph    AmrGraph           the graph whose paths are the roles (formalism "amr")
      frames   Frame, Frame, …    the main predicate first
        predicate  "chase"
        fillers    {"Agent": Filler("a cat"), "Verb": Filler("chased"), …}
        negated, modality, voice
        roleset    "chase.01", arguments  Argument("ARG0", …), …   by a labeller

A role is a string: one of :class:`Role` for VerbNet-style roles, a path of labels (``nsubj:amod``)
for dependencies and AMR. Everything is frozen.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from hybridsem._utils import displays

if TYPE_CHECKING:
    from hybridsem.amr import AmrGraph

__all__ = [
    "Argument",
    "DependencyTree",
    "Filler",
    "Frame",
    "ParseFailure",
    "Parsed",
    "Parses",
    "Phrase",
    "Predicate",
    "Role",
    "RoleStructure",
    "Token",
]


class Role(StrEnum):
    """The eight general VerbNet-style roles of Fodor, De Deyne & Suzuki 2024, in their order."""

    VERB = "Verb"
    AGENT = "Agent"
    PATIENT = "Patient"
    THEME = "Theme"
    TIME = "Time"
    MANNER = "Manner"
    LOCATION = "Location"
    TRAJECTORY = "Trajectory"


class FactRelation(StrEnum):
    """The relation of a value to another of the same type."""

    EQUAL = "equal"
    CONTAINS = "contains"
    """The first is less precise: "May 2021" and "3 May 2021", "at least 3" and "5"."""
    WITHIN = "within"
    """The first is more precise."""
    OVERLAPS = "overlaps"
    DISJOINT = "disjoint"
    UNKNOWN = "unknown"
    """The texts do not say: "3/5/2021" and "3 May 2021"."""

    @property
    def inverted(self) -> FactRelation:
        """The relation of the second value to the first."""
        return _INVERTED.get(self, self)


_INVERTED = {
    FactRelation.CONTAINS: FactRelation.WITHIN,
    FactRelation.WITHIN: FactRelation.CONTAINS,
}


def _plain(items: Iterable[tuple[str, object]]) -> dict[str, object]:
    return {name: None if value in (math.inf, -math.inf) else value for name, value in items}


@dataclass(frozen=True, slots=True)
class Fact(ABC):
    """A value that a text states, with its place: the characters from ``start`` to ``end``."""

    start: int
    end: int

    @abstractmethod
    def relation_to(self, other: Self) -> FactRelation:
        """Return the relation of this value to another of the same type."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the value in plain English; reading it gives an equal value."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: the type, the value in plain English, the place, the fields. None is
        an infinite bound.
        """
        return {
            "type": type(self).__name__,
            "value": str(self),
            **asdict(self, dict_factory=_plain),
        }


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a dependency tree.

    ``pos`` is a UPOS tag, ``relation`` a UD (or ClearNLP) label, ``head`` the governor's index, -1
    for the root; ``start`` and ``end`` are character offsets into the tree's text.
    """

    text: str
    lemma: str
    pos: str
    head: int
    relation: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase in a sentence: the form in the lexicon, its tokens in order, and its head among
    them. ``category``: v(erb), n(oun), a(djective), r (adverb), p(reposition), c(onnective),
    d(iscourse).
    """

    key: str
    tokens: tuple[int, ...]
    head: int
    category: str


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a predicate.

    ``label`` is PropBank's (``ARG0`` … ``ARG5``, ``ARGM-TMP``, …), with ``R-`` for references and
    ``C-`` for continuations. ``tokens`` are the words' indices into the tree, ``head`` that of the
    syntactic head. ``verbnet`` are the VerbNet roles that the frame links to the label, ``role`` is
    their general :class:`Role`, if any. ``score`` is the labeller's probability.
    """

    label: str
    tokens: tuple[int, ...]
    head: int
    verbnet: tuple[str, ...] = ()
    role: Role | None = None
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Predicate:
    """A word with semantic roles: its ``index``, ``lemma`` and ``roleset`` (``chase.01``)."""

    index: int
    lemma: str
    roleset: str | None
    arguments: tuple[Argument, ...] = ()
    score: float = 1.0


@dataclass(frozen=True)
class DependencyTree:
    """A dependency tree over the words of ``text``: one root, every other word has a governor.

    ``truncated``: the parser did not read the end of the text. ``predicates`` are a semantic role
    labeller's, in the order of the text; None without a labeller.

    >>> it = Token("It", "it", "PRON", 1, "nsubj", 0, 2)
    >>> tree = DependencyTree("It rains", (it, Token("rains", "rain", "VERB", -1, "root", 3, 8)))
    >>> tree[tree.root].text, tree.children(1), tree.phrase((0, 1)), tree.is_tree()
    ('rains', (0,), 'It rains', True)
    """

    text: str
    tokens: tuple[Token, ...]
    truncated: bool = False
    predicates: tuple[Predicate, ...] | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    def __getitem__(self, index: int) -> Token:
        return self.tokens[index]

    @cached_property
    def root(self) -> int:
        """The index of the root."""
        return next(i for i, token in enumerate(self.tokens) if token.head < 0)

    @cached_property
    def below(self) -> tuple[tuple[int, ...], ...]:
        """The dependents of each word, in order."""
        below: list[tuple[int, ...]] = [()] * len(self)
        for i, token in enumerate(self.tokens):
            if token.head >= 0:
                below[token.head] += (i,)
        return tuple(below)

    def children(self, index: int) -> tuple[int, ...]:
        """Return the dependents of a word, in order."""
        return self.below[index]

    def subtree(self, index: int) -> tuple[int, ...]:
        """Return ``index`` and all its descendants, in order."""
        below, found = self.below, [index]
        for word in found:  # grows in the loop
            found += below[word]
        return tuple(sorted(found))

    def spans(self, tokens: Sequence[int]) -> list[tuple[int, int]]:
        """Return the offsets of the words at indices, in order: one span for words in a row."""
        first, last = tokens[0], tokens[-1]
        if last - first == len(tokens) - 1:
            return [(self.tokens[first].start, self.tokens[last].end)]
        spans, start = [], first
        for previous, t in zip(tokens, (*tokens[1:], -1), strict=True):
            if t != previous + 1:
                spans.append((self.tokens[start].start, self.tokens[previous].end))
                start = t
        return spans

    def phrase(self, tokens: Sequence[int]) -> str:
        """Return the words at indices in order, with a blank between separate pieces."""
        return " ".join(self.text[start:end] for start, end in self.spans(tokens) if end > start)

    def labelled(self, predicates: Sequence[Predicate]) -> DependencyTree:
        """Return the tree with a labeller's predicates."""
        tree = object.__new__(DependencyTree)
        tree.__dict__.update(self.__dict__, predicates=tuple(predicates))  # with cached properties
        return tree

    def __repr__(self) -> str:
        return f"DependencyTree({self.text!r}, {len(self)} words)"

    def __str__(self) -> str:
        """Return one line for each word: its number, form, tag, relation and governor."""
        width = max((len(token.text) for token in self), default=0)
        return "\n".join(
            f"{number:>3}  {token.text:<{width}}  {token.pos:<5}  {token.relation}"
            + (f" of {self[token.head].text} ({token.head})" if token.head >= 0 else "")
            for number, token in enumerate(self)
        )

    def _repr_html_(self) -> str:
        return displays.as_html(self)

    def is_tree(self) -> bool:
        """Test if there is exactly one root that reaches every word."""
        roots = sum(token.head < 0 for token in self.tokens)
        return roots == 1 and len(self.subtree(self.root)) == len(self.tokens)


@dataclass(frozen=True, slots=True)
class Filler:
    """A phrase in a role.

    ``text`` is the phrase as written; ``words`` are its content words, to look up in word vectors.
    With a tree, ``tokens`` are the phrase's indices into it, ``content`` those of ``words``, and
    ``head`` that of the syntactic head.
    """

    text: str
    words: tuple[str, ...]
    tokens: tuple[int, ...] = ()
    head: int | None = None
    content: tuple[int, ...] = ()


@dataclass(frozen=True)
class Frame:
    """One predicate and its roles.

    Attributes:
        predicate: The lemma.
        fillers: The phrase of each role, in the order of the parser.
        negated: The predicate is negated.
        modality: The modal's lemma, or None.
        voice: ``active`` or ``passive``.
        roleset: A labeller's PropBank sense (``give.01``).
        arguments: A labeller's PropBank arguments.
    """

    predicate: str
    fillers: Mapping[str, Filler]
    negated: bool = False
    modality: str | None = None
    voice: str = "active"
    roleset: str | None = None
    arguments: tuple[Argument, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "fillers", MappingProxyType(dict(self.fillers)))

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only view cannot be pickled.
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return Frame, tuple((values | {"fillers": dict(self.fillers)}).values())

    @property
    def roles(self) -> Mapping[str, Filler]:
        """The fillers by role, as :attr:`RoleStructure.roles` has those of the main frame."""
        return self.fillers

    def to_dict(self, tree: DependencyTree | None = None) -> dict[str, Any]:
        """Return data as in ``hybridsem parse --format json``; ``tree`` has words and offsets."""
        semantics: dict[str, Any] = {}
        if self.roleset is not None or self.arguments:
            semantics["roleset"] = self.roleset
        if self.arguments and tree is not None:
            semantics["arguments"] = [
                {
                    "label": argument.label,
                    "verbnet": list(argument.verbnet),
                    "role": None if argument.role is None else str(argument.role),
                    "text": tree.phrase(argument.tokens),
                    "spans": [*map(list, tree.spans(argument.tokens))],
                }
                for argument in self.arguments
            ]
        if tree is not None:
            semantics["spans"] = {
                str(role): [*map(list, tree.spans(filler.tokens))]
                for role, filler in self.fillers.items()
                if filler.tokens
            }
        return {
            "predicate": self.predicate,
            "roles": {str(role): filler.text for role, filler in self.fillers.items()},
            "negated": self.negated,
            "modality": self.modality,
            "voice": self.voice,
            **semantics,
        }


@dataclass(frozen=True)
class RoleStructure:
    """A sentence as roles.

    Attributes:
        text: The sentence.
        frames: At least one frame; the main predicate's is the first.
        formalism: ``verbnet`` (the eight roles), ``dependency`` or ``amr`` (paths of labels).
        tree: The dependency tree, if any.
        truncated: The parser did not read the end of the text.
        graph: The AMR graph of the roles, if any.
        facts: The values that the sentence states, if they were asked for.
        phrases: Its phrases of several words, if they were asked for.
    """

    text: str
    frames: tuple[Frame, ...]
    formalism: str = "verbnet"
    tree: DependencyTree | None = None
    truncated: bool = False
    graph: AmrGraph | None = None
    facts: tuple[Fact, ...] = ()
    phrases: tuple[Phrase, ...] = ()

    @property
    def main(self) -> Frame:
        """The main predicate's frame."""
        return self.frames[0]

    @property
    def roles(self) -> Mapping[str, Filler]:
        """The roles of the main frame."""
        return self.main.fillers

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, as in ``hybridsem parse --format json``; places are in ``text``."""
        data: dict[str, Any] = {
            "text": self.text,
            "formalism": self.formalism,
            "frames": [frame.to_dict(self.tree) for frame in self.frames],
            "truncated": self.truncated,
            "facts": [fact.to_dict() for fact in self.facts],
            "phrases": [
                {"text": self.tree.phrase(phrase.tokens), **asdict(phrase)}
                for phrase in self.phrases
                if self.tree is not None
            ],
        }
        if self.tree is not None:
            data["tokens"] = [asdict(token) for token in self.tree]
        if self.graph is not None:
            data["graph"] = self.graph.to_penman(metadata=False, indent=None)
        return data

    def __repr__(self) -> str:
        frames = []
        for frame in self.frames:
            roles = (f"{role}={filler.text!r}" for role, filler in frame.fillers.items())
            frames.append(f"{frame.predicate}({', '.join(roles)})")
        return f"RoleStructure({self.text!r}: {'; '.join(frames)})"

    def __str__(self) -> str:
        return displays.as_text(self).rstrip("\n")

    def _repr_html_(self) -> str:
        return displays.as_html(self)


@dataclass(frozen=True, slots=True)
class ParseFailure:
    """A sentence without a structure, with the reason."""

    text: str
    reason: str

    def _repr_html_(self) -> str:
        return displays.as_html(self)


Parsed = RoleStructure | ParseFailure
"""A parser's result for a sentence."""


class Parses(list[Parsed]):
    """A pipeline's results for sentences: a list that notebooks draw."""

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return displays.as_html(self)
