"""Search documents for queries (by vectors, a string metric or BM25), and NDCG of a ranking.

search(blocks) -> Best       blocks() -> lists of texts, in the order of the documents' numbers
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from hybridsem._typing import AnyArray, Float64Array, IntArray
from hybridsem._utils.validation import problem
from hybridsem.evaluation.model import CHUNK, EvaluatedModel, vectors_of
from hybridsem.strings import METRICS, Bm25Index, Bm25Statistics, StringCombiner, Tokens, counts

DEPTH = 10
"""The places of a ranking that NDCG@10 reads."""


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
    found = np.zeros(len(documents))
    for query, (row, gain) in enumerate(zip(documents.tolist(), gains, strict=True)):
        best = np.sort(np.fromiter(gain.values(), float))[::-1][:depth]
        got = np.array([gain.get(document, 0.0) for document in row])
        found[query] = (got * discounts).sum() / (best * discounts[: len(best)]).sum()
    return found


Blocks = Callable[[], Iterable[list[str]]]
BLOCK = 1024
"""Documents in a block."""
NEAR = 32
"""Extra candidates taken by 32-bit cosines, to be ordered by 64-bit ones."""
REMEMBERED = 1 << 16
"""Vectors of documents that are kept: texts with the same input are encoded once."""


class Search:
    """Finds the best documents of each query; counts those it could not read or score."""

    unscored = 0

    def __init__(self, queries: Sequence[str], depth: int = DEPTH) -> None:
        self.queries, self.depth = list(queries), depth
        self.lost = 0

    def __call__(self, blocks: Blocks) -> Best:
        """Return the best documents of the blocks."""
        return self._found(blocks)

    def _found(self, blocks: Blocks) -> Best:
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

    def _found(self, blocks: Blocks) -> Best:
        best = Best(len(self.queries), self.depth)
        coarse = self._directions.astype(np.float32)
        for texts, numbers in self.usable(blocks):
            documents = _directions(self._vectors(texts))
            self.lost += int(np.isnan(documents[:, 0]).sum())
            near = coarse @ documents.astype(np.float32).T
            keep = min(self.depth + NEAR, len(texts))
            nearest = np.argpartition(-near, keep - 1, axis=1)[:, :keep]  # NaN comes last
            places = np.sort(nearest, axis=1)
            exact = np.einsum("qd,qmd->qm", self._directions, documents[places])
            best.add(np.round(exact, 12), numbers[places])
        return best

    def _vectors(self, texts: Sequence[str]) -> AnyArray:
        keys = self.tested.keys(texts)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        made = vectors_of(self.tested, list(new.values())) if new else ()
        found = dict(zip(new, made, strict=True))
        rows = np.stack([found[key] if key in found else self._known[key] for key in keys])
        for key, row in found.items():
            if len(self._known) < REMEMBERED:
                self._known[key] = row
        return rows


class ByMetric(Search):
    """Search by a string metric."""

    def __init__(
        self, combiner: StringCombiner, queries: Sequence[str], depth: int = DEPTH
    ) -> None:
        super().__init__(queries, depth)
        self.metric, self.tokeniser = METRICS[combiner.metric], combiner.tokeniser

    def _found(self, blocks: Blocks) -> Best:
        best = Best(len(self.queries), self.depth)
        rows = np.arange(len(self.queries))
        for texts, numbers in self.usable(blocks):
            metric = self.metric([*self.queries, *texts], self.tokeniser)
            best.add(metric.block(rows, len(rows) + np.arange(len(texts))), numbers)
        return best


class ByBm25(Search):
    """Search by BM25+ with the collection's rarities and lengths; blocks are read twice."""

    def __init__(self, tokeniser: str, queries: Sequence[str], depth: int = DEPTH) -> None:
        super().__init__(queries, depth)
        self.tokeniser = tokeniser

    def _found(self, blocks: Blocks) -> Best:
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
    """The documents of another search, reranked by a model's scores; ties keep their order."""

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

    def _found(self, blocks: Blocks) -> Best:
        found = self.first(blocks)
        wanted = set(found.documents[found.documents >= 0].tolist())
        texts: dict[int, str] = {}
        for some, numbers in self.usable(blocks):
            numbered = zip(numbers.tolist(), some, strict=True)
            texts |= {number: text for number, text in numbered if number in wanted}
        rows, columns = np.nonzero(found.documents >= 0)
        documents = found.documents[rows, columns].tolist()
        asked = zip(rows.tolist(), documents, strict=True)
        pairs = [(self.queries[query], texts[document]) for query, document in asked]
        scored = self.tested.scores_in_chunks(pairs, self.progress, CHUNK)
        scores = np.full(found.documents.shape, np.nan)
        scores[rows, columns] = scored
        self.unscored = int(np.isnan(scored).sum())
        best = Best(len(self.queries), self.depth)
        best.add(scores, found.documents)
        return best


def _directions(rows: AnyArray) -> Float64Array:
    """Return the rows at length 1; NaN where a row has no direction."""
    rows = np.asarray(rows, np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    known = (lengths > 0) & (lengths < np.inf)
    return np.asarray(np.divide(rows, lengths, out=np.full(rows.shape, np.nan), where=known))
