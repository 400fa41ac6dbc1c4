"""Conclusions from the words, figures and signs of two texts about their meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from hybridsem.english.harmless import (
    WORDS,
    Statement,
    is_name,
    match_of,
    matched,
    statement,
    word_match,
)
from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.numbers import MULTIPLIERS, number_value
from hybridsem.english.written import Unit, UnitKind

_PASSIVE = WORDS["passive"]
_VOICE = _PASSIVE | WORDS["agent"]


class Wording(StrEnum):
    """The conclusion from the units of two texts about their meaning."""

    PROVEN = "proven"
    """They say the same."""
    REARRANGED = "rearranged"
    """All words of one match words of the other, in another order or voice."""
    UNKNOWN = "unknown"
    """A word of one has no match: nothing is proven."""
    OTHER_FIGURES = "other figures"
    """Each has figures, signs or names that the other lacks; they may state the same."""
    OTHER_VALUE = "other value"
    """The only difference is that a figure or operator has another value."""


def wording(text1: str, text2: str) -> Wording:
    """Return what the units of two texts prove.

    >>> texts = "The bill was paid by Ann.", "Ann paid the bill.", "Ann paid the bill of 2019."
    >>> [str(wording(texts[1], text)) for text in texts]
    ['rearranged', 'proven', 'unknown']
    >>> str(wording("Keep rows where age > 30.", "Keep rows where age < 30."))
    'other value'
    """
    first, second = statement(text1), statement(text2)
    if matched(first, second) is not None:
        return Wording.PROVEN
    rest1, rest2 = _without(first.units, second.units), _without(second.units, first.units)
    figures1, figures2 = (
        [unit for unit in rest if unit in exact]
        for rest, exact in ((rest1, _exact(first)), (rest2, _exact(second)))
    )
    if figures1 and figures2:
        other = _other_values(first, second)
        return Wording.OTHER_VALUE if other else Wording.OTHER_FIGURES
    if figures1 or figures2 or first.question != second.question:
        return Wording.UNKNOWN
    voice = not _PASSIVE.isdisjoint(unit.key for unit in (*rest1, *rest2))
    for unit in list(rest1):
        verb = lemmatiser()(unit.key, "VERB") if voice else ""
        partner = next(
            (
                other
                for other in rest2
                if word_match(unit.key, other.key) is not None
                or verb == lemmatiser()(other.key, "VERB") != ""
            ),
            None,
        )
        if partner is not None:
            rest1.remove(unit)
            rest2.remove(partner)
    if all({unit.key for unit in rest} <= _VOICE or not rest for rest in (rest1, rest2)):
        passive = [unit.key in _PASSIVE for rest in (rest1, rest2) for unit in rest]
        if any(passive) or not passive:
            return Wording.REARRANGED
    return Wording.UNKNOWN


def other_values(text1: str, text2: str) -> tuple[tuple[str, str], ...]:
    """Return the figures and signs with another value, as written, if texts differ in no other way;
    or else nothing.

    >>> other_values("Return a + b.", "return a - b")
    (('+', '-'),)
    """
    first, second = statement(text1), statement(text2)
    found = _other_values(first, second)
    return tuple((_quoted(first.units, at), _quoted(second.units, at)) for at in found)


def _quoted(found: Sequence[Unit], at: int) -> str:
    """Return a figure as written, with "million" behind it; a first word loses its capital."""
    text = found[at].text
    text = text.lower() if text.istitle() and text.isalpha() else text
    size = found[at + 1].text if at + 1 < len(found) else ""
    return f"{text} {size}" if size.lower() in MULTIPLIERS else text


def states_bound(text: str) -> bool:
    """Test if a text has a word that states a bound, so that one number may follow from another."""
    return any(unit.key in WORDS["bounds"] for unit in statement(text).units)


def _other_values(first: Statement, second: Statement) -> list[int]:
    """Return the places of figures and signs with another value, if these are all that differs."""
    ones, twos = first.units, second.units
    if len(ones) != len(twos) or first.question != second.question:
        return []
    other = [
        at
        for at, (one, two) in enumerate(zip(ones, twos, strict=True))
        if one.key != two.key and match_of(first, at, second, at) is None
    ]
    return other if all(_is_other_value(ones[at], twos[at]) for at in other) else []


def _is_other_value(one: Unit, two: Unit) -> bool:
    """Test if two figures or signs have different values: as numbers, or as codes of one form."""
    if one.kind is not two.kind or one.kind is UnitKind.WORD:
        return False
    if one.kind is UnitKind.SIGN:
        return one.text.isascii() and two.text.isascii()
    values = number_value(one.key), number_value(two.key)
    if None not in values:
        return values[0] != values[1]
    return _shape(one.key) == _shape(two.key)


def _shape(key: str) -> str:
    """Return the form of a code: "b7-22" as "a9-99"."""
    return "".join("9" if c.isdigit() else "a" if c.isalpha() else c for c in key)


def _exact(read: Statement) -> set[Unit]:
    """Return the figures, signs and names of a text: units that have no synonyms."""
    return {
        unit
        for at, unit in enumerate(read.units)
        if unit.is_exact or (unit.kind is UnitKind.WORD and is_name(unit, at))
    }


def _without(found: Sequence[Unit], other: Sequence[Unit]) -> list[Unit]:
    """Return the units of a text that the other does not have, or has less often."""
    left = Counter(unit.key for unit in found) - Counter(unit.key for unit in other)
    rest = []
    for unit in found:
        if left[unit.key] > 0:
            left[unit.key] -= 1
            rest.append(unit)
    return rest
