"""Reading sentences: structures and vectors by a model's parts, once each within a call.

    names, objects --registry--> parts: parser, word vectors, encoder; what compares
    sentences --parts, here or by an executor--> structures, vectors --> a batch of pairs

Threads may share a reader. What a call remembers is its own: :meth:`Reader.for_call`.
"""

from __future__ import annotations

import copy
import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import numpy as np

from hybridsem import registry
from hybridsem._typing import Float32Array
from hybridsem._utils.disk import sha256_of
from hybridsem._utils.garbage import relaxed_gc
from hybridsem._utils.progress import tracked
from hybridsem._utils.validation import check_sentences, problem
from hybridsem.combiners.alignment import Normalise
from hybridsem.combiners.base import Batch, HasBounds
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.embeddings.abilities import (
    ReadsEnglishAlone,
    ReportsCoverage,
    ReportsTruncation,
    SplitsVectors,
)
from hybridsem.embeddings.embedded import EmbeddedEncoder, Encoded, normalised
from hybridsem.embeddings.splitting import SplitVector
from hybridsem.embeddings.words import Coverage, EmbeddedWords, WordVectors
from hybridsem.errors import InputError, ParseError, UnknownNameError
from hybridsem.explanations import Explanation
from hybridsem.parsers.base import ReadsTrees
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.registry.parts import options_of, without_secrets
from hybridsem.registry.sources import Sources
from hybridsem.structures import Parsed, ParseFailure, Parses, RoleStructure

# What few readers need is imported where it is used: a cold start is short.
if TYPE_CHECKING:
    from hybridsem._utils.store import Store
    from hybridsem.combiners.frames import Frames
    from hybridsem.embeddings.scale import CosineScale
    from hybridsem.parsers.memory import Memory

__all__ = ["Reader"]

_Results = TypeVar("_Results", list[Parsed], list[SplitVector], Float32Array)
_Chunk = TypeVar("_Chunk")
_Made = TypeVar("_Made")
_OwnType = TypeVar("_OwnType", bound="Reader")

_LOG = logging.getLogger("hybridsem")
_REMEMBERING = threading.Lock()

FIRST_PARSER = "embedded"
"""What every model of 0.1.0 read with: its caches, runs and weights do not name it."""

SPACES = {"plain": "embedded", "role": "role-encoder"}
"""The spaces of :meth:`Reader.encode`, and the encoder of each."""

CHUNK = 1024
"""Pairs that are worked on at once; keeps memory flat."""

SENT = 64
"""Sentences that an executor's processes read together."""

SENTENCES_HELD = 30_000
"""What is read of so many sentences is kept within a call that compares a sentence with many."""

SENTENCES_OPENED = 1024
"""Distinct sentences whose word vectors are in memory at once when cosines are opened."""


class Executor(Protocol):
    """Does the same to chunk after chunk: here, in processes or on a cluster."""

    def map(
        self,
        begin: Callable[[Any], Callable[[_Chunk], _Made]],
        chunks: Iterable[_Chunk],
        item: str = "text",
    ) -> Iterator[_Made]:
        """Apply a function to each chunk and yield the results in order, reading only a bounded
        number of chunks ahead.

        Args:
            begin: Is given the reader of a process and returns the function. For other processes a
                function or class of a module, or a :func:`functools.partial` of one.
            chunks: Sequences of items, that can be pickled.
            item: What the chunks are made of, for messages.
        """
        ...

    def close(self) -> None:
        """Free what the executor holds; processes end."""
        ...


class _File(Protocol):
    """What was made from features or scores of a reader: its settings, and among other things about
    the making, the ``contents`` of the files behind its parts.
    """

    @property
    def pipeline(self) -> Mapping[str, str]: ...
    @property
    def training(self) -> Mapping[str, Any]: ...


_Content = TypeVar("_Content", bound=_File)


class _Reading(NamedTuple):
    """What a model reads of sentences: structures, unit vectors, what these are the sum of."""

    structures: list[Parsed] | None
    vectors: Float32Array | None
    splits: Sequence[SplitVector] = ()


