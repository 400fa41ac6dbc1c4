"""Quantities, money, dates, times, durations, names and identifiers, read as typed values."""

from hybridsem.facts.reading import canonical, read_facts
from hybridsem.facts.values import Fact, FactRelation, Interval, compare

__all__ = ["Fact", "FactRelation", "Interval", "canonical", "compare", "read_facts"]
