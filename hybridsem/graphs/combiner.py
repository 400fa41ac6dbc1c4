"""Graph metrics as combiners: a score for two AMR graphs, with the nodes that were matched.

A line of an explanation is a node of one graph with its match in the other, or without one:

* Smatch: the share of the triples of both graphs that the two nodes have in common. A concept, a
  constant and the mark of the top are about one node, an edge is half about either end.
* WLK: the part of the cosine from features around these nodes. A shared feature belongs to the
  first node that has it.
* WWLK: the mass that is moved from one node to the other (``weight``), times 1 minus the distance.
* SemBLEU: the score, divided over the n-grams that both graphs have, first equally over their
  lengths. An n-gram belongs to the first node where it starts.
* Rematch: the shared motifs about the two nodes, divided by all motifs of both graphs. The
  similarity is the Jaccard index of the motifs about one or the other.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from hybridsem._typing import Float64Array
from hybridsem.combiners.base import Batch
from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation, RoleMatch
from hybridsem.graphs.rematch import Motifs, Rematch, motifs, rematch
from hybridsem.graphs.sembleu import Ngrams, Sembleu, ngrams, sembleu
from hybridsem.graphs.smatch import Smatch, smatch, support, without_mod
from hybridsem.graphs.triples import Labelled, Triples
from hybridsem.graphs.wlk import Neighbourhoods, neighbourhoods, wlk
from hybridsem.graphs.wwlk import label_vectors, node_vectors, transport
from hybridsem.structures import RoleStructure

GraphT = TypeVar("GraphT")
FeaturesT = TypeVar("FeaturesT")
Pairs = Sequence[tuple[int, int]]
"""Pairs of places in a list of graphs."""

ITERATIONS = 2
"""The reach of neighbourhoods in WLK and WWLK, as published."""


@dataclass(frozen=True)
class GraphComparison:
    """A pair's score, the lines that add up to it, details, and counts for a corpus score."""

    score: float
    matches: tuple[RoleMatch, ...]
    details: Mapping[str, float] = field(default_factory=dict)
    counts: Smatch | Sembleu | Rematch | None = None

    @classmethod
    def of(cls, matches: tuple[RoleMatch, ...]) -> GraphComparison:
        """Return the comparison whose score is the sum of its lines."""
        score = math.fsum(match.contribution for match in matches)
        return cls(min(1.0, max(-1.0, score)), matches)  # a sum can pass 1 by a last bit


class GraphMetric(Protocol):
    """A metric on AMR graphs."""

    def compare(self, graphs: Sequence[Triples], pairs: Pairs) -> list[GraphComparison]:
        """Return an independent comparison for each pair, in order."""
        ...


class _Metric(ABC, Generic[GraphT, FeaturesT]):
    """A metric that prepares each graph once, then compares pairs."""

    def compare(self, graphs: Sequence[Triples], pairs: Pairs) -> list[GraphComparison]:
        """Return an independent comparison for each pair, in order."""
        prepared = self._prepared(graphs)
        return [self._comparison(*prepared[i], *prepared[j]) for i, j in pairs]

    @abstractmethod
    def _prepared(self, graphs: Sequence[Triples]) -> list[tuple[GraphT, FeaturesT]]:
        """Return each graph in the form of the metric, with its features."""

    @abstractmethod
    def _comparison(
        self, one: GraphT, own1: FeaturesT, two: GraphT, own2: FeaturesT
    ) -> GraphComparison: ...


