"""Durations and recurrences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import spaced
from hybridsem.facts.day_sets import combined
from hybridsem.facts.time_words import TABLES, WEEKDAYS
from hybridsem.facts.values import Fact, FactRelation, Interval, ordinal, stated

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


WEEK = 7 * 86_400
SETS_DAYS = 5
"""Days after the first from which a set is written as a range: "Monday to Saturday"."""


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


def written_interval(interval: Interval, name: Callable[[float], str]) -> str:
    """Return an interval of positive numbers in words, with ``name`` for each that has a unit.

    >>> written_interval(Interval(2, math.inf), plain), written_interval(Interval(2, 3), plain)
    ('at least 2', '2 to 3')
    """
    if interval.is_point:
        return name(interval.low)
    if math.isinf(interval.high):
        return f"{'more than' if interval.low_open else 'at least'} {name(interval.low)}"
    if interval.low == 0:
        return f"{'less than' if interval.high_open else 'at most'} {name(interval.high)}"
    return f"{plain(interval.low)} to {name(interval.high)}"


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
        length = replace(self.length, low=low, high=high)
        return about + written_interval(length, lambda number: counted(number, unit))


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

    times: Interval
    period: float
    base: str

    @property
    def rate(self) -> Interval:
        """The number of times in a second or month."""
        return self.times.scaled(1 / self.period)


@dataclass(frozen=True, slots=True)
class Recurrence(Fact):
    """The frequency of an event; ``on`` names a day of the year, month or part of the day.
    "biweekly" has two ``readings``. Weekdays have no frequency. The times of an ``approximate`` one
    are an interval.

    >>> from hybridsem.facts.times import read_times
    >>> [first, second] = read_times("Every other week; once every 14 days.")
    >>> first.relation_to(second)
    <FactRelation.EQUAL: 'equal'>
    """

    readings: tuple[Frequency, ...]
    weekdays: tuple[int, ...] = ()
    on: str = ""
    approximate: bool = False

    def relation_to(self, other: Recurrence) -> FactRelation:
        """Return the relation of the occasions."""
        if (self.readings, self.weekdays, self.on) == (other.readings, other.weekdays, other.on):
            return FactRelation.EQUAL
        relations = {_relation(mine, theirs) for mine in self._often() for theirs in other._often()}
        relation = relations.pop() if len(relations) == 1 else FactRelation.UNKNOWN
        if self.weekdays and other.weekdays:
            if self.weekdays == other.weekdays:  # every Tuesday, every other Tuesday
                return relation
            days, others = set(self.weekdays), set(other.weekdays)
            shared = days & others
            if shared in (days, others) and self.readings == other.readings:  # on each of them
                return FactRelation.CONTAINS if shared == days else FactRelation.WITHIN
            return FactRelation.OVERLAPS if shared else FactRelation.DISJOINT
        if self.weekdays or other.weekdays:
            if {self.readings, other.readings} == {(), DAILY} and not (self.on or other.on):
                return FactRelation.CONTAINS if self.weekdays else FactRelation.WITHIN
            inside = FactRelation.WITHIN if self.weekdays else FactRelation.CONTAINS
            if relation is FactRelation.DISJOINT and self.readings and other.readings:
                return relation
            return inside if relation is FactRelation.EQUAL else FactRelation.OVERLAPS
        return combined([relation, stated(self.on, other.on, FactRelation.DISJOINT)])

    def _often(self) -> tuple[Frequency, ...]:
        """The readings, weekly for days of the week without one."""
        weekly = Frequency(Interval.of(float(len(self.weekdays))), WEEK, "second")
        return self.readings or (weekly,)

    def __str__(self) -> str:
        """Return the recurrence in plain English."""
        if self.weekdays and self.readings:
            weeks = f"{self.readings[0].period / WEEK:g}"
            return f"every {ordinal(weeks)} {WEEKDAYS[self.weekdays[0]]}"
        if self.weekdays:
            names = " ".join(map(str, self.weekdays))
            low, high = self.weekdays[0], self.weekdays[-1]
            if high - low == len(self.weekdays) - 1 >= SETS_DAYS:
                return f"{WEEKDAYS[low]} to {WEEKDAYS[high]}"
            return SETS.get(names) or " and ".join(f"{WEEKDAYS[day]}s" for day in self.weekdays)
        if len(self.readings) > 1:
            return "biweekly" if self.readings[0].base == "second" else "bimonthly"
        if self.on:
            return f"{self.on} of every month" if self.on[:4] == "the " else f"every {self.on}"
        times, period, base = self.readings[0]
        whole = (unit for unit in WRITTEN[base] if period % UNITS[unit].size == 0)
        unit = next(whole, WRITTEN[base][-1])
        each = f"every {counted(period / UNITS[unit].size, unit).removeprefix('1 ')}"
        if times == Interval.of(1.0):
            return each
        middle = plain((times.low + times.high) / 2)
        number = f"about {middle}" if self.approximate else written_interval(times, plain)
        count = number.removesuffix("1") + "once" if number.endswith(" 1") else f"{number} times"
        return f"{count} {each}"


DAILY = (Frequency(Interval.of(1.0), 86_400, "second"),)
SETS: Mapping[str, str] = MappingProxyType(
    {days: names.split()[0] for days, names in TABLES["weekday_sets"].items()}
)


def _relation(first: Frequency, second: Frequency) -> FactRelation:
    """Return the relation of frequencies: "twice a day" contains "every 12 hours"."""
    if first == second:
        return FactRelation.EQUAL
    if first.base != second.base:
        own, theirs = (
            each.rate.scaled(1 / MONTH) if each.base == "month" else each.rate
            for each in (first, second)
        )
        return FactRelation.UNKNOWN if _has_near_bounds(own, theirs) else own.relation_to(theirs)
    own = first.times.scaled(second.period)
    theirs = second.times.scaled(first.period)
    if own != theirs:
        return own.relation_to(theirs)
    return FactRelation.CONTAINS if first.period > second.period else FactRelation.WITHIN


def _has_near_bounds(first: Interval, second: Interval) -> bool:
    """Test if two bounds differ by less than a month may."""
    return any(
        math.isclose(own, bound, rel_tol=0.1)
        for own in (first.low, first.high)
        for bound in (second.low, second.high)
        if own and not math.isinf(own)
    )
