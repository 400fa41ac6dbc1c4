"""The façade: a model with its parts, ready to compare, explain, parse and encode sentences."""

from __future__ import annotations

import copy
import itertools
import logging
import math
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

import numpy as np

from hybridsem import registry
from hybridsem._typing import Float32Array, Float64Array, IntArray
from hybridsem._utils.disk import sha256_of
from hybridsem._utils.garbage import fewer_collections
from hybridsem._utils.progress import growing, tracked
from hybridsem._utils.validation import check_sentences, problem
from hybridsem.combiners.alignment import Normalise
from hybridsem.combiners.base import Batch, HasBounds, HasScores
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
from hybridsem.registry._parts import options_of, without_secrets
from hybridsem.registry.sources import Sources
from hybridsem.structures import Parsed, ParseFailure, Parses, RoleStructure

# What few pipelines need, such as search and the judge, is imported where it is used: a cold start
# is short.
if TYPE_CHECKING:
    from hybridsem._utils.store import Store
    from hybridsem.combiners.frames import Frames
    from hybridsem.combiners.hybrid import HybridCombiner
    from hybridsem.judge.calibration import Calibration, Decision
    from hybridsem.judge.judgement import Judgement
    from hybridsem.parsers.memory import Memory
    from hybridsem.search.duplicates import Double, Duplicates
    from hybridsem.search.index import Hit, Index
    from hybridsem.search.mining import Match, Scored
    from hybridsem.search.model import Chunk, Elsewhere, Made

__all__ = ["Pipeline"]

_Results = TypeVar("_Results", list[Parsed], list[SplitVector], Float32Array)

_LOG = logging.getLogger("hybridsem")
_REMEMBERING = threading.Lock()

FIRST_PARSER = "embedded"
"""What every model of 0.1.0 read with: its caches, runs and weights do not name it."""

SPACES = {"plain": "embedded", "role": "role-encoder"}
"""The spaces of :meth:`Pipeline.encode`, and the encoder of each."""

CHUNK = 1024
"""Pairs that are worked on at once; keeps memory flat."""

SENT = 64
"""Sentences that are read together elsewhere."""

SENTENCES_HELD = 30_000
"""What is read of so many sentences is kept within a call that compares a sentence with many."""

SENTENCES_OPENED = 1024
"""Distinct sentences whose word vectors are in memory at once when cosines are opened."""


class _Reading(NamedTuple):
    """What a model reads of sentences: structures, unit vectors, what these are the sum of."""

    structures: list[Parsed] | None
    vectors: Float32Array | None
    splits: Sequence[SplitVector] = ()


