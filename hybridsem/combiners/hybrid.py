"""The hybrid: a sentence encoder's cosine minus a penalty for each difference, word by word.

    sentence ──> words with their governors     comparison.reading
    two of them ──> aligned words               comparison.alignment
                ──> edits of each kind          comparison.differences
    cosine, amounts of the terms ──> score      weighting

Each kind of edit is a term, whose amount is the sum of their masses. Each edit has its share of the
term's contribution, so that the lines of an explanation, the cosine's first, add up to the score.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, IntArray
from hybridsem._utils.exact import on_grid
from hybridsem.combiners.base import Batch
from hybridsem.combiners.sentence import sentence_line, together_line
from hybridsem.combiners.weighting import Together, Weighted, Weighting, log_odds
from hybridsem.comparison.alignment import AlignedWords, align_words
from hybridsem.comparison.differences import differences
from hybridsem.comparison.edits import CHARGED, Edit
from hybridsem.comparison.logic import Relation
from hybridsem.comparison.phrases import UnitRelation, link_phrases
from hybridsem.comparison.reading import reader_with
from hybridsem.comparison.sentence import Sentence
from hybridsem.comparison.spelling import Speller, line_cells, speller
from hybridsem.embeddings.words import Coverage, WordVectors, filler_vectors
from hybridsem.english.lexicon import LexicalRelation, Lexicon, lexicon
from hybridsem.english.rules import Rules, shipped
from hybridsem.errors import InputError
from hybridsem.explanations import AlignedPair, Explanation, RoleMatch
from hybridsem.facts.reading import written_as
from hybridsem.pair_reader import PairReader, Readings
from hybridsem.phrases import PhraseLexicon
from hybridsem.structures import RoleStructure, Token

CONSTANTS, READ_TOGETHER = "comparison.json", "read_together.json"
"""The constants of the comparison, and of a pair reader in it."""
COSINE, CERTAINTY, TOGETHER = "cosine", "certainty", "read together"
TERMS = tuple(kind.value for kind in CHARGED)
COLUMN = {kind: number for number, kind in enumerate(CHARGED)}
TINY = 5e-4
"""Lines that contribute less are merged into one."""
CONVERSE = "converse"
"""The relation of partners with one meaning and exchanged arguments: "buy" and "sell"."""
ALIKE = (1.0, 1.0, 0.0, 1.0, 1.0)
"""The readings of a text and itself."""
COSINE_ROUNDING = 1e-6
"""The largest rounding error of a cosine in a table of many."""


@cache
def shipped_weighting(together: bool = False) -> Weighting:
    """Return the learned constants (``models/hybrid``), those of a pair reader too if ``together``.

    Raises :class:`AssetError` if the file is missing or damaged.
    """
    weighting = Weighting.shipped(CONSTANTS)
    if together:
        return replace(weighting, together=Together.shipped(READ_TOGETHER))
    return weighting


class ReadSentence(NamedTuple):
    """A sentence as it is compared, and its words' unit vectors, (words, d), :func:`on_grid`."""

    words: Sentence
    vectors: Float32Array


