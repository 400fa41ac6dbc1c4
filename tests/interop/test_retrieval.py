"""Our scores in sentence-transformers with the real package; names; and missing libraries."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import hybridsem.interop
from hybridsem import Pipeline
from hybridsem.errors import InputError, MissingExtraError
from hybridsem.interop._shared import name_of_vectors, named, pipeline_of

QUERY = "The bank sued the newspaper."
DOCUMENTS = [
    "The newspaper sued the bank.",
    "It rains in the north.",
    "The newspaper was sued by the bank.",
]
ORDER = [2, 0, 1]
"""Of the documents, by the hybrid: the encoder alone cannot tell the first from the third."""


@pytest.fixture(scope="module")
def scores(nlp: Pipeline) -> list[float]:
    found: list[float] = nlp.score([(QUERY, text) for text in DOCUMENTS]).tolist()
    assert [int(i) for i in np.argsort(found)[::-1]] == ORDER
    return found


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("hybrid", "hybridsem/encoder"),
        ("hybrid-0.1", "hybridsem/encoder"),
        ("embedded", "hybridsem/encoder"),
        ("verbnet-cn", "hybridsem/verbnet-cn"),
        ("sif", "hybridsem/sif"),
        ({"model": "hybrid", "encoder": "sif"}, "hybridsem/sif"),
    ],
)
def test_vectors_are_called_what_they_are(model: Any, name: str) -> None:
    nlp = pipeline_of(model)
    assert name_of_vectors(nlp) == name
    if "sif" in name:
        assert not np.allclose(nlp.encode(DOCUMENTS), Pipeline("embedded").encode(DOCUMENTS)[:, :1])


def test_a_pipeline_in_plain_data() -> None:
    for given in ("hybrid", "embedded", {"model": "hybrid", "parser": "embedded"}):
        assert named(pipeline_of(given)) == given  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no names to save: encoder"):
        named(Pipeline(encoder=Pipeline().encoder))


@pytest.fixture(scope="module")
def cross_encoder(nlp: Pipeline) -> Any:
    pytest.importorskip("sentence_transformers")
    from hybridsem.interop.sentence_transformers import as_cross_encoder

    return as_cross_encoder(nlp)


def test_a_cross_encoder_predicts_and_ranks(cross_encoder: Any, scores: list[float]) -> None:
    from sentence_transformers import CrossEncoder

    assert isinstance(cross_encoder, CrossEncoder)
    pairs = [(QUERY, text) for text in DOCUMENTS]
    found = cross_encoder.predict(pairs)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, scores, atol=1e-6)
    assert cross_encoder.predict(pairs[0]) == pytest.approx(scores[0])
    np.testing.assert_allclose(cross_encoder.predict(np.array(pairs)), scores, atol=1e-6)
    assert cross_encoder.predict(pairs, convert_to_tensor=True).shape == (3,)
    assert len(cross_encoder.predict([])) == 0
    best, second = cross_encoder.rank(QUERY, DOCUMENTS, top_k=2, return_documents=True)
    assert best == {"corpus_id": 2, "score": pytest.approx(scores[2]), "text": DOCUMENTS[2]}
    assert second["corpus_id"] == 0
    assert cross_encoder.model_card_data.model_name == "hybridsem/hybrid"
    assert cross_encoder.model_card_data.base_model == "sentence-transformers/all-MiniLM-L6-v2"
    with pytest.raises(InputError, match="pair 0: sentence 2: the text is empty"):
        cross_encoder.predict([(QUERY, "")])
    with pytest.raises(InputError, match="take no prompt"):
        cross_encoder.predict(pairs, prompt="query: ")
    with pytest.raises(InputError, match="cannot be saved"):
        cross_encoder[0].save("x")


def test_their_evaluators_of_our_scores(cross_encoder: Any, scores: list[float]) -> None:
    from scipy.stats import pearsonr
    from sentence_transformers.cross_encoder.evaluation import (
        CrossEncoderClassificationEvaluator,
        CrossEncoderCorrelationEvaluator,
        CrossEncoderRerankingEvaluator,
    )

    pairs, gold = [(QUERY, text) for text in DOCUMENTS], [0.4, 0.0, 1.0]
    found = CrossEncoderCorrelationEvaluator(pairs, gold)(cross_encoder)
    assert found["pearson"] == pytest.approx(pearsonr(scores, gold)[0], abs=1e-5)
    found = CrossEncoderClassificationEvaluator(pairs, [0, 0, 1])(cross_encoder)
    assert found["average_precision"] == 1
    sample = {"query": QUERY, "positive": DOCUMENTS[2:], "negative": DOCUMENTS[:2]}
    assert CrossEncoderRerankingEvaluator([sample])(cross_encoder)["map"] == 1


@pytest.mark.parametrize(
    ("module", "missing", "install", "names"),
    [
        ("spacy", "spacy", "'hybridsem[spacy]'", "HybridSem"),
        (
            "sentence_transformers",
            "sentence_transformers",
            "'hybridsem[transformers]'",
            "as_sentence_transformer",
        ),
    ],
)
def test_a_missing_library_is_named(
    module: str, missing: str, install: str, names: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = import_module(f"hybridsem.interop.{module}")
    assert {*loaded.__all__} >= {*names.split()}
    for found in [found for found in sys.modules if found.partition(".")[0] == missing]:
        monkeypatch.setitem(sys.modules, found, None)
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setattr(hybridsem.interop, module, loaded)  # the package keeps the one that works
    with monkeypatch.context() as context:
        context.delitem(sys.modules, loaded.__name__)
        fresh = import_module(loaded.__name__)
    for name in names.split():
        with pytest.raises(MissingExtraError, match=f"run: pip install {re.escape(install)}"):
            getattr(fresh, name)()
