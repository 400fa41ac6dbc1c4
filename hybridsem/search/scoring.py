"""A snapshot of an index, and scoring its texts against queries."""

from __future__ import annotations

import io
import struct
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import accumulate
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
from hybridsem.errors import AssetError
from hybridsem.reader import Reader
from hybridsem.search.files import NEIGHBOURS, Neighbours, available, damaged, products
from hybridsem.search.folder import Folder, Manifest
from hybridsem.search.ranking import Found, best
from hybridsem.search.segment import Id, Segment
from hybridsem.search.storage import Outline, Vocabulary, outline, unpack
from hybridsem.structures import RoleStructure

Near = tuple[IntArray, Float64Array, Float64Array]
"""Rows, their cosines with a query, and the largest errors of these."""

Form = TypeVar("Form", Outline, Sentence, Outline | Sentence)
OVERSAMPLED = 8
"""The number of neighbours by signs whose vectors are compared, for each requested candidate."""
LEAST_NEIGHBOURS = 512
UNSEEN = 1024  # the most lemmas without a stored vector that are looked up for a query


@dataclass
class Contents:
    """A snapshot of an index, as one manifest describes it; rows count across segments."""

    manifest: Manifest
    segments: list[Segment]
    vocabulary: Vocabulary
    deleted: IntArray
    neighbours: list[Neighbours | None]
    lemma_numbers: IntArray
    lemma_vectors: Float32Array
    near: dict[tuple[str, str, bool], dict[str, float]] = field(default_factory=dict)
    """A cache of the lemmas that are similar to a word of a query; see slots.py."""
    _unseen: tuple[IntArray, Float32Array] | None = None

    def __post_init__(self) -> None:
        self._starts = [*accumulate((segment.rows for segment in self.segments), initial=0)]
        self.starts = np.array(self._starts, np.int64)

    @classmethod
    def load(cls, folder: Folder, manifest: Manifest, before: Contents | None = None) -> Contents:
        """Map the files, except those that ``before`` has mapped. Raise ``FileNotFoundError`` if
        one is missing, :class:`AssetError` if one is damaged.
        """
        known = {} if before is None else {one.part.name: one for one in before.segments}
        segments, graphs = [], list[Neighbours | None]()
        for part in manifest.parts:
            one, place = known.get(part.name), folder.segment(part.name)
            if one is None or one.part != part:
                one = Segment(place, part, manifest.dimension, manifest.precision)
            segments.append(one)
            graph = None
            if part.graph is not None and available():
                graph = Neighbours(place / NEIGHBOURS, manifest.dimension, part.graph)
            graphs.append(graph)
        vocabulary = _vocabulary(folder, manifest, before)
        deleted: AnyArray = np.empty(0, np.int64)
        if manifest.deleted is not None:
            (deleted,) = _arrays(folder, manifest, manifest.deleted, 1)
        numbers, vectors = deleted[:0], np.empty((0, 0), np.float32)
        if manifest.lemmas is not None:
            numbers, vectors = _arrays(folder, manifest, manifest.lemmas, 2)
        return cls(manifest, segments, vocabulary, deleted, graphs, numbers, vectors)

    @property
    def rows(self) -> int:
        """The number of rows, including deleted ones."""
        return int(self.starts[-1])

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

    def parts(self) -> Iterator[tuple[int, Segment, Neighbours | None]]:
        """The segments, each with its first row and its graph."""
        return zip(self.starts[:-1].tolist(), self.segments, self.neighbours, strict=True)

    def live_rows(self) -> list[int]:
        """The rows that are not deleted, in order."""
        rows: list[int] = np.flatnonzero(self.alive).tolist()
        return rows

    def at(self, row: int) -> tuple[Segment, int]:
        """Return the segment of a row, and its place there."""
        number = bisect_right(self._starts, row) - 1
        return self.segments[number], row - self._starts[number]

    def ids(self) -> Iterator[tuple[int, Id]]:
        """The rows that are not deleted, with their ids."""
        for start, segment, _ in self.parts():
            for place in np.flatnonzero(self.alive[start : start + segment.rows]).tolist():
                yield start + place, segment.id(place)

    def id(self, row: int) -> Id:
        """Return a row's id."""
        segment, place = self.at(row)
        return segment.id(place)

    def text(self, row: int) -> str:
        """Return a row's text."""
        segment, place = self.at(row)
        return segment.text(place)

    def words(self, row: int) -> Sentence | None:
        """Return the compared form of a row; None without structure."""
        return self._read(row, unpack)

    def outline(self, row: int) -> Outline | Sentence | None:
        """Return what search by roles reads of a row; None without structure."""
        return self._read(row, outline)

    def _read(self, row: int, by: Callable[[bytes, Vocabulary], Form]) -> Form | None:
        segment, place = self.at(row)
        packed = segment.bytes_of("words", place) if segment.has_words else b""
        if not packed:
            return None
        try:
            return by(packed, self.vocabulary)
        except (ValueError, LookupError, TypeError, struct.error) as error:
            raise AssetError(
                f"the index is damaged: row {row} cannot be read ({error}); build it again"
            ) from error

    def vectors(self, rows: IntArray) -> tuple[Float32Array, Float64Array]:
        """Return the stored vectors of rows, (r, d), and the largest errors of products."""
        found = np.empty((len(rows), self.manifest.dimension), np.float32)
        errors = np.empty(len(rows))
        numbers = np.searchsorted(self.starts, rows, side="right") - 1
        for number in np.unique(numbers).tolist():
            here = np.flatnonzero(numbers == number)
            places = rows[here] - self.starts[number]
            stored = self.segments[number].vectors
            found[here] = stored.vectors(places)
            errors[here] = stored.errors[places]
        return found, errors

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
        rows, number = self.lemma_row, self.vocabulary.lemma_number
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


