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

from hybridsem.structures import Role

__all__ = ["MODIFIERS", "ROLESETS", "VERBNET", "general_role", "is_reference", "of_verbnet"]

# Name, its general role, the one that it has as ARG0 (PropBank's proto-agent) if another, why.
_TABLE: tuple[tuple[str, Role, Role | None, str], ...] = (
    ("agent", Role.AGENT, None, "an actor that acts"),
    ("actor", Role.AGENT, None, "the older name of Agent"),
    ("causer", Role.AGENT, None, "an actor that need not act on purpose"),
    ("cause", Role.AGENT, None, "the older name of Causer"),
    ("affector", Role.AGENT, None, "what makes an event end or begin: a Causer"),
    ("precondition", Role.THEME, Role.AGENT, "causes an outcome as ARG0, else is needed for it"),
    ("stimulus", Role.THEME, Role.AGENT, "what is felt about; as ARG0 ('scares') it causes that"),
    ("experiencer", Role.PATIENT, Role.AGENT, "an undergoer; an Agent as ARG0 ('likes')"),
    ("pivot", Role.PATIENT, Role.AGENT, "a copula's subject, or who has or needs"),
    ("patient", Role.PATIENT, None, "an undergoer that changes"),
    ("co_patient", Role.PATIENT, None, "a second Patient ('mix A with B')"),
    ("co_agent", Role.PATIENT, None, "who is acted with: 'meet Ann', 'talk to Ann'"),
    ("recipient", Role.PATIENT, None, "our convention: who is given something is affected"),
    ("beneficiary", Role.PATIENT, None, "an undergoer, affected for good or ill"),
    ("theme", Role.THEME, None, "an undergoer that is moved or placed, not changed"),
    ("co_theme", Role.THEME, None, "a second Theme"),
    ("topic", Role.THEME, None, "a Theme that is said or thought"),
    ("predicate", Role.THEME, None, "what is said of another argument"),
    ("attribute", Role.THEME, None, "our convention: what a copula says of its subject"),
    ("value", Role.THEME, None, "an Attribute on a scale"),
    ("asset", Role.THEME, None, "a Value in money; the object of 'spend' and 'use'"),
    ("result", Role.THEME, None, "what comes about; the Theme of 'cause' and 'become'"),
    ("product", Role.THEME, None, "a Result that is a thing; the object of 'build'"),
    ("eventuality", Role.THEME, None, "an event as an argument; the object of 'begin'"),
    ("subeventuality", Role.THEME, None, "part of an Eventuality"),
    ("initial_state", Role.THEME, None, "the state that a Result replaces"),
    ("source", Role.THEME, None, "an abstract start; in space an Initial_Location"),
    ("goal", Role.THEME, None, "an abstract end point; in space a Destination"),
    ("location", Role.LOCATION, None, "a place"),
    ("initial_location", Role.LOCATION, None, "a place, where a motion begins"),
    ("destination", Role.LOCATION, None, "a place, where a motion ends"),
    ("axis", Role.LOCATION, None, "a place, about which something turns"),
    ("trajectory", Role.TRAJECTORY, None, "the way of a motion"),
    ("instrument", Role.MANNER, None, "the eight have no role for means: how it is done"),
    ("material", Role.MANNER, None, "what something is made from: a means"),
    ("extent", Role.MANNER, None, "by how much"),
    ("circumstance", Role.MANNER, None, "under what conditions"),
    ("manner", Role.MANNER, None, "how"),
    ("duration", Role.TIME, None, "how long"),
    ("time", Role.TIME, None, "when"),
)

VERBNET = MappingProxyType({name: role for name, role, _as_arg0, _why in _TABLE})
"""The general role of a VerbNet role, by its name in lower case with underscores."""

_AS_ARG0 = {name: as_arg0 for name, _role, as_arg0, _why in _TABLE if as_arg0 is not None}

# Where the links give several (a roleset may be in several classes), an ARG0 is the first of these
# that is among them, any other argument the first of those: beside another candidate who is not the
# proto-agent is no Agent, and a participant comes before a place, a way or a means.
_ARG0_FIRST = (
    Role.AGENT,
    Role.THEME,
    Role.PATIENT,
    Role.LOCATION,
    Role.TRAJECTORY,
    Role.MANNER,
    Role.TIME,
)
_OTHERS_FIRST = (
    Role.PATIENT,
    Role.THEME,
    Role.LOCATION,
    Role.TRAJECTORY,
    Role.MANNER,
    Role.TIME,
    Role.AGENT,
)
# Beside one of their children, which says more, they do not count.
_PARENTS = frozenset({"source", "goal"})

ROLESETS = MappingProxyType(
    {
        # the links have who knows and what is known the wrong way round
        ("know.01", "ARG0"): Role.AGENT,
        ("know.01", "ARG1"): Role.THEME,
        ("have.03", "ARG1"): Role.THEME,  # "patient, theme": what one has does not change
        ("take.01", "ARG1"): Role.THEME,  # the same: what is taken is moved
        ("carry.01", "ARG1"): Role.THEME,
        ("add.02", "ARG1"): Role.THEME,
        ("show.01", "ARG1"): Role.THEME,  # "patient, theme, topic": what is shown
        ("establish.01", "ARG1"): Role.THEME,
        ("move.01", "ARG2"): Role.LOCATION,  # "destination, result": where it is moved to
    }
)
"""Where the role links of a frequent roleset mislead or leave it open."""

MODIFIERS = MappingProxyType(
    {
        "ARGM-TMP": Role.TIME,
        "ARGM-LOC": Role.LOCATION,
        "ARGM-GOL": Role.LOCATION,  # an end point, as Destination
        "ARGM-DIR": Role.TRAJECTORY,
        "ARGM-MNR": Role.MANNER,
        "ARGM-EXT": Role.MANNER,  # as Extent
    }
)
"""PropBank's modifiers that are one of the eight; causes, purposes and the like are none."""

_SLIPS = {  # as the frame files spell them
    "co_patiet": "co_patient",
    "cotheme": "co_theme",
    "intial_location": "initial_location",
    "intial_state": "initial_state",
    "ptient": "patient",
}
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
