"""Role confusion: which arguments change places, and which metrics notice it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hybridsem.amr import AmrGraph
from hybridsem.errors import InputError
from hybridsem.graphs.combiner import GraphComparison, GraphMetric, RematchMetric, SmatchMetric
from hybridsem.graphs.role_confusion import Foil, role_confusion, swap_arguments
from hybridsem.graphs.triples import Triples
from hybridsem.structures import ParseFailure


def swapped(notation: str) -> str | None:
    graph = swap_arguments(AmrGraph.from_penman(notation))
    return None if graph is None else graph.to_penman(indent=None)


@pytest.mark.parametrize(
    ("notation", "foil"),
    [
        (
            "(c / chase-01 :ARG0 (d / dog :mod (s / small)) :ARG1 (k / cat))",
            "(c / chase-01 :ARG1 (d / dog :mod (s / small)) :ARG0 (k / cat))",
        ),
        # Of three the two with the lowest numbers, in whatever order they are written.
        (
            "(g / give-01 :ARG2 (b / boy) :ARG1 (k / book) :ARG0 (m / man))",
            "(g / give-01 :ARG2 (b / boy) :ARG0 (k / book) :ARG1 (m / man))",
        ),
        # Roles written from below stay so.
        (
            "(d / dog :ARG0-of (c / chase-01 :ARG1 (k / cat)))",
            "(d / dog :ARG1-of (c / chase-01 :ARG0 (k / cat)))",
        ),
        # The topmost frame that has two; other roles are no arguments.
        (
            "(s / say-01 :ARG1 (c / chase-01 :ARG0 (d / dog) :ARG1 (k / cat)) :time (n / now))",
            "(s / say-01 :ARG1 (c / chase-01 :ARG1 (d / dog) :ARG0 (k / cat)) :time (n / now))",
        ),
        # Two men are alike; the first and the letter are not.
        (
            "(s / send-01 :ARG0 (m / man) :ARG2 (n / man) :ARG1 (l / letter))",
            "(s / send-01 :ARG1 (m / man) :ARG2 (n / man) :ARG0 (l / letter))",
        ),
        ("(m / meet-02 :ARG0 (a / man) :ARG1 (b / man))", None),
        ("(s / shave-01 :ARG0 (m / man) :ARG1 m)", None),
        ("(r / rise-01 :ARG1 (p / price) :ARG2 5)", None),
        ("(b / bark-01 :ARG0 (d / dog) :location (g / garden))", None),
    ],
)
def test_two_arguments_change_places(notation: str, foil: str | None) -> None:
    assert swapped(notation) == foil


class BagOfConcepts:
    """The Jaccard index of concepts: blind to roles."""

    def compare(
        self, graphs: Sequence[Triples], pairs: Sequence[tuple[int, int]]
    ) -> list[GraphComparison]:
        bags = [set(graph.concepts) for graph in graphs]
        return [
            GraphComparison(len(bags[i] & bags[j]) / len(bags[i] | bags[j]), ()) for i, j in pairs
        ]


DOG = AmrGraph.from_penman("(c / chase-01 :ARG0 (d / dog) :ARG1 (k / cat))")
HOUND = AmrGraph.from_penman("(c / chase-01 :ARG0 (h / hound) :ARG1 (k / cat))")
RAIN = AmrGraph.from_penman("(r / rain-01)")


def test_foils_of_pairs_that_are_rated_alike() -> None:
    first, second = [DOG, DOG, RAIN, DOG], [HOUND, RAIN, RAIN, ParseFailure("?", "why")]
    found = role_confusion(RematchMetric(), first, second, [5, 1, 5, 5], least=5)
    # Pair 1 is rated low, pair 3 has a failed parse, and nothing in rain can be swapped.
    assert found.pairs == 2
    # Shared are chase-01, cat and ARG1 cat, of 3 and 2 · (a word and its ARG0). In a foil cat has
    # another role than in the other graph: 2 shared, and 3 of either graph.
    assert found.foils == (Foil(0, 1, 3 / 7, 2 / 8), Foil(0, 2, 3 / 7, 2 / 8))
    assert found.accuracy == 1
    assert found.drop == pytest.approx(3 / 7 - 2 / 8)


@pytest.mark.parametrize(
    ("metric", "accuracy"), [(SmatchMetric(exact=True), 1), (BagOfConcepts(), 0)]
)
def test_a_tie_is_not_noticed(metric: GraphMetric, accuracy: float) -> None:
    found = role_confusion(metric, [DOG], [HOUND], [1], least=1)
    assert len(found.foils) == 2
    assert found.accuracy == accuracy


def test_each_pair_has_two_graphs_and_a_rating() -> None:
    with pytest.raises(InputError, match="got 1 and 1 graphs and 2 ratings"):
        role_confusion(RematchMetric(), [DOG], [DOG], [1, 2], least=1)
    with pytest.raises(InputError, match="got 1 and 2 graphs and 1 ratings"):
        role_confusion(RematchMetric(), [DOG], [DOG, DOG], [1], least=1)
