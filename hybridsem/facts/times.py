from __future__ import annotations
from hybridsem.facts.amounts import Quantity
class Date(Quantity): pass
class Time(Quantity): pass
class Duration(Quantity): pass
class Recurrence(Quantity): pass
def read_times(text, day_first=None): return []