class Compared(NamedTuple):
    """The differences of two sentences; ``first`` is the index of ``words1`` in the batch.
    ``units`` are the relations of their phrases, by the heads of these.
    """

    first: int
    words1: Sentence
    words2: Sentence
    aligned: tuple[AlignedWords, ...]
    edits: Sequence[Edit] = ()
    confidence: float = 0.0
    converses: tuple[AlignedWords, ...] = ()
    units: Mapping[tuple[int, int], UnitRelation] = MappingProxyType({})

    def amounts(self) -> dict[str, float]:
        """Return the amounts of the terms that occur, in the order of the terms."""
        row = zip(TERMS, self.row(), strict=True)
        return {term: amount for term, amount in row if amount}

    def row(self) -> list[float]:
        """Return the amounts of all terms, in order."""
        row = [0.0] * len(TERMS)
        for edit in self.edits:
            row[COLUMN[edit.kind]] += edit.mass
        return row

    def spellers(self, batch: Batch, pair: tuple[int, int]) -> tuple[Speller, Speller]:
        """Return the spellers of a pair's sentences; the comparison must be :meth:`in_order`."""
        one, two = (batch.structures[index] if batch.structures else None for index in pair)
        words = self.words1, self.words2
        first, second = (
            speller(parsed, side.forms, side.units)
            for parsed, side in zip((one, two), words, strict=True)
        )
        return first, second

    def in_order(self, pair: tuple[int, int]) -> Compared:
        """Return the comparison with the sentences in the order of a pair."""
        if self.first == pair[0]:
            return self
        return Compared(
            pair[0],
            self.words2,
            self.words1,
            tuple(one.inverted for one in self.aligned),
            tuple(edit.inverted for edit in self.edits),
            self.confidence,
            tuple(one.inverted for one in self.converses),
            {(two, one): relation.inverted for (one, two), relation in self.units.items()},
        )


