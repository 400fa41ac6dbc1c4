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

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from hybridsem.parsers.amr_rules.frames import Frames
from hybridsem.parsers.amr_rules.graph import GraphBuilder
from hybridsem.parsers.amr_rules.words import DEEPEST, Words
from hybridsem.structures import DependencyTree

__all__ = ["SILENT", "UNKNOWN", "Attach", "Draft", "Gap", "Grammar", "Link"]

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
