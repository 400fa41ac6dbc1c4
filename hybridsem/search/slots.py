"""Queries by roles: who did what to whom. Each slot is graded, and any slot may be open.

    score = mean over the given slots of the similarity of what fills them, in [0, 1]

A role's slot holds a phrase. Its words are matched with the phrase that has the role under one
predicate, its head with the head or a part that may stand for it. Rare words weigh more. The verb's
slot matches the same predicate, a noun derived from it ("acquisition"), a near synonym, or a
converse, whose participants are then matched in its own places ("sold to the bank", "the bank
bought"). A clause fills all named slots, or the text is not a hit. If only one of clause and query
is negated, the score is halved.

An inverted file of lemmas by role bounds each row's score: it is highest if all words that have the
right roles are in one clause. Candidates are examined by that bound, so the result is the same as
examining each row.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from hybridsem._typing import AnyArray, Float32Array, Float64Array, IntArray
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.comparison.alignment import LEAST_SIMILARITY, RAISED
from hybridsem.comparison.role_alignment import PAIRINGS
from hybridsem.comparison.sentence import VERB
from hybridsem.english.lexicon import POS, LexicalRelation, lexicon
from hybridsem.english.predicate_forms import Converse
from hybridsem.reader import Reader
from hybridsem.search.clauses import (
    CHANGES,
    RESULT,
    ROLES,
    UNDERGOERS,
    Argument,
    Clauses,
    SlotQuery,
    Word,
    posting,
)
from hybridsem.search.database import Row
from hybridsem.search.ranking import best
from hybridsem.search.scoring import Contents
from hybridsem.search.storage import Outline
from hybridsem.structures import Role

LEAST_FILLER = 0.6
"""The least similarity of what fills a named slot: that of WordNet's synonyms whose vectors are not
alike. Below it a text is not a hit.
"""
IN_PHRASE = 0.95
"""The highest similarity of a phrase with other words than the asked ones, so that exact matches
rank first; also the factor for a head that is only a part of the phrase: "PDF" in "PDF files".
"""
CHANGED = 0.9  # the similarity of "convert to" and "turn into"
COMPATIBLE = 0.9  # the factor for a compatible role: Patient for Theme
DENIED = 0.5
ROUNDING = 1e-6
SYNTAX: Mapping[str, tuple[frozenset[str], ...]] = {
    Role.AGENT: (frozenset({"subject"}),),
    Role.THEME: (frozenset({"object"}), frozenset({"subject"})),
    Role.PATIENT: (frozenset({"iobj", "to", "from", "for"}), frozenset({"object"})),
}
"""The places of a role's phrase with an active verb, likeliest first."""
_COMPATIBLE = {
    role: [other for pair in PAIRINGS if role in pair for other in pair if other != role]
    for role in ROLES
}
"""The other roles whose phrases may fill a role."""


NEAREST = 256  # the most lemmas that may match a word of the query
SPARE = 8  # more that are compared exactly, as a product's last bits vary
LOOKED_UP = 48
"""The number of the nearest of these that are looked up in the lexicon; for the others the cosine
counts.
"""
RELATED = {LexicalRelation.SAME: 1.0, LexicalRelation.DERIVED: 0.95, LexicalRelation.SYNONYM: 0.9}
"""The least similarity of words in these relations, if their usual senses are related."""
CONVERSE = 0.95
OPPOSED = 0.2
"""The highest similarity of antonyms: "increase" and "decrease" occur in the same places."""
REMEMBERED = 4096  # the number of query words whose similar lemmas are cached


class Match(StrEnum):
    """The way in which a phrase matches the asked one."""

    EXACT = "exact"
    PHRASE = "in the phrase"
    SIMILAR = "similar"


class SlotMatch(NamedTuple):
    """The phrase that fills a slot, its similarity to the query's, and the kind of match."""

    text: str
    similarity: float
    match: Match


class _Filling(NamedTuple):
    """The filler of a slot: a content word by its position, or None for the predicate itself."""

    word: int | None
    similarity: float
    match: Match


class _Asked(NamedTuple):
    """A word of a slot, its share of the slot, and the lemmas of the index that are similar."""

    word: Word
    weight: float
    near: Mapping[str, float]


