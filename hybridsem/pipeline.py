"""The façade: a model with its parts, ready to compare, explain, parse and encode sentences."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from hybridsem import registry
from hybridsem._typing import Float32Array, Float64Array
from hybridsem._utils.garbage import relaxed_gc
from hybridsem._utils.progress import growing, tracked
from hybridsem._utils.validation import problem
from hybridsem.combiners.alignment import Normalise
from hybridsem.combiners.base import Batch, scores_of
from hybridsem.embeddings.words import WordVectors
from hybridsem.errors import InputError, ParseError
from hybridsem.explanations import Explanation
from hybridsem.reader import CHUNK, Reader, checked_pairs, pair_problem

# What few pipelines need, such as search and the judge, is imported where it is used: a cold start
# is short.
if TYPE_CHECKING:
    from hybridsem.calibration import Calibration, Decision
    from hybridsem.combiners.frames import Frames
    from hybridsem.judge.judgement import Judgement
    from hybridsem.search.duplicates import Duplicates
    from hybridsem.search.index import Hit, Index
    from hybridsem.search.mining import Match

__all__ = ["Pipeline"]


class Pipeline(Reader):
    """Sentence similarity that reads structure.

    A model's own weights are read when first needed. ``parser``, ``vectors`` and ``encoder``
    replace a part of it; each is a name, a ``kind:argument`` string, or an object.

    Args:
        model: A name of ``hybridsem.registry.models()``.
        parser: Gives role structures; an object has ``parse``, or is a ``Language`` of spaCy.
        vectors: Word vectors; an object has ``embed``.
        encoder: Gives sentence vectors; an object has ``encode``.
        normalise: By what role similarity is divided: ``matched`` or ``total`` for VerbNet-CN.
        frames: Whose roles are compared: those of the ``main`` predicates, or of ``all``, assigned
            to each other.
        weights: A file of ``hybridsem train`` for this model and these parts; scores and
            explanations are then what was learned there.
        scale: A file of ``hybridsem fit-encoder`` for this encoder, whose cosines it brings to the
            scale that the weights of ``hybrid`` were learned on.
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
        scale: str | os.PathLike[str] | None = None,
        calibration: str | os.PathLike[str] | None = None,
    ) -> None:
        super().__init__(
            model,
            parser=parser,
            vectors=vectors,
            encoder=encoder,
            normalise=normalise,
            frames=frames,
            weights=weights,
            scale=scale,
        )
        self.calibration: Calibration | None = None
        if calibration is not None:
            from hybridsem.calibration.decisions import calibration_for

            self.calibration = calibration_for(self, str(calibration))

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
        pair = _checked(sentence1, sentence2)
        (score,) = self._scores([pair]).tolist()
        if math.isnan(score):
            raise self.failure(pair)
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
        pair = _checked(sentence1, sentence2)
        (explanation,) = self.explain_all([pair], words=words)
        if math.isnan(explanation.score):
            raise self.failure(pair)
        return explanation

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
        from hybridsem.tables.frames import paired, pairs_in

        if on_error not in ("fail", "skip"):
            raise InputError(f"unknown on_error, got {on_error!r}; it is 'fail' or 'skip'")
        if others is not None and columns is not None:
            raise InputError("columns= is for a table, and two columns were given")
        given = pairs_in(pairs, columns) if others is None else paired(pairs, others)
        usable = list(range(len(given)))
        if on_error == "skip":
            usable = [row for row, pair in enumerate(given) if pair_problem(pair) is None]
        checked = list(zip(usable, checked_pairs(given[row] for row in usable), strict=True))
        scores = np.full(len(given), np.nan)
        sizes: Iterator[int] = growing(CHUNK) if progress else itertools.repeat(CHUNK)
        rest = iter(checked)
        chunks = list(iter(lambda: list(itertools.islice(rest, next(sizes))), []))
        for chunk in tracked(chunks, len(checked), "Scoring", progress and len(chunks) > 1):
            rows = [row for row, _ in chunk]
            scores[rows] = found = self._scores([pair for _, pair in chunk])
            if on_error == "fail" and (failed := np.flatnonzero(np.isnan(found))).size:
                row, pair = chunk[int(failed[0])]
                raise self.failure(pair, f"pair {row}: ")
        return scores

    @relaxed_gc()
    def _scores(self, pairs: Sequence[tuple[str, str]]) -> Float64Array:
        """The scores of checked pairs, (p,); NaN for a failed one."""
        return scores_of(self.combiner, self.batch(pairs))

    def _batches(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Batch]:
        """The pairs, checked, in batches that memory can hold."""
        checked = checked_pairs(pairs)
        return (self.batch(checked[at : at + CHUNK]) for at in range(0, len(checked), CHUNK))

    def judge(self, sentence1: str, sentence2: str, *, precision: float = 0.8) -> Judgement:
        """What two sentences are to each other, how probable each label is, and why.

        Learned with the parts of ``hybrid``; another parser will do, other vectors will not.

        Args:
            sentence1: The one sentence.
            sentence2: The other; ``entails`` says that it follows from the first, ``entailed`` that
                the first follows from it.
            precision: How often labels are to be right; see :meth:`judge_all`.

        Returns:
            A judgement, whose ``label`` is ``same``, ``entails``, ``entailed``, ``differs``,
            ``contradicts``, ``unrelated``, or ``unsure``.

        Raises:
            InputError: For text that is no sentence, and for a model other than ``hybrid`` or with
                an encoder or vectors of your own.
            ParseError: Where the parser has no structure.

        >>> found = Pipeline().judge("A boy is riding a bike.", "There is no boy riding a bike.")
        >>> str(found.label)
        'contradicts'
        """
        (judgement,) = self.judge_all([_checked(sentence1, sentence2)], precision=precision)
        if judgement.label is None:
            raise ParseError("; ".join(judgement.notes))
        return judgement

    def judge_all(
        self, pairs: Iterable[tuple[str, str]], *, precision: float = 0.8
    ) -> list[Judgement]:
        """A judgement a pair, in order.

        Args:
            pairs: Of sentences.
            precision: How often labels were right, on pairs not learned from and by evidence such
                as theirs, from 0 to 1: a less probable one is ``unsure``. 0 gives every pair the
                most probable label.

        Returns:
            Judgements; that of a pair without structure has no label and the reason as a note.

        Raises:
            InputError: For what is no pair of sentences, a precision that is none, and for a model
                that cannot judge, as :meth:`judge` says.

        >>> pairs = [("A man sings.", "A man is singing."), ("It rains.", "We bought a house.")]
        >>> [str(found.label) for found in Pipeline().judge_all(pairs)]
        ['same', 'unrelated']
        """
        from hybridsem.judge.judgement import comparison_of, judged

        combiner = comparison_of(self)
        if not 0 <= precision <= 1:
            raise InputError(f"precision must be from 0 to 1, got {precision!r}")
        return [
            found
            for batch in self._batches(pairs)
            for found in judged(combiner, batch, precision=precision)
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
        >>> from hybridsem.calibration import Calibration
        >>> made = Calibration(Pipeline().settings, "score", (8.0,), -6.0, 0.5)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     made.save(f"{folder}/calibration.json")
        ...     nlp = Pipeline(calibration=f"{folder}/calibration.json")
        ...     nlp.decide("It rains.", "It rains.").decision
        True
        """
        pair = _checked(sentence1, sentence2)
        (decision,) = self.decide_all([pair])
        if math.isnan(decision.score):
            raise self.failure(pair)
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
        return [found for batch in self._batches(pairs) for found in self.decisions(batch)]

    def decisions(self, batch: Batch) -> list[Decision]:
        """The decisions of :meth:`decide_all` on pairs that were read.

        Args:
            batch: Of :meth:`read`.

        Raises:
            InputError: For a pipeline without calibration.
        """
        from hybridsem.calibration.decisions import decisions

        return decisions(self, self.calibration, batch)

    def calibration_inputs(self, pairs: Iterable[tuple[str, str]], of: str) -> Float64Array:
        """What a calibration reads of pairs, (n, inputs) float64, the score first.

        Args:
            pairs: Of sentences, at least one.
            of: What it calibrates: ``score``, or ``judgement``, for which
                :func:`~hybridsem.calibration.decisions.calibration_inputs` are read.
        """
        from hybridsem.calibration.decisions import inputs_of_pairs

        return inputs_of_pairs(self, pairs, of)

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
        from hybridsem.search.ranking import rank

        queries = [query] if isinstance(query, str) else list(query)
        rows = rank(self, queries, documents, top_k, return_documents, explain, on_error, near)
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
        from hybridsem.search.mining import mine

        return mine(self, sentences, others, threshold, top_k, on_error, progress)

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
        from hybridsem.search.mining import cluster

        return cluster(self, sentences, threshold, min_size, on_error, progress)

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
        from hybridsem.search.duplicates import deduplicate

        return deduplicate(
            self, sentences, threshold, probability, keep, reworded, on_error, progress
        )

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


def _checked(sentence1: str, sentence2: str) -> tuple[str, str]:
    """The pair; :class:`InputError` for a sentence that is none."""
    for side, text in ((1, sentence1), (2, sentence2)):
        if (why := problem(text)) is not None:
            raise InputError(f"sentence {side}: {why}")
    return sentence1, sentence2