class Reader:
    """The parts of a model, and reading with them.

    Args:
        model: A name of ``hybridsem.registry.models()``.
        parser: Gives role structures; here and below a name, a ``kind:argument`` string, an object.
        vectors: Word vectors.
        encoder: Gives sentence vectors.
        normalise: By what role similarity is divided.
        frames: Whose roles are compared.
        weights: A file of ``hybridsem train`` for this model and these parts.
        scale: A file of ``hybridsem fit-encoder`` for this encoder.

    >>> reader = Reader("verbnet-cn")
    >>> [structure.main.predicate for structure in reader.parse(["A dog barked."])]
    ['bark']
    """

    def __init__(
        self,
        model: str = "hybrid",
        *,
        parser: str | registry.Parser | None = None,
        vectors: str | WordVectors | None = None,
        encoder: str | registry.SentenceEncoder | None = None,
        normalise: Normalise | None = None,
        frames: Frames | None = None,
        weights: str | os.PathLike[str] | None = None,
        scale: str | os.PathLike[str] | None = None,
    ) -> None:
        self.spec = registry.model(model)
        chosen: dict[str, Any] = {
            name: getattr(self.spec, name) if part is None else part
            for name, part in (("parser", parser), ("vectors", vectors), ("encoder", encoder))
        }
        # Before anything is read, so that a file that changes meanwhile is noticed.
        self._sources = Sources(part for part in chosen.values() if isinstance(part, str))
        embedded = encoder if isinstance(encoder, EmbeddedEncoder) else EmbeddedEncoder()
        self._embedded = embedded
        self.vectors = registry.vectors(chosen["vectors"], embedded)
        self.encoder = registry.encoder(chosen["encoder"], embedded, self.vectors)
        self.combiner = self.spec.build(self.vectors, normalise)
        if frames is not None:
            from hybridsem.combiners.frames import over_frames

            self.combiner = over_frames(self.combiner, frames, model)
        formalism = self.combiner.formalism or "verbnet"
        self.parser = registry.parser(chosen["parser"], formalism, embedded)
        given = {"model": model, "parser": parser, "vectors": vectors, "encoder": encoder}
        given |= {"normalise": normalise, "frames": frames}
        self._given: dict[str, Any] = {
            name: part for name, part in given.items() if part is not None
        }
        self._scales = getattr(self.combiner, "scales_cosines", False)
        self._scale = None if scale is None else self._given_scale(str(scale))
        if weights is not None:
            self._learn(str(weights))
        self._memory: Memory | None = None
        self._elsewhere: Executor | None = None
        self._said: set[str] = set()

    def _given_scale(self, scale: str) -> CosineScale:
        """The scale of a file, or as settings have it, ``FILE,sha=HASH``."""
        from hybridsem.embeddings.scale import read_scale

        if not self._scales:
            raise InputError(f"scale= is for 'hybrid', got it for the model {self.spec.name!r}")
        found, self._given["scale"] = _named("scale", scale, read_scale)
        return found

    @cached_property
    def scale(self) -> CosineScale | None:
        """The map of the encoder's cosines to the scale that the model's weights were learned on:
        the one given, or shipped for this encoder; None where none is needed, or known.

        Raises :class:`InputError` where the given one is for another encoder.
        """
        if not self._scales or isinstance(self.encoder, EmbeddedEncoder):
            return None
        from hybridsem.embeddings.scale import probes_of, shipped_scale

        probes = probes_of(self._encode)
        if self._scale is not None and not self._scale.is_of(probes):
            raise InputError(
                f"the scale is of the encoder {self._scale.encoder!r}, which this one is not; "
                "make it anew with `hybridsem fit-encoder`"
            )
        if (found := self._scale or shipped_scale(probes)) is None:
            logging.getLogger("hybridsem.scale").warning(
                "the weights of %r were learned on cosines of another scale than this encoder's; "
                "`hybridsem fit-encoder` brings them together",
                self.spec.name,
            )
        return found

    def _learn(self, weights: str) -> None:
        """Score with learned weights: a file, or as settings have it, ``FILE,sha=HASH``."""
        from hybridsem.learned.combiner import LearnedCombiner, check_features
        from hybridsem.learned.files import read_weights

        defaults = {part: getattr(self.spec, part) for part in ("vectors", "encoder")}
        defaults["parser"] = FIRST_PARSER
        learned = self.checked_file("weights", weights, read_weights, "features", defaults)
        check_features(learned, self.combiner, self.spec.name, weights.partition(",sha=")[0])
        self.combiner = LearnedCombiner(self.combiner, learned)

    def checked_file(
        self,
        name: str,
        given: str,
        read: Callable[[str], _Content],
        of: str,
        defaults: Mapping[str, str] = MappingProxyType({}),
    ) -> _Content:
        """What a file holds that was made from features or scores of a reader like this one.

        Args:
            name: The argument that names the file.
            given: The file, or as settings have it, ``FILE,sha=HASH``.
            read: Reads it.
            of: What it was made from.
            defaults: Settings where none is named.
        """
        found, named = _named(name, given, read)
        path = named.partition(",sha=")[0]
        made, here = {**defaults, **found.pipeline}, {**defaults, **self.settings}
        if different := sorted(n for n in {*made, *here} if made.get(n) != here.get(n)):
            raise InputError(
                f"the {name} file {path!r} was made for other {of}: "
                + ", ".join(f"{n}={made.get(n)!r} and not {here.get(n)!r}" for n in different)
                + "; use the parts that it was made for, or make it anew"
            )
        known = found.training.get("contents")
        if isinstance(known, dict) and known and known != dict(self.contents):
            raise InputError(
                f"the {name} file {path!r} was made for {of} of other files than "
                f"{', '.join(map(repr, known))} are now; make it anew"
            )
        self._given[name] = named
        return found

    def __repr__(self) -> str:
        parts = {"model": self.spec.name}
        if self.combiner.formalism is not None:
            parts |= {"parser": self.spec.parser, "vectors": self.spec.vectors}
        if self.combiner.reads_vectors:
            parts["encoder"] = self.spec.encoder
        parts = {name: without_secrets(part) for name, part in parts.items()} | self.settings
        shown = (
            f"{name}={part if name in self.unnamed else repr(part)}" for name, part in parts.items()
        )
        return f"{type(self).__name__}({', '.join(shown)})"

    def __reduce__(self) -> tuple[Any, ...]:
        # What was read, and what is remembered, stays here; what an encoder was fitted to goes.
        fitted = isinstance(self.encoder, registry.FittedEncoder) and self.encoder.fitted
        made = partial(type(self), **self._given)
        return made, (), {"encoder": self.encoder} if fitted else None

    def __copy__(self: _OwnType) -> _OwnType:
        """Another one of the same parts."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _said=set(self._said))
        return other

    @property
    def settings(self) -> dict[str, str]:
        """What the pipeline was made from: names, and ``<Type>`` for parts given as objects.

        The model's own parser is named where it is not ``embedded``. Users, passwords and
        keys in addresses are left out; :attr:`arguments` has them.
        """
        return {name: without_secrets(part) for name, part in self.arguments.items()}

    @property
    def arguments(self) -> dict[str, str]:
        """The arguments that make the same pipeline in another process, secrets included: not to be
        kept or shown.
        """
        own = {} if self.spec.parser == FIRST_PARSER else {"parser": self.spec.parser}
        return own | {
            name: part
            if isinstance(part, str)
            else f"<{type(part).__module__}.{type(part).__qualname__}>"
            for name, part in self._given.items()
        }

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The parts that were given as objects: they have no name by which another process, or
        another run, could make them.
        """
        return tuple(name for name, part in self._given.items() if not isinstance(part, str))

    @property
    def contents(self) -> Mapping[str, str]:
        """The sha256 of every file and folder that the named parts are read from, by how it is
        written in :attr:`settings`; of a model of the hub, of its commit.

        Raises :class:`InputError` where one has changed since the pipeline was made.
        """
        if self._sources.unread:
            self.encoder.encode([])  # brings a model of the hub
            self._sources.look_again()
        return self._sources.contents()

    def check_contents(self) -> None:
        """:class:`InputError` where a file behind a part has changed since the pipeline was made;
        quicker than :attr:`contents`.
        """
        self._sources.check()

    @property
    def remembers(self) -> bool:
        """Whether what is read of sentences is kept."""
        return self._memory is not None

    def remember(self, sentences: int, store: Store | None = None) -> None:
        """Keep what is read of sentences, so that they are not read again.

        Args:
            sentences: Of how many, the latest, it is kept in memory; 0 forgets all.
            store: Keeps it of all sentences on disk, and the vectors of words.

        >>> from hybridsem import Pipeline
        >>> nlp = Pipeline()
        >>> nlp.remember(1000)
        >>> nlp.remembers
        True
        """
        from hybridsem.parsers.memory import Memory

        parser, of_trees = self.parser, None
        if self.trees is not None and isinstance(parser, ReadsTrees):
            of_trees = parser.read
        self._memory = Memory(sentences, store, of_trees) if sentences else None
        if isinstance(self.vectors, EmbeddedWords):
            self.vectors.keep_in(store if sentences else None, self)

    @contextmanager
    def remembering(self, sentences: int = SENTENCES_HELD) -> Iterator[None]:
        """Within the body what is read is kept, if it is not anyway; of bodies that overlap, in
        threads or not, the last to end forgets it.

        Args:
            sentences: Of how many, the latest, it is kept in memory.

        >>> from hybridsem import Pipeline
        >>> nlp = Pipeline()
        >>> with nlp.remembering():
        ...     nlp.remembers
        True
        >>> nlp.remembers
        False
        """
        with _REMEMBERING:
            if self._memory is not None:
                self._memory.holders += 1
            else:
                self.remember(sentences)
            memory: Any = self._memory
        try:
            yield
        finally:
            with _REMEMBERING:
                memory.holders -= 1
                if not memory.holders and self._memory is memory:
                    self.remember(0)

    def for_call(self: _OwnType) -> _OwnType:
        """The same for one call that compares a sentence with many: with the memory that there
        is, or one of its own, which nobody else can take away.

        >>> reader = Reader()
        >>> reader.for_call().remembers, reader.remembers
        (True, False)
        """
        _ = self.scale  # which is found once for all calls
        own = copy.copy(self)
        own._said = self._said
        if own._memory is None:
            own.remember(SENTENCES_HELD)
        return own

    @contextmanager
    def reading_elsewhere(self, elsewhere: Executor) -> Iterator[None]:
        """Within the body sentences are read in other processes, where they are many; the results
        are the same.

        Args:
            elsewhere: The processes, whose pipelines are made of the same parts.
        """
        self._elsewhere = elsewhere
        try:
            yield
        finally:
            self._elsewhere = None

    def mapped(
        self, begin: Callable[[Any], Callable[[_Chunk], _Made]], chunks: Iterable[_Chunk]
    ) -> Iterator[_Made]:
        """Apply a function to each chunk and yield the results in order: here, or within
        :meth:`reading_elsewhere` there.

        Args:
            begin: Is given this reader, or one like it in another process, and returns the
                function.
            chunks: Anything that can be pickled.

        >>> from hybridsem import Pipeline
        >>> list(Pipeline().mapped(lambda nlp: nlp.truncated, [["It rains."], ["We left."]]))
        [[False], [False]]
        """
        there = self._elsewhere
        return map(begin(self), chunks) if there is None else there.map(begin, chunks)

    def read(self, pairs: Iterable[tuple[str, str]]) -> Batch:
        """What the model reads of pairs; a combiner explains it.

        Args:
            pairs: Of sentences.

        Returns:
            A batch: the distinct sentences, their structures and vectors, and the places of the
            pairs.

        Raises:
            InputError: For what is no pair of sentences.

        >>> from hybridsem import Pipeline
        >>> batch = Pipeline().read([("It rains.", "It pours."), ("It rains.", "We left.")])
        >>> batch.sentences, batch.pairs
        (['It rains.', 'It pours.', 'We left.'], [(0, 1), (0, 2)])
        """
        return self.batch(checked_pairs(pairs))

    def explain_all(
        self, pairs: Iterable[tuple[str, str]], *, words: bool = True
    ) -> list[Explanation]:
        """An explanation a pair, in order.

        Args:
            pairs: Of sentences.
            words: As for :meth:`explain`.

        Returns:
            Explanations; that of a pair without structure has score NaN and the reason as a note.

        Raises:
            InputError: For what is no pair of sentences; it names the row (from 0).

        >>> from hybridsem import Pipeline
        >>> pairs = [("A man sings.", "It rains."), ("A man sings.", "A man sings.")]
        >>> [round(found.score, 2) for found in Pipeline().explain_all(pairs)][1]
        1.0
        """
        checked = checked_pairs(pairs)
        opens = words and self.combiner.reads_vectors and isinstance(self.encoder, SplitsVectors)
        parts = _of_few_sentences(checked) if opens else [checked]
        return [found for some in parts for found in self._explain(some, opens)]

    def failure(
        self, pair: tuple[str, str], where: str = "", rows: tuple[int, ...] = ()
    ) -> ParseError:
        """The error of a pair that has no score.

        Args:
            pair: The two sentences.
            where: What names them.
            rows: Their numbers.
        """
        (explanation,) = self._explain([pair], False)
        return ParseError("; ".join(explanation.notes) or "no score", where, rows)

    @relaxed_gc()
    def _explain(self, pairs: Sequence[tuple[str, str]], words: bool) -> list[Explanation]:
        """Explanations of checked pairs; with ``words`` the cosine's lines are opened."""
        batch = self.batch(pairs, words)
        explanations = self.combiner.explain(batch)
        if not batch.splits:
            return explanations
        from hybridsem.combiners.cosine_attribution import attribute_cosines

        return list(attribute_cosines(explanations, batch))

    @relaxed_gc()
    def batch(self, pairs: Sequence[tuple[str, str]], split: bool = False) -> Batch:
        """As :meth:`read`, of pairs that are checked; every distinct sentence is read once.

        Args:
            pairs: Of usable sentences.
            split: Read what the vectors are the sum of too.
        """
        sentences = list(dict.fromkeys(text for pair in pairs for text in pair))
        index = {text: i for i, text in enumerate(sentences)}
        structures, vectors, splits = self._read(sentences, split)
        places = [(index[one], index[two]) for one, two in pairs]
        truncated, foreign = self.truncated(sentences), self.foreign(sentences)
        self._say("truncated", "are longer than the model reads and were cut", truncated)
        self._say("foreign", "are not English, and the model reads English alone", foreign)
        coverage: Sequence[Coverage] = ()
        if self.combiner.reads_vectors and isinstance(self.encoder, ReportsCoverage):
            coverage = self.encoder.coverage(sentences)
        return Batch(
            *(sentences, places, structures, vectors, truncated, coverage, splits, foreign),
            scale=self.scale,
        )

    def _say(self, method: str, what: str, flags: Sequence[bool]) -> None:
        """Warn, once, of the sentences that the named method tells."""
        if any(flags) and method not in self._said:
            self._said.add(method)
            _LOG.warning(
                "%d of %d sentences %s; this is said once, Pipeline.%s(sentences) tells which "
                "they are",
                *(sum(flags), len(flags), what, method),
            )

    def _read(self, sentences: list[str], split: bool) -> _Reading:
        """What the combiner reads; each unremembered sentence once."""
        if (memory := self._memory) is None or not sentences:
            return self._read_now(sentences, split)
        reads_roles = self.combiner.formalism is not None
        reads_vectors = self.combiner.reads_vectors
        # Another model may have kept less of a sentence than this one reads.
        known = {
            sentence: read
            for sentence, read in memory.recall(sentences).items()
            if not (reads_roles and read[0] is None) and not (reads_vectors and read[1] is None)
        }
        if new := [sentence for sentence in sentences if sentence not in known]:
            structures, vectors, _ = self._read_now(new)
            none = [None] * len(new)
            parts = zip(structures or none, none if vectors is None else vectors, strict=True)
            reads = dict(zip(new, parts, strict=True))
            memory.keep(reads)
            known.update(reads)
        first, second = zip(*(known[sentence] for sentence in sentences), strict=True)
        return _Reading(
            list(first) if reads_roles else None,
            np.stack(second) if reads_vectors else None,
            self._split(sentences) if split else (),
        )

    def _read_now(self, sentences: list[str], split: bool = False) -> _Reading:
        """What :meth:`_read` gives, by parser and encoder, in one pass where that is possible."""
        if self._elsewhere is not None and len(sentences) > SENT and not split:
            return self._read_elsewhere(sentences)
        parser, trees = self.parser, self._in_one_pass
        reads_roles = self.combiner.formalism is not None
        if trees is not None and isinstance(parser, ReadsTrees):
            encoded = trees.encoder.analyse(sentences, last_layer=split)
            return _Reading(
                parser.read(trees.trees_of(sentences, encoded)),
                _rows(trees, encoded),
                [sentence.split() for sentence in encoded] if split else (),
            )
        structures = self._parse(sentences) if reads_roles else None
        splits = self._split(sentences) if split else ()
        vectors = None
        if splits:
            vectors = normalised(np.stack([sentence.vector for sentence in splits]))
        elif self.combiner.reads_vectors:
            vectors = self._encode(sentences)
        return _Reading(structures, vectors, splits)

    def _read_elsewhere(self, sentences: list[str]) -> _Reading:
        chunks = [sentences[at : at + SENT] for at in range(0, len(sentences), SENT)]
        read: list[_Reading] = list(self.mapped(attrgetter("_read_now"), chunks))
        structures = [parsed for some in read for parsed in some.structures or ()]
        vectors = [some.vectors for some in read if some.vectors is not None]
        return _Reading(structures or None, np.concatenate(vectors) if vectors else None)

    @property
    def _in_one_pass(self) -> EmbeddedTrees | None:
        """The trees whose encoder's pass gives the sentence vectors as well, if one does."""
        trees = self.trees
        one = (
            self.combiner.formalism is not None
            and self.combiner.reads_vectors
            and isinstance(self.parser, ReadsTrees)
            and trees is not None
            and trees.encoder is self.encoder
        )
        return trees if one else None

    def vectors_read(self, sentences: Sequence[str]) -> Float32Array:
        """The unit vectors of usable sentences, (n, d), to the last bit as scores see them; without
        the parse that comes of the same pass.
        """
        if (trees := self._in_one_pass) is None:
            return self._encode(list(sentences))
        return _rows(trees, trees.encoder.analyse(sentences))

    def _split(self, sentences: list[str]) -> Sequence[SplitVector]:
        """What the encoder's vectors are the sum of; nothing where it does not know."""
        assert isinstance(self.encoder, SplitsVectors)  # as explain_all has seen
        found = self.encoder.split(sentences)
        return () if found is None else _one_each("encoder", list(found), sentences)

    @relaxed_gc()
    def _parse(self, sentences: list[str]) -> list[Parsed]:
        found = self.parser.parse(sentences)
        parsed: list[Parsed] = _one_each(
            "parser", list(found) if isinstance(found, Iterable) else [], sentences
        )
        for sentence, structure in zip(sentences, parsed, strict=True):
            usable = isinstance(structure, RoleStructure) and structure.frames
            if not usable and not isinstance(structure, ParseFailure):
                raise InputError(
                    f"the parser gave {structure!r:.80} for {sentence!r:.80}; "
                    "it must give a RoleStructure with a frame, or a ParseFailure"
                )
        return parsed

    def _encode(self, sentences: list[str], unit: bool = True) -> Float32Array:
        found = self.encoder.encode(sentences)
        try:
            rows = np.asarray(found, np.float32)
        except (TypeError, ValueError):
            raise InputError(
                f"the encoder gave no rows of numbers, got {found!r:.80}; they must be (n, d)"
            ) from None
        if not sentences:
            return rows.reshape(0, rows.shape[1] if rows.ndim == 2 else 0)
        if rows.ndim != 2 or not np.isfinite(rows).all():
            raise InputError(
                f"the encoder gave an array of shape {rows.shape}; it must be (n, d) and finite"
            )
        _one_each("encoder", rows, sentences)
        return normalised(rows) if unit else rows

    def parse(self, sentences: Iterable[str]) -> Parses:
        """A role structure, or a :class:`ParseFailure`, for every sentence, in order.

        Args:
            sentences: Each is parsed as one sentence, whatever is in it.

        Returns:
            A list, which notebooks draw.

        Raises:
            InputError: For text that is blank, or not a string.

        >>> from hybridsem import Pipeline
        >>> (parsed,) = Pipeline().parse(["Yesterday Ann gave her brother a bicycle."])
        >>> parsed.main.predicate, parsed.roles["Agent"].text, parsed.roles["Theme"].text
        ('give', 'Ann', 'a bicycle')
        """
        return Parses(self._parse(check_sentences(sentences)))

    def encode(
        self, sentences: Iterable[str], *, unit: bool = True, space: str | None = None
    ) -> Float32Array:
        """A vector for every sentence, (n, d) float32.

        Of ``hybrid`` these are the vectors of its encoder alone: their cosine is the score before
        the differences in structure are taken off, and never below it, so they find candidates;
        :meth:`rank` and :meth:`mine` score these by the whole model. Role-slot vectors for
        VerbNet-CN, whose inner product is the score with ``normalise="total"``, and for
        ``role-slots``, of which it is the cosine.

        Args:
            sentences: One row each.
            unit: Scale sentence vectors to length 1; else they are as the encoder gives them.
                Role-slot vectors stay as they are.
            space: ``"role"`` for the vectors of ``role-encoder``, which tell who did what to whom,
                and ``"plain"`` for those of ``embedded``, both of length 1 and whatever the model;
                None for the model's own.

        Raises:
            InputError: For text that is no sentence, and for a model that gives no vectors.
            ParseError: For a sentence without structure, where the model reads vectors from
                structures.
            UnknownNameError: For another space.

        >>> from hybridsem import Pipeline
        >>> Pipeline().encode(["A man sings.", "It rains."]).shape
        (2, 384)
        """
        texts = check_sentences(sentences)
        if space is not None:
            if space not in SPACES:
                raise UnknownNameError("space", space, SPACES)
            return registry.encoder(SPACES[space], self._embedded).encode(texts)
        if self.combiner.reads_vectors:
            return self._encode(texts, unit)
        if not isinstance(self.combiner, RoleCombiner):
            raise InputError(f"{self.spec.name} gives no sentence vectors")
        structures = self._parse(texts)
        for row, parsed in enumerate(structures):
            if not isinstance(parsed, RoleStructure):
                raise ParseError(
                    f"sentence {row}: no parse of {parsed.text!r:.80}: {parsed.reason}"
                )
        return self.combiner.vectors_of([s for s in structures if isinstance(s, RoleStructure)])

    def near(self, sentences: Sequence[str], progress: bool = False) -> Float32Array | None:
        """Unit vectors, (n, d) float32, to find by their cosines what may score well.

        They are those that are remembered, else the encoder's own pass gives them, whose last bits
        may be others.

        Args:
            sentences: Usable ones; they are not checked.
            progress: Show a bar on stderr when that is a terminal.

        Returns:
            The vectors; None where the model's scores have no bound by these.

        >>> from hybridsem import Pipeline
        >>> Pipeline().near(["It rains.", "It pours."]).shape
        (2, 384)
        """
        if not (self.combiner.reads_vectors and isinstance(self.combiner, HasBounds)):
            return None
        known: dict[str, Float32Array] = {}
        if (memory := self._memory) is not None:
            recalled = memory.recall(sentences)
            known = {text: vector for text, (_, vector) in recalled.items() if vector is not None}
        new = list(dict.fromkeys(text for text in sentences if text not in known))
        chunks = [new[at : at + CHUNK] for at in range(0, len(new), CHUNK)]
        vectors = self.mapped(attrgetter("_encode"), chunks)
        for some in tracked(chunks, len(new), "Encoding", progress):
            found = dict(zip(some, next(vectors), strict=True))
            known.update(found)
            if memory is not None:
                memory.store_vectors(found)
        if not sentences:
            return self._encode([])
        return np.stack([known[text] for text in sentences])

    def truncated(self, sentences: Iterable[str]) -> list[bool]:
        """For each sentence, whether a part of the model cannot read all of it.

        Args:
            sentences: To be told of, in order.

        >>> from hybridsem import Pipeline
        >>> Pipeline().truncated(["It rains.", "It rains. " * 200])
        [False, True]
        """
        texts, parts = check_sentences(sentences), self._readers()
        flags = [part.too_long(texts) for part in parts if isinstance(part, ReportsTruncation)]
        return _any(flags, len(texts))

    def foreign(self, sentences: Iterable[str]) -> list[bool]:
        """For each sentence, whether it is not English, and a part of the model reads English
        alone: the embedded encoder, the embedded trees.

        Args:
            sentences: To be told of, in order.

        >>> from hybridsem import Pipeline
        >>> Pipeline().foreign(["It rains in the hills.", "Es regnet heute in den Bergen."])
        [False, True]
        """
        texts, parts = check_sentences(sentences), self._readers()
        flags = [part.foreign(texts) for part in parts if isinstance(part, ReadsEnglishAlone)]
        return _any(flags, len(texts))

    def _readers(self) -> list[object]:
        """The encoders that read sentences, each once."""
        parts: list[object] = [self.encoder] if self.combiner.reads_vectors else []
        if (
            self.combiner.formalism is not None
            and self.trees is not None
            and self.trees.encoder not in parts
        ):
            parts.append(self.trees.encoder)
        return parts

    @property
    def trees(self) -> EmbeddedTrees | None:
        """The embedded trees that the parser reads, if it does."""
        # As isinstance(self.parser, HasTreeParser), which takes 20 times as long; asked often.
        trees = getattr(self.parser, "tree_parser", None)
        return trees if isinstance(trees, EmbeddedTrees) else None