@dataclass(frozen=True)
class HybridCombiner:
    """The cosine of sentence vectors minus a penalty for the differences.

    ``constants`` weigh the terms, ``rules`` give sentences their canonical form, ``phrases`` are
    compared as one word; None means those that ship. A ``pair_reader`` moves the cosine by what it
    finds in both sentences.
    """

    model: str
    vectors: WordVectors
    constants: Weighting | None = None
    rules: Rules | None = None
    phrases: PhraseLexicon | None = None
    pair_reader: PairReader | None = None
    formalism = "verbnet"
    reads_vectors = True
    terms = TERMS

    def sentence(self, structure: RoleStructure) -> Sentence:
        """Read a sentence as it is compared."""
        return reader_with(self.rules or shipped(), self.lexicon)(structure)

    @property
    def lexicon(self) -> PhraseLexicon:
        """The phrases in use."""
        return self.phrases or PhraseLexicon.standard()

    @cached_property
    def weighting(self) -> Weighting:
        """The constants in use; raises :class:`InputError` for terms that do not exist."""
        found = self.constants or shipped_weighting(self.pair_reader is not None)
        if unknown := sorted({*found.terms} - {*TERMS}):
            raise InputError(f"constants of terms that the comparison lacks, got {unknown}")
        return found

    def bounds(self, batch: Batch, rows: IntArray, columns: IntArray) -> Float64Array:
        """Return upper bounds of the scores of sentences ``rows`` with ``columns``, (r, c)."""
        vectors = batch.unit_vectors
        cosines = np.asarray(vectors[rows] @ vectors[columns].T, np.float64)
        return self.weighting.bounds(batch.scaled(np.clip(cosines + 2 * COSINE_ROUNDING, -1, 1)))

    def readings(self, batch: Batch, compared: Sequence[Compared | None]) -> Readings | None:
        """Return what the pair reader reads in pairs that were compared before, (p,) each; not a
        number without a structure, and for a sentence and itself. Sentences that differ at most in
        how they write values and phrases are not read: they are alike. Return None without a
        reader.
        """
        reader = self.pair_reader
        if reader is None:
            return None
        texts = {
            row: _as_read(batch, pair, one)
            for row, (pair, one) in enumerate(zip(batch.pairs, compared, strict=True))
            if one is not None and pair[0] != pair[1]
        }
        pairs = {row: both for row, both in texts.items() if len({t.rstrip(".") for t in both}) > 1}
        chances = np.full((len(Readings._fields), len(batch.pairs)), np.nan)
        if pairs:
            chances[:, list(pairs)] = reader.read([*pairs.values()])
        chances[:, list(texts.keys() - pairs.keys())] = np.array(ALIKE)[:, None]
        return Readings(*chances)

    def compared(
        self, batch: Batch, read: Mapping[int, ReadSentence] | None = None
    ) -> list[Compared | None]:
        """Compare the sentences of each pair; None if one has no structure.

        ``read`` maps indices to sentences that were read before; the batch then needs no
        structures.
        """
        if read is None:
            read = self._read(batch)
        relations = lexicon(), self.lexicon
        known: dict[tuple[int, int], Compared] = {}
        found: list[Compared | None] = []
        for pair in batch.pairs:
            if pair[0] not in read or pair[1] not in read:
                found.append(None)
                continue
            key = batch.canonical(pair)
            if key not in known:
                known[key] = _compare(*key, read, *relations)
            found.append(known[key])
        return found

    def _read(self, batch: Batch) -> dict[int, ReadSentence]:
        """Read the sentences of a batch that have a structure, by index."""
        found = {index: self.sentence(structure) for index, structure in batch.parsed().items()}
        sentences = with_vectors(list(found.values()), partial(word_rows, self.vectors))
        return dict(zip(found, sentences, strict=True))

    def scores(self, batch: Batch) -> Float64Array:
        """Return the scores of :meth:`explain`, (p,), to the last bit."""
        compared = self.compared(batch)
        return self.scores_of(batch, compared, self.readings(batch, compared))

    def scores_of(
        self,
        batch: Batch,
        compared: Sequence[Compared | None],
        read: Readings | None = None,
    ) -> Float64Array:
        """Return the scores of pairs that were compared, and ``read`` together, before, (p,); NaN
        without a structure.
        """
        found = self._weighted(batch, compared, read).scores
        failed = np.array([one is None for one in compared], bool)
        return np.where(failed, np.nan, np.clip(found, -1, 1))

    def measured(
        self, batch: Batch, compared: Sequence[Compared | None], read: Readings | None
    ) -> Float64Array:
        """Return the cosine, the base and the penalties of pairs that were compared, (p, 3)."""
        found = self._weighted(batch, compared, read)
        return np.column_stack([batch.cosines(), found.bases, found.penalties])

    def _weighted(
        self, batch: Batch, compared: Sequence[Compared | None], read: Readings | None
    ) -> Weighted:
        amounts = dict(zip(TERMS, _table(compared).T, strict=True))
        odds = None if read is None else log_odds(read)
        return self.weighting.weighted(batch.cosines(), amounts, odds)

    def explain(self, batch: Batch) -> list[Explanation]:
        """Explain each pair with a line for the cosine, and one for each difference."""
        return self.explain_and_measure(batch)[0]

    def explain_and_measure(self, batch: Batch) -> tuple[list[Explanation], Float64Array]:
        """Return :meth:`explain` and :meth:`measured` of one comparison."""
        read = self._read(batch)
        batch = _covered(batch, read)
        compared = self.compared(batch, read)
        names = [*self.weighting.terms]
        cosines = batch.cosines()
        readings = self.readings(batch, compared)
        weighted = self._weighted(batch, compared, readings)
        shown = np.full(len(cosines), np.nan) if readings is None else readings.similarity
        columns = cosines, *weighted[:3], shown
        rows = zip(batch.pairs, compared, *(one.tolist() for one in columns), strict=True)
        explanations = []
        for number, (pair, found, cosine, score, added, together, meaning) in enumerate(rows):
            if found is None:
                explanations.append(batch.explanation(pair, self.model, ()))
                continue
            contributions = dict(zip(names, added, strict=True))
            found = found.in_order(pair)
            amounts = found.amounts()
            rates = {name: contributions.get(name, 0.0) / amounts[name] for name in amounts}
            lines = _lines(found.edits, rates, found.spellers(batch, pair))
            if together and readings is not None:
                lines.insert(0, together_line(meaning, together, readings.finding(number)))
            lines.insert(0, sentence_line(cosine, 1.0))
            certainty = {CERTAINTY: found.confidence} if found.confidence else {}
            details = {COSINE: cosine, **amounts, **certainty}
            if not math.isnan(meaning):
                details[TOGETHER] = meaning
            explanation = batch.explanation(pair, self.model, lines, details, score)
            explanations.append(replace(explanation, alignment=_alignment(batch, pair, found)))
        measured = np.column_stack([cosines, weighted.bases, weighted.penalties])
        return explanations, measured