class Pipeline:
    """Sentence similarity that reads structure.

    A model's own weights are read when first needed. ``parser``, ``vectors`` and ``encoder``
    replace a part of it; each is a name, a ``kind:argument`` string, or an object.

    Args:
        model: A name of ``hybridsem.registry.models()``.
        parser: Gives role structures; an object has ``parse``.
        vectors: Word vectors; an object has ``embed``.
        encoder: Gives sentence vectors; an object has ``encode``.
        normalise: By what role similarity is divided: ``matched`` or ``total`` for VerbNet-CN.
        frames: Whose roles are compared: those of the ``main`` predicates, or of ``all``, assigned
            to each other.
        weights: A file of ``hybridsem train`` for this model and these parts; scores and
            explanations are then what was learned there.
        calibration: A file of ``hybridsem calibrate`` for this model and these parts; then
            :meth:`decide` says what a score means, and scored files have a probability and a
            decision.

    >>> nlp = Pipeline()
    >>> nlp.similarity("The dog chased the cat.", "The dog chased the cat.")
    1.0
    >>> swapped = nlp.similarity("The dog chased the cat.", "The cat chased the dog.")
    >>> swapped < nlp.similarity("The dog chased the cat.", "The cat was chased by the dog.")
    True
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
        calibration: str | os.PathLike[str] | None = None,
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
        self._given = {name: part for name, part in given.items() if part is not None}
        if weights is not None:
            self._learn(str(weights))
        self.calibration: Calibration | None = None
        if calibration is not None:
            self._calibrate(str(calibration))
        self._memory: Memory | None = None
        self._elsewhere: Elsewhere | None = None
        self._said: set[str] = set()

    def _learn(self, weights: str) -> None:
        """Score with learned weights: a file, or as settings have it, ``FILE,sha=HASH``."""
        from hybridsem.learned.combiner import LearnedCombiner, check_features
        from hybridsem.learned.files import read_weights

        path, options = options_of(weights, ["sha"])
        learned, found = read_weights(path), sha256_of(Path(path))
        if options and options["sha"] != found:
            raise InputError(
                f"the weights are not those that were named: {path!r} was changed since"
            )
        defaults = {part: getattr(self.spec, part) for part in ("vectors", "encoder")}
        defaults["parser"] = FIRST_PARSER
        made, here = defaults | dict(learned.pipeline), defaults | self.settings
        if made != here:
            different = sorted(part for part in {*made, *here} if made.get(part) != here.get(part))
            raise InputError(
                f"the weights in {path!r} were made for other features: "
                + ", ".join(
                    f"{part}={made.get(part)!r} and not {here.get(part)!r}" for part in different
                )
                + "; use the parts that they were made for, or train anew"
            )
        known: Any = learned.training.get("contents", {})
        if isinstance(known, dict) and known and known != dict(self.contents):
            raise InputError(
                f"the weights in {path!r} were made for features of other files than "
                f"{', '.join(map(repr, known))} are now; train anew"
            )
        check_features(learned, self.combiner, self.spec.name, path)
        self.combiner = LearnedCombiner(self.combiner, learned)
        self._given["weights"] = f"{path},sha={found}"

    def _calibrate(self, calibration: str) -> None:
        """Decide by a calibration: a file, or as settings have it, ``FILE,sha=HASH``."""
        from hybridsem.judge.calibration import JUDGEMENT, read_calibration

        path, options = options_of(calibration, ["sha"])
        self.calibration, found = read_calibration(path), sha256_of(Path(path))
        if options and options["sha"] != found:
            raise InputError(
                f"the calibration is not that which was named: {path!r} was changed since"
            )
        made, here = dict(self.calibration.pipeline), self.settings
        if different := [name for name in {**made, **here} if made.get(name) != here.get(name)]:
            raise InputError(
                f"the calibration {path!r} was made for other scores: "
                + ", ".join(
                    f"{name}={made.get(name)!r} and not {here.get(name)!r}" for name in different
                )
                + "; calibrate anew, as thresholds of one model mean nothing for another"
            )
        known: Any = self.calibration.training.get("contents", {})
        if known and known != dict(self.contents):
            raise InputError(
                f"the calibration {path!r} was made with other files than "
                f"{', '.join(map(repr, known))} are now; calibrate anew"
            )
        if self.calibration.of == JUDGEMENT:
            _ = self._compares
        self._given["calibration"] = f"{path},sha={found}"

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
        return f"Pipeline({', '.join(shown)})"

    def __reduce__(self) -> tuple[Any, ...]:
        # What was read, and what is remembered, stays here; what an encoder was fitted to goes.
        fitted = isinstance(self.encoder, registry.FittedEncoder) and self.encoder.fitted
        return _made, (self._given,), {"encoder": self.encoder} if fitted else None

    def __copy__(self) -> Pipeline:
        """Another pipeline of the same parts."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _said=set(self._said))
        return other

    @property
    def settings(self) -> dict[str, str]:
        """What the pipeline was made from: names, and ``<Type>`` for parts given as objects.

        The model's own parser is named where it is not :data:`FIRST_PARSER`. Users, passwords and
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

        >>> nlp = Pipeline()
        >>> nlp.remember(1000)
        >>> nlp.remembers
        True
        """
        from hybridsem.parsers.memory import Memory

        parser, of_trees = self.parser, None
        if self._trees is not None and isinstance(parser, ReadsTrees):
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

    def for_call(self) -> Pipeline:
        """This pipeline for one call that compares a sentence with many: with the memory that there
        is, or one of its own, which nobody else can take away.

        >>> nlp = Pipeline()
        >>> nlp.for_call().remembers, nlp.remembers
        (True, False)
        """
        own = copy.copy(self)
        own._said = self._said
        if own._memory is None:
            own.remember(SENTENCES_HELD)
        return own

    @contextmanager
    def reading_elsewhere(self, elsewhere: Elsewhere) -> Iterator[None]:
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
        self, begin: Callable[[Any], Callable[[Chunk], Made]], chunks: Iterable[Chunk]
    ) -> Iterator[Made]:
        """What is made of every chunk, in order: here, or within :meth:`reading_elsewhere` there.

        Args:
            begin: Is given the pipeline, or one like it in another process, and returns what is
                done to each chunk.
            chunks: Anything that can be pickled.

        >>> list(Pipeline().mapped(lambda nlp: nlp.truncated, [["It rains."], ["We left."]]))
        [[False], [False]]
        """
        if self._elsewhere is None:
            yield from map(begin(self), chunks)
        else:
            yield from self._elsewhere.map(begin, chunks)

    def similarity(self, sentence1: str, sentence2: str) -> float:
        """How alike two sentences are; their order changes nothing.

        Args:
            sentence1: The one sentence.
            sentence2: The other.

        Returns:
            A score in [-1, 1]; 1 for a sentence and itself.

        Raises:
            InputError: For text that is no sentence: blank, or not a string.
            ParseError: Where the parser has no structure.

        >>> score = Pipeline().similarity("We left before the storm.", "We left after the storm.")
        >>> 0.4 < score < 0.8
        True
        """
        _check_sentences(sentence1, sentence2)
        pair = sentence1, sentence2
        (score,) = self._scores([pair]).tolist()
        if math.isnan(score):
            _raise_if_failed(self._explain([pair])[0], "")
        return float(score)

    def explain(self, sentence1: str, sentence2: str, *, words: bool = True) -> Explanation:
        """The score with what it is made of; errors as for :meth:`similarity`.

        Args:
            sentence1: The one sentence.
            sentence2: The other.
            words: Open the cosine's line where the encoder can: ``cosine_parts``, the words that
                carry it.

        Returns:
            An explanation, whose ``matches`` add up to its ``score``. It prints as a table and is a
            picture in a notebook.

        >>> explanation = Pipeline().explain("Ann paid 10 euros.", "Ann paid 12 euros.")
        >>> ("10", "12") in [(match.filler1, match.filler2) for match in explanation.matches]
        True
        """
        _check_sentences(sentence1, sentence2)
        (explanation,) = self._explain([(sentence1, sentence2)], words)
        _raise_if_failed(explanation, "")
        return explanation

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

        >>> pairs = [("A man sings.", "It rains."), ("A man sings.", "A man sings.")]
        >>> [round(found.score, 2) for found in Pipeline().explain_all(pairs)][1]
        1.0
        """
        checked = _checked(pairs)
        if not (words and self._opens):
            return self._explain(checked)
        return [
            explanation
            for some in _of_few_sentences(checked)
            for explanation in self._explain(some, words)
        ]

    def score(
        self,
        pairs: Any,
        others: Any = None,
        *,
        columns: Sequence[str] | None = None,
        progress: bool = False,
        on_error: str = "fail",
    ) -> Float64Array:
        """The score of every pair, (n,) float64, in order.

        Args:
            pairs: An iterable of pairs, an array (n, 2), or a pandas or polars data frame, an Arrow
                table, a Hugging Face dataset or a mapping of columns.
            others: The second sentences, where ``pairs`` are the first ones: two columns.
            columns: The two text columns of a table, where their names (``s1`` and ``s2``,
                ``sentence1`` and ``sentence2``, …) do not say it, and it has others.
            progress: Show a bar on stderr when that is a terminal.
            on_error: ``"fail"`` raises for the first pair that has no score and names its row (from
                0), ``"skip"`` gives it NaN.

        Raises:
            InputError: For what is no pair of sentences.
            ParseError: For a pair that the parser has no structure for.

        >>> pairs = [("A man sings.", "A man is singing."), ("A man sings.", "It rains.")]
        >>> scores = Pipeline().score(pairs)
        >>> scores.shape, bool(scores[0] > scores[1])
        ((2,), True)
        """
        from hybridsem.pairs.tables import paired, pairs_in

        if on_error not in ("fail", "skip"):
            raise InputError(f"unknown on_error, got {on_error!r}; it is 'fail' or 'skip'")
        if others is not None and columns is not None:
            raise InputError("columns= is for a table, and two columns were given")
        given = pairs_in(pairs, columns) if others is None else paired(pairs, others)
        usable = list(range(len(given)))
        if on_error == "skip":
            usable = [row for row, pair in enumerate(given) if _pair_problem(pair) is None]
        checked = list(zip(usable, _checked(given[row] for row in usable), strict=True))
        scores = np.full(len(given), np.nan)
        sizes: Iterator[int] = growing(CHUNK) if progress else itertools.repeat(CHUNK)
        rest = iter(checked)
        chunks = list(iter(lambda: list(itertools.islice(rest, next(sizes))), []))
        for chunk in tracked(chunks, len(checked), "Scoring", progress and len(chunks) > 1):
            rows = [row for row, _ in chunk]
            scores[rows] = found = self._scores([pair for _, pair in chunk])
            if on_error == "fail" and (failed := np.flatnonzero(np.isnan(found))).size:
                row, pair = chunk[int(failed[0])]
                _raise_if_failed(self._explain([pair])[0], f"pair {row}: ")
        return scores

    def judge(self, sentence1: str, sentence2: str) -> Judgement:
        """What two sentences are to each other, how probable each label is, and why.

        Learned with the parts of ``hybrid``; another parser will do, other vectors will not.

        Args:
            sentence1: The one sentence.
            sentence2: The other; ``entails`` says that it follows from the first, ``entailed`` that
                the first follows from it.

        Returns:
            A judgement, whose ``label`` is ``same``, ``entails``, ``entailed``, ``differs``,
            ``contradicts`` or ``unrelated``.

        Raises:
            InputError: For text that is no sentence, and for a model other than ``hybrid`` or with
                an encoder or vectors of your own.
            ParseError: Where the parser has no structure.

        >>> found = Pipeline().judge("A boy is riding a bike.", "There is no boy riding a bike.")
        >>> str(found.label)
        'contradicts'
        """
        _check_sentences(sentence1, sentence2)
        (judgement,) = self.judge_all([(sentence1, sentence2)])
        if judgement.label is None:
            raise ParseError("; ".join(judgement.notes))
        return judgement

    def judge_all(self, pairs: Iterable[tuple[str, str]]) -> list[Judgement]:
        """A judgement a pair, in order.

        Args:
            pairs: Of sentences.

        Returns:
            Judgements; that of a pair without structure has no label and the reason as a note.

        Raises:
            InputError: For what is no pair of sentences, and for a model that cannot judge, as
                :meth:`judge` says.

        >>> pairs = [("A man sings.", "A man is singing."), ("It rains.", "We bought a house.")]
        >>> [str(found.label) for found in Pipeline().judge_all(pairs)]
        ['same', 'unrelated']
        """
        from hybridsem.judge.judgement import judged

        combiner, checked = self._compares, _checked(pairs)
        return [
            judgement
            for at in range(0, len(checked), CHUNK)
            for judgement in judged(combiner, self._batch(checked[at : at + CHUNK]))
        ]

    def decide(self, sentence1: str, sentence2: str) -> Decision:
        """What the pipeline's calibration says of a pair.

        Args:
            sentence1: The one sentence.
            sentence2: The other.

        Returns:
            The score, the probability in [0, 1] that the pair is positive, and whether that reaches
            the calibration's threshold.

        Raises:
            InputError: For text that is no sentence, and for a pipeline without calibration.
            ParseError: Where the parser has no structure.

        >>> import tempfile
        >>> from hybridsem.judge.calibration import Calibration
        >>> made = Calibration(Pipeline().settings, "score", (8.0,), -6.0, 0.5)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     made.save(f"{folder}/calibration.json")
        ...     nlp = Pipeline(calibration=f"{folder}/calibration.json")
        ...     nlp.decide("It rains.", "It rains.").decision
        True
        """
        _check_sentences(sentence1, sentence2)
        (decision,) = self.decide_all([(sentence1, sentence2)])
        if math.isnan(decision.score):
            _raise_if_failed(self._explain([(sentence1, sentence2)])[0], "")
        return decision

    def decide_all(self, pairs: Iterable[tuple[str, str]]) -> list[Decision]:
        """A decision a pair, in order.

        Args:
            pairs: Of sentences.

        Returns:
            Decisions as of :meth:`decide`; NaN, NaN and False for a pair without structure.

        Raises:
            InputError: For what is no pair of sentences, and for a pipeline without calibration.
        """
        checked = _checked(pairs)
        return [
            decision
            for at in range(0, len(checked), CHUNK)
            for decision in self.decisions(self._batch(checked[at : at + CHUNK]))
        ]

    def decisions(self, batch: Batch) -> list[Decision]:
        """The decisions of :meth:`decide_all` on pairs that were read.

        Args:
            batch: Of :meth:`read`.

        Raises:
            InputError: For a pipeline without calibration.
        """
        from hybridsem.judge.calibration import Decision

        if self.calibration is None:
            raise InputError(
                "a decision needs a calibration: Pipeline(calibration=FILE), of `hybridsem "
                "calibrate`"
            )
        inputs = self._calibration_inputs(batch, self.calibration.of)
        found = self.calibration.probabilities(inputs)
        rows = zip(inputs[:, 0].tolist(), found.tolist(), strict=True)
        limit = self.calibration.threshold
        return [Decision(score, value, value >= limit) for score, value in rows]

    def calibration_inputs(self, pairs: Iterable[tuple[str, str]], of: str) -> Float64Array:
        """What a calibration reads of pairs, (n, inputs) float64, the score first.

        Args:
            pairs: Of sentences, at least one.
            of: What it calibrates: ``score``, or ``judgement``, for which
                :func:`~hybridsem.judge.calibration.judgement_inputs` are read.
        """
        checked = _checked(pairs)
        chunks = range(0, len(checked), CHUNK)
        return np.concatenate(
            [self._calibration_inputs(self._batch(checked[at : at + CHUNK]), of) for at in chunks]
        )

    def _calibration_inputs(self, batch: Batch, of: str) -> Float64Array:
        from hybridsem.judge.calibration import JUDGEMENT, judgement_inputs

        if of != JUDGEMENT:
            return self._scores_of(batch)[:, None]
        combiner = self._compares
        compared = combiner.compared(batch)
        own = self.combiner is combiner
        scores = combiner.scores_of(batch, compared) if own else self._scores_of(batch)
        return judgement_inputs(batch, compared, scores)

    @property
    def _compares(self) -> HybridCombiner:
        """The comparison whose differences a judgement is made from."""
        from hybridsem.combiners.hybrid import HybridCombiner
        from hybridsem.learned.combiner import LearnedCombiner

        combiner = self.combiner
        if isinstance(combiner, LearnedCombiner):
            combiner = combiner.base
        if not isinstance(combiner, HybridCombiner):
            raise InputError(f"only 'hybrid' can judge pairs, got the model {self.spec.name!r}")
        if given := sorted({"encoder", "vectors"} & self._given.keys()):
            raise InputError(
                f"the judge was learned with the parts of {self.spec.name!r}, got other "
                f"{' and '.join(given)}; leave them out, or learn it anew (models/judge)"
            )
        return combiner

    @overload
    def rank(
        self,
        query: str,
        documents: Iterable[str],
        top_k: int | None = None,
        return_documents: bool = False,
        explain: bool = False,
        on_error: str = "fail",
        near: Float32Array | None = None,
    ) -> list[dict[str, Any]]: ...

    @overload
    def rank(
        self,
        query: list[str] | tuple[str, ...],
        documents: Iterable[str],
        top_k: int | None = None,
        return_documents: bool = False,
        explain: bool = False,
        on_error: str = "fail",
        near: Float32Array | None = None,
    ) -> list[list[dict[str, Any]]]: ...

    def rank(
        self,
        query: str | list[str] | tuple[str, ...],
        documents: Iterable[str],
        top_k: int | None = None,
        return_documents: bool = False,
        explain: bool = False,
        on_error: str = "fail",
        near: Float32Array | None = None,
    ) -> list[dict[str, Any]] | list[list[dict[str, Any]]]:
        """The documents in the order of their scores with the query, best first and equals in their
        order, as ``CrossEncoder.rank`` of sentence-transformers gives them: a dict each, with
        ``corpus_id`` (from 0), ``score`` and what else was asked for.

        With ``top_k`` only those documents are compared word by word that may be among the best;
        the result is that of comparing all.

        Args:
            query: A sentence; several give a list of lists.
            documents: Sentences.
            top_k: How many are wanted; None: all.
            return_documents: Give the document as ``text``.
            explain: Give the :class:`~hybridsem.Explanation` as ``explanation``.
            on_error: ``"fail"`` raises for the first document that is no sentence or has no score
                and names it (from 0), ``"skip"`` leaves such documents out.
            near: What :meth:`near` gives of the documents, all of them usable, where that is known;
                for queries that come one after the other.

        >>> texts = ["The bank sued the newspaper.", "It rains.", "The newspaper sued the bank."]
        >>> found = Pipeline().rank("The newspaper was sued by the bank.", texts)
        >>> [one["corpus_id"] for one in found]
        [0, 2, 1]
        """
        from hybridsem.search.ranking import ranked

        _check_count(top_k, "top_k")
        queries = [query] if isinstance(query, str) else list(query)
        _usable(queries, "query", "fail")
        texts = _listed(documents, "documents")
        numbers = _usable(texts, "document", on_error)
        chosen = [texts[number] for number in numbers]
        rows: list[list[dict[str, Any]]] = []
        own, vectors = self.for_call(), None
        if top_k is not None and top_k < len(chosen):
            if near is None:
                vectors = own.near(queries + chosen)
            elif (of_queries := own.near(queries)) is not None:
                vectors = np.concatenate([of_queries, near])
        rankings = ranked(own, queries, chosen, top_k, vectors)
        for asked, found in zip(queries, rankings, strict=True):
            if on_error == "fail" and found.failed:
                place = min(found.failed)
                (failed,) = own._explain([(asked, chosen[place])])
                _raise_if_failed(failed, f"document {place}: ", (place,))
            places, scores = found.documents.tolist(), found.scores.tolist()
            row: list[dict[str, Any]] = [
                {"corpus_id": numbers[place], "score": score}
                for place, score in zip(places, scores, strict=True)
            ]
            for one in row:
                if return_documents:
                    one["text"] = texts[one["corpus_id"]]
            if explain:
                pairs = [(asked, texts[one["corpus_id"]]) for one in row]
                for one, explanation in zip(row, own.explain_all(pairs), strict=True):
                    one["explanation"] = explanation
            rows.append(row)
        return rows[0] if isinstance(query, str) else rows

    def mine(
        self,
        sentences: Iterable[str],
        others: Iterable[str] | None = None,
        *,
        threshold: float = 0.8,
        top_k: int | None = None,
        on_error: str = "fail",
        progress: bool = False,
    ) -> Iterator[Match]:
        """The pairs of sentences that score ``threshold`` or more, each pair once, in the order of
        their numbers: those of one list, or of its sentences with the ``others``.

        The encoder reads all; compared word by word are only those whose bound reaches the
        threshold, and the result is that of comparing all pairs. They come as they are found;
        vectors take 1.5 KB a sentence, the rest does not grow. With ``top_k`` in one list they come
        at the end.

        Args:
            sentences: Of one list, or the first.
            others: The second list.
            threshold: The least score, in [-1, 1].
            top_k: Only pairs that are among the so many best of one of their sentences; with
                ``others``, of the first.
            on_error: ``"fail"`` raises for a sentence that is none, or that has no structure, and
                names it (from 0); ``"skip"`` leaves it out.
            progress: Show a bar on stderr when that is a terminal.

        >>> texts = ["The dog barked.", "It rains.", "The dog was barking."]
        >>> [(match.first, match.second) for match in Pipeline().mine(texts)]
        [(0, 2)]
        """
        from hybridsem.search.mining import Match

        _check_threshold(threshold)
        _check_count(top_k, "top_k")
        first, numbers = self._chosen(sentences, on_error)
        second, numbers2 = None, numbers
        if others is not None:
            second, numbers2 = self._chosen(others, on_error, "other")
        scored = self._mined(first, second, threshold, on_error, progress)
        if top_k is not None:
            scored = _best(scored, top_k, second is None)
        return (
            Match(score, numbers[one], numbers2[two])
            for some in scored
            for (one, two), score in zip(some.pairs.tolist(), some.scores.tolist(), strict=True)
        )

    def cluster(
        self,
        sentences: Iterable[str],
        *,
        threshold: float = 0.75,
        min_size: int = 2,
        on_error: str = "fail",
        progress: bool = False,
    ) -> list[list[int]]:
        """Groups of sentences, as numbers from 0, the largest first: a centre, which stands first,
        and the sentences that score ``threshold`` or more with it, the best first.

        The communities of sentence-transformers' ``community_detection``, by scores: no sentence is
        in two groups, the larger group keeps what two would share, and what is in no group is not
        listed.

        Args:
            sentences: To be grouped.
            threshold: The least score with the centre, in [-1, 1].
            min_size: How many sentences a group has at least.
            on_error: As for :meth:`mine`.
            progress: Show a bar on stderr when that is a terminal.

        >>> Pipeline().cluster(["The dog barked.", "It rains.", "The dog was barking."])
        [[0, 2]]
        """
        from hybridsem.search.clusters import communities

        _check_threshold(threshold)
        _check_count(min_size, "min_size")
        texts, numbers = self._chosen(sentences, on_error)
        pairs, scores = _all(self._mined(texts, None, threshold, on_error, progress))
        found = communities(len(texts), pairs, scores, min_size)
        return [[numbers[place] for place in group] for group in found]

    def deduplicate(
        self,
        sentences: Iterable[str],
        *,
        threshold: float = 0.9,
        probability: float | None = None,
        keep: str = "first",
        reworded: bool = False,
        on_error: str = "fail",
        progress: bool = False,
    ) -> Duplicates:
        """Which records say the same as one that is kept; model ``hybrid``.

        A double scores ``threshold`` or more with the record that is kept, the judge holds the two
        for the same, and nothing that the comparison finds speaks against it: exchanged roles,
        another number or name, a negation, opposites, another quantity, modality or condition. It
        has the same words in the same order but for articles, contractions, spelling and synonyms,
        unless ``reworded``. Records that are never compared have no candidate by their words, or by
        the encoder's cosine, which the score does not exceed.

        Args:
            sentences: The records.
            threshold: The least score of doubles, in [-1, 1].
            probability: The least probability of the judge's label ``same``; None: 0.5, and 0.9 if
                ``reworded``.
            keep: Which of doubles is kept: the ``"first"`` or the ``"longest"``.
            reworded: Drop what says the same in other words or in another order too: finds more,
                and errs more often, see docs/search.md.
            on_error: ``"fail"`` raises for a record that is no sentence or has no structure, and
                names it (from 0); ``"skip"`` keeps those without structure, and leaves those that
                are no sentences out of ``kept`` and ``groups``.
            progress: Show a bar on stderr when that is a terminal.

        >>> texts = ["We've won.", "We have won.", "We have not won."]
        >>> found = Pipeline().deduplicate(texts)
        >>> found.kept
        (0, 2)
        """
        from hybridsem.english.lemmas import lemmatiser
        from hybridsem.english.lexicon import lexicon
        from hybridsem.search.duplicates import (
            AS_THEY_STAND,
            KEEP,
            REWORDED,
            Double,
            Ruling,
            collected,
            doubles_in,
            grouped,
            plain,
            preferred,
        )
        from hybridsem.search.mining import close, gathered, least_cosine
        from hybridsem.search.surface import Surfaces

        _check_threshold(threshold)
        if probability is None:
            probability = REWORDED if reworded else AS_THEY_STAND
        if not isinstance(probability, (int, float)) or not 0 <= probability <= 1:
            raise InputError(f"a probability is a number in [0, 1], got {probability!r:.80}")
        if keep not in KEEP:
            raise InputError(f"keep is one of {', '.join(KEEP)}; got {keep!r:.80}")
        combiner = self._compares
        texts, numbers = self._chosen(sentences, on_error)
        order = preferred(texts, keep)
        first: dict[str, int] = {}
        dropped: list[tuple[int, int, Double]] = []
        for at in order:
            kept = first.setdefault(plain(texts[at]), at)
            if kept != at:
                dropped.append((numbers[at], numbers[kept], Double(1.0, 1.0, "the same text")))
        places = list(first.values())
        ruling = Ruling(threshold, probability, reworded)

        def compare(
            pairs: Sequence[tuple[int, int]],
        ) -> tuple[list[Double | None], list[int]]:
            given = [(texts[places[one]], texts[places[two]]) for one, two in pairs]
            found, failed = doubles_in(combiner, own._batch(given), ruling)
            if failed and on_error == "fail":
                one, two = (numbers[places[at]] for at in pairs[failed[0]])
                (failure,) = own._explain([given[failed[0]]])
                _raise_if_failed(failure, f"sentences {one} and {two}: ", (one, two))
            return found, failed

        own, unread = self.for_call(), list[int]()
        distinct = [texts[at] for at in places]
        chosen = np.arange(len(places))
        surfaces = None
        if self._trees is not None:  # whose words are those of every parse
            surfaces = Surfaces(distinct, self.truncated, reworded)
            lemma = lemmatiser(self._trees.encoder.folder)
            chosen = surfaces.with_partners(combiner.vectors, lemma, lexicon())
        vectors = own.near([distinct[at] for at in chosen.tolist()], progress)
        assert vectors is not None  # as self._compares has told
        blocks = close(vectors, None, least_cosine(combiner, threshold))
        tracked_blocks = tracked(blocks, len(chosen), "Comparing", progress)
        candidates: Iterable[IntArray] = (chosen[block.pairs] for block in tracked_blocks)
        if surfaces is not None:
            candidates = map(surfaces.not_apart, candidates)
        pairs = gathered(candidates)
        del vectors, blocks, tracked_blocks, candidates, surfaces
        parts = grouped(len(places), pairs, compare)
        total = len(np.unique(pairs))
        for part in tracked(parts, total, "Judging", progress):
            dropped += [
                (numbers[places[two]], numbers[places[one]], double)
                for two, one, double in part.dropped
            ]
            unread += [numbers[places[at]] for at in part.unread]
        return collected(numbers, _followed(dropped), unread)

    def _chosen(
        self, sentences: Iterable[str], on_error: str, what: str = "sentence"
    ) -> tuple[list[str], list[int]]:
        """The usable sentences and their numbers."""
        texts = _listed(sentences, f"{what}s")
        numbers = _usable(texts, what, on_error)
        return [texts[number] for number in numbers], numbers

    def _mined(
        self,
        first: Sequence[str],
        second: Sequence[str] | None,
        threshold: float,
        on_error: str,
        progress: bool,
    ) -> Iterator[Scored]:
        """The pairs of usable sentences that reach the threshold, block by block."""
        from hybridsem.search.mining import all_pairs, close, least_cosine, mined

        own = self.for_call()
        blocks = all_pairs(len(first), None if second is None else len(second))
        vectors = own.near([*first, *(second or ())], progress)
        if vectors is not None:
            least = least_cosine(self.combiner, threshold)
            others = None if second is None else vectors[len(first) :]
            blocks = close(vectors[: len(first)], others, least)
        tracked_blocks = tracked(blocks, len(first), "Comparing", progress)
        for some in mined(own, first, second, tracked_blocks, threshold):
            if on_error == "fail" and some.failed is not None:
                one, two = some.failed
                pair = first[one], (first if second is None else second)[two]
                (failure,) = own._explain([pair])
                _raise_if_failed(failure, f"sentences {one} and {two}: ", (one, two))
            yield some

    def parse(self, sentences: Iterable[str]) -> Parses:
        """A role structure, or a :class:`ParseFailure`, for every sentence, in order.

        Args:
            sentences: Each is parsed as one sentence, whatever is in it.

        Returns:
            A list, which notebooks draw.

        Raises:
            InputError: For text that is blank, or not a string.

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
        vectors = self.mapped(_encoder, chunks)
        for some in tracked(chunks, len(new), "Encoding", progress):
            found = dict(zip(some, next(vectors), strict=True))
            known.update(found)
            if memory is not None:
                memory.store_vectors(found)
        if not sentences:
            return self._encode([])
        return np.stack([known[text] for text in sentences])

    @overload
    def search(
        self, queries: str, index: Index | str | os.PathLike[str], top_k: int = 10, **how: Any
    ) -> list[Hit]: ...
    @overload
    def search(
        self,
        queries: Sequence[str],
        index: Index | str | os.PathLike[str],
        top_k: int = 10,
        **how: Any,
    ) -> list[list[Hit]]: ...

    def search(
        self,
        queries: str | Sequence[str],
        index: Index | str | os.PathLike[str],
        top_k: int = 10,
        **how: Any,
    ) -> list[Hit] | list[list[Hit]]:
        """The best texts of an index for a query, or for each of several.

        Args:
            queries: A sentence, or several.
            index: An index that this pipeline made, or its folder.
            top_k: How many texts to find for each.
            **how: As for :meth:`hybridsem.search.index.Index.search`.

        >>> import tempfile
        >>> from hybridsem.search import Index
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     index = Index.build(["It rains.", "A dog barked."], f"{folder}/index")
        ...     [hit.text for hit in Pipeline().search("A dog was barking.", index, top_k=1)]
        ['A dog barked.']
        """
        from hybridsem.search.index import Index

        opened = index if isinstance(index, Index) else Index.open(index, self)
        return opened.search(queries, top_k, **how)

    def truncated(self, sentences: Iterable[str]) -> list[bool]:
        """For each sentence, whether a part of the model cannot read all of it.

        Args:
            sentences: To be told of, in order.

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
            and self._trees is not None
            and self._trees.encoder not in parts
        ):
            parts.append(self._trees.encoder)
        return parts

    @property
    def _trees(self) -> EmbeddedTrees | None:
        """The embedded trees that the parser reads, if it does."""
        # As isinstance(self.parser, HasTreeParser), which takes 20 times as long; asked often.
        trees = getattr(self.parser, "tree_parser", None)
        return trees if isinstance(trees, EmbeddedTrees) else None

    @property
    def _opens(self) -> bool:
        """Whether the cosine's line of an explanation can be opened."""
        return self.combiner.reads_vectors and isinstance(self.encoder, SplitsVectors)

    @fewer_collections()
    def _scores(self, pairs: Sequence[tuple[str, str]]) -> Float64Array:
        """The scores of checked pairs, (p,); NaN for a failed one."""
        return self._scores_of(self._batch(pairs))

    def _scores_of(self, batch: Batch) -> Float64Array:
        if isinstance(self.combiner, HasScores):
            return self.combiner.scores(batch)
        return np.array([explanation.score for explanation in self.combiner.explain(batch)])

    @fewer_collections()
    def _explain(self, pairs: Sequence[tuple[str, str]], words: bool = False) -> list[Explanation]:
        """Explanations of checked pairs; with ``words`` the cosine's lines are opened."""
        batch = self._batch(pairs, words and self._opens)
        explanations = self.combiner.explain(batch)
        if not batch.splits:
            return explanations
        from hybridsem.combiners.openings import opened

        return list(opened(explanations, batch))

    def read(self, pairs: Iterable[tuple[str, str]]) -> Batch:
        """What the model reads of pairs; a combiner explains it.

        Args:
            pairs: Of sentences.

        Returns:
            A batch: the distinct sentences, their structures and vectors, and the places of the
            pairs.

        Raises:
            InputError: For what is no pair of sentences.

        >>> batch = Pipeline().read([("It rains.", "It pours."), ("It rains.", "We left.")])
        >>> batch.sentences, batch.pairs
        (['It rains.', 'It pours.', 'We left.'], [(0, 1), (0, 2)])
        """
        return self._batch(_checked(pairs))

    @fewer_collections()
    def _batch(self, pairs: Sequence[tuple[str, str]], split: bool = False) -> Batch:
        """A batch of checked pairs; every distinct sentence is read once, ``split`` for what its
        vector is the sum of too.
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
        return Batch(sentences, places, structures, vectors, truncated, coverage, splits, foreign)

    def _say(self, method: str, what: str, flags: Sequence[bool]) -> None:
        """Warn, once, of the sentences that the named method tells."""
        if any(flags) and method not in self._said:
            self._said.add(method)
            _LOG.warning(
                "%d of %d sentences %s; this is said once, Pipeline.%s(sentences) tells which "
                "they are",
                sum(flags),
                len(flags),
                what,
                method,
            )

    def _read(self, sentences: list[str], split: bool) -> _Reading:
        """What the combiner reads; each unremembered sentence once."""
        if (memory := self._memory) is None or not sentences:
            return self._read_now(sentences, split)
        reads_roles, reads_vectors = (
            self.combiner.formalism is not None,
            self.combiner.reads_vectors,
        )
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
        read = list(self.mapped(_reader, chunks))
        structures = [parsed for some in read for parsed in some.structures or ()]
        vectors = [some.vectors for some in read if some.vectors is not None]
        return _Reading(structures or None, np.concatenate(vectors) if vectors else None)

    @property
    def _in_one_pass(self) -> EmbeddedTrees | None:
        """The trees whose encoder's pass gives the sentence vectors as well, if one does."""
        trees = self._trees
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
        assert isinstance(self.encoder, SplitsVectors)  # as _opens has told
        found = self.encoder.split(sentences)
        return () if found is None else _one_each("encoder", list(found), sentences)

    @fewer_collections()
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


