"""The values of numbers, by hand."""

from pathlib import Path

import pytest

from hybridsem.english.numbers import CARDINALS, ORDINALS, number_value

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
