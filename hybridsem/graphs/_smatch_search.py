"""Mappings for Smatch by search: hill climbing with the ``smatch`` package, repeated assignment for
large graphs.

A mapping is a list of (node of one graph, node of the other), each node at most once.
"""

from __future__ import annotations

import importlib.util
import random
import threading
from collections import defaultdict
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from hybridsem.errors import MissingExtraError
from hybridsem.graphs.triples import Triples

STARTS = 5
"""One guided and four random starts, as the ``smatch`` tool has by default."""

ROUNDS, ROUNDED, STEP = 60, 20_000_000, 0.2
"""Assignments of a large graph at most, times pairs of nodes (but ten at the least), and what a new
one counts.
"""

_PER_THREAD = threading.local()


class _Random(random.Random):
    """Random numbers for the package, which seeds its generator from the clock at each start."""

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Only a given seed counts."""
        if a is not None:
            super().seed(a, version)


def _package() -> ModuleType:
    """This thread's own copy of ``smatch``, which keeps its finds and settings in globals."""
    module: ModuleType | None = getattr(_PER_THREAD, "module", None)
    if module is None:
        spec = importlib.util.find_spec("smatch")
        if spec is None or spec.loader is None:
            raise MissingExtraError("smatch", "graphs")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        _PER_THREAD.module = module
    return module


def count(one: Triples, two: Triples, mapping: Sequence[tuple[int, int]]) -> int:
    """The number of triples that a mapping matches."""
    return round(sum(support(one, two, dict(mapping)).values()))


def support(one: Triples, two: Triples, mapping: dict[int, int]) -> dict[tuple[int, int], float]:
    """What a mapping's pairs match: a concept, constant or top 1, an edge 1/2 at either end."""
    found = dict.fromkeys(mapping.items(), 0.0)
    edges, attributes = set(two.edges), set(two.attributes)
    for pair in mapping.items():
        i, j = pair
        found[pair] += (one.concepts[i] == two.concepts[j]) + (pair == (0, 0))
    for i, role, value in one.attributes:
        if i in mapping and (mapping[i], role, value) in attributes:
            found[i, mapping[i]] += 1
    for source, role, target in one.edges:
        if (
            source in mapping
            and target in mapping
            and (mapping[source], role, mapping[target]) in edges
        ):
            found[source, mapping[source]] += 0.5
            found[target, mapping[target]] += 0.5
    return found


def climbed(one: Triples, two: Triples, bound: int) -> list[tuple[int, int]]:
    """The best mapping of hill climbing, with random starts if it falls short of ``bound``."""
    package: Any = _package()
    package.random = _Random(0)
    arguments = (*_as_package(one, "a"), *_as_package(two, "b"), "a", "b")
    try:
        for package.iteration_num in (1, STARTS):
            mapping, matched = package.get_best_match(*arguments)
            if matched >= bound:
                break
    finally:
        package.match_triple_dict.clear()
    return [(i, j) for i, j in enumerate(mapping) if j >= 0]


def _as_package(graph: Triples, prefix: str) -> tuple[list[tuple[str, str, str]], ...]:
    """Instances, attributes and relations as the package has them."""
    node = [f"{prefix}{i}" for i in range(len(graph.concepts))]
    return (
        [("instance", name, concept) for name, concept in zip(node, graph.concepts, strict=True)],
        [*((role, node[i], value) for i, role, value in graph.attributes), ("TOP", node[0], "")],
        [(role, node[source], node[target]) for source, role, target in graph.edges],
    )


def assigned(one: Triples, two: Triples, bound: int) -> list[tuple[int, int]]:
    """The best of a series of linear assignments.

    Each weighs a pair of nodes by what it matches alone and by the edges that the assignments
    before it support, the latest most: a Frank-Wolfe ascent with a fixed step. The first one counts
    neighbours of the same concept as half an edge. An assignment of 2,000 nodes takes some 0.3 s.
    """
    import numpy as np

    shape = len(one.concepts), len(two.concepts)
    alone, edges = np.zeros((2, *shape), np.float32)
    for table, worth, features in ((alone, 1, _own), (edges, 0.5, _neighbours)):
        places1, places2 = features(one), features(two)
        for feature in places1.keys() & places2.keys():
            table[np.ix_(places1[feature], places2[feature])] += worth
    into, out_of = _ends(two)
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


def assignment(worth: Any) -> list[tuple[int, int]]:
    """The mapping whose pairs are worth most together, of a table with a value a pair."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(worth, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _own(graph: Triples) -> dict[object, list[int]]:
    """Nodes by concept, by constant, and the top."""
    places: dict[object, list[int]] = defaultdict(list)
    for i, concept in enumerate(graph.concepts):
        places[concept].append(i)
    for i, role, value in graph.attributes:
        places[role, value].append(i)
    places[None].append(0)
    return places


def _neighbours(graph: Triples) -> dict[object, list[int]]:
    """Nodes by role, direction and concept of a neighbour."""
    places: dict[object, dict[int, None]] = defaultdict(dict)
    for source, role, target in graph.edges:
        places[role, 1, graph.concepts[target]][source] = None
        places[role, -1, graph.concepts[source]][target] = None
    return {feature: list(nodes) for feature, nodes in places.items()}


def _ends(
    graph: Triples,
) -> tuple[dict[tuple[str, int], list[int]], dict[tuple[str, int], list[int]]]:
    """The sources of the edges into a node by role, and the targets of those out of it."""
    into: dict[tuple[str, int], list[int]] = defaultdict(list)
    out_of: dict[tuple[str, int], list[int]] = defaultdict(list)
    for source, role, target in graph.edges:
        into[role, target].append(source)
        out_of[role, source].append(target)
    return into, out_of
