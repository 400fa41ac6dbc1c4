"""Durations and recurrences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import spaced
from hybridsem.facts.day_sets import combined
from hybridsem.facts.time_words import TABLES, WEEKDAYS
from hybridsem.facts.values import Fact, FactRelation, Interval, stated

__all__ = ["UNITS", "Duration", "Frequency", "Recurrence", "Unit"]


class Unit(NamedTuple):
    """A unit of durations: its size in the base, which is "second", "month" or a kind of days."""

    size: int
    base: str


UNITS: Mapping[str, Unit] = MappingProxyType(
    {
        name: Unit(int(size), base.replace("_", " "))
        for name, line in TABLES["units"].items()
        for size, base in [line.split(":")[0].split()]
    }
)
PLURALS = MappingProxyType({"century": "centuries", "millennium": "millennia"})
WRITTEN: Mapping[str, list[str]] = MappingProxyType(
    {base.replace("_", " "): spaced(names) for base, names in TABLES["written"].items()}
)
MONTH = 30.436875 * 86_400
"""Seconds of a mean Gregorian month."""
SPARE = 2.5 * 86_400
"""A month is at most this much shorter or longer."""


def plain(number: float) -> str:
    """Return a number in figures, to a millionth."""
    return f"{number:.6f}".rstrip("0").rstrip(".")


def counted(number: float, unit: str) -> str:
    """Return a number of units in words: "2 hours".

    >>> counted(1, "century"), counted(1.5, "century")
    ('1 century', '1.5 centuries')
    """
    name = unit if number == 1 else PLURALS.get(unit, f"{unit}s")
    return f"{plain(number)} {name}"


@dataclass(frozen=True, slots=True)
class Duration(Fact):
    """A length of time, in seconds, months, or days or nights of a kind (``unit``). Days and weeks
    are exact seconds, years exact months; months in seconds are 28 to 31 days.

    >>> from hybridsem.facts.times import read_times
    >>> [first, second] = read_times("24 months, two years")
    >>> first.relation_to(second)
    <FactRelation.EQUAL: 'equal'>
    """

    length: Interval
    unit: str
    approximate: bool = False

    def relation_to(self, other: Duration) -> FactRelation:
        """Return the relation of the lengths."""
        if self.unit == other.unit:
            return self._widened().relation_to(other._widened())
        if {self.unit, other.unit} != {"second", "month"}:
            return FactRelation.UNKNOWN
        relation = _in_seconds(self).relation_to(_in_seconds(other))
        points = self.length.is_point and other.length.is_point
        disjoint = relation is FactRelation.DISJOINT
        return relation if disjoint or not points else FactRelation.UNKNOWN

    def _widened(self) -> Interval:
        """The interval, wider by half of the last figure of an approximate number."""
        if not self.approximate:
            return self.length
        low, high, unit = self.length.low, self.length.high, _written_unit(self)
        low, high = max(0.0, low - _half_place(low, unit)), high + _half_place(high, unit)
        return replace(self.length, low=low, high=high)

    def __str__(self) -> str:
        """Return the duration in plain English."""
        unit = _written_unit(self)
        low, high = (end / UNITS[unit].size for end in (self.length.low, self.length.high))
        about = "about " if self.approximate else ""
        if self.length.is_point:
            return about + counted(low, unit)
        if math.isinf(high):
            bound = "more than" if self.length.low_open else "at least"
            return f"{about}{bound} {counted(low, unit)}"
        if low == 0:
            bound = "less than" if self.length.high_open else "at most"
            return f"{about}{bound} {counted(high, unit)}"
        return f"{about}{plain(low)} to {counted(high, unit)}"


def _written_unit(duration: Duration) -> str:
    """Return the largest unit in which all bounds are whole, or the smallest."""
    ends = [end for end in (duration.length.low, duration.length.high) if not math.isinf(end)]
    units = WRITTEN[duration.unit]
    for unit in units:
        if all(end % UNITS[unit].size == 0 for end in ends) and any(ends):
            return unit
    return units[-1]


def _half_place(value: float, unit: str) -> float:
    """Return half of the last figure that is not 0, and at least a twentieth of the value."""
    if not 0 < value < math.inf:
        return 0.0
    size = UNITS[unit].size
    number, place = round(value / size), 1
    while number and number % (10 * place) == 0:
        place *= 10
    return max(0.05 * value, place * size / 2)


def _in_seconds(duration: Duration) -> Interval:
    length = duration._widened()
    if duration.unit == "second":
        return length
    low = max(0.0, length.low * MONTH - SPARE)
    return Interval(low, length.high * MONTH + SPARE, length.low_open, length.high_open)


class Frequency(NamedTuple):
    """A number of times in each period of some seconds or months."""

    times: float
    period: float
    base: str


@dataclass(frozen=True, slots=True)
class Recurrence(Fact):
    """The frequency of an event; ``on`` names a day of the year, month or part of the day.
    "biweekly" has two ``readings``. Weekdays have no frequency.

    >>> from hybridsem.facts.times import read_times
    >>> [first, second] = read_times("Every other week; once every 14 days.")
    >>> first.relation_to(second)
    <FactRelation.EQUAL: 'equal'>
    """

    readings: tuple[Frequency, ...]
    weekdays: tuple[int, ...] = ()
    on: str = ""

    def relation_to(self, other: Recurrence) -> FactRelation:
        """Return the relation of the occasions."""
        if (self.readings, self.weekdays, self.on) == (other.readings, other.weekdays, other.on):
            return FactRelation.EQUAL
        if self.weekdays and other.weekdays:
            shared = set(self.weekdays) & set(other.weekdays)
            return FactRelation.OVERLAPS if shared else FactRelation.DISJOINT
        if self.weekdays or other.weekdays:
            days, frequency = (self, other) if self.weekdays else (other, self)
            weekly = len(days.weekdays), 604_800, "second"
            inside = FactRelation.WITHIN if days is self else FactRelation.CONTAINS
            return inside if frequency.readings == (Frequency(*weekly),) else FactRelation.OVERLAPS
        relations = {_relation(mine, theirs) for mine in self.readings for theirs in other.readings}
        relation = relations.pop() if len(relations) == 1 else FactRelation.UNKNOWN
        return combined([relation, stated(self.on, other.on, FactRelation.DISJOINT)])

    def __str__(self) -> str:
        """Return the recurrence in plain English."""
        if self.weekdays:
            names = " ".join(map(str, self.weekdays))
            return SETS.get(names) or " and ".join(f"{WEEKDAYS[day]}s" for day in self.weekdays)
        if len(self.readings) > 1:
            return "biweekly" if self.readings[0].base == "second" else "bimonthly"
        if self.on:
            return f"every {self.on}"
        times, period, base = self.readings[0]
        whole = (unit for unit in WRITTEN[base] if period % UNITS[unit].size == 0)
        unit = next(whole, WRITTEN[base][-1])
        each = f"every {counted(period / UNITS[unit].size, unit).removeprefix('1 ')}"
        return each if times == 1 else f"{plain(times)} times {each}"


SETS: Mapping[str, str] = MappingProxyType(
    {days: names.split()[0] for days, names in TABLES["weekday_sets"].items()}
)


def _relation(first: Frequency, second: Frequency) -> FactRelation:
    """Return the relation of frequencies: "twice a day" contains "every 12 hours"."""
    if first == second:
        return FactRelation.EQUAL
    if first.base != second.base:
        own, theirs = (
            each.period / each.times * (MONTH if each.base == "month" else 1)
            for each in (first, second)
        )
        near = abs(own - theirs) < 0.1 * max(own, theirs)
        return FactRelation.UNKNOWN if near else FactRelation.DISJOINT
    if first.times * second.period != second.times * first.period:
        return FactRelation.DISJOINT
    return FactRelation.CONTAINS if first.times > second.times else FactRelation.WITHIN
