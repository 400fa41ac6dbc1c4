"""Graph metrics as combiners: two structures with AMR graphs, to a score that says which nodes were
matched.

    GraphMetric.compare    graphs and pairs -> one GraphComparison a pair
    GraphCombiner          the same for a batch of sentences, as explanations

A line of an explanation is a node of one graph with the node of the other that it was matched with,
or without one:

* Smatch: the share of the triples of both graphs that the two nodes have in common. A concept, a
  constant and the mark of the top are about one node, an edge is half about either end.
* WLK: the part of the cosine that is due to features around these nodes. A feature that several
  nodes have belongs to the first.
* WWLK: the mass that is moved from one node to the other (``weight``), times 1 less the distance.
* SemBLEU: the score, shared out over the n-grams that both graphs have, first equally over their
  lengths. An n-gram belongs to the first node where it starts.
* Rematch: the shared motifs that are about the two nodes, over all motifs of both graphs. The
  similarity is the Jaccard index of the motifs that are about one or the other.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from hybridsem.combiners.base import Batch
from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation, RoleMatch
from hybridsem.graphs.rematch import Motifs, Rematch, motifs, rematch
from hybridsem.graphs.sembleu import Ngrams, Sembleu, ngrams, sembleu
from hybridsem.graphs.smatch import Smatch, smatch
from hybridsem.graphs.triples import Labelled, Triples
from hybridsem.graphs.wlk import neighbourhoods, wlk
from hybridsem.graphs.wwlk import label_vectors, node_vectors, transport
from hybridsem.structures import RoleStructure

__all__ = [
    "GraphCombiner",
    "GraphComparison",
    "GraphMetric",
    "RematchMetric",
    "SembleuMetric",
    "SmatchMetric",
    "WlkMetric",
    "WwlkMetric",
]

Pairs = Sequence[tuple[int, int]]
"""Places of two graphs each."""

ITERATIONS = 2
"""The reach of a node's neighbourhood in WLK and WWLK, as published."""


@dataclass(frozen=True)
class GraphComparison:
    """A pair's score, the lines that add up to it, details, and counts for a corpus score.

    >>> from hybridsem.amr import AmrGraph
    >>> graph = Triples.of(AmrGraph.from_penman("(b / bark-01 :ARG0 (d / dog))", ""))
    >>> (found,) = WlkMetric().compare([graph], [(0, 0)])
    >>> round(found.score, 6), len(found.matches)
    (1.0, 2)
    """

    score: float
    matches: tuple[RoleMatch, ...]
    details: Mapping[str, float] = field(default_factory=dict)
    counts: Smatch | Sembleu | Rematch | None = None


class GraphMetric(Protocol):
    """Compares graphs."""

    def compare(self, graphs: Sequence[Triples], pairs: Pairs) -> list[GraphComparison]:
        """A comparison a pair, in order, independent of others."""
        ...


@dataclass(frozen=True)
class SmatchMetric:
    """F1 of triples under the best mapping of nodes, in [0, 1]; see :mod:`hybridsem.graphs.smatch`.
    ``exact``: prove the mapping best where that is within reach.
    """

    exact: bool = False

    def compare(self, graphs: Sequence[Triples], pairs: Pairs) -> list[GraphComparison]:
        """Details: ``precision`` (of the first graph), ``recall``, with ``exact`` the ``gap``."""
        owns = [_own_triples(graph) for graph in graphs]
        return [self._comparison(graphs[i], graphs[j], owns[i], owns[j]) for i, j in pairs]

    def _comparison(
        self, one: Triples, two: Triples, own1: list[float], own2: list[float]
    ) -> GraphComparison:
        found = smatch(one, two, exact=self.exact)
        total = found.triples1 + found.triples2
        parts = {
            (i, j): (2 * support / (own1[i] + own2[j]), (own1[i] + own2[j]) / total)
            for (i, j), support in zip(found.mapping, found.nodes, strict=True)
        }
        details = {"precision": found.precision, "recall": found.recall}
        if self.exact:
            details["gap"] = found.gap
        matches = _lines((one.concepts, one.paths), (two.concepts, two.paths), parts)
        return GraphComparison(found.f1, matches, details, found)


