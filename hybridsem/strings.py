"""String metrics as similarities: Levenshtein, Jaccard, ROUGE, BM25 (SAGE, appendix A.7).

    metric = METRICS["rouge"](texts)            counts the tokens of each text once
      metric.pairs([0, 0], [1, 2])              (p,) similarities of texts 0 and 1, 0 and 2
      metric.block([0], [1, 2, 3])              (1, 3) similarities of text 0 with three others
    Bm25Index(counts(tokens))                   scores of queries over a collection, for search

All but Levenshtein use tokens (``tokeniser="wordpiece"``, ``"cl100k"``, or ``"auto"``: cl100k if it
has been downloaded) in sparse arrays: row i has the counts of the n-grams in text i. Similarities
are in [0, 1], symmetric, and 1 for equal texts. Texts without tokens are equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from hybridsem._typing import BoolArray, Float64Array, IntArray
from hybridsem._utils.exact import log
from hybridsem._utils.extras import extra
from hybridsem._utils.validation import check_sentences
from hybridsem.combiners.base import Batch
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation, RoleMatch
from hybridsem.tokenisers import tokeniser

Sparse = Any  # A scipy csr_array, (texts, n-grams)

Places = Sequence[int] | IntArray  # positions of texts, (n,)

PAIRS_AT_ONCE = 4096
ALL_CORES_FROM = 64
K1, B, DELTA, EPSILON = 1.5, 0.75, 1.0, 0.25  # BM25's constants, as in the package rank_bm25


@dataclass(frozen=True)
class Tokens:
    """Texts as token numbers: text i is ``ids[starts[i]:starts[i + 1]]``."""

    ids: IntArray
    starts: IntArray
    tokeniser: str

    @classmethod
    def of(cls, texts: Sequence[str], name: str = "auto") -> Tokens:
        """Tokenise texts; ``name`` is ``wordpiece``, ``cl100k``, or ``auto``: cl100k if it is
        installed and its file is in the cache, else wordpiece.
        """
        reader = tokeniser(name)
        return cls(*reader(texts), reader.name)

    @property
    def lengths(self) -> IntArray:
        """The number of tokens of each text."""
        return np.diff(self.starts)


def counts(tokens: Tokens, n: int = 1) -> Sparse:
    """Count the n-grams of each text in a csr_array (texts, possible n-grams) with sorted columns.
    Raises :class:`InputError` for ``n`` below 1, or too large to number the columns (for word
    pieces from 5 on).
    """
    from scipy.sparse import csr_array

    size = int(tokens.ids.max(initial=0)) + 1
    if n < 1 or size**n >= 2**63:
        raise InputError(
            f"n-grams are of at least 1 token, and fewer than 2**63 of {size} tokens; got n = {n!r}"
        )
    columns, starts = tokens.ids, tokens.starts
    if n > 1:
        for offset in range(1, n):
            columns = columns[:-1] * size + tokens.ids[offset:]
        lengths = np.maximum(tokens.lengths - (n - 1), 0)
        starts = np.cumsum([0, *lengths])
        # Leave out n-grams that span two texts.
        skipped = np.repeat(tokens.starts[:-1] - starts[:-1], lengths)
        columns = columns[np.arange(starts[-1]) + skipped]
    numbers = np.int32 if max(size**n, len(columns)) < 2**31 else np.int64
    parts = np.ones(len(columns)), columns.astype(numbers), starts.astype(numbers)
    found = csr_array(parts, shape=(len(starts) - 1, size**n))
    found.sum_duplicates()
    return found


@dataclass(frozen=True)
class Part:
    """A part of a metric over pairs: its name, weights, similarities, and the compared sizes."""

    term: str
    weights: Float64Array | float
    similarities: Float64Array
    sizes: tuple[Sequence[int] | IntArray, Sequence[int] | IntArray]
    unit: str


def _weighted(parts: Iterable[Part]) -> Float64Array:
    return np.asarray(sum(part.weights * part.similarities for part in parts), np.float64)


class StringMetric:
    """A metric over given texts; the score is the weighted sum of its parts."""

    name: ClassVar[str]
    tokeniser: str | None = None
    """The name of the tokeniser; None for characters."""

    def parts(self, first: IntArray, second: IntArray) -> list[Part]:
        """Return the parts of the similarities of pairs: ``first`` and ``second`` texts, (p,)."""
        raise NotImplementedError

    def block(self, rows: Places, columns: Places) -> Float64Array:
        """Return the similarities of each text in ``rows`` with each in ``columns``, (r, c)."""
        raise NotImplementedError

    def pairs(self, first: Places, second: Places) -> Float64Array:
        """Return the similarities of pairs of ``first`` and ``second`` texts, (p,)."""
        one, two = np.asarray(first, np.int64), np.asarray(second, np.int64)
        found = np.empty(len(one))
        for at in range(0, len(one), PAIRS_AT_ONCE):
            some = slice(at, at + PAIRS_AT_ONCE)
            found[some] = _weighted(self.parts(one[some], two[some]))
        return found


class Levenshtein(StringMetric):
    """The Levenshtein ratio: 2 · the longest common subsequence / the characters of both texts.
    Substitutions cost 2, as in python-Levenshtein's ``ratio`` and rapidfuzz's ``fuzz.ratio``. This
    form reproduces SAGE's figures of insertion and removal; 1 - distance / longer length does not.

    >>> Levenshtein(["kitten", "sitting"]).pairs([0], [1]).round(2).tolist()
    [0.62]
    """

    name = "levenshtein"

    def __init__(self, texts: Sequence[str], tokeniser: str = "auto") -> None:
        with extra("rapidfuzz", "metrics"):
            from rapidfuzz import process
            from rapidfuzz.distance import Indel
        self._texts = check_sentences(texts)
        self._process, self._ratio = process, Indel.normalized_similarity
        self._workers = -1 if len(texts) >= ALL_CORES_FROM else 1  # -1: all cores

    def parts(self, first: IntArray, second: IntArray) -> list[Part]:
        """Return one part."""
        one, two = [self._texts[i] for i in first], [self._texts[i] for i in second]
        found = self._process.cpdist(
            one, two, scorer=self._ratio, dtype=np.float64, workers=self._workers
        )
        sizes = list(map(len, one)), list(map(len, two))
        return [Part("characters", 1.0, found, sizes, "characters")]

    def block(self, rows: Places, columns: Places) -> Float64Array:
        """Return the similarities of rows and columns, (r, c)."""
        one, two = [self._texts[i] for i in rows], [self._texts[i] for i in columns]
        found: Float64Array = self._process.cdist(
            one, two, scorer=self._ratio, dtype=np.float64, workers=self._workers
        )
        return found


class _Over(NamedTuple):
    """Operations on texts at the same places of two lists, or on all of one with all of another."""

    add: Callable[..., Any]
    products: Callable[[Sparse, Sparse], Float64Array]
    common: Callable[[Sparse, Sparse], Float64Array]


_PAIRS = _Over(
    np.add,
    lambda first, second: _row_sums(first.multiply(second)),
    lambda first, second: _row_sums(first.minimum(second)),
)
_BLOCK = _Over(
    np.add.outer,
    lambda first, second: _products(first, second),
    lambda first, second: _products(*_occurrences(first, second)),
)


class _OverTokens(StringMetric):
    """A metric on tokens: on pairs, or on all pairs of rows and columns."""

    def __init__(self, texts: Sequence[str], tokeniser: str = "auto") -> None:
        self._tokens = Tokens.of(check_sentences(texts), tokeniser)
        self.tokeniser = self._tokens.tokeniser
        self._counts = counts(self._tokens)

    def parts(self, first: IntArray, second: IntArray) -> list[Part]:
        return self._parts(first, second, _PAIRS)

    def block(self, rows: Places, columns: Places) -> Float64Array:
        return _weighted(self._parts(np.asarray(rows), np.asarray(columns), _BLOCK))

    def _parts(self, first: IntArray, second: IntArray, over: _Over) -> list[Part]:
        raise NotImplementedError


class Jaccard(_OverTokens):
    """Distinct tokens of both texts / distinct tokens of either.

    >>> Jaccard(["a red car", "a blue car"]).block([0], [0, 1]).round(2).tolist()
    [[1.0, 0.5]]
    """

    name = "jaccard"

    def __init__(self, texts: Sequence[str], tokeniser: str = "auto") -> None:
        super().__init__(texts, tokeniser)
        self._sets = self._counts
        self._sets.data[:] = 1
        self._sizes = np.diff(self._sets.indptr).astype(np.int64)

    def _parts(self, first: IntArray, second: IntArray, over: _Over) -> list[Part]:
        shared = over.products(self._sets[first], self._sets[second])
        sizes = self._sizes[first], self._sizes[second]
        found = _share(shared, over.add(*sizes) - shared)
        return [Part("tokens", 1.0, found, sizes, f"distinct {self.tokeniser} tokens")]


class Rouge(_OverTokens):
    """The mean of ROUGE-1 and ROUGE-2, each as F1: 2 · common n-grams / all n-grams (Lin 2004). If
    neither text has two tokens, the score is ROUGE-1.

    >>> Rouge(["the cat sat", "the cat slept"]).pairs([0], [1]).round(2).tolist()
    [0.58]
    """

    name = "rouge"

    def __init__(self, texts: Sequence[str], tokeniser: str = "auto") -> None:
        super().__init__(texts, tokeniser)
        self._by_length = {1: self._counts, 2: counts(self._tokens, 2)}

    def _parts(self, first: IntArray, second: IntArray, over: _Over) -> list[Part]:
        parts = []
        pairs_of_tokens = np.maximum(self._tokens.lengths - 1, 0)
        both = over.add(pairs_of_tokens[first], pairs_of_tokens[second]) > 0
        for n, lengths, weights, unit in (
            (1, self._tokens.lengths, np.where(both, 0.5, 1.0), f"{self.tokeniser} tokens"),
            (2, pairs_of_tokens, np.where(both, 0.5, 0.0), "pairs of them"),
        ):
            shared = over.common(*(self._by_length[n][some] for some in (first, second)))
            sizes = lengths[first], lengths[second]
            found = _share(2 * shared, over.add(*sizes))
            parts.append(Part(f"ROUGE-{n}", weights, found, sizes, unit))
        return parts


class Bm25(_OverTokens):
    """BM25+ (Lv & Zhai 2011), made symmetric and bounded. score(q, d) is that of query q over the
    collection {d}: the sum of delta + tf (k1 + 1) / (k1 + tf) over q's tokens in d, where tf is the
    count in d; length and rarity cancel out. The similarity is (score(a, b) + score(b, a)) /
    (score(a, a) + score(b, b)). It is at most 1, and 1 only for equal counts, because a term's
    share grows with its count (rearrangement inequality).

    >>> Bm25(["the cat sat", "the cat slept", "it rains"]).block([0], [0, 1, 2]).round(2).tolist()
    [[1.0, 0.67, 0.0]]
    """

    name = "bm25"

    def __init__(self, texts: Sequence[str], tokeniser: str = "auto") -> None:
        super().__init__(texts, tokeniser)
        self._gains = self._counts.copy()
        self._gains.data = DELTA + self._counts.data * (K1 + 1) / (K1 + self._counts.data)
        self._own = _row_sums(self._counts.multiply(self._gains))

    def _parts(self, first: IntArray, second: IntArray, over: _Over) -> list[Part]:
        both = over.products(self._counts[first], self._gains[second])
        both += over.products(self._gains[first], self._counts[second])
        found = _share(both, over.add(self._own[first], self._own[second]))
        sizes = self._tokens.lengths[first], self._tokens.lengths[second]
        return [Part("BM25+", 1.0, found, sizes, f"{self.tokeniser} tokens")]


class Bm25OfPairs(Bm25):
    """BM25+ of pairs as in SAGE: the first text is a collection, the second the query.

    The score is ln 2 · the sum of delta + tf (k1 + 1) / (k1 + tf) over the second text's tokens in
    the first, where tf is the count there. It is asymmetric, unbounded, and useful only after
    scaling to [0, 1] over a batch of pairs, so it is not a model.
    """

    name = "BM25+ of pairs"

    def __init__(self, texts: Sequence[str], tokeniser: str = "auto") -> None:
        super().__init__(texts, tokeniser)
        self._gains.data *= math.log(2)

    def pairs(self, first: Places, second: Places) -> Float64Array:
        """Return the asymmetric scores of pairs, (p,)."""
        return _row_sums(self._gains[first].multiply(self._counts[second]))


class OkapiOfTexts(_OverTokens):
    """Okapi BM25 over the collection of all texts (SAGE, appendix A.5), averaged over both ways. It
    needs a collection for the rarity of tokens, and is unbounded, so it is not a model.
    """

    name = "Okapi BM25 over the texts of a set"

    def __init__(self, texts: Sequence[str], tokeniser: str = "auto") -> None:
        super().__init__(texts, tokeniser)
        self._statistics = Bm25Statistics.of([self._counts])

    def block(self, rows: Places, columns: Places) -> Float64Array:
        """Return the means of the scores both ways, (r, c)."""
        return (self._scores(rows, columns) + self._scores(columns, rows).T) / 2

    def _scores(self, queries: Places, documents: Places) -> Float64Array:
        index = Bm25Index(self._counts[documents], 0, self._statistics, EPSILON)
        return index.scores(self._counts[queries])


METRICS: Mapping[str, type[Levenshtein | Jaccard | Rouge | Bm25]] = {
    metric.name: metric for metric in (Levenshtein, Jaccard, Rouge, Bm25)
}
"""The metrics by name: ``levenshtein``, ``jaccard``, ``rouge``, ``bm25``."""


@dataclass(frozen=True)
class Bm25Statistics:
    """BM25's statistics: documents, their tokens with ``frequency``, and the mean ``length``."""

    documents: int
    tokens: IntArray
    frequency: IntArray
    length: float

    @classmethod
    def of(cls, blocks: Iterable[Sparse]) -> Bm25Statistics:
        """Collect from blocks of documents' counts."""
        documents, length = 0, 0.0
        tokens = frequency = np.empty(0, np.int64)
        for block in blocks:
            documents, length = documents + block.shape[0], length + float(block.data.sum())
            tokens, places = np.unique(np.concatenate([tokens, block.indices]), return_inverse=True)
            before = np.concatenate([frequency, np.ones(len(block.indices), np.int64)])
            frequency = np.bincount(places, before, len(tokens)).astype(np.int64)
        return cls(documents, tokens, frequency, length / max(documents, 1))


