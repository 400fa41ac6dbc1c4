"""A snapshot of an index, and scoring its texts against queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import TypeVar

import numpy as np

from hybridsem._typing import AnyArray, BoolArray, Float32Array, Float64Array, IntArray
from hybridsem.combiners.base import Batch
from hybridsem.combiners.hybrid import (
    COSINE_ROUNDING,
    HybridCombiner,
    ReadSentence,
    with_vectors,
    word_rows,
)
from hybridsem.comparison.sentence import Sentence
from hybridsem.reader import Reader
from hybridsem.search.database import Database, Id, Row, as_bytes, damaged
from hybridsem.search.folder import ABOUT, ROWS, Folder, Manifest, manifest_of
from hybridsem.search.ranking import Found, best
from hybridsem.search.storage import WORDS, Outline, Vocabulary, unpack
from hybridsem.search.vectors import NEIGHBOURS, VECTORS, Neighbours, Vectors, available
from hybridsem.structures import RoleStructure

Near = tuple[IntArray, Float64Array, Float64Array]
"""Rows, their cosines with a query, and the largest errors of these."""

Form = TypeVar("Form", Outline, Sentence)
OVERSAMPLED = 8
"""The number of neighbours by signs whose vectors are compared, for each requested candidate."""
LEAST_NEIGHBOURS = 512
TOGETHER = 4096  # rows that are read together
VOCABULARY, POSTINGS, LEMMA_VECTORS, DELETED = "vocabulary", "postings", "lemmas", "deleted"
"""Names of values in the database; the first two are of a part."""
UNSEEN = 1024  # the most lemmas without a stored vector that are looked up for a query


class Postings:
    """The rows, (m,), of each lemma in a role: ``keys`` ascending, as ``clauses.posting`` numbers
    them, each with the place where its rows begin, (n + 1,).
    """

    def __init__(self, keys: AnyArray, starts: AnyArray, rows: AnyArray) -> None:
        self.keys, self.starts, self.rows = keys, starts.astype(np.int64), rows

    @classmethod
    def of(cls, occurrences: IntArray) -> Postings:
        """Make them of all pairs of a key and a row, (2, m)."""
        each, rows = occurrences[:, np.lexsort(occurrences[::-1])]
        keys, starts = np.unique(each, return_index=True)
        return cls(keys.astype("<u4"), np.append(starts, len(rows)), rows.astype("<u4"))

    @property
    def counts(self) -> IntArray:
        """The number of rows of each key."""
        return np.diff(self.starts)

    def occurrences(self) -> IntArray:
        """Return all pairs of a key and a row, (2, m)."""
        return np.stack([np.repeat(self.keys, self.counts), self.rows]).astype(np.int64)

    def rows_with(self, keys: IntArray) -> tuple[AnyArray, IntArray]:
        """Return the rows of keys, one key after the other, and the number of rows of each."""
        at = np.searchsorted(self.keys, keys)
        there = at < len(self.keys)
        there[there] = self.keys[at[there]] == keys[there]
        counts = np.zeros(len(keys), np.int64)
        starts, ends = self.starts[at[there]], self.starts[at[there] + 1]
        counts[there] = ends - starts
        spans = zip(starts.tolist(), ends.tolist(), strict=True)
        parts = [self.rows[start:end] for start, end in spans]
        return np.concatenate([np.empty(0, "<u4"), *parts]), counts

    def as_bytes(self) -> bytes:
        """Return the form in which a database has them."""
        return as_bytes(self.keys, self.starts.astype("<u4"), self.rows)


class Contents:
    """A snapshot of an index, as its manifest describes it, which the database has as ``written``.
    ``near`` caches the lemmas that are similar to a word of a query; see slots.py.
    """

    def __init__(self, database: Database, written: bytes, before: Contents | None) -> None:
        self.database, self.written = database, written
        self.manifest = manifest = manifest_of(database, written)
        rows, dimension = manifest.starts[-1], manifest.dimension
        known = None if before is None else before.vectors
        path = database.folder / VECTORS
        self.vectors: Vectors = Vectors(path, rows, dimension, manifest.precision, known)
        self.neighbours: Neighbours | None = None
        if manifest.graph is not None and available():
            path = database.folder / NEIGHBOURS
            self.neighbours = Neighbours(path, dimension, manifest.graph)
        self.deleted: AnyArray = np.empty(0, np.int64)
        if manifest.deleted:
            (self.deleted,) = database.arrays(DELETED, 1)
        if len(self.deleted) != manifest.deleted:
            raise damaged(database.path, "other deleted rows")
        self.lemma_numbers: AnyArray = np.empty(0, np.int64)
        self.lemma_vectors: AnyArray = np.empty((0, 0), np.float32)
        if before is not None:
            self.lemma_numbers, self.lemma_vectors = before.lemma_numbers, before.lemma_vectors
        elif manifest.kept == WORDS:
            self.lemma_numbers, self.lemma_vectors = database.arrays(LEMMA_VECTORS, 2)
        self.vocabulary = _vocabulary(database, manifest, before)
        self.near: dict[tuple[str, str, bool], dict[str, float]] = {}
        self._unseen: tuple[IntArray, Float32Array] | None = None
        self._postings: dict[int, Postings] = {} if before is None else {**before._postings}

    @classmethod
    def load(cls, folder: Folder, before: Contents | None = None) -> Contents:
        """Load what is in use; ``before`` itself if that is the same. Raise :class:`AssetError` if
        it is damaged, or was replaced meanwhile.
        """
        place = folder.current()
        if before is not None and before.database.folder != place:
            before = None
        database = Database(place / ROWS) if before is None else before.database
        written = database.value(ABOUT)
        if before is not None and before.written == written:
            return before
        return cls(database, written, before)

    @property
    def rows(self) -> int:
        """The number of rows, including deleted ones."""
        return len(self.vectors)

    @property
    def live(self) -> int:
        """Rows that are not deleted."""
        return self.rows - len(self.deleted)

    @cached_property
    def alive(self) -> BoolArray:
        """Which rows are not deleted, (rows,)."""
        found = np.ones(self.rows, bool)
        found[self.deleted] = False
        return found

    def live_rows(self) -> Iterator[Row]:
        """The rows that are not deleted, in order."""
        places = np.flatnonzero(self.alive)
        for at in range(0, len(places), TOGETHER):
            yield from self.database.rows(places[at : at + TOGETHER].tolist())

    def with_ids(self, ids: Iterable[Id]) -> dict[Id, int]:
        """Return the rows that are not deleted and have one of these ids, by their ids."""
        found = self.database.with_ids(ids)
        return {one: row for row, one in found.items() if row < self.rows and self.alive[row]}

    def words(self, row: Row, by: Callable[[bytes, Vocabulary], Form]) -> Form | None:
        """Return the compared form of a row, or its :class:`Outline`; None without structure."""
        if not row.words:
            return None
        try:
            return by(row.words, self.vocabulary)
        except (ValueError, LookupError, TypeError) as error:
            raise damaged(self.database.path, f"{row.id!r} cannot be read ({error})") from error

    def postings(self) -> Iterator[Postings]:
        """The rows of lemmas by role, part by part."""
        for start in self.manifest.starts[:-1]:
            if start not in self._postings:
                self._postings[start] = Postings(*self.database.arrays(POSTINGS, 3, start))
            yield self._postings[start]

    @cached_property
    def tags(self) -> dict[int, tuple[str, ...]]:
        """The tags of each lemma, by its number."""
        found: dict[int, dict[str, None]] = {}
        for token, lemma in zip(self.vocabulary.tokens, self.vocabulary.lemma, strict=False):
            found.setdefault(lemma, {})[token.tag] = None
        return {lemma: tuple(tags) for lemma, tags in found.items()}

    def unseen(self, combiner: HybridCombiner) -> tuple[IntArray, Float32Array]:
        """Return the first lemmas without a stored vector, by number, and their vectors, (n, d)."""
        if self._unseen is None:
            numbers = np.flatnonzero(self.lemma_row < 0)[:UNSEEN]
            words = [self.vocabulary.lemmas[number] for number in numbers.tolist()]
            table = word_rows(combiner.vectors, [(word, word) for word in words])
            self._unseen = numbers, table
        return self._unseen

    @cached_property
    def lemma_row(self) -> IntArray:
        """The row of :attr:`lemma_vectors` of each lemma of the vocabulary; -1 for none."""
        found = np.full(len(self.vocabulary.lemmas), -1, np.int64)
        found[self.lemma_numbers] = np.arange(len(self.lemma_numbers))
        return found

    def read_sentences(
        self, combiner: HybridCombiner, sentences: Sequence[Sentence]
    ) -> list[ReadSentence]:
        """Return sentences with their words' vectors, stored ones for frequent lemmas."""
        return with_vectors(sentences, partial(self.word_rows, combiner))

    def word_rows(self, combiner: HybridCombiner, words: Sequence[tuple[str, str]]) -> Float32Array:
        """Return the unit vectors of words, (words, d); those of frequent lemmas are the stored
        ones.
        """
        if not len(self.lemma_numbers):
            return word_rows(combiner.vectors, words)
        rows, number = self.lemma_row, self.vocabulary.number_of.get
        numbers = [number(lemma) for lemma, _ in words]
        places = np.array(
            [-1 if at is None or at >= len(rows) else rows[at] for at in numbers], np.int64
        )
        table = np.empty((len(words), self.lemma_vectors.shape[1]), np.float32)
        known = places >= 0
        table[known] = self.lemma_vectors[places[known]]
        if not known.all():
            new = np.flatnonzero(~known).tolist()
            table[new] = word_rows(combiner.vectors, [words[at] for at in new])
        return table


