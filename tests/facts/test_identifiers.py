import random
import time
from dataclasses import replace

import pytest
from support.blocks import rows

from hybridsem.facts.identifiers import Identifier, IdentifierKind, read_identifiers
from hybridsem.facts.values import FactRelation


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "identifiers", "read.txt"))
@pytest.mark.parametrize("frame", ["{}", "See {}, please."])
def test_an_identifier_is_read_with_its_span(text: str, expected: str, frame: str) -> None:
    sentence = frame.format(text)
    identifier = read_identifiers(sentence)[-1]
    assert f"{identifier.kind} {identifier.value} {identifier.label}".strip() == expected
    span = sentence[identifier.start : identifier.end]
    assert text.endswith(span)
    (again,) = read_identifiers(str(identifier))
    assert replace(again, start=0, end=0) == replace(identifier, start=0, end=0)


def test_several_identifiers_stand_in_order() -> None:
    text = "Call 555-123-4567 or @ann about order #12 at 12 Main Street, Austin, TX 78701."
    kinds = [identifier.kind.name for identifier in read_identifiers(text)]
    assert kinds == ["PHONE", "HANDLE", "NUMBER", "HOUSE", "POSTCODE"]


def test_a_changed_digit_is_another_identifier() -> None:
    """Random codes of every form: what is written is read again, and one digit makes another."""
    source = random.Random(7)
    forms = (
        "order #{}", "flight BA{}", "version {}.{}.{}", "X{}-{}", "room {}", "ann{}@example.com",
        "10.{}.{}.1", "+1 555 {}00{}", "example.com/{}", "case no. {}-{}", "log{}.txt",
    )  # fmt: skip
    for _ in range(2000):
        form = source.choice(forms)
        numbers = [source.randrange(100, 255) for _ in range(3)]
        (first,) = read_identifiers(form.format(*numbers))
        (again,) = read_identifiers(str(first))
        assert first.relation_to(again) is FactRelation.EQUAL
        (second,) = read_identifiers(form.format(numbers[0] + 1, *numbers[1:]))
        assert first.relation_to(second) is second.relation_to(first) is FactRelation.DISJOINT


def test_plain_text_costs_little() -> None:
    text = "A man in a red shirt is riding a brown horse along the beach while people are watching."
    rounds = 2000
    start = time.perf_counter()
    for _ in range(rounds):
        assert read_identifiers(text) == []
    assert (time.perf_counter() - start) / rounds < 100e-6  # 8 µs where measured


def test_an_identifier_is_a_value() -> None:
    identifier = Identifier(0, 3, IdentifierKind.CODE, "A4")
    assert identifier == Identifier(0, 3, IdentifierKind.CODE, "A4")
    assert hash(identifier)
