"""Intervals, the relations of values, and the precision of written numbers."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, Self

from hybridsem.structures import Fact, FactRelation

__all__ = [
    "Fact",
    "FactRelation",
    "Interval",
    "about",
    "compare",
    "number_text",
    "relation",
    "step",
]

EXACT = 1e-9
"""The largest relative difference of equal numbers."""
ROUNDED = 0.025
"""The largest relative difference of numbers that were converted and rounded."""
ROUGH = 0.1
"""The largest relative width of "about" on each side, and of "nearly"."""
NARROW = 0.03
"""The least relative width of "about" on each side."""
NO_AMBIGUITY = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""Decimals that are read as thousands elsewhere."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from ``low`` to ``high``, infinite where there is no bound. An open bound is no
    member. A single number has two equal closed bounds.

    >>> import math
    >>> Interval(3, math.inf).relation_to(Interval(5, 5))
    <FactRelation.CONTAINS: 'contains'>
    >>> Interval(3, math.inf, low_open=True).relation_to(Interval(3, 3))
    <FactRelation.DISJOINT: 'disjoint'>
    """

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False

    @classmethod
    def of(cls, value: float) -> Self:
        """Return the interval of a single number."""
        return cls(value, value)

    @property
    def is_point(self) -> bool:
        """True for a single number."""
        return self.low == self.high

    def relation_to(self, other: Interval) -> FactRelation:
        """Return the relation of the sets of numbers."""
        if self == other:
            return FactRelation.EQUAL
        lows = (self.low, self.low_open), (other.low, other.low_open)
        highs = (self.high, not self.high_open), (other.high, not other.high_open)
        low, high = max(lows), min(highs)
        if low[0] > high[0] or (low[0] == high[0] and (low[1] or not high[1])):
            return FactRelation.DISJOINT
        if low == lows[1] and high == highs[1]:
            return FactRelation.CONTAINS
        if low == lows[0] and high == highs[0]:
            return FactRelation.WITHIN
        return FactRelation.OVERLAPS

    def scaled(self, factor: float, offset: float = 0.0) -> Interval:
        """Return the interval in another unit: each bound times ``factor``, plus ``offset``."""
        low, high = self.low * factor + offset, self.high * factor + offset
        return Interval(low, high, self.low_open, self.high_open)


def stated(first: object, second: object, both: FactRelation) -> FactRelation:
    """Return the relation of a part of two values: one that is not stated contains any; ``both`` is
    that of two different ones.
    """
    if first == second:
        return FactRelation.EQUAL
    if first and second:
        return both
    return FactRelation.WITHIN if first else FactRelation.CONTAINS


def ordinal(number: str) -> str:
    """Return an ordinal in figures.

    >>> ordinal("21"), ordinal("11")
    ('21st', '11th')
    """
    suffix = {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    return number + ("th" if number[-2:] in ("11", "12", "13") else suffix)


def compare(first: Fact, second: Fact) -> FactRelation | None:
    """Return the relation of two values; None for values of different types."""
    return first.relation_to(second) if type(first) is type(second) else None


class Scale(NamedTuple):
    """The conversion of a unit into the base unit; ``system``: see `Unit`."""

    factor: float = 1.0
    offset: float = 0.0
    system: str = ""


def step(value: float) -> float:
    """Return the place value of the last digit that counts: 0.1 for 2.5, 10 for 240. Of the zeros
    at the end of a number, those beyond a twentieth count.

    >>> step(2.5), step(16), step(2000)
    (0.1, 1.0, 100.0)
    """
    if not value or math.isinf(value):
        return 0.0
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    largest = math.floor(math.log10(abs(value) / 20))
    place = min(int(exponent), max(0, largest))
    return float(10.0**place)


def about(value: float) -> Interval:
    """Return the interval of "about" a value: as far as it is rounded, to fives if it ends so, 3 to
    10 percent a side.

    >>> [(each.low, each.high) for each in map(about, (200, 25))]
    [(180.0, 220.0), (22.5, 27.5)]
    """
    size = abs(value)
    _, digits, shortest = Decimal(repr(value)).normalize().as_tuple()
    place = 10.0 ** int(shortest) * (5 if digits[-1] == 5 else 1)
    half = min(max(place / 2, NARROW * size), ROUGH * size)
    return Interval(float(value - half), float(value + half))


def number_text(value: float) -> str:
    """Return a number in figures, so that it is read as no year and in no other notation.

    >>> number_text(2018), number_text(1.125), number_text(0.5)
    ('2,018', '1.1250', '0.5')
    """
    text = format(Decimal(repr(float(value))), ",f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"{text}0" if NO_AMBIGUITY.fullmatch(text) else text


def relation(first: Interval, second: Interval, scale: Scale, other: Scale) -> FactRelation:
    """Return the relation of two intervals, each with the conversion into the base unit."""
    own = first.scaled(scale.factor, scale.offset)
    theirs = second.scaled(other.factor, other.offset)
    steps = [
        max(step(interval.low), step(interval.high)) * each.factor
        for interval, each in ((first, scale), (second, other))
    ]
    rounding = max(steps) / 2 if scale.system != other.system else 0.0
    free = bool(scale.offset or other.offset)
    return own.relation_to(_snapped(theirs, own, rounding, free))


def _snapped(interval: Interval, to: Interval, rounding: float, free: bool) -> Interval:
    """Return an interval whose bounds are those of another where they are equal or rounded."""

    def near(bound: float) -> float:
        for goal in (to.low, to.high):
            if bound == goal or math.isinf(bound) or math.isinf(goal):
                continue
            size, difference = max(abs(bound), abs(goal)), abs(bound - goal)
            if difference <= EXACT * size:
                return goal
            if difference <= rounding * (1 + EXACT) and (free or difference <= ROUNDED * size):
                return goal
        return bound

    low, high = near(interval.low), near(interval.high)
    return Interval(low, high, interval.low_open, interval.high_open)
