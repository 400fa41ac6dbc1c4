"""What an index holds at a moment, and scoring its texts beside queries."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np

from hybridsem._typing import AnyArray, BoolArray, Float32Array, Float64Array, IntArray
from hybridsem.combiners.base import Batch, scores_of
from hybridsem.combiners.comparison.reading import read_words
from hybridsem.combiners.comparison.sentence import SentenceWords
from hybridsem.combiners.hybrid import (
    COSINE_ROUNDING,
    HybridCombiner,
    ReadSentence,
    content_words,
    word_rows,
)
from hybridsem.errors import AssetError
from hybridsem.reader import Reader
from hybridsem.search.blocks import damaged
from hybridsem.search.candidates import Found, best
from hybridsem.search.folder import NEIGHBOURS, Folder, Manifest
from hybridsem.search.kept import TEXTS
from hybridsem.search.neighbours import Neighbours, available
from hybridsem.search.packing import Outline, Vocabulary, outline, unpack
from hybridsem.search.segment import Id, Segment
from hybridsem.search.vectors import products
from hybridsem.structures import RoleStructure

__all__ = ["Contents", "Searcher"]

_Read = TypeVar("_Read")

OVERSAMPLED = 8
"""So many times more neighbours by signs than candidates are looked at by their vectors."""
LEAST_NEIGHBOURS = 512
UNSEEN = 1024
"""Lemmas without a kept vector that are looked up for a query at most."""


@dataclass
class Contents:
    """The texts of an index as one manifest names them: rows are numbered through all segments."""

    manifest: Manifest
    segments: list[Segment]
    vocabulary: Vocabulary
    deleted: IntArray
    neighbours: list[Neighbours | None]
    lemma_numbers: IntArray
    lemma_vectors: Float32Array
    starts: IntArray = field(init=False)
    near: dict[tuple[str, str, bool], dict[int, float]] = field(default_factory=dict)
    """The lemmas that are like a word of a query, by number, as they were found; see slots.py."""

    _unseen: tuple[IntArray, Float32Array] | None = None

    def __post_init__(self) -> None:
        self.starts = np.cumsum([0, *(segment.rows for segment in self.segments)])

    @classmethod
    def load(cls, folder: Folder, manifest: Manifest, before: Contents | None = None) -> Contents:
        """Map the files, those of ``before`` not again. Raises ``FileNotFoundError`` where one is
        gone, :class:`AssetError` where one is damaged.
        """
        known = {} if before is None else {one.part.name: one for one in before.segments}
        segments = []
        for part in manifest.parts:
            one = known.get(part.name)
            if one is None or one.part != part or not part.files:
                place = folder.segment(part)
                one = Segment(place, part, manifest.dimension, manifest.precision)
            segments.append(one)
        vocabulary = _vocabulary(folder, manifest, before)
        deleted: AnyArray = np.empty(0, np.int64)
        if manifest.deleted is not None:
            deleted = _arrays(folder, manifest, manifest.deleted, 1)[0]
        numbers: AnyArray = np.empty(0, np.int64)
        vectors: AnyArray = np.empty((0, 0), np.float32)
        if manifest.lemmas is not None:
            numbers, vectors = _arrays(folder, manifest, manifest.lemmas, 2)
        graphs: list[Neighbours | None] = []
        for segment in segments:
            path, checksum = segment.folder / NEIGHBOURS, segment.part.graph
            there = available() and (path.exists() if checksum is None else True)
            graphs.append(Neighbours(path, manifest.dimension, checksum) if there else None)
        return cls(manifest, segments, vocabulary, deleted, graphs, numbers, vectors)

    @property
    def rows(self) -> int:
        """All rows, the deleted ones included."""
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

    def live_by_segment(self) -> list[BoolArray]:
        """:attr:`alive`, segment by segment."""
        return np.split(self.alive, self.starts[1:-1])

    def live_rows(self) -> Iterator[int]:
        """The rows that are not deleted, in order."""
        return iter(np.flatnonzero(self.alive).tolist())

    def at(self, row: int) -> tuple[Segment, int]:
        """The segment of a row, and its place there."""
        number = int(np.searchsorted(self.starts, row, side="right")) - 1
        return self.segments[number], row - int(self.starts[number])

    def id(self, row: int) -> Id:
        """A row's id."""
        segment, place = self.at(row)
        return segment.id(place)

    def ids(self) -> Iterator[tuple[int, Id]]:
        """The rows that are not deleted, with their ids."""
        parts = zip(self.starts.tolist(), self.segments, self.live_by_segment(), strict=False)
        for start, segment, alive in parts:
            for place in np.flatnonzero(alive).tolist():
                yield start + place, segment.id(place)

    def text(self, row: int) -> str:
        """A row's text."""
        segment, place = self.at(row)
        return segment.text(place)

    def words(self, row: int) -> SentenceWords | None:
        """What is compared of a row; None where it has no structure."""
        return self._unpacked(row, lambda packed: unpack(packed, self.vocabulary))

    def outline(self, row: int) -> Outline | None:
        """What a query by roles reads of a row; None where it has no structure."""
        return self._unpacked(row, lambda packed: outline(packed, self.vocabulary))

    def _unpacked(self, row: int, read: Callable[[bytes], _Read]) -> _Read | None:
        segment, place = self.at(row)
        packed = segment.bytes_of("words", place) if segment.has_words else b""
        if not packed:
            return None
        try:
            return read(packed)
        except (ValueError, LookupError, TypeError, struct.error) as error:
            raise AssetError(
                f"the index is damaged: row {row} cannot be read ({error}); build it anew"
            ) from error

    def vectors(self, rows: IntArray) -> tuple[Float32Array, Float64Array]:
        """The kept vectors of rows, (r, d), and what products with them are off by at most."""
        found = np.empty((len(rows), self.manifest.dimension), np.float32)
        errors = np.empty(len(rows))
        numbers = np.searchsorted(self.starts, rows, side="right") - 1
        for number in np.unique(numbers).tolist():
            here = np.flatnonzero(numbers == number)
            places = rows[here] - self.starts[number]
            kept = self.segments[number].vectors
            found[here] = kept.vectors(places)
            errors[here] = kept.errors[places]
        return found, errors

    @cached_property
    def tags(self) -> dict[int, tuple[str, ...]]:
        """The tags with which each lemma stands, by its number."""
        found: dict[int, dict[str, None]] = {}
        for token, lemma in zip(self.vocabulary.tokens, self.vocabulary.lemma, strict=False):
            found.setdefault(lemma, {})[token.tag] = None
        return {lemma: tuple(tags) for lemma, tags in found.items()}

    def unseen(self, combiner: HybridCombiner) -> tuple[IntArray, Float32Array]:
        """The first lemmas that have no kept vector, by number, and their vectors, (n, d)."""
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
        self, combiner: HybridCombiner, sentences: Sequence[SentenceWords]
    ) -> list[ReadSentence]:
        """Sentences with their words' vectors, those of frequent lemmas as they are kept."""
        wanted: dict[tuple[str, str], int] = {}
        rows = [
            [wanted.setdefault(word, len(wanted)) for word in content_words(one)]
            for one in sentences
        ]
        table = self.word_rows(combiner, list(wanted))
        return [ReadSentence(one, table[at]) for one, at in zip(sentences, rows, strict=True)]

    def word_rows(self, combiner: HybridCombiner, words: Sequence[tuple[str, str]]) -> Float32Array:
        """The unit vectors of words, (words, d), those of frequent lemmas as they are kept."""
        if not len(self.lemma_numbers):
            return word_rows(combiner.vectors, words)
        kept, number = self.lemma_row, self.vocabulary.lemma_number
        places = np.array(
            [
                -1 if (at := number(lemma)) is None or at >= len(kept) else kept[at]
                for lemma, _ in words
            ],
            np.int64,
        )
        table = np.empty((len(words), self.lemma_vectors.shape[1]), np.float32)
        known = places >= 0
        table[known] = self.lemma_vectors[places[known]]
        if not known.all():
            new = np.flatnonzero(~known).tolist()
            table[new] = word_rows(combiner.vectors, [words[at] for at in new])
        return table


