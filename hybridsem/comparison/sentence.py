"""A sentence as it is compared and judged: read once, never changed.

    tokens    lemma, form and tag of every token, in the order of the text
    words     the content words: weight, governors with relations, number
    marks     what function words mark on a word: negation, modal, quantifier, preposition, …
    tree      its canonical dependency tree, if it was read from one; the judge reads contexts there

A word's ``places`` are its attachments to governors. Its *slot* is the one that it has in a clause,
whose predicate is the governor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.comparison.folding import Unit, as_fact
from hybridsem.english.lexicon import Opposites, lexicon
from hybridsem.facts.values import Fact
from hybridsem.structures import DependencyTree, Phrase, Role

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


class Marks(NamedTuple):
    """The function words that mark a word: a count of negations, and lemmas or None."""

    negations: int
    modal: str | None
    quantifier: str | None
    connective: str | None


@dataclass(frozen=True)
class Sentence:
    """A sentence as it is compared.

    ``words`` are the tokens that are content words, in order; ``weights`` (words,), ``places``,
    ``coordinated`` (conjuncts) and ``numbers`` belong to them. ``lemmas``, ``forms`` and ``tags``
    cover all tokens, as do the marks of function words: ``prepositions``, ``connectives``,
    ``modals``, ``quantifiers`` (None where there is none), and ``negations``, a count.
    ``function_words`` and ``particles`` ("turn off") are lemmas. ``tree`` is the canonical tree;
    ``implied`` maps its verbs such as "fail" to the verb that they imply or deny. ``units`` maps
    the heads of facts, and of phrases as one word, to their values and tokens; ``phrases`` are
    those that may become units.

    Derived from these, by the position among the content words: ``word_lemmas``, ``word_forms``,
    ``word_tags``, ``word_weights`` with their sum ``weight``, ``marks``; ``position`` of a token;
    ``numbered`` words with their values, ``facts`` by position; ``verbs``, and the ``main_verb``,
    the first without a governor. ``syntax`` maps governors, which are tokens, to the number of
    words below them in each position, ``slots`` words to their attachment in a clause, ``clauses``
    predicates to the roles of their clause, in order.
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
    tree: DependencyTree | None = field(default=None, compare=False, repr=False)
    implied: Mapping[int, int] = field(default_factory=dict, compare=False, repr=False)
    units: Mapping[int, Unit] = field(default_factory=dict)
    phrases: tuple[Phrase, ...] = ()

    word_lemmas: list[str] = field(init=False, compare=False, repr=False)
    word_forms: list[str] = field(init=False, compare=False, repr=False)
    word_tags: list[str] = field(init=False, compare=False, repr=False)
    word_weights: list[float] = field(init=False, compare=False, repr=False)
    weight: float = field(init=False, compare=False, repr=False)
    marks: list[Marks] = field(init=False, compare=False, repr=False)
    position: dict[int, int] = field(init=False, compare=False, repr=False)
    numbered: list[tuple[int, float]] = field(init=False, compare=False, repr=False)
    verbs: list[int] = field(init=False, compare=False, repr=False)
    facts: dict[int, Fact] = field(init=False, compare=False, repr=False)
    main_verb: int | None = field(init=False, compare=False, repr=False)
    syntax: dict[int, dict[str, int]] = field(init=False, compare=False, repr=False)
    slots: dict[int, Attachment] = field(init=False, compare=False, repr=False)
    clauses: dict[int, tuple[str, ...]] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        words, own = self.words, self.__dict__  # a frozen object is filled in once
        own["word_lemmas"] = [self.lemmas[token] for token in words]
        own["word_forms"] = [self.forms[token] for token in words]
        own["word_tags"] = tags = [self.tags[token] for token in words]
        own["word_weights"] = self.weights.tolist()
        own["weight"] = float(np.add.reduce(self.weights))
        own["marks"] = [
            Marks(
                self.negations[token],
                self.modals[token],
                self.quantifiers[token],
                self.connectives[token],
            )
            for token in words
        ]
        own["position"] = {token: i for i, token in enumerate(words)}
        own["numbered"] = [(i, value) for i, value in enumerate(self.numbers) if value is not None]
        own["verbs"] = verbs = [i for i, tag in enumerate(tags) if tag == "VERB"]
        own["facts"] = {
            own["position"][head]: unit.fact
            for head, unit in self.units.items()
            if unit.fact is not None and head in self.position
        }
        own["main_verb"] = next((i for i in verbs if not self.places[i]), None)
        syntax: dict[int, dict[str, int]] = {}
        for places in self.places:
            for governor, _, position in places:
                below = syntax.setdefault(governor, {})
                below[position] = below.get(position, 0) + 1
        own["syntax"] = syntax
        own["slots"] = slots = self._slots()
        roles: dict[int, dict[str, None]] = {}
        for governor, relation, _ in slots.values():
            roles.setdefault(governor, {})[relation] = None
        own["clauses"] = {clause: tuple(roles[clause]) for clause in sorted(roles)}

    def _slots(self) -> dict[int, Attachment]:
        """Return the slots of the words that have a role, and of the predicates of these."""
        slots: dict[int, Attachment] = {}
        for i, places in enumerate(self.places):
            for place in places:
                if place.relation in ROLES:
                    at = self.position.get(place.governor)
                    # A noun within a phrase is the predicate of no clause.
                    if at is None or self.word_tags[at] not in NOUNS or not self.places[at]:
                        slots[i] = place
                        break
        for clause in {place.governor for place in slots.values()}:
            if clause in self.position:
                slots[self.position[clause]] = Attachment(clause, VERB, VERB)
        return slots

    def value(self, i: int) -> Fact | None:
        """Return the value of a content word, also if it is a plain number; or None."""
        number = self.numbers[i]
        return self.facts.get(i) or (None if number is None else as_fact(number))

    @cached_property
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
    def opposites(self) -> Opposites:
        """The learned opposites of the content words."""
        return lexicon().opposites([*zip(self.word_lemmas, self.word_tags, strict=True)])

    def governors(self, i: int) -> set[str]:
        """Return the lemmas of a content word's governors."""
        return {self.lemmas[place.governor] for place in self.places[i]}

    def tokens_before(self, token: int) -> Iterator[int]:
        """Yield the tokens before a noun, nearest first, up to the one before its phrase."""
        for at in range(token - 1, -1, -1):
            yield at
            if self.tags[at] not in PHRASE:
                return
