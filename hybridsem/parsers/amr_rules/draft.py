"""An AMR while it is built from a tree: its graph, and which nodes the words have so far.

    Draft
      words      the tree and what is asked of it; never changes
      frames     the table of frames; never changes
      grammar    which function builds or attaches which phrase; never changes
      graph      nodes, edges and constants so far
      core, top  word -> its own node, and the node of its phrase ("and", a modality, a degree)
      used       words that have their place in the graph

Every function that builds takes the draft first. Phrases hold phrases of every other kind, so the
modules of the kinds do not import each other: they go through ``phrases.py``, which looks into the
grammar's tables.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple
from unicodedata import normalize

from hybridsem.amr import INSTANCE, MAX_DEPTH, AmrGraph, Triple
from hybridsem.parsers.amr_rules.words import DEEPEST, Frames, Words
from hybridsem.structures import DependencyTree

NOT_IN_CONCEPTS = re.compile(r"[\s\x00-\x1f\x7f()/:~\"\\#^|]+")
NOT_IN_STRINGS = re.compile(r"[\s\x00-\x1f\x7f\"\\]+")
INVERSES = {"mod": "domain", "domain": "mod"}
NOT_INVERSE = ("consist-of", "prep-on-behalf-of", "prep-out-of")  # roles whose own name ends so
NO_CONCEPT = "thing"
# The cost of an edge against its direction: one is taken only where no other way leads to a node.
AGAINST = 1000


class _Branch(NamedTuple):
    """A node as it is written below another: its role, and whether it is its first mention."""

    role: str
    node: int
    opens: bool


class _Names:
    """The variables of nodes: the first letter of the concept, numbered from the second on."""

    def __init__(self, concepts: list[str]) -> None:
        self.of: dict[int, str] = {}
        self._concepts = concepts
        self._taken: Counter[str] = Counter()

    def give(self, node: int) -> None:
        """Name a node that has no name yet."""
        first = self._concepts[node][0]
        letter = first if "a" <= first <= "z" else "x"
        self._taken[letter] += 1
        count = self._taken[letter]
        self.of[node] = letter if count == 1 else f"{letter}{count}"


class GraphBuilder:
    """Collects nodes, edges and constants; :meth:`finish` arranges them under a root."""

    def __init__(self) -> None:
        self.concepts: list[str] = []
        # with whether the edge was given against its direction
        self.edges: dict[tuple[int, str, int], bool] = {}
        self.values: dict[tuple[int, str, str], None] = {}

    def node(self, concept: str) -> int:
        """A new node; what a concept cannot hold is left out of it."""
        if not concept.isascii():  # "naïve" is naive; other scripts stay as they are
            plain = normalize("NFKD", concept).encode("ascii", "ignore").decode()
            concept = plain if len(plain) == len(concept) else concept
        kept = NOT_IN_CONCEPTS.sub("-", concept).strip("-").lower()
        self.concepts.append(kept if kept and kept[0] not in "+'" else NO_CONCEPT)
        return len(self.concepts) - 1

    def edge(self, source: int, role: str, target: int) -> None:
        """An edge, with ``-of`` one against its direction. A node is no argument of itself."""
        inverted = role.endswith("-of") and role not in NOT_INVERSE
        if inverted:
            source, role, target = target, role.removesuffix("-of"), source
        if source != target:
            self.edges.setdefault((source, role, target), inverted)

    def discard(self, source: int, role: str, target: int) -> None:
        """Take an edge back, if it is there."""
        self.edges.pop((source, role, target), None)

    def value(self, source: int, role: str, constant: str) -> None:
        """A constant: a number, ``-``, or a word of AMR's own."""
        self.values[source, role, constant] = None

    def name(self, source: int, words: list[str]) -> None:
        """The name of a named entity."""
        name = self.node("name")
        self.edge(source, "name", name)
        kept = [word for word in (NOT_IN_STRINGS.sub("", w) for w in words) if word]
        for i, word in enumerate(kept or ["?"], start=1):
            self.value(name, f"op{i}", f'"{word}"')

    def has(self, source: int, role: str) -> bool:
        """Whether a node has an argument or a constant with that role."""
        return any(s == source and r == role for s, r, _t in (*self.edges, *self.values))

    def target(self, source: int, role: str) -> int | None:
        """The first node that stands in a role of ``source``."""
        return next((t for s, r, t in self.edges if s == source and r == role), None)

    def finish(self, top: int, text: str) -> AmrGraph:
        """The graph under ``top``. What no edge leads to is left out."""
        constants: dict[int, list[tuple[str, str]]] = {}
        for node, role, constant in self.values:
            constants.setdefault(node, []).append((role, constant))
        below = self._arranged(self._spanning(top))
        names = _Names(self.concepts)
        triples: list[tuple[int, str, int | str]] = []
        stack = [(-1, _Branch("", top, opens=True))]
        while stack:
            source, (role, node, opens) = stack.pop()
            if source >= 0:
                triples.append((source, role, node))
            if opens:
                names.give(node)
                triples.append((node, INSTANCE, self.concepts[node]))
                triples += [(node, role, constant) for role, constant in constants.get(node, ())]
                stack += [(node, branch) for branch in reversed(below.get(node, ()))]
        written = tuple(
            Triple(
                names.of[source],
                role if role == INSTANCE else f":{role}",
                names.of[target] if isinstance(target, int) else target,
            )
            for source, role, target in triples
        )
        return AmrGraph(text, written)

    def _arranged(self, above: dict[int, tuple[int, str]]) -> dict[int, list[_Branch]]:
        """What is written below each node, from the edges over which nodes are first mentioned."""
        below: dict[int, list[_Branch]] = {}
        for (source, role, target), inverted in self.edges.items():
            if source not in above or target not in above:
                continue
            if above[target] == (source, role):
                below.setdefault(source, []).append(_Branch(role, target, opens=True))
            elif above[source] == (target, f"{role}<"):
                inverse = INVERSES.get(role, f"{role}-of")
                below.setdefault(target, []).append(_Branch(inverse, source, opens=True))
            elif inverted:
                below.setdefault(target, []).append(_Branch(f"{role}-of", source, opens=False))
            else:
                below.setdefault(source, []).append(_Branch(role, target, opens=False))
        return below

    def _spanning(self, top: int) -> dict[int, tuple[int, str]]:
        """The edge over which each node is first mentioned: its other end and its role.

        The role of an edge that is taken against its direction ends in ``<``.
        """
        around: dict[int, list[tuple[int, int, str]]] = {}
        for source, role, target in self.edges:
            around.setdefault(source, []).append((1, target, role))
            around.setdefault(target, []).append((AGAINST, source, f"{role}<"))
        above: dict[int, tuple[int, str]] = {}
        queue: list[tuple[int, int, int, int, str, int]] = [(0, 0, top, -1, "", 0)]
        order = 0
        while queue:
            cost, _, node, source, role, depth = heapq.heappop(queue)
            if node in above or depth >= MAX_DEPTH:
                continue
            above[node] = (source, role)
            for price, other, label in around.get(node, ()):
                if other not in above:
                    order += 1
                    heapq.heappush(queue, (cost + price, order, other, node, label, depth + 1))
        return above


