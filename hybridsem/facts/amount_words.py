"""Numbers and single amounts in a text, before bounds and ranges: "2.5 million", "$5", "6 feet"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import read_table, word_sets
from hybridsem.english.numbers import (
    CARDINALS,
    DENOMINATORS,
    MULTIPLIERS,
    ORDINALS,
    SUFFIXES,
    number_value,
)
from hybridsem.facts.currencies import MONEY, POUNDS, SIGNS
from hybridsem.facts.units import NAMES, RATES, TIMES, UNITS, is_unit, years

__all__ = ["TABLES", "WORDS", "Phrases", "Text", "Value", "has_noun", "read_value"]

TABLES = read_table(__file__)
WORDS: Mapping[str, frozenset[str]] = MappingProxyType(word_sets(TABLES["words"]))

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[^\w\s]|[^\s]")
_PLAIN = re.compile(r"(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?")
_POINTED = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_POINTS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3}){2,}")
_FRACTION = re.compile(r"(?:\d{1,4}[ -])?\d{1,3}[/⁄]\d{1,3}(?![\w/.])|\d{0,4} ?[¼-¾⅐-⅞]")
_CLOCK = re.compile(r"\s?(?:[ap]\.?\s?m\b|o['’]clock\b|:\d)", re.IGNORECASE)
_FEET = re.compile(r"(\d{1,2})\s?['′’]\s?(\d{1,2}(?:\.5)?)(?:[\"″”]|''|’’|\b)")
_FRACTIONS = re.compile(r"[¼-¾⅐-⅞]")
_LONGEST_NUMBER = 16
_LONGEST_FIGURES = 30
NUMBER_WORDS = frozenset({*CARDINALS, *MULTIPLIERS})
_INSIDE = NUMBER_WORDS | {"and", "a", "half", "-", *DENOMINATORS, *ORDINALS}
_ROUND = 15
"""The digits of a number that count."""


@dataclass(frozen=True, slots=True)
class Text:
    """The words, figures and signs of a text, in lower case, with their places."""

    text: str
    words: list[str]
    starts: list[int]
    ends: list[int]

    @classmethod
    def of(cls, text: str) -> Text:
        """Split a text; an empty word ends it."""
        matches = list(_TOKEN.finditer(text))
        starts = [match.start() for match in matches]
        ends = [match.end() for match in matches]
        words = [match.group().lower() for match in matches]
        return cls(text, [*words, "", ""], [*starts, len(text) + 1], [*ends, len(text) + 1])

    def between(self, first: int, last: int) -> str:
        """Return the text from one word to before another."""
        return self.text[self.starts[first] : self.ends[last - 1]]

    def forms(self, at: int, most: int = 3) -> Iterator[tuple[str, int]]:
        """Yield the text of some words from ``at`` on, the longest first, and their ends."""
        for end in range(min(at + most, len(self.starts) - 1), at, -1):
            yield " ".join(self.between(at, end).split()), end

    def glued(self, at: int) -> bool:
        """Test if no blank is before a word."""
        return at > 0 and self.starts[at] == self.ends[at - 1]

    def before(self, at: int) -> str:
        """Return the word before another, or ""."""
        return self.words[at - 1] if at > 0 else ""

    def index(self, place: int, at: int) -> int:
        """Return the first word from ``at`` on that starts at a place in the text or later."""
        while self.starts[at] < place and at < len(self.starts) - 1:
            at += 1
        return at


class Phrases:
    """Phrases with what they mean, found by their first word."""

    def __init__(self, meanings: Iterable[tuple[str, str]]) -> None:
        self.by_first: dict[str, list[tuple[list[str], str]]] = {}
        for phrase, meaning in meanings:
            words = Text.of(phrase.replace("_", " ")).words[:-2]
            self.by_first.setdefault(words[0], []).append((words, meaning))
        for phrases in self.by_first.values():
            phrases.sort(key=lambda each: -len(each[0]))

    def at(self, text: Text, at: int) -> tuple[str, int] | None:
        """Return the meaning of the longest phrase at a word, and its end."""
        for words, meaning in self.by_first.get(text.words[at], ()):
            if text.words[at : at + len(words)] == words:
                return meaning, at + len(words)
        return None


class _Number(NamedTuple):
    value: float
    start: int
    end: int
    times: float = 1.0
    """The multiple that a word adds: a million."""
    fraction: bool = False
    ordinal: bool = False
    low: float | None = None
    """The other value of an ambiguous number."""


class Value(NamedTuple):
    """A single amount: its kind, its number, the unit or currency, the places of its words."""

    kind: str
    value: float
    start: int
    end: int
    unit: str = ""
    times: float = 1.0
    low: float | None = None
    per: str = ""
    of: str = ""


_PERCENTS = Phrases(
    (phrase, kind) for kind in ("percent", "points", "basis") for phrase in WORDS[kind]
)


def read_value(text: Text, at: int, inside: bool = False) -> Value | None:
    """Return the amount at a word; of kind "skip" for what is a number but no amount.

    ``inside``: it follows a hyphen or a connector.
    """
    if feet := _FEET.match(text.text, text.starts[at]):
        number = int(feet[1]) + float(feet[2]) / 12
        if not inside and float(feet[2]) < 12:
            end = text.index(feet.end(), at)
            return Value("quantity", round(number, _ROUND), at, end, "foot")
    for form, end in text.forms(at, 2):
        if (currency := SIGNS.get(form)) and text.words[end][:1].isdigit():
            number_after = _number(text, end, True)
            if number_after is None or number_after.fraction or number_after.ordinal:
                return None
            _, value, _, stop, _, times, low, *_ = _money_magnitude(text, number_after)
            return Value("money", value, at, stop, currency.code, times, low)
    number = _number(text, at, inside)
    return _with_unit(text, number) if number else None


def _money_magnitude(text: Text, number: _Number) -> Value:
    """Return a number after a currency's sign: "5m" is five million."""
    end, value, times = number.end, number.value, number.times
    if times == 1 and text.words[end] in SUFFIXES and text.glued(end):
        times = SUFFIXES[text.words[end]]
        value, end = _rounded(value * times), end + 1
    return Value("money", value, number.start, end, "", times, number.low)


