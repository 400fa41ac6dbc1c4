"""Smatch (Cai & Knight 2013): the F1 of two graphs' triples under the best mapping of their nodes.

    matched     triples of one graph that the mapping finds in the other; the F1 is
                2·matched / (triples1 + triples2)
    mapping     (node of graph 1, node of graph 2), each node at most once
    bound       an upper bound of ``matched``; equal to it where the mapping is proven best

As in the ``smatch`` package, ``:mod`` is the inverse of ``:domain``, and one with a constant does
not count; the strict reading counts the triples as written.

The search is the hill climbing of the package with its five starts and our own random
numbers, one pair at a time. ``exact`` solves the integer program with HiGHS instead. Large graphs
are matched by repeated linear assignment. All of it is deterministic and symmetric.
"""

from __future__ import annotations

import math
import operator
import random
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from hybridsem._utils.assignment import assignment
from hybridsem._utils.extras import extra
from hybridsem.graphs.triples import Triples

STARTS = 5
"""One guided and four random starts, as the ``smatch`` tool has by default."""

ROUNDS, ROUNDED, STEP = 60, 20_000_000, 0.2
"""Limits on the assignments of a large graph, and the weight of a new one."""

Pair = tuple[int, int]

_LOCK = threading.Lock()  # the package has global state


