"""Queries by roles: who did what to whom, graded in each slot, any slot open.

    score = mean over the given slots of how alike what stands there is, in [0, 1]

A role's slot holds a phrase: its words are looked for in the phrase that has the role under one
predicate, each counts by how much it tells, the head in the head alone. The verb's slot holds a
predicate: the same one, a noun derived from it ("acquisition"), one that means nearly the same, or
a converse, whose participants are then looked for where it has them ("sold to the bank", "the bank
bought"). A clause that is denied where the query is not, or the other way round, has half the
score.

Which rows may score most tells an inverted file of lemmas: a row's score is at most what it would
be if all its words stood in the right places. Candidates are taken by that bound, so that the
result is that of looking at every row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hybridsem._typing import AnyArray, Float64Array, IntArray
from hybridsem.combiners.alignment import PAIRINGS
from hybridsem.combiners.comparison.alignment import LEAST_SIMILARITY, RAISED
from hybridsem.combiners.comparison.reading import read_words, word_weight
from hybridsem.combiners.comparison.sentence import Place, SentenceWords
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.lexicon import POS, LexicalRelation, lexicon
from hybridsem.english.predicate_forms import Converse
from hybridsem.errors import InputError
from hybridsem.reader import Reader
from hybridsem.search.candidates import best
from hybridsem.search.kept import WORDS, kept_by
from hybridsem.search.packing import Outline, Vocabulary
from hybridsem.search.scoring import Contents
from hybridsem.structures import Role, RoleStructure

__all__ = ["Filling", "SlotQuery", "main_roles", "slot_query"]

NEAREST = 256
"""Lemmas that stand for a word of the query at most."""
LOOKED_UP = 48
"""So many of them, the nearest, are looked up in the lexicon; of the others the vectors tell."""
RELATED = {
    LexicalRelation.SAME: 1.0,
    LexicalRelation.DERIVED: 0.95,
    LexicalRelation.SYNONYM: 0.9,
}
"""What words in these relations are alike at least, where the relation is one of usual senses."""
CONVERSE = 0.95
OPPOSED = 0.2
"""What antonyms are alike at most: "increase" and "decrease" stand in the same places."""
COMPATIBLE = 0.9
"""What a role counts in place of a compatible one: Patient for Theme."""
DENIED = 0.5
REMEMBERED = 4096
"""Words of queries whose like lemmas are remembered."""
BESIDE_NOUNS: Mapping[str, str] = {"by": Role.AGENT, "of": Role.THEME}
"""The roles of what stands beside a noun that is a verb's, where the parser has seen none."""
SYNTAX: Mapping[str, tuple[frozenset[str], ...]] = {
    Role.AGENT: (frozenset({"subject"}),),
    Role.THEME: (frozenset({"object"}), frozenset({"subject"})),
    Role.PATIENT: (frozenset({"iobj", "to", "from", "for"}), frozenset({"object"})),
}
"""Where a role's phrase stands beside an active verb, likeliest first."""


ROLES = frozenset(map(str, Role))
OWN_CLAUSES = ("acl", "advcl")
"""Relations of what is no part of its governor's phrase."""


class Filling(NamedTuple):
    """What stands in a slot, and how alike it is to what was asked for."""

    text: str
    similarity: float


class _Word(NamedTuple):
    """A word of a query: what it counts, and how alike lemmas are to it, by number."""

    lemma: str
    tag: str
    weight: float
    head: bool


@dataclass(frozen=True)
class SlotQuery:
    """The words that are asked for in each role; ``denied`` whether of the predicate the opposite
    is.
    """

    slots: Mapping[str, tuple[_Word, ...]]
    denied: bool = False

    def best(
        self, contents: Contents, model: Reader, top_k: int, least: float
    ) -> Iterator[tuple[int, float, dict[str, Filling]]]:
        """The best rows, their scores, and what stands in each slot.

        Args:
            contents: The texts.
            model: Gives the words' vectors.
            top_k: How many to find.
            least: The least score that is found.
        """
        asked = _Asked(self, contents, model)
        rows, bounds = asked.bounds()

        def scores(places: IntArray) -> Float64Array:
            found = np.zeros(len(places))
            for at, row in enumerate(rows[places].tolist()):
                words = contents.outline(row)
                if words is not None:
                    found[at] = asked.clause(words)[0]
            return found

        found = best(bounds, scores, top_k, least=least)
        for place, score in zip(found.places.tolist(), found.scores.tolist(), strict=True):
            row = int(rows[place])
            words = contents.outline(row)
            yield row, score, {} if words is None else asked.fillings(words)


