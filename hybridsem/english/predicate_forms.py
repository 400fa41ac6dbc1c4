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
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import spaced

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


Word = tuple[str, str]
"""A lemma in lower case with its tag."""


def _places(text: str) -> Positions:
    return frozenset(text.split("|"))


def read_converses(rows: Iterable[str]) -> dict[Word, dict[Word, Converse]]:
    """Return the converses of each predicate, from rows of five columns. They are tag, words, tag,
    words, places ("subject=to|iobj from=subject"). Words are separated by blanks; "_" is a blank
    inside one.
    """
    converses: dict[Word, dict[Word, Converse]] = defaultdict(dict)
    for row in rows:
        pos1, words1, pos2, words2, places = row.split("\t")
        pairs = (pair.partition("=") for pair in places.split())
        form = Converse(tuple((_places(first), _places(second)) for first, _, second in pairs))
        for word1, word2 in product(spaced(words1), spaced(words2)):
            converses[word1, pos1].setdefault((word2, pos2), form)
            converses[word2, pos2].setdefault((word1, pos1), form.reversed)
    return converses


def read_symmetries(rows: Iterable[str]) -> dict[Word, tuple[Symmetry, ...]]:
    """Return the symmetries of each predicate, from rows of tag, words, two places."""
    symmetries: dict[Word, tuple[Symmetry, ...]] = defaultdict(tuple)
    for row in rows:
        pos, words, places = row.split("\t")
        symmetry = Symmetry(*map(_places, places.split()))
        for word in spaced(words):
            symmetries[word, pos] += (symmetry,)
    return symmetries