class _Random(random.Random):
    """Random numbers for the package, which reseeds its generator from the clock."""

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Ignore seeds from the clock."""
        if a is not None:
            super().seed(a, version)


def count(one: Triples, two: Triples, mapping: Sequence[tuple[int, int]]) -> int:
    """Return the number of triples that a mapping matches."""
    return round(sum(support(one, two, dict(mapping)).values()))


def support(one: Triples, two: Triples, mapping: dict[int, int]) -> dict[tuple[int, int], float]:
    """Return the matches of a mapping's pairs: a concept, constant or top 1, an edge's end 1/2."""
    found = dict.fromkeys(mapping.items(), 0.0)
    edges: set[tuple[int | None, str, int | None]] = {*two.edges}
    attributes = set(two.attributes)
    for pair in mapping.items():
        i, j = pair
        found[pair] += (one.concepts[i] == two.concepts[j]) + (pair == (0, 0))
    for i, role, value in one.attributes:
        if i in mapping and (mapping[i], role, value) in attributes:
            found[i, mapping[i]] += 1
    for source, role, target in one.edges:
        if (mapping.get(source), role, mapping.get(target)) in edges:
            found[source, mapping[source]] += 0.5
            found[target, mapping[target]] += 0.5
    return found


def climbed(one: Triples, two: Triples, bound: int) -> list[tuple[int, int]]:
    """Return the best mapping of hill climbing, with random starts if it is below ``bound``."""
    with extra("smatch", "graphs"):
        package: Any = import_module("smatch")
    arguments = (*_as_package(one, "a"), *_as_package(two, "b"), "a", "b")
    with _LOCK:
        before = package.random, package.iteration_num
        package.random = _Random(0)
        try:
            for package.iteration_num in (1, STARTS):
                mapping, matched = package.get_best_match(*arguments)
                if matched >= bound:
                    break
        finally:
            package.random, package.iteration_num = before
            package.match_triple_dict.clear()
    return [(i, j) for i, j in enumerate(mapping) if j >= 0]


def _as_package(graph: Triples, prefix: str) -> tuple[list[tuple[str, str, str]], ...]:
    """Return instances, attributes and relations in the form of the package."""
    node = [f"{prefix}{i}" for i in range(len(graph.concepts))]
    return (
        [("instance", name, concept) for name, concept in zip(node, graph.concepts, strict=True)],
        [*((role, node[i], value) for i, role, value in graph.attributes), ("TOP", node[0], "")],
        [(role, node[source], node[target]) for source, role, target in graph.edges],
    )


def assigned(one: Triples, two: Triples, bound: int) -> list[tuple[int, int]]:
    """Return the best of a series of linear assignments, a Frank-Wolfe ascent with a fixed step.
    Each weighs a pair of nodes by its own matches and by the edges that earlier assignments
    support, the latest most. The first one counts neighbours of the same concept as half an edge.
    """
    import numpy as np

    alone, edges = np.zeros((2, len(one.concepts), len(two.concepts)), np.float32)
    for table, worth, features in ((alone, 1, _own), (edges, 0.5, _neighbours)):
        places1, places2 = _places(features(one)), _places(features(two))
        for feature in places1.keys() & places2.keys():
            table[np.ix_(places1[feature], places2[feature])] += worth
    into = _places((source, (role, target)) for source, role, target in two.edges)
    out_of = _places((target, (role, source)) for source, role, target in two.edges)
    best: list[tuple[int, int]] = []
    most = -1
    for _ in range(min(ROUNDS, max(10, ROUNDED // alone.size))):
        mapping = assignment(alone + edges)
        if (matched := count(one, two, mapping)) > most:
            best, most = mapping, matched
        if most >= bound:
            break
        to = dict(mapping)
        edges *= 1 - STEP
        for source, role, target in one.edges:
            if target in to:
                edges[source, into[role, to[target]]] += STEP
            if source in to:
                edges[target, out_of[role, to[source]]] += STEP
    return best


def _places(features: Iterable[tuple[int, object]]) -> dict[object, list[int]]:
    """Return the different nodes of each feature."""
    places: dict[object, list[int]] = defaultdict(list)
    for node, feature in dict.fromkeys(features):
        places[feature].append(node)
    return places


def _own(graph: Triples) -> list[tuple[int, object]]:
    """Return the nodes with their concepts and constants, and the top."""
    constants = ((node, (role, value)) for node, role, value in graph.attributes)
    return [*enumerate(graph.concepts), *constants, (0, None)]


def _neighbours(graph: Triples) -> Iterator[tuple[int, object]]:
    """Yield the nodes with the role, direction and concept of a neighbour."""
    for source, role, target in graph.edges:
        yield source, (role, 1, graph.concepts[target])
        yield target, (role, -1, graph.concepts[source])


MAX_EDGE_PAIRS = 6_000
"""The most pairs of edges of the same role for a program; some take ten seconds."""

WHOLE = 600
"""The most pairs of edges for a solution in whole numbers; some take ten seconds."""

BRANCHES = 100
"""Branches after which it ends with a bound."""


def _limits(column: dict[Pair, int], edges: list[tuple[int, int, tuple[Pair, Pair]]]) -> object:
    """Return scipy's conditions: a node is in one pair, an edge counts if its ends are paired."""
    from scipy.optimize import LinearConstraint
    from scipy.sparse import csr_array

    conditions: dict[object, dict[int, int]] = defaultdict(dict)
    for (i, j), n in column.items():
        conditions["one", i][n] = 1
        conditions["two", j][n] = 1
    at_most = [1] * len(conditions)
    for n, (e, f, pairs) in enumerate(edges, start=len(column)):
        for side, (i, j) in enumerate(pairs):
            for row in (("one", e, side, j), ("two", f, side, i)):
                conditions[row] |= {n: 1, column[i, j]: -1}
    at_most += [0] * (len(conditions) - len(at_most))
    triplets = [
        (r, c, value) for r, row in enumerate(conditions.values()) for c, value in row.items()
    ]
    rows, columns, values = zip(*triplets, strict=True)
    shape = len(conditions), len(column) + len(edges)
    return LinearConstraint(csr_array((values, (rows, columns)), shape), ub=at_most)