def slot_query(model: Reader, asked: str | Mapping[str, str]) -> SlotQuery:
    """The query that roles make, or a sentence's main predicate with its roles.

    Raises :class:`InputError` where the model keeps no roles, or the sentence has none.
    """
    if kept_by(model) != WORDS:
        raise InputError(
            "only an index of the model 'hybrid' knows who did what; build one with it"
        )
    if not isinstance(asked, str):
        return SlotQuery({role: _phrase(model, role, text) for role, text in asked.items()})
    (structure,) = model.parse([asked])
    if not isinstance(structure, RoleStructure):
        raise InputError(f"the query has no roles: {structure.reason}")
    words = read_words(structure)
    clauses = _clauses(words)
    verb = structure.main.fillers.get(Role.VERB)
    governor = verb.head if verb is not None and verb.head in clauses else next(iter(clauses), None)
    if governor is None:
        raise InputError("the query has no predicate with roles; ask by meaning, or name the roles")
    slots: dict[str, tuple[_Word, ...]] = {str(Role.VERB): (_word(words, governor, True),)}
    for i, place in clauses[governor]:
        if place.relation in ROLES:
            phrase = _within(words, i)
            slots[place.relation] = tuple(_word(words, words.words[j], j == i) for j in phrase)
    return SlotQuery(slots, bool(words.negations[governor] % 2))


def _word(words: SentenceWords, token: int, head: bool) -> _Word:
    form, tag = words.forms[token], words.tags[token]
    return _Word(words.lemmas[token], tag, word_weight(form, tag), head)


def _phrase(model: Reader, role: str, text: str) -> tuple[_Word, ...]:
    """The words of what is asked for in a role, the head among them."""
    if role == Role.VERB:
        parts = text.lower().split()
        if parts[0] == "to" and len(parts) > 1:
            parts = parts[1:]
        lemma = lemmatiser()(parts[0], "VERB")
        return (_Word(lemma, "VERB", 1.0, True),)
    (structure,) = model.parse([text])
    tree = structure.tree if isinstance(structure, RoleStructure) else None
    if tree is None or not isinstance(structure, RoleStructure):
        return (_Word(text.lower(), "NOUN", 1.0, True),)
    words = read_words(structure)
    head = tree.root if tree.root in words.words else words.words[-1]
    return tuple(_word(words, token, token == head) for token in words.words)


def _clauses(words: SentenceWords) -> dict[int, list[tuple[int, Place]]]:
    """The words that each predicate has in a role, with their places, by its token."""
    found: defaultdict[int, list[tuple[int, Place]]] = defaultdict(list)
    for i, places in enumerate(words.places):
        for place in places:
            if place.relation in ROLES:
                found[place.governor].append((i, place))
    for token in words.words:
        if words.tags[token] == "VERB":
            found.setdefault(token, [])
    return dict(found)


def main_roles(words: SentenceWords) -> dict[str, list[int]]:
    """The content words, by their positions, in each role of a sentence's main predicate."""
    clauses = _clauses(words)
    position = {token: i for i, token in enumerate(words.words)}
    mains = [g for g in clauses if g in position and not words.places[position[g]]]
    if not clauses:
        return {}
    main = (mains or list(clauses))[0]
    found = {str(Role.VERB): [position[main]]} if main in position else {}
    for i, place in clauses[main]:
        if place.relation in ROLES:
            found.setdefault(place.relation, _within(words, i))
    return found


def _within(words: SentenceWords, head: int) -> list[int]:
    """The content words of the phrase of one of them."""
    found = [head]
    for one in found:
        token = words.words[one]
        found += [
            j
            for j, places in enumerate(words.places)
            if j not in found
            and places
            and places[0].governor == token
            and places[0].relation not in OWN_CLAUSES
        ]
    return sorted(found)


class _Clause(NamedTuple):
    """What fills the slots best: the predicate's token, and in each slot a content word by its
    position, None for the predicate itself, and how alike it is.
    """

    governor: int
    slots: Mapping[str, tuple[int | None, float]]


