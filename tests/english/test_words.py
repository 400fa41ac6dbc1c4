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


def test_every_preposition_of_two_words_is_found_as_one() -> None:
    assert {preposition for preposition in PREPOSITIONS if " " in preposition} == set(
        words.COMPOUND_PREPOSITIONS
    )
