"""Our scores and vectors in sentence-transformers, rerankers, LangChain, LlamaIndex and Haystack:
with the real packages, and each through what that package does with its own.
"""

from __future__ import annotations

import asyncio
import pickle
import re
import sys
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import hybridsem.interop
from hybridsem import Pipeline
from hybridsem.errors import InputError, MissingExtraError
from hybridsem.interop._shared import name_of_vectors, named, pipeline_of, ranked

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


def test_ranks(nlp: Pipeline, scores: list[float]) -> None:
    assert ranked(nlp, QUERY, DOCUMENTS) == [(i, scores[i]) for i in ORDER]
    assert ranked(nlp, QUERY, DOCUMENTS, 1) == [(2, scores[2])]
    assert ranked(nlp, QUERY, []) == []
    assert ranked(nlp, QUERY, [" ", DOCUMENTS[1], DOCUMENTS[1]]) == [
        (1, scores[1]),
        (2, scores[1]),
        (0, None),
    ]
    with pytest.raises(InputError, match="top_k is a whole number from 1, got 0"):
        ranked(nlp, QUERY, DOCUMENTS, 0)


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
    assert best == {
        "corpus_id": 2,
        "score": pytest.approx(scores[2]),
        "text": DOCUMENTS[2],
    }
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


def test_rerankers(nlp: Pipeline, scores: list[float]) -> None:
    rerankers = pytest.importorskip("rerankers")
    from hybridsem.interop.rerankers import HybridSemRanker

    assert isinstance(
        rerankers.Reranker("hybrid", model_type="HybridSemRanker", verbose=0), HybridSemRanker
    )
    ranker = HybridSemRanker(nlp)
    found = ranker.rank(
        QUERY, DOCUMENTS, doc_ids=["a", "b", "c"], metadata=[{"at": i} for i in (0, 1, 2)]
    )
    assert [(one.doc_id, one.rank, one.score, one.metadata["at"]) for one in found] == [
        (name, rank, scores[i], i)
        for rank, (name, i) in enumerate(zip("cab", ORDER, strict=True), 1)
    ]
    assert [one.doc_id for one in found.top_k(1)] == ["c"]
    assert ranker.score(QUERY, DOCUMENTS[0]) == scores[0]
    assert asyncio.run(ranker.rank_async(QUERY, DOCUMENTS)).results[0].doc_id == 2
    assert ranker.rank(QUERY, []).results == []
    assert [one.score for one in ranker.rank(QUERY, ["", DOCUMENTS[1]])] == [scores[1], None]


def test_langchain(nlp: Pipeline, scores: list[float]) -> None:
    pytest.importorskip("langchain_core")
    from langchain_core.documents import Document
    from langchain_core.vectorstores import InMemoryVectorStore

    from hybridsem.interop.langchain import (
        HybridSemCrossEncoder,
        HybridSemEmbeddings,
        HybridSemReranker,
    )

    embeddings = HybridSemEmbeddings(nlp)
    assert embeddings.model_name == "hybridsem/encoder"
    store = InMemoryVectorStore.from_texts(
        DOCUMENTS, embeddings, metadatas=[{"at": i} for i in range(3)]
    )
    found = store.similarity_search(QUERY, k=3)
    assert found[-1].metadata == {"at": 1}
    reranker = HybridSemReranker(model=nlp, top_n=2)
    kept = reranker.compress_documents(found, QUERY)
    assert [document.metadata for document in kept] == [
        {"at": 2, "relevance_score": scores[2]},
        {"at": 0, "relevance_score": scores[0]},
    ]
    assert "relevance_score" not in found[0].metadata
    assert asyncio.run(reranker.acompress_documents(found, QUERY)) == kept
    assert reranker.compress_documents([Document("")], QUERY)[0].metadata == {
        "relevance_score": None
    }
    assert HybridSemReranker().pipeline.spec.name == "hybrid"
    scorer = HybridSemCrossEncoder(nlp)
    assert scorer.model_name == "hybridsem/hybrid"
    assert scorer.score([(QUERY, DOCUMENTS[0])]) == scores[:1]


