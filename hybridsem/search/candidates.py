"""What scores best, or above a threshold, without scoring everything.

A combiner with bounds knows what a score is at most before it is worked out. Candidates are taken
by falling bound and scored in growing chunks until none that is left can be among the best: the
result is that of scoring all of them. Without bounds all of them are scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem.combiners.base import Batch, Combiner, HasBounds, scores_of

__all__ = ["Found", "above", "best", "best_in_batch", "bounds_in"]

FIRST = 16
"""Candidates that are scored at first; each further chunk is half as large as all before it."""

LARGEST = 4096
"""Candidates that are scored together at most; keeps memory flat."""


HEAD = 8192
"""Candidates with the highest bounds that are put in order first."""


class Found(NamedTuple):
    """The ``places`` of what was found, best first and equals in their order, and its ``scores``;
    ``scored`` is how many candidates were scored for that.

    >>> import numpy as np
    >>> scores = np.array([0.2, 0.9, 0.5])
    >>> places, found, scored = best(scores, lambda places: scores[places], 1)
    >>> places.tolist(), found.tolist()
    ([1], [0.9])
    """

    places: IntArray
    scores: Float64Array
    scored: int


def best(
    bounds: Float64Array,
    scores: Callable[[IntArray], Float64Array],
    top_k: int,
    *,
    least: float = -np.inf,
    budget: int | None = None,
) -> Found:
    """The ``top_k`` best candidates; those without score (NaN) are not found.

    Args:
        bounds: What each candidate's score is at most, (c,).
        scores: The scores of the candidates at these places.
        top_k: How many to find.
        least: The least score that is found.
        budget: Candidates that are scored at most; what is found may then not be the best.

    >>> import numpy as np
    >>> scores = np.array([0.2, 0.9, 0.5])
    >>> best(scores + 0.05, lambda places: scores[places], 2).places.tolist()
    [1, 2]
    """
    places, found = np.empty(0, np.int64), np.empty(0)
    at = 0
    most = len(bounds) if budget is None else budget
    for block in _falling(bounds):
        wanted = block[bounds[block] >= least]
        while len(wanted) and at < most and top_k > 0:
            if len(found) >= top_k:
                # An equal that stands before the last of the best takes its place.
                high, equal = (
                    int(np.searchsorted(-bounds[wanted], -found[-1], side=side))
                    for side in ("left", "right")
                )
                before = int(np.searchsorted(wanted[high:equal], places[-1]))
                wanted = wanted[: high + before]
                if not len(wanted):
                    return Found(places, found, at)
            size = min(LARGEST, max(FIRST, top_k, at // 2), most - at)
            chunk, wanted = wanted[:size], wanted[size:]
            at += len(chunk)
            some = np.asarray(scores(chunk), np.float64)
            kept = some >= least  # not NaN
            places, found = np.append(places, chunk[kept]), np.append(found, some[kept])
            first = np.lexsort((places, -found))[:top_k]
            places, found = places[first], found[first]
    return Found(places, found, at)


def _falling(bounds: Float64Array) -> Iterator[IntArray]:
    """The places by falling bound, equals in their order; the highest first, as the others are
    seldom needed.
    """
    if len(bounds) > 4 * HEAD:
        limit = -np.partition(-bounds, HEAD)[HEAD]
        high = bounds > limit
        blocks = [np.flatnonzero(high), np.flatnonzero(~high)]
    else:
        blocks = [np.arange(len(bounds))]
    for block in blocks:
        yield block[np.argsort(-bounds[block], kind="stable")]


def above(bounds: Float64Array, scores: Callable[[IntArray], Float64Array], least: float) -> Found:
    """All candidates that score well enough; those without score (NaN) are not found.

    Args:
        bounds: What each candidate's score is at most, (c,).
        scores: The scores of the candidates at these places.
        least: The least score that is found.

    >>> import numpy as np
    >>> scores = np.array([0.2, 0.9, 0.5])
    >>> sorted(above(scores + 0.05, lambda places: scores[places], 0.4).places.tolist())
    [1, 2]
    """
    return best(bounds, scores, len(bounds), least=least)


def best_in_batch(
    combiner: Combiner,
    batch: Batch,
    row: int,
    columns: IntArray,
    top_k: int,
    *,
    least: float = -np.inf,
) -> Found:
    """The best of a batch's sentences beside one of them; places are those in ``columns``.

    Args:
        combiner: What compares.
        batch: What was read of all of them.
        row: The sentence that they are compared with.
        columns: The sentences to choose from, (c,).
        top_k: How many to find.
        least: The least score that is found.

    >>> from hybridsem import Pipeline
    >>> nlp = Pipeline("embedded")
    >>> batch = nlp.read([("A dog barked.", "We left."), ("A dog barked.", "A dog was barking.")])
    >>> best_in_batch(nlp.combiner, batch, 0, np.array([1, 2]), 1).places.tolist()
    [1]
    """

    def scores(places: IntArray) -> Float64Array:
        pairs = np.stack([np.full(len(places), row), columns[places]], axis=1)
        return scores_of(combiner, batch.narrowed(pairs))

    bounds = bounds_in(combiner, batch, np.array([row]), columns)[0]
    return best(bounds, scores, top_k, least=least)


def bounds_in(combiner: Combiner, batch: Batch, rows: IntArray, columns: IntArray) -> Float64Array:
    """What scores are at most, (r, c): 1 where the combiner has no bounds.

    Args:
        combiner: What compares.
        batch: What was read of the sentences.
        rows: Sentences of the batch, (r,).
        columns: Those that they are compared with, (c,).
    """
    if isinstance(combiner, HasBounds):
        return combiner.bounds(batch, rows, columns)
    return np.ones((len(rows), len(columns)))
