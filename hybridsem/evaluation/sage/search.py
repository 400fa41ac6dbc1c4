"""Ways to find documents for queries (vectors, a metric on strings, BM25), and what a ranking is
worth: NDCG.

    search(blocks) -> Best       blocks() -> lists of texts, in the order of the documents' numbers

Blocks are asked for once or twice and never held together. A text that is no sentence (blank, not
valid Unicode) is not found by any search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from hybridsem._typing import AnyArray, Float64Array, IntArray
from hybridsem._utils.progress import tracked
from hybridsem._utils.validation import problem
from hybridsem.evaluation.model import EvaluatedModel, vectors_of
from hybridsem.strings import METRICS, Bm25Index, Bm25Statistics, StringCombiner, Tokens, counts

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
        ascending. A score that is NaN or -inf is none: the document is not found.
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


Blocks = Callable[[], Iterable[list[str]]]

BLOCK = 1024
"""Documents that are looked at together."""

NEAR = 32
"""So many more than the best are taken by 32-bit cosines, and ordered by those of 64 bit."""

REMEMBERED = 1 << 16
"""Vectors of documents that are kept: texts of which the model reads the same are encoded once."""

PAIRS = 4096


class Search:
    """Finds the ``depth`` best documents of each query. ``lost`` counts the documents that the last
    search could not look at, for want of text or of a vector, ``unscored`` the pairs without a
    score.
    """

    unscored = 0

    def __init__(self, queries: Sequence[str], depth: int = DEPTH) -> None:
        self.queries, self.depth = list(queries), depth
        self.lost = 0

    def __call__(self, blocks: Blocks) -> Best:
        """The best documents of the blocks."""
        raise NotImplementedError

    def usable(self, blocks: Blocks) -> Iterator[tuple[list[str], IntArray]]:
        """The texts of each block that are sentences, and their numbers."""
        self.lost = at = 0
        for block in blocks():
            places = [place for place, text in enumerate(block) if problem(text) is None]
            self.lost += len(block) - len(places)
            if places:
                yield [block[place] for place in places], at + np.array(places, np.int64)
            at += len(block)


class ByVectors(Search):
    """By the cosines of vectors."""

    def __init__(self, tested: EvaluatedModel, queries: Sequence[str], depth: int = DEPTH) -> None:
        super().__init__(queries, depth)
        self.tested = tested
        self._known: dict[bytes, AnyArray] = {}
        self._directions = _directions(vectors_of(tested, self.queries))

    def __call__(self, blocks: Blocks) -> Best:
        """The best documents of the blocks."""
        best = Best(len(self.queries), self.depth)
        coarse = self._directions.astype(np.float32)
        for texts, numbers in self.usable(blocks):
            documents = _directions(self._vectors(texts))
            self.lost += int(np.isnan(documents[:, 0]).sum())
            near = coarse @ documents.astype(np.float32).T
            keep = min(self.depth + NEAR, len(texts))
            places = np.sort(
                np.argpartition(-near, keep - 1, axis=1)[:, :keep], axis=1
            )  # NaN comes last
            exact = np.einsum("qd,qmd->qm", self._directions, documents[places])
            best.add(np.round(exact, 12), numbers[places])
        return best

    def _vectors(self, texts: Sequence[str]) -> AnyArray:
        keys = self.tested.keys(texts)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        found = (
            dict(zip(new, vectors_of(self.tested, list(new.values())), strict=True)) if new else {}
        )
        rows = np.stack([found[key] if key in found else self._known[key] for key in keys])
        for key, row in found.items():
            if len(self._known) < REMEMBERED:
                self._known[key] = row
        return rows


class ByMetric(Search):
    """By the similarities of a metric on strings."""

    def __init__(
        self, combiner: StringCombiner, queries: Sequence[str], depth: int = DEPTH
    ) -> None:
        super().__init__(queries, depth)
        self.metric, self.tokeniser = METRICS[combiner.metric], combiner.tokeniser

    def __call__(self, blocks: Blocks) -> Best:
        """The best documents of the blocks."""
        best = Best(len(self.queries), self.depth)
        rows = np.arange(len(self.queries))
        for texts, numbers in self.usable(blocks):
            metric = self.metric([*self.queries, *texts], self.tokeniser)
            best.add(metric.block(rows, len(rows) + np.arange(len(texts))), numbers)
        return best


class ByBm25(Search):
    """By BM25+ with the collection's rarities and lengths; blocks are read twice."""

    def __init__(self, tokeniser: str, queries: Sequence[str], depth: int = DEPTH) -> None:
        super().__init__(queries, depth)
        self.tokeniser = tokeniser

    def __call__(self, blocks: Blocks) -> Best:
        """The best documents of the blocks."""
        statistics = Bm25Statistics.of(found for found, _ in self._counted(blocks))
        asked = counts(Tokens.of(self.queries, self.tokeniser))
        best = Best(len(self.queries), self.depth)
        for found, numbers in self._counted(blocks):
            best.add(Bm25Index(found, statistics=statistics).scores(asked), numbers)
        return best

    def _counted(self, blocks: Blocks) -> Iterator[tuple[Any, IntArray]]:
        for texts, numbers in self.usable(blocks):
            yield counts(Tokens.of(texts, self.tokeniser)), numbers


class Reranked(Search):
    """The documents that another search finds for the same queries, ordered anew by the scores of a
    model. Equal scores stay in the order in which they were found. Blocks are read twice.

    Args: ``depth`` documents are found for each query.
    """

    def __init__(
        self,
        first: Search,
        tested: EvaluatedModel,
        queries: Sequence[str],
        depth: int = DEPTH,
        progress: bool = False,
    ) -> None:
        super().__init__(queries, depth)
        self.first, self.tested, self.progress = first, tested, progress

    def __call__(self, blocks: Blocks) -> Best:
        """The best documents of the blocks."""
        found = self.first(blocks)
        wanted = set(found.documents[found.documents >= 0].tolist())
        texts: dict[int, str] = {}
        for some, numbers in self.usable(blocks):
            texts |= {
                n: text for n, text in zip(numbers.tolist(), some, strict=True) if n in wanted
            }
        places = np.argwhere(found.documents >= 0)
        pairs = [
            (self.queries[query], texts[found.documents[query, place]])
            for query, place in places.tolist()
        ]
        chunks = [pairs[at : at + PAIRS] for at in range(0, len(pairs), PAIRS)]
        scored = [
            self.tested.scores(some)
            for some in tracked(chunks, len(pairs), "scoring", self.progress)
        ]
        scores = np.full(found.documents.shape, np.nan)
        scores[places[:, 0], places[:, 1]] = np.concatenate([np.empty(0), *scored])
        self.unscored = int(np.isnan(scores[places[:, 0], places[:, 1]]).sum())
        best = Best(len(self.queries), self.depth)
        best.add(scores, found.documents)
        return best


def _directions(rows: AnyArray) -> Float64Array:
    """The rows at length 1; NaN where one has no direction."""
    rows = np.asarray(rows, np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Float64Array = np.divide(
        rows, lengths, out=np.full(rows.shape, np.nan), where=(lengths > 0) & (lengths < np.inf)
    )
    return found