def _rounded(value: float) -> float:
    return float(f"{value:.{_ROUND}g}")


def _number(text: Text, at: int, inside: bool) -> _Number | None:
    """Return the number at a word."""
    word = text.words[at]
    if word[:1].isdigit() or _FRACTIONS.match(word):
        return _figures(text, at, inside)
    if word in ("-", "−", "minus") and not (text.glued(at) and text.before(at)[-1:].isalnum()):
        number = _figures(text, at + 1, True) if text.words[at + 1][:1].isdigit() else None
        if word == "minus" and number is None and text.words[at + 1] in NUMBER_WORDS:
            number = _words(text, at + 1)
        spaced = word != "minus" and not text.glued(at + 1)
        return number and not spaced and number._replace(value=-number.value, start=at) or None
    return _words(text, at)


def _figures(text: Text, at: int, inside: bool) -> _Number | None:
    """Return the number in figures at a word."""
    start, word = text.starts[at], text.words[at]
    previous = text.text[start - 1] if start else " "
    if not inside and (previous.isalnum() or previous in "-–/:@#_.,'’\\=^*−"):
        return None
    if fraction := _FRACTION.match(text.text, start):
        value = number_value(fraction.group())
        end = text.index(fraction.end(), at)
        whole = "/" in fraction.group() and value is not None and not 0 < value < 100
        return None if value is None or whole else _Number(value, at, end, 1.0, value < 1)
    after = text.text[text.ends[at] : text.ends[at] + 2]
    if after[:1] in ("/", ":", "_", "@", "\\") and after[1:].isalnum() and after[1:].isdigit():
        return None
    if _CLOCK.match(text.text, text.ends[at]) or len(word) > _LONGEST_FIGURES:
        return None
    low = float(word) if _POINTED.fullmatch(word) else None
    if not (_PLAIN.fullmatch(word) or _POINTS.fullmatch(word)):
        return None
    plain = word.replace(",", "")
    pointed = low is not None or _POINTS.fullmatch(word)
    number = _Number(float(plain.replace(".", "") if pointed else plain), at, at + 1, low=low)
    return _multiplied(text, number)


def _multiplied(text: Text, number: _Number) -> _Number:
    """Return a number with "million", "k" and the like after it."""
    end, times = number.end, 1.0
    while (more := MULTIPLIERS.get(text.words[end])) and times < 1e18:
        times, end = times * more, end + 1
    suffix = text.words[end]
    if times == 1 and text.glued(end) and suffix in ("k", "bn", "mn", "mln", "bln", "tn"):
        times, end = SUFFIXES[suffix], end + 1
    elif times == 1 and text.glued(end) and suffix == "m" and _counts(text, end + 1):
        times, end = SUFFIXES[suffix], end + 1
    if times == 1:
        return number
    low = None if number.low is None else number.low * times
    return number._replace(value=_rounded(number.value * times), end=end, times=times, low=low)


def _counts(text: Text, at: int) -> bool:
    """Test if a plural noun follows "5m", so that it is five million and not metres."""
    word = text.words[at]
    plural = word.endswith("s") or word == "people"
    return plural and word not in WORDS["measured"] and has_noun(text, at)