@dataclass(frozen=True)
class WlkMetric:
    """The cosine of the features of neighbourhoods, in [0, 1]; see :mod:`hybridsem.graphs.wlk`."""

    iterations: int = ITERATIONS

    def compare(self, graphs: Sequence[Triples], pairs: Pairs) -> list[GraphComparison]:
        """No details."""
        labelled = [graph.labelled for graph in graphs]
        known: dict[Hashable, int] = {}
        features = [neighbourhoods(graph, self.iterations, known) for graph in labelled]
        return [
            _compared(labelled[i], labelled[j], wlk(features[i], features[j])) for i, j in pairs
        ]


@dataclass(frozen=True)
class WwlkMetric:
    """1 less the cost of moving one graph's nodes onto the other's, in [-1, 1]; see
    :mod:`hybridsem.graphs.wwlk`.

    ``weights`` are those of roles (``arg0``) that are known better than by chance.
    """

    vectors: WordVectors
    iterations: int = ITERATIONS
    weights: Mapping[str, float] = field(default_factory=dict)

    def compare(self, graphs: Sequence[Triples], pairs: Pairs) -> list[GraphComparison]:
        """No details; :class:`MissingExtraError` without POT, the library for optimal transport."""
        labelled = [graph.labelled for graph in graphs]
        vectors = label_vectors(
            self.vectors, sorted({label for graph in labelled for label in graph.labels})
        )
        return [self._comparison(labelled[i], labelled[j], vectors) for i, j in pairs]

    def _comparison(
        self, one: Labelled, two: Labelled, vectors: Mapping[str, Any]
    ) -> GraphComparison:
        nodes1, nodes2 = (
            node_vectors(graph, vectors, self.iterations, self.weights) for graph in (one, two)
        )
        if (one.labels, one.edges) <= (two.labels, two.edges):
            flow, distances = transport(nodes1, nodes2)
        else:  # in one order, whichever the sentences have: of equal ways the solver takes any
            flow, distances = (table.T for table in transport(nodes2, nodes1))
        moved = flow.nonzero()
        likeness = (1 - distances[moved]).tolist()
        places = zip(*(axis.tolist() for axis in moved), strict=True)
        return _compared(
            one,
            two,
            dict(zip(places, zip(likeness, flow[moved].tolist(), strict=True), strict=True)),
        )


@dataclass(frozen=True)
class SembleuMetric:
    """BLEU of paths of up to three nodes, both directions' mean, in [0, 1]; see
    :mod:`hybridsem.graphs.sembleu`.

    >>> from hybridsem.amr import AmrGraph
    >>> graph = Triples.of(AmrGraph.from_penman("(b / bark-01 :ARG0 (d / dog))", ""))
    >>> SembleuMetric().compare([graph], [(0, 0)])[0].score
    1.0
    """

    def compare(self, graphs: Sequence[Triples], pairs: Pairs) -> list[GraphComparison]:
        """No details."""
        labelled = [graph.labelled for graph in graphs]
        grams = [ngrams(graph) for graph in labelled]
        return [self._comparison(labelled[i], labelled[j], grams[i], grams[j]) for i, j in pairs]

    def _comparison(
        self, one: Labelled, two: Labelled, grams1: Ngrams, grams2: Ngrams
    ) -> GraphComparison:
        found = sembleu(one=grams1, two=grams2)
        orders = sum(map(bool, found.matched))
        shares: dict[tuple[int, int], list[float]] = {}
        common: dict[tuple[int, int], int] = {}
        for counts1, counts2, matched in zip(
            grams1.counts, grams2.counts, found.matched, strict=True
        ):
            for ngram, count in (counts1 & counts2).items():
                pair = grams1.starts[ngram], grams2.starts[ngram]
                shares.setdefault(pair, []).append(count / matched / orders)
                common[pair] = common.get(pair, 0) + count
        own1, own2 = grams1.own, grams2.own
        parts = {}
        for (i, j), share in shares.items():
            likeness = 2 * common[i, j] / (own1[i] + own2[j])
            parts[i, j] = (likeness, found.score * math.fsum(share) / likeness)
        return GraphComparison(
            found.score, _lines((one.labels, one.paths), (two.labels, two.paths), parts), {}, found
        )


