"""Texts of several sentences: sentences aligned, each pair of counterparts compared once.

    text 1, text 2 ──> sentences ──cosines──> pairs of sentences      aligned_sentences
                   ──the model──> a base and penalties of each pair   hybrid
                   ──> score

The score of ``hybrid`` is at most the base b of the whole texts, so that bounds hold:

    score  = b · (1 - S · (1 - exp(-K · n · sum of charges)))
    charge = r^E · (P + W · (1 - b'))   of counterparts, with base b' and penalties P
    charge = r^E · L · (1 - c)          of a sentence without counterpart, c from its best

r is the mean base of the other sentences: one changed fact counts in full if all else is the same,
however long the text. n rises from 0 to 1 with b. Where the encoder cuts a text, b is at most the
mean base of the aligned sentences. Constants: ``data/passages.json``
(``models/hybrid/passages.py``).

For other models that read structure, each sentence has the score of its best in the other text; the
score is the mean of both texts, by words. Both are symmetric, in [-1, 1], and 1 for equal texts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem._utils.exact import power
from hybridsem.combiners.aligned_sentences import (
    AlignedSentences,
    aligned_by,
    aligned_by_vectors,
    shares_of,
)
from hybridsem.combiners.base import Batch, Combiner, HasScores
from hybridsem.combiners.hybrid import COSINE, HybridCombiner
from hybridsem.combiners.roles import RoleCombiner, role_scores
from hybridsem.combiners.sentence import sentence_line
from hybridsem.combiners.weighting import PassageWeighting
from hybridsem.explanations import Explanation, RoleMatch, SentencePair, Term

CONSTANTS = "passages.json"
SENTENCES, PAIRS = 2048, 4096
"""The most sentences of texts that are compared together, and pairs of sentences."""
NO_SENTENCE = "no sentence of one of the texts can be parsed"


@cache
def shipped_passages() -> PassageWeighting:
    """Return the shipped constants; :class:`AssetError` if they are missing or damaged."""
    return PassageWeighting.shipped(CONSTANTS)


def scores_of(combiner: Combiner, batch: Batch) -> Float64Array:
    """Return the scores of a batch's pairs, (p,); NaN for a failed one."""
    alone, parts = divided(batch)
    found = np.empty(len(batch.pairs))
    if alone:
        found[alone] = _scores(combiner, batch.of_rows(alone))
    for rows in parts:
        far = _far(combiner, batch, rows)
        near = [row for row in rows if row not in far]
        found[[*far]] = [*far.values()]
        if near:
            found[near] = _compared(combiner, batch, near).scores()
    return found


def explained(combiner: Combiner, batch: Batch) -> list[Explanation]:
    """Return an explanation of each pair of a batch."""
    alone, parts = divided(batch)
    found = dict(zip(alone, combiner.explain(batch.of_rows(alone)), strict=True))
    for rows in parts:
        found.update(zip(rows, _compared(combiner, batch, rows).explanations(), strict=True))
    return [found[row] for row in range(len(batch.pairs))]


def divided(batch: Batch) -> tuple[list[int], Iterator[list[int]]]:
    """Return the rows of pairs of single sentences, and the others in parts of at most
    :data:`SENTENCES` sentences, or of one row.
    """
    several = [batch.has_several(pair) for pair in batch.pairs]
    alone = [row for row, split in enumerate(several) if not split]
    return alone, _parts(batch, [row for row, split in enumerate(several) if split])


def _far(combiner: Combiner, batch: Batch, rows: Sequence[int]) -> dict[int, float]:
    """Return the cosines of texts that have too little in common for charges, by row; they are the
    scores, so that the sentences need not be read.
    """
    if not isinstance(combiner, HybridCombiner) or combiner.pair_reader is not None:
        return {}
    assert batch.passages is not None
    cut, least = batch.passages.cut, shipped_passages().nearness
    cosines = zip(rows, batch.of_rows(rows).cosines().tolist(), strict=True)
    return {
        row: cosine
        for row, cosine in cosines
        if cosine <= least and cut.isdisjoint(pair := batch.pairs[row]) and not batch.failed(pair)
    }


