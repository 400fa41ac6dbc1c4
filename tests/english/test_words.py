"""The word lists of hybridsem.english.words: forms, and how the lists relate."""

from collections.abc import Iterable, Mapping

import pytest

from hybridsem.english import words
from hybridsem.parsers.verbnet.tables import PREPOSITIONS

LISTS = [name for name in vars(words) if name.isupper() and not name.startswith("_")]


@pytest.mark.parametrize("name", LISTS)
def test_lists_are_of_words_in_lower_case(name: str) -> None:
    entries: Iterable[str] | Mapping[str, object] = getattr(words, name)
    assert len(list(entries)) > 1
    assert all(entry == entry.lower().strip() != "" for entry in entries)


def test_lists_that_belong_together() -> None:
    assert words.FAMILY < words.KIN
    assert words.FAMILY < words.PERSONS
    assert words.NOT < words.NEGATORS
    assert words.AMBIGUOUS_TIMES < words.TIME_NOUNS
    assert len(words.MONTHS) == len(words.MONTH_ABBREVIATIONS) == 12
    assert len(words.WEEKDAYS) == 7


def test_every_preposition_of_two_words_is_found_as_one() -> None:
    assert {preposition for preposition in PREPOSITIONS if " " in preposition} == set(
        words.COMPOUND_PREPOSITIONS
    )


def test_forms_of_pronouns() -> None:
    she = words.PRONOUNS["she"]
    assert she == ("she", "her", "her", "hers", "herself")
    assert all(subject == forms.subject for subject, forms in words.PRONOUNS.items())