class _Asked:
    """A query beside the vocabulary of an index."""

    def __init__(self, query: SlotQuery, contents: Contents, model: Reader) -> None:
        self.query, self.contents, self.vocabulary = query, contents, contents.vocabulary
        near = {
            role: [_nearest(word, contents, model, role == Role.VERB) for word in words]
            for role, words in query.slots.items()
        }
        self.slots = {
            role: list(zip(words, _weights(words), near[role], strict=True))
            for role, words in query.slots.items()
        }
        self.converses: Mapping[str, Converse] = {}
        verbs = query.slots.get(Role.VERB)
        if verbs:
            self.converses = lexicon().converses(verbs[0].lemma, "VERB")

    def bounds(self) -> tuple[IntArray, Float64Array]:
        """The rows that may score anything, and what they score at most."""
        contents = self.contents
        total = np.zeros(contents.rows)
        for words in self.slots.values():
            for _, weight, near in words:
                most = np.zeros(contents.rows, np.float32)
                similarities = np.fromiter(near.values(), np.float32, len(near))
                order = np.argsort(similarities, kind="stable")  # the nearest last, so it stays
                numbers = np.fromiter(near, np.int64, len(near))[order]
                for start, segment in zip(
                    contents.starts.tolist(), contents.segments, strict=False
                ):
                    rows, counts = segment.rows_with(numbers)
                    here = most[start : start + segment.rows]
                    here[rows] = np.repeat(similarities[order], counts)
                total += weight * most
        total[~contents.alive] = 0
        rows = np.flatnonzero(total > 0)
        return rows, np.minimum(total[rows] / len(self.slots) + 1e-6, 1)

    def clause(self, words: Outline) -> tuple[float, _Clause | None]:
        """The score of a sentence, and the clause that has it."""
        top: tuple[float, _Clause | None] = (0.0, None)
        phrases = _Phrases(words, self.vocabulary)
        for governor, arguments in self._clauses(words).items():
            found = self._filled(words, governor, arguments, phrases)
            score = sum(similarity for _, similarity in found.values()) / len(self.slots)
            if bool(words.negations.get(governor, 0) % 2) != self.query.denied:
                score *= DENIED
            if score > top[0]:
                top = score, _Clause(governor, found)
        return top

    def fillings(self, words: Outline) -> dict[str, Filling]:
        """What stands in the slots of the clause that has a sentence's score."""
        _, clause = self.clause(words)
        if clause is None:
            return {}
        tokens, phrases = self.vocabulary.tokens, _Phrases(words, self.vocabulary)
        found = {}
        for role, (head, similarity) in clause.slots.items():
            places = (
                [clause.governor]
                if head is None
                else [words.words[i] for i in sorted(phrases.of(head))]
            )
            text = " ".join(tokens[words.tokens[place]].form for place in places)
            found[role] = Filling(text, similarity)
        return found

    def _clauses(self, words: Outline) -> dict[int, list[tuple[int, str, str]]]:
        """As :func:`_clauses`, the words with their roles and syntax. Where a verb is asked for,
        what stands beside a noun, "of" and "by", counts as its roles.
        """
        labels, tokens = self.vocabulary.labels, self.vocabulary.tokens
        nouns = Role.VERB in self.slots
        found: defaultdict[int, list[tuple[int, str, str]]] = defaultdict(list)
        for i, places in enumerate(words.places):
            for governor, label in places:
                relation, syntax = labels[label]
                if relation in ROLES:
                    found[governor].append((i, relation, syntax))
                elif (
                    nouns
                    and syntax in BESIDE_NOUNS
                    and tokens[words.tokens[governor]].tag == "NOUN"
                ):
                    found[governor].append((i, BESIDE_NOUNS[syntax], syntax))
        for token in words.words:
            if token not in found and tokens[words.tokens[token]].tag == "VERB":
                found[token] = []
        return found

    def _filled(
        self,
        words: Outline,
        governor: int,
        arguments: Sequence[tuple[int, str, str]],
        phrases: _Phrases,
    ) -> dict[str, tuple[int | None, float]]:
        """What fills each slot best in a clause, in the order of the query.

        Args:
            words: The sentence.
            governor: The clause's predicate.
            arguments: Its words with their roles and syntax.
            phrases: Of the sentence.
        """
        found: dict[str, tuple[int | None, float]] = {}
        converse = None
        number = self.vocabulary.lemma[words.tokens[governor]]
        if self.converses:
            converse = self.converses.get(self.vocabulary.lemmas[number])
        taken = {role for _, role, _ in arguments}
        for role, asked in self.slots.items():
            if role == Role.VERB:
                if similarity := asked[0][2].get(number, 0.0):
                    found[role] = None, similarity
                continue
            most = 0.0
            for i, share in _candidates(role, arguments, taken, self.slots, converse):
                similarity = share * self._alike(asked, words, i, phrases)
                if similarity > most:
                    most = similarity
                    found[role] = i, similarity
        return found

    def _alike(
        self,
        asked: Sequence[tuple[_Word, float, Mapping[int, float]]],
        words: Outline,
        head: int,
        phrases: _Phrases,
    ) -> float:
        """How alike a phrase is to what was asked for in its role.

        Args:
            asked: The words, their weights, and which lemmas are like them.
            words: The sentence.
            head: The phrase's head, by its position among the content words.
            phrases: Of the sentence.
        """
        similarity = 0.0
        lemma, tokens = self.vocabulary.lemma, words.tokens
        for word, weight, near in asked:
            if word.head:
                most = near.get(lemma[tokens[words.words[head]]], 0.0)
            else:
                most = max(near.get(lemma[tokens[words.words[j]]], 0.0) for j in phrases.of(head))
            similarity += weight * most
        return similarity