def _vocabulary(folder: Folder, manifest: Manifest, before: Contents | None) -> Vocabulary:
    """The vocabulary: that of ``before`` with what has come since, if it is the same one."""
    path = folder.file(manifest.vocabulary)
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
        raise damaged(path) from error
    return made


def _arrays(folder: Folder, manifest: Manifest, name: str, number: int) -> list[AnyArray]:
    try:
        with io.BytesIO(folder.read(name, manifest)) as stream:
            return [np.load(stream, allow_pickle=False) for _ in range(number)]
    except (ValueError, EOFError) as error:
        raise damaged(folder.file(name)) from error


class Searcher:
    """Finds the best texts for queries by the score of a model."""

    def __init__(self, model: Reader, contents: Contents, candidates: int | None = None) -> None:
        self.contents, self.candidates = contents, candidates
        self.kept = contents.manifest.kept
        self.model = model.for_call() if self.kept == TEXTS else model

    def best(self, queries: Sequence[str], top_k: int, least: float) -> Iterator[Found]:
        """The best rows for each query; places are rows."""
        if self.kept == TEXTS:
            yield from (self._of_texts(query, top_k, least) for query in queries)
            return
        batch = self.model.read([(query, query) for query in queries])
        assert batch.vectors is not None
        numbers = [one for one, _ in batch.pairs]
        vectors = batch.vectors[numbers]
        near = self._all(vectors) if self.candidates is None else map(self._some, vectors)
        for query, number, (rows, cosines, errors) in zip(queries, numbers, near, strict=True):
            beside = _Beside(self.model, self.contents, query, number, batch)
            yield self._best(beside, rows, cosines, errors, top_k, least)

    def _best(
        self,
        beside: _Beside,
        rows: IntArray,
        cosines: Float64Array,
        errors: Float64Array,
        top_k: int,
        least: float,
    ) -> Found:
        bounds = beside.bounds(cosines + errors)
        if self.candidates is not None:
            found = best(
                bounds,
                lambda places: beside.scores(rows[places]),
                top_k,
                least=least,
                budget=self.candidates,
            )
            return found._replace(places=rows[found.places])
        return _exactly(beside, rows, bounds, errors, top_k, least)

    def _all(self, vectors: Float32Array) -> Iterator[tuple[IntArray, Float64Array, Float64Array]]:
        """All live rows beside each query: the rows, the cosines, by how much they are off."""
        contents = self.contents
        table = np.empty((len(vectors), contents.rows), np.float32)
        errors = np.empty(contents.rows, np.float32)
        for start, segment in zip(contents.starts.tolist(), contents.segments, strict=False):
            errors[start : start + segment.rows] = segment.vectors.errors
            for block, found in products(segment.vectors, vectors):
                table[:, start + block.start : start + block.stop] = found.T
        rows = np.flatnonzero(contents.alive)
        for row in table:
            yield rows, row[rows].astype(np.float64), errors[rows].astype(np.float64)

    def _some(self, vector: Float32Array) -> tuple[IntArray, Float64Array, Float64Array]:
        """The nearest live rows beside a query."""
        contents = self.contents
        assert self.candidates is not None
        wanted = max(LEAST_NEIGHBOURS, OVERSAMPLED * self.candidates)
        rows, cosines, errors = [], [], []
        for start, segment, graph in zip(
            contents.starts.tolist(), contents.segments, contents.neighbours, strict=False
        ):
            if graph is None:
                near = np.arange(segment.rows)
            else:
                near = np.sort(graph.nearest(vector, min(wanted, segment.rows)))
            near = near[contents.alive[start + near]]
            if graph is None:
                found = np.concatenate(
                    [
                        np.empty(0),
                        *(one[:, 0] for _, one in products(segment.vectors, vector[None])),
                    ]
                )[near]
            else:
                found = (segment.vectors.vectors(near) @ vector).astype(np.float64)
            rows.append(start + near)
            cosines.append(found)
            errors.append(segment.vectors.errors[near].astype(np.float64))
        every, all_cosines = np.concatenate(rows), np.concatenate(cosines)
        first = np.argsort(-all_cosines, kind="stable")[: self.candidates]
        return every[first], all_cosines[first], np.concatenate(errors)[first]

    def _of_texts(self, query: str, top_k: int, least: float) -> Found:
        """By reading every text again: nothing is known of them but what they say."""
        contents = self.contents
        rows = np.flatnonzero(contents.alive)

        def scores(places: IntArray) -> Float64Array:
            texts = [contents.text(row) for row in rows[places].tolist()]
            return scores_of(self.model.combiner, self.model.read([(query, t) for t in texts]))

        found = best(np.ones(len(rows)), scores, top_k, least=least)
        return found._replace(places=rows[found.places])