def _parts(batch: Batch, rows: Sequence[int]) -> Iterator[list[int]]:
    part, held = list[int](), 0
    for row in rows:
        size = sum(len(batch.sentences_in(at)) for at in batch.pairs[row])
        if part and held + size > SENTENCES:
            yield part
            part, held = [], 0
        part.append(row)
        held += size
    if part:
        yield part


def _scores(combiner: Combiner, batch: Batch) -> Float64Array:
    """Return the scores of pairs of sentences, (p,)."""
    if isinstance(combiner, HasScores):
        return combiner.scores(batch)
    return np.array([explanation.score for explanation in combiner.explain(batch)])


@dataclass(frozen=True)
class Passage:
    """Two texts, by their indices in alphabetical order: the sentences of each that can be read, by
    their numbers in the batch of sentences, and the alignment; None without any.
    """

    pair: tuple[int, int]
    sentences: tuple[IntArray, IntArray]
    aligned: AlignedSentences | None = None

    def cells(self) -> IntArray:
        """Return the aligned sentences by their numbers in the batch, (k, 2)."""
        if self.aligned is None:
            return np.empty((0, 2), np.int64)
        first, second = self.sentences
        return np.stack([first[self.aligned.first], second[self.aligned.second]], axis=1)


class Parts(NamedTuple):
    """The parts of the score of two texts, which add up to it.

    ``cosine`` is that of the wholes. ``together`` is what reading counterparts together adds,
    ``limit`` what the rest of cut texts takes. ``edits`` and ``wording`` are what each aligned pair
    takes, (k,): for its edits, and for all else.
    """

    cosine: float
    together: float
    limit: float
    edits: Float64Array
    wording: Float64Array

    @property
    def score(self) -> float:
        """The sum of the parts, in [-1, 1]."""
        taken = (*self.edits.tolist(), *self.wording.tolist())
        return min(1.0, max(-1.0, math.fsum((self.cosine, self.together, self.limit, *taken))))


