"""Documents in the order of their scores with a query.

With vectors of all documents, structures are read of those only that their bound lets be among the
best; the result is that of scoring all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, IntArray
from hybridsem._utils.validation import check_count, usable_texts
from hybridsem.combiners.base import Batch, scores_of
from hybridsem.reader import Reader
from hybridsem.search.candidates import best, bounds_in

__all__ = ["Ranking", "rank", "ranked"]


class Ranking(NamedTuple):
    """The numbers of documents, best first and equals in their order, and their scores; ``failed``
    are those that have none (of those that were scored).
    """

    documents: IntArray
    scores: Float64Array
    failed: list[int]


def rank(
    reader: Reader,
    queries: Sequence[str],
    documents: Iterable[str],
    top_k: int | None,
    *,
    texts: bool,
    explain: bool,
    on_error: str,
    near: Float32Array | None,
) -> list[list[dict[str, Any]]]:
    """The rows of :meth:`hybridsem.Pipeline.rank`, whose arguments these are; ``texts`` gives
    the documents.
    """
    check_count(top_k, "top_k")
    queries, _ = usable_texts(queries, "query", "fail")
    chosen, numbers = usable_texts(documents, "document", on_error)
    reader, vectors = reader.for_call(), None
    if top_k is not None and top_k < len(chosen):
        if near is None:
            vectors = reader.near(queries + chosen)
        elif (of_queries := reader.near(queries)) is not None:
            vectors = np.concatenate([of_queries, near])
    rows = []
    rankings = ranked(reader, queries, chosen, top_k, vectors)
    for query, found in zip(queries, rankings, strict=True):
        if on_error == "fail" and found.failed:
            place = min(found.failed)
            raise reader.failure((query, chosen[place]), f"document {place}: ", (place,))
        places = found.documents.tolist()
        row: list[dict[str, Any]] = [
            {"corpus_id": numbers[place], "score": score}
            | ({"text": chosen[place]} if texts else {})
            for place, score in zip(places, found.scores.tolist(), strict=True)
        ]
        if explain:
            explanations = reader.explain_all([(query, chosen[place]) for place in places])
            for one, explanation in zip(row, explanations, strict=True):
                one["explanation"] = explanation
        rows.append(row)
    return rows


def ranked(
    reader: Reader,
    queries: Sequence[str],
    documents: Sequence[str],
    top_k: int | None = None,
    vectors: Float32Array | None = None,
) -> list[Ranking]:
    """For each query the ``top_k`` best documents, or all, without those that have no score.

    Args:
        reader: Reads and compares; one that remembers reads each text once.
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
            bounds = bounds_in(reader.combiner, batch, np.array([number]), columns)[0]
        failed: list[int] = []

        def scores(
            places: IntArray, query: str = query, failed: list[int] = failed
        ) -> Float64Array:
            pairs = [(query, documents[place]) for place in places.tolist()]
            found = scores_of(reader.combiner, reader.batch(pairs))
            failed += places[np.isnan(found)].tolist()
            return found

        places, found, _ = best(bounds, scores, count)
        rankings.append(Ranking(places, found, failed))
    return rankings