def best_by_slots(
    query: SlotQuery, contents: Contents, model: Reader, top_k: int, least: float
) -> Iterator[tuple[Row, float, dict[str, SlotMatch]]]:
    """Find the best rows with their scores and the phrase in each slot."""
    matcher = Matcher(query, contents, model)
    rows, bounds = matcher.bounds()
    highest = [least] * top_k  # a heap

    def scores(places: IntArray) -> Float64Array:
        found = np.zeros(len(places))
        read = contents.database.rows(rows[places].tolist())
        for at, row in enumerate(read):
            if (words := contents.words(row, Outline)) is not None:
                found[at], _, _ = matcher.clause(Clauses(words), highest[0])
                heapq.heappushpop(highest, found[at])
        return found

    found = best(bounds, scores, top_k, least=least)
    hits = contents.database.rows(rows[found.places].tolist())
    for row, score in zip(hits, found.scores.tolist(), strict=True):
        words = contents.words(row, Outline)
        yield row, score, {} if words is None else matcher.matches(Clauses(words))


class Matcher:
    """Matches the clauses of an index with a query."""

    def __init__(self, query: SlotQuery, contents: Contents, model: Reader) -> None:
        self.query, self.contents = query, contents
        every = [
            QueryWord(word.lemma, word.tag, role == VERB)
            for role, words in query.slots.items()
            for word in words
        ]
        near = iter(similar_lemmas(every, contents, model))
        self.slots = {
            role: [*map(_Asked, words, _weights(words), near)]
            for role, words in query.slots.items()
        }
        self.verbs: Mapping[str, float] = {}
        self.converses: Mapping[str, Converse] = {}
        if verbs := self.slots.get(VERB):
            self.verbs, lemma = verbs[0].near, verbs[0].word.lemma
            self.converses = lexicon().converses(lemma, "VERB")
            if lemma in CHANGES:
                vocabulary = contents.vocabulary
                known = [verb for verb in CHANGES if verb in vocabulary.number_of]
                raised = {verb: max(CHANGED, self.verbs.get(verb, 0.0)) for verb in known}
                self.slots[VERB] = [verbs[0]._replace(near={**self.verbs, **raised})]

    def bounds(self) -> tuple[IntArray, Float64Array]:
        """Return the rows that may have a score above 0, and their highest possible scores."""
        total, filled = np.zeros(self.contents.rows), self.contents.alive
        for role, asked in self.slots.items():
            slot = np.zeros(self.contents.rows)
            roles = ROLES if self.converses and role != VERB else (role, *_COMPATIBLE[role])
            for _, weight, near in asked:
                slot += weight * self._nearest(near, roles)
            if self.query.complete:
                if len(asked) > 1:
                    np.sqrt(slot, out=slot)  # the highest soft cosine
                filled = filled & (slot + ROUNDING >= LEAST_FILLER)
            total += slot
        rows = np.flatnonzero(filled & (total > 0))
        return rows, np.minimum(total[rows] / len(self.slots) + ROUNDING, 1)

    def _nearest(self, near: Mapping[str, float], roles: Sequence[str]) -> Float32Array:
        """Return the highest similarity of a lemma with one of the roles in each row, (rows,)."""
        most = np.zeros(self.contents.rows, np.float32)
        number_of = self.contents.vocabulary.number_of
        similarities = np.fromiter(near.values(), np.float32, len(near))
        order = np.argsort(similarities, kind="stable")  # the nearest last, so it stays
        numbers = np.fromiter(map(number_of.__getitem__, near), np.int64, len(near))[order]
        keys = np.stack([posting(numbers, role) for role in roles], axis=1).ravel()
        for postings in self.contents.postings():
            rows, counts = postings.rows_with(keys)
            most[rows] = np.repeat(np.repeat(similarities[order], len(roles)), counts)
        return most

    def matches(self, clauses: Clauses) -> dict[str, SlotMatch]:
        """Return the phrases in the slots of the best clause of a sentence."""
        _, governor, slots = self.clause(clauses)
        sentence, matches = clauses.words, {}
        for role, (head, similarity, match) in slots.items():
            tokens = [governor]
            if head is not None:
                tokens = [sentence.words[i] for i in sorted(clauses.phrase(head).words)]
            text = " ".join(sentence.forms[token] for token in tokens)
            matches[role] = SlotMatch(text, similarity, match)
        return matches

    def clause(
        self, clauses: Clauses, least: float = 0.0
    ) -> tuple[float, int, dict[str, _Filling]]:
        """Return the best score of a clause, its predicate, and what fills its slots. Clauses that
        cannot score ``least`` are left out.
        """
        top: tuple[float, int, dict[str, _Filling]] = (0.0, -1, {})
        words = clauses.words
        lemmas, negations = words.lemmas, words.negations
        most = self._most(set(words.word_lemmas))
        verbs, others = self.slots[VERB][0].near if VERB in self.slots else {}, sum(most.values())

        def may_reach(governor: int) -> bool:
            bound = (verbs.get(lemmas[governor], 0.0) + others) / len(self.slots)
            if bool(negations[governor] % 2) != self.query.denied:
                bound *= DENIED
            return bound + ROUNDING >= least

        for governor, arguments in clauses.of(self.verbs, may_reach).items():
            slots = self._filled(clauses, governor, arguments, most)
            if self.query.complete and (
                len(slots) < len(self.slots)
                or min(filling.similarity for filling in slots.values()) < LEAST_FILLER
            ):
                continue
            score = sum(filling.similarity for filling in slots.values()) / len(self.slots)
            if bool(negations[governor] % 2) != self.query.denied:
                score *= DENIED
            if score > top[0]:
                top = score, governor, slots
        return top

    def _most(self, lemmas: Set[str]) -> dict[str, float]:
        """Return the highest similarities of the slots but the verb's that a sentence with these
        lemmas may have; none for those that no word fills.
        """
        found = {}
        for role, asked in self.slots.items():
            if role != VERB:
                each = [
                    weight * max([near[lemma] for lemma in shared])
                    for _, weight, near in asked
                    if (shared := near.keys() & lemmas)
                ]
                if each:
                    is_soft = self.query.complete and len(asked) > 1
                    found[role] = math.sqrt(sum(each)) if is_soft else sum(each)
        return found

    def _filled(
        self,
        clauses: Clauses,
        governor: int,
        arguments: Sequence[Argument],
        possible: Container[str],
    ) -> dict[str, _Filling]:
        """Return what fills each ``possible`` slot best in a clause, in the order of the query."""
        slots: dict[str, _Filling] = {}
        predicate = clauses.words.lemmas[governor]
        converse = self.converses.get(predicate)
        taken = {argument.role for argument in arguments}
        for role, asked in self.slots.items():
            if role == VERB:
                near = asked[0].near if RESULT in taken else self.verbs
                if similarity := near.get(predicate, 0.0):
                    same = predicate == asked[0].word.lemma
                    match = Match.EXACT if same else Match.SIMILAR
                    slots[role] = _Filling(None, similarity, match)
                continue
            if role not in possible:
                continue
            most = 0.0
            for i, share in _candidates(role, arguments, taken, self.slots, converse):
                similarity, match = _similarity(asked, clauses, i, self.query.complete)
                if share * similarity > most:
                    most = share * similarity
                    slots[role] = _Filling(i, most, match)
        return slots


