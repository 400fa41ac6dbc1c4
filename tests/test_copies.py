"""A pipeline is copied and pickled."""

import copy
from collections.abc import Callable
from pickle import dumps, loads

import pytest

from hybridsem import Pipeline
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.words import EmbeddedWords
from hybridsem.errors import (
    FormatError,
    HybridSemError,
    MissingExtraError,
    ParseError,
    UnknownNameError,
)
from hybridsem.parsers.srl.labeller import labelled_trees

PAIR = ("The dog chased the cat.", "The cat chased the dog.")


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda nlp: loads(dumps(nlp))])
@pytest.mark.parametrize("model", ["hybrid", "verbnet-cn", "embedded"])
def test_a_pipeline_is_copied(
    model: str, again: Callable[[Pipeline], Pipeline], pipelines: dict[str, Pipeline]
) -> None:
    nlp = pipelines[model]
    expected = nlp.similarity(*PAIR)  # its weights are read by now
    found = again(nlp)
    assert found is not nlp
    assert found.settings == nlp.settings
    assert found.similarity(*PAIR) == expected
    found.remember(10)
    assert not nlp.remembers


def test_a_pickle_has_names_and_not_weights(nlp: Pipeline, encoder: EmbeddedEncoder) -> None:
    for pipeline, most in ((nlp, 400), (Pipeline(encoder=encoder), 1000)):
        pipeline.similarity(*PAIR)
        assert len(dumps(pipeline)) < most


def test_parts_are_copied() -> None:
    trees = labelled_trees()
    (tree,) = trees.trees(PAIR[:1])
    assert loads(dumps(trees)).trees(PAIR[:1]) == [tree]
    words = EmbeddedWords()
    row = words.embed(["dog"])
    again = copy.deepcopy(words)
    assert not again._cache
    assert (again.embed(["dog"]) == row).all()


@pytest.mark.parametrize(
    "error",
    [
        FormatError("no number", "pairs.csv", 3),
        MissingExtraError("spacy", "spacy"),
        ParseError("has no words", "pair 3: ", (3,)),
        UnknownNameError("model", "hybird", ["hybrid"]),
    ],
)
def test_errors_are_what_they_were(error: HybridSemError) -> None:
    found = loads(dumps(error))
    assert type(found) is type(error)
    assert (str(found), vars(found)) == (str(error), vars(error))
