"""Role confusion: which arguments change places; its benchmark asks models and makes cards."""

from pathlib import Path
from typing import Any

import pytest

from hybridsem.amr import AmrGraph
from hybridsem.errors import InputError
from hybridsem.evaluation import evaluate
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


DOG = "(c / chase-01 :ARG0 (d / dog) :ARG1 (k / cat))"
HOUND = "(c / chase-01 :ARG0 (h / hound) :ARG1 (k / cat))"
FLED = "(f / flee-01 :ARG0 (k / cat) :ARG1 (d / dog))"
RAIN = "(r / rain-01)"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Any]:
    first, second, ratings = (tmp_path / name for name in ("first.txt", "second.txt", "gold.txt"))
    first.write_text("\n\n".join([DOG, DOG, DOG, RAIN]), encoding="utf-8")
    second.write_text("\n\n".join([HOUND, FLED, RAIN, RAIN]), encoding="utf-8")
    ratings.write_text("5\n4\n1\n5\n", encoding="utf-8")
    return {"data": first, "against": second, "ratings": ratings, "least": 4.0}


def test_a_card_says_which_foils_are_noticed(files: dict[str, Any]) -> None:
    card = evaluate("role-confusion", "amr-rematch", **files)
    # The pair with the hound: 3 of 7 motifs, 2 of 8 in either foil. The pair that flees shares dog
    # and cat alone, and no relation that a foil could break: 2 of 8, before and after.
    assert card.columns["pair"] == (1, 1, 2, 2)
    assert card.columns["changed"] == (1, 2, 1, 2)
    assert card.columns["before"] == pytest.approx((3 / 7, 3 / 7, 2 / 8, 2 / 8), abs=1e-6)
    assert card.columns["after"] == pytest.approx((2 / 8, 2 / 8, 2 / 8, 2 / 8), abs=1e-6)
    assert card.columns["accuracy"] == (1, 1, 0, 0)
    found = card.scores["all"]
    assert found["accuracy"].value == 0.5
    assert found["drop"].value == pytest.approx((3 / 7 - 2 / 8) / 2)
    assert (card.counts["rows"], card.counts["scored"], card.counts["pairs"]) == (4, 4, 3)


def test_what_is_missing_is_said(files: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="needs --against, --ratings and --least; least is missi"):
        evaluate("role-confusion", "amr-wlk", **{**files, "least": None})
    with pytest.raises(InputError, match="no pair gives a foil: 0 of 4 are rated 6 or more"):
        evaluate("role-confusion", "amr-wlk", **{**files, "least": 6.0})
    with pytest.raises(InputError, match="compare AMR graphs, such as amr-smatch; got 'mean-cn'"):
        evaluate("role-confusion", "mean-cn", **files)