def _vocabulary(database: Database, manifest: Manifest, before: Contents | None) -> Vocabulary:
    """Return the vocabulary: that of ``before``, if given, with later entries."""
    made, known = Vocabulary(), 0
    if before is not None:
        made, known = before.vocabulary, before.rows
    try:
        for start in manifest.starts[:-1]:
            if start >= known:
                made.extend(database.value(VOCABULARY, start))
    except (ValueError, TypeError) as error:
        raise damaged(database.path, "no vocabulary") from error
    return made


def best_rows(
    model: Reader,
    contents: Contents,
    queries: Sequence[str],
    candidates: int | None,
    top_k: int,
    least: float,
) -> Iterator[Found]:
    """Return the best rows for each query by the score of a model, among the nearest
    ``candidates``, or (None) exactly; places are rows.
    """
    batch = model.read([(query, query) for query in queries])
    assert batch.vectors is not None
    numbers = [one for one, _ in batch.pairs]
    vectors = batch.vectors[numbers]
    near = _all(contents, vectors)
    if candidates is not None:
        near = (_some(contents, vector, candidates) for vector in vectors)
    for query, number, found in zip(queries, numbers, near, strict=True):
        scorer = _QueryScorer(model, contents, query, number, batch)
        yield scorer.find(found, top_k, least, candidates is None)


