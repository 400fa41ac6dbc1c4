"""Amounts as values: quantities, money, shares, ordinals, rates and ages, with their relations.

    "at least three apples"   Quantity  [3, ∞)         of "apple"
    "about 5 km"              Quantity  [4.5, 5.5]     unit "kilometre", approximate
    "$5.50"                   Money     5.5            currency "dollar", whose country is open
    "three quarters"          Share     75             in percent
    "60 km/h"                 Rate      60 kilometres  per "hour"

Units of one system convert exactly; those of different systems are equal as far as the numbers are
rounded.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

from hybridsem._utils.tables import read_table
from hybridsem.english.numbers import CARDINALS
from hybridsem.facts import values
from hybridsem.facts.units import CURRENCIES, NAMES, years
from hybridsem.facts.values import EXACT, Fact, FactRelation, Interval, Scale, number_text

_TABLES = read_table(__file__)
_CARDINALS = {value: word for word, value in CARDINALS.items()}
_UNKNOWN = FactRelation.UNKNOWN
_SHARES: dict[str, list[str]] = _TABLES["denominators"]
_DAY = 86_400
_NEARLY: Mapping[tuple[str, str], tuple[tuple[float, ...], float]] = {
    ("calendar", "clock"): ((30.436875 * _DAY, 364 * _DAY / 12, 365 * _DAY / 12), 0.05),
    ("gallon", "volume"): ((0.5207,), 0.1),
}
"""Dimensions that convert nearly: the sizes of one unit of the first, the mean one and those of a
year of 52 weeks or 365 days; the share by which it may be more or less.
"""
_SAME = ((1.0,), 0.0)
_COMPOUND = 0.3
"""The same of percentages of two periods."""


@dataclass(frozen=True, slots=True)
class Amount(Fact):
    """A number or an interval; ``approximate`` for "about", "nearly" and vague words.
    ``ambiguous``: the interval has only its two bounds as possible values, as of "1.000".
    """

    interval: Interval
    approximate: bool = False
    ambiguous: bool = False

    @property
    def scale(self) -> Scale:
        """The conversion into the base unit."""
        return Scale()

    @abstractmethod
    def named(self, number: str, plural: bool) -> str:
        """Return a number in figures with the unit."""

    def qualified(self, other: Self, result: FactRelation) -> FactRelation:
        """Return the relation of two amounts, from that of their numbers."""
        return result

    def relation_to(self, other: Self) -> FactRelation:
        """Return the relation of two amounts; UNKNOWN where they cannot be compared."""
        return self.qualified(other, _relation(self, other, self.scale, other.scale))

    def __str__(self) -> str:
        return self.text(self.interval)

    def text(self, interval: Interval) -> str:
        """Return an interval of this unit in words."""
        low, high = interval.low, interval.high
        if self.ambiguous:
            return self.named(f"{high:,.0f}".replace(",", "."), True)
        if interval.is_point:
            return self._bounded("", low)
        if math.isinf(high):
            if self.approximate and (vague := _VAGUE_WORDS.get(low)):
                return self.named(vague, True)
            return self._bounded("more than " if interval.low_open else "at least ", low)
        if math.isinf(low):
            return self._bounded("less than " if interval.high_open else "at most ", high)
        if self.approximate and interval.high_open:
            return self._bounded("nearly ", high)
        if self.approximate and interval.low_open:
            return self._bounded("just over ", low)
        if self.approximate:
            return self._bounded("about ", float(f"{(low + high) / 2:.12g}"))
        return f"between {number_text(low)} and {self._bounded('', high)}"

    def _bounded(self, bound: str, value: float) -> str:
        return bound + self.named(number_text(value), value != 1)


VAGUE: Mapping[str, float] = {
    word.replace("_", " "): float(least) for word, least in _TABLES["vague"].items()
}
"""Words for amounts without a number, and the least that they state."""
_VAGUE_WORDS = {least: word for word, least in reversed(list(VAGUE.items()))}


FURTHER = "other"
"""What an amount is of that is no total: "five others", "five other men"."""


@dataclass(frozen=True, slots=True)
class Quantity(Amount):
    """A number of things (``of``: the noun, or "") or of a ``unit``, in it.

    >>> Quantity(0, 0, Interval.of(2), unit="kilometre").dimension
    'length'
    """

    unit: str = ""
    of: str = ""

    @property
    def dimension(self) -> str:
        """The dimension of the unit, or ""."""
        return NAMES[self.unit].dimension if self.unit else ""

    @property
    def scale(self) -> Scale:
        """The conversion into the base unit of the dimension."""
        if not self.unit:
            return Scale()
        unit = NAMES[self.unit]
        return Scale(unit.size, unit.offset, unit.system)

    def qualified(self, other: Self, result: FactRelation) -> FactRelation:
        """Return UNKNOWN for other dimensions, for other things unless the numbers equal, and for
        things on top of others: "five others" may be of seven.
        """
        other_thing = self.of and other.of and self.of != other.of
        known = result is FactRelation.EQUAL or not other_thing
        known = known and (self.of == FURTHER) is (other.of == FURTHER)
        return result if known and self.dimension == other.dimension else _UNKNOWN

    def named(self, number: str, plural: bool) -> str:
        """Return a number in figures with the unit."""
        if not self.unit:
            return number
        unit = NAMES[self.unit]
        return f"{number} {unit.plural if plural else unit.name}"


@dataclass(frozen=True, slots=True)
class Money(Amount):
    """An amount of a ``currency``: its ISO code, or a name such as "dollar" whose country is open.
    "$5" contains "US$5". Amounts of different currencies exclude each other.
    """

    currency: str = "dollar"

    def qualified(self, other: Self, result: FactRelation) -> FactRelation:
        """Return the relation with regard to the currencies."""
        own, theirs = CURRENCIES[self.currency].codes, CURRENCIES[other.currency].codes
        if own == theirs or (own & theirs and result is FactRelation.DISJOINT):
            return result
        if not own & theirs:
            known = self.interval.is_point and other.interval.is_point
            return FactRelation.DISJOINT if known else _UNKNOWN
        if result is FactRelation.EQUAL:
            order = FactRelation.CONTAINS if own > theirs else FactRelation.WITHIN
            return order if own > theirs or own < theirs else FactRelation.OVERLAPS
        if result is FactRelation.CONTAINS and own > theirs:
            return result
        return result if result is FactRelation.WITHIN and own < theirs else _UNKNOWN

    def named(self, number: str, plural: bool) -> str:
        """Return a number in figures with the name of the currency."""
        currency = CURRENCIES[self.currency]
        return f"{number} {currency.plural if plural else currency.name}"


@dataclass(frozen=True, slots=True)
class Share(Amount):
    """A part of a whole in percent; or a difference of such parts (``points``)."""

    points: bool = False

    @property
    def scale(self) -> Scale:
        """Thirds and the like are rounded when they are written in percent."""
        endless = 0 < values.step(self.interval.high) < EXACT
        return Scale(system="fraction" if endless else "")

    def qualified(self, other: Self, result: FactRelation) -> FactRelation:
        """Return UNKNOWN for percent and percentage points."""
        return result if self.points == other.points else _UNKNOWN

    def named(self, number: str, plural: bool) -> str:
        """Return a number in figures with "percent"."""
        if self.points:
            return f"{number} percentage point{'s' if plural else ''}"
        value = float(number.replace(",", "")) / 100
        part = Fraction(value).limit_denominator(15) if len(number) > 10 else Fraction()
        names, times = _SHARES.get(str(part.denominator)), _CARDINALS.get(part.numerator)
        if names and times and math.isclose(part, value, rel_tol=EXACT):
            return f"{times} {names[part.numerator != 1]}"
        return f"{number} percent"


@dataclass(frozen=True, slots=True)
class Ordinal(Amount):
    """A place in an order."""

    def text(self, interval: Interval) -> str:
        """Return a place, or the first and the last of several."""
        if interval.is_point or math.inf in (-interval.low, interval.high) or self.approximate:
            return Amount.text(self, interval)
        low, high = (self.named(number_text(each), True) for each in (interval.low, interval.high))
        return f"between {low} and {high}"

    def named(self, number: str, plural: bool) -> str:
        """Return an ordinal in figures."""
        return values.ordinal(number)


@dataclass(frozen=True, slots=True)
class Age(Amount):
    """An age in years."""

    def named(self, number: str, plural: bool) -> str:
        """Return an age in years."""
        return f"{number} year{'s' if plural else ''} old"

    def _bounded(self, bound: str, value: float) -> str:
        for unit in ("year", "month", "week", "day"):
            number = round(value / years(unit))
            if abs(number - value / years(unit)) < EXACT:
                return f"{bound}{number_text(number)} {unit}{'s' if number != 1 else ''} old"
        return bound + self.named(number_text(value), value != 1)


@dataclass(frozen=True, slots=True)
class Rate(Fact):
    """An ``amount`` per ``count`` of a unit, of time too, or of a thing (``per``). "a day" and "a
    month" are disjoint, or equal if a year has 52 weeks or 365 days; "a gallon" is of any country.
    """

    amount: Quantity | Money | Share
    per: str
    count: float = 1.0

    def relation_to(self, other: Self) -> FactRelation:
        """Return the relation of two rates; UNKNOWN where they cannot be compared."""
        if self.per == other.per and self.count == other.count:
            return _same_type(self.amount, other.amount, 1.0, 1.0)
        (name, size), (name2, size2) = self._base(), other._base()
        if name > name2:
            return other.relation_to(self).inverted
        each = name == "a " and name2.startswith("a ")  # "$5 each", "$5 per ticket"
        nearly = _SAME if each or name == name2 else _NEARLY.get((name, name2))
        if nearly is None:
            return _UNKNOWN
        (mean, *exact), spread = nearly
        spread = _COMPOUND if isinstance(self.amount, Share) else spread
        if not spread:
            return _same_type(self.amount, other.amount, size, size2)
        for factor in exact:
            relation = _same_type(self.amount, other.amount, size * factor, size2)
            if relation is FactRelation.EQUAL:
                return relation
        first, second = self._widened(spread), other._widened(spread)
        wide = _same_type(first, second, size * mean, size2)
        return wide if wide is FactRelation.DISJOINT else _UNKNOWN

    def _base(self) -> tuple[str, float]:
        """Return the dimension of ``per`` and its size; each thing has its own dimension."""
        unit = NAMES.get(self.per)
        return (unit.dimension, unit.size * self.count) if unit else (f"a {self.per}", self.count)

    def _widened(self, spread: float) -> Quantity | Money | Share:
        """Return the amount, more and less by a share of it."""
        low, high = self.amount.interval.low, self.amount.interval.high
        wider = Interval(low - abs(low) * spread, high + abs(high) * spread)
        return replace(self.amount, interval=wider)

    def __str__(self) -> str:
        of = self.amount.of if isinstance(self.amount, Quantity) else ""
        things = f"{_plural(of)} " if of else ""
        if not self.per and self.count == 1:
            return f"{self.amount} each"
        per = f"{number_text(self.count)} {_plural(self.per)}".strip()
        return f"{self.amount} {things}per {self.per if self.count == 1 else per}"


def _plural(noun: str) -> str:
    return NAMES[noun].plural if noun in NAMES else f"{noun}s" if noun else ""


def _same_type(first: Amount, second: Amount, divisor: float, other: float) -> FactRelation:
    """Return the relation of the amounts of two rates, each divided."""
    if type(first) is not type(second):
        return _UNKNOWN
    scales = (
        amount.scale._replace(factor=amount.scale.factor / size)
        for amount, size in ((first, divisor), (second, other))
    )
    return first.qualified(second, _relation(first, second, *scales))


def _relation(first: Amount, second: Amount, scale: Scale, other: Scale) -> FactRelation:
    """Return the relation of the numbers of two amounts in their base unit."""
    result = values.relation(first.interval, second.interval, scale, other)
    if first.ambiguous or second.ambiguous:
        same = result is FactRelation.EQUAL and first.ambiguous is second.ambiguous
        return result if same or result is FactRelation.DISJOINT else _UNKNOWN
    unlike = first.approximate is not second.approximate
    return _UNKNOWN if result is FactRelation.EQUAL and unlike else result
