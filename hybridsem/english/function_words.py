"""Meanings of English function words relative to each other: classes, opposite poles, scales.

    AXES      before, until < 0 < after, since     words on opposite sides are opposed
    SCALES    no 0, few, some, many, most, all 1    words are opposed by their distance, and more if
                                                    one of them negates
    CLASSES   toward, to, into: a goal              words that may replace each other

WordNet lacks prepositions, conjunctions, modals, quantifiers and similar adverbs. The inventory is
that of the function-word tags in UD English EWT train, completed from grammars. Positions are set
by hand: a number after a colon is the share of the meaning, 1 if missing. Words are in lower case.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import by_word, read_table
from hybridsem.english.lexicon import Lexicon
from hybridsem.english.words import MODALS, NEGATORS, NOT, PRONOUNS, VARIANTS

SLIGHTLY = 0.25
"""The largest opposition of words that may still be alike: "many" and "most"."""
DENIAL = 0.5
"""The opposition of two words on a scale of which only one negates."""


class Degree(NamedTuple):
    """A place on a scale from 0, none, to 1, all; ``denies``: the word makes a negative clause."""

    value: float
    denies: bool = False


def _weighted(text: str) -> dict[str, float]:
    """Return words, separated by commas, each with the number after its colon, or 1."""
    entries = (entry.strip().partition(":") for entry in " ".join(text.split()).split(","))
    return {word: float(number) if number else 1.0 for word, _, number in entries}


_TABLES = read_table(__file__)

AXES: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        name: {word: -place for word, place in _weighted(sides["low"]).items()}
        | _weighted(sides["high"])
        for name, sides in _TABLES["axes"].items()
    }
)
"""Axis -> word -> place from -1 to 1."""

SCALES: Mapping[str, Mapping[str, Degree]] = MappingProxyType(
    {
        name: {
            word: Degree(value, kind == "denying")
            for kind in ("affirming", "denying")
            for word, value in _weighted(sides[kind]).items()
        }
        for name, sides in _TABLES["scales"].items()
    }
)

CLASSES: Mapping[str, frozenset[str]] = MappingProxyType(
    {name: frozenset(_weighted(text)) for name, text in _TABLES["classes"].items()}
    | {
        "negation": frozenset(NEGATORS | NOT | {"without", "non", "hardly", "scarcely"}),
        "personal pronoun": frozenset(form for forms in PRONOUNS.values() for form in forms[:2]),
        "possessive pronoun": frozenset(form for forms in PRONOUNS.values() for form in forms[2:4]),
        "reflexive pronoun": frozenset(forms.reflexive for forms in PRONOUNS.values()),
        "modal": frozenset(MODALS),
    }
)


CONVERSE_NOUNS = MappingProxyType(by_word(_TABLES["converse_nouns"]))
BROAD = frozenset(_weighted(_TABLES["broad"]))
"""Classes whose words have the same function and different meanings."""

FUNCTION_CLASSES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        word: frozenset(
            name for table in (AXES, SCALES, CLASSES) for name in table if word in table[name]
        )
        for table in (AXES, SCALES, CLASSES)
        for words in table.values()
        for word in words
    }
)
"""Word -> the names of its axes, scales and classes."""


@lru_cache(65_536)
def _known(word: str) -> str:
    """Return the form that the tables have; a compound may lack its last word."""
    lower = " ".join(word.lower().replace("’", "'").split())
    lower = VARIANTS.get(lower, lower)
    plain = MODALS.get(lower, lower)
    forms = (lower, plain, f"{plain} of", f"{plain} to")
    return next((form for form in forms if form in FUNCTION_CLASSES), plain)


OPPOSABLE = frozenset(
    word
    for word in FUNCTION_CLASSES
    if any(_known(word) in words for table in (AXES, SCALES) for words in table.values())
)
"""The words that :func:`opposed` may find opposed to others."""


def _shared(first: str, second: str) -> frozenset[str]:
    """Return the axes, scales and classes that two words share."""
    return FUNCTION_CLASSES.get(first, frozenset()) & FUNCTION_CLASSES.get(second, frozenset())


@lru_cache(65_536)
def opposed(word1: str, word2: str) -> float:
    """Return how far two function words are opposed, from 0, not at all, to 1. It is the largest
    opposition on a shared axis or scale. On an axis, it is the product of the distances from the
    middle, if the words are on different sides. On a scale, it is half the distance, plus
    :data:`DENIAL` if only one of them negates.
    """
    first, second = _known(word1), _known(word2)
    if first == second:
        return 0.0
    found = [0.0]
    for name in _shared(first, second):
        if name in AXES:
            found.append(-min(0.0, AXES[name][first] * AXES[name][second]))
        elif name in SCALES:
            one, other = SCALES[name][first], SCALES[name][second]
            denied = DENIAL if one.denies != other.denies else 0.0
            found.append((1 - DENIAL) * abs(one.value - other.value) + denied)
    return max(found)


@lru_cache(65_536)
def alike(word1: str, word2: str) -> bool:
    """Test if one word may replace the other with the same meaning.

    They are the same, share a class that is not :data:`BROAD`, are on the same side of an axis, or
    near each other on a scale. Words opposed more than :data:`SLIGHTLY` are not alike.
    """
    first, second = _known(word1), _known(word2)
    if first == second:
        return True
    if opposed(first, second) > SLIGHTLY:
        return False
    return any(
        AXES[name][first] * AXES[name][second] > 0 if name in AXES else name not in BROAD
        for name in _shared(first, second)
    )


@lru_cache(1024)
def are_converse(marker1: str, marker2: str, lexicon: Lexicon) -> bool:
    """Test if two prepositions or conjunctions express one relation from both sides."""
    marker1, marker2 = (CONVERSE_NOUNS.get(word, word) for word in (marker1, marker2))
    return any(lexicon.converse(marker1, tag, marker2, tag) is not None for tag in ("ADP", "NOUN"))
