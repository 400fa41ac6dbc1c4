"""The best without scoring everything: the same as if all were scored, and sooner."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hybridsem.search import best

SCORES = st.lists(
    st.tuples(st.integers(-8, 8), st.integers(0, 8), st.booleans()), min_size=1, max_size=60
)


@given(SCORES, st.integers(0, 12), st.integers(-9, 9))
def test_the_best_are_those_of_scoring_everything(
    drawn: list[tuple[int, int, bool]], top_k: int, least: int
) -> None:
    scores = np.array([np.nan if failed else score / 8 for score, _, failed in drawn])
    bounds = np.array([(score + slack) / 8 for score, slack, _ in drawn])
    expected = sorted(
        (place for place in range(len(scores)) if scores[place] >= least / 8),
        key=lambda place: (-scores[place], place),
    )[:top_k]
    found = best(bounds, lambda places: scores[places], top_k, least=least / 8)
    assert found.scored <= int((bounds >= least / 8).sum())
    assert found.places.tolist() == expected
    assert found.scores.tolist() == scores[expected].tolist()


def test_what_cannot_be_among_the_best_is_not_scored() -> None:
    bounds = np.linspace(1, 0, 1000)
    assert best(bounds, lambda places: bounds[places], 5).scored < 50


def test_many_candidates_are_put_in_order_as_far_as_needed() -> None:
    draw = np.random.default_rng(0)
    scores = np.round(draw.normal(size=50_000), 2)
    bounds = scores + np.round(draw.random(50_000), 1)
    for top_k in (1, 10, 20_000):
        expected = np.lexsort((np.arange(len(scores)), -scores))[:top_k]
        assert (
            best(bounds, lambda places: scores[places], top_k).places.tolist() == expected.tolist()
        )
