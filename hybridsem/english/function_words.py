"""What English function words mean beside each other: classes, opposite poles, scales.

    AXES      before, until < 0 < after, since     two words on opposite sides are opposed
    SCALES    no 0, few, some, many, most, all 1    two words are opposed by how far apart they are,
                                                    and the more if one of them denies
    CLASSES   toward, to, into: a goal              words that may stand for each other

WordNet has none of this: prepositions, conjunctions, modals, quantifiers, and the adverbs like
them. The inventory is that of the tags ADP, SCONJ, CCONJ, DET, AUX and PART in UD English EWT train
with what the grammars list besides. Where a word stands on an axis or scale is set by hand: a
number after a colon is how much of the meaning it has, and without one it has all of it. Words are
in lower case; a compound stands under its words ("in front of").
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import read_table
from hybridsem.english.words import MODALS, NEGATORS, NOT, PRONOUNS, VARIANTS

SLIGHTLY = 0.25
"""Words that are opposed no more than this may still be alike: "many" and "most"."""
DENIAL = 0.5
"""What it counts that one of two words on a scale denies and the other does not."""


class Degree(NamedTuple):
    """Where a word is on a scale: from 0, none, to 1, all; ``denies``: it makes a negative clause,
    as "few" and "hardly" do.
    """

    value: float
    denies: bool = False


def _weighted(text: str) -> dict[str, float]:
    """Words, separated by commas, each with a number after a colon or 1."""
    entries = (entry.strip().partition(":") for entry in " ".join(text.split()).split(","))
    return {word: float(number) if number else 1.0 for word, _, number in entries}


def _axis(low: str, high: str) -> Mapping[str, float]:
    """Words on the negative and on the positive side."""
    return MappingProxyType(
        {word: -value for word, value in _weighted(low).items()} | _weighted(high)
    )


def _scale(affirming: str, denying: str) -> Mapping[str, Degree]:
    affirm = {word: Degree(value) for word, value in _weighted(affirming).items()}
    return MappingProxyType(
        affirm | {word: Degree(value, True) for word, value in _weighted(denying).items()}
    )


_TABLES = read_table(__file__)

AXES: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {name: _axis(**sides) for name, sides in _TABLES["axes"].items()}
)
"""Axis -> word -> where it is, from -1 to 1."""

SCALES: Mapping[str, Mapping[str, Degree]] = MappingProxyType(
    {name: _scale(**sides) for name, sides in _TABLES["scales"].items()}
)
"""Scale -> word -> where it is."""

CLASSES: Mapping[str, frozenset[str]] = MappingProxyType(
    {name: frozenset(_weighted(text)) for name, text in _TABLES["classes"].items()}
    | {
        "negation": frozenset(NEGATORS | NOT | {"without", "non", "hardly", "barely", "scarcely"}),
        "personal pronoun": frozenset(form for forms in PRONOUNS.values() for form in forms[:2]),
        "possessive pronoun": frozenset(form for forms in PRONOUNS.values() for form in forms[2:4]),
        "reflexive pronoun": frozenset(forms.reflexive for forms in PRONOUNS.values()),
        "modal": frozenset(MODALS),
    }
)
"""Class -> words."""


def _by_word() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for table in (AXES, SCALES, CLASSES):
        for name, words in table.items():
            for word in words:
                found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


BROAD = frozenset(_weighted(_TABLES["broad"]))
"""Classes whose words do the same with different meanings."""

FUNCTION_CLASSES: Mapping[str, frozenset[str]] = MappingProxyType(_by_word())
"""Word -> the axes, scales and classes that it is in."""


def _known(word: str) -> str:
    """A word as the tables have it: spelled as usual, a compound also without its last word."""
    lower = " ".join(word.lower().replace("’", "'").split())
    lower = VARIANTS.get(lower, lower)
    if lower not in FUNCTION_CLASSES and lower in MODALS:
        lower = MODALS[lower]
    if lower not in FUNCTION_CLASSES:
        whole = next(
            (f"{lower} {end}" for end in ("of", "to") if f"{lower} {end}" in FUNCTION_CLASSES), None
        )
        return whole or lower
    return lower


@lru_cache(65_536)
def opposed(word1: str, word2: str) -> float:
    """How far two function words are opposed, from 0, not at all, to 1.

    The largest of what they are on the axes and scales that both are on: on an axis the product of
    their distances from its middle if they are on different sides; on a scale half the distance
    between them, and 0.5 more if one of them denies.
    """
    first, second = _known(word1), _known(word2)
    if first == second:
        return 0.0
    found = [0.0]
    for axis in AXES.values():
        if first in axis and second in axis:
            found.append(-min(0.0, axis[first] * axis[second]))
    for scale in SCALES.values():
        if first in scale and second in scale:
            one, other = scale[first], scale[second]
            denied = DENIAL if one.denies != other.denies else 0.0
            found.append((1 - DENIAL) * abs(one.value - other.value) + denied)
    return max(found)


@lru_cache(65_536)
def alike(word1: str, word2: str) -> bool:
    """Whether one word may stand where the other does with the same meaning.

    They are the same, share a class that is not :data:`BROAD`, are on the same side of an axis, or
    near each other on a scale; words that are opposed more than :data:`SLIGHTLY` are not.
    """
    first, second = _known(word1), _known(word2)
    if first == second:
        return True
    if opposed(first, second) > SLIGHTLY:
        return False
    shared = FUNCTION_CLASSES.get(first, frozenset()) & FUNCTION_CLASSES.get(second, frozenset())
    return any(
        AXES[name][first] * AXES[name][second] > 0 if name in AXES else name not in BROAD
        for name in shared
    )
