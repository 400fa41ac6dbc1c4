"""Quantities, money, shares, ordinals, rates and ages: reading, writing, comparing."""

from __future__ import annotations

import math
import random
import time
from itertools import product

import pytest

from hybridsem.facts.amounts import Age, Money, Ordinal, Quantity, Rate, Share, read_amounts
from hybridsem.facts.quantities import Amount
from hybridsem.facts.units import UNITS
from hybridsem.facts.values import Fact, FactRelation, Interval

SIGNS = {
    "=": FactRelation.EQUAL,
    ">": FactRelation.CONTAINS,
    "<": FactRelation.WITHIN,
    "&": FactRelation.OVERLAPS,
    "#": FactRelation.DISJOINT,
    "?": FactRelation.UNKNOWN,
}

READ = """
She counted at least forty-five thousand birds | Quantity at least 45,000
half a dozen eggs | Quantity 6
a dozen eggs | Quantity 12
a couple of keys | Quantity 2
a couple of hundred fans | Quantity about 200
dozens of boats | Quantity dozens
several hundred boats | Quantity several hundred
3.5 million litres of oil | Quantity 3,500,000 litres
between thirty and forty seats | Quantity between 30 and 40
five to ten seats | Quantity between 5 and 10
5–10 km | Quantity between 5 and 10 kilometres
two or three seats | Quantity between 2 and 3
200+ guests | Quantity at least 200
3 or fewer guests | Quantity at most 3
nearly 6,000,000 visitors | Quantity nearly 6,000,000
just over 300 visitors | Quantity just over 300
~40 guests | Quantity about 40
5'6" tall | Quantity 5.5 feet
six feet two inches | Quantity 6.16666666666667 feet
a pound and a half of flour | Quantity 1.5 pounds
three quarters of a mile | Quantity 0.75 miles
2 1/2 cups of milk | Quantity 2.5 cups
a 27-inch screen | Quantity 27 inches
minus four degrees | Quantity -4 degrees
-4 °C | Quantity -4 degrees Celsius
5m users | Quantity 5,000,000
5m wide | Quantity 5 metres
2018 people came | Quantity 2,018
1.000 litres | Quantity 1.000 litres
$5.50 | Money 5.5 dollars
US$3 billion | Money 3,000,000,000 US dollars
€3m | Money 3,000,000 euros
USD 5k | Money 5,000 US dollars
five dollars and fifty cents | Money 5.5 dollars
50p | Money 0.5 British pounds
$5-10 million | Money between 5,000,000 and 10,000,000 dollars
It cost five pounds | Money 5 British pounds
It weighed five pounds | Quantity 5 pounds
three quarters of us | Share 75 percent
two-thirds of us | Share two thirds
half the staff | Share 50 percent
more than half | Share more than 50 percent
one in five pupils | Share 20 percent
5 out of 10 pupils | Share 50 percent
by 5 per cent | Share 5 percent
2 percentage points | Share 2 percentage points
50 basis points | Share 0.5 percentage points
Nearly all the trees | Share nearly 100 percent
the twenty-first floor | Ordinal 21st
She came second | Ordinal 2nd
third or fourth place | Ordinal between 3rd and 4th
Louis XIV died | Ordinal 14th
60 km/h | Rate 60 kilometres per hour
sixty kilometres an hour | Rate 60 kilometres per hour
$5 per month | Rate 5 dollars per month
$66.80 a barrel | Rate 66.8 dollars per barrel
3 percent a year | Rate 3 percent per year
5 deaths per 1,000 births | Rate 5 deaths per 1,000 births
a five-year-old | Age 5 years old
a boy aged between 5 and 10 | Age between 5 and 10 years old
at the age of six | Age 6 years old
18 months old | Age 18 months old
six years of age | Age 6 years old
Nobody under 21 | Age less than 21 years old
in her thirties | Age between 30 and 39 years old
John Smith, 61, said | Age 61 years old
"""

UNREAD = """
in 2018|since 1990|no one came|one should go|the one|a second later|the first of May|May 5th
two hours|5 years|at five|5 p.m.|15:30|half past three|ten to three|three o'clock
They won 3-2|a 3-2 win|2018-05-03|3/5/2021|version 3.10.2|A4|COVID-19|the 1990s|No. 5|#5
at first|quarter past two|$|£|-|1,5,|5x|a foot
3. Wash it|11/2 is a date|code 0491|1 800 451|on Sept. 1|the 2010 Genesis|the 2002 election|Nov. 9th
"""

