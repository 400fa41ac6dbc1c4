"""The values of numbers, by hand."""

from __future__ import annotations

import pytest

from hybridsem.english.numbers import CARDINALS, ORDINALS, number_value

VALUES = {
    "10": 10,
    "10,000": 10_000,
    "1,250.5": 1250.5,
    "-3": -3,
    ".5": 0.5,
    "$1,000": 1000,
    "5 €": 5,
    "#1": 1,
    "５": 5,  # a wide figure
    "5k": 5000,
    "2.5m": 2_500_000,
    "3bn": 3e9,
    "1.5 million": 1_500_000,
    "2 dozen": 24,
    "zero": 0,
    "seven": 7,
    "Twenty-Five": 25,
    "twenty five": 25,
    "one hundred": 100,
    "a hundred": 100,
    "hundred": 100,
    "one hundred and five": 105,
    "two hundred thirty-four": 234,
    "three thousand": 3000,
    "twelve hundred": 1200,
    "two thousand and ten": 2010,
    "six hundred thousand": 600_000,
    "one million two hundred thousand and one": 1_200_001,
    "nineteen eighty-four": 1984,
    "twenty ten": 2010,
    "a dozen": 12,
    "half a dozen": 6,
    "half a million": 500_000,
    "half": 0.5,
    "a half": 0.5,
    "one half": 0.5,
    "a quarter": 0.25,
    "three quarters": 0.75,
    "three-quarters": 0.75,
    "two thirds": 2 / 3,
    "a third": 1 / 3,
    "one tenth": 0.1,
    "1/2": 0.5,
    "½": 0.5,
    "2½": 2.5,
    "2 1/2": 2.5,
    "two and a half": 2.5,
    "one and a half million": 1_500_000,
    "first": 1,
    "third": 3,
    "the third": 3,
    "21st": 21,
    "twenty-first": 21,
    "twentieth": 20,
    "hundredth": 100,
    "two hundredth": 200,
    "once": 1,
    "twice": 2,
    "a couple": 2,
    "50%": 0.5,
    "50 percent": 0.5,
    "fifty per cent": 0.5,
    "1990s": 1990,
    "'90s": 90,
    "II": 2,
    "xiv": 14,
}
NONE = (
    *("", " ", "many", "dozens", "hundreds of", "and", "a", "the", "i", "x", "xxxx", "iiii"),
    *("5:30", "5-10", "1.2.3", "10,00", "1/0", "3d", "five and", "and five", "one two", "two one"),
    *("hundred-year", "five dogs", "seventeen seven", "%", "percent", "dog%", "9" * 200),
)


@pytest.mark.parametrize(("text", "value"), VALUES.items())
def test_values(text: str, value: float) -> None:
    assert number_value(text) == pytest.approx(value)


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
