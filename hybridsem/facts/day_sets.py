"""Sets of days: an interval of days, with days of the year, of the week and years of a century."""

from __future__ import annotations

import math
from calendar import isleap
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from hybridsem.facts.values import FactRelation, Interval

ALWAYS = Interval(-math.inf, math.inf)
DAYS_OF_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
ALL_DAYS = sum(((1 << days) - 1) << 31 * month for month, days in enumerate(DAYS_OF_MONTH))
ALL_WEEKDAYS = (1 << 7) - 1
ALL_YEARS = (1 << 100) - 1
CYCLE = 146_097
"""The days of 400 years."""


def days_in_month(year: int, month: int) -> int:
    """Return the number of days of a month."""
    return 28 if month == 2 and not isleap(year) else DAYS_OF_MONTH[month - 1]


def day_number(year: int, month: int, day: int) -> int:
    """Return the number of a day of the Gregorian calendar. Day 0 is Monday, 1 January 1 AD; years
    repeat after 400.
    """
    cycles, rest = divmod(year - 1, 400)
    return date(rest + 1, month, day).toordinal() - 1 + cycles * CYCLE


def date_of(number: int) -> tuple[int, int, int]:
    """Return the year, month and day with a number."""
    cycles, rest = divmod(number, CYCLE)
    day = date.fromordinal(rest + 1)
    return 400 * cycles + day.year, day.month, day.day


def year_days(low: tuple[int, int], high: tuple[int, int]) -> int:
    """Return the mask of the days from one month and day to another, even across the new year."""
    first, last = (31 * (month - 1) + day - 1 for month, day in (low, high))
    if first > last:
        return ALL_DAYS & ~(((1 << first) - 1) & ~((1 << last + 1) - 1))
    return ALL_DAYS & ((1 << last + 1) - 1) & ~((1 << first) - 1)


def mask_relation(first: int, second: int) -> FactRelation:
    """Return the relation of two sets of bits."""
    both = first & second
    if not both:
        return FactRelation.DISJOINT
    if first == second:
        return FactRelation.EQUAL
    if both == second:
        return FactRelation.CONTAINS
    return FactRelation.WITHIN if both == first else FactRelation.OVERLAPS


def combined(
    relations: Iterable[FactRelation], mixed: FactRelation = FactRelation.OVERLAPS
) -> FactRelation:
    """Return the relation of intersections from those of the sets; ``mixed`` if no side has all."""
    kinds = set(relations) - {FactRelation.EQUAL}
    for kind in (FactRelation.DISJOINT, FactRelation.UNKNOWN):
        if kind in kinds:
            return kind
    if len(kinds) > 1 or FactRelation.OVERLAPS in kinds:
        return mixed
    return kinds.pop() if kinds else FactRelation.EQUAL


class DaySet(NamedTuple):
    """The days in an interval that are among some days of the year, weekdays, and years of any
    century.

    >>> day = day_number(2021, 5, 5)
    >>> DaySet(Interval(day, day)).relation_to(DaySet(weekdays=0b100))
    <FactRelation.WITHIN: 'within'>
    """

    days: Interval = ALWAYS
    of_year: int = ALL_DAYS
    weekdays: int = ALL_WEEKDAYS
    years: int = ALL_YEARS

    def relation_to(self, other: DaySet) -> FactRelation:
        """Return the relation of the sets."""
        (days, *masks), (other_days, *others) = _implied(self), _implied(other)
        return combined([days.relation_to(other_days), *map(mask_relation, masks, others)])


@lru_cache(1024)
def _implied(days: DaySet) -> DaySet:
    """Return the set with the masks that its interval implies."""
    low, high = days.days.low, days.days.high
    if math.isinf(low) or math.isinf(high):
        return days
    first, last = date_of(int(low)), date_of(int(high))
    of_year, weekdays, years = days.of_year, days.weekdays, days.years
    if high - low < 366:
        if first[0] == last[0]:
            of_year &= year_days(first[1:], last[1:])
            if not isleap(first[0]):
                of_year &= ~year_days((2, 29), (2, 29))
        elif first[1:] > last[1:]:
            of_year &= year_days(first[1:], last[1:])
    if high - low < 6:
        weekdays &= sum(1 << number % 7 for number in range(int(low), int(high) + 1))
    if last[0] - first[0] < 99:
        years &= sum(1 << year % 100 for year in range(first[0], last[0] + 1))
    return DaySet(days.days, of_year, weekdays, years)
