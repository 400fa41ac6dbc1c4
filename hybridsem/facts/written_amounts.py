"""Single amounts in a text, before bounds and ranges: "$5m", "6 feet 2 inches", "two thirds". The
words around a number decide if it counts, is an age or a place, and what it is per.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.numbers import CARDINALS, DENOMINATORS, MULTIPLIERS, SUFFIXES
from hybridsem.facts import written_numbers as written
from hybridsem.facts.quantities import Money, Quantity, Share
from hybridsem.facts.units import MONEY, NAMES, POUNDS, RATES, SIGNS, TIMES, UNITS, years
from hybridsem.facts.written_numbers import WORDS, Text, has_noun, read_number, rounded

__all__ = ["Value", "counted_noun", "is_age", "is_counted", "is_place", "read_per", "read_value"]

_FEET = re.compile(r"(\d{1,2})\s?['′’]\s?(\d{1,2}(?:\.5)?)(?:[\"″”]|''|’’|\b)")
_FEET_SIGNS = frozenset("'′’")
_INCHES = 12
_YEARS = (1500, 2100)
_CLEAR_YEARS = range(1900, 2031)
_OLDEST = 130
_HOURS = 24
_RARE_HOURS = 3600
_FIRST_FREE = 4
"""The first place whose name has no other meaning: "fourth"."""
_AFTER_AGE = frozenset({"", ".", ",", ";", "!", "?", ")", "and", "but", "now", "when", "today"})
MULTIPLES: Mapping[str, int] = MappingProxyType(
    written.TABLES["multiples"]
    | {f"{word}fold": value for word, value in {**CARDINALS, **MULTIPLIERS}.items() if value > 1}
)
"""Words for a number of times."""
_ADVERBS = dict(entry.split("=") for entry in WORDS["adverbs"])
_APOSTROPHES = "'’"
_TIMES = {"time"} | WORDS["times"]


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


_PERCENTS = written.Phrases(
    (phrase, kind) for kind in ("percent", "points", "basis") for phrase in WORDS[kind]
)
_SIGN_STARTS = frozenset(Text.of(sign).words[0] for sign in SIGNS)
_UNIT_STARTS = frozenset(
    Text.of(form).words[0] for forms in (MONEY, RATES, TIMES, UNITS, POUNDS) for form in forms
)
_MEASURING = {*_UNIT_STARTS, *_PERCENTS.by_first, *_TIMES} | {
    "-",
    "st",
    "nd",
    "rd",
    "th",
    "in",
    "out",
    "of",
    "for",
}
"""Words after a whole number in figures or words that make more of it than a number of things."""


def read_value(text: Text, at: int, inside: bool = False) -> Value | None:
    """Return the amount at a word; of kind "skip" for what is a number but no amount. ``inside``:
    it follows a hyphen or a connector.
    """
    word = text.words[at]
    if not inside and word.isdecimal() and text.words[at + 1] in _FEET_SIGNS:
        feet = _FEET.match(text.text, text.starts[at])
        if feet and float(feet[2]) < _INCHES:
            length = rounded(int(feet[1]) + float(feet[2]) / _INCHES)
            return Value("quantity", length, at, text.word_from(feet.end(), at), "foot")
    if word in _SIGN_STARTS:
        for form, end in text.forms(at, 2):
            if (currency := SIGNS.get(form)) and text.words[end][:1].isdigit():
                return _money(text, at, read_number(text, end, True), currency.code)
    if word in MULTIPLES:
        return _multiple(text, at)
    number = read_number(text, at, inside)
    return _with_unit(text, number) if number else None


def _multiple(text: Text, at: int) -> Value | None:
    """Return "twice", "threefold", "double" before "the size", and "once" before "or twice" or
    after "more than".
    """
    word, following = text.words[at], text.words[at + 1 : at + 3]
    if word in WORDS["doubling"] and following[0] not in WORDS["doubled"]:
        return None
    counted = following == ("or", "twice") or text.words[max(at - 1, 0)] in WORDS["counting"]
    if word == "once" and not counted:
        return None
    return Value("quantity", float(MULTIPLES[word]), at, at + 1, "time")


def _times(text: Text, number: written.Number, at: int) -> int | None:
    """Return the end of "times", "-fold" or "-time" after a number."""
    if text.words[at] not in _TIMES:
        return None
    word, one = text.between(at, at + 1), number.value == 1
    hyphen = at > number.end
    if number.fraction or not (word in WORDS["times"] or (word == "time" and hyphen is not one)):
        return None
    return at + 1


def _money(text: Text, start: int, number: written.Number | None, code: str) -> Value | None:
    """Return a number after a currency's sign: "$5m" is five million."""
    if number is None or number.fraction or number.ordinal:
        return None
    value, end, times, low = number.value, number.end, number.times, number.low
    if times == 1 and text.words[end] in SUFFIXES and text.glued(end):
        times = SUFFIXES[text.words[end]]
        value, end = rounded(value * times), end + 1
    return Value("money", value, start, end, code, times, low)


