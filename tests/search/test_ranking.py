"""The best without scoring everything; ranking, in the shape of ``CrossEncoder.rank``."""

import inspect
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.generated import some_sentences
from support.parsers import FailsOnRain

from hybridsem import Pipeline
from hybridsem.errors import InputError, ParseError
from hybridsem.search import best, ranking

QUERY = "The bank sued the newspaper."
DOCUMENTS = [
    "It rains.",
    "The newspaper sued the bank.",
    "The newspaper was sued by the bank.",
    "The bank did not sue the newspaper.",
    "It rains.",
    "A bank took legal action against a newspaper.",
]


@pytest.mark.parametrize("model", ["hybrid", "hybrid-0.1", "embedded", "verbnet-cn"])
def test_the_best_are_the_first_of_all(model: str) -> None:
    nlp = Pipeline(model)
    documents = DOCUMENTS + some_sentences(24)
    scores = nlp.score([(QUERY, document) for document in documents]).tolist()
    order = sorted(range(len(documents)), key=lambda number: -scores[number])
    expected = [{"corpus_id": number, "score": scores[number]} for number in order]
    assert nlp.rank(QUERY, documents) == expected
    for top_k in (1, 3, 29, 30, 100):
        assert nlp.rank(QUERY, documents, top_k=top_k) == expected[:top_k]
    with nlp.remembering():
        for _ in range(2):
            assert nlp.rank(QUERY, documents, top_k=3) == expected[:3]


def test_a_pair_reader_reads_the_best_without_it(
    nlp: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking, "READ_TOGETHER", 6)
    documents = DOCUMENTS + some_sentences(24)
    alone = nlp.without_pair_reader().rank(QUERY, documents)
    candidates = sorted(one["corpus_id"] for one in alone[:8])  # four times those asked for
    scores = nlp.score([(QUERY, documents[number]) for number in candidates]).tolist()
    expected = sorted(zip(scores, candidates, strict=True), key=lambda one: -one[0])[:2]
    found = nlp.rank(QUERY, documents, top_k=2)
    assert [(one["score"], one["corpus_id"]) for one in found] == expected


def test_the_shape_is_that_of_a_cross_encoder(nlp: Pipeline) -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers")
    theirs = list(inspect.signature(sentence_transformers.CrossEncoder.rank).parameters)[1:5]
    assert list(inspect.signature(Pipeline.rank).parameters)[1:5] == theirs
    (first,) = nlp.rank(QUERY, DOCUMENTS, 1, True)
    assert [*first] == ["corpus_id", "score", "text"]
    assert [type(value) for value in first.values()] == [int, float, str]


def test_several_queries(nlp: Pipeline) -> None:
    queries = [QUERY, "It rains."]
    found = nlp.rank(queries, DOCUMENTS, top_k=2)
    assert found == [nlp.rank(query, DOCUMENTS, top_k=2) for query in queries]
    assert nlp.rank([], DOCUMENTS) == []
    assert nlp.rank(QUERY, []) == []
    assert nlp.rank(queries, (text for text in DOCUMENTS), top_k=2) == found


@pytest.mark.parametrize("bad", ["", " \t", "\ud83d", None, 7])
def test_what_is_no_sentence_is_named(nlp: Pipeline, bad: Any) -> None:
    with pytest.raises(InputError, match="document 1:"):
        nlp.rank(QUERY, [DOCUMENTS[0], bad])
    with pytest.raises(InputError, match="query 1:"):
        nlp.rank([QUERY, bad], DOCUMENTS)
    found = nlp.rank(QUERY, [bad, *DOCUMENTS], on_error="skip")
    assert found == [
        {**one, "corpus_id": one["corpus_id"] + 1} for one in nlp.rank(QUERY, DOCUMENTS)
    ]


def test_documents_without_a_score() -> None:
    failing = Pipeline(parser=FailsOnRain())
    with pytest.raises(ParseError, match="document 0: .*it rains"):
        failing.rank(QUERY, DOCUMENTS)
    found = failing.rank(QUERY, DOCUMENTS, on_error="skip")
    assert sorted(one["corpus_id"] for one in found) == [1, 2, 3, 5]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        *(({"top_k": count}, "top_k is a whole number from 1") for count in (0, -1, 2.5, "3")),
        ({"on_error": "ignore"}, "on_error"),
        ({"documents": "It rains."}, "expected a sequence of strings"),
    ],
)
def test_wrong_arguments(nlp: Pipeline, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        nlp.rank(QUERY, **{"documents": DOCUMENTS, **wrong})


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


def test_few_of_many_candidates_are_scored() -> None:
    draw = np.random.default_rng(0)
    scores = np.round(draw.normal(size=50_000), 2)
    bounds = scores + np.round(draw.random(50_000), 1)
    for top_k in (1, 10, 20_000):
        expected = np.lexsort((np.arange(len(scores)), -scores))[:top_k]
        assert (
            best(bounds, lambda places: scores[places], top_k).places.tolist() == expected.tolist()
        )
    bounds = np.linspace(1, 0, 1000)
    assert best(bounds, lambda places: bounds[places], 5).scored < 50
