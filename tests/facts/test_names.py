from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest

from hybridsem.facts.gazetteer import WORDS, fold, outer, places
from hybridsem.facts.name_reading import read_names
from hybridsem.facts.names import Name, NameKind
from hybridsem.facts.values import FactRelation
from hybridsem.structures import Token

READ = """
Mr. John Smith of the World Health Organization left.|Mr John Smith/person, World Health Organization/organisation
German Chancellor Angela Merkel met US President Barack Obama.|German/place, Chancellor Angela Merkel/person, US/place, President Barack Obama/person
They moved to Austin, Texas on Tuesday.|Austin, Texas/place
He visited Canada, Texas and Ohio.|Canada/place, Texas/place, Ohio/place
The office in Smallville, Kan. is open.|Smallville, Kan/place
She lives in Washington, D.C. now.|Washington, D.C./place
A French man went to the Bank of America in May.|French/place, Bank of America/organisation
Johnson & Johnson hired Ludwig van Beethoven.|Johnson & Johnson/organisation, Ludwig van Beethoven/unknown
The Department of Health and Human Services sued Apple Inc. in Oregon.|Department of Health and Human Services/organisation, Apple Inc./organisation, Oregon/place
In Congress John F. Kennedy spoke.|Congress/organisation, John F. Kennedy/person
I saw Trinidad and Tobago.|Trinidad and Tobago/place
Microsoft CEO Satya Nadella and Queen Elizabeth II met.|Microsoft/organisation, CEO Satya Nadella/person, Queen Elizabeth II/person
The president said that the queen slept.|
However, they came on Friday in June.|
John's dog barked at Köln's cathedral.|John/person, Köln/place
A man is riding a horse.|
"""  # noqa: E501

RELATIONS = """
UK|United Kingdom|equal
U.S.|America|equal
the UAE|United Arab Emirates|equal
French|France|equal
London|UK|within
Paris|France|within
Paris|Germany|disjoint
Austin|Texas|within
Austin, Texas|Austin|equal
Smallville|Smallville, Kansas|contains
Smallville, Kansas|Smallville, Ohio|disjoint
Springfield, Ill.|Springfield, Illinois|equal
Georgia|Tbilisi|contains
Georgia|Atlanta|contains
Munich|München|equal
Köln|Cologne|equal
Vienna|Wien|equal
Beijing|Peking|equal
Austria|Australia|disjoint
WHO|World Health Organization|equal
World Health Organisation|World Health Organization|equal
NATO|WTO|disjoint
ARC|Acme Rubber Company|equal
UOZ|University of Zork|equal
Acme Inc.|Acme|equal
University of Zork|Zork University|equal
Apollo|Apollo 11|contains
Apollo 12|Apollo 11|disjoint
Bob|Robert|equal
Bob Smith|Robert Smith|equal
Smith|John Smith|contains
Mr. Smith|John Smith|contains
J. Smith|John Smith|contains
John F. Smith|John Smith|within
John Smith|James Smith|disjoint
John Smith|John Miller|disjoint
John|Joan|disjoint
Dr. Jane Miller|Jane Miller|equal
Mr. Smith|Ms. Smith|unknown
President Zork|Senator Zork|unknown
President Obama|Mr. Obama|equal
van Gogh|Vincent van Gogh|contains
José Müller|Jose Mueller|equal
Zorkmann|Zorkman|unknown
Zork|Zonk|disjoint
New York|New York Times|disjoint
Oxford|Oxford University|unknown
New York|New York City|equal
Brooklyn|New York|within
"""


@pytest.mark.parametrize("row", READ.split("\n")[1:-1])
def test_names_are_read_with_their_kinds(row: str) -> None:
    text, expected = row.split("|")
    names = read_names(text)
    assert ", ".join(f"{name}/{name.kind}" for name in names) == expected
    assert all(text[name.start : name.end].endswith(name.text) for name in names)
    assert all(before.end <= name.start for before, name in pairwise(names))


@pytest.mark.parametrize("row", RELATIONS.split("\n")[1:-1])
def test_relations(row: str) -> None:
    first, second, relation = row.split("|")
    ((one,), (other,)) = read_names(first), read_names(second)
    assert one.relation_to(other) == relation
    assert other.relation_to(one) == FactRelation(relation).inverted


def test_tokens_tell_names_in_lower_case() -> None:
    text = "barack obama gave mary apple stock 11"
    rows = [("PROPN", 2), ("PROPN", 0), ("VERB", -1), ("PROPN", 2), ("PROPN", 5), ("NOUN", 2)]
    tokens, place = [], 0
    for word, (pos, head) in zip(text.split(), rows, strict=False):
        tokens.append(Token(word, word, pos, head, "dep", place, place + len(word)))
        place += len(word) + 1
    names = read_names(text, tokens)
    assert [str(name) for name in names] == ["Barack Obama", "Mary", "Apple"]


def test_what_is_written_is_read_again() -> None:
    source = random.Random(3)
    firsts = ["Robert", "Maria", "J.", "Zed", "Jean-Luc", "Mary Ann"]
    lasts = ["Smith", "O'Neill", "van der Berg", "Özil", "Lee Jr."]
    titles = ["", "Dr", "Prof", "Ms", "President", "Prime Minister"]
    towns = ["Austin, Texas", "Köln", "New York City", "Zorkville, Ohio", "The Hague", "Chinese"]
    for _ in range(500):
        person = f"{source.choice(firsts)} {source.choice(lasts)}"
        title = source.choice(titles)
        name = Name(0, 1, person, NameKind.PERSON, title)
        town = Name(0, 1, source.choice(towns), NameKind.PLACE)
        for value in (name, town):
            again, *others = read_names(str(value))
            assert not others, str(value)
            assert again.relation_to(value) is FactRelation.EQUAL, str(value)
            assert again.title == value.title


def test_every_place_is_on_a_continent() -> None:
    ends = {"africa", "asia", "europe", "north america", "south america", "oceania"}
    for country in ("Chad", "Bavaria", "Brooklyn", "Gaza", "Osaka", "Nunavut", "Fiji", "Lima"):
        (place,) = places(country)
        assert outer(place)[-1] in ends


def test_folding() -> None:
    assert fold("The São-Paulo") == "sao paulo"
    assert fold("Straße") == "strasse"
    assert fold("") == ""
    assert "monday" in WORDS["calendar"]


@pytest.mark.parametrize(
    "piece", ["A", "A ", "Ab-", "A.", "a", "St. ", "A, ", "of ", "A of ", "É", "1", " ", "\x00",
              "'", "Mr. ", "Paris, ", "King ", "A & "],
)  # fmt: skip
def test_time_is_linear_in_hostile_text(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    start = time.perf_counter()
    read_names(text)
    assert time.perf_counter() - start < 8


def test_symmetry_over_pairs() -> None:
    texts = [text for row in RELATIONS.split("\n")[1:-1] for text in row.split("|")[:2]]
    names = [read_names(text)[0] for text in texts]
    for one in names:
        for other in names:
            assert one.relation_to(other).inverted is other.relation_to(one), (one, other)