def test_llama_index(scores: list[float]) -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core import VectorStoreIndex
    from llama_index.core.schema import NodeWithScore, TextNode

    from hybridsem.interop.llama_index import HybridSemEmbedding, HybridSemRerank

    embedding = HybridSemEmbedding("hybrid")
    assert embedding.to_dict()["model_name"] == "hybridsem/encoder"
    nodes = [TextNode(text=text, id_=str(i)) for i, text in enumerate(DOCUMENTS)]
    retriever = VectorStoreIndex(nodes, embed_model=embedding).as_retriever(similarity_top_k=3)
    found = retriever.retrieve(QUERY)
    assert found[-1].node.node_id == "1"
    rerank = HybridSemRerank(top_n=2)
    kept = rerank.postprocess_nodes(found, query_str=QUERY)
    assert [(one.node.node_id, one.score) for one in kept] == [
        ("2", pytest.approx(scores[2])),
        ("0", pytest.approx(scores[0])),
    ]
    assert len(kept) == 2
    assert found[0].score not in scores
    for component in (embedding, rerank):
        again = type(component).from_dict(component.to_dict())
        assert again.to_dict() == component.to_dict()
        assert pickle.loads(pickle.dumps(component)).to_dict() == component.to_dict()
    assert asyncio.run(embedding.aget_query_embedding(QUERY)) == embedding.get_text_embedding(QUERY)
    with pytest.raises(InputError, match="ranked by a query"):
        rerank.postprocess_nodes([NodeWithScore(node=nodes[0])])


def test_haystack(scores: list[float]) -> None:
    pytest.importorskip("haystack")
    from haystack import Document
    from haystack import Pipeline as Flow
    from haystack.components.retrievers import InMemoryEmbeddingRetriever
    from haystack.core.serialization import allow_deserialization_module
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    from hybridsem.interop.haystack import (
        HybridSemDocumentEmbedder,
        HybridSemRanker,
        HybridSemTextEmbedder,
    )

    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    embedder = HybridSemDocumentEmbedder()
    documents = [Document(content=text, meta={"at": i}) for i, text in enumerate(DOCUMENTS)]
    result = embedder.run(documents)
    assert result["meta"] == {"model": "hybridsem/encoder"}
    assert documents[0].embedding is None
    store.write_documents(result["documents"])
    flow = Flow()
    flow.add_component("text", HybridSemTextEmbedder())
    flow.add_component("retriever", InMemoryEmbeddingRetriever(store))
    flow.add_component("ranker", HybridSemRanker(top_k=2))
    flow.connect("text.embedding", "retriever.query_embedding")
    flow.connect("retriever.documents", "ranker.documents")
    question = {"text": {"text": QUERY}, "ranker": {"query": QUERY}}
    found = flow.run(question)["ranker"]["documents"]
    assert [(one.meta["at"], one.score) for one in found] == [(2, scores[2]), (0, scores[0])]
    for component in (
        HybridSemTextEmbedder("verbnet-cn"),
        HybridSemDocumentEmbedder({"model": "hybrid", "encoder": "sif"}),
        HybridSemRanker("hybrid-0.1", top_k=3),
    ):
        data = component.to_dict()
        assert data["type"] == f"hybridsem.interop.haystack.{type(component).__name__}"
        again = type(component).from_dict(data)
        assert again.to_dict() == data
        assert repr(again.pipeline) == repr(component.pipeline)
    allow_deserialization_module("hybridsem.interop.haystack")
    flow.remove_component("retriever")
    assert Flow.loads(flow.dumps()).to_dict() == flow.to_dict()
    assert HybridSemRanker().run(QUERY, documents, top_k=1)["documents"][0].meta == {"at": 2}


@pytest.mark.parametrize(
    ("module", "missing", "install", "names"),
    [
        ("rerankers", "rerankers", "rerankers", "HybridSemRanker"),
        (
            "langchain",
            "langchain_core",
            "langchain-core",
            "GuardedCache HybridSemCrossEncoder HybridSemEmbeddings HybridSemReranker",
        ),
        ("llama_index", "llama_index", "llama-index-core", "HybridSemEmbedding HybridSemRerank"),
        (
            "haystack",
            "haystack",
            "haystack-ai",
            "HybridSemDocumentEmbedder HybridSemRanker HybridSemTextEmbedder",
        ),
        ("spacy", "spacy", "'hybridsem[spacy]'", "HybridSem"),
        ("sklearn", "sklearn", "'hybridsem[train]'", "SentenceVectors"),
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
