"""Predicates with the same meaning if their participants change places.

    converse    A sold T to B  = B bought T from A      A is taller than B = B is shorter than A
    symmetric   A borders B    = B borders A            A mixed B with C   = A mixed C with B

A place is the syntactic position of a participant in the active voice:

    subject     of a verb, or of a predicate with a copula ("A is a friend"); for a preposition or
                conjunction, the phrase that it modifies ("A before B")
    object      the direct object of a verb; the complement of a preposition or conjunction
    iobj        the indirect object: "sold B the car"
    with, of .. a phrase with that preposition; "of" a noun is also the possessive ("B's friend")

The tables are part of ``hybridsem/data/lexicon.npz``; ``models/lexicon`` makes them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from types import MappingProxyType
from typing import NamedTuple

Positions = frozenset[str]
"""Equivalent places: {"to", "iobj"}."""

KINDS = MappingProxyType({"PROPN": "NOUN", "AUX": "VERB", "SCONJ": "ADP", "CCONJ": "ADP"})
"""Tags that the tables treat as another tag."""


class Converse(NamedTuple):
    """Pairs of places of two predicates: the same participant fills both."""

    places: tuple[tuple[Positions, Positions], ...]

    @property
    def reversed(self) -> Converse:
        """The converse from the second predicate to the first."""
        return Converse(tuple((second, first) for first, second in self.places))


class Symmetry(NamedTuple):
    """Two places of a predicate whose participants may be swapped."""

    first: Positions
    second: Positions


COMPARISON = Converse(
    ((frozenset({"subject"}), frozenset({"than"})), (frozenset({"than"}), frozenset({"subject"})))
)
"""The converse of antonyms in the comparative: "taller than" and "shorter than"."""


def _place(text: str) -> Positions:
    return frozenset(text.split("|"))


def _kind(pos: str) -> str:
    return KINDS.get(pos, pos)


def _words(text: str) -> list[str]:
    return [word.replace("_", " ") for word in text.split()]


class PredicateForms:
    """The tables of converses and of symmetric predicates, read from rows of text.

    Words are separated by blanks, "_" is a blank inside one. Each row of ``converses`` has five
    columns: tag, words, tag, words, places ("subject=to|iobj from=subject"). Each row of
    ``symmetric`` has three: tag, words, two places ("subject with|from").
    """

    def __init__(self, converses: Iterable[str], symmetric: Iterable[str]) -> None:
        self._converses: dict[tuple[str, str], dict[tuple[str, str], Converse]] = defaultdict(dict)
        self._symmetries: dict[tuple[str, str], list[Symmetry]] = defaultdict(list)
        for row in converses:
            pos1, words1, pos2, words2, places = row.split("\t")
            pairs = (pair.partition("=") for pair in places.split())
            form = Converse(tuple((_place(first), _place(second)) for first, _, second in pairs))
            for word1 in _words(words1):
                for word2 in _words(words2):
                    self._converses[word1, pos1].setdefault((word2, pos2), form)
                    self._converses[word2, pos2].setdefault((word1, pos1), form.reversed)
        for row in symmetric:
            pos, words, places = row.split("\t")
            first, second = places.split()
            for word in _words(words):
                self._symmetries[word, pos].append(Symmetry(_place(first), _place(second)))

    def converse(self, lemma1: str, pos1: str, lemma2: str, pos2: str) -> Converse | None:
        """Return how the first predicate corresponds to the second, or None.

        Args:
            lemma1: The first lemma; a preposition of several words in full ("in front of").
            pos1: Its UPOS tag.
            lemma2: The other lemma.
            pos2: Its UPOS tag.
        """
        converses = self._converses.get((lemma1.lower(), _kind(pos1)))
        return None if converses is None else converses.get((lemma2.lower(), _kind(pos2)))

    def converses(self, lemma: str, pos: str) -> dict[str, Converse]:
        """Return the converses of a predicate with its part of speech, by lemma."""
        kind = _kind(pos)
        converses = self._converses.get((lemma.lower(), kind), {})
        return {other: form for (other, of_kind), form in converses.items() if of_kind == kind}

    def symmetries(self, lemma: str, pos: str) -> tuple[Symmetry, ...]:
        """Return the pairs of places of a predicate whose participants may be swapped."""
        return tuple(self._symmetries.get((lemma.lower(), _kind(pos)), ()))