def _encoder(nlp: Pipeline) -> Callable[[list[str]], Float32Array]:
    """What gives unit vectors of usable sentences."""
    return nlp._encode


def _reader(nlp: Pipeline) -> Callable[[list[str]], _Reading]:
    """What reads usable sentences."""
    return nlp._read_now


def _made(given: Mapping[str, Any]) -> Pipeline:
    """The pipeline of these arguments: what a pickle calls."""
    return Pipeline(**given)


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


def _of_few_sentences(
    pairs: Sequence[tuple[str, str]],
) -> Iterator[Sequence[tuple[str, str]]]:
    """The pairs in parts of neighbours, at most ``SENTENCES_OPENED`` distinct sentences in each."""
    at, seen = 0, set[str]()
    for end, pair in enumerate(pairs):
        seen.update(pair)
        if len(seen) > SENTENCES_OPENED:
            yield pairs[at:end]
            at, seen = end, set(pair)
    yield pairs[at:]


def _checked(pairs: Iterable[Any]) -> list[tuple[str, str]]:
    """The pairs as tuples; :class:`InputError` names the row of the first that is none."""
    from hybridsem.pairs.tables import pairs_in

    checked = []
    for row, pair in enumerate(pairs_in(pairs)):
        if (why := _pair_problem(pair)) is not None:
            raise InputError(f"pair {row}: {why}")
        checked.append((pair[0], pair[1]))
    return checked


