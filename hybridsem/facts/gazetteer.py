"""Known names: places with what they are within, organisations with acronyms, given names.

>>> fold("The São-Paulo"), sorted(places("Texan")), sorted(places("Austin, Tex."))
('sao paulo', ['texas'], ['austin, texas'])
>>> organisation("NATO"), sorted(given("Bob"))
('north atlantic treaty organization', ['robert'])
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import by_word, read_table, word_sets

_TABLES = read_table(str(Path(__file__).with_name("names.toml")))
WORDS: Mapping[str, frozenset[str]] = MappingProxyType(word_sets(_TABLES["words"]))
TITLES: Mapping[str, str] = MappingProxyType(
    {form.lower(): kind for form, kind in by_word(_TABLES["titles"]).items()}
)
"""Each form of a title with its kind."""
TITLE_NAMES: Mapping[str, str] = MappingProxyType(
    {form.lower(): form for form in by_word(_TABLES["titles"])}
)
GENDERS: Mapping[str, str] = MappingProxyType(by_word(_TABLES["gender"]))

STREETS: Mapping[str, str] = MappingProxyType(by_word(_TABLES["streets"]))
"""The short form of the last word of a street."""
_SPELLINGS = by_word(_TABLES["spellings"])
_LETTERS = str.maketrans(by_word(_TABLES["letters"]))
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_MARKS = str.maketrans({".": None, "'": None, "’": None, "-": " ", "‐": " ", "&": " & "})
_ADJECTIVES, _AFTER_COMMA = 4, 3


@lru_cache(65_536)
def fold(text: str) -> str:
    """Return a name in lower case, without accents, points, hyphens and "the".

    >>> fold("The São-Paulo"), fold("St. John's Organisation")
    ('sao paulo', 'st johns organization')
    """
    plain = unicodedata.normalize("NFKD", text.translate(_MARKS).lower().translate(_LETTERS))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    words = [_SPELLINGS.get(word, word) for word in letters.split()]
    return " ".join(words[1:] if words[:1] == ["the"] and len(words) > 1 else words)


def spellings(text: str) -> frozenset[str]:
    """Return the folded forms of a name: "Müller" is "muller" and "mueller"."""
    return frozenset({fold(text), fold(text.lower().translate(_UMLAUTS))})


class _Tables(NamedTuple):
    places: Mapping[str, frozenset[str]]
    """The places of a folded name or adjective."""
    outer: Mapping[str, str]
    """The place that a place is within."""
    regions: Mapping[str, str]
    """Abbreviations after a comma, and names of regions, with their places."""
    states: frozenset[str]
    adjectives: frozenset[str]
    organisations: Mapping[str, str]
    given: Mapping[str, frozenset[str]]
    acronyms: frozenset[str]
    """Folded names that are written in capitals."""
    shared: frozenset[str]
    """Acronyms of several organisations."""


def _rows(name: str) -> Iterator[list[str]]:
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return (line.split("\t") for line in lines if not line.startswith("#"))


@lru_cache(1)
def _tables() -> _Tables:
    named: dict[str, set[str]] = defaultdict(set)
    outer: dict[str, str] = {}
    regions: dict[str, str] = {}
    states: set[str] = set()
    adjectives: set[str] = set()
    acronyms: set[str] = set()
    for row in _rows("places.tsv"):
        key = fold(row[0])
        outer[key] = fold(row[1])
        names, people = row[2].split(","), row[_ADJECTIVES].split(",")
        for name in (row[0], *names, *people):
            named[fold(name)].add(key)
        acronyms |= {fold(name) for name in names if name.isupper()}
        adjectives |= {fold(name) for name in people}
        regions |= dict.fromkeys(map(fold, (row[0].partition(" (")[0], *names)), key)
        if row[_AFTER_COMMA]:
            regions |= dict.fromkeys(map(fold, row[_AFTER_COMMA].split(",")), key)
            states.add(key)
        for city in filter(None, row[-1].split(",")):
            city_key = f"{fold(city.split('/')[0])}, {key}"
            outer[city_key] = key
            acronyms |= {fold(name) for name in city.split("/") if name.isupper()}
            for name in city.split("/"):
                named[fold(name)].add(city_key)
    for key, place in outer.items():  # a part of a city
        if place and place not in outer:
            outer[key] = min(named[place])
    named.pop("", None)
    regions.pop("", None)
    organisations: dict[str, str] = {}
    shared: set[str] = set()
    for name, others in _rows("organisations.tsv"):
        for form in (name, *others.split(",")):
            known = organisations.setdefault(fold(form), fold(name))
            shared |= {fold(form)} if known != fold(name) else set()
            acronyms |= {fold(form)} if form.isupper() else set()
    for form in (*shared, ""):
        organisations.pop(form, None)
    short: dict[str, set[str]] = defaultdict(set)
    for name, forms in _rows("given_names.tsv"):
        for form in (name, *forms.split()):
            short[fold(form)].add(fold(name))
    return _Tables(
        MappingProxyType({name: frozenset(keys) for name, keys in named.items()}),
        MappingProxyType(outer),
        MappingProxyType(regions),
        frozenset(states),
        frozenset(adjectives),
        MappingProxyType(organisations),
        MappingProxyType({name: frozenset(full) for name, full in short.items()}),
        frozenset(acronyms),
        frozenset(shared),
    )


def _is_other_word(text: str, key: str) -> bool:
    """Test if only capitals would make an acronym of a word: "Who", "Us"."""
    return key in _tables().acronyms and text[1:].islower() and text[:1].isupper()


def places(text: str) -> frozenset[str]:
    """Return the places that a name or an adjective may mean.

    >>> sorted(places("Georgian")), places("Austin, Tex."), places("München")
    (['georgia', 'georgia (us)'], frozenset({'austin, texas'}), frozenset({'munich, germany'}))
    """
    head, _, last = text.rpartition(",")
    if head and (area := region(last)):
        known = frozenset(place for place in places(head) if area in outer(place))
        return known or frozenset({f"{fold(head)}, {area}"})
    key = fold(text)
    return frozenset() if _is_other_word(text, key) else _tables().places.get(key, frozenset())


def outer(place: str) -> tuple[str, ...]:
    """Return the places that a place is within, the smallest first.

    >>> outer("munich, germany"), outer("smallville, kansas")
    (('germany', 'europe'), ('kansas', 'united states', 'north america'))
    """
    outside = _tables().outer
    around = []
    while place := outside.get(place) or place.partition(", ")[2]:
        around.append(place)
    return tuple(around)


def region(text: str) -> str:
    """Return the country, state or province of a name or an abbreviation, or ""."""
    return _tables().regions.get(fold(text), "")


def is_state(place: str) -> bool:
    """Test if a place is a state or province whose name may follow any town."""
    return place in _tables().states


def is_adjective(text: str) -> bool:
    """Test if a word is the adjective or the people of a place."""
    return fold(text) in _tables().adjectives


def organisation(text: str) -> str:
    """Return the full name of a known organisation, or ""."""
    key = fold(text)
    return "" if _is_other_word(text, key) else _tables().organisations.get(key, "")


def is_acronym(text: str) -> bool:
    """Test if a folded name is written in capitals.

    >>> is_acronym("us"), is_acronym("austria")
    (True, False)
    """
    return text in _tables().acronyms


def is_shared(text: str) -> bool:
    """Test if several organisations have an acronym.

    >>> is_shared("ADA"), is_shared("NATO")
    (True, False)
    """
    return fold(text) in _tables().shared


def given(text: str) -> frozenset[str]:
    """Return the given names that a word may stand for: "Bob" for "robert"."""
    return _tables().given.get(fold(text), frozenset())
