"""Currencies, by their ISO codes, signs and names; names such as "dollar" leave the country open.

>>> MONEY["US$"].code, MONEY["dollars"].code, MONEY["pence"].part
('USD', 'dollar', 0.01)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from hybridsem._utils.tables import read_table

__all__ = ["CURRENCIES", "MONEY", "POUNDS", "SIGNS", "Currency"]


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency, or those that a name leaves open; ``part``: of one unit, 0.01 for cents."""

    code: str
    name: str
    plural: str
    codes: frozenset[str]
    part: float = 1.0


_TABLES = read_table(__file__)


def _forms(text: str) -> list[str]:
    return [form.replace("_", " ") for form in text.split()]


def _currencies(lines: str) -> Iterator[tuple[Currency, list[str], list[str], list[str]]]:
    """Yield each currency, with its names, its signs and those of its hundredth."""
    for line in lines.strip().splitlines():
        first, signs, cents, *codes = map(_forms, line.split("|"))
        if codes:
            yield Currency(first[0], first[0], first[1], frozenset(codes[0])), first, signs, cents
        else:
            code, name, plural = first[:3]
            yield Currency(code, name, plural, frozenset({code})), first, signs, cents


_ALL = [*_currencies(_TABLES["iso"]), *_currencies(_TABLES["open"])]

CURRENCIES: Mapping[str, Currency] = MappingProxyType({each.code: each for each, *_ in _ALL})
"""The currencies by code, or by the name that leaves the country open."""
MONEY: Mapping[str, Currency] = MappingProxyType(
    {
        form: replace(currency, part=part)
        for currency, names, signs, cents in _ALL
        for part, forms in ((1.0, names + signs), (0.01, cents))
        for word in forms
        for form in (word, word.lower())
        if form == word or word != currency.code
    }
)
"""What follows a number: codes, names in lower case too, signs."""
SIGNS: Mapping[str, Currency] = MappingProxyType(
    {sign: currency for currency, _, signs, _ in _ALL for sign in (*signs, currency.code)}
)
"""What precedes a number."""
POUNDS = frozenset(_TABLES["pounds"].split())