UNKNOWN = "amr-unknown"
# Relations of words that add nothing by themselves.
SILENT = frozenset(
    {"punct", "cc", "conj", "cop", "case", "mark"}
    | {"aux", "expl", "det", "fixed", "goeswith", "dislocated"}
)
IS_FRAME = re.compile(r".*-\d\d")


class Link(NamedTuple):
    """A word that hangs from another, whose node in the graph is ``core``."""

    word: int
    head: int
    core: int
    passive: bool = False  # whether the head is a passive verb


class Gap(NamedTuple):
    """The node that a clause modifies, and its syntactic place in the clause."""

    node: int
    place: str


Attach = Callable[["Draft", Link], int | None]
"""Attaches a dependent; may return another node to stand for the phrase it hangs from."""


class Grammar(NamedTuple):
    """The functions by which phrases are built, and attached by their relation or its base."""

    build: Callable[[Draft, int], int]  # the node of a phrase without what is coordinated with it
    beside_nouns: Mapping[str, Attach]
    beside_predicates: Mapping[str, Attach]


class Draft:
    """The graph of one sentence while it is built."""

    def __init__(self, tree: DependencyTree, frames: Frames, grammar: Grammar) -> None:
        self.words = Words(tree)
        self.frames = frames
        self.grammar = grammar
        self.graph = GraphBuilder()
        self.core: dict[int, int] = {}
        self.top: dict[int, int] = {}
        self.used: set[int] = set()
        self._persons: dict[str, int] = {}
        self._depth = 0
        self._apart: int | None = None

    # --- the nodes of words

    def assign(self, i: int, node: int) -> int:
        """Make a node the one of a word and of its phrase; returns it."""
        self.core[i] = self.top[i] = node
        return node

    def new(self, i: int, concept: str) -> int:
        """A new node for a word and its phrase."""
        return self.assign(i, self.graph.node(concept))

    def known(self, i: int | None) -> int | None:
        """The node of a word's phrase if there is one so far, else its own."""
        return None if i is None else self.top.get(i, self.core.get(i))

    def person(self, concept: str) -> int:
        """The one node of a personal pronoun."""
        if concept not in self._persons:
            self._persons[concept] = self.graph.node(concept)
        return self._persons[concept]

    # --- frames and their arguments

    def is_frame(self, node: int) -> bool:
        """Whether the concept of a node is a sense of PropBank's or one of AMR's own frames."""
        return IS_FRAME.fullmatch(self.graph.concepts[node]) is not None

    def argument(self, node: int, place: str, default: str) -> str:
        """The role in a syntactic place of a node's frame."""
        return self.frames.role(self.graph.concepts[node], place) or default

    def phrase_argument(self, node: int, place: str) -> str | None:
        """The role of a phrase in a place of a node's frame, with like prepositions as one."""
        return self.frames.placed(self.graph.concepts[node], place)

    def listed_argument(self, node: int, place: str) -> str | None:
        """The role in a place of a node's frame, only where the table of frames has it."""
        return self.frames.roles.get(self.graph.concepts[node], {}).get(place)

    def subject(self, node: int) -> int | None:
        """The subject that a predicate's node has so far."""
        agent = self.graph.target(node, "ARG0")
        return agent if agent is not None else self.graph.target(node, "ARG1")

    def put_above(self, node: int, concept: str, role: str = "op1") -> int:
        """A new node that has ``node`` in a role; returns the new one."""
        above = self.graph.node(concept)
        self.graph.edge(above, role, node)
        return above

    def put_cause(self, core: int, reason: int) -> None:
        """Give what a node says a reason."""
        cause = self.graph.node("cause-01")
        self.graph.edge(cause, "ARG0", reason)
        self.graph.edge(cause, "ARG1", core)

    # --- where in the tree the work is

    @property
    def is_deepest(self) -> bool:
        """Whether phrases are within each other so far that the next gets its word and no more."""
        return self._depth >= DEEPEST

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """One phrase further down."""
        self._depth += 1
        yield
        self._depth -= 1

    @contextmanager
    def without(self, clause: int) -> Iterator[None]:
        """Leave out a clause that is read apart from the noun that it hangs from."""
        self._apart = clause
        yield
        self._apart = None

    def is_left_out(self, clause: int) -> bool:
        """Whether a clause is read apart from the noun that it hangs from."""
        return clause == self._apart
