"""LangChain: vectors, scores of pairs, reranking, and a guarded semantic cache of answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.validation import problem
from hybridsem.errors import InputError
from hybridsem.interop._shared import (
    Model,
    missing,
    name_of_scores,
    name_of_vectors,
    pipeline_of,
    ranked,
)
from hybridsem.interop.cache_guard import CacheGuard, Verdict

try:
    from langchain_core.caches import BaseCache
    from langchain_core.cross_encoders import BaseCrossEncoder
    from langchain_core.documents import BaseDocumentCompressor
    from langchain_core.embeddings import Embeddings
except ImportError:
    BaseCache = missing("LangChain", "langchain-core")
    BaseCrossEncoder = BaseDocumentCompressor = Embeddings = BaseCache

if TYPE_CHECKING:
    from langchain_core.callbacks import Callbacks
    from langchain_core.documents import Document
    from langchain_core.outputs import Generation

__all__ = ["GuardedCache", "HybridSemCrossEncoder", "HybridSemEmbeddings", "HybridSemReranker"]


class HybridSemEmbeddings(Embeddings):
    """Sentence vectors of a model, or of its encoder if it compares pairs.

    >>> len(HybridSemEmbeddings().embed_query("It rains."))
    384
    """

    def __init__(self, model: Model = "embedded") -> None:
        self.pipeline = pipeline_of(model)
        self.model_name = name_of_vectors(self.pipeline)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return a vector for each text; :class:`InputError` for a blank one."""
        rows: list[list[float]] = self.pipeline.encode(texts).tolist()
        return rows

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a query."""
        return self.embed_documents([text])[0]


class HybridSemCrossEncoder(BaseCrossEncoder):
    """The scores of a model, for LangChain's ``CrossEncoderReranker``.

    >>> [round(score, 3) for score in HybridSemCrossEncoder().score([("It rains.", "It rains.")])]
    [1.0]
    """

    def __init__(self, model: Model = "hybrid") -> None:
        self.pipeline = pipeline_of(model)
        self.model_name = name_of_scores(self.pipeline)

    def score(self, text_pairs: list[tuple[str, str]]) -> list[float]:
        """Return the score of each pair, in [-1, 1]; errors as for ``Pipeline.score``."""
        scores: list[float] = self.pipeline.score(text_pairs).tolist()
        return scores


class HybridSemReranker(BaseDocumentCompressor):
    """Ranks retrieved documents by their scores with the query and keeps ``top_n``.

    Each is a copy with its score as ``metadata["relevance_score"]``; a text without a score has
    None and comes last.

    >>> from langchain_core.documents import Document
    >>> texts = "It rains.", "A dog was barking."
    >>> documents = [Document(page_content=text) for text in texts]
    >>> (best,) = HybridSemReranker(top_n=1).compress_documents(documents, "A dog barked.")
    >>> best.page_content
    'A dog was barking.'
    """

    model: Any = "hybrid"
    top_n: int | None = None
    pipeline: Any = None

    def model_post_init(self, context: Any, /) -> None:
        """Make the pipeline."""
        self.pipeline = pipeline_of(self.model)

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> list[Document]:
        """Return the best documents, best first; callbacks are not called."""
        texts = [document.page_content for document in documents]
        return [
            documents[i].model_copy(
                update={"metadata": documents[i].metadata | {"relevance_score": score}}
            )
            for i, score in ranked(self.pipeline, query, texts, self.top_n)
        ]


class GuardedCache(BaseCache):
    """Serves an answer again to the same question in other words if ``guard`` allows it.

    The model, its settings, and the earlier messages of a chat must be equal. ``verdict`` is that
    of the last judged lookup. ``maxsize`` answers are kept, the latest; None keeps all.

    >>> from langchain_core.outputs import Generation
    >>> cache = GuardedCache()
    >>> cache.update("Where is the shop?", "a model", [Generation(text="In Bath Road.")])
    >>> cache.lookup("Where is the shop?", "a model")[0].text
    'In Bath Road.'
    """

    def __init__(self, guard: CacheGuard | None = None, *, maxsize: int | None = None) -> None:
        if maxsize is not None and maxsize < 1:
            raise InputError(f"maxsize must be a whole number from 1, got {maxsize!r}")
        self.guard, self.maxsize = guard or CacheGuard(), maxsize
        self.verdict: Verdict | None = None
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, str, str], tuple[Float32Array | None, Any]] = {}

    def lookup(self, prompt: str, llm_string: str) -> Sequence[Generation] | None:
        """Return the answer to this question, or to one with the same meaning, else None."""
        around, question = _question_in(prompt)
        with self._lock:
            kept = {
                text: found
                for (llm, other, text), found in self._kept.items()
                if (llm, other) == (llm_string, around)
            }
        if question in kept:
            return _answer(kept[question])
        vectors = {text: row for text, (row, _) in kept.items() if row is not None}
        if problem(question) is not None or not vectors:
            return None
        texts = [*vectors]
        self.verdict = verdict = self.guard.check(question, texts, np.stack([*vectors.values()]))
        if not verdict.serve or verdict.index is None:
            return None
        return _answer(kept[texts[verdict.index]])

    def update(self, prompt: str, llm_string: str, return_val: Sequence[Generation]) -> None:
        """Keep an answer."""
        around, question = _question_in(prompt)
        row = None
        if problem(question) is None:
            (row,) = self.guard.pipeline.encode([question])
        with self._lock:
            self._kept.pop((llm_string, around, question), None)
            if self.maxsize is not None and len(self._kept) >= self.maxsize:
                del self._kept[next(iter(self._kept))]
            self._kept[llm_string, around, question] = row, return_val

    def clear(self, **kwargs: Any) -> None:
        """Forget all answers."""
        with self._lock:
            self._kept.clear()


def _answer(kept: tuple[Float32Array | None, Any]) -> Sequence[Generation]:
    answer: Sequence[Generation] = kept[1]
    return answer


def _question_in(prompt: str) -> tuple[str, str]:
    """Split a prompt into context and question: the last message of a chat (JSON), or all."""
    try:
        *before, last = json.loads(prompt)
        kind, question = last["id"][-1], last["kwargs"].pop("content")
    except (ValueError, TypeError, KeyError, IndexError):
        return "", prompt
    if kind != "HumanMessage" or not isinstance(question, str):
        return "", prompt
    return json.dumps([*before, last]), question
