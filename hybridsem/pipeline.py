"""The façade: a model with its parts, ready to compare, explain, parse and encode sentences."""

from __future__ import annotations

import copy
import math
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Self, TypedDict, Unpack, overload

import numpy as np

from hybridsem._typing import Float32Array, Float64Array
from hybridsem._utils.garbage import relaxed_gc
from hybridsem._utils.progress import counter, in_chunks
from hybridsem._utils.store import Store
from hybridsem._utils.validation import check_count, check_on_error, check_sentences
from hybridsem.combiners.base import Batch, Combiner
from hybridsem.combiners.frames import Frames
from hybridsem.comparison.phrases import phrases_in
from hybridsem.comparison.role_alignment import Normalise
from hybridsem.embeddings.scale import CosineScale
from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import InputError, ParseError
from hybridsem.explanations import Explanation
from hybridsem.facts.reading import read_values
from hybridsem.pair_reader.base import PairReader
from hybridsem.reader import CHUNK, SENTENCES_HELD, Arguments, Reader
from hybridsem.reader.arguments import File
from hybridsem.reader.pairs import (
    Columns,
    OnePair,
    PairsInput,
    TextsInput,
    asked_pairs,
    checked_pairs,
    many_pairs,
    one_pair,
    pair_problem,
    texts_in,
)
from hybridsem.registry import ModelSpec, Parser, SentenceEncoder
from hybridsem.registry.parts import NO_READER
from hybridsem.search import mining, ranking
from hybridsem.search.mining import Match
from hybridsem.search.ranking import RankedDocument
from hybridsem.structures import Parsed, ParseFailure, Parses, RoleStructure

# Heavy modules are imported where they are used, to keep start-up short.
if TYPE_CHECKING:
    from hybridsem.calibration import Calibration, Decision
    from hybridsem.judge.judgement import Judgement
    from hybridsem.search.duplicates import Duplicates
    from hybridsem.search.index import Hit, Index, SearchOptions

    Folder = Index | str | os.PathLike[str]

__all__ = ["Pipeline"]

OWN = "own"
"""The pair reader of the model."""
GONE = {"explain_all": "explain", "judge_all": "judge"}
"""Methods of 0.2.0 and what replaces them."""


class RankOptions(TypedDict, total=False):
    """The options of :meth:`Pipeline.rank`."""

    return_documents: bool
    explain: bool
    on_error: str