def _with_unit(text: Text, number: written.Number) -> Value | None:
    """Return a number with the percent sign, currency or unit after it."""
    at = number.end
    value = Value("number", number.value, number.start, at, "", number.times, number.low)
    hyphen = text.words[at] == "-" and text.glued(at) and text.glued(at + 1)
    after = at + 1 if hyphen else at
    if number.ordinal:
        return value._replace(kind="ordinal")
    if text.words[at] not in _MEASURING and not number.fraction:
        return value
    if text.words[at] in ("st", "nd", "rd", "th") and text.glued(at):
        return value._replace(kind="ordinal", end=at + 1)
    if percent := _PERCENTS.at(text, after):
        kind = "share" if percent[0] == "percent" else "points"
        part = 0.01 if percent[0] == "basis" else 1.0
        return value._replace(kind=kind, value=rounded(number.value * part), end=percent[1])
    if end := _times(text, number, after):
        return value._replace(kind="quantity", unit="time", end=end)
    measured = _unit(text, number, value, after)
    if measured is None and number.fraction:
        return _fraction(text, number, value)
    return measured or _ratio(text, number) or value


def _unit(text: Text, number: written.Number, value: Value, at: int) -> Value | None:
    """Return a number with the currency, the unit or the unit of time at a word."""
    if number.fraction and text.words[at] == "of" and text.words[at + 1] in ("a", "an"):
        at += 2
    elif number.fraction and text.words[at] in ("a", "an"):
        at += 1
    if text.words[at] not in _UNIT_STARTS:
        return None
    figures = text.words[number.start][:1].isdigit() or text.words[number.start] in ("-", "−")
    for form, end in text.forms(at):
        lower = form.lower()
        if text.glued(end) and text.words[end][:1].isalnum():  # a part of a word
            continue
        if len(form) == 1 and text.words[end] == "." and text.glued(end) and text.glued(end + 1):
            continue  # 40 C.F.R.
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
        inches = form == "in" and value.unit == "foot"
        small, large = UNITS.get(form) or (NAMES["inch"] if inches else None), NAMES[value.unit]
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


def _fraction(text: Text, number: written.Number, value: Value) -> Value | None:
    """Return a share for a fraction of something: "two thirds", "half of", "3/4 of"."""
    first, after = text.words[number.start], text.words[number.end]
    difference = text.before(number.start) == "by" and not has_noun(text, number.end)
    if first == "half" and after not in WORDS["whole"] and not difference:
        return value._replace(kind="half")
    if first[0].isdigit() and after != "of" and text.words[number.end - 1] not in DENOMINATORS:
        return value._replace(kind="skip")
    article = after == "of" and text.words[number.end + 1] in ("a", "an")
    if article and text.words[number.end + 2] in TIMES:
        return value._replace(kind="skip")
    return value._replace(kind="share", value=rounded(number.value * 100))


