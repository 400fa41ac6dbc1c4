"""VerbNet's and PropBank's roles as the eight general ones.

    ("ARG0", ("experiencer",))       Agent       "Ann likes it"
    ("ARG1", ("experiencer",))       Patient     "it scares Ann"
    ("ARG1", ("stimulus", "theme"))  Theme
    ("ARGM-TMP", ())                 Time

Names are those of VerbNet 3.4 (https://uvi.colorado.edu) as the role links of PropBank's frame
files have them. The table follows VerbNet's hierarchy of roles (Bonial, Corvey, Palmer, Petukhova &
Bunt 2011: actors, undergoers, places, times) and, where that leaves a choice, the hand-repaired
parses of Fodor, De Deyne & Suzuki's 2022 pilot and the conventions of
:mod:`hybridsem.parsers.verbnet.rules`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from types import MappingProxyType

from hybridsem._utils.tables import read_table
from hybridsem.structures import Role

_TABLES = read_table(__file__)

VERBNET = MappingProxyType({name: Role(row[0]) for name, row in _TABLES["verbnet"].items()})
"""The general role of a VerbNet role, by its name in lower case with underscores."""

_AS_ARG0 = {name: Role(row[1]) for name, row in _TABLES["verbnet"].items() if row[1]}

# Where the links give several (a roleset may be in several classes), an ARG0 is the first of these
# that is among them, any other argument the first of those: beside another candidate who is not the
# proto-agent is no Agent, and a participant comes before a place, a way or a means.
_CIRCUMSTANCES = (Role.LOCATION, Role.TRAJECTORY, Role.MANNER, Role.TIME)
_ARG0_FIRST = (Role.AGENT, Role.THEME, Role.PATIENT, *_CIRCUMSTANCES)
_OTHERS_FIRST = (Role.PATIENT, Role.THEME, *_CIRCUMSTANCES, Role.AGENT)
# Beside one of their children, which says more, they do not count.
_PARENTS = frozenset({"source", "goal"})

ROLESETS = MappingProxyType(
    {tuple(argument.split()): Role(role) for argument, role in _TABLES["rolesets"].items()}
)
"""Where the role links of a frequent roleset mislead or leave it open."""

MODIFIERS = MappingProxyType({name: Role(role) for name, role in _TABLES["modifiers"].items()})
"""PropBank's modifiers that are one of the eight; causes, purposes and the like are none."""

_SLIPS: dict[str, str] = _TABLES["slips"]  # as the frame files spell them
CACHED = 65_536
_REFERENCE = re.compile(r"[CR]-")
_NOT_IN_NAMES = "?0123456789"


def of_verbnet(name: str) -> str:
    """A VerbNet role's name as the table has it: ``Initial-Location`` is ``initial_location``."""
    name = re.sub(r"[-\s]+", "_", name.strip().lower()).rstrip(_NOT_IN_NAMES)
    return _SLIPS.get(name, name)


def is_reference(label: str) -> bool:
    """Whether a label is a relative pronoun's (``R-ARG0``) or a continuation's (``C-ARG1``)."""
    return _REFERENCE.match(label) is not None


def general_role(
    label: str, verbnet: Iterable[str] = (), roleset: str | None = None
) -> Role | None:
    """The one of the eight roles for a PropBank label (``ARG0``, ``ARGM-TMP``) and its VerbNet
    roles, in any order.

    None where there is none: a numbered argument without a known VerbNet role, a modifier that is
    none of the eight, and everything with ``R-`` or ``C-``, which repeats or continues another
    argument.
    """
    return _general_role(label, tuple(verbnet), roleset)


@lru_cache(CACHED)
def _general_role(label: str, verbnet: tuple[str, ...], roleset: str | None) -> Role | None:
    if roleset is not None and (roleset, label) in ROLESETS:
        return ROLESETS[roleset, label]
    if label in MODIFIERS:
        return MODIFIERS[label]
    if is_reference(label):
        return None
    names = {of_verbnet(name) for name in verbnet} & VERBNET.keys()
    names = names - _PARENTS or names
    if label == "ARG0":
        found = {_AS_ARG0.get(name, VERBNET[name]) for name in names}
        return next((role for role in _ARG0_FIRST if role in found), None)
    found = {VERBNET[name] for name in names}
    return next((role for role in _OTHERS_FIRST if role in found), None)
