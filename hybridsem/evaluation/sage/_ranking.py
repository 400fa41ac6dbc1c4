"""The best documents of each query, block by block, and what a ranking is worth: NDCG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hybridsem._typing import AnyArray, Float64Array, IntArray

DEPTH = 10
"""Places of a ranking that NDCG@10 looks at."""


class Best:
    """The ``depth`` best documents of each query so far, the best first.

    ``documents`` (q, depth) are numbers, -1 where there are not as many, ``scores`` theirs. Of
    documents with the same score the one with the lower number is the better, so blocks have to
    come in ascending order of their numbers.
    """

    def __init__(self, queries: int, depth: int = DEPTH) -> None:
        self.scores: Float64Array = np.full((queries, depth), -np.inf)
        self.documents: IntArray = np.full((queries, depth), -1, np.int64)

    def add(self, scores: Float64Array, documents: IntArray) -> None:
        """A block: (q, n) scores and the documents, (n,), or (q, n) where each query has its own,
        ascending.

        A score that is NaN or -inf is none: the document is not found.
        """
        depth = self.scores.shape[1]
        for query, row in enumerate(np.where(np.isnan(scores), -np.inf, scores)):
            own = documents[query] if documents.ndim == 2 else documents
            joined = np.concatenate([self.scores[query], row])
            numbers = np.concatenate([self.documents[query], own])
            # What is as good as the last of the best, and no more of the ties than have a place.
            least = np.partition(joined, -depth)[-depth]
            above, tied = np.flatnonzero(joined > least), np.flatnonzero(joined == least)
            kept = np.sort(np.concatenate([above, tied[: depth - len(above)]]))
            kept = kept[np.argsort(-joined[kept], kind="stable")]
            self.scores[query] = joined[kept]
            self.documents[query] = np.where(np.isneginf(joined[kept]), -1, numbers[kept])


def ndcg(documents: AnyArray, gains: Sequence[Mapping[int, float]]) -> Float64Array:
    """NDCG of rankings, (q,) in [0, 1]: discounted gains found over the greatest there could be at
    that depth.

    The gain at place i, counted from 1, is divided by log2(i + 1) (Järvelin & Kekäläinen 2002, with
    the gains 2^rel - 1 of Burges et al. 2005). Every query has a gain.
    """
    depth = documents.shape[1]
    discounts = 1 / np.log2(np.arange(2, depth + 2))
    found = np.zeros(len(documents))
    for query, (row, gain) in enumerate(zip(documents.tolist(), gains, strict=True)):
        best = np.sort(np.fromiter(gain.values(), float))[::-1][:depth]
        got = np.array([gain.get(document, 0.0) for document in row])
        found[query] = (got * discounts).sum() / (best * discounts[: len(best)]).sum()
    return found
