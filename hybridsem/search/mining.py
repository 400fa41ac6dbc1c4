"""Pairs of sentences with much the same meaning, out of all pairs, and groups of them.

A bound rises with the cosine, so a threshold of scores is one of cosines, and the result is that of
scoring all pairs.

Groups are the communities of ``community_detection`` of sentence-transformers, by scores instead of
cosines: a community is a sentence, its centre, with all that score the threshold or more with it.
If communities overlap, the largest keeps the shared sentences (of equals, the one with the first
centre). The rest of the others remains if it is large enough and has its centre.
"""

from __future__ import annotations

import heapq
import logging
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hybridsem._typing import BoolArray, Float32Array, Float64Array, IntArray
from hybridsem._utils.progress import tracked
from hybridsem._utils.validation import check_count, check_threshold, usable_texts
from hybridsem.combiners.base import HasBounds
from hybridsem.combiners.passages import scores_of
from hybridsem.reader import Reader
from hybridsem.search.close_pairs import (
    MARGIN,
    Block,
    bounds_of,
    close,
    gathered,
    least_cosine,
)

PAIRS = 1024  # pairs that are scored together
LONG = 60  # seconds from which the rest of a run is announced

_LOG = logging.getLogger("hybridsem")


class Match(NamedTuple):
    """A pair of similar sentences: its ``score`` and their numbers, from 0; within one list the
    lower number first.
    """

    score: float
    first: int
    second: int


Scored = tuple[IntArray, Float64Array]  # pairs that reach the threshold, (p, 2), and their scores


def _all_pairs(first: int, second: int | None) -> Iterator[Block]:
    for row in range(first):
        columns = np.arange(row + 1, first) if second is None else np.arange(second)
        yield Block(np.stack([np.full(len(columns), row), columns], axis=1), range(row, row + 1))


def figures_differ(first: Sequence[str], second: Sequence[str]) -> Callable[[IntArray], BoolArray]:
    """Return a test of pairs, (p, 2) -> (p,): each text has a figure or operator that the other
    lacks.
    """
    from scipy.sparse import csr_array

    from hybridsem.english.harmless import statement  # ranking must start fast

    numbers: dict[str, int] = {}
    tables = []
    for texts in (first, second):
        places, ends = list[int](), [0]
        for text in texts:
            found = {unit.key for unit in statement(text).units if unit.is_exact}
            places += [numbers.setdefault(key, len(numbers)) for key in sorted(found)]
            ends.append(len(places))
        tables.append((np.ones(len(places), np.int32), places, ends))
    counts = [np.diff(ends) for _, _, ends in tables]
    if not all(map(np.any, counts)):
        return lambda pairs: np.zeros(len(pairs), bool)
    rows = [csr_array(table, shape=(len(table[2]) - 1, len(numbers))) for table in tables]

    def differ(pairs: IntArray) -> BoolArray:
        one, two = pairs.T
        both = np.flatnonzero((counts[0][one] > 0) & (counts[1][two] > 0))
        common = np.asarray(rows[0][one[both]].multiply(rows[1][two[both]]).sum(axis=1)).ravel()
        found = np.zeros(len(pairs), bool)
        found[both] = (common < counts[0][one[both]]) & (common < counts[1][two[both]])
        return found

    return differ


