"""The weighting of terms: one score, and what each term contributes to it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem._utils.predictors import Curve
from hybridsem.combiners.weighting import Together, Weighting, gates
from hybridsem.errors import FormatError

SWAPPED = Curve((0.0, 0.5, 1.0), (0.0, 0.6, 0.8))
NUMBERS = Curve((0.0, 2.0), (0.0, 0.5))
WEIGHTING = Weighting({"swapped": SWAPPED, "numbers": NUMBERS}, 2.0)

COSINES = st.floats(-1, 1)
TERMS = st.fixed_dictionaries({name: st.floats(0, 3) for name in ("swapped", "numbers")})


def score(cosine: float, terms: dict[str, float]) -> float:
    values = {name: np.array([value]) for name, value in terms.items()}
    return float(WEIGHTING.weighted(np.array([cosine]), values).scores[0])


def test_the_formula() -> None:
    found = score(0.8, {"swapped": 0.25, "numbers": 1.0})
    assert found == pytest.approx(0.8 * math.exp(-0.64 * (0.3 + 0.25)))


def test_terms_are_flat_behind_their_last_knot() -> None:
    assert score(0.8, {"swapped": 0, "numbers": 2}) == score(0.8, {"swapped": 0, "numbers": 9})


@given(COSINES, TERMS)
def test_contributions_add_up(cosine: float, terms: dict[str, float]) -> None:
    values = {name: np.array([value]) for name, value in terms.items()}
    found = WEIGHTING.weighted(np.array([cosine]), values)
    assert found.contributions.shape == (1, 2)
    assert cosine + found.contributions.sum() == pytest.approx(found.scores[0], abs=1e-12)
    assert (found.contributions <= 0).all()


@given(COSINES, TERMS)
def test_bounds(cosine: float, terms: dict[str, float]) -> None:
    found = score(cosine, terms)
    assert min(cosine, 0) <= found <= cosine
    if cosine <= 0:
        assert found == cosine


@given(COSINES, TERMS, st.sampled_from(["swapped", "numbers"]), st.floats(0, 2))
def test_monotone(cosine: float, terms: dict[str, float], name: str, more: float) -> None:
    assert score(cosine, terms | {name: terms[name] + more}) <= score(cosine, terms) + 1e-12


def test_without_terms_the_score_is_the_cosine() -> None:
    found = Weighting({}).weighted(np.array([0.3, -0.2]), {})
    assert found.scores.tolist() == [0.3, -0.2]
    assert found.contributions.shape == (2, 0)


def test_json_and_back() -> None:
    data = WEIGHTING.to_dict() | {"learned": "somewhere"}
    assert Weighting.from_dict(data).to_dict() == WEIGHTING.to_dict()


@pytest.mark.parametrize(
    ("knots", "values", "message"),
    [
        ((0.5, 1.0), (0.0, 1.0), "two knots or more, from 0 up"),
        ((0.0,), (0.0,), "two knots or more, from 0 up"),
        ((0.0, 0.0), (0.0, 1.0), "the knots do not rise"),
        ((0.0, 1.0, 2.0), (0.0, 1.0), r"the shape of values is \(2,\)"),
        ((0.0, 1.0), (0.0, math.nan), "values is not finite"),
        ((0.0, 1.0, 2.0), (0.0, 1.0, 0.5), "must not fall"),
    ],
)
def test_invalid_weights(knots: tuple[float, ...], values: tuple[float, ...], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Weighting({"n": Curve(knots, values)})


def test_invalid_constants() -> None:
    with pytest.raises(FormatError, match="KeyError: 'knots'"):
        Weighting.from_dict(WEIGHTING.to_dict() | {"terms": {"numbers": {"type": "curve"}}})
    with pytest.raises(FormatError, match="is no Weighting"):
        Weighting.from_dict(NUMBERS.to_dict())
    with pytest.raises(FormatError, match="must be at least 0"):
        Weighting({}, -1.0)


def test_what_a_reader_finds_lifts_and_lowers() -> None:
    even, fall = np.zeros(3), np.array([0.0, 0.0, math.log(3)])
    together = Together(np.ones(4), 0.0, np.ones(4), 0.0, even, fall, ("numbers",), ("numbers",))
    cosines = np.array([0.6, 0.9, 0.9, -0.2, 0.6])
    meanings = np.array([[0.8, 1.0], [0.8, 0.7], [0.8, 0.7], [0.0, 0.1], [np.nan, np.nan]])
    open_ = gates(np.zeros(5), np.array([0.0, 0.0, 1e9, 0.0, 0.0]))
    lifted, fallen = together.change(cosines, meanings, open_)
    assert lifted == pytest.approx([0.1, 0, 0, 0.1, 0])
    assert fallen == pytest.approx([0, 0.5 * 0.2, 0.75 * 0.2, 0, 0])
    weighting = Weighting({"numbers": NUMBERS}, 0.5, together)
    amounts = {"numbers": np.array([0.0, 0.0, 2.0, 1.0, 1.0])}
    scores, terms, added = weighting.weighted(cosines, amounts, meanings)
    assert scores == pytest.approx(cosines + terms.sum(axis=1) + added)
    assert np.array_equal(scores, weighting.scores(cosines, amounts, meanings))
    alone = Weighting({"numbers": NUMBERS}, 0.5).weighted(
        cosines[1:3], {"numbers": amounts["numbers"][1:3]}
    )
    assert np.array_equal(terms[1:3], alone.contributions)  # the fall comes after them


def test_a_reader_is_followed_more_where_words_have_no_counterpart() -> None:
    lift, fall = np.array([0.0, 2.0, -2.0]), np.array([0.0, -2.0, 0.0])
    together = Together(np.ones(4), 0.0, np.ones(4), 0.0, lift, fall, ("numbers",), ("roles",))
    found = gates(np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]))
    lifted, _ = together.change(np.full(3, 0.5), np.tile([0.9, 1.0], (3, 1)), found)
    _, fallen = together.change(np.full(3, 0.9), np.tile([0.5, 0.5], (3, 1)), found)
    assert lifted[1] > lifted[0] > lifted[2] > 0
    assert fallen[0] == fallen[2] > fallen[1] > 0
    assert together.highest_lift == pytest.approx(1 / (1 + math.exp(-2)))
