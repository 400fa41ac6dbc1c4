"""Dates, times, durations and recurrences: what is read, and how two of them compare."""

import random

import pytest
from support.blocks import rows

from hybridsem.facts.dates import MONTHS, WEEKDAYS
from hybridsem.facts.times import Date, Duration, Recurrence, Time, read_times
from hybridsem.facts.values import Fact, FactRelation

READ = rows(__file__, "times", "read.txt")
"""The text, with brackets around the value where it is not all, and the value as written back."""


def only(text: str) -> Fact:
    facts = read_times(text)
    assert len(facts) == 1, (text, facts)
    return facts[0]


@pytest.mark.parametrize(("text", "value"), READ)
def test_reads(text: str, value: str) -> None:
    start = text.find("[")
    plain = text.replace("[", "").replace("]", "")
    fact = only(plain)
    inside = text[start + 1 : text.find("]")] if start >= 0 else plain
    assert (plain[fact.start : fact.end], str(fact)) == (inside, value)
    back = only(str(fact))
    assert type(back) is type(fact)
    assert back.relation_to(fact) is FactRelation.EQUAL


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("They moved the fair from June to August.", ["June", "August"]),
        ("The call was put back from 3 p.m. to 5 p.m.", ["15:00", "17:00"]),
        ("It moved, and is open from June to August.", ["from June to August"]),
    ],
)
def test_one_time_in_the_place_of_another_is_no_period(text: str, values: list[str]) -> None:
    assert [str(fact) for fact in read_times(text)] == values


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


def test_equality_is_an_equivalence_and_relations_invert() -> None:
    texts = [text.strip("[]") for text, _ in READ]
    for first, _, second in rows(__file__, "times", "relations.txt"):
        texts += [first, second]
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


@pytest.mark.parametrize("count", [800, pytest.param(20_000, marks=pytest.mark.slow)])
def test_values_read_back(count: int) -> None:
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
