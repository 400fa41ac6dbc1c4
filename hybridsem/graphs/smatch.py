"""Smatch (Cai & Knight 2013): the F1 of two graphs' triples under the best mapping of their nodes.

    matched     triples of one graph that the mapping finds in the other; the F1 is
                2·matched / (triples1 + triples2)
    mapping     (node of graph 1, node of graph 2), each node at most once
    bound       what no mapping can pass; equal to ``matched`` where the mapping is proven best

The search is the hill climbing of the ``smatch`` package, from five starts as there, in a copy of
the module whose random numbers and memory are our own. ``exact`` solves the integer programme with
HiGHS instead. Graphs that are too large for hill climbing are matched by repeated linear
assignment. All of it is deterministic and does not depend on which graph comes first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hybridsem.graphs import _smatch_search as search
from hybridsem.graphs.triples import Triples

__all__ = ["Smatch", "smatch"]

CLIMBED = 1_600
"""Up to this product of the two graphs' numbers of nodes they are matched by hill climbing, which
takes 0.2 s there and grows with more than the third power of the nodes.
"""


@dataclass(frozen=True)
class Smatch:
    """How two graphs match: see the module. ``nodes`` tells for each pair of ``mapping`` what it
    matches: a concept, a constant or the top counts 1, an edge 1/2 at either end.

    >>> found = Smatch(matched=2, triples1=2, triples2=4, bound=2)
    >>> found.precision, found.recall, round(found.f1, 2), found.gap
    (1.0, 0.5, 0.67, 0.0)
    """

    matched: int
    triples1: int
    triples2: int
    bound: int
    mapping: tuple[tuple[int, int], ...] = ()
    nodes: tuple[float, ...] = ()

    @property
    def precision(self) -> float:
        """The share of the first graph's triples that are matched."""
        return self.matched / self.triples1

    @property
    def recall(self) -> float:
        """The share of the second graph's triples that are matched."""
        return self.matched / self.triples2

    @property
    def f1(self) -> float:
        """Their harmonic mean, in [0, 1]."""
        return self._f1(self.matched)

    @property
    def gap(self) -> float:
        """How much higher a better mapping's F1 could be; 0 where the mapping is proven best."""
        return self._f1(self.bound) - self.f1

    def _f1(self, matched: int) -> float:
        return 2 * matched / (self.triples1 + self.triples2)

    def __add__(self, other: Smatch) -> Smatch:
        """The sum of both counts, for the corpus score of the ``smatch`` tool; without mappings."""
        return Smatch(
            self.matched + other.matched,
            self.triples1 + other.triples1,
            self.triples2 + other.triples2,
            self.bound + other.bound,
        )


def smatch(first: Triples, second: Triples, *, exact: bool = False) -> Smatch:
    """How two graphs match: Cai & Knight 2013. ``first``: the graph whose triples precision is of;
    ``second``: the graph whose triples recall is of; ``exact``: prove the mapping best with an
    integer programme where that is within reach, see :mod:`hybridsem.graphs._smatch_exact`, and
    else narrow ``gap``. Raises :class:`MissingExtraError` without the ``smatch`` package.
    """
    swapped = _key(second) < _key(first)
    one, two = (second, first) if swapped else (first, second)
    mapping, bound = _best(one, two, exact)
    pairs = [(j, i) for i, j in mapping] if swapped else list(mapping)
    support = search.support(first, second, dict(pairs))
    kept = sorted(pair for pair in pairs if support[pair])
    matched = round(sum(support.values()))
    return Smatch(
        matched,
        len(first),
        len(second),
        max(bound, matched),
        tuple(kept),
        tuple(support[pair] for pair in kept),
    )


def _key(graph: Triples) -> tuple[object, ...]:
    """Graphs in a fixed order, so that a pair is searched alike in either direction."""
    return len(graph.concepts), graph.concepts, graph.edges, graph.attributes


def _best(one: Triples, two: Triples, exact: bool) -> tuple[Sequence[tuple[int, int]], int]:
    bound = _bound(one, two)
    if one == two:
        return [(i, i) for i in range(len(one.concepts))], bound
    large = len(one.concepts) * len(two.concepts) > CLIMBED
    mapping = (search.assigned if large else search.climbed)(one, two, bound)
    matched = search.count(one, two, mapping)
    if exact and matched < bound:
        from hybridsem.graphs._smatch_exact import solve

        solved, proven = solve(one, two, bound)
        bound = min(bound, proven)
        if search.count(one, two, solved) > matched:
            mapping = solved
    return mapping, bound


def _bound(one: Triples, two: Triples) -> int:
    """What no mapping can pass: the triples that both have, whichever nodes they are about."""
    kinds = [
        Counter(
            [
                *graph.concepts,
                *((role,) for _, role, _ in graph.edges),
                *((role, value) for _, role, value in graph.attributes),
                None,
            ]
        )
        for graph in (one, two)
    ]
    return (kinds[0] & kinds[1]).total()
