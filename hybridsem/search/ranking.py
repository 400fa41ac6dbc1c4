"""Documents in the order of their scores with a query.

With vectors of all documents, structures are read of those only that their bound lets be among the
best; the result is that of scoring all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, IntArray
from hybridsem._utils.validation import check_count, usable_texts
from hybridsem.combiners.base import Batch, HasBounds, scores_of
from hybridsem.reader import Reader
from hybridsem.search.candidates import best

__all__ = ["rank"]


def rank(
    reader: Reader,
    queries: Sequence[str],
    documents: Iterable[str],
    top_k: int | None,
    return_documents: bool,
    explain: bool,
    on_error: str,
    near: Float32Array | None,
) -> list[list[dict[str, Any]]]:
    """Implement :meth:`hybridsem.Pipeline.rank`, with its arguments."""
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
    for number, query in enumerate(queries):
        bounds = np.ones(len(chosen))
        if vectors is not None and isinstance(reader.combiner, HasBounds):
            batch = Batch((), (), vectors=vectors, scale=reader.scale)
            columns = np.arange(len(queries), len(vectors))
            bounds = reader.combiner.bounds(batch, np.array([number]), columns)[0]
        failed: list[int] = []

        def scores(
            places: IntArray, query: str = query, failed: list[int] = failed
        ) -> Float64Array:
            pairs = [(query, chosen[place]) for place in places.tolist()]
            found = scores_of(reader.combiner, reader.batch(pairs))
            failed += places[np.isnan(found)].tolist()
            return found

        found = best(bounds, scores, len(chosen) if top_k is None else top_k)
        if on_error == "fail" and failed:
            place = min(failed)
            raise reader.failure((query, chosen[place]), f"document {place}: ", (place,))
        places = found.places.tolist()
        row: list[dict[str, Any]] = [
            {"corpus_id": numbers[place], "score": score}
            | ({"text": chosen[place]} if return_documents else {})
            for place, score in zip(places, found.scores.tolist(), strict=True)
        ]
        if explain:
            explanations = reader.explain_all([(query, chosen[place]) for place in places])
            for one, explanation in zip(row, explanations, strict=True):
                one["explanation"] = explanation
        rows.append(row)
    return rows
