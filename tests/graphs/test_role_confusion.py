"""Role confusion: which arguments change places; the benchmark has the metrics that notice it."""

import pytest

from hybridsem.amr import AmrGraph
from hybridsem.errors import InputError
from hybridsem.graphs.role_confusion import rated_alike, swap_arguments
from hybridsem.structures import ParseFailure


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
    graph = swap_arguments(AmrGraph.from_penman(notation))
    assert (graph and graph.to_penman(indent=None)) == foil


def test_pairs_that_are_rated_alike() -> None:
    dog, rain = map(AmrGraph.from_penman, ("(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"))
    first, second = [dog, dog, rain, dog], [rain, dog, rain, ParseFailure("?", "why")]
    assert rated_alike(first, second, [5, 1, 5, 5], 5) == [(0, dog, rain), (2, rain, rain)]
    with pytest.raises(InputError, match="got 1 and 1 graphs and 2 ratings"):
        rated_alike([dog], [dog], [1, 2], 1)
    with pytest.raises(InputError, match="got 1 and 2 graphs and 1 ratings"):
        rated_alike([dog], [dog, dog], [1], 1)
