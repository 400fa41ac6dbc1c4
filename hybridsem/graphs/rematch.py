"""Rematch (Kachwala, An, Kwak & Menczer 2024): which motifs two AMR graphs have in common.

    (c / chase-01 :polarity - :ARG0 (d / dog))

    attribute motifs   a role and its constant           polarity -
    instance motifs    a concept with each attribute     chase-01 (polarity -)     dog
    relation motifs    two instance motifs and a role    chase-01 (polarity -) arg0 dog

A node without attributes has one instance motif, its concept; a node with several has one for each
of them, and an edge has one relation motif for each pair of its ends' instance motifs. A graph's
motifs are a set, and the score is the Jaccard index of two graphs' sets: no mapping of nodes is
searched for, and the variables, the top of the graph and how often a motif occurs do not matter.
Inverted roles are turned round.

What differs from the authors' program:

* They replace PropBank frames by their VerbAtlas classes (``kill-01`` and ``murder-01`` are both
  MURDER), so that verbs of one class share motifs. That resource is not part of hybridsem: frames
  are compared as they are, unless ``RematchMetric(classes=…)`` is given such a table.
* They leave out ``:wiki`` before they parse; here a graph is read as it is, by all metrics.
* Roles are compared in lower case, and constants without quotes, as by all metrics here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hybridsem.graphs.triples import Triples

__all__ = ["Motif", "Motifs", "Rematch", "motifs", "rematch"]

Attribute = tuple[str, str]
Instance = tuple[str] | tuple[str, Attribute]
Motif = Attribute | Instance | tuple[Instance, str, Instance]


@dataclass(frozen=True)
class Motifs:
    """A graph's motifs, each with the first node that it is about: that of the attribute or the
    concept, or the source of the edge. ``own`` is how many are about each node.

    >>> from hybridsem.amr import AmrGraph
    >>> motifs(Triples.of(AmrGraph.from_penman("(b / bark-01 :ARG0 (d / dog))", ""))).own
    [2, 1]
    """

    nodes: Mapping[Motif, int]
    own: Sequence[int]


@dataclass(frozen=True)
class Rematch:
    """How many motifs two graphs, or the pairs of a corpus, share, and have in all.

    >>> (Rematch(1, 5) + Rematch(3, 5)).score
    0.4
    """

    shared: int
    total: int

    @property
    def score(self) -> float:
        """The Jaccard index, in [0, 1]."""
        return self.shared / self.total

    def __add__(self, other: Rematch) -> Rematch:
        """The counts of both added up, as the authors' program does for a corpus."""
        return Rematch(self.shared + other.shared, self.total + other.total)


def motifs(graph: Triples, classes: Mapping[str, str] | None = None) -> Motifs:
    """The motifs of a graph, as Kachwala et al. (2024) have them. ``classes``: names that replace
    concepts, such as a frame's class.

    >>> from hybridsem.amr import AmrGraph
    >>> found = motifs(Triples.of(AmrGraph.from_penman("(b / bark-01 :ARG0 (d / dog))", "")))
    >>> list(found.nodes)
    [('bark-01',), ('dog',), (('bark-01',), 'arg0', ('dog',))]
    """
    classes = classes or {}
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


def rematch(motifs1: Motifs, motifs2: Motifs) -> tuple[Rematch, dict[tuple[int, int], int]]:
    """What two graphs share: Kachwala, An, Kwak & Menczer 2024. Returns the counts, whose ``score``
    is in [0, 1], and for each pair of nodes that shared motifs are about, how many these are.
    """
    others = motifs2.nodes
    pairs: dict[tuple[int, int], int] = {}
    for motif, node in motifs1.nodes.items():
        if motif in others:
            pair = node, others[motif]
            pairs[pair] = pairs.get(pair, 0) + 1
    shared = sum(pairs.values())
    return Rematch(shared, len(motifs1.nodes) + len(others) - shared), pairs