def _all(contents: Contents, vectors: Float32Array) -> Iterator[Near]:
    table = np.empty((len(vectors), contents.rows), np.float32)
    errors = np.empty(contents.rows)
    for block, found, off in contents.vectors.products(vectors):
        table[:, block], errors[block] = found.T, off
    rows = np.flatnonzero(contents.alive)
    for row in table:
        yield rows, row[rows].astype(np.float64), errors[rows]


def _some(contents: Contents, vector: Float32Array, candidates: int) -> Near:
    graph, start, parts = contents.neighbours, 0, []
    if graph is not None:
        start = contents.manifest.parts[0].rows
        wanted = max(LEAST_NEIGHBOURS, OVERSAMPLED * candidates)
        near = np.sort(graph.nearest(vector, min(wanted, start)))
        own, errors = contents.vectors.read(near)
        parts.append((near, (own @ vector).astype(np.float64), errors))
    for block, products, errors in contents.vectors.products(vector[None], start):
        parts.append((np.arange(block.start, block.stop), products[:, 0], errors))
    rows, cosines, errors = map(np.concatenate, zip(*parts, strict=True))
    first = np.flatnonzero(contents.alive[rows])
    first = first[np.argsort(-cosines[first], kind="stable")[:candidates]]
    return rows[first], cosines[first], errors[first]


