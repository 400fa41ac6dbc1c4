"""VerbNet's and PropBank's roles as the eight general ones."""

import itertools

import pytest

from hybridsem.parsers.verbnet.general_roles import (
    MODIFIERS,
    ROLESETS,
    VERBNET,
    general_role,
    of_verbnet,
)
from hybridsem.structures import Role


@pytest.mark.parametrize(
    ("label", "verbnet", "roleset", "role"),
    [
        ("ARG0", ["agent"], None, Role.AGENT),
        ("ARG0", ["experiencer"], "like.01", Role.AGENT),
        ("ARG0", ["stimulus"], "scare.01", Role.AGENT),
        ("ARG1", ["stimulus", "theme"], "see.01", Role.THEME),
        ("ARG2", ["attribute", "theme"], "be.01", Role.THEME),
        ("ARG2", ["recipient"], "give.01", Role.PATIENT),
        ("ARG1", ["initial_location", "source"], "leave.11", Role.LOCATION),
        ("ARG2", ["source"], "hear.01", Role.THEME),
        ("ARG4", ["Destination"], "go.02", Role.LOCATION),
        ("ARGM-TMP", [], "go.02", Role.TIME),
        ("ARGM-CAU", [], "go.02", None),
        ("R-ARGM-TMP", [], "go.02", None),
        ("ARG1", ["nm"], "go.02", None),
        ("ARG1", ["nm", "theme"], "go.02", Role.THEME),
    ],
)
def test_general_role(
    label: str, verbnet: list[str], roleset: str | None, role: Role | None
) -> None:
    assert general_role(label, verbnet, roleset) == role


def test_the_order_of_several_does_not_matter() -> None:
    for names in itertools.combinations(VERBNET, 2):
        for label in ("ARG0", "ARG1"):
            assert general_role(label, names) == general_role(label, names[::-1]) is not None


@pytest.mark.parametrize(
    "name", ["Initial-Location", "initial location", "initial_location", "intial_location"]
)
def test_spellings(name: str) -> None:
    assert of_verbnet(name) == "initial_location"
    assert of_verbnet("experiencer??") == "experiencer"


def test_no_table_makes_a_verb() -> None:
    assert {*VERBNET.values(), *MODIFIERS.values(), *ROLESETS.values()} == set(Role) - {Role.VERB}