class _Compared:
    """Some pairs of texts of a batch, by their ``rows``, compared by sentences.

    ``batch`` has the sentences of all, each once.
    """

    def __init__(self, combiner: Combiner, texts: Batch, rows: Sequence[int]) -> None:
        assert texts.passages is not None
        self.combiner, self.texts, self.rows = combiner, texts, rows
        pairs = [texts.canonical(texts.pairs[row]) for row in rows]
        split = {at: texts.sentences_in(at) for pair in pairs for at in pair}
        asked = list(dict.fromkeys(text for some in split.values() for text in some))
        self.batch = texts.passages.read([(text, text) for text in asked])
        parsed = self.batch.parsed()
        place = {text: at for text, (at, _) in zip(asked, self.batch.pairs, strict=True)}
        numbers = {
            at: np.array([place[text] for text in some if place[text] in parsed], np.int64)
            for at, some in split.items()
        }
        self.passages = [
            self._aligned(Passage(pair, (numbers[pair[0]], numbers[pair[1]]))) for pair in pairs
        ]

    def _aligned(self, passage: Passage) -> Passage:
        """Return the passage with its alignment."""
        one, two = passage.sentences
        if not len(one) or not len(two):
            return passage
        texts = [[self.batch.sentences[at] for at in side] for side in (one, two)]
        return replace(passage, aligned=self._align(one, two, *texts))

    def _align(
        self, one: IntArray, two: IntArray, first: Sequence[str], second: Sequence[str]
    ) -> AlignedSentences:
        """Align by vectors."""
        vectors = self.batch.unit_vectors
        found = aligned_by_vectors(first, second, vectors[one], vectors[two])
        cosines = found.similarities
        scaled = np.where(cosines == 1, 1.0, self.batch.scaled(cosines))
        return found._replace(similarities=np.asarray(scaled))

    def by_pairs(self, values: Float64Array) -> list[Float64Array]:
        """Return values of the cells of all passages, (cells,), for each passage."""
        ends = np.cumsum([len(passage.cells()) for passage in self.passages])
        return np.split(values, ends[:-1])

    def cells(self, ordered: bool = False) -> IntArray:
        """Return the cells of all passages, (cells, 2), ``ordered`` as their texts in the rows."""
        found = [np.empty((0, 2), np.int64)]
        for row, passage in zip(self.rows, self.passages, strict=True):
            turned = ordered and self.texts.pairs[row] != passage.pair
            found.append(passage.cells()[:, ::-1] if turned else passage.cells())
        return np.concatenate(found)

    def _explanation(
        self,
        at: int,
        model: str,
        lines: Sequence[RoleMatch],
        score: float,
        parts: Sequence[Explanation | None],
        details: Mapping[str, float],
    ) -> Explanation:
        """Return the explanation of a row, by its place, with ``lines`` and ``parts`` in the order
        of its texts.
        """
        row, passage = self.rows[at], self.passages[at]
        pair, aligned = self.texts.pairs[row], passage.aligned
        notes = self.texts.notes(pair)
        sentences: list[SentencePair] = []
        if aligned is None:
            notes = (*notes, NO_SENTENCE)
        else:
            rows = zip(aligned.first, aligned.second, aligned.similarities, parts, strict=True)
            for number, (one, two, similarity, part) in enumerate(rows):
                ends: list[int | None] = [int(one) + 1, int(two) + 1]
                if aligned.is_lone(number):
                    ends[0 if aligned.best2[number] else 1] = None
                first, second = ends if pair == passage.pair else ends[::-1]
                sentences.append(SentencePair(first, second, float(similarity), part))
            sentences.sort(
                key=lambda each: (each.sentence1 or math.inf, each.sentence2 or math.inf)
            )
        return Explanation(
            self.texts.sentences[pair[0]],
            self.texts.sentences[pair[1]],
            score,
            model,
            tuple(lines),
            notes=notes,
            details=details,
            truncated=self.texts.cut(pair),
            foreign=self.texts.is_non_english(pair),
            sentences=tuple(sentences),
        )