class _QueryScorer:
    """Scores the rows of an index against one query, a sentence of a batch."""

    def __init__(
        self, model: Reader, contents: Contents, query: str, number: int, batch: Batch
    ) -> None:
        self.model, self.contents, self.query = model, contents, query
        assert batch.vectors is not None
        self.vector = batch.vectors[number]
        self.combiner, self.scaled = model.parts.combiner, batch.scaled
        self.read: ReadSentence | None = None
        structure = None if batch.structures is None else batch.structures[number]
        if isinstance(self.combiner, HybridCombiner) and isinstance(structure, RoleStructure):
            (self.read,) = contents.read_sentences(
                self.combiner, [self.combiner.sentence(structure)]
            )

    def _slope(self) -> float:
        """The largest change of a score with the cosine."""
        if not isinstance(self.combiner, HybridCombiner):
            return 1.0
        scale = self.model.parts.scale
        of_scale = 1.0 if scale is None else scale.lipschitz_constant
        return self.combiner.weighting.lipschitz_constant * of_scale

    def find(self, near: Near, top_k: int, least: float, exact: bool) -> Found:
        """Return the best rows by the stored vectors, or (``exact``) by the texts' own: the lowest
        possible scores give a limit; rows whose score may reach it are then scored with those.
        """
        rows, cosines, errors = near
        slack = self._slope() * errors if exact else np.zeros(len(rows))
        bounds = self.scaled(np.clip(cosines + errors + 2 * COSINE_ROUNDING, -1, 1))
        known: dict[int, float] = {}

        def at_least(places: IntArray) -> Float64Array:
            found = self.scores(rows[places])
            known.update(zip(places.tolist(), found.tolist(), strict=True))
            return np.asarray(found - slack[places])

        low = least - float(slack.max(initial=0))
        first = best(bounds, at_least, top_k, least=low)
        limit = first.scores[-1] if len(first.scores) == top_k else low
        places = np.array(
            sorted(place for place, score in known.items() if score + slack[place] >= limit),
            np.int64,
        )
        scores = np.array([known[place] for place in places.tolist()])
        off = np.flatnonzero(slack[places] > 0)
        if len(off):
            scores[off] = self.scores(rows[places[off]], own=True)
        high = scores >= least
        places, scores = places[high], scores[high]
        order = np.lexsort((places, -scores))[:top_k]
        return Found(rows[places[order]], scores[order], len(known))

    def _by_sentences(
        self, rows: IntArray, texts: Sequence[str], several: BoolArray, own: bool
    ) -> Float64Array:
        """Return the scores of rows; those with ``several`` sentences are read, with the texts' own
        vectors.
        """
        found = np.empty(len(rows))
        if not several.all():
            found[~several] = self.scores(rows[~several], own)
        found[several] = self.model.scores(
            [(self.query, texts[at]) for at in np.flatnonzero(several).tolist()]
        )
        return found

    def scores(self, rows: IntArray, own: bool = False) -> Float64Array:
        """Score rows by the stored vectors, or by the texts' ``own``; NaN without structure."""
        contents = self.contents
        read = contents.database.rows(rows.tolist())
        texts = [row.text for row in read]
        several = self.model.several([self.query, *texts])
        if any(several):
            return self._by_sentences(rows, texts, np.array(several[1:], bool) | several[0], own)
        vectors = self.model.parts.unit_vectors(texts) if own else contents.vectors.read(rows)[0]
        pairs = [
            (0, 0 if text == self.query else place) for place, text in enumerate(texts, start=1)
        ]
        table = np.concatenate([self.vector[None], vectors])
        batch = Batch([self.query, *texts], pairs, vectors=table, scale=self.model.parts.scale)
        if not isinstance(self.combiner, HybridCombiner):
            return batch.cosines()
        found = enumerate((contents.words(row, unpack) for row in read), start=1)
        words = {place: one for place, one in found if one is not None}
        in_order = contents.read_sentences(self.combiner, list(words.values()))
        sentences = dict(zip(words, in_order, strict=True))
        if self.read is not None:
            sentences[0] = self.read
        # Without a pair reader: the bounds of the search are the cosines.
        return self.combiner.scores_of(batch, self.combiner.compared(batch, sentences))