def with_vectors(
    sentences: Sequence[Sentence], rows_of: Callable[[list[tuple[str, str]]], Float32Array]
) -> list[ReadSentence]:
    """Return sentences with the vectors of their words, which ``rows_of`` reads once each."""
    row: dict[tuple[str, str], int] = {}
    rows = [[row.setdefault(word, len(row)) for word in content_words(one)] for one in sentences]
    table = on_grid(rows_of(list(row))).astype(np.float32)
    return [ReadSentence(one, table[at]) for one, at in zip(sentences, rows, strict=True)]


def content_words(words: Sentence) -> list[tuple[str, str]]:
    """Return the lemma and the form of each content word; of a unit, twice the form of its head."""
    forms = words.forms
    return [
        (forms[token] if token in words.units else words.lemmas[token], forms[token])
        for token in words.words
    ]


def word_rows(vectors: WordVectors, words: Sequence[tuple[str, str]]) -> Float32Array:
    """Return the unit vectors of words, (words, d), by their lemmas, or else by their forms."""
    table = filler_vectors(vectors, [(lemma,) for lemma, _ in words])
    unknown = [
        at for at in np.flatnonzero(~table.any(axis=1)).tolist() if words[at][0] != words[at][1]
    ]
    if unknown:
        table[unknown] = filler_vectors(vectors, [(words[at][1],) for at in unknown])
    return table


def _covered(batch: Batch, read: Mapping[int, ReadSentence]) -> Batch:
    """Return the batch with the coverage of every sentence's content words added."""
    found = list(batch.coverage) or [Coverage()] * len(batch.sentences)
    for index, (words, vectors) in read.items():
        unknown = np.flatnonzero(~vectors.any(axis=1)).tolist()
        lemmas = content_words(words)
        found[index] += Coverage(len(lemmas), tuple(lemmas[at][0] for at in unknown))
    return replace(batch, coverage=found)


def _compare(
    first: int,
    second: int,
    read: Mapping[int, ReadSentence],
    relations: Lexicon,
    phrases: PhraseLexicon,
) -> Compared:
    """Compare two sentences of those that were read; a sentence has no difference to itself."""
    (words1, vectors1), (words2, vectors2) = read[first], read[second]
    if first == second:
        same = tuple(
            AlignedWords(i, i, 1.0, LexicalRelation.SAME, 1.0) for i in range(len(words1.words))
        )
        return Compared(first, words1, words2, same)
    cosines = vectors1.astype(np.float64) @ vectors2.astype(np.float64).T
    if (linked := link_phrases(words1, words2, phrases)) is None:
        alignment = align_words(words1, words2, cosines, relations)
        found = differences(words1, words2, alignment, relations)
        return Compared(first, words1, words2, alignment.pairs, *found)
    words1, words2, cosines = linked.first, linked.second, cosines[np.ix_(*linked.kept)]
    alignment = align_words(words1, words2, cosines, relations, linked.related())
    found = differences(words1, words2, alignment, relations)
    return Compared(first, words1, words2, alignment.pairs, *found, linked.relations)


def _as_read(batch: Batch, pair: tuple[int, int], compared: Compared) -> tuple[str, str]:
    """Return two texts as a pair reader gets them: equal values and equivalent phrases are written
    alike.
    """
    text1, text2 = (batch.sentences[index] for index in pair)
    if not (compared.words1.units or compared.words2.units):
        return text1, text2
    if text2 < text1:  # whatever their order
        return _as_read(batch, pair[::-1], compared)[::-1]
    if compared.units:
        text2 = _with_phrases_of(batch, pair, compared.in_order(pair))
    return text1, written_as(text2, text1)[0]