def _best(scored: Iterable[Scored], top_k: int, one_list: bool) -> Iterator[Scored]:
    """Of the scored pairs those that are among the best of a sentence."""
    from hybridsem.search.mining import Scored, best_of_each

    if one_list:  # the last sentence's best may be the first
        scored = [Scored(*_all(scored), None)]
    for some in scored:
        kept = best_of_each(some.pairs, some.scores, top_k, one_list)
        yield Scored(some.pairs[kept], some.scores[kept], None)


def _all(scored: Iterable[Scored]) -> tuple[IntArray, Float64Array]:
    """All scored pairs and their scores."""
    from hybridsem.search.mining import gathered

    scores = [np.empty(0)]

    def pairs() -> Iterator[IntArray]:
        for some in scored:
            scores.append(some.scores)
            yield some.pairs

    found = gathered(pairs())
    return found, np.concatenate(scores)


def _followed(dropped: list[tuple[int, int, Double]]) -> list[tuple[int, int, Double]]:
    """What is dropped, with a partner that is kept: the copy of a text that is dropped itself has
    the partner of that text.
    """
    partner = {number: (kept, double) for number, kept, double in dropped}
    return [
        (number, *partner[kept]) if kept in partner else (number, kept, double)
        for number, kept, double in dropped
    ]