class _Phrases:
    """The phrases of a sentence's content words, as :func:`_within` has them, each found once."""

    def __init__(self, words: Outline, vocabulary: Vocabulary) -> None:
        self._words, self._labels = words, vocabulary.labels
        self._found: dict[int, list[int]] = {}
        self._below: defaultdict[int, list[int]] | None = None

    def of(self, head: int) -> list[int]:
        """The content words of the phrase of one of them."""
        if (found := self._found.get(head)) is None:
            found = self._found[head] = [head]
            below = self._governed
            for one in found:
                found += [j for j in below.get(self._words.words[one], ()) if j not in found]
        return found

    @property
    def _governed(self) -> Mapping[int, list[int]]:
        if self._below is None:
            self._below = defaultdict(list)
            for j, places in enumerate(self._words.places):
                if places and self._labels[places[0][1]][0] not in OWN_CLAUSES:
                    self._below[places[0][0]].append(j)
        return self._below


def _weights(words: Sequence[_Word]) -> list[float]:
    """What each word of a slot counts, 1 together: the head as much as all others."""
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
    """The words of a clause that may stand in a slot, and what their places count.

    Args:
        role: The slot's.
        arguments: The clause's words with their roles and syntax.
        taken: The clause's roles.
        asked: The query's slots.
        converse: How the query's verb corresponds to the clause's, if they are converses.
    """
    if converse is not None:
        own = next(
            (
                there
                for syntax in SYNTAX.get(role, ())
                for here, there in converse.places
                if here & syntax
            ),
            None,
        )
        if own is not None:
            yield from ((i, 1.0) for i, _, syntax in arguments if syntax in own)
            return
    yield from ((i, 1.0) for i, relation, _ in arguments if relation == role)
    if role not in taken:
        for one, other in PAIRINGS:
            compatible = other if one == role else one if other == role else None
            if compatible is not None and compatible not in asked:
                for i, relation, _ in arguments:
                    if relation == compatible:
                        yield i, COMPATIBLE


def _nearest(word: _Word, contents: Contents, model: Reader, is_verb: bool) -> dict[int, float]:
    """As :func:`_near`, each word once as long as the index stays as it is."""
    key = word.lemma, word.tag, is_verb
    if (found := contents.near.get(key)) is None:
        if len(contents.near) >= REMEMBERED:
            contents.near.clear()
        found = contents.near[key] = _near(word, contents, model, is_verb)
    return found


def _near(word: _Word, contents: Contents, model: Reader, is_verb: bool) -> dict[int, float]:
    """The lemmas of an index that are like a word, and how much."""
    combiner, relations = model.combiner, lexicon()
    assert isinstance(combiner, HybridCombiner)
    vocabulary = contents.vocabulary
    (vector,) = contents.word_rows(combiner, [(word.lemma, word.lemma)])
    found = contents.lemma_vectors @ vector if len(contents.lemma_numbers) else np.empty(0)
    order = _highest(found, NEAREST)
    new, table = contents.unseen(combiner)
    numbers = np.append(contents.lemma_numbers[order], new)
    cosines = np.append(found[order], table @ vector).astype(np.float64)
    likely = cosines >= LEAST_SIMILARITY
    values = np.minimum(cosines[likely], 1.0)
    near: dict[int, float] = dict(zip(numbers[likely].tolist(), values.tolist(), strict=True))
    converses = relations.converses(word.lemma, word.tag) if is_verb else {}
    family = {lemma for lemma, _ in relations.derived(word.lemma, word.tag)}
    known = dict(zip(numbers.tolist(), cosines.tolist(), strict=True))
    looked_up = [vocabulary.lemmas[number] for number in numbers[_highest(cosines, LOOKED_UP)]]
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
            similarity = _graded(word, lemma, tags, max(0.0, known.get(number, 0.0)))
        near.pop(number, None)
        if similarity >= LEAST_SIMILARITY:
            near[number] = min(1.0, similarity)
    return near


def _highest(values: AnyArray, count: int) -> IntArray:
    """The places of the highest values, highest first and equals in their order."""
    places = np.arange(len(values))
    if len(values) > count:
        places = np.flatnonzero(values >= -np.partition(-values, count - 1)[count - 1])
    return places[np.argsort(-values[places], kind="stable")][:count]


def _graded(word: _Word, lemma: str, tags: Sequence[str], cosine: float) -> float:
    """How alike a word and a lemma are that are not the same."""
    similarity = cosine
    if word.tag not in POS:
        return similarity
    # One tag of each part of speech: relations are of these.
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