COMPARED = """
24,000 dogs = twenty-four thousand dogs
3 million people # 3 billion people
at least three cars > five cars
no fewer than 3 cars = at least three cars
up to six = no more than six
more than 5 & less than 10
at most 3 # more than 3
about 200 > 198
about 200 # 300
exactly 4 < at most 6
dozens of men # three men
dozens of men > 100 men
dozens of men ? at least 24 men
three cats ? four dogs
two kilometres = 2000 m
ten miles = 16 km
2 miles # 3 km
2 km # 2 miles
2 km # 2,040 m
30 °C = 86 °F
30 °C # 80 °F
5 mg = 5.0 mg
8 ounces of butter = half a pound of butter
5 ft 6 in = 66 inches
40 hectares = 0.4 square kilometres
2 TB # 2 TiB
2 kB = 2,000 bytes
1 KiB = 1,024 bytes
ten tons ? ten tonnes
5 km ? 5 kg
four degrees ? 4 °C
$5 = five dollars
$0.75 = 75 cents
$5 > US$5
£50 = fifty quid
$5 # €5
$3 million # $3 billion
1.000 euros ? 1,000 euros
1.000 euros # 7,000 euros
more than $100 & less than $200
75 percent = three quarters of us
two thirds of us = 66.7%
a third of us # 30%
5 % ? 5 percentage points
most of us > 60 percent
hardly any of us # nearly all of us
21st = twenty-first
60 km/h = 60 kilometres per hour
10 m/s = 36 km/h
100 km/h = 62 mph
60 km/h # 60 mph
60 Hz = 60 times a second
60 Hz # 60 kHz
$5 per month # $5 per week
$12 a year = $1 a month
$150 a month ? $5 a day
$5 per ticket ? $5 per person
18 months old = a year and a half old
6 years old < over the age of five
"""


def rows(table: str, separator: str) -> list[tuple[str, ...]]:
    return [tuple(line.split(separator)) for line in table.strip().splitlines()]


def read_one(text: str) -> Fact:
    (fact,) = read_amounts(text)
    return fact


@pytest.mark.parametrize(("text", "expected"), rows(READ, " | "))
def test_an_amount_is_read(text: str, expected: str) -> None:
    facts = [f"{type(fact).__name__} {fact}" for fact in read_amounts(text)]
    assert facts == [expected]


@pytest.mark.parametrize(
    "text", [each for line in UNREAD.strip().splitlines() for each in line.split("|")]
)
def test_what_is_no_amount_is_not_read(text: str) -> None:
    facts = [str(fact) for fact in read_amounts(text)]
    assert facts == []


@pytest.mark.parametrize("line", COMPARED.strip().splitlines())
def test_amounts_are_compared(line: str) -> None:
    sign = next(sign for sign in SIGNS if f" {sign} " in line)
    first, second = map(read_one, line.split(f" {sign} "))
    assert type(first) is type(second)
    relation = first.relation_to(second)
    assert relation is SIGNS[sign]
    assert second.relation_to(first) is relation.inverted


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


def check_written_amounts(count: int) -> None:
    choose = random.Random(7)
    for _ in range(count):
        fact = random_amount(choose)
        facts = read_amounts(str(fact))
        assert [type(each) for each in facts] == [type(fact)], (fact, str(fact), facts)
        assert fact.relation_to(facts[0]) is FactRelation.EQUAL, (fact, str(fact), facts)
        assert str(facts[0]) == str(fact)


def test_what_is_written_is_read_again() -> None:
    check_written_amounts(1_000)


@pytest.mark.slow
def test_20000_written_amounts_are_read_again() -> None:
    check_written_amounts(20_000)


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


@pytest.mark.parametrize(
    "part",
    [
        "1",
        "5-",
        "$",
        "one and ",
        "at least ",
        "half a ",
        "five to ",
        "5 ft ",
        "½",
        "\0",
        " ",
        "X",
        "１",
        "²",
    ],
)
def test_long_text_is_read_in_linear_time(part: str) -> None:
    def seconds(size: int) -> float:
        text = part * (size // len(part))
        start = time.process_time()
        read_amounts(text)
        return time.process_time() - start

    assert seconds(40_000) < 12 * seconds(10_000) + 0.1


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\0",
        "٣ كتب",
        "三百",
        "1" * 400,
        "1e999",
        "$" + "9" * 400,
        "9" * 28 + " trillion trillion km",
        "1/0 of",
        "0 %",
        "0 km",
        "-0",
        "5'",
        "İ 5 km",
        "between 5",
        "a couple of",
        "5 per",
        "$5 per 0 tickets",
    ],
)
def test_odd_text_is_read(text: str) -> None:
    for fact in read_amounts(text):
        assert text[fact.start : fact.end]
        assert str(fact)
        assert fact.relation_to(fact) in (FactRelation.EQUAL, FactRelation.UNKNOWN)
