"""Units of measure and currencies by their names, with their sizes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.tables import read_table

__all__ = ["CURRENCIES", "PERIODS", "TABLES", "UNITS", "Unit", "is_unit", "plural"]

TABLES = read_table(__file__)
IRREGULAR = MappingProxyType({"foot": "feet", "inch": "inches"})
UNCHANGED = ("hertz", "kelvin", "horsepower", "psi")


class Unit(NamedTuple):
    """A unit: its own name, dimension, size in the base unit, and the offset of its scale."""

    name: str
    dimension: str
    size: float
    offset: float = 0.0


def plural(unit: str, number: float) -> str:
    """Return the name of a unit behind a number: "kilometres", "degrees Celsius"."""
    if number == 1 or unit.endswith(UNCHANGED) or not unit[-1:].isalpha():
        return unit
    head, blank, rest = unit.partition(" ")
    if head == "degree":
        return f"degrees{blank}{rest}"
    *before, last = unit.split(" ")
    return " ".join([*before, IRREGULAR.get(last, f"{last}s")])


def _units() -> dict[str, Unit]:
    named: dict[str, Unit] = {}
    for dimension, rows in TABLES["units"].items():
        for row in rows:
            names, _, offset = row.partition(" plus ")
            *names, size = names.split()
            words = [name.replace("_", " ") for name in names]
            unit = Unit(words[0], dimension, float(size), float(offset or 0))
            for word in words:
                named[word] = unit
                if len(word) > 2 and word.isascii() and word[-1].isalpha() and word.islower():
                    named.setdefault(plural(word, 2), unit)
    return named


UNITS: Mapping[str, Unit] = MappingProxyType(_units())
"""Units by all their names; abbreviations keep their capitals."""
CURRENCIES: Mapping[str, tuple[str, float]] = MappingProxyType(
    {
        name.replace("_", " "): (code, 1.0)
        for code, names in TABLES["currencies"].items()
        for name in names.split()
    }
    | {
        name.replace("_", " "): (code, 0.01)
        for code, names in TABLES["cents"].items()
        for name in names.split()
    }
)
"""Codes of currencies, or the name of a sign, by their names; with the size of the unit."""
PERIODS: Mapping[str, tuple[str, float]] = MappingProxyType(
    {
        name: (period, float(size))
        for period, row in TABLES["per"].items()
        for *names, size in [row.split()]
        for name in (*names, f"{period}s")
    }
)
"""Units of time that rates are counted by: their own name and seconds; months are below 0."""


def is_unit(word: str) -> bool:
    """Test if a word is a unit of length, mass, volume or data: "metre"."""
    return word in UNITS
