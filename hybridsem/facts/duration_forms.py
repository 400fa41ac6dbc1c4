"""Durations and recurrences from the words of a form."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from hybridsem.facts.clock import DAY
from hybridsem.facts.dates import MONTHS, Date
from hybridsem.facts.durations import UNITS, Duration, Frequency, Recurrence
from hybridsem.facts.forms import Builder, Match
from hybridsem.facts.time_words import VALUES
from hybridsem.facts.values import Interval

__all__ = ["ATOMS", "length_between", "length_from", "recurrences", "sum_of"]

LONGEST = 1e12
"""A duration has fewer seconds or months."""


def _length(match: Match, low: float, high: float) -> Duration | None:
    """Return a duration from one number of the form's unit to another."""
    word, unit = match.named["UNIT"], UNITS[match.value("UNIT")]
    if not 0 <= low <= high < LONGEST / unit.size:
        return None
    if word.text == "second" and (high > 1 or match.has("a")) and not match.has("-", "half"):
        return None
    length = Interval(round(low * unit.size, 6), round(high * unit.size, 6))
    return Duration(match.start, match.end, length, unit.base)


def duration(match: Match) -> Duration | Recurrence | None:
    """Return "two hours", "an hour and a half", "half a day", "1h30"."""
    number = match.named["NUMBER"].number if "NUMBER" in match.named else 1.0
    texts = [word.text for word in match.words]
    if "NUMBER2" in match.named:  # 1h30
        minutes = match.named["NUMBER2"].number
        if not 0 <= minutes < 60 or match.words[0].end != match.words[1].start:
            return None
        length = round(3600 * number + 60 * minutes, 6)
        return Duration(match.start, match.end, Interval.of(length), "second")
    if "and" in texts:
        number += 0.25 if "quarter" in texts else 0.5
    elif "half" in texts:
        number = 0.5
    elif "quarter" in texts or "quarters" in texts:
        number *= 0.25
    elif "couple" in texts:
        number = 2.0
    elif "dozen" in texts:
        number = 12.0
    elif len(texts) == 2 and texts[0] in ("a", "an"):
        if match.previous and "DURATION" in match.previous[-1].classes:  # two hours a day
            return _every(match, 1, 1)
        short = len(texts[1]) < 3 or texts[1] not in UNITS
        if short or match.before in ("times", "once", "twice", "%") or match.before.isdigit():
            return None
    return _length(match, number, number)


def lengths_between(match: Match) -> Duration | None:
    """Return "two to three hours"."""
    low, high = match.named["NUMBER"].number, match.named["NUMBER2"].number
    if match.has("between") != match.has("and") or low >= high:
        return None
    return _length(match, low, high)


def length_between(match: Match) -> Duration | None:
    """Return "30 minutes to two hours"."""
    low, high = match.named["DURATION"].fact, match.named["DURATION2"].fact
    if not isinstance(low, Duration) or not isinstance(high, Duration) or low.unit != high.unit:
        return None
    if not (low.length.is_point and high.length.is_point and low.length.low < high.length.low):
        return None
    return replace(
        low, start=match.start, end=match.end, length=Interval(low.length.low, high.length.low)
    )


def length_from(match: Match, side: str) -> Duration | None:
    """Return "at least two hours"."""
    whole = match.named["DURATION"].fact
    if not isinstance(whole, Duration) or not whole.length.is_point:
        return None
    value, is_open = whole.length.low, side.endswith("open")
    low = side.startswith("low")
    length = Interval(value, math.inf, is_open) if low else Interval(0, value, False, is_open)
    return replace(whole, start=match.start, end=match.end, length=length)


def sum_of(match: Match) -> Duration | None:
    """Return "two hours and 30 minutes"."""
    parts = [
        fact
        for name in ("DURATION", "DURATION2", "DURATION3")
        if name in match.named and isinstance(fact := match.named[name].fact, Duration)
    ]
    if len({part.unit for part in parts}) > 1 or not all(part.length.is_point for part in parts):
        return None
    sizes = [_unit_size(part, match.original) for part in parts]
    if any(size <= part.length.low for size, part in zip(sizes, parts[1:], strict=False)):
        return None
    total = round(sum(part.length.low for part in parts), 6)
    return replace(parts[0], end=match.end, length=Interval.of(total))