def solve(one: Triples, two: Triples, bound: int) -> tuple[list[tuple[int, int]], int]:
    """Return a mapping, empty if none was found, and an upper bound, at most ``bound``."""
    import numpy as np
    from scipy.optimize import Bounds, milp

    roles1, roles2 = (Counter(role for _, role, _ in graph.edges) for graph in (one, two))
    if sum(times * roles2[role] for role, times in roles1.items()) > MAX_EDGE_PAIRS:
        return [], bound
    alone: dict[tuple[int, int], int] = defaultdict(int)
    loops1, loops2 = (
        [(source, (role, None)) for source, role, target in graph.edges if source == target]
        for graph in (one, two)
    )
    for i, feature in [*_own(one)[:-1], *loops1]:
        for j, feature2 in [*_own(two)[:-1], *loops2]:
            if feature == feature2:
                alone[i, j] += 1
    alone[0, 0] += 1
    edges = [
        (e, f, ((source, source2), (target, target2)))
        for e, (source, role, target) in enumerate(one.edges)
        for f, (source2, role2, target2) in enumerate(two.edges)
        if role == role2 and source != target and source2 != target2
    ]
    ends = [pair for _, _, pairs in edges for pair in pairs]
    column = {pair: n for n, pair in enumerate(dict.fromkeys([*alone, *ends]))}
    size = len(column) + len(edges)
    worth = [float(alone.get(pair, 0)) for pair in column] + [1.0] * len(edges)
    limits = _limits(column, edges)
    mapping: list[tuple[int, int]] = []
    for whole in (False, True)[: 1 + (len(edges) <= WHOLE)]:
        found = milp(
            np.negative(worth),
            integrality=(np.arange(size) < len(column)) * whole,
            bounds=Bounds(0, 1),
            constraints=limits,
            options={"node_limit": BRANCHES, "mip_rel_gap": 0.0},
        )
        least = found.mip_dual_bound if whole else found.fun
        # The number of triples is whole, the solver's bound only up to its tolerance.
        known = least is not None and math.isfinite(least)
        bound = min(bound, math.floor(1e-6 - least) if known else len(one))
        if found.x is not None:
            table = np.zeros((len(one.concepts), len(two.concepts)))
            table[tuple(zip(*column, strict=True))] = found.x[: len(column)]
            mapping = assignment(table)
        if count(one, two, mapping) == bound:
            break
    return mapping, bound


CLIMBED = 1_600
"""The largest product of two graphs' numbers of nodes for hill climbing (0.2 s)."""


@dataclass(frozen=True)
class Smatch:
    """The match of two graphs (see the module); ``nodes``: the matches of each pair of ``mapping``.
    A concept, a constant or the top counts 1, an edge 1/2 at either end.
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
        """The largest possible error of F1; 0 where the mapping is proven best."""
        return self._f1(self.bound) - self.f1

    def _f1(self, matched: int) -> float:
        return 2 * matched / (self.triples1 + self.triples2)

    def __add__(self, other: Smatch) -> Smatch:
        """Return the sum of the counts, as in the ``smatch`` tool, without mappings."""
        return Smatch(*map(operator.add, self._counts, other._counts))

    @property
    def _counts(self) -> tuple[int, int, int, int]:
        return self.matched, self.triples1, self.triples2, self.bound


def without_mod(graph: Triples) -> Triples:
    """Return the graph as the package does: ``:domain`` for ``:mod``, which has no constants."""
    turned = ((b, "domain", a) if role == "mod" else (a, role, b) for a, role, b in graph.edges)
    attributes = tuple(triple for triple in graph.attributes if triple[1] != "mod")
    return replace(graph, edges=tuple(dict.fromkeys(turned)), attributes=attributes)


def smatch(first: Triples, second: Triples, *, exact: bool = False, strict: bool = False) -> Smatch:
    """Return the match of two graphs; precision is of the ``first``, recall of the ``second``.
    ``strict`` counts the triples as written (see the module). ``exact`` proves the mapping best
    with an integer program where possible (:func:`solve`), else narrows ``gap``. Raises
    :class:`MissingExtraError` without the ``smatch`` package.
    """
    if not strict:
        first, second = without_mod(first), without_mod(second)
    key1, key2 = (  # a pair is searched in the same order in either direction
        (len(graph.concepts), graph.concepts, graph.edges, graph.attributes)
        for graph in (first, second)
    )
    swapped = key2 < key1
    one, two = (second, first) if swapped else (first, second)
    kinds = (  # what both have, whatever its node, bounds what can be matched
        Counter([*(own for _, own in _own(graph)), *((role,) for _, role, _ in graph.edges)])
        for graph in (one, two)
    )
    bound = operator.and_(*kinds).total()
    if one == two:
        mapping = [(i, i) for i in range(len(one.concepts))]
    else:
        large = len(one.concepts) * len(two.concepts) > CLIMBED
        mapping = (assigned if large else climbed)(one, two, bound)
        if exact and (matched := count(one, two, mapping)) < bound:
            solved, bound = solve(one, two, bound)
            if count(one, two, solved) > matched:
                mapping = solved
    pairs = [(j, i) for i, j in mapping] if swapped else list(mapping)
    worth = support(first, second, dict(pairs))
    kept = sorted(pair for pair in pairs if worth[pair])
    matched = round(sum(worth.values()))
    nodes = tuple(worth[pair] for pair in kept)
    return Smatch(matched, len(first), len(second), max(bound, matched), tuple(kept), nodes)
