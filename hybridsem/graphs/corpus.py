"""Two lists of graphs, compared by pairs and as a whole: a parser's output and gold."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hybridsem.amr import AmrGraph
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation
from hybridsem.graphs.combiner import GraphComparison, GraphMetric
from hybridsem.graphs.smatch import Smatch
from hybridsem.graphs.triples import Triples
from hybridsem.structures import ParseFailure

CHUNK = 512
"""Pairs that are compared at once, to limit memory."""


@dataclass(frozen=True)
class CorpusScore:
    """The score over all pairs that have one, its details, and the explanation of each pair.
    Smatch, SemBLEU and Rematch sum the counts of all pairs, as their tools do; the kernels have the
    mean. The score is NaN if no pair has one.
    """

    score: float
    pairs: tuple[Explanation, ...]
    details: Mapping[str, float] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        """The number of pairs without a score."""
        return sum(math.isnan(pair.score) for pair in self.pairs)


Graph = AmrGraph | ParseFailure


def compare_graphs(
    metric: GraphMetric, first: Sequence[Graph], second: Sequence[Graph], model: str
) -> CorpusScore:
    """Compare the graphs of two lists, one by one; ``model`` names the metric in explanations. A
    failed graph gives score NaN, with the reason as a note. Raises :class:`InputError` for lists of
    different lengths.

    >>> from hybridsem.amr import AmrGraph
    >>> from hybridsem.graphs.combiner import SmatchMetric
    >>> graph = AmrGraph.from_penman("(b / bark-01 :ARG0 (d / dog))", "A dog barks.")
    >>> compare_graphs(SmatchMetric(), [graph], [graph], "amr-smatch").score
    1.0
    """
    if len(first) != len(second):
        failed = (graph for graph in (*first, *second) if isinstance(graph, ParseFailure))
        reason = next((f"; {failure.reason}" for failure in failed), "")
        counted = f"got {len(first)} and {len(second)} of them"
        raise InputError(f"graphs are compared one by one, {counted}{reason}")
    whole = {
        row: (one, two)
        for row, (one, two) in enumerate(zip(first, second, strict=True))
        if isinstance(one, AmrGraph) and isinstance(two, AmrGraph)
    }
    compared: dict[int, GraphComparison] = {}
    for at in range(0, len(whole), CHUNK):
        rows = list(whole)[at : at + CHUNK]
        graphs = [Triples.of(graph) for row in rows for graph in whole[row]]
        pairs = [(2 * i, 2 * i + 1) for i in range(len(rows))]
        compared.update(zip(rows, metric.compare(graphs, pairs), strict=True))
    counts = [each.counts for each in compared.values() if each.counts is not None]
    details: dict[str, float] = {}
    if len(counts) < len(compared) or not compared:
        scores = [each.score for each in compared.values()]
        score = math.fsum(scores) / len(scores) if scores else math.nan
    elif isinstance(total := functools.reduce(operator.add, counts), Smatch):
        score = total.f1
        details = {"precision": total.precision, "recall": total.recall}
        if any("gap" in each.details for each in compared.values()):
            details["gap"] = total.gap
    else:
        score = total.score
    explanations = (
        _explanation(first[row], second[row], compared.get(row), model) for row in range(len(first))
    )
    return CorpusScore(score, tuple(explanations), details)


def _explanation(
    one: Graph, two: Graph, comparison: GraphComparison | None, model: str
) -> Explanation:
    text1, text2 = (
        graph.to_penman(metadata=False, indent=None)
        if isinstance(graph, AmrGraph) and not graph.text
        else graph.text
        for graph in (one, two)
    )
    if comparison is None:
        notes = tuple(graph.reason for graph in (one, two) if isinstance(graph, ParseFailure))
        return Explanation(text1, text2, math.nan, model, notes=notes)
    return Explanation(
        text1, text2, comparison.score, model, comparison.matches, details=comparison.details
    )
