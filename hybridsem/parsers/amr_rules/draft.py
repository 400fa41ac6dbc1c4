"""An AMR graph while it is built: nodes are numbers, edges point from head to argument, the
notation comes last.
"""

from __future__ import annotations

import heapq
import re
from unicodedata import normalize

from hybridsem.amr import INSTANCE, MAX_DEPTH, AmrGraph, Triple

__all__ = ["Builder"]

NOT_IN_CONCEPTS = re.compile(r"[\s\x00-\x1f\x7f()/:~\"\\#^|]+")
NOT_IN_STRINGS = re.compile(r"[\s\x00-\x1f\x7f\"\\]+")
INVERSES = {"mod": "domain", "domain": "mod"}
NOT_INVERSE = ("consist-of", "prep-on-behalf-of", "prep-out-of")  # roles whose own name ends so
NO_CONCEPT = "thing"
# So dear is an edge against its direction that one is only taken where no other way leads to a
# node.
AGAINST = 1000


class Builder:
    """Collects nodes, edges and constants; :meth:`finish` arranges them under a root."""

    def __init__(self) -> None:
        self.concepts: list[str] = []
        self.edges: dict[
            tuple[int, str, int], bool
        ] = {}  # whether it was given against its direction
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

    def source(self, target: int, role: str) -> int:
        """The first node that has ``target`` in a role."""
        return next(s for s, r, t in self.edges if t == target and r == role)

    def finish(self, top: int, text: str) -> AmrGraph:
        """The graph under ``top``. What no edge leads to is left out."""
        above = self._spanning(top)
        below: dict[int, list[tuple[str, int, bool]]] = {}
        for (source, role, target), inverted in self.edges.items():
            if source in above and target in above:
                if above[target] == (source, role):
                    below.setdefault(source, []).append((role, target, True))
                elif above[source] == (target, f"{role}<"):
                    below.setdefault(target, []).append(
                        (INVERSES.get(role, f"{role}-of"), source, True)
                    )
                elif inverted:
                    below.setdefault(target, []).append((f"{role}-of", source, False))
                else:
                    below.setdefault(source, []).append((role, target, False))
        constants: dict[int, list[tuple[str, str]]] = {}
        for node, role, constant in self.values:
            constants.setdefault(node, []).append((role, constant))

        names: dict[int, str] = {}
        taken: dict[str, int] = {}
        triples: list[tuple[int, str, int | str]] = []
        stack: list[tuple[int, str, int, bool]] = [(-1, "", top, True)]
        while stack:
            source, role, node, first = stack.pop()
            if source >= 0:
                triples.append((source, role, node))
            if not first:
                continue
            concept = self.concepts[node]
            letter = concept[0] if "a" <= concept[0] <= "z" else "x"
            taken[letter] = taken.get(letter, 0) + 1
            names[node] = letter if taken[letter] == 1 else f"{letter}{taken[letter]}"
            triples.append((node, INSTANCE, concept))
            triples += [(node, role, constant) for role, constant in constants.get(node, ())]
            stack += [
                (node, role, target, opens) for role, target, opens in reversed(below.get(node, ()))
            ]
        written = tuple(
            Triple(
                names[source],
                role if role == INSTANCE else f":{role}",
                names[target] if isinstance(target, int) else target,
            )
            for source, role, target in triples
        )
        return AmrGraph(text, written)

    def _spanning(self, top: int) -> dict[int, tuple[int, str]]:
        """The edge over which each node is first mentioned: its other end and role, ``<`` where it
        is inverted.
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