@dataclass(frozen=True)
class RematchMetric:
    """The Jaccard index of the graphs' motifs, in [0, 1]; see :mod:`hybridsem.graphs.rematch`.

    ``classes`` are names that replace concepts (``chase-01``), such as VerbAtlas classes of
    PropBank frames.
    """

    classes: Mapping[str, str] = field(default_factory=dict)

    def compare(self, graphs: Sequence[Triples], pairs: Pairs) -> list[GraphComparison]:
        """No details."""
        found = [motifs(graph, self.classes) for graph in graphs]
        return [self._comparison(graphs[i], graphs[j], found[i], found[j]) for i, j in pairs]

    def _comparison(
        self, graph1: Triples, graph2: Triples, motifs1: Motifs, motifs2: Motifs
    ) -> GraphComparison:
        counts, shared = rematch(motifs1, motifs2)
        own1, own2 = motifs1.own, motifs2.own
        parts = {}
        for (i, j), count in shared.items():
            either = own1[i] + own2[j] - count
            parts[i, j] = (count / either, either / counts.total)
        matches = _lines((graph1.concepts, graph1.paths), (graph2.concepts, graph2.paths), parts)
        return GraphComparison(counts.score, matches, {}, counts)


Nodes = tuple[Sequence[str], Sequence[str]]
Parts = Mapping[tuple[int, int], tuple[float, float]]


def _compared(one: Labelled, two: Labelled, parts: Parts) -> GraphComparison:
    matches = _lines((one.labels, one.paths), (two.labels, two.paths), parts)
    # The sum of rounded parts can pass 1 by a last bit.
    return GraphComparison(
        min(1.0, max(-1.0, math.fsum(match.contribution for match in matches))), matches
    )


def _lines(nodes1: Nodes, nodes2: Nodes, parts: Parts) -> tuple[RoleMatch, ...]:
    """The lines of two graphs' nodes, labels and paths: matched ones with (similarity, weight),
    then lone ones.
    """
    (labels1, paths1), (labels2, paths2) = nodes1, nodes2
    lines = [
        RoleMatch(
            paths1[i], paths2[j], labels1[i], labels2[j], similarity, weight, similarity * weight
        )
        for (i, j), (similarity, weight) in sorted(parts.items())
    ]
    seen1, seen2 = {i for i, _ in parts}, {j for _, j in parts}
    lines += [
        RoleMatch(paths1[i], None, label, None, 0.0, 0.0, 0.0)
        for i, label in enumerate(labels1)
        if i not in seen1
    ]
    lines += [
        RoleMatch(None, paths2[j], None, label, 0.0, 0.0, 0.0)
        for j, label in enumerate(labels2)
        if j not in seen2
    ]
    return tuple(lines)


def _own_triples(graph: Triples) -> list[float]:
    """How many triples are about each node: concept, constants, top, and half of each edge."""
    own = [1.0] * len(graph.concepts)
    own[0] += 1
    for node, *_ in graph.attributes:
        own[node] += 1
    for source, _, target in graph.edges:
        own[source] += 0.5
        own[target] += 0.5
    return own


@dataclass(frozen=True)
class GraphCombiner:
    """A graph metric over the graphs of parsed sentences."""

    model: str
    metric: GraphMetric
    formalism = "amr"
    reads_vectors = False

    def explain(self, batch: Batch) -> list[Explanation]:
        """One explanation a pair; its score is NaN where a sentence has no graph.

        Raises :class:`InputError` for structures that were not read off a graph.
        """
        graphs: list[Triples] = []
        place: dict[int, int] = {}
        for index, structure in enumerate(batch.structures or ()):
            if isinstance(structure, RoleStructure):
                if structure.graph is None:
                    raise InputError(
                        f"{self.model} compares AMR graphs, and the parser gave a "
                        f"{structure.formalism} structure without one for {structure.text!r:.80}"
                    )
                place[index] = len(graphs)
                graphs.append(Triples.of(structure.graph))
        usable = [(place[i], place[j]) for i, j in batch.pairs if i in place and j in place]
        compared = iter(self.metric.compare(graphs, usable))
        explanations = []
        for pair in batch.pairs:
            found = (
                next(compared)
                if all(index in place for index in pair)
                else GraphComparison(float("nan"), ())
            )
            explanations.append(batch.explanation(pair, self.model, found.matches, found.details))
        return explanations