@dataclass(frozen=True)
class SmatchMetric(_Metric[Triples, list[float]]):
    """F1 of triples under the best mapping of nodes, in [0, 1]; see :mod:`hybridsem.graphs.smatch`.
    ``exact`` proves the mapping best where possible; ``strict`` tells ``:mod`` from the inverse of
    ``:domain``. Details: ``precision`` (of the first graph), ``recall``, and with ``exact`` the
    ``gap``.
    """

    exact: bool = False
    strict: bool = False

    def _prepared(self, graphs: Sequence[Triples]) -> list[tuple[Triples, list[float]]]:
        """Return the graphs with the number of triples about each node (half of each edge)."""
        graphs = graphs if self.strict else [*map(without_mod, graphs)]
        nodes = (dict(enumerate(range(len(graph.concepts)))) for graph in graphs)
        return [
            (graph, [*support(graph, graph, same).values()])
            for graph, same in zip(graphs, nodes, strict=True)
        ]

    def _comparison(
        self, one: Triples, own1: list[float], two: Triples, own2: list[float]
    ) -> GraphComparison:
        found = smatch(one, two, exact=self.exact, strict=self.strict)
        total = found.triples1 + found.triples2
        parts = {
            (i, j): (2 * support / (own1[i] + own2[j]), (own1[i] + own2[j]) / total)
            for (i, j), support in zip(found.mapping, found.nodes, strict=True)
        }
        details = {"precision": found.precision, "recall": found.recall}
        if self.exact:
            details["gap"] = found.gap
        return GraphComparison(found.f1, _lines(one, two, parts), details, found)


@dataclass(frozen=True)
class WlkMetric(_Metric[Labelled, Neighbourhoods]):
    """The cosine of the features of neighbourhoods, in [0, 1]; see :mod:`hybridsem.graphs.wlk`."""

    iterations: int = ITERATIONS

    def _prepared(self, graphs: Sequence[Triples]) -> list[tuple[Labelled, Neighbourhoods]]:
        known: dict[Hashable, int] = {}
        labelled = [graph.labelled for graph in graphs]
        return [(graph, neighbourhoods(graph, self.iterations, known)) for graph in labelled]

    def _comparison(
        self, one: Labelled, own1: Neighbourhoods, two: Labelled, own2: Neighbourhoods
    ) -> GraphComparison:
        return GraphComparison.of(_lines(one, two, wlk(own1, own2)))


@dataclass(frozen=True)
class WwlkMetric(_Metric[Labelled, "Vectors"]):
    """1 minus the cost of moving one graph's nodes onto the other's, in [-1, 1]. See
    :mod:`hybridsem.graphs.wwlk`. ``weights`` are known weights of roles (``arg0``), which replace
    random ones. Comparing raises :class:`MissingExtraError` without POT.
    """

    vectors: WordVectors
    iterations: int = ITERATIONS
    weights: Mapping[str, float] = field(default_factory=dict)

    def _prepared(self, graphs: Sequence[Triples]) -> list[tuple[Labelled, Vectors]]:
        labelled = [graph.labelled for graph in graphs]
        labels = sorted({label for graph in labelled for label in graph.labels})
        vectors = label_vectors(self.vectors, labels)
        return [(graph, vectors) for graph in labelled]

    def _comparison(
        self, one: Labelled, own1: Vectors, two: Labelled, own2: Vectors
    ) -> GraphComparison:
        nodes1 = node_vectors(one, own1, self.iterations, self.weights)
        nodes2 = node_vectors(two, own2, self.iterations, self.weights)
        if (one.labels, one.edges) <= (two.labels, two.edges):
            flow, distances = transport(nodes1, nodes2)
        else:  # a fixed order, as the solver returns any of several solutions
            flow, distances = (table.T for table in transport(nodes2, nodes1))
        moved = flow.nonzero()
        places = zip(*(axis.tolist() for axis in moved), strict=True)
        values = zip((1 - distances[moved]).tolist(), flow[moved].tolist(), strict=True)
        return GraphComparison.of(_lines(one, two, dict(zip(places, values, strict=True))))


