"""Dates, times, durations and recurrences: what is read, and how two of them compare."""

from __future__ import annotations

import random
import time

import pytest

from hybridsem.facts.dates import MONTHS, WEEKDAYS
from hybridsem.facts.times import Date, Duration, Recurrence, Time, read_times
from hybridsem.facts.values import Fact, FactRelation

READ = """
3 May 2021 = 3 May 2021
May 3rd, 2021 = 3 May 2021
the third of May = 3 May
Tuesday, 4 May 2021 = 4 May 2021
Mon., May 3 = Monday 3 May
Sept. 5, 2020 = 5 September 2020
2021-05-03 = 3 May 2021
10.05.2021 = 10 May 2021
25/12/2021 = 25 December 2021
3/5/2021 = 3/5/2021
in [2018] = 2018
in [nineteen eighty-four] = 1984
the 1990s = the 1990s
the nineties = the 90s
the 1300s = the 14th century
the 5th century BC = the 5th century BC
44 BC = 44 BC
A.D. 476 = AD 476
the first quarter of 2020 = Q1 2020
the end of the 1990s = late 1990s
mid-2020 = mid 2020
the last quarter of 2020 = Q4 2020
in the [fall of 2020] = autumn 2020
New Year's Eve 2020 = 31 December 2020
the day before yesterday = 2 days ago
a fortnight ago = 2 weeks ago
may 26, 1953 = 26 May 1953
a year later = 1 year later
next weekend = next weekend
last night = last night
3-5 May 2021 = from 3 May 2021 to 5 May 2021
1990–95 = from 1990 to 1995
between May and July 2021 = from May 2021 to July 2021
December to January 2021 = from December 2020 to January 2021
prior to 2010 = before 2010
no later than Friday = by Friday
from 2010 onwards = since 2010
circa 1500 = about 1500
half past three in the afternoon = 15:30
a quarter to nine = 8:45
ten minutes past three = 3:10
three o'clock = 3 o'clock
twelve o'clock = 12 o'clock
9 a.m. = 09:00
3.30 pm = 15:30
at [0900] = 09:00
at [1530 hours] = 15:30
1530 hours = 1530 hours
12 noon = noon
15:30 UTC+1 = 15:30 UTC+1
from 10 pm to 6 am = from 22:00 to 06:00
9-11 am = from 09:00 to 11:00 a.m.
by noon = by noon
in the [morning] = morning
an hour and a half = 90 minutes
two and a half hours = 150 minutes
three quarters of an hour = 45 minutes
two-and-a-half years = 30 months
1h30 = 90 minutes
24 months = 2 years
a fortnight = 2 weeks
2-day = 2 days
half an hour = 30 minutes
1 year 3 months = 15 months
two hours and 30 minutes = 150 minutes
five business days = 5 working days
at least two hours = at least 2 hours
two hours or more = at least 2 hours
about two hours = about 2 hours
two to three hours = 2 to 3 hours
30 minutes to an hour = 30 to 60 minutes
daily = every day
each Tuesday = Tuesdays
every Monday and Thursday = Mondays and Thursdays
weekdays = weekdays
every weekday = weekdays
twice a week = 2 times every week
every other week = every 2 weeks
once every 14 days = every 2 weeks
biweekly = biweekly
per annum = every year
every Christmas Day = every 25 December
"""
"""The text, with brackets around the value where it is not all, and the value as written back."""

NOTHING = """
He may go in a second.
March against war
I sat in the sun.
Second, she left.
2018 people came from flight 2018.
They won by 3:1 and 20 to 30 of them left.
version 3.10.2 of 10.5 km
a total of 2018 votes
the fall of Rome
"""

