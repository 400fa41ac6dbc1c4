"""Smatch as an integer programme, solved by HiGHS through scipy.

    x[i, j] = 1    node i of one graph is mapped to node j of the other; a node at most once
    y[e, f] = 1    edge e is matched by edge f: only if both their ends are mapped to each other
    maximise       matched concepts, constants and top over x, plus matched edges over y

For every edge e and node j, the y of e with the edges f that start (end) in j add up to no more than the x of j and the
start (end) of e, which is tighter than one condition a pair of edges; likewise for every edge f. With x whole, y is.
"""

from __future__ import annotations

import math
from collections import defaultdict

from hybridsem.graphs.triples import Triples

__all__ = ["solve"]

LARGEST = 20_000
"""Pairs of edges of the same role, beyond which no programme is set up."""

BRANCHED = 200_000
"""Branches times pairs of edges, after which HiGHS stops and gives its bound; the clock would not be the same twice."""


def solve(one: Triples, two: Triples, bound: int) -> tuple[list[tuple[int, int]], int]:
    """A mapping, empty where none was found, and what no mapping can pass: ``bound`` where no more is known."""
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    alone = _alone(one, two)
    edges = [
        (e, f)
        for e, (source, role, target) in enumerate(one.edges)
        for f, (source2, role2, target2) in enumerate(two.edges)
        if role == role2 and source != target and source2 != target2
    ]
    if len(edges) > LARGEST:
        return [], bound
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
    triplets = [(r, c, value) for r, row in enumerate(conditions.values()) for c, value in row.items()]
    rows, columns, values = zip(*triplets, strict=True)
    size = len(column) + len(edges)
    worth = [float(alone.get(pair, 0)) for pair in column] + [1.0] * len(edges)
    found = milp(
        np.negative(worth),
        integrality=np.arange(size) < len(column),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(csr_array((values, (rows, columns)), (len(conditions), size)), ub=at_most),
        options={"node_limit": max(1, BRANCHED // max(1, len(edges))), "mip_rel_gap": 0.0},
    )
    mapping = [] if found.x is None else [pair for pair, n in column.items() if found.x[n] > 0.5]
    if found.mip_dual_bound is not None and math.isfinite(found.mip_dual_bound):
        # The number of triples is whole; the solver's bound is so up to its tolerance.
        bound = min(bound, math.floor(1e-6 - found.mip_dual_bound))
    return mapping, bound


def _end(graph: Triples, edge: int, side: int) -> int:
    """The node where an edge starts (side 0) or ends (side 1)."""
    source, _, target = graph.edges[edge]
    return target if side else source


def _alone(one: Triples, two: Triples) -> dict[tuple[int, int], int]:
    """The triples that a pair of nodes matches whatever the others do; only pairs that match one."""
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
