"""Amounts: quantities with units, money, shares, ordinals, rates and ages.

    "at least 2 km"                 Quantity  2 kilometres or more
    "five dollars and fifty cents"  Money     5.5 dollars
    "three quarters of"             Share     75 percent
    "60 km/h", "$5 a month"         Rate

``amount_reading.py`` reads them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from hybridsem.facts.units import PERIODS, TABLES, UNITS, plural
from hybridsem.facts.values import Fact, FactRelation, Interval, compare

__all__ = ["Age", "Money", "Ordinal", "Quantity", "Rate", "Share"]

ROUGH = 0.05
"""An approximate value may be this share away."""
FAR = 0.03
"""Values in units of two systems may be this share apart by their rounding."""
TINY = 1e-9


def _close(first: float, second: float, share: float = TINY) -> bool:
    return first == second or math.isclose(first, second, rel_tol=share, abs_tol=TINY)


def _number(value: float) -> str:
    return f"{value:,.12g}" if abs(value) >= 1000 else f"{value:.12g}"


@dataclass(frozen=True, slots=True)
class Amount(Fact):
    """An interval, and whether it is approximate."""

    interval: Interval
    approximate: bool = False

    def _between(
        self, first: Interval, second: Interval, other: Amount, share: float
    ) -> FactRelation:
        """Return the relation of two intervals in one unit; bounds this share apart are equal."""
        if _close(first.low, second.low, share) and _close(first.high, second.high, share):
            bounds = (second.low_open, second.high_open)
            if (
                self.approximate == other.approximate
                and (first.low_open, first.high_open) == bounds
            ):
                return FactRelation.EQUAL
        widths = [ROUGH if each.approximate else 0.0 for each in (self, other)]
        wide1, wide2 = (
            replace(
                each, low=each.low - width * abs(each.low), high=each.high + width * abs(each.high)
            )
            if width and math.isfinite(each.low) and math.isfinite(each.high)
            else each
            for each, width in zip((first, second), widths, strict=True)
        )
        return wide1.relation_to(wide2)

    def written(self, unit: str, before: str = "") -> str:
        """Return the interval in words, with the plural of a unit, or a sign ``before`` numbers."""
        low, high = self.interval.low, self.interval.high
        about = "about " if self.approximate else ""
        if low == high:
            return f"{about}{before}{_number(low)}{unit and ' ' + plural(unit, low)}"
        if math.isinf(high):
            bound = "more than" if self.interval.low_open else "at least"
            return f"{bound} {before}{_number(low)}{unit and ' ' + plural(unit, low)}"
        if math.isinf(low):
            bound = "less than" if self.interval.high_open else "at most"
            return f"{bound} {before}{_number(high)}{unit and ' ' + plural(unit, high)}"
        numbers = f"between {before}{_number(low)} and {before}{_number(high)}"
        return f"{about}{numbers}{unit and ' ' + plural(unit, high)}"


@dataclass(frozen=True, slots=True)
class Quantity(Amount):
    """A number of units; ``unit`` is "" for a plain number.

    >>> from hybridsem.facts.amount_reading import read_amounts
    >>> one, other = read_amounts("2 km and 2,000 metres")
    >>> str(one), one.relation_to(other), one.relation_to(replace(other, approximate=True))
    ('2 kilometres', <FactRelation.EQUAL: 'equal'>, <FactRelation.WITHIN: 'within'>)
    """

    unit: str = ""

    def relation_to(self, other: Quantity) -> FactRelation:
        """Return the relation of the intervals; in units of two systems values are equal that
        differ by rounding alone.
        """
        if self.unit == other.unit:
            return self._between(self.interval, other.interval, other, TINY)
        if not (self.unit and other.unit):
            return FactRelation.UNKNOWN
        unit1, unit2 = UNITS[self.unit], UNITS[other.unit]
        if unit1.dimension != unit2.dimension:
            return FactRelation.DISJOINT
        first = self.interval.scaled(unit1.size, unit1.offset)
        second = other.interval.scaled(unit2.size, unit2.offset)
        digits = math.log10(unit1.size / unit2.size)
        exact = _close(digits, round(digits)) and unit1.offset == unit2.offset == 0
        share = TINY if exact else self._rounding(other)
        return self._between(first, second, other, share)

    def _rounding(self, other: Quantity) -> float:
        """Return the share that the less precise of two values may be off by its rounding."""
        steps = [_step(each.interval) for each in (self, other)]
        return min(FAR, max(steps))

    def __str__(self) -> str:
        return self.written(self.unit)


def _step(interval: Interval) -> float:
    """Return half a unit of the last digit of a number, as a share of it."""
    value = interval.low if math.isfinite(interval.low) else interval.high
    if not value or not math.isfinite(value):
        return 0.0
    digits = f"{abs(value):.12g}".replace(".", "").strip("0")
    places = len(digits) - (len(str(int(abs(value)))) if abs(value) >= 1 else 0)
    last = 10.0 ** -(places if "." in f"{abs(value):.12g}" else 0)
    return 0.5 * last / abs(value)


@dataclass(frozen=True, slots=True)
class Money(Amount):
    """An amount of a currency: an ISO code, or "dollar", "rupee" or "peso" of any country.

    >>> from hybridsem.facts.amount_reading import read_amounts
    >>> [str(fact) for fact in read_amounts("$3 million, 5 euros, five dollars and fifty cents")]
    ['3,000,000 dollars', '5 EUR', '5.5 dollars']
    """

    currency: str = ""

    def relation_to(self, other: Money) -> FactRelation:
        """Return the relation of the amounts; a dollar of no country is less precise."""
        relation = self._between(self.interval, other.interval, other, TINY)
        if self.currency == other.currency or relation is FactRelation.DISJOINT:
            return relation
        for less, more, turned in ((self, other, False), (other, self, True)):
            if more.currency in TABLES["open"].get(less.currency, "").split():
                if relation is not FactRelation.EQUAL:
                    return FactRelation.UNKNOWN
                return FactRelation.WITHIN if turned else FactRelation.CONTAINS
        return FactRelation.DISJOINT

    def __str__(self) -> str:
        name = TABLES["written"].get(self.currency, self.currency)
        return f"{self.written('')} {name}"


@dataclass(frozen=True, slots=True)
class Share(Amount):
    """A part of a whole, 1 for all of it, or a number of percentage ``points``.

    >>> from hybridsem.facts.amount_reading import read_amounts
    >>> one, other = read_amounts("three quarters of it, or 75 percent")
    >>> str(one), one.relation_to(other)
    ('75 percent', <FactRelation.EQUAL: 'equal'>)
    """

    points: bool = False

    def relation_to(self, other: Share) -> FactRelation:
        """Return the relation of the parts; a third is 33 percent, rounded."""
        if self.points != other.points:
            return FactRelation.UNKNOWN
        return self._between(
            self.interval, other.interval, other, 0.0101 if self._rounded(other) else TINY
        )

    def _rounded(self, other: Share) -> bool:
        """Test if just one of the parts is no whole number of thousandths."""
        ends = [
            each.interval.low if math.isfinite(each.interval.low) else each.interval.high
            for each in (self, other)
        ]
        return sum(not _close(1000 * end, round(1000 * end)) for end in ends) == 1

    def __str__(self) -> str:
        interval = self.interval.scaled(100)
        rounded = replace(interval, low=round(interval.low, 10), high=round(interval.high, 10))
        text = replace(self, interval=rounded).written("")
        return f"{text} {'percentage points' if self.points else 'percent'}"


@dataclass(frozen=True, slots=True)
class Ordinal(Fact):
    """A rank: 3 for "third".

    >>> from hybridsem.facts.amount_reading import read_amounts
    >>> str(read_amounts("the twenty-first guest")[0])
    '21st'
    """

    rank: int

    def relation_to(self, other: Ordinal) -> FactRelation:
        """Return EQUAL or DISJOINT."""
        return FactRelation.EQUAL if self.rank == other.rank else FactRelation.DISJOINT

    def __str__(self) -> str:
        teens = 10 <= self.rank % 100 < 20
        return (
            f"{self.rank}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(self.rank % 10, 'th')}"
        )


@dataclass(frozen=True, slots=True)
class Rate(Fact):
    """An ``amount`` for each ``per``: a unit of time, or a thing.

    >>> from hybridsem.facts.amount_reading import read_amounts
    >>> one, other = read_amounts("$12 a year, $1 per month")
    >>> str(one), one.relation_to(other)
    ('12 dollars per year', <FactRelation.EQUAL: 'equal'>)
    """

    amount: Quantity | Money | Share
    per: str

    def relation_to(self, other: Rate) -> FactRelation:
        """Return the relation of the amounts for one unit."""
        if type(self.amount) is not type(other.amount):
            return FactRelation.DISJOINT
        scale = 1.0
        if self.per != other.per:
            sizes = [PERIODS.get(each.per, ("", 0.0))[1] for each in (self, other)]
            if sizes[0] * sizes[1] <= 0:  # seconds and months, or things
                return FactRelation.DISJOINT
            scale = abs(sizes[1] / sizes[0])
        amount = replace(self.amount, interval=self.amount.interval.scaled(scale))
        return compare(amount, other.amount) or FactRelation.UNKNOWN

    def __str__(self) -> str:
        return f"{self.amount} per {self.per}"


@dataclass(frozen=True, slots=True)
class Age(Amount):
    """An age in years, or in months or days of life.

    >>> from hybridsem.facts.amount_reading import read_amounts
    >>> one, other = read_amounts("a five-year-old girl, a girl aged 5")
    >>> str(one), one.relation_to(other)
    ('5 years old', <FactRelation.EQUAL: 'equal'>)
    """

    unit: str = "year"

    def relation_to(self, other: Age) -> FactRelation:
        """Return the relation of the ages."""
        scales = {"year": 12.0, "month": 1.0}
        if self.unit != other.unit and not {self.unit, other.unit} <= scales.keys():
            return FactRelation.DISJOINT
        first, second = (each.interval.scaled(scales.get(each.unit, 1.0)) for each in (self, other))
        return self._between(first, second, other, TINY)

    def __str__(self) -> str:
        return f"{self.written(self.unit)} old"