def _words(text: Text, at: int) -> _Number | None:
    """Return the number in words at a word: the longest run that has a value."""
    word, following = text.words[at], text.words[at + 1]
    if word in ("a", "an"):
        if following == "couple" and text.words[at + 2] == "of":
            times = MULTIPLIERS.get(text.words[at + 3], 1)
            return _Number(2.0 * times, at, at + 3 + (times > 1))
        if text.words[at + 2 : at + 5] == ["and", "a", "half"] and is_unit(following):
            return _Number(1.0, at, at + 1)
        if following not in MULTIPLIERS and following not in DENOMINATORS:
            return None
    elif word not in NUMBER_WORDS and word != "half" and word not in ORDINALS:
        return None
    last = at + 1
    ordinal = text.words[at] in ORDINALS
    while not ordinal and last - at < _LONGEST_NUMBER and text.words[last] in _INSIDE:
        gap = text.text[text.ends[last - 1] : text.starts[last]]
        if gap not in ("", " ") or (text.words[last] == "-" and not text.glued(last)):
            break
        if text.words[last] == "and" and not _joins(text.words[last - 1], text.words[last + 1]):
            break
        last += 1
    for end in range(last, at, -1):
        final = text.words[end - 1]
        if final in ("and", "a", "-") or (
            text.words[end] == "-" and text.words[end + 1] in _INSIDE
        ):
            continue
        written = " ".join(text.words[at:end]).replace(" - ", "-")
        if (value := number_value(written)) is not None:
            return _word_number(text, value, at, end)
    return None


def _joins(before: str, after: str) -> bool:
    """Test if "and" is inside a number: "hundred and five", "two and a half"."""
    return before in MULTIPLIERS or after in ("a", "half")


def _word_number(text: Text, value: float, at: int, end: int) -> _Number | None:
    """Return a number in words, with its kind."""
    final = text.words[end - 1]
    whole = final in ORDINALS or final in DENOMINATORS
    fraction = whole and value != int(value) and value < 1
    ordinal = final in ORDINALS and not fraction
    if final == "second" and end - at > 1 and text.words[end - 2] != "-":
        return None
    if fraction and text.words[at] in ("a", "an", "half") and final != "half":
        if text.words[end] != "of" and text.words[at] != "half":
            return None
    times = 1.0
    for word in reversed(text.words[at:end]):
        if word not in MULTIPLIERS or word == "dozen":
            break
        times *= MULTIPLIERS[word]
    return _Number(value, at, end, times, fraction, ordinal)


def _with_unit(text: Text, number: _Number) -> Value | None:
    """Return a number with the percent sign, currency or unit after it."""
    at = number.end
    value = Value("number", number.value, number.start, at, "", number.times, number.low)
    hyphen = text.words[at] == "-" and text.glued(at) and text.glued(at + 1)
    after = at + 1 if hyphen else at
    if number.ordinal:
        return value._replace(kind="ordinal")
    if text.words[at] in ("st", "nd", "rd", "th") and text.glued(at):
        return value._replace(kind="ordinal", end=at + 1)
    if percent := _PERCENTS.at(text, after):
        kind = "share" if percent[0] == "percent" else "points"
        part = 0.01 if percent[0] == "basis" else 1.0
        return value._replace(kind=kind, value=_rounded(number.value * part), end=percent[1])
    measured = _unit(text, number, value, after)
    if measured is not None:
        return measured
    if number.fraction:
        return _fraction(text, number, value)
    return _ratio(text, number) or value


def _unit(text: Text, number: _Number, value: Value, at: int) -> Value | None:
    """Return a number with the currency, the unit or the unit of time at a word."""
    figures = text.words[number.start][:1].isdigit() or text.words[number.start] in ("-", "−")
    if number.fraction and text.words[at] == "of" and text.words[at + 1] in ("a", "an"):
        at += 2
    elif number.fraction and text.words[at] in ("a", "an"):
        at += 1
    for form, end in text.forms(at):
        lower = form.lower()
        if _part_of_word(text, end):
            continue
        if lower in POUNDS and not WORDS["pounds_of_money"].isdisjoint(text.words):
            return _coins(text, value._replace(kind="money", unit="GBP", end=end))
        if (currency := MONEY.get(form) or MONEY.get(lower)) and not (
            len(form) == 1 and form.isalpha() and not (text.glued(at) and figures)
        ):
            amount = _rounded(number.value * currency.part)
            money = value._replace(kind="money", value=amount, unit=currency.code, end=end)
            return _coins(text, money) if currency.part == 1 else money
        if lower in WORDS["figures_only"] and not figures:
            continue
        if rate := RATES.get(form):
            amount = number.value * rate[2]
            kind, unit = ("quantity", rate[0]) if rate[0] in NAMES else ("number", "")
            of = "" if unit else rate[0]
            return Value(kind, amount, number.start, end, unit, number.times, None, rate[1], of)
        if unit_of_time := TIMES.get(form) or (TIMES.get(lower) if len(form) > 1 else None):
            return _time(text, value, unit_of_time.name, end)
        if measure := UNITS.get(form) or (UNITS.get(lower) if len(form) > 2 else None):
            return _parts(text, value._replace(kind="quantity", unit=measure.name, end=end))
    return None


