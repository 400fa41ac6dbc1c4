"""Names of persons, organisations and places, and their comparison.

    "Dr. Bob Smith"    PERSON        title "Dr"  text "Bob Smith"
    "Austin, Texas"    PLACE                     text "Austin, Texas"
    "WHO"              ORGANISATION              text "WHO"

Names are EQUAL under aliases: abbreviations, acronyms, adjectives of countries, short forms of
given names, other spellings. A shorter name CONTAINS a longer one: "Smith" and "John Smith".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from hybridsem.facts import gazetteer
from hybridsem.facts.day_sets import combined
from hybridsem.facts.gazetteer import WORDS, fold, given, organisation, outer, places
from hybridsem.facts.values import Fact, FactRelation

__all__ = ["Name", "NameKind"]

_SPACED = re.compile(r"\b([A-Z]\.) (?=[A-Z]\.)")
_LONG_WORD = 6
"""The least letters of a word in which one other letter may be a slip."""


class NameKind(StrEnum):
    """The kind of thing that a name stands for."""

    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Name(Fact):
    """A name: its ``text`` as written, without its ``title``; ``kind`` as far as it is known.

    >>> name = Name(0, 13, "Bob Smith", NameKind.PERSON, "Dr")
    >>> str(name), name.relation_to(Name(0, 12, "Robert Smith", NameKind.PERSON))
    ('Dr Bob Smith', <FactRelation.EQUAL: 'equal'>)
    >>> Name(0, 2, "UK", NameKind.PLACE).relation_to(Name(0, 6, "London", NameKind.PLACE))
    <FactRelation.CONTAINS: 'contains'>
    """

    text: str
    kind: NameKind = NameKind.UNKNOWN
    title: str = ""

    def relation_to(self, other: Name) -> FactRelation:
        """Return EQUAL for aliases, CONTAINS for a less precise name, DISJOINT for another.
        UNKNOWN: the titles contradict each other, or the spellings are close.
        """
        relation, titles = _relation(self, other), (self.title.lower(), other.title.lower())
        genders = {gazetteer.GENDERS.get(title) for title in titles} - {None}
        kinds = {gazetteer.TITLES.get(title) for title in titles} - {None, "plain"}
        differ = len(genders) > 1 or len(kinds) > 1  # "Mr" may stand for any title of a man
        known = relation is FactRelation.DISJOINT or not differ
        return relation if known else FactRelation.UNKNOWN

    def may_be(self, other: Name) -> bool:
        """Test if two names may stand for one thing: aliases, and of a person or an organisation
        more or less of the name. In one situation they do.

        >>> Name(0, 5, "Smith").may_be(Name(0, 9, "Bob Smith", NameKind.PERSON))
        True
        """
        relation, kinds = self.relation_to(other), {self.kind, other.kind}
        partial = relation in (FactRelation.CONTAINS, FactRelation.WITHIN)
        one = len(kinds - {NameKind.UNKNOWN}) == 1 and NameKind.PLACE not in kinds
        return relation is FactRelation.EQUAL or (one and partial)

    def __str__(self) -> str:
        text = self.text.title() if self.text.islower() else self.text
        return f"{self.title} {text}".strip()


def _relation(first: Name, second: Name) -> FactRelation:
    if gazetteer.spellings(first.text) & gazetteer.spellings(second.text):
        return FactRelation.EQUAL
    kinds = {first.kind, second.kind}
    is_place = kinds <= {NameKind.PLACE, NameKind.UNKNOWN}
    if is_place and (relation := _place_relation(first.text, second.text)) is not None:
        return relation
    owner, owner2 = (
        organisation(each.text) or organisation(" ".join(_words(each.text)))
        for each in (first, second)
    )
    acronym = _is_acronym(first.text, second.text) or _is_acronym(second.text, first.text)
    if acronym and (gazetteer.is_shared(first.text) or gazetteer.is_shared(second.text)):
        return FactRelation.UNKNOWN
    if acronym or (owner and owner == owner2):
        return FactRelation.EQUAL
    words = _words(first.text), _words(second.text)
    if words[0] == words[1] or _initials(first.text) == _initials(second.text):
        return FactRelation.EQUAL
    if NameKind.PERSON in kinds and kinds <= {NameKind.PERSON, NameKind.UNKNOWN}:
        relation = _person_relation(*words)
    else:
        relation = _general_relation(*words)
        if len(kinds) > 1 and relation is not None and relation is not FactRelation.EQUAL:
            relation = _across_kinds(relation, kinds, *words)
    if relation is not None:
        return relation
    if len(kinds - {NameKind.UNKNOWN}) < 2 and _is_slip(*words):
        return FactRelation.UNKNOWN
    return FactRelation.DISJOINT


def _place_relation(first: str, second: str) -> FactRelation | None:
    """Return the relation of two known places, or of a town with and without its region."""
    ours, theirs = places(first), places(second)
    if ours & theirs:
        return FactRelation.EQUAL
    if any(theirs.intersection(outer(place)) for place in ours):
        return FactRelation.WITHIN
    if any(ours.intersection(outer(place)) for place in theirs):
        return FactRelation.CONTAINS
    heads = [fold(text.rpartition(",")[0]) if "," in text else "" for text in (first, second)]
    if heads[0] and heads[0] == fold(second):
        return FactRelation.WITHIN
    if heads[1] and heads[1] == fold(first):
        return FactRelation.CONTAINS
    return FactRelation.DISJOINT if ours and theirs else None


def _words(text: str) -> list[str]:
    """Return the words of a name without a company's suffix and degrees."""
    words = fold(text.replace(",", " ")).split()
    end = WORDS["companies"] | WORDS["degrees"]
    while len(words) > 1 and words[-1] in end:
        words.pop()
    if len(words) > 1:
        words[-1] = gazetteer.STREETS.get(words[-1], words[-1])
    if len(words) > 1 and words[-1] in ("and", "&"):  # "Smith & Co"
        words.pop()
    return words