@dataclass
class _Miner:
    """Finds pairs of two lists of texts, or of one (``second`` is None); equal pairs score once."""

    reader: Reader
    first: Sequence[str]
    second: Sequence[str] | None
    threshold: float
    top_k: int | None
    on_error: str
    progress: bool
    other_figures: bool

    def __post_init__(self) -> None:
        self.others = self.first if self.second is None else self.second
        numbers: dict[str, int] = {}
        self.ones, self.twos = (
            np.array([numbers.setdefault(text, len(numbers)) for text in texts], np.int64)
            for texts in (self.first, self.others)
        )
        self.distinct = len(numbers)
        self.seconds, self.scored = 0.0, 0

    def scores(self, pairs: IntArray) -> Float64Array:
        """Return the scores of pairs, (p,); NaN without a structure, unless that is an error."""
        of_texts = self.ones[pairs[:, 0]] * self.distinct + self.twos[pairs[:, 1]]
        _, distinct, place = np.unique(of_texts, return_index=True, return_inverse=True)
        found, start = np.empty(len(distinct)), time.perf_counter()
        for at in range(0, len(distinct), PAIRS):
            some = pairs[distinct[at : at + PAIRS]].tolist()
            texts = [(self.first[one], self.others[two]) for one, two in some]
            batch = self.reader.batch(texts)
            found[at : at + PAIRS] = scores_of(self.reader.parts.combiner, batch)
        self.seconds += time.perf_counter() - start
        self.scored += len(distinct)
        scores: Float64Array = found[place]
        failed = np.flatnonzero(np.isnan(scores))
        if self.on_error == "fail" and failed.size:
            one, two = pairs[failed[0]].tolist()
            where = f"sentences {one} and {two}: "
            raise self.reader.failure((self.first[one], self.others[two]), where, (one, two))
        return scores

    def expect(self, pairs: int) -> None:
        """Warn, once, if scoring that number of more pairs takes long."""
        if self.scored and (left := pairs * self.seconds / self.scored) > LONG:
            _LOG.warning(
                "scoring about %s more pairs takes about %d minutes; a higher threshold or top_k "
                "(--top-k) takes less",
                f"{pairs:,}",
                math.ceil(left / 60),
            )
            self.scored, self.seconds = 0, -math.inf  # once

    def mined(self) -> Iterator[Scored]:
        """Yield the pairs that reach the threshold, block by block."""
        self.reader, second, size = self.reader.for_call(), self.second, len(self.first)
        parts, top_k = self.reader.parts, self.top_k
        vectors = self.reader.near([*self.first, *(second or ())], self.progress)
        if vectors is None:
            blocks = _all_pairs(size, None if second is None else len(second))
        else:
            least = least_cosine(parts.combiner, self.threshold, parts.scale)
            blocks = close(vectors[:size], None if second is None else vectors[size:], least)
        if not self.other_figures:
            differ, every = figures_differ(self.first, self.others), blocks
            blocks = (Block(one.pairs[~differ(one.pairs)], one.rows) for one in every)
        if top_k is not None and second is None:
            blocks = iter([Block(gathered(block.pairs for block in blocks), range(size))])
        done = 0
        for block in tracked(blocks, size, "Comparing", self.progress):
            pairs = block.pairs
            done += len(block)
            if top_k is None or vectors is None:
                scores = self.scores(pairs)
            else:
                there = vectors if second is None else vectors[size:]
                cosines = np.einsum("pd,pd->p", vectors[pairs[:, 0]], there[pairs[:, 1]])
                scores = self.best_scores(pairs, cosines, top_k)
            self.expect(int(self.scored / done * (size - done)) if done else 0)
            good = scores >= self.threshold  # not NaN
            yield pairs[good], scores[good]

    def best_scores(self, pairs: IntArray, cosines: Float32Array, top_k: int) -> Float64Array:
        """Return the scores of the pairs that may be among the best of their first text, or in one
        list of either; NaN for others, which need no comparison because their cosines are bounds.
        """
        combiner, both = self.reader.parts.combiner, self.second is None
        assert isinstance(combiner, HasBounds)  # as there are vectors
        limits = np.clip(cosines.astype(np.float64) + MARGIN, -1, 1)
        bounds = bounds_of(combiner, limits, self.reader.parts.scale)
        found = np.full(len(pairs), np.nan)
        best: defaultdict[int, list[float]] = defaultdict(list)
        order = np.argsort(-bounds, kind="stable")
        for at in range(0, len(order), PAIRS):
            some = order[at : at + PAIRS]
            ends = [pair if both else pair[:1] for pair in pairs[some].tolist()]
            open_ = [
                any(len(best[end]) < top_k or bound >= best[end][0] for end in pair)
                for pair, bound in zip(ends, bounds[some].tolist(), strict=True)
            ]
            chosen = some[np.array(open_)]
            found[chosen] = self.scores(pairs[chosen])
            for place in chosen.tolist():
                for end in pairs[place].tolist() if both else pairs[place, :1].tolist():
                    push = heapq.heappush if len(best[end]) < top_k else heapq.heappushpop
                    push(best[end], float(np.nan_to_num(found[place], nan=-1.0)))
        return found


