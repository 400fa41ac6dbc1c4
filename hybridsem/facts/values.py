"""The base of facts: a value with its place in a text, intervals, and relations of values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

__all__ = ["Fact", "FactRelation", "Interval"]


class FactRelation(StrEnum):
    """The relation of a value to another of the same type."""

    EQUAL = "equal"
    CONTAINS = "contains"
    """The first is less precise: "May 2021" and "3 May 2021", "at least 3" and "5"."""
    WITHIN = "within"
    """The first is more precise."""
    OVERLAPS = "overlaps"
    DISJOINT = "disjoint"
    UNKNOWN = "unknown"
    """The texts do not say: "3/5/2021" and "3 May 2021"."""

    @property
    def inverted(self) -> FactRelation:
        """The relation of the second value to the first."""
        return _INVERTED.get(self, self)


_INVERTED = {
    FactRelation.CONTAINS: FactRelation.WITHIN,
    FactRelation.WITHIN: FactRelation.CONTAINS,
}


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from ``low`` to ``high``, infinite where there is no bound. An open bound is no
    member. A single number has two equal closed bounds.

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


@dataclass(frozen=True, slots=True)
class Fact(ABC):
    """A value that a text states, with its place: the characters from ``start`` to ``end``."""

    start: int
    end: int

    @abstractmethod
    def relation_to(self, other: Self) -> FactRelation:
        """Return the relation of this value to another of the same type."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the value in plain English; reading it gives an equal value."""