def _ratio(text: Text, number: written.Number) -> Value | None:
    """Return a share for "one in five" and "5 out of 10"."""
    at, words = number.end, text.words
    hyphen = words[at] == "-" and text.glued(at) and text.glued(at + 1)
    at += hyphen
    out = words[at : at + 2] in (("out", "of"), ("of", "every"), ("for", "every"))
    if not (out or words[at] == "in") or not words[at + 1 + out]:
        return None
    every = at + 1 + out + (words[at + 1 + out] == "every" or hyphen)
    whole = read_number(text, every, hyphen)
    if whole is None or whole.ordinal or whole.fraction or not 0 < number.value < whole.value:
        return None
    if number.times != 1 or number.value != int(number.value):
        return None
    year = 1500 <= whole.value <= 2100 and "," not in words[every]
    after = words[whole.end]
    if not out and (year or after in TIMES or after in WORDS["months"] or after in ("st", "th")):
        return None
    return Value("share", rounded(100 * number.value / whole.value), number.start, whole.end)


def counted_noun(text: Text, at: int) -> str:
    """Return the lemma of the noun at a word, or ""."""
    return lemmatiser()(text.words[at], "NOUN") if has_noun(text, at) else ""


def is_counted(text: Text, value: Value, start: int, end: int, bound: str) -> bool:
    """Test if a number without a unit is an amount, and not a year, a time, a label or a name."""
    before, after = text.before(start), text.words[end]
    hyphen = after == "-" and text.glued(end) and text.glued(end + 1)
    noun = (hyphen and text.words[end + 1].isalpha()) or has_noun(text, end)
    if hyphen and len(text.words[end + 1]) == 1:  # 3-D
        return False
    if text.glued(end) and (after[:1].isalnum() or after == "_"):
        return False
    if before == "(" and after == ")" and not _is_number(text.words[start - 2]):  # (1) Findings
        return False
    if before in WORDS["labels"] or text.words[max(start - 2, 0) : start] == ("no", "."):
        return False
    spaced = start > 1 and text.words[start - 2] == "&"
    named = "".join(text.words[start - 3 : start]) if spaced else before
    if named in WORDS["numbered"] or _is_date(text, start, end):
        return False
    if text.words[start] == "one" and value.value == 1:
        plural = after.endswith("s") and not after.endswith("ss")
        return before != "no" and noun and not hyphen and not plural
    whole = value.times == 1 and value.value == int(value.value) and not bound.startswith("at_")
    year = whole and _YEARS[0] <= value.value <= _YEARS[1] and "," not in text.words[end - 1]
    name = noun and text.text[text.starts[end]].isupper()
    several = after.endswith("s") or after == "people"
    event = not several or is_clear_year(value.value)
    edition = before in WORDS["determiners"] and event and after != "people"
    dated = name or not noun or edition or before in WORDS["year_before"]
    if year and dated and bound in ("", "about", "range"):
        return False
    if bound or noun:
        return True
    if before.isdecimal() or after.isdecimal() or (start == 0 and after in (".", ")")):
        return bool(not start and not text.words[end + 1])
    if whole and 0 <= value.value <= _HOURS and _is_clock(text, start, end):
        return False
    place = text.starts[start] - 2
    capital = start > 0 and text.text[text.starts[start - 1]].isupper()
    joined = place >= 0 and text.text[place].isalpha() and before not in WORDS["no_noun"]
    return not (capital and joined and before not in CARDINALS)


def is_clear_year(number: float) -> bool:
    """Test if a number after "the" is a year even before a plural: "the 2004 elections"."""
    return number in _CLEAR_YEARS and number % 100 != 0


def _is_date(text: Text, start: int, end: int) -> bool:
    """Test if a month is next to a number."""
    before = (
        text.words[start - 2] if text.before(start) == "." and start > 1 else text.before(start)
    )
    following = text.words[end + (text.words[end] == "of")]
    return before in WORDS["months"] or following in WORDS["months"]


def _is_clock(text: Text, start: int, end: int) -> bool:
    """Test if a number without a noun is a time of day: "at five", "ten to three"."""
    before, after = text.before(start), text.words[end]
    if after == "to" and before != "from" and _is_number(text.words[end + 1]):
        return True
    if before == "to" and start > 1 and _is_number(text.words[start - 2]):
        return text.before(start - 2) != "from"
    return before in WORDS["clock_before"] or after in WORDS["clock_after"]