class Bm25Index:
    """BM25+ scores over a collection (Lv & Zhai 2011), or Okapi's, as in the package rank_bm25.
    ``documents`` are the counts of the collection, or of a block of it with its ``statistics``,
    (documents, tokens). Query tokens outside the collection are ignored; the others add ``delta``
    to each document. With ``epsilon`` it is Okapi's rarity, with this share of the mean rarity
    where it is negative (tokens in more than half of the documents).
    """

    def __init__(
        self,
        documents: Sparse,
        delta: float = DELTA,
        statistics: Bm25Statistics | None = None,
        epsilon: float | None = None,
    ) -> None:
        known = Bm25Statistics.of([documents]) if statistics is None else statistics
        self._terms = known.tokens
        n, found_in = known.documents, known.frequency
        self._rarity = log((n + 1) / np.maximum(found_in, 1))
        if epsilon is not None:
            okapi = log((n - found_in + 0.5) / (found_in + 0.5))
            mean = okapi.sum() / max(len(okapi), 1)
            self._rarity = np.where(okapi < 0, epsilon * mean, okapi)
        norms = K1 * (1 - B + B * _row_sums(documents) / max(known.length, 1e-300))
        tf, places = documents.data, np.searchsorted(known.tokens, documents.indices)
        norms = np.repeat(norms, np.diff(documents.indptr))
        weights = self._rarity[places] * tf * (K1 + 1) / (norms + tf)
        shape = documents.shape[0], len(known.tokens)
        self._weights = _csr(weights, places, documents.indptr, shape)
        self._delta = delta

    def scores(self, queries: Sparse) -> Float64Array:
        """Return the score of each document for each query (counts), (q, d)."""
        known, places = _placed(queries.indices, self._terms)
        starts = np.concatenate([[0], np.cumsum(known)])[queries.indptr]
        shape = queries.shape[0], len(self._terms)
        rows = _csr(queries.data[known], places[known], starts, shape)
        given = np.asarray(rows @ self._rarity, np.float64)
        return _products(rows, self._weights) + self._delta * given[:, None]