def mine(
    reader: Reader,
    sentences: Iterable[object],
    others: Iterable[object] | None,
    threshold: float,
    top_k: int | None,
    on_error: str,
    progress: bool,
    other_figures: bool,
) -> Iterator[Match]:
    """Implement :meth:`hybridsem.Pipeline.mine`, with its arguments."""
    check_threshold(threshold)
    check_count(top_k, "top_k")
    first, numbers = usable_texts(sentences, "sentence", on_error)
    second, numbers2 = None, numbers
    if others is not None:
        second, numbers2 = usable_texts(others, "other", on_error)
    how = threshold, top_k, on_error, progress, other_figures
    scored = _Miner(reader, first, second, *how).mined()
    if top_k is not None:
        scored = _best(scored, top_k, second is None)
    return (
        Match(score, numbers[one], numbers2[two])
        for pairs, scores in scored
        for (one, two), score in zip(pairs.tolist(), scores.tolist(), strict=True)
    )


def _best(scored: Iterable[Scored], top_k: int, one_list: bool) -> Iterator[Scored]:
    if one_list:  # the last sentence's best may be the first
        scored = [_together(scored)]
    for pairs, scores in scored:
        kept = best_of_each(pairs, scores, top_k, one_list)
        yield pairs[kept], scores[kept]


def _together(scored: Iterable[Scored]) -> Scored:
    scores = [np.empty(0)]

    def pairs() -> Iterator[IntArray]:
        for some, own in scored:
            scores.append(own)
            yield some

    return gathered(pairs()), np.concatenate(scores)


def best_of_each(pairs: IntArray, scores: Float64Array, top_k: int, both: bool) -> IntArray:
    """Return the places of the pairs that are among the best of their first sentence, or with
    ``both`` of either; of equals the first is better.
    """
    numbers = pairs.T.ravel() if both else pairs[:, 0]
    place = np.tile(np.arange(len(pairs)), 2 if both else 1)
    order = np.lexsort((place, -scores[place], numbers))
    ordered = numbers[order]
    rank = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    return np.unique(place[order[rank < top_k]])


def cluster(
    reader: Reader,
    sentences: Iterable[object],
    threshold: float,
    min_size: int,
    on_error: str,
    progress: bool,
) -> list[list[int]]:
    """Implement :meth:`hybridsem.Pipeline.cluster`, with its arguments."""
    check_threshold(threshold)
    check_count(min_size, "min_size")
    texts, numbers = usable_texts(sentences, "sentence", on_error)
    miner = _Miner(reader, texts, None, threshold, None, on_error, progress, other_figures=True)
    found = communities(len(texts), *_together(miner.mined()), min_size)
    return [[numbers[place] for place in group] for group in found]


def communities(
    sentences: int, pairs: IntArray, scores: Float64Array, least: int
) -> list[list[int]]:
    """Return the communities, largest first, each with its centre first, then by falling score."""
    centres, members = np.concatenate([pairs, pairs[:, ::-1]]).T
    order = np.lexsort((members, -np.tile(scores, 2), centres))
    members = members[order]
    sizes = np.bincount(centres, minlength=sentences)
    ends = np.cumsum(sizes)
    used = np.zeros(sentences, bool)
    found = []
    for centre in np.argsort(-sizes, kind="stable").tolist():
        if sizes[centre] + 1 < least:
            break
        if used[centre]:
            continue
        others = members[ends[centre] - sizes[centre] : ends[centre]]
        community = [centre, *others[~used[others]].tolist()]
        if len(community) >= least:
            used[community] = True
            found.append(community)
    return sorted(found, key=len, reverse=True)
