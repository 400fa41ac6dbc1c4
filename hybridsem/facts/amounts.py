from __future__ import annotations
import re
from dataclasses import dataclass
from hybridsem.facts.values import Fact, FactRelation, Interval
U={'km':1000,'kilometres':1000,'m':1,'metres':1}
@dataclass(frozen=True, slots=True)
class Quantity(Fact):
    interval: Interval
    unit: str
    def relation_to(self, other):
        return self.interval.relation_to(other.interval) if self.unit==other.unit else FactRelation.DISJOINT
    def __str__(self):
        low=self.interval.low
        return ("at least " if self.interval.high>1e18 else "")+f"{low:g} metres"
class Money(Quantity): pass
class Share(Quantity): pass
class Rate(Quantity): pass
class Age(Quantity): pass
class Ordinal(Quantity): pass
def read_amounts(text):
    out=[]
    for m in re.finditer(r'(at least )?([\d,]+) (km|kilometres|metres|m)\b', text):
        v=float(m[2].replace(',',''))*U[m[3]]
        out.append(Quantity(m.start(), m.end(), Interval(v, float('inf') if m[1] else v), 'metre'))
    return out
