"""Score documents by their sentences, for models that compare sentence structure.

Each sentence is matched with the best one of the other document, weighted by length:

    score(A, B) = ½ (Σ_i |a_i| max_j s(a_i, b_j) / Σ_i |a_i|
                   + Σ_j |b_j| max_i s(a_i, b_j) / Σ_j |b_j|)

``|a|`` is the number of words between blanks. The score is symmetric, in [-1, 1], and 1 for the
same sentences in any order. With a model's upper bounds, pairs that cannot be a best match are not
scored, which changes no result.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np

from hybridsem._typing import BoolArray, Float64Array, IntArray, SentencePairs
from hybridsem._utils.exact import ROUNDING, row_products
from hybridsem._utils.progress import tracked
from hybridsem._utils.validation import problem
from hybridsem.combiners.base import Batch, HasBounds, scores_of
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.comparison.role_alignment import align_roles, relative_weights
from hybridsem.embeddings.words import filler_vectors
from hybridsem.english.sentences import sentences
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation, RoleMatch, Term
from hybridsem.pipeline import Pipeline
from hybridsem.structures import ParseFailure

PAIRS_AT_ONCE = 4096
"""Pairs of sentences that are scored together."""

MAX_PAIRS, MAX_SENTENCES, MAX_CELLS = 4096, 8192, 1 << 20
"""Limits of the documents scored together: pairs, sentences, pairs of sentences."""


class DocumentScorer:
    """Scores pairs of documents with a pipeline that scores pairs of sentences.

    >>> from hybridsem import Pipeline
    >>> scorer = DocumentScorer(Pipeline())
    >>> one, two = "A dog barked. Ann slept.", "Ann slept. The dog was barking."
    >>> scorer.score([(one, two)]) == scorer.score([(two, one)])
    array([ True])
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self.name = str(getattr(pipeline.combiner, "model", type(pipeline.combiner).__name__))

    def score(self, pairs: Iterable[tuple[str, str]], *, progress: bool = False) -> Float64Array:
        """Return the score of each pair of documents, (n,) float64 in [-1, 1], in order.

        Unparsable sentences are ignored; the score is NaN if a document has no others.
        ``progress``: show a bar on stderr if it is a terminal. Raises :class:`InputError` for an
        unusable document, with its row (from 0).
        """
        given = _checked(pairs)
        parts = (
            [table.score for table in self._compared(some)[0]]
            for some in tracked(_together(given), len(given), "scoring", progress)
        )
        return np.array([score for part in parts for score in part], float)

    def truncated(self, documents: Iterable[str]) -> list[bool]:
        """Return, for each document, whether a sentence is longer than the model reads."""
        found = map(sentences_of, documents)
        return [bool(texts) and any(self.pipeline.truncated(texts)) for texts in found]

    def explain(self, document1: str, document2: str) -> Explanation:
        """Return the explanation of two documents, a line for each sentence and its best match in
        the other. Raises :class:`InputError` for a document that is no text or blank.
        """
        pairs = _checked([(document1, document2)])
        (table,), batch = self._compared(pairs)
        return table.explanation(pairs[0], self.name, batch)

    def _compared(self, pairs: SentencePairs) -> tuple[list[_Table], Batch]:
        """Compare each pair of documents by sentences; return tables and the batch."""
        split = {
            text: sentences_of(text)
            for text in dict.fromkeys(text for pair in pairs for text in pair)
        }
        batch = self.pipeline.read(
            [(sentence, sentence) for found in split.values() for sentence in found]
        )
        structures = enumerate(batch.structures or ())
        failed = {at for at, parsed in structures if isinstance(parsed, ParseFailure)}
        place = {text: at for at, text in enumerate(batch.sentences) if at not in failed}
        documents = {
            text: np.array([place[sentence] for sentence in found if sentence in place], np.int64)
            for text, found in split.items()
        }
        words = np.array([max(1, len(sentence.split())) for sentence in batch.sentences], float)
        sides = [(documents[one], documents[two]) for one, two in pairs]
        tables = [_Table(one, two, self._bounds(batch, one, two), words) for one, two in sides]
        most = 1
        while any(map(len, wanted := [table.wanted(most) for table in tables])):
            found = self._similarities(batch, np.concatenate(wanted))
            ends = np.cumsum(list(map(len, wanted)))[:-1]
            for table, scores in zip(tables, np.split(found, ends), strict=True):
                table.learn(scores)
            most *= 4
        return tables, batch

    def _bounds(self, batch: Batch, one: IntArray, two: IntArray) -> Float64Array:
        combiner = self.pipeline.combiner
        if isinstance(combiner, HasBounds):
            return combiner.bounds(batch, one, two)
        return np.ones((len(one), len(two)))

    def _similarities(self, batch: Batch, cells: IntArray) -> Float64Array:
        """Return the scores of pairs of sentences (n, 2); each distinct pair is scored once."""
        order = np.argsort(np.argsort(np.array(batch.sentences, object)))
        flipped = order[cells[:, 0]] > order[cells[:, 1]]
        distinct, inverse = np.unique(
            np.where(flipped[:, None], cells[:, ::-1], cells), axis=0, return_inverse=True
        )
        scores = np.empty(len(distinct))
        for at in range(0, len(distinct), PAIRS_AT_ONCE):
            some = batch.narrowed(distinct[at : at + PAIRS_AT_ONCE])
            scores[at : at + PAIRS_AT_ONCE] = self._scores(some)
        return scores[inverse.ravel()]

    def _scores(self, batch: Batch) -> Float64Array:
        combiner = self.pipeline.combiner
        if type(combiner) is RoleCombiner:  # subclasses score differently
            return role_scores(combiner, batch)
        return scores_of(combiner, batch)