class Pipeline:
    """Sentence similarity that reads structure.

    Weights are loaded on first use. ``parser``, ``vectors`` and ``encoder`` replace a part of the
    model; each is a name, a ``kind:argument`` string, or an object.

    Args:
        model: A name of ``hybridsem.registry.models()``.
        parser: Returns role structures; an object has ``parse``, or is a ``Language`` of spaCy.
        vectors: Word vectors; an object has ``embed``.
        encoder: Returns sentence vectors; an object has ``encode``.
        normalise: The divisor of role similarity: ``matched`` or ``total`` for VerbNet-CN.
        frames: The frames whose roles are compared: those of the ``main`` predicates, or ``all``,
            assigned to each other.
        rules: A file of own rewrites to canonical form, applied after the shipped ones, for
            ``hybrid`` (docs/comparison.md).
        phrases: A file of own phrases and abbreviations with their meanings, for ``hybrid``
            (docs/phrases.md).
        pair_reader: Reads both sentences together, for ``hybrid``, and moves the cosine by what it
            finds: ``embedded``, ``onnx:FOLDER``, ``cross-encoder:NAME``, or an object with
            ``read``. By default that of the model, ``embedded`` for ``hybrid`` with its own
            encoder; None compares without one (docs/pair_reader.md).
        weights: A file of ``hybridsem train`` for this model and these parts. Scores and
            explanations then use the learned weights.
        scale: A file of ``hybridsem fit-encoder`` for this encoder. It maps the encoder's cosines
            to the scale that the weights of ``hybrid`` were learned on.
        calibration: A file of ``hybridsem calibrate`` for this model and these parts, for
            :meth:`decide`; scored files then have a probability and a decision.
        text: The form of the texts: ``plain``, ``html`` (tags and entities are left out) or
            ``mail`` (so are greeting, closing and signature).

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
        parser: str | Parser | None = None,
        vectors: str | WordVectors | None = None,
        encoder: str | SentenceEncoder | None = None,
        normalise: Normalise | None = None,
        frames: Frames | None = None,
        rules: File | None = None,
        phrases: File | None = None,
        pair_reader: str | PairReader | None = OWN,
        weights: File | None = None,
        scale: File | None = None,
        calibration: File | None = None,
        text: str | None = None,
    ) -> None:
        named = NO_READER if pair_reader is None else None if pair_reader == OWN else pair_reader
        parts = model, parser, vectors, encoder, normalise, frames, rules, phrases, named
        self.reader = Reader(Arguments(*parts, scale, weights, text=text))
        self.arguments = self.reader.parts.arguments
        self.calibration: Calibration | None = None
        if calibration is not None:
            from hybridsem.calibration.model import calibration_for

            self.calibration, named = calibration_for(self.reader, calibration)
            self.arguments = replace(self.arguments, calibration=named)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if name not in GONE:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            message = f"Pipeline.{name} is deprecated; Pipeline.{GONE[name]} takes many pairs too"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return getattr(self, GONE[name])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.reader.parts.described(self.arguments)})"

    def __copy__(self) -> Self:
        """Return a pipeline whose parts and memory can be replaced."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, reader=copy.copy(self.reader))
        return other

    def without_pair_reader(self) -> Self:
        """Return a pipeline that compares without a pair reader, as :meth:`mine`, :meth:`cluster`,
        :meth:`deduplicate` and an index do.
        """
        other = copy.copy(self)
        other.reader = self.reader.alone()
        return other

    # -- parts and settings

    @property
    def spec(self) -> ModelSpec:
        """The model, as the registry describes it."""
        return self.reader.parts.spec

    @property
    def parser(self) -> Parser:
        """The parser."""
        return self.reader.parts.parser

    @property
    def vectors(self) -> WordVectors:
        """The word vectors."""
        return self.reader.parts.vectors

    @property
    def encoder(self) -> SentenceEncoder:
        """The sentence encoder."""
        return self.reader.parts.encoder

    @property
    def combiner(self) -> Combiner:
        """The comparison of what was read."""
        return self.reader.parts.combiner

    @property
    def scale(self) -> CosineScale | None:
        """The map of the encoder's cosines to the scale that the model's weights were learned on:
        the given one, or the one shipped for this encoder; None if none is needed or known. Raises
        :class:`InputError` if the given scale is for another encoder.
        """
        return self.reader.parts.scale

    @property
    def settings(self) -> dict[str, str]:
        """The arguments of the pipeline: names, and ``<Type>`` for objects. The model's own parser
        is named unless it is ``embedded``. Users, passwords and keys in addresses are left out.
        """
        return self.arguments.settings

    @property
    def unnamed(self) -> tuple[str, ...]:
        """The parts given as objects, which another process cannot make by name."""
        return self.arguments.unnamed

    @property
    def contents(self) -> Mapping[str, str]:
        """The sha256 of each file and folder behind the named parts, by its name in
        :attr:`settings`; for a model of the hub, that of its commit. Raises :class:`InputError` if
        one has changed since the pipeline was made.
        """
        return self.reader.parts.contents

    # -- comparing pairs

    @overload
    def similarity(self, first: OnePair, second: str = ...) -> float: ...  # type: ignore[overload-overlap]
    @overload
    def similarity(
        self, first: PairsInput, second: PairsInput = None, *, columns: Columns = None
    ) -> Float64Array: ...

    def similarity(
        self, first: PairsInput, second: PairsInput = None, *, columns: Columns = None
    ) -> float | Float64Array:
        """Return the similarity of two sentences; their order has no effect.

        Args:
            first: A text, a pair (a tuple of two texts), or many pairs: an iterable, an array
                (n, 2), a data frame, an Arrow table, a data set, a mapping of columns, or the first
                of two columns.
            second: The other text, or the second column.
            columns: The two text columns of a table with other columns, unless their names are
                usual ones (``s1`` and ``s2``, ``sentence1`` and ``sentence2``, …).

        Returns:
            A score in [-1, 1], 1 for a sentence and itself; for many an array, (n,) float64.

        Raises:
            InputError: If a text is not a sentence: blank, or not a string.
            ParseError: If the parser has no structure.

        >>> nlp = Pipeline()
        >>> 0.4 < nlp.similarity("We left before the storm.", "We left after the storm.") < 0.8
        True
        >>> nlp.similarity([("It rains.", "It rains."), ("It rains.", "It pours.")]).shape
        (2,)
        """
        return self.score(first, second, columns=columns)

    @overload
    def score(  # type: ignore[overload-overlap]
        self,
        first: OnePair,
        second: str = ...,
        *,
        progress: bool = False,
        on_error: str = "fail",
    ) -> float: ...
    @overload
    def score(
        self,
        first: PairsInput,
        second: PairsInput = None,
        *,
        columns: Columns = None,
        progress: bool = False,
        on_error: str = "fail",
    ) -> Float64Array: ...

    def score(
        self,
        first: PairsInput,
        second: PairsInput = None,
        *,
        columns: Columns = None,
        progress: bool = False,
        on_error: str = "fail",
    ) -> float | Float64Array:
        """Return :meth:`similarity`, with a progress bar and with failures as NaN if wanted.

        Args:
            first: A text, a pair, or many pairs; see :meth:`similarity`.
            second: The other text, or the second column.
            columns: The two text columns of a table.
            progress: Show a bar on stderr if that is a terminal.
            on_error: ``"fail"`` raises for the first pair without a score and names its row (from
                0), ``"skip"`` gives it NaN.

        >>> pairs = [("A man sings.", "A man is singing."), ("A man sings.", "It rains.")]
        >>> scores = Pipeline().score(pairs)
        >>> scores.shape, bool(scores[0] > scores[1])
        ((2,), True)
        """
        check_on_error(on_error)
        if (pair := one_pair(first, second, columns)) is not None:
            value = float(self.reader.scores([pair])[0])
            if math.isnan(value) and on_error == "fail":
                raise self.reader.failure(pair)
            return value
        given = many_pairs(first, second, columns)
        usable = list(range(len(given)))
        if on_error == "skip":
            usable = [row for row, pair in enumerate(given) if pair_problem(pair) is None]
        checked = list(zip(usable, checked_pairs(given[row] for row in usable), strict=True))
        scores = np.full(len(given), np.nan)
        for chunk in in_chunks(checked, CHUNK, "Scoring", progress and len(checked) > CHUNK):
            of_chunk = self.reader.scores([pair for _, pair in chunk])
            if on_error == "fail" and (failed := np.flatnonzero(np.isnan(of_chunk))).size:
                row, pair = chunk[int(failed[0])]
                raise self.reader.failure(pair, f"pair {row}: ")
            scores[[row for row, _ in chunk]] = of_chunk
        return scores

    @overload
    def explain(self, first: OnePair, second: str = ..., *, words: bool = True) -> Explanation: ...  # type: ignore[overload-overlap]
    @overload
    def explain(
        self,
        first: PairsInput,
        second: PairsInput = None,
        *,
        columns: Columns = None,
        words: bool = True,
    ) -> list[Explanation]: ...

    def explain(
        self,
        first: PairsInput,
        second: PairsInput = None,
        *,
        columns: Columns = None,
        words: bool = True,
    ) -> Explanation | list[Explanation]:
        """Return the score of a pair, or of each of many, with its parts.

        Args:
            first: A text, a pair, or many pairs; see :meth:`similarity`.
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

        >>> explanation = Pipeline().explain("Ann paid 10 euros.", "Ann paid 12 euros.")
        >>> explanation.matches[-1].filler1, explanation.matches[-1].filler2
        ('10 euros', '12 euros')
        """
        pairs, is_one = asked_pairs(first, second, columns)
        explanations = self.reader.explain(pairs, words)
        if is_one and math.isnan(explanations[0].score):
            raise self.reader.failure(pairs[0])
        return explanations[0] if is_one else explanations

    @overload
    def judge(  # type: ignore[overload-overlap]
        self, first: OnePair, second: str = ..., *, precision: float = 0.8, assume: str = ...
    ) -> Judgement: ...
    @overload
    def judge(
        self,
        first: PairsInput,
        second: PairsInput = None,
        *,
        columns: Columns = None,
        precision: float = 0.8,
        assume: str = "situation",
    ) -> list[Judgement]: ...

    @relaxed_gc()
    def judge(
        self,
        first: PairsInput,
        second: PairsInput = None,
        *,
        columns: Columns = None,
        precision: float = 0.8,
        assume: str = "situation",
    ) -> Judgement | list[Judgement]:
        """Return how two sentences relate, the probability of each label, and the reasons.

        The judge was trained with the parts of ``hybrid``: it accepts another parser, but no other
        vectors.

        Args:
            first: A text, a pair, or many pairs; see :meth:`similarity`.
            second: The other text; ``entails`` means that it follows from the first, ``entailed``
                that the first follows from it. Or the second column.
            columns: As for :meth:`similarity`.
            precision: The wanted share of correct labels, from 0 to 1, as measured on other pairs
                with such evidence. A less probable label is ``unsure``; with 0, none is.
            assume: ``situation``: names, definite phrases and pronouns refer to the same things in
                both texts, so words that exclude each other contradict. ``scene``: indefinite
                phrases do too, as in captions of one picture. ``independent``: nothing does.

        Returns:
            A judgement, whose ``label`` is ``same``, ``entails``, ``entailed``, ``differs``,
            ``contradicts``, ``unrelated``, or ``unsure``; a list for many. In a list, the judgement
            of a pair without a structure has no label and the reason as a note.

        Raises:
            InputError: If a text is not a sentence, the precision or the assumption is none, or the
                model is not ``hybrid`` with its own encoder and vectors.
            ParseError: If a single pair has no structure.

        >>> nlp = Pipeline()
        >>> str(nlp.judge("A boy is riding a bike.", "There is no boy riding a bike.").label)
        'contradicts'
        >>> pairs = [("A man sings.", "A man is singing."), ("It rains.", "We bought a house.")]
        >>> [str(judgement.label) for judgement in nlp.judge(pairs)]
        ['same', 'unrelated']
        """
        from hybridsem.judge.judgement import comparison_of, judged
        from hybridsem.judge.labels import checked

        pairs, is_one = asked_pairs(first, second, columns)
        combiner = comparison_of(self.reader)
        if not 0 <= precision <= 1:
            raise InputError(f"precision must be from 0 to 1, got {precision!r}")
        assumed = checked(assume)
        judgements = [
            judgement
            for batch in self.reader.batches(pairs)
            for judgement in judged(combiner, batch, precision, assumed)
        ]
        if is_one and judgements[0].label is None:
            raise ParseError("; ".join(judgements[0].notes))
        return judgements[0] if is_one else judgements

    @overload
    def decide(self, first: OnePair, second: str = ...) -> Decision: ...  # type: ignore[overload-overlap]
    @overload
    def decide(
        self, first: PairsInput, second: PairsInput = None, *, columns: Columns = None
    ) -> list[Decision]: ...

    def decide(
        self, first: PairsInput, second: PairsInput = None, *, columns: Columns = None
    ) -> Decision | list[Decision]:
        """Return the decision of the pipeline's calibration on a pair, or on each of many.

        The arguments and errors are those of :meth:`similarity`; :class:`InputError` for a pipeline
        without a calibration. In a list, a pair without a structure has NaN, NaN and False.

        Returns:
            The score, the probability in [0, 1] that the pair is positive, and whether that reaches
            the calibration's threshold; a list for many.
        """
        pairs, is_one = asked_pairs(first, second, columns)
        if self.calibration is None:
            raise InputError(
                "a decision needs a calibration: Pipeline(calibration=FILE), of `hybridsem "
                "calibrate`"
            )
        decisions = [
            decision
            for batch in self.reader.batches(pairs)
            for decision in self.calibration.decisions(self.reader, batch)
        ]
        if is_one and math.isnan(decisions[0].score):
            raise self.reader.failure(pairs[0])
        return decisions[0] if is_one else decisions

    # -- reading sentences

    @overload
    def parse(self, sentences: str) -> Parsed: ...  # type: ignore[overload-overlap]
    @overload
    def parse(self, sentences: TextsInput) -> Parses: ...

    def parse(self, sentences: TextsInput) -> Parsed | Parses:
        """Return the role structure of a sentence, or of each of many.

        Args:
            sentences: A text, or several; each is parsed as one sentence.

        Returns:
            A structure with its facts and phrases, or a :class:`ParseFailure`; for several a
            list, which notebooks draw.

        >>> parsed = Pipeline().parse("Yesterday Ann gave her brother a bicycle.")
        >>> parsed.main.predicate, parsed.roles["Agent"].text, parsed.roles["Theme"].text
        ('give', 'Ann', 'a bicycle')
        """
        single = isinstance(sentences, str)
        parsed = [
            each if isinstance(each, ParseFailure) else self._with_values(each)
            for each in self.reader.parts.parse(
                check_sentences([sentences] if single else texts_in(sentences))
            )
        ]
        return parsed[0] if single else Parses(parsed)

    def _with_values(self, parsed: RoleStructure) -> RoleStructure:
        """Return a structure with its facts and its phrases of several words."""
        tokens = parsed.tree.tokens if parsed.tree is not None else ()
        phrases = phrases_in(tokens, self.reader.parts.phrases)
        return replace(
            parsed,
            facts=tuple(read_values(parsed.text, tokens)),
            phrases=tuple(phrase for phrase in phrases if len(phrase.tokens) > 1),
        )

    def encode(
        self,
        sentences: TextsInput,
        *,
        unit: bool = True,
        space: str | None = None,
        batch_size: int = CHUNK,
        progress: bool = False,
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
            batch_size: Number of texts that are read at once; it does not change the vectors.
            progress: Show a bar on stderr if that is a terminal.

        Raises:
            InputError: If a text is not a sentence, or the model has no vectors.
            ParseError: If the model needs a structure and a sentence has none.
            UnknownNameError: If there is no such space.

        >>> Pipeline().encode(["A man sings.", "It rains."]).shape
        (2, 384)
        """
        if isinstance(sentences, str):
            row: Float32Array = self.encode([sentences], unit=unit, space=space)[0]
            return row
        check_count(batch_size, "batch_size")
        texts, parts = check_sentences(texts_in(sentences)), self.reader.parts
        vectors = [parts.vectors_in(space, texts[:batch_size], unit)]
        with counter("Encoding", len(texts), progress) as advance:
            for at in range(batch_size, len(texts), batch_size):
                advance(batch_size)
                chunk = texts[at : at + batch_size]
                vectors.append(parts.vectors_in(space, chunk, unit, at))
        return np.concatenate(vectors)

    def read(self, pairs: PairsInput) -> Batch:
        """Read pairs for the :attr:`combiner`.

        A batch has the distinct sentences, their structures and vectors, and the indices of the
        pairs. Raises :class:`InputError` if a pair is not two sentences.

        >>> batch = Pipeline().read([("It rains.", "It pours."), ("It rains.", "We left.")])
        >>> batch.sentences, batch.pairs
        (['It rains.', 'It pours.', 'We left.'], [(0, 1), (0, 2)])
        """
        return self.reader.read(pairs)

    def truncated(self, sentences: TextsInput) -> list[bool]:
        """Return whether a part of the model truncates each sentence.

        >>> Pipeline().truncated(["It rains.", "It rains. " * 200])
        [False, True]
        """
        return self.reader.truncated(check_sentences(texts_in(sentences)))

    def foreign(self, sentences: TextsInput) -> list[bool]:
        """Return whether each sentence is not English. All are False unless a part of the model
        reads only English (the embedded encoder, the embedded trees).

        >>> Pipeline().foreign(["It rains in the hills.", "Es regnet heute in den Bergen."])
        [False, True]
        """
        return self.reader.parts.foreign(check_sentences(texts_in(sentences)))

    @property
    def remembers(self) -> bool:
        """True if structures and vectors of sentences are kept between calls."""
        return self.reader.remembers

    def remember(self, sentences: int, store: Store | None = None) -> None:
        """Keep structures and vectors, so that sentences are not read again.

        Args:
            sentences: Number of the latest sentences to keep in memory; 0 forgets all.
            store: Keeps the structures and vectors of all sentences on disk.
        """
        self.reader.remember(sentences, store)

    def remembering(self, sentences: int = SENTENCES_HELD) -> AbstractContextManager[None]:
        """Remember the latest ``sentences`` within the body. If bodies overlap, in threads or not,
        the last one to end forgets.
        """
        return self.reader.remembering(sentences)

    # -- many sentences

    def similarities(
        self,
        first: TextsInput,
        second: TextsInput = None,
        *,
        on_error: str = "fail",
        progress: bool = False,
    ) -> Float64Array:
        """Return the scores of each sentence with each other one, (n, m) float64: rows are the
        ``first``, columns the ``second``. Each sentence is read once, and each distinct pair scored
        once.

        Args:
            first: The sentences.
            second: The other sentences; None: the first again.
            on_error: ``"fail"`` raises for a sentence or pair without a score and names it (from
                0), ``"skip"`` gives NaN.
            progress: Show a bar on stderr if that is a terminal.

        >>> texts = ["The dog barked.", "It rains.", "The dog was barking."]
        >>> Pipeline().similarities(texts, texts[:2]).round().tolist()
        [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
        """
        given = texts_in(first)
        others = given if second is None else texts_in(second)
        return ranking.similarities(self.reader, given, others, on_error, progress)

    @overload
    def rank(
        self,
        query: str,
        documents: TextsInput,
        top_k: int | None = None,
        **how: Unpack[RankOptions],
    ) -> list[RankedDocument]: ...
    @overload
    def rank(
        self,
        query: list[str] | tuple[str, ...],
        documents: TextsInput,
        top_k: int | None = None,
        **how: Unpack[RankOptions],
    ) -> list[list[RankedDocument]]: ...

    def rank(
        self,
        query: str | list[str] | tuple[str, ...],
        documents: TextsInput,
        top_k: int | None = None,
        return_documents: bool = False,
        explain: bool = False,
        on_error: str = "fail",
    ) -> list[RankedDocument] | list[list[RankedDocument]]:
        """Return the documents by their scores with the query, best first, like
        ``CrossEncoder.rank`` of sentence-transformers: one dict each, with ``corpus_id`` (from 0),
        ``score`` and any requested fields. Documents with equal scores keep their order.

        With ``top_k``, only documents that may be among the best are compared word by word; the
        result is the same. Of more than 100 documents, and four times ``top_k``, a pair reader
        reads only so many, those that score best without it.

        Args:
            query: A sentence; several give a list of lists.
            documents: The sentences to rank.
            top_k: Number of documents to return; None returns all.
            return_documents: Add the document as ``text``.
            explain: Add the :class:`~hybridsem.Explanation` as ``explanation``.
            on_error: ``"fail"`` raises for the first document without a score and names it (from
                0), ``"skip"`` leaves such documents out.

        >>> texts = ["The bank sued the newspaper.", "It rains.", "The newspaper sued the bank."]
        >>> found = Pipeline().rank("The newspaper was sued by the bank.", texts)
        >>> [one["corpus_id"] for one in found]
        [0, 2, 1]
        """
        queries = [query] if isinstance(query, str) else list(query)
        how = top_k, return_documents, explain, on_error
        rows = ranking.rank(self.reader, queries, texts_in(documents), *how)
        return rows[0] if isinstance(query, str) else rows

    def mine(
        self,
        sentences: TextsInput,
        others: TextsInput = None,
        *,
        threshold: float = 0.8,
        top_k: int | None = None,
        other_figures: bool = False,
        on_error: str = "fail",
        progress: bool = False,
    ) -> Iterator[Match]:
        """Yield the pairs of sentences that score ``threshold`` or more, each once, in order:
        within one list, or between its sentences and the ``others``. Pairs of which each has a
        figure, code or operator that the other lacks are left out before anything is compared.

        The encoder reads all sentences. Only pairs whose upper bound reaches the threshold are
        compared word by word; the result is the same. Vectors take 1.5 KB a sentence; other memory
        does not grow. With ``top_k`` in one list, the pairs are yielded at the end.

        Args:
            sentences: The only list, or the first.
            others: The second list.
            threshold: The lowest score, in [-1, 1].
            top_k: Yield only pairs among the ``top_k`` best of one of their sentences; with
                ``others``, of the first.
            other_figures: Also yield pairs with other figures. Templated text has many.
            on_error: ``"fail"`` raises for a sentence that is unusable or has no structure and
                names it (from 0); ``"skip"`` leaves it out.
            progress: Show a bar on stderr if that is a terminal.

        >>> texts = ["The dog barked.", "It rains.", "The dog was barking."]
        >>> [(match.first, match.second) for match in Pipeline().mine(texts)]
        [(0, 2)]
        """
        how = threshold, top_k, on_error, progress, other_figures
        beside = None if others is None else texts_in(others)
        return mining.mine(self.reader.alone(), texts_in(sentences), beside, *how)

    def cluster(
        self,
        sentences: TextsInput,
        *,
        threshold: float = 0.75,
        min_size: int = 2,
        on_error: str = "fail",
        progress: bool = False,
    ) -> list[list[int]]:
        """Return groups of sentences, as numbers from 0, the largest group first: its centre, then
        the sentences that score ``threshold`` or more with it, best first.

        These are the communities of sentence-transformers' ``community_detection``, with scores
        instead of cosines. No sentence is in two groups: the larger group keeps it. Sentences
        without a group are left out.

        Args:
            sentences: The sentences to group.
            threshold: The lowest score with the centre, in [-1, 1].
            min_size: Smallest number of sentences in a group.
            on_error: As for :meth:`mine`.
            progress: Show a bar on stderr if that is a terminal.

        >>> Pipeline().cluster(["The dog barked.", "It rains.", "The dog was barking."])
        [[0, 2]]
        """
        return mining.cluster(
            self.reader.alone(), texts_in(sentences), threshold, min_size, on_error, progress
        )

    def deduplicate(
        self,
        sentences: TextsInput,
        *,
        column: str | None = None,
        threshold: float | None = None,
        probability: float | None = None,
        keep: str = "first",
        reworded: bool = False,
        on_error: str = "fail",
        progress: bool = False,
    ) -> Duplicates:
        """Find the records that mean the same as one that is kept; model ``hybrid``.

        A duplicate scores ``threshold`` or more with the kept record, and every difference between
        the two is known not to matter: case, spacing, punctuation, articles, contractions,
        spelling, the notation of numbers, agreement and synonyms. Anything else keeps both, also
        what is unknown.

        Args:
            sentences: The records: texts, dicts, a data frame, an Arrow table.
            column: The column of the texts, unless its name is a usual one.
            threshold: The lowest score of duplicates, in [-1, 1]; None is 0.8, or 0.9 if
                ``reworded``.
            probability: The lowest probability of the label ``same``; None is 0, or 0.8 if
                ``reworded``.
            keep: The duplicate to keep: the ``"first"`` or the ``"longest"``.
            reworded: Also drop records with other words or another order, but the same figures and
                signs, which the judge labels ``same``, if no edit separates them: exchanged roles,
                another name, a negation, opposites, another quantity, modality or condition. This
                finds more duplicates and makes more errors (docs/search.md).
            on_error: ``"fail"`` raises for a record that is unusable or has no structure and names
                it (from 0); ``"skip"`` keeps those without a structure, and leaves unusable ones
                out of ``kept`` and ``groups``.
            progress: Show a bar on stderr if that is a terminal.

        >>> found = Pipeline().deduplicate(["We've won.", "We have won.", "We have not won."])
        >>> found.kept
        (0, 2)
        """
        from hybridsem.search.duplicates import deduplicate

        texts = texts_in(sentences, column)
        return deduplicate(
            self.reader.alone(), texts, threshold, probability, keep, reworded, on_error, progress
        )

    @overload
    def search(  # type: ignore[overload-overlap]
        self, queries: str, index: Folder, top_k: int = 10, **how: Unpack[SearchOptions]
    ) -> list[Hit]: ...
    @overload
    def search(
        self, queries: Sequence[str], index: Folder, top_k: int = 10, **how: Unpack[SearchOptions]
    ) -> list[list[Hit]]: ...

    def search(
        self,
        queries: str | Sequence[str],
        index: Folder,
        top_k: int = 10,
        **how: Unpack[SearchOptions],
    ) -> list[Hit] | list[list[Hit]]:
        """Return the best texts of an index for a query, or for each of several.

        Args:
            queries: A sentence, or several.
            index: An index that this pipeline made, or its folder.
            top_k: Number of texts to find for each.
            **how: As for :meth:`hybridsem.search.index.Index.search`.
        """
        from hybridsem.search.index import Index

        opened = index if isinstance(index, Index) else Index.open(index, self)
        return opened.search(queries, top_k, **how)
