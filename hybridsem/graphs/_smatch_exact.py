"""Smatch as an integer programme, solved by HiGHS through scipy.

    x[i, j] = 1    node i of one graph is mapped to node j of the other; a node at most once
    y[e, f] = 1    edge e is matched by edge f: only if both their ends are mapped to each other
    maximise       matched concepts, constants and top over x, plus matched edges over y

For every edge e and node j, the y of e with the edges f that start (end) in j add up to no more
than the x of j and the start (end) of e, which is tighter than one condition a pair of edges;
likewise for every edge f. With x whole, y is.

First x may be anything between 0 and 1: that gives a bound, and the assignment nearest to x a
mapping. Where they do not meet, the programme is solved in whole numbers, if it is not too large.
All limits are sizes, because a limit by the clock would not be the same twice.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import Any

from hybridsem.graphs._smatch_search import assignment, count
from hybridsem.graphs.triples import Triples

MAX_EDGE_PAIRS = 6_000
"""Pairs of edges of the same role, beyond which no programme is set up: 100 nodes have some 2,000,
which take a second; unlike graphs at the limit take ten.
"""

WHOLE = 600
"""Pairs of edges, beyond which the programme is not solved in whole numbers; unlike graphs at the
limit take ten seconds.
"""

BRANCHES = 100
"""Branches after which that ends with a bound."""


def solve(one: Triples, two: Triples, bound: int) -> tuple[list[tuple[int, int]], int]:
    """A mapping (empty if none was found), and what no mapping can pass, at most ``bound``."""
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    roles1, roles2 = (Counter(role for _, role, _ in graph.edges) for graph in (one, two))
    if sum(times * roles2[role] for role, times in roles1.items()) > MAX_EDGE_PAIRS:
        return [], bound
    alone = _alone(one, two)
    edges = [
        (e, f)
        for e, (source, role, target) in enumerate(one.edges)
        for f, (source2, role2, target2) in enumerate(two.edges)
        if role == role2 and source != target and source2 != target2
    ]
    ends = [(_end(one, e, side), _end(two, f, side)) for e, f in edges for side in (0, 1)]
    column = {pair: n for n, pair in enumerate(dict.fromkeys([*alone, *ends]))}
    conditions: dict[object, dict[int, int]] = defaultdict(dict)
    for (i, j), n in column.items():
        conditions["one", i][n] = 1
        conditions["two", j][n] = 1
    at_most = [1] * len(conditions)
    for n, (e, f) in enumerate(edges):
        for side in (0, 1):
            i, j = _end(one, e, side), _end(two, f, side)
            for row in (("one", e, side, j), ("two", f, side, i)):
                conditions[row] |= {len(column) + n: 1, column[i, j]: -1}
    at_most += [0] * (len(conditions) - len(at_most))
    triplets = [
        (r, c, value) for r, row in enumerate(conditions.values()) for c, value in row.items()
    ]
    rows, columns, values = zip(*triplets, strict=True)
    size = len(column) + len(edges)
    worth = [float(alone.get(pair, 0)) for pair in column] + [1.0] * len(edges)
    limits = LinearConstraint(
        csr_array((values, (rows, columns)), (len(conditions), size)), ub=at_most
    )

    def optimise(whole: bool) -> Any:
        found = milp(
            np.negative(worth),
            integrality=(np.arange(size) < len(column)) * whole,
            bounds=Bounds(0, 1),
            constraints=limits,
            options={"node_limit": BRANCHES, "mip_rel_gap": 0.0},
        )
        bound = found.mip_dual_bound if whole else found.fun
        # The number of triples is whole; the solver's bound is so up to its tolerance.
        return found.x, math.floor(1e-6 - bound) if bound is not None and math.isfinite(
            bound
        ) else len(one)

    mapping: list[tuple[int, int]] = []
    for whole in (False, True)[: 1 + (len(edges) <= WHOLE)]:
        found, proven = optimise(whole)
        bound = min(bound, proven)
        if found is not None:
            table = np.zeros((len(one.concepts), len(two.concepts)))
            table[tuple(zip(*column, strict=True))] = found[: len(column)]
            mapping = assignment(table)
        if count(one, two, mapping) == bound:
            break
    return mapping, bound


def _end(graph: Triples, edge: int, side: int) -> int:
    """The node where an edge starts (side 0) or ends (side 1)."""
    source, _, target = graph.edges[edge]
    return target if side else source


def _alone(one: Triples, two: Triples) -> dict[tuple[int, int], int]:
    """The triples that a pair of nodes matches whatever others do; only pairs that match one."""
    weights: dict[tuple[int, int], int] = defaultdict(int)
    for i, concept in enumerate(one.concepts):
        for j, concept2 in enumerate(two.concepts):
            if concept == concept2:
                weights[i, j] += 1
    for i, role, value in one.attributes:
        for j, role2, value2 in two.attributes:
            if (role, value) == (role2, value2):
                weights[i, j] += 1
    for i, role, target in one.edges:
        for j, role2, target2 in two.edges:
            if role == role2 and i == target and j == target2:
                weights[i, j] += 1
    weights[0, 0] += 1
    return weights
