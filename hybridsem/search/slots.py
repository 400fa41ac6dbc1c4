"""Queries by roles: who did what to whom. Each slot is graded, and any slot may be open.

    score = mean over the given slots of the similarity of what fills them, in [0, 1]

A role's slot holds a phrase. Its words are matched with the phrase that has the role under one
predicate. Rare words weigh more, and the head matches only the head. The verb's slot matches the
same predicate, a noun derived from it ("acquisition"), a near synonym, or a converse, whose
participants are then matched in its own places ("sold to the bank", "the bank bought"). If only one
of clause and query is negated, the score is halved.

An inverted file of lemmas bounds each row's score: it is highest if all its words are in the right
places. Candidates are examined by that bound, so the result is the same as examining each row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import NamedTuple

import numpy as np

from hybridsem._typing import AnyArray, Float64Array, IntArray
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.comparison.alignment import LEAST_SIMILARITY, RAISED
from hybridsem.comparison.reading import word_weight
from hybridsem.comparison.role_alignment import PAIRINGS
from hybridsem.comparison.sentence import Sentence
from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.lexicon import POS, LexicalRelation, lexicon
from hybridsem.english.predicate_forms import Converse
from hybridsem.errors import InputError
from hybridsem.reader import Reader
from hybridsem.search.ranking import best
from hybridsem.search.scoring import Contents
from hybridsem.search.storage import WORDS, storage_mode
from hybridsem.structures import Role, RoleStructure

NEAREST = 256  # the most lemmas that may match a word of the query
LOOKED_UP = 48
"""The number of the nearest of these that are looked up in the lexicon; for the others the cosine
counts.
"""
RELATED = {LexicalRelation.SAME: 1.0, LexicalRelation.DERIVED: 0.95, LexicalRelation.SYNONYM: 0.9}
"""The least similarity of words in these relations, if their usual senses are related."""
CONVERSE = 0.95
OPPOSED = 0.2
"""The highest similarity of antonyms: "increase" and "decrease" occur in the same places."""
COMPATIBLE = 0.9  # the factor for a compatible role: Patient for Theme
DENIED = 0.5
REMEMBERED = 4096  # the number of query words whose similar lemmas are cached
BESIDE_NOUNS: Mapping[str, str] = {"by": Role.AGENT, "of": Role.THEME}
"""The roles of a nominalised verb, by preposition, if the parser has found none."""
SYNTAX: Mapping[str, tuple[frozenset[str], ...]] = {
    Role.AGENT: (frozenset({"subject"}),),
    Role.THEME: (frozenset({"object"}), frozenset({"subject"})),
    Role.PATIENT: (frozenset({"iobj", "to", "from", "for"}), frozenset({"object"})),
}
"""The places of a role's phrase with an active verb, likeliest first."""
ROLES = frozenset(map(str, Role))
VERB = str(Role.VERB)
OWN_CLAUSES = ("acl", "advcl")
"""Relations that begin a separate clause, which is not part of the governor's phrase."""


_Filled = dict[str, tuple[int | None, float]]
"""By slot: a content word by its position, or None for the predicate itself, and its similarity."""


class SlotMatch(NamedTuple):
    """The phrase that fills a slot, and its similarity to the query's."""

    text: str
    similarity: float


class _Word(NamedTuple):
    lemma: str
    tag: str
    weight: float
    head: bool


