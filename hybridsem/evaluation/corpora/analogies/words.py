"""What the rules that make analogies know about English words, as data: ``words.toml``."""

from __future__ import annotations

from hybridsem._utils.tables import read_table, word_sets
from hybridsem.english import words as english

_TABLES = read_table(__file__)
_WORDS = word_sets(_TABLES["words"])


def _pairs(name: str) -> list[tuple[str, str]]:
    return [
        (one, two) for one, _, two in (p.partition(":") for p in _TABLES["pairs"][name].split())
    ]


GRADABLE = _WORDS["gradable"]
SHADES = _WORDS["shades"]
COLOURS = _WORDS["colours"]
OPPOSITES = _pairs("opposites")
KIN = english.KIN | _WORDS["kin"]
NOT_PASSIVE = _WORDS["not_passive"]
REPORTING = _WORDS["reporting"]
SCOPE = _WORDS["scope"]
HEDGES = _WORDS["hedges"]
PREDICATIVE = (GRADABLE | COLOURS | _WORDS["predicative"]) - _WORDS["not_predicative"]
NAMES = frozenset(_pairs("names"))
MEASURES = _WORDS["measures"]
QUANTITIES = _WORDS["quantities"]
ADVERBIAL = _WORDS["adverbial"]
BEFORE_BASE = _WORDS["before_base"]
LAST = _WORDS["last"]
INTENSIFIERS = _WORDS["intensifiers"]
SINGLE = _WORDS["single"]
SINGULAR_PRONOUNS = _WORDS["singular_pronouns"]
PLURAL_ONLY = _WORDS["plural_only"]
PRONOUNS = frozenset(english.PRONOUNS)
OBJECT_PRONOUNS = frozenset(forms.object for forms in english.PRONOUNS.values())
BOUND = frozenset(
    form for forms in english.PRONOUNS.values() for form in (forms.determiner, forms.reflexive)
) | {"other", "another", "own"}
"""Words that go by the subject before them."""

COLLECTIVE = _WORDS["collective"]
CHILDREN = _WORDS["children"]
WITH_HAVE = frozenset({"I", "you", "we", "they"})
