"""The weighting of terms: one score, and what each term contributes to it."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem._typing import Float64Array
from hybridsem._utils.predictors import Curve
from hybridsem.combiners.hybrid import shipped_weighting
from hybridsem.combiners.weighting import COLUMNS, GIVEN, Together, Weighting, gates, log_odds
from hybridsem.errors import FormatError
from hybridsem.pair_reader import Readings

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


def of_reader(lift: Sequence[float], fall: Sequence[float]) -> Together:
    """m and n are what is read, as odds of similarity; L and U depend on 1 and the gates."""
    weights = np.zeros((4, COLUMNS))
    weights[:2, GIVEN::4] = 2.0
    weights[2:, :GIVEN] = lift, fall
    return Together(weights, ("numbers",), ("roles",))


def odds_of(chances: Sequence[float]) -> Float64Array:
    found = np.zeros((len(chances), 4))
    found[:, 0] = [math.log(one / (1 - one)) for one in chances]
    return found


def test_what_a_reader_finds_lifts_and_lowers() -> None:
    together = of_reader([0, 0, 0], [0, 0, math.log(3)])
    cosines = np.array([0.6, 0.9, 0.9, -0.2, 0.6])
    odds = odds_of([0.8, 0.7, 0.7, 0.1, math.nan])
    open_ = gates(np.zeros(5), np.array([0.0, 0.0, 1e9, 0.0, 0.0]))
    lifted, fallen = together.change(cosines, odds, open_)
    assert lifted == pytest.approx([0.1, 0, 0, 0.15, 0])
    assert fallen == pytest.approx([0, 0.5 * 0.2, 0.75 * 0.2, 0, 0])
    weighting = Weighting({"numbers": NUMBERS}, 0.5, together)
    amounts = {"numbers": np.array([0.0, 0.0, 2.0, 1.0, 1.0])}
    scores, terms, added, *_ = weighting.weighted(cosines, amounts, odds)
    assert scores == pytest.approx(cosines + terms.sum(axis=1) + added)
    alone = Weighting({"numbers": NUMBERS}, 0.5).weighted(
        cosines[1:3], {"numbers": amounts["numbers"][1:3]}
    )
    assert np.array_equal(terms[1:3], alone.contributions)  # the fall comes after them


def test_what_is_certainly_alike_is_so_whatever_the_cosine() -> None:
    together = shipped_weighting(together=True).together
    certain = log_odds(Readings(*np.array([[1.0], [1.0], [0.0], [1.0], [1.0]])))
    nearly = log_odds(Readings(*np.array([[0.99], [0.99], [0.0], [0.99], [0.99]])))
    none = gates(np.zeros(1), np.zeros(1))
    bases = [
        cosine + np.subtract(*together.change(np.array([cosine]), odds, none))
        for odds, cosine in ((nearly, 0.3), (certain, 0.3), (certain, 0.7), (certain, 1.0))
    ]
    assert bases[0] < bases[1] == pytest.approx(bases[2])
    assert bases[2] <= bases[3] < 1
    assert bases[1] > 0.95


def test_a_reader_is_followed_more_where_words_have_no_counterpart() -> None:
    together = of_reader([0, 2, -2], [0, -2, 0])
    found = gates(np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]))
    lifted, _ = together.change(np.full(3, 0.5), odds_of([0.9, 0.9, 0.9]), found)
    _, fallen = together.change(np.full(3, 0.9), odds_of([0.5, 0.5, 0.5]), found)
    assert lifted[1] > lifted[0] > lifted[2] > 0
    assert fallen[0] == fallen[2] > fallen[1] > 0


def test_a_score_never_falls_where_more_is_read_in_common() -> None:
    random = np.random.default_rng(0)
    together, count = shipped_weighting(together=True).together, 2000
    cosines, odds = random.uniform(-0.2, 1, count), random.normal(0, 3, (count, 4))
    more = odds + random.exponential(1, (count, 4)) * random.integers(0, 2, (count, 4))
    found = gates(*random.exponential(0.5, (2, count)))
    bases = [cosines + np.subtract(*together.change(cosines, one, found)) for one in (odds, more)]
    assert (bases[1] >= bases[0] - 1e-12).all()
    assert (bases[1] > bases[0] + 0.01).any()
    falling = together.weights.copy()
    falling[0, GIVEN] = -0.1
    with pytest.raises(FormatError, match="a score falls where more is read in common"):
        Together(falling, together.new, together.open)
