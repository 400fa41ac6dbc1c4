"""Texts as written, and differences that do not matter, by hand."""

from pathlib import Path

import pytest
from support.blocks import rows

from hybridsem.english.harmless import proof
from hybridsem.english.questions import asks
from hybridsem.english.wording import Wording, other_values, wording
from hybridsem.english.written import units

LINES = Path(__file__).with_name("written.txt").read_text(encoding="utf-8").splitlines()
HARMLESS = rows(__file__, "harmless", "harmless.txt")
OTHERS = rows(__file__, "not harmless", "harmless.txt")


@pytest.mark.parametrize("line", LINES)
def test_units(line: str) -> None:
    text, keys = line.rsplit(" = ", 1)
    assert " ".join(unit.key for unit in units(text)) == keys


def test_invisible_characters_are_no_units() -> None:
    assert [unit.key for unit in units("a\u00a0b\u200b\tc\u00ad\x00d")] == ["a", "b", "c", "d"]
    assert units("") == units(" \n") == units("?!") == ()


@pytest.mark.parametrize(("one", "two"), HARMLESS)
def test_harmless_differences(one: str, two: str) -> None:
    assert proof(one, two) is not None
    assert proof(two, one) is not None
    assert wording(one, two) is Wording.PROVEN


@pytest.mark.parametrize(("one", "two"), OTHERS)
def test_what_may_matter_is_no_proof(one: str, two: str) -> None:
    assert proof(one, two) is None
    assert proof(two, one) is None


def test_wordings() -> None:
    passive = "The bill was paid by Ann.", "Ann paid the bill."
    assert wording(*passive) is Wording.REARRANGED
    assert wording("It costs $5.", "It costs five dollars.") is Wording.OTHER_FIGURES
    assert wording("It costs $5.", "It costs $6.") is Wording.OTHER_VALUE
    assert wording("Mr Williams called.", "Mr William called.") is Wording.OTHER_FIGURES
    assert wording("A dog barked.", "A dog slept.") is Wording.UNKNOWN
    assert other_values("It is 3 million.", "It is 5 million.") == (("3 million", "5 million"),)


@pytest.mark.parametrize(
    "text",
    [
        *("Can I pay by card", "is the shop open", "how much does it cost", "do you ship to Peru"),
        *("Which plan is best?", "It rains, doesn't it", "Is it open? 😀", "Does anyone know this"),
        *("Who left the door open", "what is my balance", "did Ann call"),
    ],
)
def test_questions(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize(
    "text",
    [
        *("What he said is true.", "When I came he left", "Have a nice day", "Do the dishes", ""),
        *("What Ann gave Ben was a map.", "Is it open? Yes, it is.", "Where the road ends", "42"),
        *("Should the pump fail, call us.", "Had she asked, we would have helped"),
    ],
)
def test_statements(text: str) -> None:
    assert not asks(text)