class ComparedPassages(_Compared):
    """Texts compared by :class:`HybridCombiner`: the base of the wholes, and charges.

    ``mutual`` marks the cells of counterparts, (cells,).
    """

    def __init__(self, combiner: HybridCombiner, texts: Batch, rows: Sequence[int]) -> None:
        super().__init__(combiner, texts, rows)
        self.hybrid, self.constants = combiner, shipped_passages()
        self.cosines = texts.of_rows(rows).cosines()
        mutual = [one.aligned.mutual for one in self.passages if one.aligned is not None]
        self.mutual = np.concatenate([np.empty(0, bool), *mutual])

    def scores(self) -> Float64Array:
        """Return the scores of the rows, (r,); NaN for texts without a sentence."""
        return np.array([parts.score for parts in self.parts(self.measured())])

    def measured(self) -> Float64Array:
        """Return the cosine, base and penalties of all counterparts, (counterparts, 3)."""
        cells = self.cells()[self.mutual]
        found = [np.empty((0, 3))]
        for at in range(0, len(cells), PAIRS):
            batch = self.batch.narrowed(cells[at : at + PAIRS])
            compared = self.hybrid.compared(batch)
            read = self.hybrid.readings(batch, compared)
            found.append(self.hybrid.measured(batch, compared, read))
        return np.concatenate(found)

    def parts(self, measured: Float64Array) -> list[Parts]:
        """Return the parts of the scores of the rows, by the cosines, bases and penalties of all
        counterparts, (counterparts, 3).
        """
        table = np.zeros((len(self.mutual), 3))
        table[self.mutual] = measured
        rows = zip(self.passages, self.cosines.tolist(), self.by_pairs(table), strict=True)
        return [self._parts_of(*row) for row in rows]

    def _parts_of(self, passage: Passage, cosine: float, measured: Float64Array) -> Parts:
        aligned, constants = passage.aligned, self.constants
        if aligned is None:
            return Parts(math.nan, 0.0, 0.0, np.empty(0), np.empty(0))
        mutual, weights = aligned.mutual, aligned.weights()
        cosines, bases, penalties = measured.T
        bases = np.where(mutual, bases, aligned.similarities)
        together = math.fsum((weights * (bases - cosines))[mutual].tolist())
        most = float(self.hybrid.weighting.bounds(np.array(cosine)))
        together = min(together, most - cosine)
        base, limit = cosine + together, 0.0
        read = self.texts.passages
        assert read is not None
        if passage.pair[0] != passage.pair[1] and not read.cut.isdisjoint(passage.pair):
            limit = min(0.0, math.fsum((weights * bases).tolist()) - base)
        base += limit
        lacking = np.maximum(1 - bases, 0) * np.where(mutual, constants.wording, constants.lone)
        rest = power(np.clip(aligned.rest(bases), 0, 1), constants.exponent)
        charges = rest * (penalties + lacking)
        total = math.fsum(charges.tolist())
        if not total or base <= 0:
            return Parts(cosine, together, limit, np.zeros(len(bases)), np.zeros(len(bases)))
        rate = -base * constants.loss(base, total) / total
        return Parts(cosine, together, limit, rate * rest * penalties, rate * rest * lacking)

    def explanations(self) -> list[Explanation]:
        """Return the explanations of the rows."""
        cells = self.cells(ordered=True)[self.mutual]
        measured, parts = [np.empty((0, 3))], list[Explanation]()
        for at in range(0, len(cells), PAIRS):
            batch = self.batch.narrowed(cells[at : at + PAIRS])
            explained_pairs, figures = self.hybrid.explain_and_measure(batch)
            measured.append(figures)
            parts += explained_pairs
        of_cells = np.full(len(self.mutual), None, object)
        of_cells[self.mutual] = parts
        found = []
        for at, (own, of_row) in enumerate(
            zip(self.parts(np.concatenate(measured)), self.by_pairs(of_cells), strict=True)
        ):
            explanations: list[Explanation | None] = of_row.tolist()
            lines = self._lines(at, own, explanations) if self.passages[at].aligned else []
            details = {COSINE: own.cosine}
            model = self.hybrid.model
            found.append(self._explanation(at, model, lines, own.score, explanations, details))
        return found

    def _lines(
        self, at: int, parts: Parts, explanations: Sequence[Explanation | None]
    ) -> list[RoleMatch]:
        """Return the lines of a row, by its place: of the wholes, then the costliest first."""
        whole = [sentence_line(parts.cosine, 1.0)]
        for term, added in ((Term.TOGETHER, parts.together), (Term.LIMIT, parts.limit)):
            if added:
                whole.append(_line(added, 1.0, added, term))
        passage, lines = self.passages[at], list[RoleMatch]()
        assert passage.aligned is not None
        turned = self.texts.pairs[self.rows[at]] != passage.pair
        rows = zip(
            passage.cells().tolist(), explanations, passage.aligned.similarities, strict=True
        )
        for place, ((one, two), part, similarity) in enumerate(rows):
            edits, wording = float(parts.edits[place]), float(parts.wording[place])
            texts = [self.batch.sentences[end] for end in (one, two)]
            if part is not None and edits:
                lines += _edit_lines(part, edits)
            if wording:
                term = Term.LONE if part is None else Term.WORDING
                lines.append(
                    _line(float(similarity), None, wording, term, texts[::-1] if turned else texts)
                )
        return [*whole, *sorted(lines, key=lambda line: line.contribution)]


