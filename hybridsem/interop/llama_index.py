"""LlamaIndex: vectors, and reranking of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hybridsem.errors import InputError
from hybridsem.interop._shared import Model, missing, name_of_vectors, named, pipeline_of, ranked

try:
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.bridge.pydantic import PrivateAttr
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
except ImportError:
    BaseEmbedding = BaseNodePostprocessor = missing("LlamaIndex", "llama-index-core")
    PrivateAttr = object

if TYPE_CHECKING:
    from llama_index.core.schema import NodeWithScore, QueryBundle

__all__ = ["HybridSemEmbedding", "HybridSemRerank"]


class HybridSemEmbedding(BaseEmbedding):
    """Sentence vectors of a model, or of its encoder if it compares pairs; ``options`` go to
    ``BaseEmbedding``.

    >>> len(HybridSemEmbedding().get_text_embedding("It rains."))
    384
    """

    model: Any
    _pipeline: Any = PrivateAttr()

    def __init__(self, model: Model = "embedded", **options: Any) -> None:
        pipeline = pipeline_of(model)
        options["model_name"] = name_of_vectors(pipeline)
        super().__init__(model=named(pipeline), **options)
        self._pipeline = pipeline

    @classmethod
    def class_name(cls) -> str:
        """Return the name in files of LlamaIndex."""
        return "HybridSemEmbedding"

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = self._pipeline.encode(texts).tolist()
        return rows

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    _get_query_embedding = _get_text_embedding

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class HybridSemRerank(BaseNodePostprocessor):
    """Ranks retrieved nodes by their scores with the query and keeps ``top_n``; a blank node comes
    last, with None. ``options`` go to ``BaseNodePostprocessor``.

    >>> from llama_index.core.schema import NodeWithScore, TextNode
    >>> texts = "It rains.", "A dog was barking."
    >>> nodes = [NodeWithScore(node=TextNode(text=text)) for text in texts]
    >>> (best,) = HybridSemRerank(top_n=1).postprocess_nodes(nodes, query_str="A dog barked.")
    >>> best.node.get_content()
    'A dog was barking.'
    """

    model: Any
    top_n: int | None = None
    _pipeline: Any = PrivateAttr()

    def __init__(self, model: Model = "hybrid", top_n: int | None = None, **options: Any) -> None:
        pipeline = pipeline_of(model)
        super().__init__(model=named(pipeline), top_n=top_n, **options)
        self._pipeline = pipeline

    @classmethod
    def class_name(cls) -> str:
        """Return the name in files of LlamaIndex."""
        return "HybridSemRerank"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        if query_bundle is None:
            raise InputError("nodes are ranked by a query: postprocess_nodes(nodes, query_str=…)")
        texts = [node.node.get_content() for node in nodes]
        return [
            nodes[i].model_copy(update={"score": score})
            for i, score in ranked(self._pipeline, query_bundle.query_str, texts, self.top_n)
        ]
