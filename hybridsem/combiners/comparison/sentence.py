"""Sentences as they are compared: content words, their governors, and their function words.

A word's ``places`` are its attachments to governors. Its *slot* is the one that it has in a clause,
whose predicate is the governor.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.english.lexicon import Opposites, lexicon
from hybridsem.structures import Role

ROLES = frozenset(map(str, Role))
VERB = str(Role.VERB)
NOTHING: frozenset[str] = frozenset()
NOUNS = frozenset({"NOUN", "PROPN"})
PHRASE = frozenset({"DET", "ADJ", "NUM", "NOUN", "PROPN"})
"""Tags of words within a noun phrase."""


class Attachment(NamedTuple):
    """A governor (a token number), the relation to it, and the position in the active
    voice: ``subject``, ``object``, ``iobj``, a preposition, or "".
    """

    governor: int
    relation: str
    syntax: str


@dataclass(frozen=True)
class SentenceWords:
    """A sentence as it is compared.

    ``words`` are the tokens that are content words, in order; ``weights`` (words,), ``places``,
    ``coordinated`` (conjuncts) and ``numbers`` belong to them. ``lemmas``, ``forms`` and ``tags``
    cover all tokens, as do the features that function words give: ``prepositions``,
    ``connectives``, ``modals``, ``quantifiers`` (None where there is none), and ``negations``, a
    count. ``function_words`` and ``particles`` ("turn off") are lemmas.
    """

    words: tuple[int, ...]
    weights: Float64Array
    places: tuple[tuple[Attachment, ...], ...]
    coordinated: tuple[bool, ...]
    numbers: tuple[float | None, ...]
    lemmas: tuple[str, ...]
    forms: tuple[str, ...]
    tags: tuple[str, ...]
    prepositions: tuple[str | None, ...]
    connectives: tuple[str | None, ...]
    modals: tuple[str | None, ...]
    quantifiers: tuple[str | None, ...]
    negations: tuple[int, ...]
    function_words: frozenset[str]
    particles: frozenset[str]
    question: bool

    @property
    def denials(self) -> int:
        """The number of negations."""
        return sum(self.negations)

    @cached_property
    def dependents(self) -> list[Set[str]]:
        """The lemmas of the words that each content word governs."""
        below: dict[int, set[str]] = {}
        for token, places in zip(self.words, self.places, strict=True):
            for place in places:
                below.setdefault(place.governor, set()).add(self.lemmas[token])
        return [below.get(token, NOTHING) for token in self.words]

    @cached_property
    def content(self) -> ContentWords:
        """The content words alone."""
        return ContentWords(self)

    def governors(self, i: int) -> set[str]:
        """The lemmas of a content word's governors."""
        return {self.lemmas[place.governor] for place in self.places[i]}

    def tokens_before(self, token: int) -> Iterator[int]:
        """Yield the tokens before a noun, nearest first, up to the one before its phrase."""
        for at in range(token - 1, -1, -1):
            yield at
            if self.tags[at] not in PHRASE:
                return


class ContentWords:
    """The content words of a sentence, with what the comparison derives from it alone.

    ``lemmas``, ``forms``, ``tags`` and ``weights`` are lists with an item a word; ``weight`` is the
    sum. ``position`` maps a token to the index of its word.
    ``numbered`` has the words that are numbers, with their values, ``verbs`` the verbs, and
    ``main_verb`` is the first of them without a governor, all by index. ``syntax`` maps governors,
    which are tokens, to the number of words below them in each position.
    ``features`` are what function words mark on each word: negations, modal, quantifier,
    connective.

    ``slots`` maps words to their attachment in a clause; ``clauses`` maps predicates to the roles
    of their clause, in order.
    """

    def __init__(self, sentence: SentenceWords) -> None:
        words, places = sentence.words, sentence.places
        self.lemmas = [sentence.lemmas[token] for token in words]
        self.forms = [sentence.forms[token] for token in words]
        self.tags = [sentence.tags[token] for token in words]
        self.weights: list[float] = sentence.weights.tolist()
        self.weight = float(np.add.reduce(sentence.weights))
        self.position = {token: i for i, token in enumerate(words)}
        self.numbered = [
            (i, number) for i, number in enumerate(sentence.numbers) if number is not None
        ]
        self.verbs = [i for i, tag in enumerate(self.tags) if tag == "VERB"]
        self.main_verb = next((i for i in self.verbs if not places[i]), None)
        self.syntax: dict[int, dict[str, int]] = {}
        for of_word in places:
            for governor, _, syntax in of_word:
                below = self.syntax.setdefault(governor, {})
                below[syntax] = below.get(syntax, 0) + 1
        denied, modal = sentence.negations, sentence.modals
        quantity, mark = sentence.quantifiers, sentence.connectives
        self.features = [(denied[at], modal[at], quantity[at], mark[at]) for at in words]
        self.slots = self._slots(sentence)
        roles: dict[int, dict[str, None]] = {}
        for governor, relation, _ in self.slots.values():
            roles.setdefault(governor, {})[relation] = None
        self.clauses = {clause: tuple(roles[clause]) for clause in sorted(roles)}

    @cached_property
    def opposites(self) -> Opposites:
        """The learned opposites of the words."""
        return lexicon().opposites([*zip(self.lemmas, self.tags, strict=True)])

    def _slots(self, sentence: SentenceWords) -> dict[int, Attachment]:
        """Return the slots of the words that have a role, and of the predicates of these."""
        slots: dict[int, Attachment] = {}
        for i, of_word in enumerate(sentence.places):
            for place in of_word:
                if place.relation in ROLES:
                    at = self.position.get(place.governor)
                    # A noun within a phrase is the predicate of no clause.
                    if at is None or self.tags[at] not in NOUNS or not sentence.places[at]:
                        slots[i] = place
                        break
        for clause in {place.governor for place in slots.values()}:
            if clause in self.position:
                slots[self.position[clause]] = Attachment(clause, VERB, VERB)
        return slots