class _Sentence:
    """The clauses and phrases of a sentence; each phrase is found once."""

    def __init__(self, words: Sentence) -> None:
        self.words = words
        self._phrases: dict[int, list[int]] = {}

    def clauses(self, nouns: bool = False) -> dict[int, list[tuple[int, str, str]]]:
        """Return, by predicate token, the content words with a role, each with its role and syntax;
        with ``nouns`` also the phrases with "of" and "by" next to a noun.
        """
        tags = self.words.tags
        found: defaultdict[int, list[tuple[int, str, str]]] = defaultdict(list)
        for i, places in enumerate(self.words.places):
            for governor, relation, syntax in places:
                if relation in ROLES:
                    found[governor].append((i, relation, syntax))
                elif nouns and syntax in BESIDE_NOUNS and tags[governor] == "NOUN":
                    found[governor].append((i, BESIDE_NOUNS[syntax], syntax))
        for token in self.words.words:
            if token not in found and tags[token] == "VERB":
                found[token] = []
        return found

    @cached_property
    def _below(self) -> dict[int, list[int]]:
        """The content words within the phrase of each token."""
        below: defaultdict[int, list[int]] = defaultdict(list)
        for j, places in enumerate(self.words.places):
            if places and places[0].relation not in OWN_CLAUSES:
                below[places[0].governor].append(j)
        return below

    def phrase(self, head: int) -> list[int]:
        """Return the content words of the phrase of a content word, the head first."""
        if (found := self._phrases.get(head)) is None:
            found = self._phrases[head] = [head]
            for one in found:
                below = self._below.get(self.words.words[one], ())
                found += [j for j in below if j not in found]
        return found

    def asked(self, tokens: Sequence[int], head: int) -> tuple[_Word, ...]:
        forms, lemmas, tags = self.words.forms, self.words.lemmas, self.words.tags
        return tuple(
            _Word(lemmas[at], tags[at], word_weight(forms[at], tags[at]), at == head)
            for at in tokens
        )


@dataclass(frozen=True)
class SlotQuery:
    """The query's words in each role; ``denied`` if the predicate is negated."""

    slots: Mapping[str, tuple[_Word, ...]]
    denied: bool = False

    def best(
        self, contents: Contents, model: Reader, top_k: int, least: float
    ) -> Iterator[tuple[int, float, dict[str, SlotMatch]]]:
        """Find the best rows with their scores and the phrase in each slot."""
        matcher = _Matcher(self, contents, model)
        rows, bounds = matcher.bounds()

        def scores(places: IntArray) -> Float64Array:
            read = map(contents.words, rows[places].tolist())
            return np.array(
                [0.0 if one is None else matcher.clause(_Sentence(one))[0] for one in read]
            )

        found = best(bounds, scores, top_k, least=least)
        for row, score in zip(rows[found.places].tolist(), found.scores.tolist(), strict=True):
            words = contents.words(row)
            yield row, score, {} if words is None else matcher.matches(words)


def slot_query(model: Reader, asked: str | Mapping[str, str]) -> SlotQuery:
    """Return the query of the given roles, or of a sentence's main predicate. Raises
    :class:`InputError` if the index stores no roles, or the sentence has none.
    """
    if storage_mode(model) != WORDS:
        raise InputError("queries by roles need an index of the model 'hybrid'; build one")
    if not isinstance(asked, str):
        return SlotQuery({role: _phrase(model, role, text) for role, text in asked.items()})
    (structure,) = model.parts.parse([asked])
    if not isinstance(structure, RoleStructure):
        raise InputError(f"the query has no roles: {structure.reason}")
    sentence = _Sentence(_read(model, structure))
    clauses = sentence.clauses()
    verb = structure.main.fillers.get(Role.VERB)
    governor = verb.head if verb is not None and verb.head in clauses else next(iter(clauses), None)
    if governor is None:
        raise InputError("the query has no predicate with roles; ask by meaning, or name the roles")
    slots = {VERB: sentence.asked([governor], governor)}
    words = sentence.words.words
    for i, role, _ in clauses[governor]:
        slots[role] = sentence.asked([words[j] for j in sorted(sentence.phrase(i))], words[i])
    return SlotQuery(slots, bool(sentence.words.negations[governor] % 2))


def _read(model: Reader, structure: RoleStructure) -> Sentence:
    """Read a sentence as the model compares it."""
    combiner = model.parts.combiner
    assert isinstance(combiner, HybridCombiner)  # as storage_mode has checked
    return combiner.sentence(structure)


def _phrase(model: Reader, role: str, text: str) -> tuple[_Word, ...]:
    """Return the words of the requested phrase of a role, with the head."""
    if role == Role.VERB:
        parts = text.lower().split()
        lemma = lemmatiser()(parts[parts[0] == "to" and len(parts) > 1], "VERB")
        return (_Word(lemma, "VERB", 1.0, True),)
    (structure,) = model.parts.parse([text])
    if not isinstance(structure, RoleStructure) or structure.tree is None:
        return (_Word(text.lower(), "NOUN", 1.0, True),)
    words, root = _read(model, structure), structure.tree.root
    head = root if root is not None and root in words.words else words.words[-1]
    return _Sentence(words).asked(words.words, head)


