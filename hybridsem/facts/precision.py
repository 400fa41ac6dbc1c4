"""The precision of written numbers: rounding, "about", and equality after a conversion."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import NamedTuple

from hybridsem.facts.values import FactRelation, Interval

__all__ = ["EXACT", "ROUGH", "Scale", "about", "number_text", "relation", "step"]

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


class Scale(NamedTuple):
    """The conversion of a unit into the base unit; ``system``: see `Unit`."""

    factor: float = 1.0
    offset: float = 0.0
    system: str = ""


def step(value: float) -> float:
    """Return the place value of the last digit that counts: 0.1 for 2.5, 10 for 240.

    Of the zeros at the end of a number, those beyond a twentieth count.

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
    """Return the interval of "about" a value: as far as it is rounded, 3 to 10 percent a side.

    >>> about(200)
    Interval(low=180.0, high=220.0, low_open=False, high_open=False)
    """
    size = abs(value)
    shortest = Decimal(repr(value)).normalize().as_tuple().exponent
    half = min(max(10.0 ** int(shortest) / 2, NARROW * size), ROUGH * size)
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
        max((step(bound) for bound in _bounds(interval)), default=0.0) * each.factor
        for interval, each in ((first, scale), (second, other))
    ]
    rounding = max(steps) / 2 if scale.system != other.system else 0.0
    free = bool(scale.offset or other.offset)
    return own.relation_to(_snapped(theirs, own, rounding, free))


def _bounds(interval: Interval) -> list[float]:
    return [bound for bound in (interval.low, interval.high) if math.isfinite(bound)]


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