def _vocabulary(folder: Folder, manifest: Manifest, before: Contents | None) -> Vocabulary:
    """Return the vocabulary: that of ``before`` with later entries, if it is the same file."""
    content = folder.read(manifest.vocabulary, manifest)
    made, start = Vocabulary(), 0
    if before is not None and before.manifest.vocabulary == manifest.vocabulary:
        size = before.manifest.bytes
        if zlib.crc32(content[:size]) == before.manifest.sums.get(manifest.vocabulary):
            made, start = before.vocabulary, size
    try:
        if len(content) != manifest.bytes:
            raise ValueError(f"{len(content)} bytes and not {manifest.bytes}")
        made.extend(content[start:])
    except (ValueError, TypeError) as error:
        raise damaged(folder.file(manifest.vocabulary)) from error
    return made


def _arrays(folder: Folder, manifest: Manifest, name: str, number: int) -> list[AnyArray]:
    try:
        with io.BytesIO(folder.read(name, manifest)) as stream:
            return [np.load(stream, allow_pickle=False) for _ in range(number)]
    except (ValueError, EOFError) as error:
        raise damaged(folder.file(name)) from error


class Searcher:
    """Finds the best texts for queries by the score of a model: among the nearest ``candidates``,
    or (None) exactly.
    """

    def __init__(self, model: Reader, contents: Contents, candidates: int | None = None) -> None:
        self.model, self.contents, self.candidates = model, contents, candidates

    def best(self, queries: Sequence[str], top_k: int, least: float) -> Iterator[Found]:
        """Return the best rows for each query; places are rows."""
        batch = self.model.read([(query, query) for query in queries])
        assert batch.vectors is not None
        numbers = [one for one, _ in batch.pairs]
        vectors = batch.vectors[numbers]
        near = self._all(vectors) if self.candidates is None else map(self._some, vectors)
        for query, number, found in zip(queries, numbers, near, strict=True):
            scorer = _QueryScorer(self.model, self.contents, query, number, batch)
            find = scorer.exactly if self.candidates is None else scorer.roughly
            yield find(found, top_k, least)

    def _all(self, vectors: Float32Array) -> Iterator[Near]:
        contents = self.contents
        table = np.empty((len(vectors), contents.rows), np.float32)
        errors = np.empty(contents.rows, np.float32)
        for start, segment, _ in contents.parts():
            errors[start : start + segment.rows] = segment.vectors.errors
            for block, found in products(segment.vectors, vectors):
                table[:, start + block.start : start + block.stop] = found.T
        rows = np.flatnonzero(contents.alive)
        for row in table:
            yield rows, row[rows].astype(np.float64), errors[rows].astype(np.float64)

    def _some(self, vector: Float32Array) -> Near:
        contents = self.contents
        assert self.candidates is not None
        wanted = max(LEAST_NEIGHBOURS, OVERSAMPLED * self.candidates)
        parts = []
        for start, segment, graph in contents.parts():
            alive, own = contents.alive[start : start + segment.rows], segment.vectors
            if graph is None:
                blocks = [np.empty(0), *(one[:, 0] for _, one in products(own, vector[None]))]
                near = np.flatnonzero(alive)
                found = np.concatenate(blocks)[near]
            else:
                near = np.sort(graph.nearest(vector, min(wanted, segment.rows)))
                near = near[alive[near]]
                found = (own.vectors(near) @ vector).astype(np.float64)
            parts.append((start + near, found, own.errors[near].astype(np.float64)))
        rows, cosines, errors = map(np.concatenate, zip(*parts, strict=True))
        first = np.argsort(-cosines, kind="stable")[: self.candidates]
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

    def _bounds(self, cosines: Float64Array) -> Float64Array:
        return self.scaled(np.clip(cosines + 2 * COSINE_ROUNDING, -1, 1))

    def roughly(self, near: Near, top_k: int, least: float) -> Found:
        """Return the best rows by the stored vectors."""
        rows, cosines, errors = near
        bounds = self._bounds(cosines + errors)
        found = best(bounds, lambda places: self.scores(rows[places]), top_k, least=least)
        return found._replace(places=rows[found.places])

    def exactly(self, near: Near, top_k: int, least: float) -> Found:
        """Return the best rows by the texts' own vectors. The lowest possible scores give a limit;
        rows whose score may reach it are then scored with their own vectors.
        """
        rows, cosines, errors = near
        slope = 1.0  # the largest change of a score with the cosine
        if isinstance(self.combiner, HybridCombiner):
            scale = self.model.parts.scale
            slope = self.combiner.weighting.lipschitz_constant * (
                1.0 if scale is None else scale.lipschitz_constant
            )
        slack = slope * errors
        known: dict[int, float] = {}

        def at_least(places: IntArray) -> Float64Array:
            found = self.scores(rows[places])
            known.update(zip(places.tolist(), found.tolist(), strict=True))
            return np.asarray(found - slack[places])

        low = least - float(slack.max(initial=0))
        first = best(self._bounds(cosines + errors), at_least, top_k, least=low)
        limit = first.scores[-1] if len(first.scores) == top_k else low
        places = np.array(
            sorted(place for place, score in known.items() if score + slack[place] >= limit),
            np.int64,
        )
        scores = np.array([known[place] for place in places.tolist()])
        off = np.flatnonzero(errors[places] > 0)
        if len(off):
            scores[off] = self.scores(rows[places[off]], own=True)
        high = scores >= least
        places, scores = places[high], scores[high]
        order = np.lexsort((rows[places], -scores))[:top_k]
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
        texts = [contents.text(row) for row in rows.tolist()]
        several = self.model.several([self.query, *texts])
        if any(several):
            return self._by_sentences(rows, texts, np.array(several[1:], bool) | several[0], own)
        vectors = self.model.parts.unit_vectors(texts) if own else contents.vectors(rows)[0]
        pairs = [
            (0, 0 if text == self.query else place) for place, text in enumerate(texts, start=1)
        ]
        table = np.concatenate([self.vector[None], vectors])
        batch = Batch([self.query, *texts], pairs, vectors=table, scale=self.model.parts.scale)
        if not isinstance(self.combiner, HybridCombiner):
            return batch.cosines()
        found = enumerate(map(contents.words, rows.tolist()), start=1)
        words = {place: one for place, one in found if one is not None}
        sentences = contents.read_sentences(self.combiner, list(words.values()))
        read = dict(zip(words, sentences, strict=True))
        if self.read is not None:
            read[0] = self.read
        # Without a pair reader: the bounds of the search are the cosines.
        return self.combiner.scores_of(batch, self.combiner.compared(batch, read))