@dataclass(frozen=True)
class StringCombiner:
    """A string metric as a model; an explanation has a line for each part of the metric."""

    model: str
    metric: str
    tokeniser: str = "auto"
    formalism = None
    reads_vectors = False

    @property
    def card(self) -> dict[str, str]:
        """The tokeniser, on which a result depends."""
        return {} if self.metric == Levenshtein.name else {"tokens": tokeniser(self.tokeniser).name}

    def explain(self, batch: Batch) -> list[Explanation]:
        """Return an explanation for each pair."""
        if not batch.pairs:
            return []
        metric = METRICS[self.metric](batch.sentences, self.tokeniser)
        first, second = np.array(batch.pairs, np.int64).T
        parts = metric.parts(first, second)
        return [
            batch.explanation(pair, self.model, list(self._lines(parts, row)))
            for row, pair in enumerate(batch.pairs)
        ]

    def _lines(self, parts: list[Part], row: int) -> Iterator[RoleMatch]:
        for part in parts:
            weight = part.weights if isinstance(part.weights, float) else float(part.weights[row])
            similarity = float(part.similarities[row])
            one, two = (f"{sizes[row]} {part.unit}" for sizes in part.sizes)
            numbers = similarity, weight, weight * similarity
            yield RoleMatch(None, None, one, two, *numbers, term=part.term)


