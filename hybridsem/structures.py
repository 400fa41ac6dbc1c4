"""The data that flows through hybridsem.

    str --parser--> RoleStructure --combiner--> Explanation

    RoleStructure                 "The dog was chased by a cat."
      tree     DependencyTree     tokens: lemma, POS, head, relation, offsets; or None
        predicates  Predicate, …  what a semantic role labeller says: rolesets and arguments
      graph    AmrGraph           the graph whose paths are the roles (the formalism is "amr")
      frames   Frame, Frame, …    the main predicate first
        predicate  "chase"
        fillers    {"Agent": Filler("a cat"), "Verb": Filler("chased"), …}
        negated, modality, voice
        roleset    "chase.01", arguments  Argument("ARG0", …), …   where a labeller has found them

A role is a string: one of :class:`Role` for VerbNet-style roles, a path of labels (``nsubj:amod``)
for dependencies and AMR. Everything is frozen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

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
    "Predicate",
    "Role",
    "RoleStructure",
    "Token",
]


class Role(StrEnum):
    """The eight general VerbNet-style roles of Fodor, De Deyne & Suzuki 2024, in their order.

    >>> [str(role) for role in Role][:3]
    ['Verb', 'Agent', 'Patient']
    """

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

    ``pos`` is a UPOS tag, ``relation`` a UD (or ClearNLP) label, ``head`` the index of the governor
    in the tree and -1 for the root; ``start`` and ``end`` are character offsets into the tree's
    text.

    >>> token = Token("chased", "chase", "VERB", -1, "root", 8, 14)
    >>> token.lemma, token.head < 0
    ('chase', True)
    """

    text: str
    lemma: str
    pos: str
    head: int
    relation: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Argument:
    """What stands in a semantic role of a predicate.

    ``label`` is PropBank's (``ARG0`` … ``ARG5``, ``ARGM-TMP``, …; ``R-`` and ``C-`` before those
    that refer to another or continue it). ``tokens`` are the words' indices into the tree, in
    order, and ``head`` that of the syntactic head. ``verbnet`` are the VerbNet roles that the frame
    links to the label, ``role`` the general :class:`Role` that is; None where there is none.
    ``score`` in [0, 1] says how sure the labeller is.

    >>> Argument("ARG0", (0, 1), 1, ("agent",), Role.AGENT).role
    <Role.AGENT: 'Agent'>
    """

    label: str
    tokens: tuple[int, ...]
    head: int
    verbnet: tuple[str, ...] = ()
    role: Role | None = None
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Predicate:
    """A word with semantic roles: its ``index`` and ``lemma``, its ``roleset`` (``chase.01``).

    >>> Predicate(2, "chase", "chase.01").roleset
    'chase.01'
    """

    index: int
    lemma: str
    roleset: str | None
    arguments: tuple[Argument, ...] = ()
    score: float = 1.0


