"""Search documents for queries (by vectors, a string metric or BM25), and NDCG of a ranking.

search(blocks) -> Best       blocks() -> lists of texts, in the order of the documents' numbers
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from hybridsem._typing import AnyArray, Float64Array, IntArray
from hybridsem._utils.validation import problem
from hybridsem.evaluation.model import CHUNK, EvaluatedModel, vectors_of
from hybridsem.strings import METRICS, Bm25Index, Bm25Statistics, StringCombiner, Tokens, counts

DEPTH = 10  # the places of a ranking that NDCG@10 reads
BLOCK = 1024  # documents in a block
REMEMBERED = 1 << 16
"""Vectors of documents that are kept: texts with the same input are encoded once."""
Blocks = Callable[[], Iterable[list[str]]]


class Best:
    """The ``depth`` best documents of each query so far, best first (-1: fewer). Of equal scores
    the lower number is better, so blocks come in ascending order.
    """

    def __init__(self, queries: int, depth: int = DEPTH) -> None:
        self.scores: Float64Array = np.full((queries, depth), -np.inf)
        self.documents: IntArray = np.full((queries, depth), -1, np.int64)

    def add(self, scores: Float64Array, documents: IntArray) -> None:
        """Add scores (q, n) of ascending documents (n,) or (q, n); NaN and -inf are not found."""
        joined = np.hstack([self.scores, np.where(np.isnan(scores), -np.inf, scores)])
        numbers = np.hstack([self.documents, np.broadcast_to(documents, scores.shape)])
        kept = np.argsort(-joined, axis=1, kind="stable")[:, : self.scores.shape[1]]
        self.scores = np.take_along_axis(joined, kept, axis=1)
        numbers = np.take_along_axis(numbers, kept, axis=1)
        self.documents = np.where(np.isneginf(self.scores), -1, numbers)


def ndcg(documents: AnyArray, gains: Sequence[Mapping[int, float]]) -> Float64Array:
    """Return NDCG of rankings, (q,) in [0, 1], with the gains 2^rel - 1. Every query has a gain."""
    depth = documents.shape[1]
    discounts = 1 / np.log2(np.arange(2, depth + 2))
    values = np.zeros(len(documents))
    for query, (row, gain) in enumerate(zip(documents.tolist(), gains, strict=True)):
        best = np.sort(np.fromiter(gain.values(), float))[::-1][:depth]
        got = np.array([gain.get(document, 0.0) for document in row])
        values[query] = (got * discounts).sum() / (best * discounts[: len(best)]).sum()
    return values


class Search:
    """Finds the best documents of each query; counts those it could not read or score."""

    unscored = 0

    def __init__(self, queries: Sequence[str], depth: int = DEPTH) -> None:
        self.queries, self.depth = list(queries), depth
        self.lost = 0

    def __call__(self, blocks: Blocks) -> Best:
        """Return the best documents of the blocks, which are read once or twice."""
        best = Best(len(self.queries), self.depth)
        for texts, numbers in self.usable(blocks):
            best.add(self.scores(texts), numbers)
        return best

    def scores(self, texts: Sequence[str]) -> Float64Array:
        """Return the scores of all queries with texts, (q, n)."""
        raise NotImplementedError

    def usable(self, blocks: Blocks) -> Iterator[tuple[list[str], IntArray]]:
        """Yield the texts of each block that are sentences, and their numbers."""
        self.lost = at = 0
        for block in blocks():
            places = [place for place, text in enumerate(block) if problem(text) is None]
            self.lost += len(block) - len(places)
            if places:
                yield [block[place] for place in places], at + np.array(places, np.int64)
            at += len(block)


class ByVectors(Search):
    """Search by the cosines of vectors."""

    def __init__(self, tested: EvaluatedModel, queries: Sequence[str], depth: int = DEPTH) -> None:
        super().__init__(queries, depth)
        self.tested = tested
        self._known: dict[bytes, AnyArray] = {}
        self._directions = _directions(vectors_of(tested, self.queries))

    def scores(self, texts: Sequence[str]) -> Float64Array:
        """Return cosines, to 12 decimals."""
        keys = self.tested.keys(texts)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        encoded = vectors_of(self.tested, list(new.values())) if new else ()
        vectors = self._known | dict(zip(new, encoded, strict=True))
        documents = _directions(np.stack([vectors[key] for key in keys]))
        kept = list(new)[: max(0, REMEMBERED - len(self._known))]
        self._known.update((key, vectors[key]) for key in kept)
        self.lost += int(np.isnan(documents[:, 0]).sum())
        return np.round(self._directions @ documents.T, 12)


class ByMetric(Search):
    """Search by a string metric."""

    def __init__(
        self, combiner: StringCombiner, queries: Sequence[str], depth: int = DEPTH
    ) -> None:
        super().__init__(queries, depth)
        self.metric, self.tokeniser = METRICS[combiner.metric], combiner.tokeniser

    def scores(self, texts: Sequence[str]) -> Float64Array:
        """Return the metric's scores."""
        metric, rows = self.metric([*self.queries, *texts], self.tokeniser), len(self.queries)
        return metric.block(np.arange(rows), rows + np.arange(len(texts)))


class ByBm25(Search):
    """Search by BM25+ with the collection's rarities and lengths; blocks are read twice."""

    def __init__(self, tokeniser: str, queries: Sequence[str], depth: int = DEPTH) -> None:
        super().__init__(queries, depth)
        self.tokeniser = tokeniser

    def __call__(self, blocks: Blocks) -> Best:
        """Return the best documents of the blocks."""
        counted = (counts(Tokens.of(texts, self.tokeniser)) for texts, _ in self.usable(blocks))
        self.statistics = Bm25Statistics.of(counted)
        self.asked = counts(Tokens.of(self.queries, self.tokeniser))
        return super().__call__(blocks)

    def scores(self, texts: Sequence[str]) -> Float64Array:
        """Return the scores of BM25+."""
        counted = counts(Tokens.of(texts, self.tokeniser))
        return Bm25Index(counted, statistics=self.statistics).scores(self.asked)


class Reranked(Search):
    """The documents of another search, reranked by a model's scores; ties keep their order."""

    def __init__(
        self, first: Search, tested: EvaluatedModel, depth: int = DEPTH, progress: bool = False
    ) -> None:
        super().__init__(first.queries, depth)
        self.first, self.tested, self.progress = first, tested, progress

    def __call__(self, blocks: Blocks) -> Best:
        """Return the best documents of the blocks."""
        ranked = self.first(blocks).documents
        wanted = set(ranked[ranked >= 0].tolist())
        texts: dict[int, str] = {}
        for block, numbers in self.usable(blocks):
            numbered = zip(numbers.tolist(), block, strict=True)
            texts |= {number: text for number, text in numbered if number in wanted}
        rows, columns = np.nonzero(ranked >= 0)
        asked = zip(rows.tolist(), ranked[rows, columns].tolist(), strict=True)
        pairs = [(self.queries[query], texts[document]) for query, document in asked]
        scored = self.tested.scores_in_chunks(pairs, self.progress, CHUNK)
        scores = np.full(ranked.shape, np.nan)
        scores[rows, columns] = scored
        self.unscored = int(np.isnan(scored).sum())
        best = Best(len(self.queries), self.depth)
        best.add(scores, ranked)
        return best


def _directions(rows: AnyArray) -> Float64Array:
    """Return the rows at length 1; NaN where a row has no direction."""
    rows = np.asarray(rows, np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    known = (lengths > 0) & (lengths < np.inf)
    return np.asarray(np.divide(rows, lengths, out=np.full(rows.shape, np.nan), where=known))