class _OfBest(_Compared):
    """By any other model: the scores of each sentence's best."""

    def _align(
        self, one: IntArray, two: IntArray, first: Sequence[str], second: Sequence[str]
    ) -> AlignedSentences:
        """Align by vectors, or without any by the scores of all pairs."""
        if self.batch.vectors is not None:
            return super()._align(one, two, first, second)
        cells = np.stack(np.meshgrid(one, two, indexing="ij"), axis=-1).reshape(-1, 2)
        table = self._scores(cells).reshape(len(one), len(two))
        return aligned_by(table, shares_of(first), shares_of(second))

    def _scores(self, cells: IntArray) -> Float64Array:
        """Return the scores of pairs of sentences, (n,), each distinct one scored once."""
        distinct, inverse = np.unique(cells, axis=0, return_inverse=True)
        found = np.ones(len(distinct))
        others = np.flatnonzero(distinct[:, 0] != distinct[:, 1])
        for at in range(0, len(others), PAIRS):
            some = others[at : at + PAIRS]
            batch = self.batch.narrowed(distinct[some])
            if type(self.combiner) is RoleCombiner:  # subclasses score differently
                found[some] = role_scores(self.combiner, batch)
            else:
                found[some] = _scores(self.combiner, batch)
        return np.asarray(found[inverse.ravel()])

    def _of_cells(self) -> list[Float64Array]:
        if self.batch.vectors is not None:
            return self.by_pairs(self._scores(self.cells()))
        none = np.empty(0)
        return [none if p.aligned is None else p.aligned.similarities for p in self.passages]

    def scores(self) -> Float64Array:
        return np.array(
            [
                math.nan if one.aligned is None else _mean(one.aligned.weights(), values)
                for one, values in zip(self.passages, self._of_cells(), strict=True)
            ]
        )

    def explanations(self) -> list[Explanation]:
        name = str(getattr(self.combiner, "model", type(self.combiner).__name__))
        found = []
        for at, (passage, values) in enumerate(zip(self.passages, self._of_cells(), strict=True)):
            if passage.aligned is None:
                found.append(self._explanation(at, name, (), math.nan, (), {}))
                continue
            weights = passage.aligned.weights()
            turned = self.texts.pairs[self.rows[at]] != passage.pair
            lines = [
                _line(
                    value, weight, weight * value, Term.BEST_MATCH, ends[::-1] if turned else ends
                )
                for value, weight, ends in zip(
                    values.tolist(),
                    weights.tolist(),
                    ([self.batch.sentences[end] for end in cell] for cell in passage.cells()),
                    strict=True,
                )
            ]
            score, none = _mean(weights, values), [None] * len(lines)
            found.append(self._explanation(at, name, lines, score, none, {}))
        return found


def _compared(combiner: Combiner, texts: Batch, rows: Sequence[int]) -> ComparedPassages | _OfBest:
    if isinstance(combiner, HybridCombiner):
        return ComparedPassages(combiner, texts, rows)
    return _OfBest(combiner, texts, rows)


def _mean(weights: Float64Array, values: Float64Array) -> float:
    """Return a weighted mean; exactly 1 if all values are."""
    if (values == 1).all():
        return 1.0
    return min(1.0, max(-1.0, math.fsum((weights * values).tolist())))


def _line(
    similarity: float,
    weight: float | None,
    added: float,
    term: str,
    texts: Sequence[str | None] = (None, None),
) -> RoleMatch:
    """Return a line; without a weight, it follows from the similarity."""
    if weight is None:
        weight = added / similarity if similarity else 0.0
    first, second = texts
    return RoleMatch(None, None, first, second, similarity, weight, added, term)


def _edit_lines(part: Explanation, amount: float) -> list[RoleMatch]:
    """Return the lines of the edits of two sentences, with contributions that add up to an amount.

    Their words are those of the sentences, which have their own explanation.
    """
    edits = [line for line in part.matches if line.term not in (Term.SENTENCE, Term.TOGETHER)]
    taken = math.fsum(line.contribution for line in edits)
    if not taken:
        return [_line(amount, 1.0, amount, Term.LIMIT, (part.sentence1, part.sentence2))]
    return [
        _line(
            line.similarity,
            None,
            amount * line.contribution / taken,
            line.label,
            (line.filler1, line.filler2),
        )
        for line in edits
    ]