RELATIONS = """
2021-05-03 equal May 3rd, 2021
the 14th century equal the 1300s
Q1 2020 equal the first quarter of 2020
Christmas Day equal 25 December
3 May 2021 disjoint 3 May 2020
May 2021 contains 3 May 2021
the 1990s contains 1994
5 May contains 5 May 2021
Wednesday contains 5 May 2021
Tuesday disjoint 5 May 2021
the nineties contains the 1990s
the nineties disjoint the 1980s
May overlaps in 2021
3/5/2021 unknown 3 May 2021
3/5/2021 disjoint 4 May 2021
5/5/2021 equal 5 May 2021
the 2000s unknown 2015
early May within May
early May disjoint late May
early May unknown 5 May
in summer 2020 within in 2020
in summer 2020 disjoint in winter 2020
in summer 2020 disjoint in 2021
yesterday equal one day ago
yesterday disjoint tomorrow
yesterday unknown 3 May 2021
two years ago equal 24 months ago
a year ago within last year
next Monday within Monday
next Monday disjoint Tuesday
last week unknown yesterday
last year disjoint tomorrow
tonight within today
before 2010 contains 2009
before 2010 disjoint 2010
since 2010 contains 2010
before 2010 overlaps from 2005 to 2015
by Friday contains Friday
by Friday unknown until Friday
by Thursday within by Friday
by Friday unknown Monday
from Monday to Friday contains Tuesday
from Monday to Friday disjoint Sunday
from December to February contains January
about 1990 contains 1990
about 1990 unknown 1991
about 1990 disjoint 2015
44 BC disjoint 44 BC and AD 44
15:30 equal half past three in the afternoon
half past three contains 15:30
3:30 disjoint 16:30
3 p.m. disjoint 3 a.m.
noon equal 12 p.m.
24:00 equal midnight
15:30 UTC equal 16:30 GMT+1
15:30 EST equal 20:30 UTC
9 a.m. EST disjoint 9 a.m. PST
12:00 equal noon
15:30 contains 15:30 EST
15:30 unknown 16:30 EST
15:30 IST unknown 15:30 UTC
15:30 IST equal 3:30 p.m. IST
from 9 a.m. to 5 p.m. contains 15:30
from 10 p.m. to 6 a.m. contains 1 a.m.
from 10 p.m. to 6 a.m. disjoint noon
before noon contains 9 a.m.
about 3 p.m. contains 15:10
about 3 p.m. disjoint 16:00
in the morning contains 9 a.m.
24 months equal two years
90 minutes equal an hour and a half
a fortnight equal 14 days
two hours disjoint three hours
a month unknown 30 days
a month disjoint three weeks
at least a year contains 13 months
at least two hours contains three hours
less than an hour disjoint 60 minutes
up to an hour contains 60 minutes
about two hours contains 110 minutes
about two hours disjoint four hours
five working days unknown five days
two to three hours contains 150 minutes
twice a week equal two times per week
weekly equal every 7 days
weekly disjoint monthly
twice a year contains every six months
biweekly unknown twice a week
every Tuesday equal on Tuesdays
every Tuesday disjoint every Wednesday
every Tuesday within weekly
every Tuesday overlaps weekdays
daily disjoint weekly
every morning within daily
"""
WORDS = [relation.value for relation in FactRelation]


def only(text: str) -> Fact:
    facts = read_times(text)
    assert len(facts) == 1, (text, facts)
    return facts[0]


def lines(table: str) -> list[str]:
    return table.strip().splitlines()


@pytest.mark.parametrize("line", lines(READ))
def test_reads(line: str) -> None:
    text, value = line.split(" = ")
    start = text.find("[")
    plain = text.replace("[", "").replace("]", "")
    fact = only(plain)
    inside = text[start + 1 : text.find("]")] if start >= 0 else plain
    assert (plain[fact.start : fact.end], str(fact)) == (inside, value)
    back = only(str(fact))
    assert type(back) is type(fact)
    assert back.relation_to(fact) is FactRelation.EQUAL


@pytest.mark.parametrize("text", lines(NOTHING))
def test_reads_nothing(text: str) -> None:
    assert read_times(text) == []


def test_reads_all_of_a_sentence() -> None:
    text = "On 2021-05-03T15:30:00Z, 2 days before Monday morning, he ran 2 hours a day until June."
    facts = read_times(text)
    assert [(type(fact).__name__, text[fact.start : fact.end]) for fact in facts] == [
        ("Date", "2021-05-03"),
        ("Time", "15:30:00Z"),
        ("Duration", "2 days"),
        ("Date", "before Monday"),
        ("Time", "morning"),
        ("Duration", "2 hours"),
        ("Recurrence", "a day"),
        ("Date", "until June"),
    ]


@pytest.mark.parametrize("line", lines(RELATIONS))
def test_relation(line: str) -> None:
    word = next(word for word in WORDS if f" {word} " in line)
    first, second = (read_times(text)[-1] for text in line.split(f" {word} "))
    assert first.relation_to(second).value == word
    assert second.relation_to(first) is FactRelation(word).inverted


def test_equality_is_an_equivalence_and_relations_invert() -> None:
    texts = [line.split(" = ")[0].strip("[]") for line in lines(READ)]
    for line in lines(RELATIONS):
        texts += line.split(next(f" {word} " for word in WORDS if f" {word} " in line))
    for kind in KINDS:
        facts = [fact for text in texts for fact in read_times(text) if type(fact) is kind]
        relations = [[fact.relation_to(other) for other in facts] for fact in facts]
        equals = []
        for place, row in enumerate(relations):
            assert row[place] is FactRelation.EQUAL
            assert row == [other[place].inverted for other in relations]
            equals.append([relation is FactRelation.EQUAL for relation in row])
        for row in equals:
            assert all(equals[place] == row for place, is_equal in enumerate(row) if is_equal)


