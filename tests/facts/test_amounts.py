"""Quantities, money, shares, ordinals, rates and ages: reading, writing, comparing."""

import math
import random
from itertools import product

import pytest
from support.blocks import rows

from hybridsem.facts.amounts import Age, Money, Ordinal, Quantity, Rate, Share, read_amounts
from hybridsem.facts.quantities import Amount
from hybridsem.facts.units import UNITS
from hybridsem.facts.values import Fact, FactRelation, Interval


def read_one(text: str) -> Fact:
    (fact,) = read_amounts(text)
    return fact


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "amounts", "read.txt"))
def test_an_amount_is_read(text: str, expected: str) -> None:
    facts = [f"{type(fact).__name__} {fact}" for fact in read_amounts(text)]
    assert facts == [expected]


def test_a_negative_part_is_written_in_percent() -> None:
    (share,) = read_amounts("Why is the sum of all numbers -1/12?")
    assert str(share).endswith("percent")


def test_the_span_has_the_bound_and_not_the_noun() -> None:
    text = "It rose by at least three apples, to 5 % or so of 3 km, from $5 a day."
    spans = [text[fact.start : fact.end] for fact in read_amounts(text)]
    assert spans == ["at least three", "5 % or so", "3 km", "$5 a day"]


def test_the_counted_noun_is_read() -> None:
    nouns = [
        fact.of
        for fact in read_amounts("Two dogs and 5 kg of apples; 16-member")
        if isinstance(fact, Quantity)
    ]
    assert nouns == ["dog", "apple", "member"]


def random_amount(choose: random.Random) -> Fact:
    """A random value of a random type."""
    value = choose.choice(
        [
            float(choose.randint(1, 30)),
            float(choose.randint(1, 9999)),
            choose.randint(1, 10**7) / 100,
        ]
    )
    interval = choose.choice(
        [
            Interval.of(value),
            Interval(value, math.inf),
            Interval(-math.inf, value, high_open=True),
            Interval(value, value + choose.randint(1, 50)),
        ]
    )
    unit = choose.choice(sorted({each.name for each in UNITS.values()}))
    whole = Interval.of(float(choose.randint(1, 120)))
    amount: Quantity | Money = Quantity(0, 0, interval, unit=unit)
    kinds: list[Fact] = [
        amount,
        Quantity(0, 0, interval),
        Money(
            0, 0, interval, currency=choose.choice(["USD", "dollar", "EUR", "GBP", "JPY", "krone"])
        ),
        Share(0, 0, interval, points=choose.random() < 0.5),
        Ordinal(0, 0, whole),
        Age(0, 0, whole),
        Rate(
            0,
            0,
            Quantity(0, 0, interval, unit="kilometre"),
            choose.choice(["hour", "day", "litre"]),
        ),
    ]
    return choose.choice(kinds)


@pytest.mark.parametrize("count", [1_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_what_is_written_is_read_again(count: int) -> None:
    choose = random.Random(7)
    for _ in range(count):
        fact = random_amount(choose)
        facts = read_amounts(str(fact))
        assert [type(each) for each in facts] == [type(fact)], (fact, str(fact), facts)
        assert fact.relation_to(facts[0]) is FactRelation.EQUAL, (fact, str(fact), facts)
        assert str(facts[0]) == str(fact)


@pytest.mark.parametrize(
    "text",
    [
        "dozens",
        "a few thousand",
        "about 195",
        "nearly 80",
        "just over 7",
        "two thirds",
        "a quarter of us",
        "1.000 euros",
        "1.125 km",
    ],
)
def test_other_amounts_are_read_again(text: str) -> None:
    fact = read_one(text)
    assert fact.relation_to(read_one(str(fact))) is FactRelation.EQUAL


def test_equality_is_symmetric_and_transitive_within_a_system() -> None:
    texts = [
        "2 km",
        "2,000 m",
        "200000 cm",
        "2.0 km",
        "2.04 km",
        "at least 2 km",
        "about 2 km",
        "about 2,000 m",
    ]
    facts = [fact for text in texts for fact in read_amounts(text) if isinstance(fact, Amount)]
    for first, second, third in product(facts, repeat=3):
        relation = first.relation_to(second)
        assert second.relation_to(first) is relation.inverted
        if relation is FactRelation.EQUAL and second.relation_to(third) is FactRelation.EQUAL:
            assert first.relation_to(third) is FactRelation.EQUAL