def _named(name: str, given: str, read: Callable[[str], _Made]) -> tuple[_Made, str]:
    """What a named file holds, and the file as settings have it."""
    path, options = options_of(given, ["sha"])
    found, sha = read(path), sha256_of(Path(path))
    if options and options["sha"] != sha:
        raise InputError(f"the {name} {path!r} was changed since it was named")
    return found, f"{path},sha={sha}"


def _rows(trees: EmbeddedTrees, encoded: Sequence[Encoded]) -> Float32Array:
    """The unit vectors of encoded sentences."""
    rows = np.array([sentence.vector for sentence in encoded])
    return normalised(rows.reshape(len(encoded), trees.encoder.dimension))


def _any(flags: Sequence[Sequence[bool]], rows: int) -> list[bool]:
    """For each row whether any part has flagged it."""
    return [any(row) for row in zip(*flags, strict=True)] if flags else [False] * rows


def _one_each(part: str, results: _Results, sentences: Sequence[str]) -> _Results:
    """The results of a given part, if there is one for each sentence."""
    if len(results) != len(sentences):
        raise InputError(
            f"the {part} gave {len(results)} results for {len(sentences)} sentences; one each "
            "is needed"
        )
    return results


def _of_few_sentences(pairs: Sequence[tuple[str, str]]) -> Iterator[Sequence[tuple[str, str]]]:
    """The pairs in parts of neighbours, at most ``SENTENCES_OPENED`` distinct sentences in each."""
    at, seen = 0, set[str]()
    for end, pair in enumerate(pairs):
        seen.update(pair)
        if len(seen) > SENTENCES_OPENED:
            yield pairs[at:end]
            at, seen = end, set(pair)
    yield pairs[at:]


def checked_pairs(pairs: Iterable[Any]) -> list[tuple[str, str]]:
    """The pairs as tuples; :class:`InputError` names the row of the first that is none."""
    from hybridsem.tables.frames import pairs_in

    checked = []
    for row, pair in enumerate(pairs_in(pairs)):
        if (why := pair_problem(pair)) is not None:
            raise InputError(f"pair {row}: {why}")
        checked.append((pair[0], pair[1]))
    return checked


def pair_problem(pair: Any) -> str | None:
    """Why something is not a pair of sentences, or None."""
    if isinstance(pair, (str, bytes)) or not isinstance(pair, Sequence) or len(pair) != 2:
        return f"expected two sentences, got {pair!r:.80}"
    sides = ((side, problem(text)) for side, text in enumerate(pair, start=1))
    return next((f"sentence {side}: {why}" for side, why in sides if why), None)
