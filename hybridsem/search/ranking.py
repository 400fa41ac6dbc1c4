"""The best texts without scoring all, documents ranked by their scores with a query, and the scores
of all pairs.

A combiner with bounds knows the highest possible score of a pair. Candidates are scored by falling
bound, in growing chunks, until no other can be among the best; without bounds all are scored. A
pair reader reads the query with the best of all texts only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, NotRequired, TypedDict

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, IntArray
from hybridsem._utils.progress import in_chunks
from hybridsem._utils.validation import check_count, usable_texts
from hybridsem.combiners.base import Batch, HasBounds
from hybridsem.combiners.passages import scores_of
from hybridsem.explanations import Explanation
from hybridsem.reader import CHUNK, Reader

FIRST = 16
"""The size of the first chunk of candidates; each further chunk is half as large as all before it.
"""
LARGEST = 4096  # the most candidates that are scored together; keeps memory flat
READ_TOGETHER = 100
"""At least so many texts, and four times those asked for, are read together with a query."""
HEAD = 8192  # the number of candidates with the highest bounds that are sorted first


class Found(NamedTuple):
    """The ``places`` of the best, best first and equals in their order, and their ``scores``.
    ``scored`` is the number of candidates that had to be scored.
    """

    places: IntArray
    scores: Float64Array
    scored: int


class RankedDocument(TypedDict):
    """A document in a ranking: its number, from 0, its score, and what was asked for."""

    corpus_id: int
    score: float
    text: NotRequired[str]
    explanation: NotRequired[Explanation]


def best(
    bounds: Float64Array,
    scores: Callable[[IntArray], Float64Array],
    top_k: int,
    *,
    least: float = -np.inf,
) -> Found:
    """Find the ``top_k`` best candidates that score ``least`` or more. ``bounds`` are the highest
    possible scores, (c,); ``scores`` computes those of candidates at some places, NaN for none.
    """
    places, found = np.empty(0, np.int64), np.empty(0)
    at = 0
    for block in _falling(bounds):
        wanted = block[bounds[block] >= least]
        while len(wanted) and top_k > 0:
            if len(found) >= top_k:
                # An equal candidate before the last of the best replaces it.
                high, equal = (
                    int(np.searchsorted(-bounds[wanted], -found[-1], side=side))
                    for side in ("left", "right")
                )
                before = int(np.searchsorted(wanted[high:equal], places[-1]))
                wanted = wanted[: high + before]
                if not len(wanted):
                    return Found(places, found, at)
            size = min(LARGEST, max(FIRST, top_k, at // 2))
            chunk, wanted = wanted[:size], wanted[size:]
            at += len(chunk)
            some = np.asarray(scores(chunk), np.float64)
            kept = some >= least  # not NaN
            places, found = np.append(places, chunk[kept]), np.append(found, some[kept])
            first = np.lexsort((places, -found))[:top_k]
            places, found = places[first], found[first]
    return Found(places, found, at)


def _falling(bounds: Float64Array) -> Iterator[IntArray]:
    """Yield the places by falling bound, equals in their order. The highest are sorted first,
    because the others are seldom needed.
    """
    blocks = [np.arange(len(bounds))]
    if len(bounds) > 4 * HEAD:
        high = bounds > -np.partition(-bounds, HEAD)[HEAD]
        blocks = [np.flatnonzero(high), np.flatnonzero(~high)]
    for block in blocks:
        yield block[np.argsort(-bounds[block], kind="stable")]


def rank(
    reader: Reader,
    queries: Sequence[str],
    documents: Iterable[object],
    top_k: int | None,
    return_documents: bool,
    explain: bool,
    on_error: str,
    near: Float32Array | None = None,
) -> list[list[RankedDocument]]:
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
    wanted = len(chosen) if top_k is None else top_k
    rows = []
    for number, query in enumerate(queries):

        def bounds(by: Reader, number: int = number) -> Float64Array:
            if vectors is None or not isinstance(by.parts.combiner, HasBounds):
                return np.ones(len(chosen))
            batch = Batch((), (), vectors=vectors, scale=by.parts.scale)
            columns = np.arange(len(queries), len(vectors))
            found: Float64Array = by.parts.combiner.bounds(batch, np.array([number]), columns)[0]
            return found

        found, failed = _best_texts(reader, query, chosen, bounds, wanted)
        if on_error == "fail" and failed:
            place = min(failed)
            raise reader.failure((query, chosen[place]), f"document {place}: ", (place,))
        places = found.places.tolist()
        row: list[RankedDocument] = [
            {"corpus_id": numbers[place], "score": score}
            for place, score in zip(places, found.scores.tolist(), strict=True)
        ]
        if return_documents:
            for ranked, place in zip(row, places, strict=True):
                ranked["text"] = chosen[place]
        if explain:
            explanations = reader.explain([(query, chosen[place]) for place in places])
            for ranked, explanation in zip(row, explanations, strict=True):
                ranked["explanation"] = explanation
        rows.append(row)
    return rows


def _best_texts(
    reader: Reader,
    query: str,
    texts: Sequence[str],
    bounds: Callable[[Reader], Float64Array],
    wanted: int,
) -> tuple[Found, list[int]]:
    """Return the best texts for a query, and the places of texts without a score."""
    failed: list[int] = []

    def scores(by: Reader, places: IntArray) -> Float64Array:
        found = scores_of(
            by.parts.combiner, by.batch([(query, texts[at]) for at in places.tolist()])
        )
        failed.extend(places[np.isnan(found)].tolist())
        return found

    read, alone = max(READ_TOGETHER, 4 * wanted), reader.alone()
    if alone.parts is reader.parts or read >= len(texts):
        return best(bounds(reader), partial(scores, reader), wanted), failed
    places = np.sort(best(bounds(alone), partial(scores, alone), read).places)
    found = best(np.ones(len(places)), lambda at: scores(reader, places[at]), wanted)
    return found._replace(places=places[found.places]), failed


def similarities(
    reader: Reader, first: list[object], second: list[object], on_error: str, progress: bool
) -> Float64Array:
    """Implement :meth:`hybridsem.Pipeline.similarities`, with its arguments."""
    rows, row_numbers = usable_texts(first, "sentence", on_error)
    columns, column_numbers = usable_texts(second, "sentence", on_error)
    place = {text: at for at, text in enumerate(dict.fromkeys([*rows, *columns]))}
    texts = [*place]
    at_rows, at_columns = (
        np.array([place[text] for text in side], np.int64) for side in (rows, columns)
    )
    # Scores are symmetric, so a pair has one key in either order.
    low, high = np.minimum.outer(at_rows, at_columns), np.maximum.outer(at_rows, at_columns)
    keys, inverse = np.unique(low * len(texts) + high, return_inverse=True)
    pairs = [(texts[key // len(texts)], texts[key % len(texts)]) for key in keys.tolist()]
    own, parts = reader.for_call(), [np.empty(0)]
    for chunk in in_chunks(pairs, CHUNK, "Scoring", progress):
        parts.append(own.scores(chunk))
    scores = np.concatenate(parts)[inverse.reshape(low.shape)]
    if on_error == "fail" and np.isnan(scores).any():
        row, column = np.argwhere(np.isnan(scores))[0].tolist()
        raise own.failure(
            (rows[row], columns[column]), f"sentences {row} and {column}: ", (row, column)
        )
    table = np.full((len(first), len(second)), np.nan)
    table[np.ix_(row_numbers, column_numbers)] = scores
    return table