class _Matcher:
    def __init__(self, query: SlotQuery, contents: Contents, model: Reader) -> None:
        self.query, self.contents = query, contents
        self.slots = {
            role: [
                (word, weight, _near(word, contents, model, role == Role.VERB))
                for word, weight in zip(words, _weights(words), strict=True)
            ]
            for role, words in query.slots.items()
        }
        self.converses: Mapping[str, Converse] = {}
        if verbs := query.slots.get(Role.VERB):
            self.converses = lexicon().converses(verbs[0].lemma, "VERB")

    def bounds(self) -> tuple[IntArray, Float64Array]:
        """Return the rows that may have a score above 0, and their highest possible scores."""
        contents = self.contents
        total = np.zeros(contents.rows)
        for words in self.slots.values():
            for _, weight, near in words:
                most = np.zeros(contents.rows, np.float32)
                similarities = np.fromiter(near.values(), np.float32, len(near))
                order = np.argsort(similarities, kind="stable")  # the nearest last, so it stays
                known = (contents.vocabulary.lemma_number(lemma) for lemma in near)
                numbers = np.fromiter(known, np.int64, len(near))[order]
                for start, segment, _ in contents.parts():
                    rows, counts = segment.rows_with(numbers)
                    here = most[start : start + segment.rows]
                    here[rows] = np.repeat(similarities[order], counts)
                total += weight * most
        total[~contents.alive] = 0
        rows = np.flatnonzero(total > 0)
        return rows, np.minimum(total[rows] / len(self.slots) + 1e-6, 1)

    def matches(self, words: Sentence) -> dict[str, SlotMatch]:
        """Return the phrases in the slots of the best clause of a sentence."""
        sentence = _Sentence(words)
        _, governor, slots = self.clause(sentence)
        found = {}
        for role, (head, similarity) in slots.items():
            tokens = [governor]
            if head is not None:
                tokens = [words.words[i] for i in sorted(sentence.phrase(head))]
            text = " ".join(words.forms[token] for token in tokens)
            found[role] = SlotMatch(text, similarity)
        return found

    def clause(self, sentence: _Sentence) -> tuple[float, int, _Filled]:
        """Return the best score of a clause, its predicate, and the fillers of its slots."""
        top: tuple[float, int, _Filled] = (0.0, -1, {})
        negations = sentence.words.negations
        for governor, arguments in sentence.clauses(nouns=Role.VERB in self.slots).items():
            found = self._filled(sentence, governor, arguments)
            score = sum(similarity for _, similarity in found.values()) / len(self.slots)
            if bool(negations[governor] % 2) != self.query.denied:
                score *= DENIED
            if score > top[0]:
                top = score, governor, found
        return top

    def _filled(
        self, sentence: _Sentence, governor: int, arguments: Sequence[tuple[int, str, str]]
    ) -> _Filled:
        """Return the best filler of each slot in a clause, in the order of the query."""
        found: _Filled = {}
        predicate = sentence.words.lemmas[governor]
        converse = self.converses.get(predicate)
        taken = {role for _, role, _ in arguments}
        for role, asked in self.slots.items():
            if role == Role.VERB:
                if similarity := asked[0][2].get(predicate, 0.0):
                    found[role] = None, similarity
                continue
            most = 0.0
            for i, share in _candidates(role, arguments, taken, self.slots, converse):
                similarity = share * self._similarity(asked, sentence, i)
                if similarity > most:
                    most = similarity
                    found[role] = i, similarity
        return found

    def _similarity(
        self,
        asked: Sequence[tuple[_Word, float, Mapping[str, float]]],
        sentence: _Sentence,
        head: int,
    ) -> float:
        lemmas, words = sentence.words.lemmas, sentence.words.words
        similarity = 0.0
        for word, weight, near in asked:
            places = [head] if word.head else sentence.phrase(head)
            similarity += weight * max([near.get(lemmas[words[j]], 0.0) for j in places])
        return similarity