@dataclass(frozen=True)
class DependencyTree:
    """A dependency tree over the words of ``text``: one root, every other word has a governor.

    ``truncated`` tells that the text goes on after the last word, too long for the parser.
    ``predicates`` are those that a semantic role labeller has found, in the order of the text; None
    where no labeller has read the tree.

    >>> it = Token("It", "it", "PRON", 1, "nsubj", 0, 2)
    >>> rains = Token("rains", "rain", "VERB", -1, "root", 3, 8)
    >>> tree = DependencyTree("It rains", (it, rains))
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
        """The words that each word governs, in order."""
        below: list[list[int]] = [[] for _ in self.tokens]
        for i, token in enumerate(self.tokens):
            if token.head >= 0:
                below[token.head].append(i)
        return tuple(map(tuple, below))

    def children(self, index: int) -> tuple[int, ...]:
        """The words that one governs, in order."""
        return self.below[index]

    def subtree(self, index: int) -> tuple[int, ...]:
        """``index`` and all words below it, in order."""
        below, found = self.below, [index]
        for word in found:  # those below it are appended meanwhile
            found += below[word]
        return tuple(sorted(found))

    def phrase(self, tokens: Sequence[int]) -> str:
        """The words at some places as written, in order; pieces of a phrase joined by a blank.
        ``tokens``: the words' indices, at least one, in order.
        """
        first, last = tokens[0], tokens[-1]
        if last - first == len(tokens) - 1:  # all in a row
            return self.text[self.tokens[first].start : self.tokens[last].end]
        pieces: list[str] = []
        start = previous = first
        for t in (*tokens[1:], -1):
            if t != previous + 1:
                pieces.append(self.text[self.tokens[start].start : self.tokens[previous].end])
                start = t
            previous = t
        return " ".join(filter(None, pieces))

    def labelled(self, predicates: Sequence[Predicate]) -> DependencyTree:
        """The tree with the predicates that a labeller has found."""
        tree = object.__new__(DependencyTree)
        tree.__dict__.update(self.__dict__, predicates=tuple(predicates))  # and what is cached
        return tree

    def __repr__(self) -> str:
        return f"DependencyTree({self.text!r}, {len(self)} words)"

    def __str__(self) -> str:
        """A line a word: its number, form, tag, relation and governor."""
        width = max((len(token.text) for token in self), default=0)
        return "\n".join(
            f"{number:>3}  {token.text:<{width}}  {token.pos:<5}  {token.relation}"
            + (f" of {self[token.head].text} ({token.head})" if token.head >= 0 else "")
            for number, token in enumerate(self)
        )

    def _repr_html_(self) -> str:
        drawn: str = _rendering().tree_as_html(self)
        return drawn

    def is_tree(self) -> bool:
        """Whether there is exactly one root and every word is reached from it."""
        roots = sum(token.head < 0 for token in self.tokens)
        return roots == 1 and len(self.subtree(self.root)) == len(self.tokens)


@dataclass(frozen=True, slots=True)
class Filler:
    """What stands in a role.

    ``text`` is the phrase as written; ``words`` are its content words as they are looked up in word
    vectors. Where there is a tree, ``tokens`` are the phrase's indices into it, ``content`` those
    of ``words``, one each, and ``head`` that of the syntactic head.

    >>> Filler("a red car", ("red", "car")).words
    ('red', 'car')
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
        fillers: What stands in each role; in the order of the parser.
        negated: Whether it is denied.
        modality: The modal's lemma, or None.
        voice: ``active`` or ``passive``.
        roleset: PropBank's sense (``give.01``), where a labeller has found it.
        arguments: PropBank's, each with its VerbNet roles, where a labeller has found them.

    >>> fillers = {"Verb": Filler("barked", ("bark",)), "Agent": Filler("A dog", ("dog",))}
    >>> frame = Frame("bark", fillers)
    >>> frame.fillers["Agent"].text, frame.negated
    ('A dog', False)
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
        # A read-only view has no copy of its own.
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return Frame, tuple((values | {"fillers": dict(self.fillers)}).values())

    @property
    def roles(self) -> Mapping[str, Filler]:
        """The fillers by role, as :attr:`RoleStructure.roles` has those of the main frame."""
        return self.fillers

    def to_dict(self, tree: DependencyTree | None = None) -> dict[str, Any]:
        """Data as ``hybridsem parse --format json`` prints it; ``tree`` spells arguments."""
        semantics: dict[str, Any] = (
            {"roleset": self.roleset} if self.roleset is not None or self.arguments else {}
        )
        if self.arguments and tree is not None:
            semantics["arguments"] = [
                {
                    "label": argument.label,
                    "verbnet": list(argument.verbnet),
                    "role": None if argument.role is None else str(argument.role),
                    "text": tree.phrase(argument.tokens),
                }
                for argument in self.arguments
            ]
        return {
            "predicate": self.predicate,
            "roles": {str(role): filler.text for role, filler in self.fillers.items()},
            "negated": self.negated,
            "modality": self.modality,
            "voice": self.voice,
            **semantics,
        }


def _rendering() -> Any:
    """What draws structures, which stands above them: it is found by name when needed."""
    return import_module("hybridsem.render")


@dataclass(frozen=True)
class RoleStructure:
    """A sentence as roles.

    Attributes:
        text: The sentence.
        frames: At least one frame; the main predicate's is the first.
        formalism: ``verbnet`` (the eight roles), ``dependency`` or ``amr`` (paths of labels).
        tree: The dependency tree, where the parser has one.
        truncated: Whether the text goes on after what was read.
        graph: The AMR graph that the roles were read off.
    """

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
        """Plain data, as ``hybridsem parse --format json`` prints it.

        >>> frame = Frame("rain", {"Verb": Filler("rains", ("rain",))})
        >>> RoleStructure("It rains.", (frame,)).to_dict()["frames"][0]["roles"]
        {'Verb': 'rains'}
        """
        return {
            "text": self.text,
            "formalism": self.formalism,
            "frames": [frame.to_dict(self.tree) for frame in self.frames],
            "truncated": self.truncated,
            **(
                {"graph": self.graph.to_penman(metadata=False, indent=None)}
                if self.graph is not None
                else {}
            ),
        }

    def __repr__(self) -> str:
        frames = "; ".join(
            f"{frame.predicate}"
            f"({', '.join(f'{role}={filler.text!r}' for role, filler in frame.fillers.items())})"
            for frame in self.frames
        )
        return f"RoleStructure({self.text!r}: {frames})"

    def __str__(self) -> str:
        shown: str = _rendering().parsed_as_text(self)
        return shown.rstrip("\n")

    def _repr_html_(self) -> str:
        drawn: str = _rendering().parsed_as_html(self)
        return drawn


@dataclass(frozen=True, slots=True)
class ParseFailure:
    """Stands in a list of structures where a sentence has none, and says why.

    >>> ParseFailure("???", "has no words").reason
    'has no words'
    """

    text: str
    reason: str

    def _repr_html_(self) -> str:
        drawn: str = _rendering().parsed_as_html(self)
        return drawn


Parsed = RoleStructure | ParseFailure
"""What a parser gives for a sentence."""


class Parses(list[Parsed]):
    """What a pipeline gives for sentences: a list that notebooks draw.

    >>> from hybridsem import Pipeline
    >>> found = Pipeline().parse(["A dog barked.", "It rains."])
    >>> len(found), found[0].main.predicate
    (2, 'bark')
    """

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def _repr_html_(self) -> str:
        drawn: str = _rendering().parses_as_html(self)
        return drawn
