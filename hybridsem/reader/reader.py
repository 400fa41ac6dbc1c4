"""The reader: the parts of a model, and reading sentences and pairs with them.

Threads may share a reader. A call that compares a sentence with many has a memory of its own:
:meth:`Reader.for_call`.
"""

from __future__ import annotations

import copy
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Protocol, TypeVar

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, SentencePairs
from hybridsem._utils.garbage import relaxed_gc
from hybridsem._utils.progress import tracked
from hybridsem._utils.store import Store
from hybridsem.combiners.base import Batch, HasBounds, Passages
from hybridsem.combiners.cosine_attribution import attribute_cosines
from hybridsem.combiners.passages import explained, scores_of
from hybridsem.embeddings.abilities import ReportsCoverage, SplitsVectors
from hybridsem.embeddings.words import Coverage
from hybridsem.english.sentences import sentences_of
from hybridsem.english.text_forms import looks_like_html
from hybridsem.errors import ParseError
from hybridsem.explanations import Explanation
from hybridsem.parsers.base import ReadsTrees
from hybridsem.parsers.memory import Memory
from hybridsem.reader.arguments import Arguments
from hybridsem.reader.pairs import PairsInput, checked_pairs, of_few_sentences
from hybridsem.reader.parts import Parts, Reading

ChunkT = TypeVar("ChunkT")
ResultT = TypeVar("ResultT")
ModelT = TypeVar("ModelT", covariant=True)

_LOG = logging.getLogger("hybridsem")
_REMEMBERING = threading.Lock()

CHUNK = 1024  # pairs processed at once; keeps memory flat

SENT = 64  # sentences that an executor's processes read together

SENTENCES_HELD = 30_000  # sentences kept in memory within a call that compares a sentence with many

SENTENCES_OPENED = 1024
"""Distinct sentences whose word vectors are in memory at once when cosines are attributed."""


class Executor(Protocol[ModelT]):
    """Applies a function to chunk after chunk: here, in processes or on a cluster."""

    def map(
        self,
        begin: Callable[[ModelT], Callable[[ChunkT], ResultT]],
        chunks: Iterable[ChunkT],
        item: str = "text",
    ) -> Iterator[ResultT]:
        """Apply a function to each chunk and yield the results in order, reading only a bounded
        number of chunks ahead.

        ``begin`` takes the model of a process, such as a reader, and returns the function; for
        other processes it is a function or class of a module, or a :func:`functools.partial` of
        one. The items of chunks can be pickled; ``item`` is the name of one, for messages.
        """
        ...

    def close(self) -> None:
        """Free the executor's resources; processes end."""
        ...