def _part_of_word(text: Text, end: int) -> bool:
    """Test if letters, digits or an apostrophe continue a form."""
    return text.glued(end) and text.words[end][:1].isalnum()


def _coins(text: Text, money: Value) -> Value:
    """Return an amount with its hundredths: "five dollars and fifty cents"."""
    at = money.end + (text.words[money.end] == "and")
    number = _number(text, at, False) if text.words[at] else None
    if number is None or not 0 < number.value < 100 or money.value != int(money.value):
        return money
    for form, end in text.forms(number.end, 2):
        currency = MONEY.get(form)
        if currency and currency.part < 1:
            return money._replace(value=_rounded(money.value + number.value / 100), end=end)
    return money


def _parts(text: Text, value: Value) -> Value:
    """Return a quantity with smaller units after it: "6 feet 2 inches", "a pound and a half"."""
    words = text.words[value.end : value.end + 3]
    if words == ["and", "a", "half"]:
        return value._replace(value=value.value + 0.5, end=value.end + 3)
    at = value.end + (words[0] == "and")
    number = _number(text, at, False) if text.words[at][:1].isalnum() else None
    if number is None or number.ordinal or number.fraction or NAMES[value.unit].offset:
        return value
    for form, end in text.forms(number.end, 2):
        small = UNITS.get(form) or (
            NAMES["inch"] if form == "in" and value.unit == "foot" else None
        )
        large = NAMES[value.unit]
        if small and (small.dimension, small.system) == (large.dimension, large.system):
            ratio = large.size / small.size
            if ratio > 1 and number.value < ratio:
                total = _rounded(value.value + number.value / ratio)
                return value._replace(value=total, end=end)
    return value


def _time(text: Text, value: Value, unit: str, end: int) -> Value:
    """Return an age for "5 years old", else a value to skip."""
    number = value.value
    if text.words[end : end + 3] == ["and", "a", "half"]:
        number, end = number + 0.5, end + 3
    hyphen = text.words[end] == "-" and text.glued(end)
    last = end + 1 if hyphen else end
    old = text.words[last] in ("old", "olds")
    if not old and text.words[end : end + 2] != ["of", "age"]:
        return value._replace(kind="skip", value=number, end=end, unit=unit)
    age = _rounded(number * years(unit))
    return value._replace(kind="age", value=age, end=last + 1 if old else end + 2)


def _fraction(text: Text, number: _Number, value: Value) -> Value | None:
    """Return a share for a fraction of something: "two thirds", "half of", "3/4 of"."""
    first, after = text.words[number.start], text.words[number.end]
    plain = first[0].isdigit() or first == "half"
    if plain and after not in (WORDS["whole"] if first == "half" else ("of",)):
        thirds = text.words[number.end - 1] in DENOMINATORS and first != "half"
        if not thirds:
            return value._replace(kind="half") if first == "half" else value._replace(kind="skip")
    if after == "of" and text.words[number.end + 1] in ("a", "an"):
        if text.words[number.end + 2] in TIMES:
            return value._replace(kind="skip")
    return value._replace(kind="share", value=_rounded(number.value * 100))


def _ratio(text: Text, number: _Number) -> Value | None:
    """Return a share for "one in five" and "5 out of 10"."""
    at, words = number.end, text.words
    out = words[at : at + 2] == ["out", "of"]
    if not (out or words[at] == "in") or not words[at + 1 + out]:
        return None
    every = at + 1 + out + (words[at + 1 + out] == "every")
    whole = _number(text, every, False)
    if whole is None or whole.ordinal or whole.fraction or not 0 < number.value < whole.value:
        return None
    if number.times != 1 or number.value != int(number.value):
        return None
    year = 1500 <= whole.value <= 2100 and "," not in words[every]
    after = words[whole.end]
    if not out and (year or after in TIMES or after in WORDS["months"] or after in ("st", "th")):
        return None
    share = _rounded(100 * number.value / whole.value)
    return Value("share", share, number.start, whole.end)


def has_noun(text: Text, at: int) -> bool:
    """Test if the word may be the noun that a number counts."""
    word = text.words[at]
    if not word.isalpha() or word in WORDS["no_noun"] or word in NUMBER_WORDS:
        return False
    return not text.glued(at) and text.starts[at] == text.ends[at - 1] + 1
