"""The best without scoring everything: the same as if all were scored, and sooner."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem import Pipeline
from hybridsem.search import above, best, best_in_batch
from hybridsem.search.candidates import scores_of

SCORES = st.lists(
    st.tuples(st.integers(-8, 8), st.integers(0, 8), st.booleans()), min_size=1, max_size=60
)


@given(SCORES, st.integers(0, 12))
def test_the_best_are_those_of_scoring_everything(
    drawn: list[tuple[int, int, bool]], top_k: int
) -> None:
    scores = np.array([np.nan if failed else score / 8 for score, _, failed in drawn])
    bounds = np.array([(score + slack) / 8 for score, slack, _ in drawn])
    expected = sorted(
        (place for place in range(len(scores)) if not np.isnan(scores[place])),
        key=lambda place: (-scores[place], place),
    )[:top_k]
    found = best(bounds, lambda places: scores[places], top_k)
    assert found.places.tolist() == expected
    assert found.scores.tolist() == scores[expected].tolist()


@given(SCORES, st.integers(-9, 9))
def test_above_finds_all_that_reach_the_threshold(
    drawn: list[tuple[int, int, bool]], least: int
) -> None:
    scores = np.array([np.nan if failed else score / 8 for score, _, failed in drawn])
    bounds = np.array([(score + slack) / 8 for score, slack, _ in drawn])
    found = above(bounds, lambda places: scores[places], least / 8)
    assert set(found.places.tolist()) == set(np.flatnonzero(scores >= least / 8).tolist())
    assert found.scored <= int((bounds >= least / 8).sum())


def test_what_cannot_be_among_the_best_is_not_scored() -> None:
    bounds = np.linspace(1, 0, 1000)
    assert best(bounds, lambda places: bounds[places], 5).scored < 50
    assert best(bounds, lambda places: bounds[places] - 2, 5, budget=100).scored == 100


def test_many_candidates_are_put_in_order_as_far_as_needed() -> None:
    draw = np.random.default_rng(0)
    scores = np.round(draw.normal(size=50_000), 2)
    bounds = scores + np.round(draw.random(50_000), 1)
    for top_k in (1, 10, 20_000):
        expected = np.lexsort((np.arange(len(scores)), -scores))[:top_k]
        assert (
            best(bounds, lambda places: scores[places], top_k).places.tolist() == expected.tolist()
        )


@pytest.mark.parametrize("model", ["hybrid", "verbnet-cn"])
def test_the_best_of_a_batch(model: str) -> None:
    texts = [
        "The dog chased the cat.",
        "A boy reads a book.",
        "The cat chased the dog.",
        "The cat was chased by the dog.",
        "The dog did not chase the cat.",
    ]
    nlp = Pipeline(model)
    batch = nlp.read([(texts[0], text) for text in texts[1:]])
    found = best_in_batch(nlp.combiner, batch, 0, np.arange(1, 5), 2)
    scores = nlp.score([(texts[0], text) for text in texts[1:]])
    assert found.places[0] == 2
    assert found.scores.tolist() == sorted(scores.tolist(), reverse=True)[:2]
    assert scores_of(nlp.combiner, batch).tolist() == scores.tolist()
