"""An AMR graph under construction.

    Draft
      words      the tree and questions about it; never changes
      frames     the table of frames; never changes
      grammar    the functions that build or attach each kind of phrase; never changes
      graph      nodes, edges and constants so far
      core, top  word -> its own node, and the node of its phrase ("and", a modality, a degree)
      used       words that already have a place in the graph

Phrases contain phrases of other kinds, so the modules of the kinds do not import each other, but
read the grammar through the draft.
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
from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.words import DEEPEST, Frames, Words
from hybridsem.structures import DependencyTree

NOT_IN_CONCEPTS = re.compile(r"[\s\x00-\x1f\x7f()/:~\"\\#^|]+")
NOT_IN_STRINGS = re.compile(r"[\s\x00-\x1f\x7f\"\\]+")
INVERSES = {"mod": "domain", "domain": "mod"}
NOT_INVERSE = ("consist-of", "prep-on-behalf-of", "prep-out-of")
NO_CONCEPT = "thing"
AGAINST = 1000  # the cost of an inverted edge, which is only used where no other reaches a node


class GraphBuilder:
    """Nodes, edges and constants, which :meth:`finish` arranges under a root."""

    def __init__(self) -> None:
        self.concepts: list[str] = []
        self.edges: dict[tuple[int, str, int], bool] = {}  # True: given in the inverted direction
        self.values: dict[tuple[int, str, str], None] = {}

    def node(self, concept: str) -> int:
        """Add a node; characters that a concept cannot contain are removed."""
        if not concept.isascii():  # "naïve" is naive; other scripts stay as they are
            plain = normalize("NFKD", concept).encode("ascii", "ignore").decode()
            concept = plain if len(plain) == len(concept) else concept
        kept = NOT_IN_CONCEPTS.sub("-", concept).strip("-").lower()
        self.concepts.append(kept if kept and kept[0] not in "+'" else NO_CONCEPT)
        return len(self.concepts) - 1

    def edge(self, source: int, role: str, target: int) -> None:
        """Add an edge, inverted if its role ends in ``-of``; loops are ignored."""
        inverted = role.endswith("-of") and role not in NOT_INVERSE
        if inverted:
            source, role, target = target, role.removesuffix("-of"), source
        if source != target:
            self.edges.setdefault((source, role, target), inverted)

    def value(self, source: int, role: str, constant: str) -> None:
        """Add a constant: a number, ``-``, or a keyword of AMR."""
        self.values[source, role, constant] = None

    def name(self, source: int, words: list[str]) -> None:
        """Add the name of a named entity."""
        name = self.node("name")
        self.edge(source, "name", name)
        kept = [word for word in (NOT_IN_STRINGS.sub("", w) for w in words) if word]
        for i, word in enumerate(kept or ["?"], start=1):
            self.value(name, f"op{i}", f'"{word}"')

    def has(self, source: int, role: str) -> bool:
        """Test if a node has an argument or a constant with a role."""
        return any(s == source and r == role for s, r, _t in (*self.edges, *self.values))

    def target(self, source: int, role: str) -> int | None:
        """Return the first node in a role of ``source``."""
        return next((t for s, r, t in self.edges if s == source and r == role), None)

    def finish(self, top: int, text: str) -> AmrGraph:
        """Return the graph under ``top``, without unconnected nodes."""
        below = self._arranged(self._spanning(top))
        names: dict[int, str] = {}
        taken: Counter[str] = Counter()
        triples: list[tuple[int, str, int | str]] = []
        stack = [(-1, "", top, True)]
        while stack:
            source, role, node, opens = stack.pop()
            if source >= 0:
                triples.append((source, f":{role}", node))
            if opens:
                first = self.concepts[node][0]
                letter = first if "a" <= first <= "z" else "x"
                taken[letter] += 1
                names[node] = letter if taken[letter] == 1 else f"{letter}{taken[letter]}"
                triples.append((node, INSTANCE, self.concepts[node]))
                triples += [(node, f":{r}", value) for of, r, value in self.values if of == node]
                stack += [(node, *branch) for branch in reversed(below.get(node, ()))]
        written = (
            Triple(names[source], role, names[target] if isinstance(target, int) else target)
            for source, role, target in triples
        )
        return AmrGraph(text, tuple(written))

    def _arranged(
        self, above: dict[int, tuple[int, str]]
    ) -> dict[int, list[tuple[str, int, bool]]]:
        """Return the branches below each node: role, node, and if this is its first mention.
        ``above`` are the edges of the first mentions.
        """
        below: dict[int, list[tuple[str, int, bool]]] = {}
        for (source, role, target), inverted in self.edges.items():
            if source not in above or target not in above:
                continue
            opens = above[target] == (source, role)
            if not opens:
                opens = above[source] == (target, f"{role}<")
                if opens or inverted:
                    role = INVERSES.get(role, f"{role}-of") if opens else f"{role}-of"
                    source, target = target, source
            below.setdefault(source, []).append((role, target, opens))
        return below

    def _spanning(self, top: int) -> dict[int, tuple[int, str]]:
        """Return the edge that first mentions each node: other end and role (``<``: inverted)."""
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
# Relations of words that add no node by themselves.
NODELESS = frozenset(
    {"punct", "cc", "conj", "cop", "case", "mark"}
    | {"aux", "expl", "det", "fixed", "goeswith", "dislocated"}
)
IS_FRAME = re.compile(r".*-\d\d")
NOT_FROM_ADJECTIVES = frozenset({"only", "early", "daily", "weekly", "family"})


class Link(NamedTuple):
    """A dependent ``word`` of ``head``, whose node in the graph is ``core``."""

    word: int
    head: int
    core: int
    passive: bool = False  # the head is a passive verb


class Gap(NamedTuple):
    """The node that a clause modifies, and its syntactic place in the clause."""

    node: int
    place: str


Attach = Callable[["Draft", Link], int | None]
"""Attach a dependent; may return another node for the phrase of the head."""


class Grammar(NamedTuple):
    """The functions that build phrases, and attach them by relation."""

    build: Callable[[Draft, int], int]  # the node of a phrase without its conjuncts
    beside_nouns: Mapping[str, Attach]
    beside_predicates: Mapping[str, Attach]


class Draft:
    """The graph of one sentence under construction."""

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
        self.apart: int | None = None  # a clause that is read separately from its noun

    def assign(self, i: int, node: int) -> int:
        """Make ``node`` the node of a word and of its phrase; return it."""
        self.core[i] = self.top[i] = node
        return node

    def new(self, i: int, concept: str) -> int:
        """Add a node for a word and its phrase."""
        return self.assign(i, self.graph.node(concept))

    def known(self, i: int | None) -> int | None:
        """Return the node of a word's phrase so far, else its own, else None."""
        return None if i is None else self.top.get(i, self.core.get(i))

    def person(self, concept: str) -> int:
        """Return the single node of a personal pronoun."""
        if concept not in self._persons:
            self._persons[concept] = self.graph.node(concept)
        return self._persons[concept]

    def is_frame(self, node: int) -> bool:
        """Test if the concept of a node is a frame."""
        return IS_FRAME.fullmatch(self.graph.concepts[node]) is not None

    def argument(self, node: int, place: str, default: str) -> str:
        """Return the role in a syntactic place of a node's frame."""
        return self.frames.role(self.graph.concepts[node], place) or default

    def phrase_argument(self, node: int, place: str) -> str | None:
        """Return the role of a phrase in a place of a node's frame (see :meth:`Frames.placed`)."""
        return self.frames.placed(self.graph.concepts[node], place)

    def listed_argument(self, node: int, place: str) -> str | None:
        """Return the role that the table of frames lists for a place of a node's frame."""
        return self.frames.roles.get(self.graph.concepts[node], {}).get(place)

    def subject(self, node: int) -> int | None:
        """Return the subject of a predicate's node so far."""
        agent = self.graph.target(node, "ARG0")
        return agent if agent is not None else self.graph.target(node, "ARG1")

    def put_above(self, node: int, concept: str, role: str = "op1") -> int:
        """Add a node that has ``node`` in a role; return it."""
        above = self.graph.node(concept)
        self.graph.edge(above, role, node)
        return above

    def put_cause(self, core: int, reason: int) -> None:
        """Make ``reason`` the cause of the event of a node."""
        self.graph.edge(self.put_above(reason, "cause-01", "ARG0"), "ARG1", core)

    @property
    def is_deepest(self) -> bool:
        """Test if nesting is at its limit, where a phrase becomes its head word."""
        return self._depth >= DEEPEST

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Go one phrase deeper."""
        self._depth += 1
        yield
        self._depth -= 1

    def node_of(self, i: int) -> int:
        """Return the node of the phrase of a word with its conjuncts; build it if needed."""
        if i in self.top:
            return self.top[i]
        self.used.add(i)
        if self.is_deepest:
            return self.new(i, self.words.lemma[i])
        with self.deeper():
            return self.coordinate(i, self.grammar.build(self, i))

    def coordinate(self, i: int, first: int) -> int:
        """Return the node of the phrase of ``i``, whose node is ``first``, with its conjuncts."""
        words, graph = self.words, self.graph
        others = [c for c in words.below(i, "conj") if c not in self.top and words.is_content(c)]
        if not others:
            self.top[i] = first
            return first
        conjunctions = (words.lower[d] for c in (*others, i) for d in words.below(c, "cc"))
        known = [tables.CONJUNCTIONS[word] for word in conjunctions if word in tables.CONJUNCTIONS]
        concept = (known or ["and"])[-1]
        concept = "and" if concept == "contrast-01" and len(others) > 1 else concept
        above = self.top[i] = graph.node(concept)
        role = "ARG" if concept == "contrast-01" else "op"
        graph.edge(above, f"{role}1", first)
        for n, c in enumerate(others, start=2):
            graph.edge(above, f"{role}{n}", self.node_of(c))
        return above

    def attach_to_predicate(self, link: Link) -> None:
        """Attach a dependent of a predicate."""
        words, c = self.words, link.word
        base = words.base[c]
        if c in self.used and base not in ("obj", "iobj"):
            return
        if base in NODELESS or words.relation[c] == "compound:prt" or words.is_negator(c):
            return
        table = self.grammar.beside_predicates
        table.get(base, table["dep"])(self, link)

    def verb_node(self, i: int, passive: bool) -> int:
        """Return the node of a verb; its object, or an adverb ("down"), may change the sense."""
        words, frames, lemma = self.words, self.frames, self.words.lemma[i]
        objects = words.below(i, "obj")
        for (verb, concept), nouns in tables.OBJECT_SENSES.items():
            if verb == lemma and any(words.lemma[o] in nouns for o in objects):
                return self.new(i, concept)
        for c in words.below(i, "advmod"):
            joined = frames.words.get(f"{lemma}+{words.lower[c]}/VERB")
            if joined and c > i and not words.children(c):
                self.used.add(c)
                return self.new(i, joined)
        transitive = passive or bool(words.below(i, "obj", "ccomp", "xcomp"))
        return self.new(i, frames.verb(lemma, words.particle(i), transitive))

    def adjective_concept(self, i: int) -> str:
        """Return the concept of an adjective; "better" has that of "good"."""
        lemma = self.words.lemma[i]
        known = tables.ADJECTIVE_SENSES.get(lemma) or tables.COMPARED.get(self.words.lower[i])
        return known or self._listed(lemma, "ADJ")

    def noun_concept(self, i: int) -> str:
        """Return the concept of a noun: a frame if it names an event."""
        words = self.words
        return self._listed(tables.INDEFINITE.get(words.lower[i], words.lemma[i]), "NOUN")

    def _listed(self, lemma: str, pos: str) -> str:
        return lemma if lemma in tables.PLAIN else self.frames.of(lemma, pos) or lemma

    def adverb_concept(self, i: int) -> str:
        """Return the concept of an adverb: that of the adjective it derives from."""
        word, lemma = self.words.lower[i], self.words.lemma[i]
        if listed := self.frames.of(lemma, "ADV"):
            return listed
        if not word.endswith("ly") or len(word) < 5 or word in NOT_FROM_ADJECTIVES:
            return lemma
        stem = word[:-2]
        likely = f"{stem[:-1]}y" if stem.endswith("i") else stem
        for adjective in (stem, likely, f"{stem}le", f"{stem}l", stem[:-2]):
            concept = tables.ADJECTIVE_SENSES.get(adjective) or self.frames.of(adjective, "ADJ")
            if concept and adjective not in tables.PLAIN:
                return concept
        return likely
