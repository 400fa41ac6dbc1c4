"""Documents in the order of their scores with a query.

With vectors of all documents, structures are read of those only that their bound lets be among the
best; the result is that of scoring all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, IntArray
from hybridsem.combiners.base import Batch
from hybridsem.search.candidates import best, bounds_in, scores_of
from hybridsem.search.model import Model

__all__ = ["Ranking", "ranked"]


class Ranking(NamedTuple):
    """The numbers of documents, best first and equals in their order, and their scores; ``failed``
    are those that have none (of those that were scored).
    """

    documents: IntArray
    scores: Float64Array
    failed: list[int]


def ranked(
    model: Model,
    queries: Sequence[str],
    documents: Sequence[str],
    top_k: int | None = None,
    vectors: Float32Array | None = None,
) -> list[Ranking]:
    """For each query the ``top_k`` best documents, or all, without those that have no score.

    Args:
        model: Scores; one that remembers reads each text once.
        queries: Usable sentences.
        documents: Usable sentences.
        top_k: How many are wanted of each query.
        vectors: Those of the queries, then of the documents, (q + d, width), if they are known.
    """
    count = len(documents) if top_k is None else top_k
    rankings = []
    for number, query in enumerate(queries):
        bounds = np.ones(len(documents))
        if vectors is not None:
            batch = Batch((), (), None, vectors)
            columns = np.arange(len(queries), len(vectors))
            bounds = bounds_in(model.combiner, batch, np.array([number]), columns)[0]
        failed: list[int] = []

        def scores(
            places: IntArray, query: str = query, failed: list[int] = failed
        ) -> Float64Array:
            pairs = [(query, documents[place]) for place in places.tolist()]
            found = scores_of(model.combiner, model.read(pairs))
            failed += places[np.isnan(found)].tolist()
            return found

        places, found, _ = best(bounds, scores, count)
        rankings.append(Ranking(places, found, failed))
    return rankings
