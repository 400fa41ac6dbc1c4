"""Single amounts in a text, before bounds and ranges: "$5m", "6 feet 2 inches", "two thirds"."""

from __future__ import annotations

import re
from typing import NamedTuple

from hybridsem.english.numbers import DENOMINATORS, SUFFIXES
from hybridsem.facts.currencies import MONEY, POUNDS, SIGNS
from hybridsem.facts.units import NAMES, RATES, TIMES, UNITS, years
from hybridsem.facts.written_numbers import WORDS, Number, Phrases, Text, read_number, rounded

__all__ = ["Value", "read_value"]

_FEET = re.compile(r"(\d{1,2})\s?['′’]\s?(\d{1,2}(?:\.5)?)(?:[\"″”]|''|’’|\b)")
_FEET_SIGNS = frozenset("'′’")
_INCHES = 12


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


_SIGN_STARTS = frozenset(Text.of(sign).words[0] for sign in SIGNS)
_UNIT_STARTS = frozenset(
    Text.of(form).words[0] for forms in (MONEY, RATES, TIMES, UNITS, POUNDS) for form in forms
)


def read_value(text: Text, at: int, inside: bool = False) -> Value | None:
    """Return the amount at a word; of kind "skip" for what is a number but no amount.

    ``inside``: it follows a hyphen or a connector.
    """
    word = text.words[at]
    if not inside and word.isdecimal() and text.words[at + 1] in _FEET_SIGNS:
        feet = _FEET.match(text.text, text.starts[at])
        if feet and float(feet[2]) < _INCHES:
            length = rounded(int(feet[1]) + float(feet[2]) / _INCHES)
            return Value("quantity", length, at, text.index(feet.end(), at), "foot")
    if word in _SIGN_STARTS:
        for form, end in text.forms(at, 2):
            if (currency := SIGNS.get(form)) and text.words[end][:1].isdigit():
                return _money(text, at, read_number(text, end, True), currency.code)
    number = read_number(text, at, inside)
    return _with_unit(text, number) if number else None


def _money(text: Text, start: int, number: Number | None, code: str) -> Value | None:
    """Return a number after a currency's sign: "$5m" is five million."""
    if number is None or number.fraction or number.ordinal:
        return None
    value, end, times, low = number.value, number.end, number.times, number.low
    if times == 1 and text.words[end] in SUFFIXES and text.glued(end):
        times = SUFFIXES[text.words[end]]
        value, end = rounded(value * times), end + 1
    return Value("money", value, start, end, code, times, low)


def _with_unit(text: Text, number: Number) -> Value | None:
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
        return value._replace(kind=kind, value=rounded(number.value * part), end=percent[1])
    measured = _unit(text, number, value, after)
    if measured is not None:
        return measured
    if number.fraction:
        return _fraction(text, number, value)
    return _ratio(text, number) or value


def _unit(text: Text, number: Number, value: Value, at: int) -> Value | None:
    """Return a number with the currency, the unit or the unit of time at a word."""
    figures = text.words[number.start][:1].isdigit() or text.words[number.start] in ("-", "−")
    if number.fraction and text.words[at] == "of" and text.words[at + 1] in ("a", "an"):
        at += 2
    elif number.fraction and text.words[at] in ("a", "an"):
        at += 1
    if text.words[at] not in _UNIT_STARTS:
        return None
    for form, end in text.forms(at):
        lower = form.lower()
        if _part_of_word(text, end):
            continue
        if lower in POUNDS and not WORDS["pounds_of_money"].isdisjoint(text.words):
            return _coins(text, value._replace(kind="money", unit="GBP", end=end))
        if (currency := MONEY.get(form) or MONEY.get(lower)) and not (
            len(form) == 1 and form.isalpha() and not (text.glued(at) and figures)
        ):
            amount = rounded(number.value * currency.part)
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
    number = read_number(text, at, False) if text.words[at] else None
    if number is None or not 0 < number.value < 100 or money.value != int(money.value):
        return money
    for form, end in text.forms(number.end, 2):
        currency = MONEY.get(form)
        if currency and currency.part < 1:
            return money._replace(value=rounded(money.value + number.value / 100), end=end)
    return money


def _parts(text: Text, value: Value) -> Value:
    """Return a quantity with smaller units after it: "6 feet 2 inches", "a pound and a half"."""
    words = text.words[value.end : value.end + 3]
    if words == ("and", "a", "half"):
        return value._replace(value=value.value + 0.5, end=value.end + 3)
    at = value.end + (words[0] == "and")
    number = read_number(text, at, False) if text.words[at][:1].isalnum() else None
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
                total = rounded(value.value + number.value / ratio)
                return value._replace(value=total, end=end)
    return value


def _time(text: Text, value: Value, unit: str, end: int) -> Value:
    """Return an age for "5 years old", else a value to skip."""
    number = value.value
    if text.words[end : end + 3] == ("and", "a", "half"):
        number, end = number + 0.5, end + 3
    hyphen = text.words[end] == "-" and text.glued(end)
    last = end + 1 if hyphen else end
    old = text.words[last] in ("old", "olds")
    if not old and text.words[end : end + 2] != ("of", "age"):
        return value._replace(kind="skip", value=number, end=end, unit=unit)
    age = rounded(number * years(unit))
    return value._replace(kind="age", value=age, end=last + 1 if old else end + 2)


def _fraction(text: Text, number: Number, value: Value) -> Value | None:
    """Return a share for a fraction of something: "two thirds", "half of", "3/4 of"."""
    first, after = text.words[number.start], text.words[number.end]
    plain = first[0].isdigit() or first == "half"
    if plain and after not in (WORDS["whole"] if first == "half" else ("of",)):
        thirds = text.words[number.end - 1] in DENOMINATORS and first != "half"
        if not thirds:
            return value._replace(kind="half") if first == "half" else value._replace(kind="skip")
    article = after == "of" and text.words[number.end + 1] in ("a", "an")
    if article and text.words[number.end + 2] in TIMES:
        return value._replace(kind="skip")
    return value._replace(kind="share", value=rounded(number.value * 100))


def _ratio(text: Text, number: Number) -> Value | None:
    """Return a share for "one in five" and "5 out of 10"."""
    at, words = number.end, text.words
    out = words[at : at + 2] == ("out", "of")
    if not (out or words[at] == "in") or not words[at + 1 + out]:
        return None
    every = at + 1 + out + (words[at + 1 + out] == "every")
    whole = read_number(text, every, False)
    if whole is None or whole.ordinal or whole.fraction or not 0 < number.value < whole.value:
        return None
    if number.times != 1 or number.value != int(number.value):
        return None
    year = 1500 <= whole.value <= 2100 and "," not in words[every]
    after = words[whole.end]
    if not out and (year or after in TIMES or after in WORDS["months"] or after in ("st", "th")):
        return None
    share = rounded(100 * number.value / whole.value)
    return Value("share", share, number.start, whole.end)
