"""An AMR graph while it is built: numbered nodes, edges from head to argument, notation last."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from typing import NamedTuple
from unicodedata import normalize

from hybridsem.amr import INSTANCE, MAX_DEPTH, AmrGraph, Triple

__all__ = ["GraphBuilder"]

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
