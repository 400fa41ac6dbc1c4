"""The Weisfeiler-Leman kernel over AMR graphs (Opitz, Daza & Frank 2021, WLK).

    iteration 0    a node's label, and its triples        dog        (chase-01, arg0, dog)
    iteration k    its label of k - 1 with its neighbours'  (dog, arg0-of chase-01, mod small)

Each feature that occurs has weight 1 / (1 + k); the score is the cosine of two graphs' features.
Labels, triples at iteration 0, occurrence instead of counts, the weights and K = 2 are those of the
authors' program. Unlike there, edges to a node and edges from it are distinct.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

from hybridsem.graphs.triples import Labelled


@dataclass(frozen=True)
class Neighbourhoods:
    """A graph's features with their weight and first node; ``own``: each node's squared weights."""

    weights: dict[Hashable, float]
    nodes: dict[Hashable, int]
    own: tuple[float, ...]

    @cached_property
    def length(self) -> float:
        """The length of the vector of weights."""
        return math.sqrt(math.fsum(self.own))


def neighbourhoods(graph: Labelled, iterations: int, known: dict[Hashable, int]) -> Neighbourhoods:
    """Return a graph's features: its labels, triples and neighbourhoods up to ``iterations`` steps.
    ``known`` numbers the labels; it grows, and must be the same for graphs that are compared.
    """
    labels = [known.setdefault(label, len(known)) for label in graph.labels]
    found: list[tuple[Hashable, float, int]] = [
        ((0, label), 1.0, node) for node, label in enumerate(labels)
    ]
    found += [
        ((labels[source], role, labels[target]), 1.0, source)
        for source, role, target in graph.edges
    ]
    for k in range(1, iterations + 1):
        around: list[list[tuple[str, int]]] = [[] for _ in labels]
        for source, role, target in graph.edges:
            around[source].append((role, labels[target]))
            around[target].append((f"{role}-of", labels[source]))
        wider = [(label, *sorted(near)) for label, near in zip(labels, around, strict=True)]
        labels = [known.setdefault(label, len(known)) for label in wider]
        found += [((k, label), 1 / (1 + k), node) for node, label in enumerate(labels)]
    nodes: dict[Hashable, int] = {}
    own = [0.0] * len(labels)
    for feature, weight, node in found:
        if feature not in nodes:
            nodes[feature] = node
            own[node] += weight**2
    return Neighbourhoods({feature: weight for feature, weight, _ in found}, nodes, tuple(own))


def wlk(one: Neighbourhoods, two: Neighbourhoods) -> dict[tuple[int, int], tuple[float, float]]:
    """Return the parts of the cosine of two graphs' features, by the first nodes of a feature. A
    pair of nodes has (similarity, weight), both in [0, 1]: the cosine of the features of the two
    nodes, and its share in the whole. Their products add up to the cosine.
    """
    squares: dict[tuple[int, int], list[float]] = {}
    for feature, weight in one.weights.items():
        if feature in two.weights:
            squares.setdefault((one.nodes[feature], two.nodes[feature]), []).append(weight**2)
    common = {pair: math.fsum(found) for pair, found in squares.items()}
    lengths = {(i, j): math.sqrt(one.own[i] * two.own[j]) for i, j in common}
    whole = one.length * two.length
    return {
        pair: (shared / lengths[pair], lengths[pair] / whole) for pair, shared in common.items()
    }
