"""The library rerankers: ``Reranker("hybrid", model_type="HybridSemRanker")``, once imported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hybridsem.interop._shared import Model, missing, name_of_scores, pipeline_of, ranked

try:
    from rerankers.models import AVAILABLE_RANKERS
    from rerankers.models.ranker import BaseRanker
except ImportError:
    AVAILABLE_RANKERS = {}
    BaseRanker = missing("rerankers", "rerankers")

__all__ = ["HybridSemRanker"]


class HybridSemRanker(BaseRanker):
    """Ranks by the scores of a model, in [-1, 1]; a blank document comes last, with None.

    >>> found = HybridSemRanker().rank("A dog barked.", ["It rains.", "A dog was barking."])
    >>> found.top_k(1)[0].document.text
    'A dog was barking.'
    """

    def __init__(self, model_name_or_path: Model = "hybrid", verbose: int = 1) -> None:
        self.verbose = verbose
        self.pipeline = pipeline_of(model_name_or_path)
        self.model_name = name_of_scores(self.pipeline)

    def score(self, query: str, doc: str) -> float:
        """Return the score; errors as for ``Pipeline.similarity``."""
        return self.pipeline.similarity(query, doc)

    def rank(
        self,
        query: str,
        docs: Any,
        doc_ids: list[Any] | None = None,
        metadata: list[Mapping[str, Any]] | None = None,
    ) -> Any:
        """Return the library's ``RankedResults``, best first.

        Args:
            query: A sentence.
            docs: A text or a ``Document``, or a list of them.
            doc_ids: Their ids (default: their indices).
            metadata: Their metadata.
        """
        from rerankers.results import RankedResults, Result
        from rerankers.utils import prep_docs

        if isinstance(docs, list) and not docs:
            return RankedResults(results=[], query=query, has_scores=True)
        found = prep_docs(docs, doc_ids, metadata)
        order = ranked(self.pipeline, query, [document.text for document in found])
        results = [
            Result(document=found[i], score=score, rank=rank)
            for rank, (i, score) in enumerate(order, 1)
        ]
        return RankedResults(results=results, query=query, has_scores=True)


AVAILABLE_RANKERS["HybridSemRanker"] = HybridSemRanker
