"""The word lists: how they relate, the values of numbers, and what function words oppose."""

import collections
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from hybridsem.english import words
from hybridsem.english.function_words import (
    AXES,
    BROAD,
    CLASSES,
    FUNCTION_CLASSES,
    SCALES,
    alike,
    opposed,
)
from hybridsem.english.numbers import CARDINALS, ORDINALS, number_value
from hybridsem.english.words import MODALS, VARIANTS
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


LINES = Path(__file__).with_name("numbers.txt").read_text(encoding="utf-8").splitlines()
NONE = (
    *("", " ", "many", "dozens", "hundreds of", "and", "a", "the", "i", "x", "xxxx", "iiii"),
    *("5:30", "5-10", "1.2.3", "10,00", "1/0", "3d", "five and", "and five", "one two", "two one"),
    *("hundred-year", "five dogs", "seventeen seven", "%", "percent", "dog%", "9" * 200),
)


@pytest.mark.parametrize("line", LINES)
def test_values(line: str) -> None:
    text, value = line.split(" = ")
    assert number_value(text) == pytest.approx(float(value))


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_number(text: str) -> None:
    assert number_value(text) is None


def test_every_whole_number_in_words() -> None:
    names = {value: word for word, value in CARDINALS.items()}
    places = {value: word for word, value in ORDINALS.items()}
    for number in range(1, 100):
        tens, unit = number - number % 10, number % 10
        two = number > 20 and unit > 0
        word = f"{names[tens]}-{names[unit]}" if two else names[number]
        place = f"{names[tens]}-{places[unit]}" if two else places[number]
        assert number_value(word) == number_value(place) == number
        assert number_value(f"four hundred and {word}") == 400 + number
        assert number_value(f"{word} thousand") == 1000 * number


OPPOSITES = """
    before/after in/out from/to in_front_of/behind for/against because_of/despite both/neither
    at_least/at_most
"""
SUBSTITUTES = "to/into because/since about/regarding each/every thru/through xyzzy/xyzzy"
UNRELATED = "of/unless dog/before dog/cat /to"


@pytest.mark.parametrize(
    ("pairs", "opposite", "substitute"),
    [(OPPOSITES, True, False), (SUBSTITUTES, False, True), (UNRELATED, False, False)],
)
def test_opposites_and_substitutes(pairs: str, opposite: bool, substitute: bool) -> None:
    for pair in pairs.split():
        first, second = pair.replace("_", " ").split("/")
        assert opposed(first, second) == 1 if opposite else opposed(first, second) < 0.25, pair
        assert alike(first, second) == substitute, pair


def test_what_is_in_a_street_is_outside() -> None:
    assert opposed("in", "outside") < 0.5 < opposed("inside", "outside")
    assert opposed("in", "out") == 1


def test_scales_by_how_far_apart() -> None:
    assert opposed("all", "some") == pytest.approx(0.35)
    assert opposed("some", "no") == pytest.approx(0.15 + 0.5)  # one denies
    assert opposed("many", "few") > opposed("many", "some")
    assert opposed("sometimes", "never") > opposed("sometimes", "often")
    assert opposed("must", "might") > opposed("must", "should") > 0


def test_tables_are_well_formed() -> None:
    for name, axis in AXES.items():
        assert all(0 < abs(value) <= 1 for value in axis.values()), name
        assert min(axis.values()) < 0 < max(axis.values()), name
    for name, scale in SCALES.items():
        assert all(0 <= degree.value <= 1 for degree in scale.values()), name
        assert {degree.denies for degree in scale.values()} == {True, False}, name
    assert set(CLASSES) >= BROAD
    assert len({*AXES, *SCALES, *CLASSES}) == len(AXES) + len(SCALES) + len(CLASSES)
    for word, names in FUNCTION_CLASSES.items():
        assert names, word
        assert word == " ".join(word.lower().split()), word


MISSPELT = {"becuse", "f", "yo", "u", "ur", "it's", "thy", "nt"}


def test_every_frequent_function_word_of_the_treebank_is_known(shared_data: Path) -> None:
    counts: collections.Counter[str] = collections.Counter()
    lines = (shared_data / "ud-ewt/train.conllu").read_text(encoding="utf-8").splitlines()
    for line in lines:
        number, form, lemma, tag, *_ = line.split("\t") if "\t" in line else ("#", "", "", "")
        if number.isdigit() and tag in ("ADP", "SCONJ", "CCONJ", "DET", "PRON", "AUX", "PART"):
            counts[lemma.lower() if tag == "AUX" else form.lower()] += 1
    frequent = {word for word, count in counts.items() if count >= 3} - MISSPELT
    assert len(frequent) > 150
    known = FUNCTION_CLASSES.keys() | VARIANTS.keys() | MODALS.keys()
    assert {word.replace("’", "'") for word in frequent} - known == set()
