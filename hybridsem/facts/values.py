"""Intervals, and the relations of values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from hybridsem.structures import Fact, FactRelation

__all__ = ["Fact", "FactRelation", "Interval", "compare"]


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


def compare(first: Fact, second: Fact) -> FactRelation | None:
    """Return the relation of two values; None for values of different types."""
    return first.relation_to(second) if type(first) is type(second) else None
