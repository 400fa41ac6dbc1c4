"""Reads quantities, money, shares, ordinals, rates and ages, with their bounds and ranges.

    bound      number        unit    rest
    at least   five          km      per hour        Rate
               5-10          %                       Share
    aged       between 5 and 10                      Age

Durations, dates and times of day are no amounts. The scores of games stay unread.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import chain, product
from types import MappingProxyType
from typing import NamedTuple

from hybridsem.english.numbers import CARDINALS, DENOMINATORS, MULTIPLIERS, ORDINALS, number_value
from hybridsem.facts import written_amounts as written
from hybridsem.facts.clues import clue_words
from hybridsem.facts.quantities import FURTHER, VAGUE, Age, Money, Ordinal, Quantity, Rate, Share
from hybridsem.facts.units import CURRENCIES, SIGNS, TIMES, UNIT_NAMES, is_unit, years
from hybridsem.facts.values import ROUGH, Fact, Interval, about
from hybridsem.facts.written_amounts import Value, counted_noun, read_value
from hybridsem.facts.written_numbers import TABLES, WORDS, Phrases, Text, has_noun

__all__ = ["Age", "Money", "Ordinal", "Quantity", "Rate", "Share", "read_amounts"]


_point = lru_cache(1024)(Interval.of)


def _rough(value: float, factor: float) -> Interval:
    low, high = sorted((value, value * factor))
    return Interval(low, high, factor > 1, factor < 1)


_BOUNDS: Mapping[str, Callable[[float], Interval]] = MappingProxyType(
    {
        "": _point,
        "exactly": _point,
        "at_least": lambda value: Interval(value, math.inf),
        "at_most": lambda value: Interval(-math.inf, value),
        "more": lambda value: Interval(value, math.inf, low_open=True),
        "less": lambda value: Interval(-math.inf, value, high_open=True),
        "about": about,
        "nearly": lambda value: _rough(value, 1 - ROUGH),
        "just_over": lambda value: _rough(value, 1 + ROUGH),
    }
)
"""The intervals of a number with a bound."""
_APPROXIMATE = frozenset({"about", "nearly", "just_over"})
_BEFORE, _AFTER = (
    Phrases((form, kind) for kind, forms in TABLES[place].items() for form in forms.split("|"))
    for place in ("bounds", "after")
)
_AGE_BOUNDS = dict.fromkeys(WORDS["age_less"], "less") | dict.fromkeys(WORDS["age_more"], "more")
_OF_AGE = Phrases((phrase, _AGE_BOUNDS.get(phrase, "")) for phrase in WORDS["age_before"])
_VAGUE = Phrases((phrase, str(least)) for phrase, least in VAGUE.items())
_SHARES = Phrases((phrase, bounds) for phrase, bounds in TABLES["shares"].items())
_SPECIAL = frozenset({*_OF_AGE.by_first, *_VAGUE.by_first, *_SHARES.by_first, "in"})
_NUMBERS = (
    {*CARDINALS, *MULTIPLIERS, *ORDINALS, *written.MULTIPLES}
    | {"half", "a", "an", "minus", "-", "−"}
    | {Text.of(sign).words[0] for sign in SIGNS}
)
"""The words that a number starts with, of those that are no figures."""
_FREE = {*CARDINALS, *MULTIPLIERS, *ORDINALS, *written.MULTIPLES, *VAGUE, "half"}
"""The words that an amount starts with, whatever follows."""


def _pairs() -> Iterator[tuple[str, str]]:
    """Yield the other words that an amount starts with, each with what may follow but figures."""
    numbers = {*_NUMBERS, *_BEFORE.by_first}
    for phrases in (_BEFORE, _OF_AGE, _VAGUE, _SHARES):
        for (first, *rest), _ in chain(*phrases.by_first.values()):
            yield from product([first], rest[:1] or numbers)
    for first, *rest in (Text.of(sign).words for sign in SIGNS):
        yield first, rest[0]
    ones = {"couple", *MULTIPLIERS, *DENOMINATORS, *WORDS["coins"], *filter(is_unit, UNIT_NAMES)}
    yield from chain(product(["a", "an"], ones), product(["in"], WORDS["owners"]))
    yield from product(["minus", "-", "−"], {*CARDINALS, *MULTIPLIERS})


_PAIRS = frozenset(_pairs())
_BOUND = frozenset(first for first, _ in _PAIRS) - _FREE
_STARTS = _FREE | _BOUND
CLUES = (
    {*CARDINALS, *MULTIPLIERS, *ORDINALS, *DENOMINATORS, *_VAGUE.by_first, *_SHARES.by_first}
    | {
        *("half", "couple", "few", "handful", "majority", "minority"),
        *written.MULTIPLES,
        *WORDS["coins"],
        *(f"{word[:-1]}ies" for word in CARDINALS if word.endswith("ty")),
    }
) - {"a", "the"}
"""Words in every text with an amount, if it has neither figures nor a Roman numeral."""
_ROMAN = re.compile(r"\b([A-Z][a-z]+) ([IVX]{2,})\b(?!['’])")
_NUMERAL = re.compile("[IVX][IVX]")
_SIGN = re.compile(r"[\d¼-¾⅐-⅞IVX](?:(?<![IVX])|[IVX])")
_YEARS = range(1500, 2101)
_OLDEST = 130
_HYPHENS = {"-", "–", "—"}


class _Reading(NamedTuple):
    """An interval with the value that gives its kind and unit, and the places of its words."""

    interval: Interval
    value: Value
    start: int
    end: int
    bound: str = ""


def read_amounts(text: str) -> list[Fact]:
    """Return the amounts in a text, left to right.

    >>> [str(fact) for fact in read_amounts("At least forty-five thousand fans paid $5.50 each.")]
    ['at least 45,000', '5.5 dollars each']
    >>> [str(fact) for fact in read_amounts("Three quarters drive at 60 km/h for two hours.")]
    ['75 percent', '60 kilometres per hour']
    """
    if CLUES.isdisjoint(clue_words(text)) and not _SIGN.search(text):
        return []
    facts: list[Fact] = [
        Ordinal(*match.span(2), Interval.of(value))
        for match in (_ROMAN.finditer(text) if _NUMERAL.search(text) else ())  # "Louis XIV"
        if (value := number_value(match[2])) is not None
        and match[1].lower() not in WORDS["no_noun"] | WORDS["labels"]
    ]
    whole, end = Text.of(text), 0
    words = whole.words
    for at in [
        at
        for at, word in enumerate(words[:-2])
        if word in _STARTS or not word.isalpha()  # figures and signs
    ]:
        word = words[at]
        if at < end or not (
            word in _FREE
            or word[:1].isnumeric()
            or (word, words[at + 1]) in _PAIRS
            or (word in _BOUND and words[at + 1][:1].isnumeric())
        ):
            continue
        fact, end = _fact(whole, at)
        facts += [fact] if fact else []
    return sorted(facts, key=lambda fact: fact.start)


def _fact(text: Text, at: int) -> tuple[Fact | None, int]:
    """Return the fact that starts at a word, if any, and the end of what was read."""
    special = text.words[at] in _SPECIAL
    if special and (fact := _vague(text, at) or _decade_of_life(text, at)):
        return fact
    reading = (special and _aged(text, at)) or _bounded(text, at)
    if not reading:
        return None, at
    if reading.value.kind in ("skip", "half"):
        return None, reading.end
    return _built(text, reading)


def _vague(text: Text, at: int) -> tuple[Fact, int] | None:
    """Return the amount of words without a number: "dozens", "nearly all"."""
    start = text.starts[at]
    if shares := _SHARES.at(text, at):
        bounds, end = shares
        low, high = map(float, bounds[1:-1].split())
        interval = Interval(low, high, bounds[0] == "(", bounds[-1] == ")")
        if text.before(at) != "at":
            return Share(start, text.ends[end - 1], interval, bounds == "[90 100)"), end
    elif (vague := _VAGUE.at(text, at)) and text.words[vague[1]] not in TIMES:
        end = vague[1]
        of = counted_noun(text, end + (text.words[end] == "of"))
        interval = Interval(float(vague[0]), math.inf)
        return Quantity(start, text.ends[end - 1], interval, True, of=of), end
    return None


def _decade_of_life(text: Text, at: int) -> tuple[Fact, int] | None:
    """Return the age of "in his thirties"."""
    if text.words[at] != "in" or text.words[at + 1] not in WORDS["owners"]:
        return None
    place = at + 2 + (text.words[at + 2] in ("early", "mid", "late"))
    place += text.words[place] == "-"
    word = text.words[place]
    decade = CARDINALS.get(f"{word[:-3]}y") if word.endswith("ties") else None
    if decade is None and word.isdecimal() and text.words[place + 1] == "s" and len(word) == 2:
        decade, place = int(word), place + 1
    if not decade or decade % 10:
        return None
    end = text.ends[place]
    return Age(text.starts[at], end, Interval(float(decade), decade + 9.0)), place + 1


def _aged(text: Text, at: int) -> _Reading | None:
    """Return the age after "aged", "at the age of" and the like."""
    phrase = _OF_AGE.at(text, at)
    reading = _bounded(text, phrase[1], listed=True) if phrase else None
    if phrase is None or reading is None or reading.value.kind not in ("number", "age", "skip"):
        return None
    value, interval = reading.value, reading.interval
    if value.kind == "number" and (value.value > _OLDEST or has_noun(text, value.end)):
        return None
    if value.kind == "skip" and not value.unit:
        return None
    interval = interval.scaled(years(value.unit)) if value.kind == "skip" else interval
    if phrase[0]:
        interval = _BOUNDS[phrase[0]](interval.high)
    return reading._replace(interval=interval, value=value._replace(kind="age"), start=at)


def _bounded(text: Text, at: int, listed: bool = False) -> _Reading | None:
    """Return the number or range at a word, with its bounds; ``listed``: no noun need follow."""
    bound, first = _BEFORE.at(text, at) or ("", at)
    if bound == "between":
        return _between(text, at, first)
    if bound and (inner := _BEFORE.at(text, first)) and inner[0] in _APPROXIMATE:
        first = inner[1]
    word = text.words[first]
    value = read_value(text, first) if word in _NUMBERS or word[:1].isnumeric() else None
    if value is None:
        return None
    if not bound and value.times > 1 and text.words[first + 1] == "couple":
        bound = "about"
    if value.kind == "half" and bound:
        value = value._replace(kind="share", value=50.0)
    reading = _ranged(text, value, listed or bool(bound))
    if reading.end > value.end:
        return reading._replace(start=at, bound=bound or "range")
    after, end = _AFTER.at(text, value.end), value.end
    if value.kind == "share" and (late := _after_whole(text, end)) and not bound:
        return _Reading(_BOUNDS[late](value.value), value, at, end, late)
    apart = text.words[value.end] == "+" and not text.glued(value.end)
    if after and not apart and not bound and not read_value(text, after[1]):
        bound, end = after
    if value.low is not None and not bound:
        return _Reading(Interval(value.low, value.value), value, at, end)
    return _Reading(_BOUNDS[bound](value.value), value, at, end, bound)


def _after_whole(text: Text, end: int) -> str:
    """Return the bound after what a share is of: "30% of the time at best"."""
    if text.words[end] != "of":
        return ""
    for place in range(end + 2, min(end + 4, len(text.words))):
        after = _AFTER.at(text, place)
        if after and after[1] - place > 1 and not read_value(text, after[1]):
            return after[0]
    return ""


def _between(text: Text, at: int, first: int) -> _Reading | None:
    """Return the range of "between a and b"."""
    low = read_value(text, first)
    high = read_value(text, low.end + 1) if low and text.words[low.end] == "and" else None
    if low is None or high is None:
        return None
    reading = _joined(low, high)
    return reading._replace(start=at, bound="range") if reading else None


def _ranged(text: Text, low: Value, free: bool) -> _Reading:
    """Return a value or, if a connector follows, a range: "5-10 km", "two or three"."""
    alone = _Reading(_point(low.value), low, low.start, low.end)
    connector, at = text.words[low.end], low.end + 1
    hyphen = connector in _HYPHENS and text.glued(low.end) and text.glued(at)
    apart = connector in _HYPHENS and not (text.glued(low.end) or text.glued(at))
    apart = apart and low.kind == "number"  # "10 – 15 %"
    if not (hyphen or apart) and connector not in ("to", "or"):
        return alone
    starts_change = text.before(low.start) == "from" and connector == "to"
    if starts_change and text.words[low.start - 2] not in WORDS["ranging"]:
        return alone
    if connector == "to" and low.kind != "number" and text.before(low.start) in WORDS["changing"]:
        return alone
    high = read_value(text, at, inside=hyphen)
    if high is None or (apart and high.kind in ("number", "skip")):
        return alone
    reading = _joined(low, high)
    skipped = _Reading(alone.interval, low._replace(kind="skip"), low.start, high.end)
    if reading is None or high.kind == "skip":
        return skipped if hyphen or high.kind == "skip" else alone
    if high.kind == "number" and low.kind == "number" and connector != "or" and not free:
        noun = text.words[high.end]
        if not has_noun(text, high.end) or noun in WORDS["scores"] or high.value in _YEARS:
            return skipped if hyphen else alone
    if hyphen and text.words[high.end] in _HYPHENS and text.words[high.end + 1].isdecimal():
        return skipped
    return reading


def _joined(low: Value, high: Value) -> _Reading | None:
    """Return the range of two values; None if they are of other kinds or not in order."""
    kind, first = high, low.value
    if high.kind == "number" and low.kind == "money":
        kind = high._replace(kind="money", unit=low.unit)
    elif high.kind == low.kind == "money":  # "US$5 to $10"
        one, other = sorted((low.unit, high.unit), key=lambda code: len(CURRENCIES[code].codes))
        if not CURRENCIES[one].codes <= CURRENCIES[other].codes:
            return None
        kind = high._replace(unit=one)
    elif low.kind != "number" and (low.kind, low.unit) != (high.kind, high.unit):
        return None
    if low.times == 1 < high.times and low.value < high.value / high.times:
        first *= high.times
    reading = _Reading(Interval(first, high.value), kind, low.start, high.end)
    return reading if first < high.value else None


def _built(text: Text, reading: _Reading) -> tuple[Fact | None, int]:
    """Return the fact of a reading, if it is one, and its end."""
    value, end = reading.value, reading.end
    start, stop = text.starts[reading.start], text.ends[end - 1]
    around = value, reading.start, end, reading.bound
    approximate = reading.bound in _APPROXIMATE
    if value.kind == "age" or (value.kind == "number" and written.is_age(text, *around)):
        return Age(start, stop, reading.interval, approximate), end
    if value.kind == "ordinal":
        place = written.is_place(text, *around[:3])
        return (Ordinal(start, stop, reading.interval, approximate) if place else None), end
    if value.kind == "number" and not value.per and not written.is_counted(text, *around):
        return None, end
    of, noun_end = _thing(text, value, end)
    ambiguous = value.low is not None and not reading.bound
    rest = start, stop, reading.interval, approximate, ambiguous
    amount: Quantity | Money | Share = Quantity(*rest, value.unit, of)
    if value.kind == "money":
        amount = Money(*rest, value.unit)
    elif value.kind in ("share", "points"):
        amount = Share(*rest, value.kind == "points")
    per = (value.per, 1.0, end) if value.per else written.read_per(text, noun_end, amount)
    if per is None:
        return amount, end
    return Rate(start, text.ends[per[2] - 1], replace(amount, start=0, end=0), *per[:2]), per[2]


def _thing(text: Text, value: Value, end: int) -> tuple[str, int]:
    """Return the noun that an amount is of, and the end of what may be per something."""
    if value.of or value.kind not in ("number", "quantity"):
        return value.of, end
    if value.kind == "quantity":
        return counted_noun(text, end + 1) if text.words[end] == "of" else "", end
    if text.words[end] in WORDS["further"]:
        return FURTHER, end + 1
    if text.words[end] == "-" and text.glued(end):
        return (text.words[end + 1] if text.words[end + 1].isalpha() else ""), end
    noun = counted_noun(text, end)
    return noun, end + bool(noun)
