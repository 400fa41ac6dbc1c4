"""The data that flows through hybridsem.

    str --parser--> RoleStructure --combiner--> Explanation

    RoleStructure                 "The dog was chased by a cat."
      tree     DependencyTree     tokens with lemma, POS, head, relation, offsets (where the parser has one)
      graph    AmrGraph           the graph whose paths are the roles (where the formalism is "amr")
      frames   Frame, Frame, …    the main predicate first
                 predicate  "chase"
                 fillers    {"Agent": Filler("a cat"), "Verb": Filler("chased"), "Patient": Filler("The dog")}
                 negated, modality, voice

A role is a string: one of :class:`Role` for VerbNet-style roles, a path of labels (``nsubj:amod``) for dependencies and
AMR. Everything is frozen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any

from hybridsem.amr import AmrGraph

__all__ = [
    "DependencyTree",
    "Explanation",
    "Filler",
    "Frame",
    "ParseFailure",
    "Parsed",
    "Role",
    "RoleMatch",
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


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a dependency tree.

    ``pos`` is a UPOS tag, ``relation`` a UD (or ClearNLP) label, ``head`` the index of the governor in the tree and -1
    for the root; ``start`` and ``end`` are character offsets into the tree's text.
    """

    text: str
    lemma: str
    pos: str
    head: int
    relation: str
    start: int
    end: int


@dataclass(frozen=True)
class DependencyTree:
    """A dependency tree over the words of ``text``: one root, every other word has a governor.

    ``truncated`` tells that the text goes on after the last word, too long for the parser.
    """

    text: str
    tokens: tuple[Token, ...]
    truncated: bool = False

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
    def _children(self) -> tuple[tuple[int, ...], ...]:
        below: list[list[int]] = [[] for _ in self.tokens]
        for i, token in enumerate(self.tokens):
            if token.head >= 0:
                below[token.head].append(i)
        return tuple(map(tuple, below))

    def children(self, index: int) -> tuple[int, ...]:
        """The indices of the words that ``index`` governs, in order."""
        return self._children[index]

    def subtree(self, index: int) -> tuple[int, ...]:
        """``index`` and all words below it, in order."""
        found, stack = [], [index]
        while stack:
            found.append(stack.pop())
            stack.extend(self._children[found[-1]])
        return tuple(sorted(found))

    def is_tree(self) -> bool:
        """Whether there is exactly one root and every word is reached from it."""
        roots = sum(token.head < 0 for token in self.tokens)
        return roots == 1 and len(self.subtree(self.root)) == len(self.tokens)


@dataclass(frozen=True, slots=True)
class Filler:
    """What stands in a role.

    ``text`` is the phrase as written; ``words`` are its content words as they are looked up in word vectors. Where
    there is a tree, ``tokens`` are the phrase's indices into it, ``content`` those of ``words``, one each, and ``head``
    that of the syntactic head.
    """

    text: str
    words: tuple[str, ...]
    tokens: tuple[int, ...] = ()
    head: int | None = None
    content: tuple[int, ...] = ()


@dataclass(frozen=True)
class Frame:
    """One predicate and its roles; ``voice`` is ``active`` or ``passive``, ``modality`` the modal's lemma or None."""

    predicate: str
    fillers: Mapping[str, Filler]
    negated: bool = False
    modality: str | None = None
    voice: str = "active"

    def __post_init__(self) -> None:
        object.__setattr__(self, "fillers", MappingProxyType(dict(self.fillers)))

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only view has no copy of its own.
        return Frame, (self.predicate, dict(self.fillers), self.negated, self.modality, self.voice)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as ``hybridsem parse --format json`` prints it."""
        return {
            "predicate": self.predicate,
            "roles": {str(role): filler.text for role, filler in self.fillers.items()},
            "negated": self.negated,
            "modality": self.modality,
            "voice": self.voice,
        }


@dataclass(frozen=True)
class RoleStructure:
    """A sentence as roles: ``frames`` holds at least one frame, that of the main predicate first."""

    text: str
    frames: tuple[Frame, ...]
    formalism: str = "verbnet"
    tree: DependencyTree | None = None
    truncated: bool = False
    graph: AmrGraph | None = None

    @property
    def main(self) -> Frame:
        """The main predicate's frame."""
        return self.frames[0]

    @property
    def roles(self) -> Mapping[str, Filler]:
        """The roles of the main frame."""
        return self.main.fillers

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as ``hybridsem parse --format json`` prints it."""
        return {
            "text": self.text,
            "formalism": self.formalism,
            "frames": [frame.to_dict() for frame in self.frames],
            "truncated": self.truncated,
            **({"graph": self.graph.to_penman(metadata=False, indent=None)} if self.graph is not None else {}),
        }


@dataclass(frozen=True, slots=True)
class ParseFailure:
    """Stands in a list of structures where a sentence has none, and says why."""

    text: str
    reason: str


Parsed = RoleStructure | ParseFailure


@dataclass(frozen=True, slots=True)
class RoleMatch:
    """A line of an explanation: what was compared, how alike it is, and what that adds to the score.

    ``role1`` and ``role2`` differ where compatible roles were paired; a filler is None where only the other sentence
    has the role. ``term`` says which part of the model the line belongs to: ``role``, ``sentence``, ``swap``,
    ``polarity``, or the part's name in a metric on strings.
    """

    role1: str | None
    role2: str | None
    filler1: str | None
    filler2: str | None
    similarity: float
    weight: float
    contribution: float
    term: str = "role"


@dataclass(frozen=True)
class Explanation:
    """A score and what it is made of: the contributions of ``matches`` add up to ``score``.

    ``truncated`` tells that the model has not read all of a sentence.
    """

    sentence1: str
    sentence2: str
    score: float
    model: str
    matches: tuple[RoleMatch, ...] = ()
    structure1: Parsed | None = None
    structure2: Parsed | None = None
    notes: tuple[str, ...] = ()
    details: Mapping[str, float] = field(default_factory=dict)
    truncated: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as ``hybridsem explain --json`` prints it."""
        return {
            "model": self.model,
            "sentence1": self.sentence1,
            "sentence2": self.sentence2,
            "score": self.score,
            "matches": [
                {name: getattr(match, name) for name in RoleMatch.__slots__}  # keeps the order of the fields
                for match in self.matches
            ],
            "details": dict(self.details),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        from hybridsem.render import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from hybridsem.render import as_html

        return as_html(self)