def _initials(text: str) -> list[str]:
    """Return the words of a name, initials that stand together as one: "J. K. Rowling"."""
    return _words(_SPACED.sub(r"\1", text))


def _is_acronym(short: str, long: str) -> bool:
    """Test if a name in capitals has the initials of another, with or without small words."""
    letters, words = (
        short.replace(".", "").replace("&", "").lower(),
        fold(long.replace(",", " ")).split(),
    )
    if not (2 <= len(letters) <= 8 and short.isupper() and letters.isalpha() and len(words) > 1):
        return False
    full = [word for word in words if word not in WORDS["small"]]
    without = [word for word in full if word not in WORDS["companies"]]
    initials = {"".join(word[0] for word in kept) for kept in (words, full, without)}
    # "USDA" has all letters of "U.S."
    initials.add("".join(word if gazetteer.is_acronym(word) else word[0] for word in full))
    return letters in initials


# --- persons


def _person_relation(first: list[str], second: list[str]) -> FactRelation | None:
    """Compare given names, middle names and family names."""
    first, second = _without_generation(first), _without_generation(second)
    if len(first) > len(second):
        relation = _person_relation(second, first)
        return None if relation is None else relation.inverted
    if len(first) == 1:
        alike = bool(given(first[0]) & given(second[0]))
        if len(second) == 1:
            relation = _given_relation(first[0], second[0])
            return None if relation is FactRelation.DISJOINT else relation
        return FactRelation.CONTAINS if alike or first[0] in second else None
    if first == second[-len(first) :]:  # "van Gogh"
        return FactRelation.EQUAL if len(first) == len(second) else FactRelation.CONTAINS
    if first[-1] != second[-1]:
        return None
    steps = {_given_relation(first[0], second[0])}
    if middle := first[1:-1]:
        if len(first) != len(second):
            return FactRelation.UNKNOWN
        steps |= set(map(_given_relation, middle, second[1:-1]))
    elif len(second) > 2:
        steps.add(FactRelation.CONTAINS)
    if FactRelation.DISJOINT in steps:
        return None
    return combined(steps)


def _without_generation(words: list[str]) -> list[str]:
    kept = [word for word in words if word not in WORDS["generations"]]
    return kept or words


def _given_relation(first: str, second: str) -> FactRelation:
    if first == second or given(first) & given(second):
        return FactRelation.EQUAL
    if len(first) == 1 and second.startswith(first):
        return FactRelation.CONTAINS
    if len(second) == 1 and first.startswith(second):
        return FactRelation.WITHIN
    return FactRelation.DISJOINT


# --- other names


def _content(words: Sequence[str]) -> list[str]:
    if not WORDS["directed"].isdisjoint(words):  # "Rome-to-Bari" is not "Bari-to-Rome"
        return list(words)
    return sorted(word for word in words if word not in WORDS["small"]) or sorted(words)


def _general_relation(first: list[str], second: list[str]) -> FactRelation | None:
    """Compare words: "Oxford University" and "University of Oxford", "Apollo" and "Apollo 11"."""
    ours, theirs = _content(first), _content(second)
    if ours == theirs:
        return FactRelation.EQUAL
    inside, around = set(ours) < set(theirs), set(theirs) < set(ours)
    if not (inside or around) or (first[0] != second[0] and first[-1] != second[-1]):
        return None
    return FactRelation.CONTAINS if inside else FactRelation.WITHIN


def _across_kinds(
    relation: FactRelation, kinds: set[NameKind], first: list[str], second: list[str]
) -> FactRelation | None:
    """A name within another of a different kind is another: "New York", "New York Times". It may be
    the same if the rest is general, or if a kind is not known.
    """
    if NameKind.UNKNOWN in kinds:
        return FactRelation.UNKNOWN if NameKind.PLACE in kinds else relation
    rest = set(first) ^ set(second)
    return FactRelation.UNKNOWN if rest <= WORDS["generic"] | WORDS["small"] else None


def _is_slip(first: list[str], second: list[str]) -> bool:
    """Test if one letter in one long word is all that differs, in no known word."""
    pairs = [pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]]
    if len(first) != len(second) or len(pairs) != 1:
        return False
    short, long = sorted(pairs[0], key=len)
    known = (given(short) and given(long)) or (places(short) and places(long))
    letters = len(long) >= _LONG_WORD and (short + long).isalpha()
    return letters and not known and _one_edit(short, long)


def _one_edit(short: str, long: str) -> bool:
    """Test if a letter is added, missing, replaced, or exchanged with its neighbour."""
    pairs = enumerate(zip(short, long, strict=False))
    place = next((place for place, pair in pairs if pair[0] != pair[1]), len(short))
    if len(short) < len(long):
        return short[place:] == long[place + 1 :]
    swapped = short[place + 1 : place + 2] + short[place : place + 1]
    return short[place + 1 :] == long[place + 1 :] or (swapped + short[place + 2 :] == long[place:])
