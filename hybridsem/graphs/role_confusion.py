"""Role confusion (Opitz, Daza & Frank 2021, BAMBOO): does a metric notice two swapped arguments?

    graph   (c / chase-01 :ARG0 (d / dog) :ARG1 (k / cat))     rated alike:  (p / pursue-01 …)
    foil    (c / chase-01 :ARG1 (d / dog) :ARG0 (k / cat))

A foil replaces one graph of a pair that people rate as alike. The words are the same, so a bag of
concepts gives both pairs the same score; a metric of structure scores the foil lower. As in the
second version of the benchmark, the measure is the share of foils scored lower than their pair, and
a tie does not count. There the foil is of one graph, with random frames and roles; here each graph
gives at most one fixed foil.

With a symmetric verb ("A resembles B") a foil means the same as its graph; neither the benchmark
nor this module excludes such verbs.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from hybridsem.amr import AmrGraph
from hybridsem.errors import InputError
from hybridsem.graphs.corpus import Graph

TOLERANCE = 1e-9
"""Scores that differ by less are tied."""

_ARGUMENT = re.compile(r"(:ARG\d+)(-of)?", re.IGNORECASE)


def swap_arguments(graph: AmrGraph) -> AmrGraph | None:
    """Return the graph with two arguments of one frame swapped, or None without two that differ. It
    swaps the lowest two ``:ARGn`` with different concepts of the first frame from the top, mostly
    agent and patient. Text and metadata stay.

    >>> graph = AmrGraph.from_penman("(c / chase-01 :ARG0 (d / dog) :ARG1 (k / cat))", "")
    >>> swap_arguments(graph).to_penman(metadata=False, indent=None)
    '(c / chase-01 :ARG1 (d / dog) :ARG0 (k / cat))'
    """
    arguments: dict[str, list[tuple[str, int, str]]] = {}
    for place, (source, role, target) in enumerate(graph.triples):
        match = _ARGUMENT.fullmatch(role)
        if match and target in graph.concepts:
            frame, filler = (target, source) if match[2] else (source, target)
            arguments.setdefault(frame, []).append((match[1].upper(), place, filler))
    for frame in graph.concepts:
        pairs = itertools.combinations(sorted(arguments.get(frame, ())), 2)
        for (role1, place1, filler1), (role2, place2, filler2) in pairs:
            alike = graph.concepts[filler1].lower() == graph.concepts[filler2].lower()
            if role1 != role2 and not alike:
                triples = list(graph.triples)
                for place, new in ((place1, role2), (place2, role1)):
                    inverted = triples[place].role.lower().endswith("-of")
                    triples[place] = triples[place]._replace(role=new + "-of" * inverted)
                return replace(graph, triples=tuple(triples))
    return None


def rated_alike(
    first: Sequence[Graph], second: Sequence[Graph], ratings: Sequence[float], least: float
) -> list[tuple[int, AmrGraph, AmrGraph]]:
    """Return the pairs that people rate ``least`` or more and that have two graphs, by place. A
    failed parse or a rating NaN leaves a pair out. Raises :class:`InputError` for lists of
    different lengths.
    """
    if not len(first) == len(second) == len(ratings):
        raise InputError(
            "each pair is two graphs and a rating, "
            f"got {len(first)} and {len(second)} graphs and {len(ratings)} ratings"
        )
    return [
        (pair, one, two)
        for pair, (one, two, rating) in enumerate(zip(first, second, ratings, strict=True))
        if rating >= least and isinstance(one, AmrGraph) and isinstance(two, AmrGraph)
    ]


def foils_of(
    alike: Sequence[tuple[int, AmrGraph, AmrGraph]],
) -> list[tuple[int, int, AmrGraph, AmrGraph]]:
    """Return the foils of the pairs of :func:`rated_alike`, made by :func:`swap_arguments`. Each
    has the pair's place, the number of the changed graph (1 or 2), and both graphs.
    """
    found = []
    for pair, one, two in alike:
        foil1, foil2 = swap_arguments(one), swap_arguments(two)
        found += [(pair, 1, foil1, two)] if foil1 is not None else []
        found += [(pair, 2, one, foil2)] if foil2 is not None else []
    return found
