"""Units of measure with their sizes, symbols and rates; currencies by code, sign and name. A name
such as "dollar" leaves the country open.

>>> UNITS["km"].name, UNITS["feet"].size, UNITS["kelvin"].dimension
('kilometre', 0.3048, 'temperature')
>>> MONEY["US$"].code, MONEY["dollars"].code, MONEY["pence"].part
('USD', 'dollar', 0.01)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from hybridsem._utils.tables import read_table, spaced

YEAR = 365.2425 * 86400
"""The mean length of a year in seconds."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: ``size`` of one in the base unit of its ``dimension``, after adding ``offset``. Sizes
    within one ``system`` are exact; between systems, texts round.
    """

    name: str
    plural: str
    dimension: str
    system: str
    size: float
    offset: float = 0.0


_TABLES = read_table(__file__)
_RATES, _MONEY = _TABLES.pop("rates"), _TABLES.pop("currencies")


def _units() -> Iterator[tuple[Unit, list[str]]]:
    """Yield each unit with the forms that it is written in."""
    for dimension, systems in _TABLES.items():
        for system, lines in systems.items():
            for line in lines.strip().splitlines():
                names, symbols, sizes = line.split("|")
                words, signs = spaced(names), spaced(symbols)
                size, offset = (*map(float, sizes.split("+")), 0.0)[:2]
                name, plural = words[0], words[min(1, len(words) - 1)]
                lower = [word.lower() for word in words if len(word) > 1]
                yield Unit(name, plural, dimension, system, size, offset), words + lower + signs


_ALL = {form: unit for unit, forms in _units() for form in forms}
_TIMES = ("clock", "calendar")

UNITS: Mapping[str, Unit] = {
    form: unit for form, unit in _ALL.items() if unit.dimension not in (*_TIMES, "multiple")
}
"""The units by their names, in lower case too, and by their symbols."""
TIMES: Mapping[str, Unit] = {form: unit for form, unit in _ALL.items() if unit.dimension in _TIMES}
"""The units of time by their names and symbols."""
NAMES: Mapping[str, Unit] = {unit.name: unit for unit in _ALL.values()}
"""The units by the first of their names."""
RATES: Mapping[str, tuple[str, str, float]] = {
    form: (amount.replace("_", " "), per, float(times[0]) if times else 1.0)
    for form, (amount, per, *times) in ((form, rate.split()) for form, rate in _RATES.items())
}
"""Symbols of rates: the unit or the thing, the unit after "per", and its multiple."""
UNIT_NAMES = frozenset(filter(str.islower, _ALL))


def is_unit(word: str) -> bool:
    """Test if a word in lower case is the name of a unit, of time too.

    >>> is_unit("metre"), is_unit("km"), is_unit("apple")
    (True, False, False)
    """
    unit = _ALL.get(word)
    return unit is not None and (word in (unit.name, unit.plural) or len(word) > 4)


def years(name: str) -> float:
    """Return the length of a unit of time in years.

    >>> years("month") * 18
    1.5
    """
    unit = NAMES[name]
    return unit.size / (12 if unit.dimension == "calendar" else YEAR)


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency, or those that a name leaves open; ``part``: of one unit, 0.01 for cents."""

    code: str
    name: str
    plural: str
    codes: frozenset[str]
    part: float = 1.0


def _currencies(lines: str) -> Iterator[tuple[Currency, list[str], list[str], list[str]]]:
    """Yield each currency, with its names, its signs and those of its hundredth."""
    for line in lines.strip().splitlines():
        first, signs, cents, *codes = map(spaced, line.split("|"))
        if codes:
            yield Currency(first[0], first[0], first[1], frozenset(codes[0])), first, signs, cents
        else:
            code, name, plural = first[:3]
            yield Currency(code, name, plural, frozenset({code})), first, signs, cents


_CURRENCIES = [*_currencies(_MONEY["iso"]), *_currencies(_MONEY["open"])]

CURRENCIES: Mapping[str, Currency] = {each.code: each for each, *_ in _CURRENCIES}
"""The currencies by code, or by the name that leaves the country open."""
MONEY: Mapping[str, Currency] = {
    form: replace(currency, part=part)
    for currency, names, signs, cents in _CURRENCIES
    for part, forms in ((1.0, names + signs), (0.01, cents))
    for word in forms
    for form in (word, word.lower())
    if form == word or word != currency.code
}
"""What follows a number: codes, names in lower case too, signs."""
SIGNS: Mapping[str, Currency] = {
    sign: currency for currency, _, signs, _ in _CURRENCIES for sign in (*signs, currency.code)
}
"""What precedes a number."""
POUNDS = frozenset(_MONEY["pounds"].split())
