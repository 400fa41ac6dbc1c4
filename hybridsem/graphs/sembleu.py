"""SemBLEU (Song & Gildea 2019): BLEU on the n-grams of two graphs' paths.

    (c / chase-01 :ARG0 (d / dog))    1-grams  chase-01   dog      2-gram  chase-01 arg0 dog

An n-gram is a directed path over n different nodes with the roles between them, up to n = 3. As in
the authors' program, all orders have the same weight, an order without match is smoothed (1/2, 1/4,
… of one match), and the length of a graph is its number of nodes and edges. The score is the mean
of both directions, so it is symmetric.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from dataclasses import astuple, dataclass
from functools import cached_property

from hybridsem.graphs.triples import Labelled

ORDERS = 3

Ngram = tuple[str, ...]


@dataclass(frozen=True)
class Ngrams:
    """A graph's n-grams by order; each belongs to the first node where it starts."""

    counts: tuple[Counter[Ngram], ...]
    starts: dict[Ngram, int]
    length: int

    @cached_property
    def own(self) -> Counter[int]:
        """The number of n-grams of each node."""
        own: Counter[int] = Counter()
        for counts in self.counts:
            for ngram, count in counts.items():
                own[self.starts[ngram]] += count
        return own


@dataclass(frozen=True)
class Sembleu:
    """The shared n-grams by order, and lengths, of two graphs or the pairs of a corpus."""

    matched: tuple[int, ...]
    ngrams1: tuple[int, ...]
    ngrams2: tuple[int, ...]
    lengths: tuple[int, ...]

    @cached_property
    def score(self) -> float:
        """The mean of the two BLEU scores, in [0, 1]."""
        forth = _bleu(self.matched, self.ngrams1, *self.lengths)
        return (forth + _bleu(self.matched, self.ngrams2, *self.lengths[::-1])) / 2

    def __add__(self, other: Sembleu) -> Sembleu:
        """Return the sum of the counts, as in corpus BLEU."""
        each = zip(astuple(self), astuple(other), strict=True)
        return Sembleu(*(tuple(map(operator.add, *both)) for both in each))


def ngrams(graph: Labelled) -> Ngrams:
    """Return the n-grams of a graph's paths, of 1 to :data:`ORDERS` nodes."""
    after: list[list[tuple[str, int]]] = [[] for _ in graph.labels]
    for source, role, target in graph.edges:
        after[source].append((role, target))
    counts: tuple[Counter[Ngram], ...] = tuple(Counter() for _ in range(ORDERS))
    starts: dict[Ngram, int] = {}
    paths: list[tuple[tuple[int, ...], Ngram]] = [
        ((i,), (label,)) for i, label in enumerate(graph.labels)
    ]
    for count in counts:
        for nodes, ngram in paths:
            count[ngram] += 1
            starts.setdefault(ngram, nodes[0])
        paths = [
            ((*nodes, target), (*ngram, role, graph.labels[target]))
            for nodes, ngram in paths
            for role, target in after[nodes[-1]]
            if target not in nodes
        ]
    return Ngrams(counts, starts, len(graph.labels) + len(graph.edges))


def sembleu(one: Ngrams, two: Ngrams) -> Sembleu:
    """Return the counts of shared n-grams of two graphs, whose ``score`` is in [0, 1]."""
    return Sembleu(
        tuple((a & b).total() for a, b in zip(one.counts, two.counts, strict=True)),
        tuple(count.total() for count in one.counts),
        tuple(count.total() for count in two.counts),
        (one.length, two.length),
    )


def _bleu(matched: tuple[int, ...], ngrams: tuple[int, ...], length: int, other: int) -> float:
    """Return the BLEU of a hypothesis with these counts."""
    if not matched[0]:
        return 0.0
    logs, misses = [], 0
    for found, total in zip(matched, ngrams, strict=True):
        if total:
            misses += not found
            logs.append(math.log((found or 0.5**misses) / total))
    return math.exp(math.fsum(logs) / len(logs) + min(0.0, 1 - other / length))
