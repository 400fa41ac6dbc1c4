"""Dates: days, months, quarters, years, decades, centuries, and ranges of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hybridsem.facts import day_sets
from hybridsem.facts.day_sets import DAYS_OF_MONTH, DaySet, combined
from hybridsem.facts.durations import UNITS, Duration, counted
from hybridsem.facts.time_words import MONTHS, TABLES, WEEKDAYS
from hybridsem.facts.values import Fact, FactRelation, Interval, ordinal, stated

__all__ = ["Date", "Period", "Span"]

LENGTHS: Mapping[int, str] = MappingProxyType({100: "century", 1000: "millennium"})
EXTENT: Mapping[str, tuple[str, Interval]] = MappingProxyType(
    {
        name: (whole, Interval(low, high, high_open=True))
        for name, (whole, low, high) in TABLES["extent"].items()
    }
)
DAY_NAMES: Mapping[int, str] = MappingProxyType({-1: "yesterday", 0: "today", 1: "tomorrow"})
NIGHT_NAMES: Mapping[str, str] = MappingProxyType(
    {value: name.replace("_", " ") for name, value in TABLES["night"].items()}
)
NESTED = tuple(TABLES["units"])
NEAR: Mapping[int, str] = MappingProxyType({-1: "last", 0: "this", 1: "next"})
NEAR_THEN: Mapping[int, str] = MappingProxyType({-1: "the previous", 1: "the following"})
EQUAL, CONTAINS, WITHIN = FactRelation.EQUAL, FactRelation.CONTAINS, FactRelation.WITHIN
DISJOINT, UNKNOWN = FactRelation.DISJOINT, FactRelation.UNKNOWN


@dataclass(frozen=True, slots=True)
class Period:
    """A day, month, year or other period, with the parts that a text states; None is not stated.
    ``year`` is the first of ``years``, 0 for 1 BC; with ``any_century`` its last two figures.
    ``month`` is the first of ``months``. Weekdays count from Monday, 0. ``part`` is "early",
    "summer", "morning". A period relative to ``anchor`` ("now", or "then" in the text) is
    ``offset`` units from it: the unit of the calendar there, or with ``exact`` the time itself.

    >>> str(Period(year=2021, month=5)), str(Period(year=-499, years=100))
    ('May 2021', 'the 5th century BC')
    """

    year: int | None = None
    years: int = 1
    any_century: bool = False
    month: int | None = None
    months: int = 1
    day: int | None = None
    weekdays: tuple[int, ...] = ()
    part: str = ""
    unit: str = ""
    offset: float = 0
    anchor: str = ""
    exact: bool = False

    @property
    def is_valid(self) -> bool:
        """False for 31 April and the like."""
        if self.day is None or self.month is None:
            return True
        leap = self.year is None or self.any_century
        return self.day <= (
            DAYS_OF_MONTH[self.month - 1]
            if leap
            else day_sets.days_in_month(self.year or 0, self.month)
        )

    @property
    def bounds(self) -> Interval | None:
        """The numbers of the first and the last day; None without a year."""
        if self.year is None or self.any_century:
            return None
        first, last = self.month or 1, (self.month or 1) + self.months - 1 if self.month else 12
        end = self.year + self.years - 1
        day = self.day or 1
        return Interval(
            day_sets.day_number(self.year, first, day),
            day_sets.day_number(end, last, self.day or day_sets.days_in_month(end, last)),
        )

    @property
    def days(self) -> DaySet:
        """The days, without regard to what they are relative to, and to their part."""
        of_year = day_sets.ALL_DAYS
        if self.month:
            last = self.month + self.months - 1
            of_year = day_sets.year_days(
                (self.month, self.day or 1), (last, self.day or DAYS_OF_MONTH[last - 1])
            )
        elif self.day:
            of_year = sum(
                day_sets.year_days((month, self.day), (month, self.day))
                for month in range(1, 13)
                if self.day <= DAYS_OF_MONTH[month - 1]
            )
        weekdays = sum(1 << day for day in self.weekdays) or day_sets.ALL_WEEKDAYS
        years = day_sets.ALL_YEARS
        if self.any_century and self.year is not None:
            years = sum(1 << year % 100 for year in range(self.year, self.year + self.years))
        return DaySet(self.bounds or day_sets.ALWAYS, of_year, weekdays, years)

    def __str__(self) -> str:
        """Return the period in plain English."""
        if self.unit and self.unit != "occurrence":
            return self._relative()
        names = [WEEKDAYS[day] for day in self.weekdays]
        month = f"{self.day or ''} {self._months()}" if self.month else ""
        date = f"{month} {self._years() if self.year is not None else ''}".strip()
        if self.day and not self.month:
            date = f"the {ordinal(str(self.day))}"
        text = f"{'weekend' if len(names) > 1 else ''.join(names)} {date}".strip()
        if self.part:
            text = f"{self.part} {text.removeprefix('the ')}".strip()
        return f"{self._near()} {text}" if self.unit else text

    def _months(self) -> str:
        if self.months in (3, 6):
            letter = "Q" if self.months == 3 else "H"
            return f"{letter}{(self.month or 1) // self.months + 1}"
        return MONTHS[(self.month or 1) - 1]

    def _years(self) -> str:
        year = self.year or 0
        if self.any_century:
            return f"the {year}s" if self.years == 10 else f"'{year:02}"
        if self.years == 10:
            return f"the {year}s"
        if self.years > 1:
            rank = year // self.years + 1 if year > 0 or self.years + year > 1 else 0
            if year < 0:
                return f"the {ordinal(str(-year // self.years + 1))} {LENGTHS[self.years]} BC"
            return f"the {ordinal(str(rank))} {LENGTHS[self.years]}"
        return f"{1 - year} BC" if year < 1 else str(year) if year >= 1000 else f"AD {year}"

    def _relative(self) -> str:
        if self.part and self.unit == "day":
            return NIGHT_NAMES[f"{self.offset:g} {self.part}"]
        if self.unit == "day" and self.anchor == "now" and self.offset in DAY_NAMES:
            return DAY_NAMES[int(self.offset)]
        if self.exact:
            count, unit = abs(self.offset), self.unit
            if unit == "day" and count % 7 == 0:
                count, unit = count / 7, "week"
            ways = ("ago", "from now") if self.anchor == "now" else ("earlier", "later")
            return f"{counted(count, unit)} {ways[self.offset > 0]}"
        return f"{self.part} {self._near()} {self.unit}".strip()

    def _near(self) -> str:
        names = NEAR if self.anchor == "now" else NEAR_THEN
        return names[int(self.offset)]


@dataclass(frozen=True, slots=True)
class Span:
    """The time from one period to another; None is no bound. A single period is both."""

    low: Period | None
    high: Period | None
    low_open: bool = False
    high_open: bool = False

    @property
    def single(self) -> Period | None:
        """The only period, if it is one."""
        return self.low if self.low == self.high else None

    @property
    def days(self) -> DaySet | None:
        """The days; None where the bounds leave them open."""
        if self.single:
            return self.single.days
        ends = [end for end in (self.low, self.high) if end]
        if any(end.unit or end.part for end in ends):
            return None
        bounds = [end.bounds for end in ends]
        if None not in bounds:
            low = self.low.bounds if self.low else None
            high = self.high.bounds if self.high else None
            first = (low.high + 1 if self.low_open else low.low) if low else -math.inf
            last = (high.low - 1 if self.high_open else high.high) if high else math.inf
            return DaySet(Interval(first, last)) if first <= last else None
        return self._cycle()

    def _cycle(self) -> DaySet | None:
        """The days from one month or weekday to another."""
        low, high = self.low, self.high
        if not low or not high or low.year is not None or high.year is not None:
            return None
        if low.month and high.month and not low.weekdays + high.weekdays:
            last = high.month + high.months - 1
            end = high.day or DAYS_OF_MONTH[last - 1]
            return DaySet(of_year=day_sets.year_days((low.month, low.day or 1), (last, end)))
        if len(low.weekdays) == len(high.weekdays) == 1 and not (low.month or high.month):
            first, final = low.weekdays[0], high.weekdays[0]
            days = range(first, final + 1 if final >= first else final + 8)
            return DaySet(weekdays=sum(1 << day % 7 for day in days))
        return None

    def __str__(self) -> str:
        """Return the span in plain English."""
        if self.single:
            return str(self.single)
        if self.low and self.high:
            return f"from {self.low} to {self.high}"
        if self.low:
            return f"{'after' if self.low_open else 'since'} {self.low}"
        return f"{'before' if self.high_open else 'until'} {self.high}"


@dataclass(frozen=True, slots=True)
class Date(Fact):
    """A date with the parts that the text states, or the time from one to another. ``readings`` are
    several for "3/5/2021". A ``deadline`` is "by Friday".

    >>> from hybridsem.facts.times import read_times
    >>> whole, day = read_times("Between May and July 2021, on 3/6/2021", day_first=True)
    >>> whole.relation_to(day)
    <FactRelation.CONTAINS: 'contains'>
    """

    readings: tuple[Span, ...]
    deadline: bool = False
    approximate: bool = False

    def relation_to(self, other: Date) -> FactRelation:
        """Return the relation of the days: "5 May" contains "5 May 2021", "Tuesday" does not."""
        same = self.readings == other.readings
        if same and (self.deadline, self.approximate) == (other.deadline, other.approximate):
            return EQUAL
        relations = {_relation(mine, theirs) for mine in self.readings for theirs in other.readings}
        relation = relations.pop() if len(relations) == 1 else UNKNOWN
        relation = EQUAL if same else relation
        if self.deadline != other.deadline and relation is EQUAL:
            return UNKNOWN
        if not (self.approximate or other.approximate):
            return relation
        if relation is EQUAL and self.approximate != other.approximate:
            return CONTAINS if self.approximate else WITHIN
        return UNKNOWN if relation is DISJOINT and self._is_near(other) else relation

    def _is_near(self, other: Date) -> bool:
        """Test if two dates that are not the same may be so, as one is approximate."""
        first, second = self.readings[0].days, other.readings[0].days
        if not first or not second or day_sets.ALWAYS in (first.days, second.days):
            return True
        length = max(day.days.high - day.days.low + 1 for day in (first, second))
        gap = max(first.days.low - second.days.high, second.days.low - first.days.high)
        return gap <= length

    def __str__(self) -> str:
        """Return the date in plain English."""
        text, period = str(self.readings[0]), self.readings[0].low or Period()
        if len(self.readings) > 1 and period.day:
            text = f"{period.month}/{period.day}/{period.year}"
        elif len(self.readings) > 1 and period.month:
            text = f"{period.year}-{period.month:02}"
        if self.deadline:
            text = text.replace("until", "by", 1)
        return f"about {text}" if self.approximate else text


def _relation(first: Span, second: Span) -> FactRelation:
    """Return the relation of two spans."""
    if first == second:
        return EQUAL
    if not first.single or not second.single:
        return _relation_of_ranges(first, second)
    period, other = first.single, second.single
    days = period.days.relation_to(other.days)
    relative = _relation_of_offsets(period, other)
    parts = _relation_of_parts(period.part, other.part)
    if parts is DISJOINT and (days is not EQUAL or relative is not EQUAL):
        parts = UNKNOWN
    is_open = bool(period.unit or other.unit or period.part or other.part)
    return combined([days, relative, parts], UNKNOWN if is_open else FactRelation.OVERLAPS)


def _relation_of_ranges(first: Span, second: Span) -> FactRelation:
    days, others = first.days, second.days
    if days and others:
        return days.relation_to(others)
    for span, other, inside in ((first, second, CONTAINS), (second, first, WITHIN)):
        end = span.low or span.high
        if other.single and other.single == end and None in (span.low, span.high):
            return DISJOINT if span.low_open or span.high_open else inside
    return _relation_of_bounds(first, second)


def _relation_of_bounds(first: Span, second: Span) -> FactRelation:
    """Return the relation of "before May" and "after Monday" to others that are open as well."""
    if None not in (first.low, first.high) or None not in (second.low, second.high):
        return UNKNOWN
    ends = (first.low or first.high, second.low or second.high)
    places = [_place(end) for end in ends if end]
    if places[0] is None or places[1] is None or places[0][0] != places[1][0]:
        return UNKNOWN
    intervals = []
    for span, (_, low, high) in zip((first, second), (places[0], places[1]), strict=True):
        if span.low:
            intervals.append(Interval(high if span.low_open else low, math.inf, span.low_open))
        else:
            end = low if span.high_open else high
            intervals.append(Interval(-math.inf, end, high_open=span.high_open))
    return intervals[0].relation_to(intervals[1])


def _place(period: Period) -> tuple[str, float, float] | None:
    """Return the cycle of a period, and its first and last place there."""
    if period.unit or period.part or period.year is not None:
        return None
    if period.month and not period.weekdays:
        last = period.month + period.months - 1
        return "year", period.month + (period.day or 1) / 40, last + (period.day or 31) / 40
    if len(period.weekdays) == 1 and not period.month and not period.day:
        return "week", period.weekdays[0], period.weekdays[0]
    return None


def _relation_of_offsets(first: Period, second: Period) -> FactRelation:
    """Return the relation of what periods are relative to."""
    if not first.unit or not second.unit:
        return stated(first.unit, second.unit, UNKNOWN)
    if first.anchor != second.anchor:
        return UNKNOWN
    if first.unit != second.unit:
        if first.offset * second.offset < 0:
            return DISJOINT
        if first.exact and second.exact and first.offset and second.offset:
            return _distance(first).relation_to(_distance(second))
        today = first.offset == second.offset == 0 and "occurrence" not in (first.unit, second.unit)
        if not today:
            return UNKNOWN
        sizes = [NESTED.index(period.unit) for period in (first, second)]
        return WITHIN if sizes[0] < sizes[1] else CONTAINS
    if first.offset != second.offset:
        return DISJOINT
    if first.exact == second.exact:
        return EQUAL
    return WITHIN if first.exact else CONTAINS


def _distance(period: Period) -> Duration:
    """Return the time between a period and what it is relative to."""
    unit = UNITS[period.unit]
    return Duration(0, 0, Interval.of(abs(period.offset) * unit.size), unit.base)


def _relation_of_parts(first: str, second: str) -> FactRelation:
    if not first or not second or first == second:
        return stated(first, second, UNKNOWN)
    (whole, extent), (other, others) = EXTENT[first], EXTENT[second]
    return DISJOINT if whole == other and extent.relation_to(others) is DISJOINT else UNKNOWN