def _check_threshold(threshold: object) -> None:
    if not isinstance(threshold, (int, float)) or not -1 <= threshold <= 1:
        raise InputError(f"a threshold is a number in [-1, 1], got {threshold!r:.80}")


def _check_count(count: object, what: str) -> None:
    if count is not None and (not isinstance(count, int) or count < 1):
        raise InputError(f"{what} is a whole number from 1, got {count!r:.80}")


def _listed(texts: Iterable[str], what: str) -> list[str]:
    """The texts as a list; :class:`InputError` for a single string, or what is no collection."""
    if isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable):
        raise InputError(f"{what} are a list of sentences, got {texts!r:.80}")
    return list(texts)


def _usable(texts: Sequence[str], what: str, on_error: str) -> list[int]:
    """The numbers of the texts that are sentences; with ``on_error="fail"`` that must be all."""
    if on_error not in ("fail", "skip"):
        raise InputError(f"unknown on_error, got {on_error!r}; it is 'fail' or 'skip'")
    usable = []
    for number, text in enumerate(texts):
        if (why := problem(text)) is None:
            usable.append(number)
        elif on_error == "fail":
            raise InputError(f"{what} {number}: {why}")
    return usable


def _check_sentences(sentence1: str, sentence2: str) -> None:
    """:class:`InputError` for a sentence that is none."""
    for side, text in ((1, sentence1), (2, sentence2)):
        if (why := problem(text)) is not None:
            raise InputError(f"sentence {side}: {why}")


def _pair_problem(pair: Any) -> str | None:
    """Why something is not a pair of sentences, or None."""
    if isinstance(pair, (str, bytes)) or not isinstance(pair, Sequence) or len(pair) != 2:
        return f"expected two sentences, got {pair!r:.80}"
    why = [
        f"sentence {side}: {found}"
        for side, text in enumerate(pair, start=1)
        if (found := problem(text))
    ]
    return why[0] if why else None


def _raise_if_failed(explanation: Explanation, where: str, rows: tuple[int, ...] = ()) -> None:
    """A typed error for an explanation without score."""
    if math.isnan(explanation.score):
        raise ParseError("; ".join(explanation.notes) or "no score", where, rows)
