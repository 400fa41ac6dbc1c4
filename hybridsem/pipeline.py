"""The façade: a model with its parts, ready to compare, explain, parse and encode sentences."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.garbage import relaxed_gc
from hybridsem._utils.progress import tracked
from hybridsem.combiners.base import Batch, scores_of
from hybridsem.errors import InputError, ParseError
from hybridsem.reader import CHUNK, Reader, asked_pairs, checked_pairs, given_pairs, pair_problem

# Rarely needed modules are imported where they are used, to keep start-up short.
if TYPE_CHECKING:
    from hybridsem.calibration import Calibration, Decision
    from hybridsem.judge.judgement import Judgement
    from hybridsem.search.duplicates import Duplicates
    from hybridsem.search.index import Hit, Index
    from hybridsem.search.mining import Match

    Folder = Index | str | os.PathLike[str]

__all__ = ["Pipeline"]

Columns = Sequence[str] | None
GONE = {"explain_all": "explain", "judge_all": "judge"}
"""Methods of 0.2.0 and what replaces them."""


class RankOptions(TypedDict, total=False):
    """The options of :meth:`Pipeline.rank`."""

    return_documents: bool
    explain: bool
    on_error: str


class Pipeline(Reader):
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
        weights: A file of ``hybridsem train`` for this model and these parts. Scores and
            explanations then use the learned weights.
        scale: A file of ``hybridsem fit-encoder`` for this encoder. It maps the encoder's cosines
            to the scale that the weights of ``hybrid`` were learned on.
        calibration: A file of ``hybridsem calibrate`` for this model and these parts, for
            :meth:`decide`; scored files then have a probability and a decision.

    >>> nlp = Pipeline()
    >>> nlp.similarity("The dog chased the cat.", "The dog chased the cat.")
    1.0
    >>> swapped = nlp.similarity("The dog chased the cat.", "The cat chased the dog.")
    >>> swapped < nlp.similarity("The dog chased the cat.", "The cat was chased by the dog.")
    True
    """

    calibration: Calibration | None

    def _calibration_of(self, file: str) -> Calibration:
        from hybridsem.calibration.model import calibration_for

        return calibration_for(self, file)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name not in GONE:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            message = f"Pipeline.{name} is deprecated; Pipeline.{GONE[name]} takes many pairs too"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return getattr(self, GONE[name])

    @overload
    def similarity(self, first: str | tuple[str, str], second: str = ...) -> float: ...
    @overload
    def similarity(
        self, first: Any, second: Any = None, *, columns: Columns = None
    ) -> Float64Array: ...

    def similarity(self, first: Any, second: Any = None, *, columns: Columns = None) -> Any:
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
    def score(
        self,
        first: str | tuple[str, str],
        second: str = ...,
        *,
        progress: bool = False,
        on_error: str = "fail",
    ) -> float: ...
    @overload
    def score(
        self,
        first: Any,
        second: Any = None,
        *,
        columns: Columns = None,
        progress: bool = False,
        on_error: str = "fail",
    ) -> Float64Array: ...

    def score(
        self,
        first: Any,
        second: Any = None,
        *,
        columns: Columns = None,
        progress: bool = False,
        on_error: str = "fail",
    ) -> Any:
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
        if on_error not in ("fail", "skip"):
            raise InputError(f"unknown on_error, got {on_error!r}; it is 'fail' or 'skip'")
        given, is_one = given_pairs(first, second, columns)
        if is_one:
            value = float(self._scores(given)[0])
            if math.isnan(value) and on_error == "fail":
                raise self._failure(given[0])
            return value
        usable = list(range(len(given)))
        if on_error == "skip":
            usable = [row for row, pair in enumerate(given) if pair_problem(pair) is None]
        checked = list(zip(usable, checked_pairs(given[row] for row in usable), strict=True))
        scores = np.full(len(given), np.nan)
        chunks = [checked[at : at + CHUNK] for at in range(0, len(checked), CHUNK)]
        for chunk in tracked(chunks, len(checked), "Scoring", progress and len(chunks) > 1):
            rows = [row for row, _ in chunk]
            scores[rows] = found = self._scores([pair for _, pair in chunk])
            if on_error == "fail" and (failed := np.flatnonzero(np.isnan(found))).size:
                row, pair = chunk[int(failed[0])]
                raise self._failure(pair, f"pair {row}: ")
        return scores

    @relaxed_gc()
    def _scores(self, pairs: Sequence[tuple[str, str]]) -> Float64Array:
        """Return the scores of checked pairs, (p,); NaN for failures."""
        return scores_of(self.combiner, self._batch(pairs))

    def _batches(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Batch]:
        """Read checked pairs in batches that fit in memory."""
        return (self._batch(pairs[at : at + CHUNK]) for at in range(0, len(pairs), CHUNK))

    @overload
    def judge(
        self, first: str | tuple[str, str], second: str = ..., *, precision: float = 0.8
    ) -> Judgement: ...
    @overload
    def judge(
        self, first: Any, second: Any = None, *, columns: Columns = None, precision: float = 0.8
    ) -> list[Judgement]: ...

    @relaxed_gc()
    def judge(
        self, first: Any, second: Any = None, *, columns: Columns = None, precision: float = 0.8
    ) -> Any:
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

        Returns:
            A judgement, whose ``label`` is ``same``, ``entails``, ``entailed``, ``differs``,
            ``contradicts``, ``unrelated``, or ``unsure``; a list for many. In a list, the judgement
            of a pair without a structure has no label and the reason as a note.

        Raises:
            InputError: If a text is not a sentence, the precision is out of range, or the model is
                not ``hybrid`` with its own encoder and vectors.
            ParseError: If a single pair has no structure.

        >>> nlp = Pipeline()
        >>> str(nlp.judge("A boy is riding a bike.", "There is no boy riding a bike.").label)
        'contradicts'
        >>> pairs = [("A man sings.", "A man is singing."), ("It rains.", "We bought a house.")]
        >>> [str(judgement.label) for judgement in nlp.judge(pairs)]
        ['same', 'unrelated']
        """
        from hybridsem.judge.judgement import comparison_of, judged

        pairs, is_one = asked_pairs(first, second, columns)
        combiner = comparison_of(self)
        if not 0 <= precision <= 1:
            raise InputError(f"precision must be from 0 to 1, got {precision!r}")
        batches = self._batches(pairs)
        found = [one for batch in batches for one in judged(combiner, batch, precision=precision)]
        if is_one and found[0].label is None:
            raise ParseError("; ".join(found[0].notes))
        return found[0] if is_one else found

    @overload
    def decide(self, first: str | tuple[str, str], second: str = ...) -> Decision: ...
    @overload
    def decide(
        self, first: Any, second: Any = None, *, columns: Columns = None
    ) -> list[Decision]: ...

    def decide(self, first: Any, second: Any = None, *, columns: Columns = None) -> Any:
        """Return the decision of the pipeline's calibration on a pair, or on each of many.

        The arguments and errors are those of :meth:`similarity`; :class:`InputError` for a pipeline
        without a calibration. In a list, a pair without a structure has NaN, NaN and False.

        Returns:
            The score, the probability in [0, 1] that the pair is positive, and whether that reaches
            the calibration's threshold; a list for many.
        """
        from hybridsem.calibration.model import decisions

        pairs, is_one = asked_pairs(first, second, columns)
        batches = self._batches(pairs)
        found = [one for batch in batches for one in decisions(self, self.calibration, batch)]
        if is_one and math.isnan(found[0].score):
            raise self._failure(pairs[0])
        return found[0] if is_one else found

    @overload
    def rank(
        self,
        query: str,
        documents: Iterable[str],
        top_k: int | None = None,
        **how: Unpack[RankOptions],
    ) -> list[dict[str, Any]]: ...
    @overload
    def rank(
        self,
        query: list[str] | tuple[str, ...],
        documents: Iterable[str],
        top_k: int | None = None,
        **how: Unpack[RankOptions],
    ) -> list[list[dict[str, Any]]]: ...

    def rank(
        self,
        query: str | list[str] | tuple[str, ...],
        documents: Iterable[str],
        top_k: int | None = None,
        return_documents: bool = False,
        explain: bool = False,
        on_error: str = "fail",
    ) -> list[dict[str, Any]] | list[list[dict[str, Any]]]:
        """Return the documents by their scores with the query, best first, like
        ``CrossEncoder.rank`` of sentence-transformers: one dict each, with ``corpus_id`` (from 0),
        ``score`` and any requested fields. Documents with equal scores keep their order.

        With ``top_k``, only documents that may be among the best are compared word by word; the
        result is the same.

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
        from hybridsem.search.ranking import rank

        queries = [query] if isinstance(query, str) else list(query)
        rows = rank(self, queries, documents, top_k, return_documents, explain, on_error, None)
        return rows[0] if isinstance(query, str) else rows

    def mine(
        self,
        sentences: Iterable[str],
        others: Iterable[str] | None = None,
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
        from hybridsem.search.mining import mine

        how = threshold, top_k, on_error, progress, other_figures
        return mine(self, sentences, others, *how)

    def cluster(
        self,
        sentences: Iterable[str],
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
        from hybridsem.search.mining import cluster

        return cluster(self, sentences, threshold, min_size, on_error, progress)

    def deduplicate(
        self,
        sentences: Iterable[str],
        *,
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
            sentences: The records.
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

        return deduplicate(
            self, sentences, threshold, probability, keep, reworded, on_error, progress
        )

    @overload
    def search(self, queries: str, index: Folder, top_k: int = 10, **how: Any) -> list[Hit]: ...
    @overload
    def search(
        self, queries: Sequence[str], index: Folder, top_k: int = 10, **how: Any
    ) -> list[list[Hit]]: ...

    def search(
        self, queries: str | Sequence[str], index: Folder, top_k: int = 10, **how: Any
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