@dataclass(frozen=True)
class SembleuMetric(_Metric[Labelled, Ngrams]):
    """BLEU of paths of up to three nodes, the mean of both directions, in [0, 1]."""

    def _prepared(self, graphs: Sequence[Triples]) -> list[tuple[Labelled, Ngrams]]:
        return [(graph.labelled, ngrams(graph.labelled)) for graph in graphs]

    def _comparison(
        self, one: Labelled, own1: Ngrams, two: Labelled, own2: Ngrams
    ) -> GraphComparison:
        found = sembleu(own1, own2)
        orders = sum(map(bool, found.matched))
        shares: dict[tuple[int, int], list[float]] = {}
        common: Counter[tuple[int, int]] = Counter()
        for counts1, counts2, matched in zip(own1.counts, own2.counts, found.matched, strict=True):
            for ngram, count in (counts1 & counts2).items():
                pair = own1.starts[ngram], own2.starts[ngram]
                shares.setdefault(pair, []).append(count / matched / orders)
                common[pair] += count
        parts = {}
        for (i, j), share in shares.items():
            likeness = 2 * common[i, j] / (own1.own[i] + own2.own[j])
            parts[i, j] = (likeness, found.score * math.fsum(share) / likeness)
        return GraphComparison(found.score, _lines(one, two, parts), {}, found)


@dataclass(frozen=True)
class RematchMetric(_Metric[Triples, Motifs]):
    """The Jaccard index of the graphs' motifs, in [0, 1]; see :mod:`hybridsem.graphs.rematch`.
    ``classes`` are names that replace concepts (``chase-01``), such as VerbAtlas classes of
    PropBank frames.
    """

    classes: Mapping[str, str] = field(default_factory=dict)

    def _prepared(self, graphs: Sequence[Triples]) -> list[tuple[Triples, Motifs]]:
        return [(graph, motifs(graph, self.classes)) for graph in graphs]

    def _comparison(
        self, one: Triples, own1: Motifs, two: Triples, own2: Motifs
    ) -> GraphComparison:
        counts, shared = rematch(own1, own2)
        parts = {}
        for (i, j), count in shared.items():
            either = own1.own[i] + own2.own[j] - count
            parts[i, j] = (count / either, either / counts.total)
        return GraphComparison(counts.score, _lines(one, two, parts), {}, counts)


Parts = Mapping[tuple[int, int], tuple[float, float]]
Vectors = Mapping[str, Float64Array]


def _lines(one: Triples | Labelled, two: Triples | Labelled, parts: Parts) -> tuple[RoleMatch, ...]:
    """Return the lines of two graphs: matched nodes with (similarity, weight), then single ones."""
    (labels1, paths1), (labels2, paths2) = (
        (graph.labels if isinstance(graph, Labelled) else graph.concepts, graph.paths)
        for graph in (one, two)
    )
    single1 = set(range(len(labels1))) - {i for i, _ in parts}
    single2 = set(range(len(labels2))) - {j for _, j in parts}
    zero = (0.0, 0.0, 0.0)
    return (
        *(
            RoleMatch(paths1[i], paths2[j], labels1[i], labels2[j], like, weight, like * weight)
            for (i, j), (like, weight) in sorted(parts.items())
        ),
        *(RoleMatch(paths1[i], None, labels1[i], None, *zero) for i in sorted(single1)),
        *(RoleMatch(None, paths2[j], None, labels2[j], *zero) for j in sorted(single2)),
    )


@dataclass(frozen=True)
class GraphCombiner:
    """A model that compares the graphs of parsed sentences."""

    model: str
    metric: GraphMetric
    formalism = "amr"
    reads_vectors = False

    def explain(self, batch: Batch) -> list[Explanation]:
        """Return an explanation for each pair, with score NaN if a sentence has no graph. Raises
        :class:`InputError` for structures without a graph.
        """
        graphs: dict[int, Triples] = {}
        for index, structure in enumerate(batch.structures or ()):
            if isinstance(structure, RoleStructure):
                if structure.graph is None:
                    raise InputError(
                        f"{self.model} compares AMR graphs, and the parser gave a "
                        f"{structure.formalism} structure without one for {structure.text!r:.80}"
                    )
                graphs[index] = Triples.of(structure.graph)
        place = {index: number for number, index in enumerate(graphs)}
        usable = [pair for pair in batch.pairs if place.keys() >= set(pair)]
        places = [(place[i], place[j]) for i, j in usable]
        compared = dict(zip(usable, self.metric.compare([*graphs.values()], places), strict=True))
        explanations = []
        for pair in batch.pairs:
            found = compared.get(pair) or GraphComparison(math.nan, ())
            explanations.append(batch.explanation(pair, self.model, found.matches, found.details))
        return explanations