def test_the_order_of_day_and_month_can_be_given() -> None:
    assert [str(read_times("3/5/2021", order)[0]) for order in (True, False)] == [
        "3 May 2021",
        "5 March 2021",
    ]


def random_date(rng: random.Random) -> tuple[str, str]:
    """Two ways to write a date."""
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1500, 2099)
    name = MONTHS[month - 1]
    suffix = "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    ways = [
        f"{day} {name} {year}",
        f"{name} {day}{suffix}, {year}",
        f"the {day}{suffix} of {name} {year}",
        f"{year}-{month:02}-{day:02}",
        f"{day:02}.{month:02}.{year}",
        f"{name[:3]} {day}, {year}",
        f"{day} {name.upper()}, {year}",
    ]
    return rng.choice(ways), rng.choice(ways)


def random_time(rng: random.Random) -> tuple[str, str]:
    hour, minute = rng.randint(0, 23), rng.randint(0, 59)
    half, small = "pm" if hour > 11 else "am", hour % 12 or 12
    ways = [f"{small}:{minute:02} {half}", f"{small}.{minute:02} {half[0]}.m."]
    ways += [f"{hour:02}:{minute:02}"] * (hour < 10 or hour > 12)
    return rng.choice(ways), rng.choice(ways)


def random_duration(rng: random.Random) -> tuple[str, str]:
    number = rng.randint(2, 99)
    big, size, small = rng.choice(
        [("hours", 60, "minutes"), ("years", 12, "months"), ("weeks", 7, "days")]
    )
    bound = rng.choice(["", "at least ", "up to ", "more than ", "less than "])
    return f"{bound}{number} {big}", f"{bound}{number * size} {small}"


def random_recurrence(rng: random.Random) -> tuple[str, str]:
    day = rng.choice(WEEKDAYS)
    number, unit = rng.randint(2, 20), rng.choice(["day", "week", "month", "year"])
    return rng.choice(
        [
            (f"every {day}", f"{day}s"),
            (f"every {number} {unit}s", f"once every {number} {unit}s"),
            (f"{number} times a {unit}", f"{number} times per {unit}"),
        ]
    )


def random_range(rng: random.Random) -> tuple[str, str]:
    low, high = sorted(rng.sample(range(1500, 2100), 2))
    first, last = rng.sample(MONTHS, 2)
    return rng.choice(
        [
            (f"from {low} to {high}", f"between {low} and {high}"),
            (f"{low}-{high}", f"{low} – {high}"),
            (f"from {first} to {last}", f"between {first} and {last}"),
            (f"before {first} {low}", f"prior to {first} {low}"),
            (f"the {low // 10}0s", f"the {low // 10}0s")
            if low // 10 % 10
            else (f"the {low // 100 + 1}th century",) * 2,
        ]
    )


KINDS = {
    Date: (random_date, random_range),
    Time: (random_time,),
    Duration: (random_duration,),
    Recurrence: (random_recurrence,),
}


def check(count: int) -> None:
    rng = random.Random(61)
    for kind, makers in KINDS.items():
        last: dict[str, Fact] = {}
        for number in range(count // len(KINDS)):
            texts = makers[number % len(makers)](rng)
            values = [only(texts[0]), only(texts[1]), only(str(only(texts[0])))]
            assert all(type(value) is kind for value in values), texts
            for value in values[1:]:
                assert value.relation_to(values[0]) is FactRelation.EQUAL, texts
                assert values[0].relation_to(value) is FactRelation.EQUAL, texts
            for other in last.values():
                relation = values[0].relation_to(other)
                assert relation is other.relation_to(values[1]).inverted, (texts, str(other))
                assert (relation is FactRelation.EQUAL) == (str(other) == str(values[0]))
            last[makers[number % len(makers)].__name__] = values[0]


def test_values_read_back() -> None:
    check(800)


@pytest.mark.slow
def test_20_000_values_read_back() -> None:
    check(20_000)


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "9 ",
        "one ",
        "May ",
        "Tuesday, ",
        "3:30 ",
        "and ",
        "the ",
        "a year ",
        "'",
        "1990-",
        "İ",
        "\x00",
        "between 3 and ",
        "twenty-",
        "½",
        "every ",
        "5 May to ",
        "日",
        "at least ",
        "12/",
    ],
)
def test_time_is_linear(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    start = time.process_time()
    read_times(text)
    assert time.process_time() - start < 5
    assert read_times("") == []