def _exactly(
    beside: _Beside,
    rows: IntArray,
    bounds: Float64Array,
    errors: Float64Array,
    top_k: int,
    least: float,
) -> Found:
    """The best by the scores of the sentences' own vectors, which kept ones are near.

    First by what the scores are at least; then all that may be as high as the last of these are
    scored with their own vectors.

    Args:
        beside: Scores rows.
        rows: The candidates.
        bounds: What their scores are at most.
        errors: By how much their cosines are off.
        top_k: How many to find.
        least: The least score that is found.
    """
    slack = beside.steepest * errors
    known: dict[int, float] = {}

    def at_least(places: IntArray) -> Float64Array:
        found = beside.scores(rows[places])
        known.update(zip(places.tolist(), found.tolist(), strict=True))
        return np.asarray(found - slack[places])

    # What scores at least ``least`` is at most ``slack`` less by what is known of it.
    low = least - float(slack.max(initial=0))
    first = best(bounds, at_least, top_k, least=low)
    limit = first.scores[-1] if len(first.scores) == top_k else low
    places = np.array(
        sorted(place for place, score in known.items() if score + slack[place] >= limit), np.int64
    )
    scores = np.array([known[place] for place in places.tolist()])
    off = np.flatnonzero(errors[places] > 0)
    if len(off):
        scores[off] = beside.scores(rows[places[off]], own=True)
    kept = scores >= least
    places, scores = places[kept], scores[kept]
    order = np.lexsort((rows[places], -scores))[:top_k]
    return Found(rows[places[order]], scores[order], len(known))