def _unit_size(part: Duration, original: str) -> int:
    """Return the size of the unit that a duration is written with."""
    words = original[part.start : part.end].lower().replace("-", " ").split()
    names = [VALUES["UNIT"][word] for word in words if word in VALUES["UNIT"]]
    return UNITS[names[-1]].size if names else 1


def _every(match: Match, count: float, number: float) -> Recurrence | None:
    unit = UNITS[match.value("UNIT")]
    if unit.base not in ("second", "month") or not 0 < number * unit.size < LONGEST or count <= 0:
        return None
    frequency = Frequency(count, number * unit.size, unit.base)
    return Recurrence(match.start, match.end, (frequency,))


def every(match: Match) -> Recurrence | None:
    """Return "every day", "every other week", "every three months", "per year"."""
    number = 1.0
    if word := match.named.get("NUMBER") or match.named.get("ORDINAL"):
        number = word.number
        if number < 2 and "ORDINAL" in match.named:
            return None
    elif match.has("other") or len(match.words) == 3:
        number = 2.0
    elif match.named["UNIT"].text.endswith("s") or match.has("second"):
        return None
    return _every(match, 1, number)


def times(match: Match) -> Recurrence | None:
    """Return "twice a week", "three times every two days"."""
    count = match.named["NUMBER"].number if "NUMBER" in match.named else float(match.value("COUNT"))
    return _every(match, count, match.named["NUMBER2"].number if "NUMBER2" in match.named else 1.0)


def adverb(match: Match) -> Recurrence:
    """Return "daily", "biweekly"."""
    readings, on = [], ""
    for line in match.value("ADVERB").split(", "):
        count, number, unit, *names = line.split()
        size, base = UNITS[unit]
        readings.append(Frequency(float(count), float(number) * size, base))
        on = "".join(names)
    return Recurrence(match.start, match.end, tuple(readings), on=on)


def days(match: Match) -> Recurrence | None:
    """Return "Tuesdays", "every Monday", "every May"."""
    weekdays = match.value("WEEKDAYS") or match.value("WEEKDAY")
    if weekdays:
        each = tuple(map(int, weekdays.split()))
        return Recurrence(match.start, match.end, (), each)
    if part := match.value("DAYPART"):
        return Recurrence(match.start, match.end, (Frequency(1, DAY, "second"),), on=part)
    on = match.value("SEASON")
    if month := match.named.get("MONTH"):
        if not match.original[month.start].isupper():
            return None
        on = MONTHS[int(match.value("MONTH"))]
        on = f"{match.named['DAY'].number:g} {on}" if "DAY" in match.named else on
    if holiday := match.value("HOLIDAY"):
        number, day = holiday.split("-")
        on = f"{day} {MONTHS[int(number) - 1]}"
    return Recurrence(match.start, match.end, (Frequency(1, 12, "month"),), on=on)


def recurrences(match: Match) -> Recurrence | None:
    """Return "Mondays and Fridays", "every Monday and Friday"."""
    weekdays: set[int] = set()
    for name, word in match.named.items():
        if isinstance(word.fact, Recurrence) and word.fact.weekdays:
            weekdays |= set(word.fact.weekdays)
        elif isinstance(word.fact, Date) and (period := word.fact.readings[0].single):
            if not period.weekdays or period.month or period.day or period.unit or period.part:
                return None
            weekdays |= set(period.weekdays)
        elif name:
            return None
    if len(match.words) == 1 or match.words[-1].text in (",", "and"):
        return None
    return Recurrence(match.start, match.end, (), tuple(sorted(weekdays)))


ATOMS: Mapping[str, Builder] = MappingProxyType(
    {
        "duration": duration,
        "lengths_between": lengths_between,
        "adverb": adverb,
        "every": every,
        "times": times,
        "days": days,
    }
)
