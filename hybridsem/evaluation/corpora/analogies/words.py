"""Word lists of the rules that make analogies: ``words.toml``."""

from __future__ import annotations

from hybridsem._utils.tables import read_table, word_sets
from hybridsem.english import words as english

_TABLES = read_table(__file__)
WORDS: dict[str, frozenset[str]] = dict(word_sets(_TABLES["words"]))
"""The lists by name, with those that are made from others."""


def _pairs(name: str) -> list[tuple[str, str]]:
    parted = (pair.partition(":") for pair in _TABLES["pairs"][name].split())
    return [(one, two) for one, _, two in parted]


OPPOSITES = _pairs("opposites")
NAMES = frozenset(_pairs("names"))

_FORMS = english.PRONOUNS.values()
_POSITIVE = WORDS["gradable"] | WORDS["colours"] | WORDS["predicative"]
WORDS |= {
    "kin": english.KIN | WORDS["kin"],
    "predicative": _POSITIVE - WORDS["not_predicative"],
    "pronouns": frozenset(english.PRONOUNS),
    "object_pronouns": frozenset(forms.object for forms in _FORMS),
    # Words that refer to the subject before them.
    "bound": frozenset(form for forms in _FORMS for form in (forms.determiner, forms.reflexive))
    | {"other", "another", "own"},
    "with_have": frozenset({"I", "you", "we", "they"}),
}