def _row_sums(rows: Sparse) -> Float64Array:
    return np.asarray(rows.sum(axis=1), np.float64).ravel()


def _share(part: Float64Array, whole: Float64Array) -> Float64Array:
    """Return the quotients, at most 1, and 1 for 0 / 0."""
    return np.minimum(np.divide(part, whole, out=np.ones_like(part), where=whole > 0), 1.0)


def _csr(data: Float64Array, columns: IntArray, starts: IntArray, shape: tuple[int, int]) -> Sparse:
    from scipy.sparse import csr_array

    return csr_array((data, columns, starts), shape=shape)


def _placed(columns: IntArray, among: IntArray) -> tuple[BoolArray, IntArray]:
    """Return which columns are in ``among`` (sorted, distinct), and their positions there."""
    places = np.minimum(np.searchsorted(among, columns), max(len(among) - 1, 0))
    return (among[places] == columns if len(among) else np.zeros(len(columns), bool)), places


def _products(rows: Sparse, columns: Sparse) -> Float64Array:
    among = np.intersect1d(rows.indices, columns.indices)
    narrow = []
    for one in (rows, columns):
        known, places = _placed(one.indices, among)
        starts = np.concatenate([[0], np.cumsum(known)])[one.indptr]
        narrow.append(_csr(one.data[known], places[known], starts, (one.shape[0], len(among))))
    return np.asarray((narrow[0] @ narrow[1].T).toarray(), np.float64)


def _occurrences(*tables: Sparse) -> Iterator[Sparse]:
    """Turn counts into 0 and 1, a column per occurrence: products become sums of minima."""
    most = max((int(table.data.max(initial=1)) for table in tables), default=1)
    for table in tables:
        times = table.data.astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(times)])
        nth = np.arange(starts[-1]) - np.repeat(starts[:-1], times)
        columns = np.repeat(table.indices.astype(np.int64), times) * most + nth
        shape = (table.shape[0], table.shape[1] * most)
        yield _csr(np.ones(len(columns)), columns, starts[table.indptr], shape)