def _weights(words: Sequence[_Word]) -> list[float]:
    """Return the weight of each word of a slot, 1 in all; the head weighs as much as all others."""
    others = sum(word.weight for word in words if not word.head)
    if not others:
        return [1.0 / len(words)] * len(words)
    heads = sum(word.head for word in words) or 1
    return [0.5 / heads if word.head else 0.5 * word.weight / others for word in words]


def _candidates(
    role: str,
    arguments: Sequence[tuple[int, str, str]],
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
        for one, other in PAIRINGS:
            compatible = other if one == role else one if other == role else None
            if compatible is not None and compatible not in asked:
                yield from ((i, COMPATIBLE) for i, found, _ in arguments if found == compatible)


def _near(word: _Word, contents: Contents, model: Reader, is_verb: bool) -> dict[str, float]:
    """Return the lemmas of an index that are similar to a word, with their similarity; cached for
    the index.
    """
    key = word.lemma, word.tag, is_verb
    if (remembered := contents.near.get(key)) is not None:
        return remembered
    combiner, relations = model.parts.combiner, lexicon()
    assert isinstance(combiner, HybridCombiner)
    vocabulary = contents.vocabulary
    (vector,) = contents.word_rows(combiner, [(word.lemma, word.lemma)])
    found = contents.lemma_vectors @ vector if len(contents.lemma_numbers) else np.empty(0)
    order = _highest(found, NEAREST)
    new, table = contents.unseen(combiner)
    numbers = np.append(contents.lemma_numbers[order], new)
    cosines = np.append(found[order], table @ vector).astype(np.float64)
    likely = cosines >= LEAST_SIMILARITY
    values = np.minimum(cosines[likely], 1.0).tolist()
    lemmas = [vocabulary.lemmas[number] for number in numbers.tolist()]
    near: dict[str, float] = dict(zip(compress(lemmas, likely), values, strict=True))
    converses = relations.converses(word.lemma, word.tag) if is_verb else {}
    family = {lemma for lemma, _ in relations.derived(word.lemma, word.tag)}
    known = dict(zip(lemmas, cosines.tolist(), strict=True))
    looked_up = [lemmas[at] for at in _highest(cosines, LOOKED_UP).tolist()]
    for lemma in {*looked_up, *converses, *family, word.lemma}:
        number = vocabulary.lemma_number(lemma)
        if number is None:
            continue
        if lemma == word.lemma:
            similarity = 1.0
        elif lemma in converses:
            similarity = CONVERSE
        else:
            tags = contents.tags.get(number, ())
            similarity = _graded(word, lemma, tags, max(0.0, known.get(lemma, 0.0)))
        near.pop(lemma, None)
        if similarity >= LEAST_SIMILARITY:
            near[lemma] = min(1.0, similarity)
    if len(contents.near) >= REMEMBERED:
        contents.near.clear()
    contents.near[key] = near
    return near


def _highest(values: AnyArray, count: int) -> IntArray:
    """Return the places of the highest values, highest first and equals in their order."""
    places = np.arange(len(values))
    if len(values) > count:
        places = np.flatnonzero(values >= -np.partition(-values, count - 1)[count - 1])
    return places[np.argsort(-values[places], kind="stable")][:count]


def _graded(word: _Word, lemma: str, tags: Sequence[str], cosine: float) -> float:
    similarity = cosine
    if word.tag not in POS:
        return similarity
    # One tag for each part of speech, because these have the relations.
    for tag in {POS[tag]: tag for tag in reversed(tags) if tag in POS}.values():
        relation, strength = lexicon().relation(word.lemma, word.tag, lemma, tag)
        if relation == LexicalRelation.ANTONYM:
            return min(cosine, OPPOSED)
        raised = RELATED.get(relation)
        if raised is None and relation in RAISED:
            least, share = RAISED[relation]
            raised = least + share * cosine
        if raised is not None:
            similarity = max(similarity, cosine + strength * max(0.0, raised - cosine))
    return similarity
