"""Two aligned sentences, and the draft of the edits between them.

A sentence is a set of propositions, one for each content word: the word, its governor, its role,
and what function words mark on it. The mass of a proposition is the word's share of the weight of
all words, so the masses of both sentences add up to 1. An edit of partners uses up the mass that it
charges, so that each difference is charged once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import ROUNDING
from hybridsem.comparison.alignment import Alignment
from hybridsem.comparison.argument_names import argument_names
from hybridsem.comparison.edits import Edit, Kind, Words
from hybridsem.comparison.sentence import Attachment, Sentence
from hybridsem.english.lexicon import LexicalRelation, Lexicon

ALIASES = {"if": "unless", "fewer": "few"}
"""Words that are replaced by another word: "unless" is "if" with a negation."""
NEARLY_ALL = 0.75
"""An edit that takes more than this share of the remaining mass takes all of it."""

Cluster = tuple[str, int | str]
"""A governor in both sentences: ("both", the number of its pair), or its sentence and lemma."""
Event = tuple[object, ...]
"""A kind, and what identifies one change of that kind."""


class Side:
    """One sentence of a pair.

    ``tokens``, ``positions`` (among the content words) and ``places`` belong to the aligned pairs,
    in their order; ``number`` maps tokens to the numbers of their pairs. ``alone`` are the
    positions of words without a partner. ``names`` are the argument names of aligned predicates.
    """

    def __init__(self, sentence: Sentence, positions: list[int], name: str) -> None:
        self.sentence, self.name = sentence, name
        self.lemmas, self.tags, self.words = sentence.lemmas, sentence.tags, sentence.words
        self.positions = positions
        self.tokens = [sentence.words[i] for i in positions]
        self.places = [sentence.places[i] for i in positions]
        self.number = {token: n for n, token in enumerate(self.tokens)}
        taken = set(positions)
        self.alone = [i for i in range(len(sentence.words)) if i not in taken]
        self.names: dict[int, Mapping[str, str]] = {}

    def cluster(self, governor: int) -> Cluster:
        """Return the cluster of a governor."""
        n = self.number.get(governor)
        return (self.name, self.lemmas[governor]) if n is None else ("both", n)

    def heads(self, n: int) -> set[Cluster]:
        """Return the governors of the word of pair ``n``."""
        return {self.cluster(place.governor) for place in self.places[n]}

    def is_subject(self, token: int) -> bool:
        """Test if a content word is a subject."""
        places = self.sentence.places[self.sentence.position[token]]
        return any(place.syntax == "subject" for place in places)

    def relations(self, governor: Cluster, places: Iterable[Attachment]) -> set[str]:
        """Return the relations of those of a word's ``places`` that are under ``governor``, by
        their common names in both sentences.
        """
        n = governor[1]
        names = self.names.get(n) if isinstance(n, int) else None
        return {
            place.relation
            if names is None
            else names.get(place.syntax, place.syntax or place.relation)
            for place in places
            if self.cluster(place.governor) == governor
        }

    def marked(self, n: int, marker: str | None) -> Words:
        """Return the word of pair ``n`` with the nearest tokens of the marker's lemmas."""
        token = self.tokens[n]
        if not marker:
            return Words((token,))
        marks: list[int] = []
        for lemma in (marker,) if marker in self.lemmas else marker.split():
            aliases = (lemma, ALIASES.get(lemma))
            places = [at for at, own in enumerate(self.lemmas) if own in aliases]
            marks += sorted(places, key=lambda at: abs(at - token))[:1]
        return Words((token,), marker=marker, marks=tuple(marks))


class Pair:
    """Two aligned sentences.

    Attributes:
        aligned: The partners, in their order; ``shares`` is the mass of each.
        names: The argument names of aligned predicates; ``converses`` are the converse ones.
        same_words: Whether both sentences have the same content words.
        opposites: The pairs of antonyms that are not converses.
        balanced: The opposites of which one is negated: "did not fail" and "passed".
    """

    def __init__(
        self, first: Sentence, second: Sentence, alignment: Alignment, lexicon: Lexicon
    ) -> None:
        self.aligned = alignment.pairs
        self.first = Side(first, [one.first for one in self.aligned], "first")
        self.second = Side(second, [one.second for one in self.aligned], "second")
        self.sides = ((self.first, self.second), (self.second, self.first))
        self.lexicon, self.similarities = lexicon, alignment.similarities
        self.size = (first.weight + second.weight) / 2
        weights1, weights2 = first.word_weights, second.word_weights
        self.shares = [
            (weights1[one.first] + weights2[one.second]) / 2 / self.size for one in self.aligned
        ]
        self.names = argument_names(first, second, self.aligned, lexicon)
        for n, names in self.names.items():
            self.first.names[n], self.second.names[n] = names.first, names.second
        self.converses = {n for n, names in self.names.items() if names.converse}
        self.same_words = (
            not self.first.alone
            and not self.second.alone
            and all(one.relation is LexicalRelation.SAME for one in self.aligned)
        )
        self.opposites = [
            n
            for n, one in enumerate(self.aligned)
            if one.relation is LexicalRelation.ANTONYM and n not in self.converses
        ]
        self.balanced = {
            n
            for n in self.opposites
            if (first.negations[self.first.tokens[n]] - second.negations[self.second.tokens[n]]) % 2
        }

    @cached_property
    def nearest(self) -> tuple[Float64Array, Float64Array]:
        """The highest similarity of each word of either sentence."""
        return np.maximum.reduce(self.similarities, 1), np.maximum.reduce(self.similarities, 0)

    def words(
        self, n: int, marker1: str | None = None, marker2: str | None = None
    ) -> tuple[Words, Words]:
        """Return the words of pair ``n``, each with its marker."""
        return self.first.marked(n, marker1), self.second.marked(n, marker2)


class Draft:
    """The edits of a pair as they are collected, and the mass of each aligned pair that is left."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.mass_left = list(pair.shares)
        self.events: dict[Event, int] = {}
        self.edits: list[Edit] = []

    def add(
        self,
        kind: Kind,
        mass: float,
        words: tuple[Words, Words],
        confidence: float = 1.0,
        event: Event | None = None,
    ) -> None:
        """Add an edit if it has any mass. ``event`` is the change that it is a part of, if any."""
        if mass > ROUNDING:
            number = 0 if event is None else self.events.setdefault(event, len(self.events) + 1)
            self.edits.append(Edit(kind, *words, float(mass), confidence, number))

    def change(
        self,
        kind: Kind,
        n: int,
        amount: float,
        words: tuple[Words, Words] | None = None,
        confidence: float = 1.0,
        event: Event | None = None,
        counts: bool = False,
    ) -> None:
        """Add an edit of pair ``n``, up to the pair's remaining mass; a small rest is used up too.
        If it ``counts``, it keeps the amount, and uses up all mass.
        """
        left = self.mass_left[n]
        if left > ROUNDING and amount > ROUNDING:
            mass = amount if counts else min(amount, left)
            self.mass_left[n] = 0.0 if counts or mass > NEARLY_ALL * left else left - mass
            self.add(kind, mass, words or self.pair.words(n), confidence, event)
