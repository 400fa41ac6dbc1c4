"""A sentence as it is compared: its content words, what governs each of them, what function words
say of it; and what the comparison needs of it whatever it is compared with, worked out once.

A word's *places* are the governors that it has, each with the relation. A word's *slot* is the one
that it has in a clause, whose predicate is the governor.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.structures import Role

__all__ = ["Place", "SentenceWords", "Side"]

ROLES = frozenset(map(str, Role))
VERB = str(Role.VERB)
NOUNS = frozenset({"NOUN", "PROPN"})


class Place(NamedTuple):
    """A governor, by the number of its token, the relation to it, and where that stands in the
    syntax of the active voice: ``subject``, ``object``, ``iobj``, a preposition, or "".
    """

    governor: int
    relation: str
    syntax: str


@dataclass(frozen=True)
class SentenceWords:
    """A sentence as it is compared.

    ``words`` are the tokens that are content words, in order; ``weights`` (words,) what each
    counts; ``places``, ``coordinated`` (whether they are conjuncts) and ``numbers`` belong to them.
    ``lemmas``, ``forms`` and ``tags`` are of all tokens, as are what function words say of one:
    ``prepositions``, ``connectives``, ``modals``, ``quantifiers`` (None where there is none), and
    ``negations``, their number. ``function_words`` and ``particles`` ("turn off") are lemmas.
    """

    words: tuple[int, ...]
    weights: Float64Array
    places: tuple[tuple[Place, ...], ...]
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
        """How many words deny."""
        return sum(self.negations)

    @cached_property
    def dependents(self) -> list[set[str]]:
        """The lemmas of the words that each content word governs."""
        below: dict[int, set[str]] = {token: set() for token in self.words}
        for token, places in zip(self.words, self.places, strict=True):
            for place in places:
                if place.governor in below:
                    below[place.governor].add(self.lemmas[token])
        return list(below.values())

    @cached_property
    def side(self) -> Side:
        """What the comparison needs of the sentence, whatever it is compared with."""
        return Side(self)

    def governors(self, i: int) -> set[str]:
        """The lemmas of a content word's governors."""
        return {self.lemmas[place.governor] for place in self.places[i]}


class Side:
    """What the comparison needs of one sentence, whatever it is compared with.

    ``lemmas``, ``forms``, ``tags`` and ``weights`` are of its content words alone, and ``weight``
    is that of all of them; ``position`` is the place of a word among these, by its token. Those
    that are numbers, with these, in ``numbered``, and ``main_verb``, the first verb that nothing
    governs, are places among them as well. ``governors`` are tokens; ``syntax`` is where the words
    under each of them stand; ``said`` is what function words say of each token.

    ``slots`` has the place in a clause of each word that has a role there; ``clauses`` the roles in
    each clause, by its predicate, in order.
    """

    __slots__ = (
        "clauses",
        "forms",
        "governors",
        "lemmas",
        "main_verb",
        "numbered",
        "position",
        "said",
        "slots",
        "syntax",
        "tags",
        "weight",
        "weights",
    )

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
        self.main_verb: int | None = None
        for i, tag in enumerate(self.tags):
            if tag == "VERB" and not places[i]:
                self.main_verb = i
                break
        self.syntax: dict[int, set[str]] = {}
        for of_word in places:
            for place in of_word:
                self.syntax.setdefault(place.governor, set()).add(place.syntax)
        self.governors = self.syntax.keys()
        self.said = list(
            zip(
                sentence.negations,
                sentence.modals,
                sentence.quantifiers,
                sentence.connectives,
                strict=True,
            )
        )
        self.slots: dict[int, Place] = {}
        self._fill_heads(sentence)
        roles: dict[int, dict[str, None]] = {}
        for governor, relation, _ in self.slots.values():
            roles.setdefault(governor, {})[relation] = None
        self.clauses = {clause: tuple(roles[clause]) for clause in sorted(roles)}

    def _fill_heads(self, sentence: SentenceWords) -> None:
        """The slots of the words that have a role themselves, and of the predicates of these."""
        position, slots, tags = self.position, self.slots, self.tags
        for i, of_word in enumerate(sentence.places):
            for place in of_word:
                if place.relation in ROLES:
                    at = position.get(place.governor)
                    # A noun within a phrase is the predicate of no clause.
                    if at is None or tags[at] not in NOUNS or not sentence.places[at]:
                        slots[i] = place
                        break
        for clause in {place.governor for place in slots.values()}:
            if clause in position:
                slots[position[clause]] = Place(clause, VERB, VERB)