def _similarity(
    asked: Sequence[_Asked], clauses: Clauses, head: int, soft: bool
) -> tuple[float, Match]:
    """Return the similarity of an asked phrase to that of a content word, and how they match.

    It is the share of the asked words that are in the phrase, each by the similarity of words. With
    ``soft`` it is at least the soft cosine (Sidorov et al. 2014), which also counts the share of
    the phrase that was asked; as its bound is loose, only named slots have it.
    """
    sentence, phrase = clauses.words, clauses.phrase(head)
    lemmas, weights = sentence.word_lemmas, sentence.word_weights
    covered, same, used = 0.0, True, dict[int, float]()
    for word, weight, near in asked:
        similarity, at = 0.0, head
        for j in phrase.cores if word.head else phrase.words:
            here = near.get(lemmas[j], 0.0) * (IN_PHRASE if word.head and j != head else 1.0)
            if here > similarity:
                similarity, at = here, j
        same &= lemmas[at] == word.lemma
        covered += weight * similarity
        used[at] = max(similarity, used.get(at, 0.0))
    if same:
        others = [j for j in phrase.words if j not in used and sentence.word_tags[j] != "PRON"]
        exact = not others and covered > 1 - ROUNDING
        return (1.0, Match.EXACT) if exact else (IN_PHRASE * covered, Match.PHRASE)
    if soft:
        share = sum(weights[j] * similarity for j, similarity in used.items())
        share /= sum(weights[j] for j in phrase.words)
        covered = max(covered, math.sqrt(covered * share))
    return min(IN_PHRASE, covered), Match.SIMILAR


def _weights(words: Sequence[Word]) -> list[float]:
    """Return the weight of each word of a slot, 1 in all; the head weighs as much as all others."""
    others = sum(word.weight for word in words if not word.head)
    if not others:
        return [1.0 / len(words)] * len(words)
    heads = sum(word.head for word in words) or 1
    return [0.5 / heads if word.head else 0.5 * word.weight / others for word in words]


