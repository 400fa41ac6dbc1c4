"""Reading sentences: structures and vectors by a model's parts, each sentence once within a call.

    names, objects --registry--> parts: parser, word vectors, encoder; a combiner
    sentences --parts, here or by an executor--> structures, vectors --> a batch of pairs

Threads may share a reader. Each call has its own memory: ``Reader._for_call``. Methods with an
underscore are for the package alone.
"""

from __future__ import annotations

import copy
import logging
import math
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, overload

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
from hybridsem.embeddings.words import Coverage, WordVectors
from hybridsem.errors import InputError, ParseError, UnknownNameError
from hybridsem.explanations import Explanation
from hybridsem.parsers.base import ReadsTrees
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.registry.parts import options_of, without_secrets
from hybridsem.registry.sources import Sources
from hybridsem.structures import Parsed, ParseFailure, Parses, RoleStructure

# Rarely needed modules are imported where they are used, to keep start-up short.
if TYPE_CHECKING:
    from hybridsem._utils.store import Store
    from hybridsem.combiners.frames import Frames
    from hybridsem.embeddings.scale import CosineScale
    from hybridsem.parsers.memory import Memory

__all__ = ["Reader"]

ResultsT = TypeVar("ResultsT", list[Parsed], list[SplitVector], Float32Array)
ChunkT = TypeVar("ChunkT")
ResultT = TypeVar("ResultT")
ReaderT = TypeVar("ReaderT", bound="Reader")

_LOG = logging.getLogger("hybridsem")
_REMEMBERING = threading.Lock()

FIRST_PARSER = "embedded"
"""The parser of every model of 0.1.0: caches, runs and weights do not name it."""

SPACES = {"plain": "embedded", "role": "role-encoder"}
"""The spaces of :meth:`Reader.encode`, and the encoder of each."""

CHUNK = 1024  # pairs processed at once; keeps memory flat

SENT = 64  # sentences that an executor's processes read together

SENTENCES_HELD = 30_000  # sentences kept in memory within a call that compares a sentence with many

SENTENCES_OPENED = 1024
"""Distinct sentences whose word vectors are in memory at once when cosines are attributed."""

PAIRS = "two texts, one pair, or many: a list of pairs, a data frame, a table, two columns"
"""The shapes of pairs that methods accept, for messages."""


class Executor(Protocol):
    """Applies a function to chunk after chunk: here, in processes or on a cluster."""

    def map(
        self,
        begin: Callable[[Any], Callable[[ChunkT], ResultT]],
        chunks: Iterable[ChunkT],
        item: str = "text",
    ) -> Iterator[ResultT]:
        """Apply a function to each chunk and yield the results in order, reading only a bounded
        number of chunks ahead.

        ``begin`` takes the reader of a process and returns the function; for other processes it is
        a function or class of a module, or a :func:`functools.partial` of one. The items of chunks
        can be pickled; ``item`` is the name of one, for messages.
        """
        ...

    def close(self) -> None:
        """Free the executor's resources; processes end."""
        ...


class _File(Protocol):
    """A file made from a reader's features or scores; ``training`` has the ``contents`` of the
    files behind its parts.
    """

    @property
    def pipeline(self) -> Mapping[str, str]: ...
    @property
    def training(self) -> Mapping[str, Any]: ...


FileT = TypeVar("FileT", bound=_File)


class _Reading(NamedTuple):
    """Structures, unit vectors, and the parts that the vectors are sums of."""

    structures: list[Parsed] | None
    vectors: Float32Array | None
    splits: Sequence[SplitVector] = ()