class _Table:
    """The known similarities of the sentences of two documents.

    ``rows`` and ``columns`` are positions in the batch, ``words`` the lengths of its sentences. The
    best of a row or column is known when no open cell can be better by its bound.
    """

    def __init__(
        self, rows: IntArray, columns: IntArray, bounds: Float64Array, words: Float64Array
    ) -> None:
        self.rows, self.columns, self.words = rows, columns, words
        self.found = np.where(np.equal.outer(rows, columns), 1.0, -np.inf)
        # The bounds of open cells; -inf elsewhere.
        self.open = np.where(np.isfinite(self.found), -np.inf, bounds)
        self._asked: tuple[IntArray, IntArray] = np.empty(0, np.int64), np.empty(0, np.int64)

    def wanted(self, most: int) -> IntArray:
        """Return the next cells to score, (n, 2): the likeliest few of each row and column."""
        chosen = (
            self._likeliest(self.open, self.found, most)
            | self._likeliest(self.open.T, self.found.T, most).T
        )
        i, j = np.nonzero(chosen)
        self._asked = i, j
        return np.stack([self.rows[i], self.columns[j]], axis=1)

    @staticmethod
    def _likeliest(open_: Float64Array, found: Float64Array, most: int) -> BoolArray:
        """Mark, in each row, at most ``most`` cells that may beat its best, by highest bound."""
        if not open_.size:
            return np.zeros(open_.shape, bool)
        may: BoolArray = open_ > found.max(axis=1, keepdims=True)
        if most < open_.shape[1]:
            least = -np.partition(-open_, most - 1, axis=1)[:, most - 1 : most]
            may &= open_ >= least
        return may

    def learn(self, scores: Float64Array) -> None:
        """Store the scores of the wanted cells."""
        self.found[self._asked] = scores
        self.open[self._asked] = -np.inf

    @property
    def score(self) -> float:
        """The score of the documents, NaN if one has no sentences."""
        if not self.found.size:
            return float("nan")
        ways = (
            (self.found.max(axis=1), self.words[self.rows]),
            (self.found.max(axis=0), self.words[self.columns]),
        )
        return sum(float((best * words).sum() / words.sum()) for best, words in ways) / 2

    def explanation(self, pair: tuple[str, str], model: str, batch: Batch) -> Explanation:
        """Return the score with a line for each sentence and its best match."""
        notes = () if self.found.size else ("no sentence of one of the documents can be parsed",)
        ways = (self.found, self.rows, self.columns), (self.found.T, self.columns, self.rows)
        lines = []
        for found, own, others in ways if self.found.size else ():
            best = others[found.argmax(axis=1)]
            shares = self.words[own] / self.words[own].sum() / 2
            for at, other, similarity, share in zip(
                own, best, found.max(axis=1).tolist(), shares.tolist(), strict=True
            ):
                one, two = (at, other) if own is self.rows else (other, at)
                texts = batch.sentences[one], batch.sentences[two]
                amounts = similarity, share, share * similarity
                lines.append(RoleMatch(None, None, *texts, *amounts, Term.BEST_MATCH))
        cut, non_english = (
            bool(flags) and any(flags[at] for at in (*self.rows, *self.columns))
            for flags in (batch.truncated, batch.foreign)
        )
        return Explanation(
            *pair, self.score, model, tuple(lines), notes=notes, truncated=cut, foreign=non_english
        )