def _candidates(
    role: str,
    arguments: Sequence[Argument],
    taken: set[str],
    asked: Mapping[str, object],
    converse: Converse | None,
) -> Iterator[tuple[int, float]]:
    """Yield the words of a clause that may fill a slot, and the factors of their places."""
    if converse is not None:
        for syntax in SYNTAX.get(role, ()):
            for here, own in converse.places:
                if here & syntax:
                    yield from ((i, 1.0) for i, _, place in arguments if place in own)
                    return
    yield from ((i, 1.0) for i, relation, _ in arguments if relation == role)
    if role not in taken:
        for pair in map(frozenset, PAIRINGS):
            if role in pair and not pair - {role} & asked.keys():
                factor = 1.0 if pair == UNDERGOERS else COMPATIBLE
                yield from ((i, factor) for i, other, _ in arguments if other in pair)


# -- the lemmas of an index that are similar to a word: by vectors, WordNet and forms


class QueryWord(NamedTuple):
    """A word of a query: its lemma, its tag, and if it is the predicate."""

    lemma: str
    tag: str
    is_verb: bool


def similar_lemmas(
    words: Sequence[QueryWord], contents: Contents, model: Reader
) -> list[dict[str, float]]:
    """Return for each word the lemmas of an index that are similar, with their similarity; cached
    for the index.
    """
    combiner, near = model.parts.combiner, contents.near
    assert isinstance(combiner, HybridCombiner)
    if len(near) + len(words) > REMEMBERED:
        near.clear()
    if new := [word for word in dict.fromkeys(words) if word not in near]:
        vectors = contents.word_rows(combiner, [(word.lemma, word.lemma) for word in new])
        table = contents.lemma_vectors
        products = vectors @ table.T if len(table) else np.empty((len(new), 0), np.float32)
        for word, vector, roughly in zip(new, vectors, products, strict=True):
            near[word] = _similar(word, vector, roughly, contents, combiner)
    return [near[word] for word in words]


def _similar(
    word: QueryWord,
    vector: Float32Array,
    roughly: Float32Array,
    contents: Contents,
    combiner: HybridCombiner,
) -> dict[str, float]:
    """Return the lemmas that are similar to a word; its cosines with the stored vectors are near
    ``roughly``, which depends on the words that are compared together.
    """
    lemma, tag, is_verb = word
    relations, vocabulary = lexicon(), contents.vocabulary
    places = np.sort(_highest(roughly, NEAREST + SPARE))
    found = np.einsum("ij,j->i", contents.lemma_vectors[places], vector)
    order = _highest(found, NEAREST)
    new, table = contents.unseen(combiner)
    numbers = np.append(contents.lemma_numbers[places[order]], new)
    cosines = np.append(found[order], table @ vector).astype(np.float64)
    likely = cosines >= LEAST_SIMILARITY
    values = np.minimum(cosines[likely], 1.0).tolist()
    lemmas = vocabulary.lemmas
    near = {
        lemmas[number]: value
        for number, value in zip(numbers[likely].tolist(), values, strict=True)
    }
    converses = relations.converses(lemma, tag) if is_verb else {}
    family = {derived for derived, _ in relations.derived(lemma, tag)}
    known = dict(zip(numbers.tolist(), cosines.tolist(), strict=True))
    looked_up = [lemmas[number] for number in numbers[_highest(cosines, LOOKED_UP)].tolist()]
    for other in {*looked_up, *converses, *family, lemma}:
        number = vocabulary.number_of.get(other)
        if number is None:
            continue
        if other == lemma:
            similarity = 1.0
        elif other in converses:
            similarity = CONVERSE
        else:
            tags = contents.tags.get(number, ())
            similarity = _graded(lemma, tag, other, tags, max(0.0, known.get(number, 0.0)))
        near.pop(other, None)
        if similarity >= LEAST_SIMILARITY:
            near[other] = min(1.0, similarity)
    return near


def _highest(values: AnyArray, count: int) -> IntArray:
    """Return the places of the highest values, highest first and equals in their order."""
    places = np.arange(len(values))
    if len(values) > count:
        places = np.flatnonzero(values >= -np.partition(-values, count - 1)[count - 1])
    return places[np.argsort(-values[places], kind="stable")][:count]


def _graded(word: str, tag: str, lemma: str, tags: Sequence[str], cosine: float) -> float:
    similarity = cosine
    if tag not in POS:
        return similarity
    # One tag for each part of speech, because these have the relations.
    for other in {POS[other]: other for other in reversed(tags) if other in POS}.values():
        relation, strength = lexicon().relation(word, tag, lemma, other)
        if relation == LexicalRelation.ANTONYM:
            return min(cosine, OPPOSED)
        raised = RELATED.get(relation)
        if raised is None and relation in RAISED:
            least, share = RAISED[relation]
            raised = least + share * cosine
        if raised is not None:
            similarity = max(similarity, cosine + strength * max(0.0, raised - cosine))
    return similarity