def _is_number(word: str) -> bool:
    return word[:1].isdigit() or word in CARDINALS


def is_age(text: Text, value: Value, start: int, end: int, bound: str) -> bool:
    """Test if a number without a noun is an age: "when she was six", "Smith, 61, said"."""
    if not 0 < value.value <= _OLDEST or has_noun(text, end) or value.times != 1:
        return False
    before, after = text.before(start), text.words[end]
    if text.words[start] == "one" or value.value != int(value.value):
        return False
    if bound in ("less", "more") and before in WORDS["persons"]:
        return True
    if before in WORDS["turning"]:
        return after in _AFTER_AGE
    if before == "," and after in (",", ".") and start > 1 and not bound:
        return text.text[text.starts[start - 2]].isupper() and text.words[start - 2].isalpha()
    subject = start - 2
    if before in ("m", "s") and text.before(start - 1) in _APOSTROPHES:
        subject -= 1
    elif before not in WORDS["being"]:
        return False
    if subject < 0 or text.words[subject] not in WORDS["subjects"]:
        return False
    return after in _AFTER_AGE or text.before(subject) == "when"


def is_place(text: Text, value: Value, start: int, end: int) -> bool:
    """Test if an ordinal is a place in an order, and no part, date or adverb."""
    before, after = text.before(start), text.words[end]
    if _is_date(text, start, end):
        return False
    if text.words[start][:1].isdigit() or value.value >= _FIRST_FREE:
        return before not in ("a", "an") or text.words[start][:1].isdigit()
    if before in WORDS["determiners"] or before in WORDS["placing"]:
        return True
    if before in WORDS["being"] and after in WORDS["after_place"]:
        return True
    possessive = before == "s" and text.before(start - 1) in _APOSTROPHES
    return possessive or after in WORDS["places"]


def read_per(
    text: Text, at: int, amount: Quantity | Money | Share
) -> tuple[str, float, int] | None:
    """Return the unit or noun that an amount is per, how many of it, and the end."""
    word = text.words[at]
    of = amount.of if isinstance(amount, Quantity) and not amount.unit else word
    if word in _ADVERBS and of and (of == word or not has_noun(text, at + 1)):
        return _ADVERBS[word], 1.0, at + 1
    if word in WORDS["apiece"] and isinstance(amount, Money) and not has_noun(text, at + 1):
        return "", 1.0, at + 1
    volume = UNITS.get(text.words[at + 2]) if text.words[at : at + 2] == ("to", "the") else None
    each = text.words[at : at + 2] in (("for", "each"), ("for", "every")) or (
        volume and volume.dimension in ("volume", "gallon")
    )
    if word not in WORDS["per"] and not each:
        return None
    first = at + 1 + bool(each)
    if word == "/" and not (text.glued(at) and text.glued(first)):
        return None
    always = word in ("per", "/") or each
    count, place = 1.0, first
    if always and _is_number(text.words[first]):
        number = read_value(text, first)
        if number is None or number.kind not in ("number", "skip", "quantity"):
            return None
        count = number.value
        place = number.end if number.kind == "number" else number.end - 1
    for form, end in text.forms(place, 2):
        unit = TIMES.get(form) or TIMES.get(form.lower()) or UNITS.get(form)
        unit = unit or UNITS.get(form.lower())
        if unit and not (text.glued(end) and text.words[end][:1].isalnum()):
            often = unit.dimension == "calendar" or unit.size >= _RARE_HOURS
            recurrence = isinstance(amount, Quantity) and amount.unit == "time" and often
            ago = not always and text.words[end] in WORDS["not_rates"]
            return None if recurrence or ago else (unit.name, count, end)
    noun = counted_noun(text, place)
    open_ = isinstance(amount, Money) or text.words[place] in WORDS["periods"]
    if noun and (always or (open_ and word in ("a", "an"))):
        return noun, count, place + 1
    if text.words[place] == "dozen" and isinstance(amount, Money):
        return counted_noun(text, place + 1), 12.0, place + 1 + has_noun(text, place + 1)
    return (noun, count, place) if count != 1 and always else None