def _checked(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    given = list(pairs)
    for row, pair in enumerate(given):
        for side, text in enumerate(pair, start=1):
            if (why := problem(text)) is not None:
                raise InputError(f"pair {row}: document {side}: {why}")
    return given


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, without invisible ones."""
    found = (text[start:end] for start, end in sentences(text))
    return [sentence for sentence in found if problem(sentence) is None]


def _together(pairs: SentencePairs) -> Iterator[SentencePairs]:
    """Yield neighbouring pairs that can be scored together within the limits."""
    size = cache(lambda text: len(sentences(text)))
    at = cells = held = 0
    for end, (one, two) in enumerate(pairs):
        held, cells = held + size(one) + size(two), cells + size(one) * size(two)
        full = end - at >= MAX_PAIRS or held > MAX_SENTENCES or cells > MAX_CELLS
        if end > at and full:
            yield pairs[at:end]
            at, held, cells = end, size(one) + size(two), size(one) * size(two)
    if at < len(pairs):
        yield pairs[at:]


def role_scores(combiner: RoleCombiner, batch: Batch) -> Float64Array:
    """Return the scores of ``combiner.explain``, (p,), much faster; NaN without a structure.

    Pairs whose sentences have the same roles share their alignment and weights, so they are
    compared together.
    """
    kinds: dict[tuple[str, ...], int] = {}
    distinct: dict[tuple[str, ...], int] = {}
    kind, start = (np.full(len(batch.sentences), -1) for _ in range(2))
    numbers: list[int] = []  # of the fillers of all sentences, one after the other
    for index, structure in batch.parsed().items():
        roles = structure.roles
        kind[index], start[index] = kinds.setdefault(tuple(roles), len(kinds)), len(numbers)
        numbers += [distinct.setdefault(filler.words, len(distinct)) for filler in roles.values()]
    table, fillers = filler_vectors(combiner.vectors, list(distinct)), np.array(numbers, np.int64)

    first, second = np.array(batch.pairs, np.int64).reshape(-1, 2).T
    scores = np.full(len(first), np.nan)
    known = np.flatnonzero((kind[first] >= 0) & (kind[second] >= 0))
    together = kind[first[known]] * len(kinds) + kind[second[known]]
    order = np.argsort(together, kind="stable")
    ends = np.flatnonzero(np.diff(together[order])) + 1
    names = list(kinds)
    for rows in np.split(known[order], ends) if len(known) else ():
        one, two = names[kind[first[rows[0]]]], names[kind[second[rows[0]]]]
        total = np.zeros(len(rows))
        for at1, at2, weight in _compared(combiner, one, two):
            filler1, filler2 = fillers[start[first[rows]] + at1], fillers[start[second[rows]] + at2]
            cosines = np.clip(row_products(table[filler1], table[filler2]), -1, 1)
            total += weight * np.where(filler1 == filler2, 1.0, cosines)
        total[(first[rows] == second[rows]) & (total > 1 - ROUNDING)] = 1.0
        scores[rows] = np.clip(total, -1, 1)
    return scores


def _compared(
    combiner: RoleCombiner, one: tuple[str, ...], two: tuple[str, ...]
) -> list[tuple[int, int, float]]:
    """Return the indices of the compared roles, and the weight of their similarity."""
    aligned = align_roles(one, two, combiner.pairings)
    lone = [role for role in one if role not in [role1 for role1, *_ in aligned]]
    lone += [role for role in two if role not in [role2 for _, role2, _ in aligned]]
    slots = dict.fromkeys([slot for *_, slot in aligned], 0.0) | dict.fromkeys(lone, math.nan)
    weights = relative_weights(slots, combiner.weights, combiner.normalise)
    return [(one.index(role1), two.index(role2), weights[slot]) for role1, role2, slot in aligned]
