from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest

from hybridsem.facts.identifiers import Identifier, IdentifierKind, read_identifiers
from hybridsem.facts.values import FactRelation

READ = {
    "order #1234": "number 1234 order",
    "purchase order number 1234": "number 1234 order",
    "case no. 12-cv-345": "number 12CV345 case",
    "No. 5521-B": "number 5521B ",
    "invoice 44171": "number 44171 invoice",
    "id=8812": "number 8812 id",
    "licence plate ABC 1234": "number ABC1234 plate",
    "flight BA 117": "flight BA117 ",
    "Flight number BA117": "flight BA117 ",
    "Python 3.10": "version 3.10 python",
    "Windows 10": "version 10 windows",
    "version 3.1": "version 3.1 ",
    "v2.7.2-beta.1": "version 2.7.2-beta.1 ",
    "Section 4.2": "section 4.2 section",
    "§ 4.2": "section 4.2 section",
    "Chapter IV": "section 4 chapter",
    "chapter four": "section 4 chapter",
    "Gate B": "section B gate",
    "pages 12-15": "section 12-15 page",
    "ann.smith@Example.COM": "e-mail ann.smith@example.com ",
    "https://www.Example.com/a/b?x=1": "URL example.com/a/b?x=1 ",
    "example.com/path": "URL example.com/path ",
    "192.168.0.1:80": "IP address 192.168.0.1:80 ",
    "2001:db8:0:0::1": "IP address 2001:db8::1 ",
    "(555) 123-4567": "phone number 5551234567 ",
    "+44 20 7946 0958": "phone number +442079460958 ",
    "555-123-4567 ext. 12": "phone number 5551234567x12 ",
    "ISBN 0-306-40615-2": "ISBN 9780306406157 ",
    "123E4567-e89b-12d3-a456-426614174000": "hash 123e4567-e89b-12d3-a456-426614174000 ",
    "3f2a9bc1": "hash 3f2a9bc1 ",
    "@ann_s": "handle @ann_s ",
    "#Brexit": "hashtag #brexit ",
    "report.pdf": "file report.pdf ",
    "/usr/local/bin": "file /usr/local/bin ",
    "src/main.py:12": "file src/main.py:12 ",
    "XPS-13": "code XPS13 ",
    "B12": "code B12 ",
    "1Z999AA10123456784": "code 1Z999AA10123456784 ",
    "SW1A 1AA": "postcode SW1A1AA ",
    "00:1b:44:11:3a:b7": "code 00:1B:44:11:3A:B7 ",
}

NONE = """
No 5 people came.|order 2 pizzas|order 5000 units|in the room I saw|12:30:45|2021-05-03|12.05.2021
3/5/2021|1,000,000|1.000.000|3.14|pre-2010|mid-1990s|a 10-year-old|5kg|16GB|3D|20th|1990s|$5|24/7
and/or|AC/DC|e.g. this|the U.S. at 10 a.m.|10:30|km2|4x4|10-20 people|In 2008 Wall Street fell.
a flight 3 hours long|In the case 5 people came.||   |12 Supreme Court judges
"""

RELATIONS = """
Python 3.10|Python 3.1|disjoint
version 2.0|v2|unknown
Python 3|Python 3.10|contains
version 3.1|v3.1|equal
Python 3.10|version 3.10|within
Python 3.10|Ruby 3.10|disjoint
order #1234|order no. 1234|equal
order #1234|order #1243|disjoint
order #1234|invoice #1234|disjoint
order #1234|#1234|within
flight BA117|BA 117 flight BA117|equal
flight BA117|flight BA171|disjoint
flight BA117|flight 117|within
XPS-13|XPS13|equal
Section 4|Section 4.2|contains
Room 12|room 12|equal
Room 12|Chapter 12|disjoint
ann@a.com|ann@A.com|equal
ann@a.com|Ann@a.com|unknown
ann@a.com|ann@b.com|disjoint
http://example.com/|www.example.com|equal
example.com/a|example.com/b|disjoint
(555) 123-4567|555-123-4567|equal
+1 555 123 4567|555-123-4567|unknown
555-123-4567|555-123-4576|disjoint
ISBN 0-306-40615-2|ISBN 978-0-306-40615-7|equal
10.0.0.1|10.0.0.2|disjoint
3f2a9bc1|3f2a9bc1d0|contains
TX 78701|zip code 78701-1234|contains
ann@a.com|10.0.0.1|unknown
"""


@pytest.mark.parametrize("text", READ)
@pytest.mark.parametrize("frame", ["{}", "See {}, please."])
def test_an_identifier_is_read_with_its_span(text: str, frame: str) -> None:
    sentence = frame.format(text)
    identifier = read_identifiers(sentence)[-1]
    assert f"{identifier.kind} {identifier.value} {identifier.label}" == READ[text]
    span = sentence[identifier.start : identifier.end]
    assert text.endswith(span)
    (again,) = read_identifiers(str(identifier))
    assert replace(again, start=0, end=0) == replace(identifier, start=0, end=0)


@pytest.mark.parametrize("text", NONE.replace("\n", "|").split("|"))
def test_other_numbers_are_no_identifiers(text: str) -> None:
    assert read_identifiers(text) == []


@pytest.mark.parametrize("row", RELATIONS.split("\n")[1:-1])
def test_relations(row: str) -> None:
    first, second, relation = row.split("|")
    one, other = read_identifiers(first)[0], read_identifiers(second)[-1]
    assert one.relation_to(other) == relation
    assert other.relation_to(one) == FactRelation(relation).inverted


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


@pytest.mark.parametrize(
    "piece",
    ["1", "a", " ", "a1", "1-", "1 ", "1.", "a.", "a-", "/", "a/", "@", "a@", "#", ":", "a:", "(1",
     "order ", "12 Main ", "No.", "0.0.", "f:", "\x00", "é", "１", "²", "call 1", "+1 "],
)  # fmt: skip
def test_time_is_linear_in_hostile_text(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    start = time.perf_counter()
    read_identifiers(text)
    assert time.perf_counter() - start < 5


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
