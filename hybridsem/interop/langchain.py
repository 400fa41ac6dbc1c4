"""hybridsem in LangChain: vectors, scores of pairs, and the reranking of what was retrieved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hybridsem.interop._shared import (
    Model,
    missing,
    name_of_scores,
    name_of_vectors,
    pipeline_of,
    ranked,
)

try:
    from langchain_core.cross_encoders import BaseCrossEncoder
    from langchain_core.documents import BaseDocumentCompressor
    from langchain_core.embeddings import Embeddings
except ImportError:
    BaseCrossEncoder = BaseDocumentCompressor = Embeddings = missing("LangChain", "langchain-core")

if TYPE_CHECKING:
    from langchain_core.callbacks import Callbacks
    from langchain_core.documents import Document

__all__ = ["HybridSemCrossEncoder", "HybridSemEmbeddings", "HybridSemReranker"]


class HybridSemEmbeddings(Embeddings):
    """The vectors of ``model``; of one that compares pairs, those of its encoder."""

    def __init__(self, model: Model = "embedded") -> None:
        self.pipeline = pipeline_of(model)
        self.model_name = name_of_vectors(self.pipeline)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """A vector a text; :class:`InputError` for a blank one."""
        rows: list[list[float]] = self.pipeline.encode(texts).tolist()
        return rows

    def embed_query(self, text: str) -> list[float]:
        """The vector of a query: of the same kind as those of documents."""
        return self.embed_documents([text])[0]


class HybridSemCrossEncoder(BaseCrossEncoder):
    """The scores of ``model``, for LangChain's own ``CrossEncoderReranker``."""

    def __init__(self, model: Model = "hybrid") -> None:
        self.pipeline = pipeline_of(model)
        self.model_name = name_of_scores(self.pipeline)

    def score(self, text_pairs: list[tuple[str, str]]) -> list[float]:
        """A score a pair, in [-1, 1]."""
        scores: list[float] = self.pipeline.score(text_pairs).tolist()
        return scores


class HybridSemReranker(BaseDocumentCompressor):
    """Puts retrieved documents in the order of their scores with the query.

    Each is a copy with its score as ``metadata["relevance_score"]``: None for a text without one,
    which comes last. ``top_n`` keeps so many.
    """

    model: Any = "hybrid"
    top_n: int | None = None
    pipeline: Any = None

    def model_post_init(self, context: Any, /) -> None:
        """Make the pipeline of ``model``."""
        self.pipeline = pipeline_of(self.model)

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> list[Document]:
        """The best documents, the best first."""
        texts = [document.page_content for document in documents]
        return [
            documents[i].model_copy(
                update={"metadata": documents[i].metadata | {"relevance_score": score}}
            )
            for i, score in ranked(self.pipeline, query, texts, self.top_n)
        ]
