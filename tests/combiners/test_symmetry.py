"""Scores are symmetric to the last bit, though sums of floats depend on their order."""

import itertools

import pytest

from hybridsem import Pipeline

SENTENCES = (
    "Two small dogs that the old man bought chased three cats through the wet garden yesterday.",
    "The old man said that his two dogs and a cat had been chased out of the garden by a fox.",
    "A fox chased a dog, two cats and the old man's hens through the garden in the rain.",
    "In London a young woman who sells flowers gave her brother and his wife three red roses.",
    "Three red roses were given by the woman from London to her young brother and to his wife.",
)
MODELS = (
    "hybrid",
    "verbnet-cn",
    "role-slots",
    "dependency-cn",
    "amr-cn",
    "amr-cn-depth",
    "amr-wlk",
    "amr-rematch",
    "amr-sembleu",
)


@pytest.mark.parametrize("model", MODELS)
def test_the_order_of_two_sentences_changes_no_bit(model: str) -> None:
    pipeline = Pipeline(model=model)
    pairs = list(itertools.combinations(SENTENCES, 2))
    forth, back = (
        [explanation.score for explanation in pipeline.explain(given)]
        for given in (pairs, [(two, one) for one, two in pairs])
    )
    assert forth == back
