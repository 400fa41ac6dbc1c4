"""VerbNet's and PropBank's roles as the eight general ones.

    ("ARG0", ("experiencer",))       Agent       "Ann likes it"
    ("ARG1", ("experiencer",))       Patient     "it scares Ann"
    ("ARG1", ("stimulus", "theme"))  Theme
    ("ARGM-TMP", ())                 Time

Names are those of VerbNet 3.4 (https://uvi.colorado.edu) in the role links of PropBank's frame
files. The table follows VerbNet's hierarchy of roles (Bonial, Corvey, Palmer, Petukhova & Bunt
2011), then the hand-repaired parses of the 2022 pilot of Fodor, De Deyne & Suzuki and the
conventions of :mod:`hybridsem.parsers.verbnet.rules`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from hybridsem._utils.tables import read_table
from hybridsem.structures import Role

_TABLES = read_table(__file__)

VERBNET = MappingProxyType({name: Role(row[0]) for name, row in _TABLES["verbnet"].items()})
"""The general role of a VerbNet role, by its name in lower case with underscores."""

_AS_ARG0: Mapping[str, Role] = {
    name: Role(row[1]) for name, row in _TABLES["verbnet"].items() if row[1]
}

# Of several linked roles (a roleset may be in several classes), the first in the list counts. Only
# ARG0 prefers Agent. Participants precede places, ways and means.
CIRCUMSTANCES = (Role.LOCATION, Role.TRAJECTORY, Role.MANNER, Role.TIME)
_ARG0_FIRST = (Role.AGENT, Role.THEME, Role.PATIENT, *CIRCUMSTANCES)
_OTHERS_FIRST = (Role.PATIENT, Role.THEME, *CIRCUMSTANCES, Role.AGENT)
# Ignored next to one of their children, which are more specific.
_PARENTS = frozenset({"source", "goal"})

ROLESETS = MappingProxyType(
    {tuple(argument.split()): Role(role) for argument, role in _TABLES["rolesets"].items()}
)
"""Roles of frequent rolesets whose role links are wrong or ambiguous."""

MODIFIERS = MappingProxyType({name: Role(role) for name, role in _TABLES["modifiers"].items()})
"""PropBank's modifiers that are one of the eight roles."""

_SLIPS: dict[str, str] = _TABLES["slips"]  # misspellings in the frame files
_NOT_IN_NAMES = "?0123456789"


def of_verbnet(name: str) -> str:
    """Return the normalised name of a VerbNet role: ``initial_location``."""
    name = re.sub(r"[-\s]+", "_", name.strip().lower()).rstrip(_NOT_IN_NAMES)
    return _SLIPS.get(name, name)


def general_role(
    label: str, verbnet: Iterable[str] = (), roleset: str | None = None
) -> Role | None:
    """Return the general role of a PropBank label and its VerbNet roles, or None.

    None is the result for a numbered argument without a known VerbNet role, for a modifier that is
    not one of the eight, and for references and continuations (``R-``, ``C-``).
    """
    if roleset is not None and (roleset, label) in ROLESETS:
        return ROLESETS[roleset, label]
    if label in MODIFIERS or label.startswith(("C-", "R-")):
        return MODIFIERS.get(label)
    names = {of_verbnet(name) for name in verbnet} & VERBNET.keys()
    names = names - _PARENTS or names
    first, order = (_AS_ARG0, _ARG0_FIRST) if label == "ARG0" else (VERBNET, _OTHERS_FIRST)
    found = {first.get(name, VERBNET[name]) for name in names}
    return next((role for role in order if role in found), None)