def _with_phrases_of(batch: Batch, pair: tuple[int, int], compared: Compared) -> str:
    """Return the second text with its phrases as the first one has equivalent ones, where both are
    inflected alike.
    """
    text = batch.sentences[pair[1]]
    tree1, tree2 = (batch.tree(index) for index in pair)
    if tree1 is None or tree2 is None or tree2.text != text:
        return text
    parts: list[tuple[int, int, str]] = []
    for (one, two), (relation, _) in compared.units.items():
        if relation is Relation.EQUIVALENT and _inflection(tree1[one]) == _inflection(tree2[two]):
            words = [tree1[at].text for at in compared.words1.units[one].tokens]
            for at in compared.words2.units[two].tokens:
                parts.append((tree2[at].start, tree2[at].end, " ".join(words)))
                words = []
    for start, end, way in sorted(parts, reverse=True):
        text = text[:start] + way + text[end:]
    return " ".join(text.split()) if parts else text


def _inflection(token: Token) -> tuple[bool, str]:
    """Return whether a word is its lemma, and its ending if that may be one of inflection."""
    form = token.text.lower()
    base = form == token.lemma.lower()
    return base, "" if base else next((end for end in ("ing", "s") if form.endswith(end)), "")


def _table(compared: Sequence[Compared | None]) -> Float64Array:
    """Return the amounts of the terms, (pairs, terms)."""
    nothing = [0.0] * len(TERMS)
    rows = [nothing if found is None else found.row() for found in compared]
    return np.array(rows).reshape(len(rows), len(TERMS))


def _lines(
    edits: Sequence[Edit], rates: Mapping[str, float], spellers: tuple[Speller, Speller]
) -> list[RoleMatch]:
    """Return a line for each event of a pair, the largest first, and one for all small ones.

    ``rates`` are the contributions of each kind for a mass of 1.
    """
    events: defaultdict[object, list[Edit]] = defaultdict(list)
    for at, edit in enumerate(edits):
        if rates[edit.kind.value]:
            events[edit.event or (at, at)].append(edit)
    lines = [_line(event, rates, spellers) for event in events.values()]
    small = [line for line in lines if abs(line.contribution) < TINY]
    if len(small) > 1:
        edits = [edit for line in small for edit in line.edits]
        lines = [line for line in lines if abs(line.contribution) >= TINY]
        lines.append(_line(edits, rates, spellers))
    return sorted(lines, key=lambda line: -abs(line.contribution))


def _line(
    edits: Sequence[Edit], rates: Mapping[str, float], spellers: tuple[Speller, Speller]
) -> RoleMatch:
    """Return the line of some edits, labelled by the first."""
    label, lacking = edits[0].kind.label, edits[0].kind.evidence is None
    about = [edit for edit in edits if lacking or edit.kind.label == label]
    about.sort(key=lambda edit: edit.before.tokens)
    texts = line_cells(about, *spellers)
    mass = math.fsum(edit.mass for edit in edits)
    added = math.fsum(rates[edit.kind.value] * edit.mass for edit in edits)
    kind = edits[0].kind.value
    return RoleMatch(None, None, *texts, mass, added / mass, added, kind, tuple(edits))


def _alignment(batch: Batch, pair: tuple[int, int], found: Compared) -> tuple[AlignedPair, ...]:
    """Return the aligned words as written, in the order of the first sentence."""
    pairs = []
    for one in sorted(found.aligned):
        token1, token2 = found.words1.words[one.first], found.words2.words[one.second]
        word1 = _written(batch, pair[0], token1, found.words1.forms[token1])
        word2 = _written(batch, pair[1], token2, found.words2.forms[token2])
        relation = CONVERSE if one in found.converses else str(one.relation)
        pairs.append(AlignedPair(word1, word2, one.similarity, relation, token1, token2))
    return tuple(pairs)


def _written(batch: Batch, index: int, token: int, form: str) -> str:
    """Return a word with its capitals and particle if there is a tree, else its form."""
    structure = (batch.structures or ())[index]
    tree = structure.tree if isinstance(structure, RoleStructure) else None
    if tree is None:
        return form
    after = tree[token + 1] if token + 1 < len(tree) else None
    particle = after is not None and (after.head, after.relation) == (token, "compound:prt")
    return f"{tree[token].text} {after.text}" if after and particle else tree[token].text
