"""Rematch: the motifs of graphs made by hand, and what does not change the score."""

from __future__ import annotations

import pytest

from hybridsem.amr import AmrGraph
from hybridsem.graphs.combiner import GraphComparison, RematchMetric
from hybridsem.graphs.rematch import Rematch
from hybridsem.graphs.triples import Triples


def triples(notation: str) -> Triples:
    return Triples.of(AmrGraph.from_penman(notation))


def compared(one: str, two: str, metric: RematchMetric | None = None) -> GraphComparison:
    return (metric or RematchMetric()).compare([triples(one), triples(two)], [(0, 1)])[0]


@pytest.mark.parametrize(
    ("one", "two", "shared", "total"),
    [
        # chase-01, dog, cat are shared; either has two relation motifs of its own.
        (
            "(c / chase-01 :ARG0 (d / dog) :ARG1 (k / cat))",
            "(c / chase-01 :ARG0 (k / cat) :ARG1 (d / dog))",
            3,
            3 + 2 + 2,
        ),
        # dog is shared. bark-01, the relation of it with dog; polarity -, bark-01 with that, and
        # its relation with dog.
        ("(b / bark-01 :ARG0 (d / dog))", "(b / bark-01 :polarity - :ARG0 (d / dog))", 1, 6),
        # bark-01, dog and the relation, however the role is written and whatever the top is.
        ("(b / bark-01 :ARG0 (d / dog))", "(d / dog :ARG0-of (b / bark-01))", 3, 3),
        # A motif that occurs twice is in the set once: and, dog, op1 dog, against op2 dog as well.
        ("(a / and :op1 (d / dog))", "(a / and :op1 (d / dog) :op2 (e / dog))", 3, 4),
        # polarity - is shared, whatever it negates.
        ("(b / bark-01 :polarity -)", "(r / rain-01 :polarity -)", 1, 3),
        ("(d / dog)", "(c / cat)", 0, 2),
        ("(d / dog)", "(D / Dog)", 1, 1),
    ],
)
def test_the_score_is_the_jaccard_index(one: str, two: str, shared: int, total: int) -> None:
    forth, back = compared(one, two), compared(two, one)
    assert forth.counts == back.counts == Rematch(shared, total)
    assert forth.score == back.score == shared / total


def test_lines_are_the_shared_motifs_of_two_nodes() -> None:
    found = compared(
        "(c / chase-01 :ARG0 (d / dog :mod (s / small)) :ARG1 (k / cat))",
        "(c / chase-01 :ARG0 (d / dog :mod (b / big)))",
    )
    # Shared: chase-01, dog, the ARG0 between them. In all: these, small, cat, big, two :mod, ARG1.
    assert found.score == 3 / 9
    lines = {(line.filler1, line.filler2): (line.similarity, line.weight) for line in found.matches}
    assert lines == {
        # chase-01 and its ARG0 are shared by the two nodes, its ARG1 is of the first.
        ("chase-01", "chase-01"): pytest.approx((2 / 3, 3 / 9)),
        # dog is shared, either has a :mod of its own.
        ("dog", "dog"): pytest.approx((1 / 3, 3 / 9)),
        ("small", None): (0, 0),
        ("cat", None): (0, 0),
        (None, "big"): (0, 0),
    }


def test_classes_replace_concepts() -> None:
    one, two = "(k / kill-01 :ARG1 (f / fly))", "(m / murder-01 :ARG1 (f / fly))"
    # fly alone, of it and either verb with its relation.
    assert compared(one, two).score == 1 / 5
    classes = {"kill-01": "MURDER", "murder-01": "MURDER"}
    assert compared(one, two, RematchMetric(classes)).score == 1
