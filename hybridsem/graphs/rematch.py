"""Rematch (Kachwala, An, Kwak & Menczer 2024): the motifs that two AMR graphs share.

    (c / chase-01 :polarity - :ARG0 (d / dog))

    attribute motifs   a role and its constant           polarity -
    instance motifs    a concept with each attribute     chase-01 (polarity -)     dog
    relation motifs    two instance motifs and a role    chase-01 (polarity -) arg0 dog

A node without attributes has one instance motif, its concept; others have one for each attribute.
An edge has one relation motif for each pair of its ends' instance motifs. The score is the Jaccard
index of two graphs' sets of motifs: there is no search for a mapping, and the variables, the top
and the counts of motifs do not matter. No role is inverted.

Differences from the authors' program:

* They replace PropBank frames by VerbAtlas classes (``kill-01`` and ``murder-01`` are both MURDER).
  That resource is not part of hybridsem; ``RematchMetric(classes=…)`` accepts such a table.
* They leave out ``:wiki``; here all metrics read a graph as is.
* Roles are compared in lower case, and constants without quotes, as by all metrics here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hybridsem.graphs.triples import Triples

Attribute = tuple[str, str]
Instance = tuple[str] | tuple[str, Attribute]
Motif = Attribute | Instance | tuple[Instance, str, Instance]


@dataclass(frozen=True)
class Motifs:
    """A graph's motifs, each with its first node; ``own`` is the number of motifs of each node. The
    node is that of the attribute or concept, or the source of the edge.
    """

    nodes: Mapping[Motif, int]
    own: Sequence[int]


@dataclass(frozen=True)
class Rematch:
    """The numbers of shared and of all motifs of two graphs, or of the pairs of a corpus."""

    shared: int
    total: int

    @property
    def score(self) -> float:
        """The Jaccard index, in [0, 1]."""
        return self.shared / self.total

    def __add__(self, other: Rematch) -> Rematch:
        """Return the sum of the counts, as in the authors' program for a corpus."""
        return Rematch(self.shared + other.shared, self.total + other.total)


def motifs(graph: Triples, classes: Mapping[str, str]) -> Motifs:
    """Return the motifs of a graph; ``classes`` are names that replace concepts."""
    attributes: list[list[Attribute]] = [[] for _ in graph.concepts]
    nodes: dict[Motif, int] = {}
    for node, role, value in graph.attributes:
        attributes[node].append((role, value))
        nodes.setdefault((role, value), node)
    instances: list[list[Instance]] = []
    for node, concept in enumerate(graph.concepts):
        name = classes.get(concept, concept)
        instances.append([(name, attribute) for attribute in attributes[node]] or [(name,)])
        for instance in instances[node]:
            nodes.setdefault(instance, node)
    for source, role, target in graph.edges:
        for above in instances[source]:
            for below in instances[target]:
                nodes.setdefault((above, role, below), source)
    own = [0] * len(graph.concepts)
    for node in nodes.values():
        own[node] += 1
    return Motifs(nodes, own)


def rematch(motifs1: Motifs, motifs2: Motifs) -> tuple[Rematch, Counter[tuple[int, int]]]:
    """Return the counts, whose ``score`` is in [0, 1], and the number of shared motifs by nodes."""
    others = motifs2.nodes
    pairs = Counter((i, others[motif]) for motif, i in motifs1.nodes.items() if motif in others)
    shared = pairs.total()
    return Rematch(shared, len(motifs1.nodes) + len(others) - shared), pairs
