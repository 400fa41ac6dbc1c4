"""Reading role structures that were made elsewhere."""

import json
from pathlib import Path

import pytest

from hybridsem.errors import FormatError
from hybridsem.parsers.adapters.precomputed import (
    PrecomputedParser,
    read_release,
    roles_of,
    structure_of_roles,
)
from hybridsem.structures import ParseFailure, Role

ENTRY = [
    {"Agent": "The cook", "Verb": "peeled", "Theme": "a ripe apple", "Patient": "NONE"}
    | {"Location": "in the kitchen"},
    {"Agent": "The baker's cat", "Verb": "slept"},
]
PAIR = "The cook peeled a ripe apple in the kitchen.;The baker's cat slept.;0.2\n"


def write(folder: Path, roles: object, pairs: str = PAIR) -> tuple[Path, Path]:
    first, second = folder / "roles.json", folder / "pairs.txt"
    first.write_text(roles if isinstance(roles, str) else json.dumps(roles), encoding="utf-8")
    second.write_text(pairs, encoding="utf-8")
    return first, second


def test_release_file(tmp_path: Path) -> None:
    ((first, second),) = read_release(*write(tmp_path, {"1": ENTRY}))
    assert first.text == "The cook peeled a ripe apple in the kitchen."
    assert {str(role): filler.words for role, filler in first.roles.items()} == {
        "Verb": ("peeled",),
        "Agent": ("cook",),
        "Theme": ("ripe", "apple"),
        "Location": ("kitchen",),
    }
    assert first.roles[Role.LOCATION].text == "in the kitchen"
    assert second.roles[Role.AGENT].words == ("baker", "cat")
    assert (first.main.predicate, first.formalism) == ("peeled", "verbnet")


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ({"Verb": "left", "Agent": "They"}, {"Verb": "left", "Agent": "They"}),
        # Other names fill gaps only.
        (
            {
                "Attribute": "pale",
                "Theme": "a wall",
                "AM-TMPpoint": "at noon",
                "AM-MODmodal": "can",
            },
            {"Theme": "a wall", "Time": "at noon"},
        ),
        ({"Instrument": "with it", "unheard": "a hole"}, {"Theme": "a hole", "Manner": "with it"}),
    ],
)
def test_role_names(roles: dict[str, str], expected: dict[str, str]) -> None:
    parsed = structure_of_roles("x", roles)
    assert {str(r): f.text for r, f in parsed.roles.items()} == expected
    assert all(filler.words for filler in parsed.roles.values())
    assert isinstance(structure_of_roles("Hm.", {"Verb": "NONE", "Agent": " "}), ParseFailure)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    ((first, second),) = read_release(*write(tmp_path, {"1": ENTRY}))
    entry = [roles_of(first), roles_of(second)]
    order = "Agent Verb Patient Theme Time Manner Location Trajectory"
    assert " ".join(entry[0]) == order
    assert entry[0]["Patient"] == "NONE"
    ((again, _),) = read_release(*write(tmp_path, {"1": entry}))
    assert again == first
    assert set(roles_of(ParseFailure("x", "why")).values()) == {"NONE"}


def test_parser_looks_up_and_says_what_is_missing(tmp_path: Path) -> None:
    parser = PrecomputedParser.from_release(*write(tmp_path, {"1": ENTRY}))
    known, unknown = parser.parse(["  The baker's cat slept. ", "Nobody wrote this down."])
    assert known.main.predicate == "slept"
    assert isinstance(unknown, ParseFailure)
    assert unknown.text == "Nobody wrote this down."


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        ('{"1": [', "not JSON"),
        ("[1, 2]", "expected an object"),
        ({"1": ENTRY[:1]}, "pair '1'"),
        ({"1": [{"Verb": 3}, {}]}, "pair '1'"),
        ({"1": ENTRY, "2": ENTRY}, "holds 2 pairs"),
    ],
)
def test_damaged_role_file(tmp_path: Path, roles: object, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        read_release(*write(tmp_path, roles))
    assert "roles.json" in str(caught.value)


def test_damaged_pair_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"pairs\.txt, line 2: expected s1;s2"):
        read_release(*write(tmp_path, {"1": ENTRY}, PAIR + "one column\n"))


def test_the_release_itself(shared_data: Path) -> None:
    folder = shared_data / "sts3k-dev/Data-model/Sentence Parses/VerbNet Parsing"
    pairs = shared_data / "sts3k-dev/Data-experiment/STS3k_all.txt"
    for name, failures in (("mod", 0), ("raw", 36)):
        found = read_release(folder / f"full_VerbNet_pass_STS3k_all_{name}.json", pairs)
        assert len(found) == 840
        assert sum(isinstance(one, ParseFailure) for pair in found for one in pair) == failures