class Reader:
    """Reads sentences and pairs with the parts of a model.

    Args:
        model: The name of a model, the arguments of a pipeline, or parts made before.

    >>> reader = Reader("verbnet-cn")
    >>> batch = reader.read([("A dog barked.", "A cat slept.")])
    >>> [structure.main.predicate for structure in batch.structures]
    ['bark', 'sleep']
    """

    def __init__(self, model: str | Arguments | Parts = "hybrid") -> None:
        given = Arguments(model) if isinstance(model, str) else model
        self.parts = given if isinstance(given, Parts) else Parts(given)
        self._memory: Memory | None = None
        self._executor: Executor[Reader] | None = None
        self._warned: set[str] = set()

    def __repr__(self) -> str:
        return f"Reader({self.parts.described(self.parts.arguments)})"

    def __reduce__(self) -> tuple[object, ...]:
        return Reader, (self.parts,)  # without what was read or remembered

    def __copy__(self) -> Reader:
        """Return a reader whose parts and memory can be replaced."""
        other = Reader(copy.copy(self.parts))
        other._memory, other._executor = self._memory, self._executor
        other._warned = set(self._warned)
        return other

    # -- memory and executor

    @property
    def remembers(self) -> bool:
        """True if structures and vectors of sentences are kept between calls."""
        return self._memory is not None

    def remember(self, sentences: int, store: Store | None = None) -> None:
        """Keep what is read; see :meth:`hybridsem.Pipeline.remember`."""
        parser, of_trees = self.parts.parser, None
        if self.parts.trees is not None and isinstance(parser, ReadsTrees):
            of_trees = parser.read
        self._memory = Memory(sentences, store, of_trees) if sentences else None

    @contextmanager
    def remembering(self, sentences: int = SENTENCES_HELD) -> Iterator[None]:
        """Remember the latest ``sentences`` within the body. If bodies overlap, in threads or not,
        the last one to end forgets.
        """
        with _REMEMBERING:
            if (memory := self._memory) is not None:
                memory.holders += 1
            else:
                self.remember(sentences)
                memory = self._memory
        try:
            yield
        finally:
            with _REMEMBERING:
                if memory is not None:
                    memory.holders -= 1
                    if not memory.holders and self._memory is memory:
                        self.remember(0)

    def alone(self) -> Reader:
        """Return a copy that compares without a pair reader."""
        other = copy.copy(self)
        other.parts = self.parts.alone()
        return other

    def for_call(self) -> Reader:
        """Return a copy for one call that compares a sentence with many. It uses the current
        memory, or a private one that other calls cannot remove.
        """
        _ = self.parts.scale  # computed once for all calls
        own = Reader(self.parts)
        own._memory, own._executor, own._warned = self._memory, self._executor, self._warned
        if own._memory is None:
            own.remember(SENTENCES_HELD)
        return own

    @contextmanager
    def executing(self, executor: Executor[Reader]) -> Iterator[None]:
        """Let an executor read many sentences within the body; the results do not change."""
        self._executor = executor
        try:
            yield
        finally:
            self._executor = None

    def map(
        self, begin: Callable[[Reader], Callable[[ChunkT], ResultT]], chunks: Iterable[ChunkT]
    ) -> Iterator[ResultT]:
        """Apply the function that ``begin`` returns for a reader to each chunk, in order: here, or
        by the executor of :meth:`executing`.
        """
        if self._executor is None:
            return map(begin(self), chunks)
        return self._executor.map(begin, chunks)

    # -- pairs

    def read(self, pairs: PairsInput) -> Batch:
        """Read pairs for the combiner; :class:`InputError` if one is not two sentences."""
        return self.batch(checked_pairs(pairs))

    def batches(self, pairs: SentencePairs) -> Iterator[Batch]:
        """Read checked pairs in batches that fit in memory."""
        return (self.batch(pairs[at : at + CHUNK]) for at in range(0, len(pairs), CHUNK))

    @relaxed_gc()
    def batch(self, pairs: SentencePairs, split: bool = False, whole: bool = False) -> Batch:
        """Read checked pairs, each distinct sentence once; ``split`` adds the parts of vectors.
        Texts of several sentences are also divided, unless ``whole``.
        """
        given = list(dict.fromkeys(text for pair in pairs for text in pair))
        self._warn_of_html(given)
        plain = dict(zip(given, self.parts.plain(given), strict=True))
        sentences = list(dict.fromkeys(plain.values()))
        numbers = {text: i for i, text in enumerate(sentences)}
        index = {text: numbers[read] for text, read in plain.items()}
        structures, vectors, splits = self._read(sentences, split)
        parts = self.parts
        truncated, foreign = parts.truncated(sentences), parts.foreign(sentences)
        passages = None if whole else self._passages(sentences, truncated)
        if passages is not None:
            truncated = self.truncated(sentences)
        self._warn_once("truncated", "are longer than the model reads and were cut", truncated)
        self._warn_once("foreign", "are not English, and the model reads only English", foreign)
        coverage: Sequence[Coverage] = ()
        if parts.combiner.reads_vectors and isinstance(parts.encoder, ReportsCoverage):
            coverage = parts.encoder.coverage(sentences)
        return Batch(
            sentences,
            [(index[first], index[second]) for first, second in pairs],
            structures,
            vectors,
            truncated,
            coverage,
            splits,
            foreign,
            parts.scale,
            passages,
        )

    def truncated(self, texts: Sequence[str]) -> list[bool]:
        """Return whether each text is not read to its end: as a whole by a model with vectors, else
        sentence by sentence.
        """
        flags = self.parts.truncated(list(texts))
        if self.parts.combiner.reads_vectors or not any(flags):
            return flags
        split = self._split(self.parts.plain(texts))
        return [
            cut and any(self.parts.truncated(list(some)))
            for cut, some in zip(flags, split, strict=True)
        ]

    def several(self, texts: Sequence[str]) -> list[bool]:
        """Return whether each text has several sentences that are compared one by one."""
        return [len(some) > 1 for some in self._split(self.parts.plain(texts))]

    def _split(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the sentences of plain texts if the model compares sentences, else the texts."""
        if not self.parts.compares_sentences:
            return [(text,) for text in texts]
        return [tuple(sentences_of(text)) for text in texts]

    def _passages(self, texts: Sequence[str], cut: Sequence[bool]) -> Passages | None:
        """Return the sentences of texts of several, if the model compares sentences."""
        several = {at: some for at, some in enumerate(self._split(texts)) if len(some) > 1}
        if not several:
            return None
        return Passages(
            several, partial(self.batch, whole=True), frozenset(at for at in several if cut[at])
        )

    @relaxed_gc()
    def scores(self, pairs: SentencePairs) -> Float64Array:
        """Return the scores of checked pairs, (p,); NaN for failures."""
        return scores_of(self.parts.combiner, self.batch(pairs))

    def explain(self, pairs: SentencePairs, words: bool = True) -> list[Explanation]:
        """Explain checked pairs; ``words`` attributes the cosines if the encoder can."""
        reads_vectors = self.parts.combiner.reads_vectors
        if not (words and reads_vectors and isinstance(self.parts.encoder, SplitsVectors)):
            return self._explain(pairs, False)
        runs = of_few_sentences(pairs, SENTENCES_OPENED)
        return [explanation for run in runs for explanation in self._explain(run, True)]

    @relaxed_gc()
    def _explain(self, pairs: SentencePairs, split: bool) -> list[Explanation]:
        batch = self.batch(pairs, split)
        explanations = explained(self.parts.combiner, batch)
        return list(attribute_cosines(explanations, batch)) if batch.splits else explanations

    def failure(
        self, pair: tuple[str, str], where: str = "", rows: tuple[int, ...] = ()
    ) -> ParseError:
        """Return the error of a pair without a score; ``where`` and ``rows`` name its texts."""
        (explanation,) = self._explain([pair], False)
        return ParseError("; ".join(explanation.notes) or "no score", where, rows)

    def _warn_of_html(self, sentences: Sequence[str]) -> None:
        """Warn once about texts that look like HTML and are read as plain text."""
        if self.parts.arguments.text is not None or "markup" in self._warned:
            return
        if number := sum(map(looks_like_html, sentences)):
            self._warned.add("markup")
            logging.getLogger("hybridsem.markup").warning(
                "%d of %d texts look like HTML; text='html' (--text html) reads them without tags, "
                "text='plain' as they are",
                *(number, len(sentences)),
            )

    def _warn_once(self, method: str, what: str, flags: Sequence[bool]) -> None:
        """Warn once about the sentences that a method, by its name, flags."""
        if any(flags) and method not in self._warned:
            self._warned.add(method)
            _LOG.warning(
                "%d of %d sentences %s; this warning appears once, Pipeline.%s(sentences) lists "
                "them",
                *(sum(flags), len(flags), what, method),
            )

    # -- sentences

    def _read(self, sentences: list[str], split: bool) -> Reading:
        """Read for the combiner, each sentence that is not remembered once."""
        if (memory := self._memory) is None or not sentences:
            return self._read_anew(sentences, split)
        reads_roles, reads_vectors = self.parts.reads_roles, self.parts.combiner.reads_vectors
        # Another model may have stored less of a sentence than this one needs.
        known = {
            sentence: read
            for sentence, read in memory.recall(sentences).items()
            if not (reads_roles and read[0] is None) and not (reads_vectors and read[1] is None)
        }
        if new := [sentence for sentence in sentences if sentence not in known]:
            structures, vectors, _ = self._read_anew(new)
            none = [None] * len(new)
            rows = zip(structures or none, none if vectors is None else vectors, strict=True)
            reads = dict(zip(new, rows, strict=True))
            memory.keep(reads)
            known.update(reads)
        first, second = zip(*(known[sentence] for sentence in sentences), strict=True)
        return Reading(
            list(first) if reads_roles else None,
            np.stack(second) if reads_vectors else None,
            self.parts.split(sentences) if split else (),
        )

    def _read_anew(self, sentences: list[str], split: bool = False) -> Reading:
        """Read sentences: here, or many by the executor."""
        if self._executor is None or len(sentences) <= SENT or split:
            return self.parts.read(sentences, split)
        chunks = [sentences[at : at + SENT] for at in range(0, len(sentences), SENT)]
        readings = list(self._executor.map(_reading, chunks))
        structures = [parsed for reading in readings for parsed in reading.structures or ()]
        vectors = [reading.vectors for reading in readings if reading.vectors is not None]
        return Reading(structures or None, np.concatenate(vectors) if vectors else None)

    def near(self, sentences: Sequence[str], progress: bool = False) -> Float32Array | None:
        """Return unit vectors, (n, d), to find candidates by cosine: remembered vectors, or those
        of the encoder's own pass, whose last bits may differ. Return None if they do not bound the
        scores.
        """
        combiner = self.parts.combiner
        if not (combiner.reads_vectors and isinstance(combiner, HasBounds)):
            return None
        known: dict[str, Float32Array] = {}
        if (memory := self._memory) is not None:
            recalled = memory.recall(sentences)
            known = {text: vector for text, (_, vector) in recalled.items() if vector is not None}
        new = list(dict.fromkeys(text for text in sentences if text not in known))
        chunks = [new[at : at + CHUNK] for at in range(0, len(new), CHUNK)]
        vectors = self.map(_encoding, chunks)
        for chunk in tracked(chunks, len(new), "Encoding", progress):
            encoded = dict(zip(chunk, next(vectors), strict=True))
            known.update(encoded)
            if memory is not None:
                memory.store_vectors(encoded)
        if not sentences:
            return self.parts.encode([])
        return np.stack([known[text] for text in sentences])


def _reading(reader: Reader) -> Callable[[list[str]], Reading]:
    return reader.parts.read


def _encoding(reader: Reader) -> Callable[[list[str]], Float32Array]:
    return reader.parts.encode


class HoldsReader(Protocol):
    """A pipeline, for what is below it: it reads with its ``reader``."""

    @property
    def reader(self) -> Reader:
        """The reader."""
        ...


def reader_of(nlp: Reader | HoldsReader) -> Reader:
    """Return the reader of a pipeline, or the reader given."""
    return nlp if isinstance(nlp, Reader) else nlp.reader