class Reader:
    """The parts of a model, and reading with them. The arguments are those of
    :class:`~hybridsem.Pipeline`; a reader has no calibration.

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
        calibration: str | os.PathLike[str] | None = None,
    ) -> None:
        self.spec = registry.model(model)
        given = {"parser": parser, "vectors": vectors, "encoder": encoder}
        chosen: dict[str, Any] = {
            name: getattr(self.spec, name) if part is None else part for name, part in given.items()
        }
        # Before anything is read, so that later changes of a file are noticed.
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
        given = {"model": model, **given, "normalise": normalise, "frames": frames}
        self._given: dict[str, Any] = {
            name: part for name, part in given.items() if part is not None
        }
        self._scales = getattr(self.combiner, "scales_cosines", False)
        self._scale = None if scale is None else self._given_scale(str(scale))
        if weights is not None:
            self._learn(str(weights))
        self._memory: Memory | None = None
        self._executor: Executor | None = None
        self._warned: set[str] = set()
        self.calibration = None if calibration is None else self._calibration_of(str(calibration))

    def _calibration_of(self, file: str) -> Any:
        raise InputError(f"only a pipeline has a calibration, got {file!r}")

    def _given_scale(self, scale: str) -> CosineScale:
        """Return the scale of a file, or of ``FILE,sha=HASH`` as in settings."""
        from hybridsem.embeddings.scale import read_scale

        if not self._scales:
            raise InputError(f"scale= is for 'hybrid', got it for the model {self.spec.name!r}")
        found, self._given["scale"] = _named("scale", scale, read_scale)
        return found

    @cached_property
    def scale(self) -> CosineScale | None:
        """The map of the encoder's cosines to the scale that the model's weights were learned on:
        the given one, or the one shipped for this encoder; None if none is needed or known. Raises
        :class:`InputError` if the given scale is for another encoder.
        """
        if not self._scales or isinstance(self.encoder, EmbeddedEncoder):
            return None
        from hybridsem.embeddings.scale import probes_of, shipped_scale

        probes = probes_of(self._encode)
        if self._scale is not None and not self._scale.is_of(probes):
            raise InputError(
                f"the scale is of the encoder {self._scale.encoder!r}, which this one is not; "
                "make it again with `hybridsem fit-encoder`"
            )
        if (found := self._scale or shipped_scale(probes)) is None:
            logging.getLogger("hybridsem.scale").warning(
                "the weights of %r were learned on cosines of another scale than this encoder's; "
                "`hybridsem fit-encoder` fits a scale",
                self.spec.name,
            )
        return found

    def _learn(self, weights: str) -> None:
        """Score with the learned weights of a file, or of ``FILE,sha=HASH``."""
        from hybridsem.learned.combiner import LearnedCombiner, check_features
        from hybridsem.learned.fitted import read_weights

        defaults = {part: getattr(self.spec, part) for part in ("vectors", "encoder")}
        defaults["parser"] = FIRST_PARSER
        learned = self._checked_file("weights", weights, read_weights, "features", defaults)
        check_features(learned, self.combiner, self.spec.name, weights.partition(",sha=")[0])
        self.combiner = LearnedCombiner(self.combiner, learned)

    def _checked_file(
        self,
        name: str,
        given: str,
        read: Callable[[str], FileT],
        of: str,
        defaults: Mapping[str, str] = MappingProxyType({}),
    ) -> FileT:
        """Return the content of a file made from the features or scores (``of``) of a reader with
        the same parts.
        """
        found, named = _named(name, given, read)
        path = named.partition(",sha=")[0]
        made, here = {**defaults, **found.pipeline}, {**defaults, **self.settings}
        if different := sorted(n for n in {*made, *here} if made.get(n) != here.get(n)):
            raise InputError(
                f"the {name} file {path!r} was made for other {of}: "
                + ", ".join(f"{n}={made.get(n)!r} and not {here.get(n)!r}" for n in different)
                + "; use the parts that it was made for, or make it again"
            )
        known = found.training.get("contents")
        if isinstance(known, dict) and known and known != dict(self.contents):
            raise InputError(
                f"the {name} file {path!r} was made for {of} of other files than "
                f"{', '.join(map(repr, known))} are now; make it again"
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
        # What was read or remembered is left out; a fitted encoder is kept.
        fitted = isinstance(self.encoder, registry.FittedEncoder) and self.encoder.fitted
        made = partial(type(self), **self._given)
        return made, (), {"encoder": self.encoder} if fitted else None

    def __copy__(self: ReaderT) -> ReaderT:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _warned=set(self._warned))
        return other

    @property
    def settings(self) -> dict[str, str]:
        """The arguments of the reader: names, and ``<Type>`` for objects. The model's own parser is
        named unless it is ``embedded``. Users, passwords and keys in addresses are left out.
        """
        return {name: without_secrets(part) for name, part in self._arguments.items()}

    @property
    def _arguments(self) -> dict[str, str]:
        """The settings with secrets, to make the same reader in another process."""
        own = {} if self.spec.parser == FIRST_PARSER else {"parser": self.spec.parser}
        return own | {
            name: part
            if isinstance(part, str)
            else f"<{type(part).__module__}.{type(part).__qualname__}>"
            for name, part in self._given.items()
        }

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The parts given as objects, which another process cannot make by name."""
        return tuple(name for name, part in self._given.items() if not isinstance(part, str))

    @property
    def contents(self) -> Mapping[str, str]:
        """The sha256 of each file and folder behind the named parts, by its name in
        :attr:`settings`; for a model of the hub, that of its commit. Raises :class:`InputError` if
        one has changed since the pipeline was made.
        """
        if self._sources.unread:
            self.encoder.encode([])  # downloads a model of the hub
            self._sources.look_again()
        return self._sources.contents()

    def _check_contents(self) -> None:
        """Raise :class:`InputError` if a file has changed; faster than :attr:`contents`."""
        self._sources.check()

    @property
    def remembers(self) -> bool:
        """True if structures and vectors of sentences are kept between calls."""
        return self._memory is not None

    def remember(self, sentences: int, store: Store | None = None) -> None:
        """Keep structures and vectors, so that sentences are not read again.

        Args:
            sentences: Number of the latest sentences to keep in memory; 0 forgets all.
            store: Keeps the structures and vectors of all sentences on disk.
        """
        from hybridsem.parsers.memory import Memory

        parser, of_trees = self.parser, None
        if self._trees is not None and isinstance(parser, ReadsTrees):
            of_trees = parser.read
        self._memory = Memory(sentences, store, of_trees) if sentences else None

    @contextmanager
    def remembering(self, sentences: int = SENTENCES_HELD) -> Iterator[None]:
        """Remember the latest ``sentences`` within the body. If bodies overlap, in threads or not,
        the last one to end forgets.
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

    def _for_call(self: ReaderT) -> ReaderT:
        """Return a copy for one call that compares a sentence with many. It uses the current
        memory, or a private one that other calls cannot remove.
        """
        _ = self.scale  # computed once for all calls
        own = copy.copy(self)
        own._warned = self._warned
        if own._memory is None:
            own.remember(SENTENCES_HELD)
        return own

    @contextmanager
    def _executing(self, executor: Executor) -> Iterator[None]:
        """Let an executor read many sentences within the body; the results do not change."""
        self._executor = executor
        try:
            yield
        finally:
            self._executor = None

    def _map(
        self, begin: Callable[[Any], Callable[[ChunkT], ResultT]], chunks: Iterable[ChunkT]
    ) -> Iterator[ResultT]:
        """Apply the function that ``begin`` returns for a reader to each chunk, in order: here, or
        by the executor of :meth:`_executing`.
        """
        if self._executor is None:
            return map(begin(self), chunks)
        return self._executor.map(begin, chunks)

    def read(self, pairs: Iterable[tuple[str, str]]) -> Batch:
        """Read pairs for ``pipeline.combiner``.

        A batch has the distinct sentences, their structures and vectors, and the indices of the
        pairs. Raises :class:`InputError` if a pair is not two sentences.

        >>> from hybridsem import Pipeline
        >>> batch = Pipeline().read([("It rains.", "It pours."), ("It rains.", "We left.")])
        >>> batch.sentences, batch.pairs
        (['It rains.', 'It pours.', 'We left.'], [(0, 1), (0, 2)])
        """
        return self._batch(checked_pairs(pairs))

    @overload
    def explain(
        self, first: str | tuple[str, str], second: str = ..., *, words: bool = True
    ) -> Explanation: ...
    @overload
    def explain(
        self,
        first: Any,
        second: Any = None,
        *,
        columns: Sequence[str] | None = None,
        words: bool = True,
    ) -> list[Explanation]: ...

    def explain(
        self,
        first: Any,
        second: Any = None,
        *,
        columns: Sequence[str] | None = None,
        words: bool = True,
    ) -> Any:
        """Return the score of a pair, or of each of many, with its parts.

        Args:
            first: A text, a pair, or many pairs; see :meth:`~hybridsem.Pipeline.similarity`.
            second: The other text, or the second column.
            columns: The two text columns of a table.
            words: Attribute the cosine to words (``cosine_parts``) if the encoder can.

        Returns:
            An explanation, whose ``matches`` add up to its ``score``; a list for many. It prints as
            a table and is a picture in a notebook. In a list, a pair without a structure has score
            NaN and the reason as a note.

        Raises:
            InputError: If a text is not a sentence; for many, with its row (from 0).
            ParseError: If a single pair has no structure.

        >>> from hybridsem import Pipeline
        >>> explanation = Pipeline().explain("Ann paid 10 euros.", "Ann paid 12 euros.")
        >>> ("10", "12") in [(match.filler1, match.filler2) for match in explanation.matches]
        True
        """
        pairs, is_one = asked_pairs(first, second, columns)
        opens = words and self.combiner.reads_vectors and isinstance(self.encoder, SplitsVectors)
        parts = _of_few_sentences(pairs) if opens else [pairs]
        found = [one for some in parts for one in self._explain(some, opens)]
        if is_one and math.isnan(found[0].score):
            raise self._failure(pairs[0])
        return found[0] if is_one else found

    def _failure(
        self, pair: tuple[str, str], where: str = "", rows: tuple[int, ...] = ()
    ) -> ParseError:
        """Return the error of a pair without a score; ``where`` and ``rows`` name its texts."""
        (explanation,) = self._explain([pair], False)
        return ParseError("; ".join(explanation.notes) or "no score", where, rows)

    @relaxed_gc()
    def _explain(self, pairs: Sequence[tuple[str, str]], words: bool) -> list[Explanation]:
        """Explain checked pairs; ``words`` attributes the cosines."""
        batch = self._batch(pairs, words)
        explanations = self.combiner.explain(batch)
        if not batch.splits:
            return explanations
        from hybridsem.combiners.cosine_attribution import attribute_cosines

        return list(attribute_cosines(explanations, batch))

    @relaxed_gc()
    def _batch(self, pairs: Sequence[tuple[str, str]], split: bool = False) -> Batch:
        """Read checked pairs, each distinct sentence once; ``split`` adds the parts of vectors."""
        sentences = list(dict.fromkeys(text for pair in pairs for text in pair))
        index = {text: i for i, text in enumerate(sentences)}
        structures, vectors, splits = self._read(sentences, split)
        places = [(index[one], index[two]) for one, two in pairs]
        truncated, flags = self.truncated(sentences), self.foreign(sentences)
        self._warn_once("truncated", "are longer than the model reads and were cut", truncated)
        self._warn_once("foreign", "are not English, and the model reads only English", flags)
        coverage: Sequence[Coverage] = ()
        if self.combiner.reads_vectors and isinstance(self.encoder, ReportsCoverage):
            coverage = self.encoder.coverage(sentences)
        return Batch(
            *(sentences, places, structures, vectors, truncated, coverage, splits, flags),
            scale=self.scale,
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

    def _read(self, sentences: list[str], split: bool) -> _Reading:
        """Read for the combiner, each sentence that is not remembered once."""
        if (memory := self._memory) is None or not sentences:
            return self._read_now(sentences, split)
        reads_roles = self.combiner.formalism is not None
        reads_vectors = self.combiner.reads_vectors
        # Another model may have stored less of a sentence than this one needs.
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
        """Read with parser and encoder, in one pass if possible."""
        if self._executor is not None and len(sentences) > SENT and not split:
            return self._read_by_executor(sentences)
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

    def _read_by_executor(self, sentences: list[str]) -> _Reading:
        chunks = [sentences[at : at + SENT] for at in range(0, len(sentences), SENT)]
        read: list[_Reading] = list(self._map(attrgetter("_read_now"), chunks))
        structures = [parsed for some in read for parsed in some.structures or ()]
        vectors = [some.vectors for some in read if some.vectors is not None]
        return _Reading(structures or None, np.concatenate(vectors) if vectors else None)

    @property
    def _in_one_pass(self) -> EmbeddedTrees | None:
        """The tree parser whose encoder pass also returns the sentence vectors, if there is one."""
        trees = self._trees
        one = (
            self.combiner.formalism is not None
            and self.combiner.reads_vectors
            and isinstance(self.parser, ReadsTrees)
            and trees is not None
            and trees.encoder is self.encoder
        )
        return trees if one else None

    def _vectors_read(self, sentences: Sequence[str]) -> Float32Array:
        """Return unit vectors, (n, d), with the bits that scores are computed from, without the
        parse of the same pass.
        """
        if (trees := self._in_one_pass) is None:
            return self._encode(list(sentences))
        return _rows(trees, trees.encoder.analyse(sentences))

    def _split(self, sentences: list[str]) -> Sequence[SplitVector]:
        """Return the parts that the encoder's vectors are sums of, or nothing if unknown."""
        assert isinstance(self.encoder, SplitsVectors)  # as explain has checked
        found = self.encoder.split(sentences)
        return () if found is None else _check_length("encoder", list(found), sentences)

    @relaxed_gc()
    def _parse(self, sentences: list[str]) -> list[Parsed]:
        found = self.parser.parse(sentences)
        parsed: list[Parsed] = _check_length(
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
        _check_length("encoder", rows, sentences)
        return normalised(rows) if unit else rows

    @overload
    def parse(self, sentences: str) -> Parsed: ...  # type: ignore[overload-overlap]
    @overload
    def parse(self, sentences: Iterable[str]) -> Parses: ...

    def parse(self, sentences: str | Iterable[str]) -> Parsed | Parses:
        """Return the role structure of a sentence, or of each of many.

        Args:
            sentences: A text, or several; each is parsed as one sentence.

        Returns:
            A structure or a :class:`ParseFailure`; for several a list, which notebooks draw.

        >>> from hybridsem import Pipeline
        >>> parsed = Pipeline().parse("Yesterday Ann gave her brother a bicycle.")
        >>> parsed.main.predicate, parsed.roles["Agent"].text, parsed.roles["Theme"].text
        ('give', 'Ann', 'a bicycle')
        """
        if isinstance(sentences, str):
            return self._parse(check_sentences([sentences]))[0]
        return Parses(self._parse(check_sentences(sentences)))

    def encode(
        self, sentences: str | Iterable[str], *, unit: bool = True, space: str | None = None
    ) -> Float32Array:
        """Return the vector of a sentence, (d,) float32, or of each of many, (n, d).

        For ``hybrid`` these are the vectors of its encoder alone. Their cosine is an upper bound of
        the score, so they find candidates; :meth:`rank` and :meth:`mine` score these by the whole
        model. VerbNet-CN has role-slot vectors, whose inner product is the score with
        ``normalise="total"``; ``role-slots`` is their cosine.

        Args:
            sentences: A text, or several.
            unit: Scale sentence vectors to length 1; otherwise they are as the encoder returns
                them. Role-slot vectors stay as they are.
            space: ``"role"`` for vectors of ``role-encoder``, which encode who did what to whom,
                ``"plain"`` for those of ``embedded``, whatever the model; None for its own.

        Raises:
            InputError: If a text is not a sentence, or the model has no vectors.
            ParseError: If the model needs a structure and a sentence has none.
            UnknownNameError: If there is no such space.

        >>> from hybridsem import Pipeline
        >>> Pipeline().encode(["A man sings.", "It rains."]).shape
        (2, 384)
        """
        if isinstance(sentences, str):
            row: Float32Array = self.encode([sentences], unit=unit, space=space)[0]
            return row
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
        for row_number, parsed in enumerate(structures):
            if not isinstance(parsed, RoleStructure):
                raise ParseError(
                    f"sentence {row_number}: no parse of {parsed.text!r:.80}: {parsed.reason}"
                )
        return self.combiner.vectors_of([s for s in structures if isinstance(s, RoleStructure)])

    def _near(self, sentences: Sequence[str], progress: bool = False) -> Float32Array | None:
        """Return unit vectors, (n, d), to find candidates by cosine: remembered vectors, or those
        of the encoder's own pass, whose last bits may differ. Return None if they do not bound the
        scores.
        """
        if not (self.combiner.reads_vectors and isinstance(self.combiner, HasBounds)):
            return None
        known: dict[str, Float32Array] = {}
        if (memory := self._memory) is not None:
            recalled = memory.recall(sentences)
            known = {text: vector for text, (_, vector) in recalled.items() if vector is not None}
        new = list(dict.fromkeys(text for text in sentences if text not in known))
        chunks = [new[at : at + CHUNK] for at in range(0, len(new), CHUNK)]
        vectors = self._map(attrgetter("_encode"), chunks)
        for some in tracked(chunks, len(new), "Encoding", progress):
            found = dict(zip(some, next(vectors), strict=True))
            known.update(found)
            if memory is not None:
                memory.store_vectors(found)
        if not sentences:
            return self._encode([])
        return np.stack([known[text] for text in sentences])

    def truncated(self, sentences: Iterable[str]) -> list[bool]:
        """Return whether a part of the model truncates each sentence.

        >>> from hybridsem import Pipeline
        >>> Pipeline().truncated(["It rains.", "It rains. " * 200])
        [False, True]
        """
        texts, parts = check_sentences(sentences), self._encoders()
        flags = [part.too_long(texts) for part in parts if isinstance(part, ReportsTruncation)]
        return _any(flags, len(texts))

    def foreign(self, sentences: Iterable[str]) -> list[bool]:
        """Return whether each sentence is not English. All are False unless a part of the model
        reads only English (the embedded encoder, the embedded trees).

        >>> from hybridsem import Pipeline
        >>> Pipeline().foreign(["It rains in the hills.", "Es regnet heute in den Bergen."])
        [False, True]
        """
        texts, parts = check_sentences(sentences), self._encoders()
        flags = [part.foreign(texts) for part in parts if isinstance(part, ReadsEnglishAlone)]
        return _any(flags, len(texts))

    def _encoders(self) -> list[object]:
        """Return the encoders that read sentences, each once."""
        parts: list[object] = [self.encoder] if self.combiner.reads_vectors else []
        trees = self._trees
        if self.combiner.formalism is not None and trees and trees.encoder not in parts:
            parts.append(trees.encoder)
        return parts

    @property
    def _trees(self) -> EmbeddedTrees | None:
        """The embedded tree parser under the parser, if any."""
        # As isinstance(self.parser, HasTreeParser), which takes 20 times as long.
        trees = getattr(self.parser, "tree_parser", None)
        return trees if isinstance(trees, EmbeddedTrees) else None


def _named(name: str, given: str, read: Callable[[str], ResultT]) -> tuple[ResultT, str]:
    """Return the content of a named file, and the file's entry in the settings."""
    path, options = options_of(given, {"sha": str})
    found, sha = read(path), sha256_of(Path(path))
    if options and options["sha"] != sha:
        raise InputError(f"the {name} {path!r} was changed since it was named")
    return found, f"{path},sha={sha}"


def _rows(trees: EmbeddedTrees, encoded: Sequence[Encoded]) -> Float32Array:
    rows = np.array([sentence.vector for sentence in encoded])
    return normalised(rows.reshape(len(encoded), trees.encoder.dimension))


def _any(flags: Sequence[Sequence[bool]], rows: int) -> list[bool]:
    return [any(row) for row in zip(*flags, strict=True)] if flags else [False] * rows


def _check_length(part: str, results: ResultsT, sentences: Sequence[str]) -> ResultsT:
    """Return the results of a part; raise unless there is one for each sentence."""
    if len(results) != len(sentences):
        raise InputError(
            f"the {part} gave {len(results)} results for {len(sentences)} sentences; one each "
            "is needed"
        )
    return results


def _of_few_sentences(pairs: Sequence[tuple[str, str]]) -> Iterator[Sequence[tuple[str, str]]]:
    """Split pairs into runs of at most ``SENTENCES_OPENED`` distinct sentences."""
    at, seen = 0, set[str]()
    for end, pair in enumerate(pairs):
        seen.update(pair)
        if len(seen) > SENTENCES_OPENED:
            yield pairs[at:end]
            at, seen = end, set(pair)
    yield pairs[at:]


def given_pairs(first: Any, second: Any, columns: Sequence[str] | None) -> tuple[list[Any], bool]:
    """Return the pairs in the arguments, and whether there is only one, which is then checked."""
    is_pair = isinstance(first, tuple) and len(first) == 2 and second is None
    if is_pair and any(isinstance(text, str) for text in first):
        first, second = first
    if isinstance(first, str) or isinstance(second, str):
        if columns is not None:
            raise InputError(f"columns= is for a table, got {columns!r:.80} for one pair")
        for side, text in ((1, first), (2, second)):
            if (why := problem(text)) is not None:
                hint = "" if isinstance(text, str) else f"; give {PAIRS}"
                raise InputError(f"sentence {side}: {why}{hint}")
        return [(first, second)], True
    from hybridsem.tables.frames import paired, pairs_in

    if second is None:
        return pairs_in(first, columns), False
    if columns is not None:
        raise InputError("columns= is for a table, and two columns were given")
    return paired(first, second), False


def asked_pairs(
    first: Any, second: Any, columns: Sequence[str] | None
) -> tuple[list[tuple[str, str]], bool]:
    """Return the checked pairs in the arguments, and whether there is only one."""
    pairs, is_one = given_pairs(first, second, columns)
    return pairs if is_one else checked_pairs(pairs), is_one


def checked_pairs(pairs: Iterable[Any]) -> list[tuple[str, str]]:
    """Return the pairs as tuples; :class:`InputError` names the row of the first unusable one."""
    from hybridsem.tables.frames import pairs_in

    checked = []
    for row, pair in enumerate(pairs_in(pairs)):
        if (why := pair_problem(pair)) is not None:
            raise InputError(f"pair {row}: {why}")
        checked.append((pair[0], pair[1]))
    return checked


def pair_problem(pair: Any) -> str | None:
    """Return why something is not a pair of sentences, or None."""
    if isinstance(pair, (str, bytes)) or not isinstance(pair, Sequence) or len(pair) != 2:
        return f"expected two sentences, got {pair!r:.80}"
    sides = ((side, problem(text)) for side, text in enumerate(pair, start=1))
    return next((f"sentence {side}: {why}" for side, why in sides if why), None)
