"""The benchmark role-confusion: files read, models asked, cards compared."""

from pathlib import Path
from typing import Any

import pytest

from hybridsem.errors import InputError
from hybridsem.evaluation import evaluate

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
