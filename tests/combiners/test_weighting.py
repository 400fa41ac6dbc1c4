"""The weighting of terms: one score, and what each term contributes to it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem.combiners.weighting import TermWeight, Weighting
from hybridsem.errors import FormatError

SWAPPED = TermWeight("swapped", (0.0, 0.5, 1.0), (0.0, 0.6, 0.8))
NUMBERS = TermWeight("numbers", (0.0, 2.0), (0.0, 0.5))
WEIGHTING = Weighting((SWAPPED, NUMBERS), 2.0)

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
    found = Weighting(()).weighted(np.array([0.3, -0.2]), {})
    assert found.scores.tolist() == [0.3, -0.2]
    assert found.contributions.shape == (2, 0)


def test_json_and_back() -> None:
    assert Weighting.from_json(WEIGHTING.as_json() | {"learned": "somewhere"}) == WEIGHTING


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"knots": (0.5, 1.0)}, "at least two knots from 0 up"),
        ({"knots": (0.0, 0.0)}, "rising knots"),
        ({"knots": (0.0, 1.0, 2.0)}, "a value for each of rising knots"),
        ({"values": (0.0, float("nan"))}, "at least two values from 0 up"),
        ({"knots": (0.0, 1.0, 2.0), "values": (0.0, 1.0, 0.5)}, "must not fall"),
    ],
)
def test_invalid_weights(fields: dict[str, object], message: str) -> None:
    usual: dict[str, object] = {"name": "n", "knots": (0.0, 1.0), "values": (0.0, 1.0)}
    with pytest.raises(FormatError, match=message):
        TermWeight(**usual | fields)  # type: ignore[arg-type]


def test_invalid_constants() -> None:
    with pytest.raises(FormatError, match="duplicate terms: numbers"):
        Weighting((NUMBERS, NUMBERS))
    with pytest.raises(FormatError, match="invalid constants of a weighting"):
        Weighting.from_json({"terms": [{"name": "numbers"}], "fade": 0})
    with pytest.raises(FormatError, match="at least 0 and finite, got -1"):
        Weighting((), -1.0)