class _Beside:
    """Scores the rows of an index beside one query."""

    def __init__(
        self, model: Reader, contents: Contents, query: str, number: int, batch: Batch
    ) -> None:
        self.model, self.contents, self.query = model, contents, query
        assert batch.vectors is not None
        self.vector = batch.vectors[number]
        self.combiner, self.scaled = model.combiner, batch.scaled
        self.read: ReadSentence | None = None
        structure = None if batch.structures is None else batch.structures[number]
        if isinstance(self.combiner, HybridCombiner) and isinstance(structure, RoleStructure):
            (self.read,) = contents.read_sentences(self.combiner, [read_words(structure)])

    @property
    def steepest(self) -> float:
        """By how much a score changes at most with the cosine."""
        if isinstance(self.combiner, HybridCombiner):
            scale = self.model.scale
            return self.combiner.weighting.steepest * (1.0 if scale is None else scale.steepest)
        return 1.0

    def bounds(self, cosines: Float64Array) -> Float64Array:
        """What scores are at most with cosines of at most so much."""
        return self.scaled(np.clip(cosines + 2 * COSINE_ROUNDING, -1, 1))

    def scores(self, rows: IntArray, own: bool = False) -> Float64Array:
        """The scores of rows, by the kept vectors or by the texts' ``own``; NaN for one without
        structure.
        """
        contents = self.contents
        texts = [contents.text(row) for row in rows.tolist()]
        vectors = self.model.vectors_read(texts) if own else contents.vectors(rows)[0]
        sentences = [self.query, *texts]
        pairs = [
            (0, 0 if text == self.query else place) for place, text in enumerate(texts, start=1)
        ]
        table = np.concatenate([self.vector[None], vectors])
        batch = Batch(sentences, pairs, vectors=table, scale=self.model.scale)
        if not isinstance(self.combiner, HybridCombiner):
            return batch.cosines()
        found = [contents.words(row) for row in rows.tolist()]
        there = [place for place, one in enumerate(found, start=1) if one is not None]
        read = dict(
            zip(
                there,
                contents.read_sentences(self.combiner, [one for one in found if one is not None]),
                strict=True,
            )
        )
        if self.read is not None:
            read[0] = self.read
        return self.combiner.scores_of(batch, self.combiner.compared(batch, read))
