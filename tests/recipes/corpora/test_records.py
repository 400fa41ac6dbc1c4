"""Pairs of records that differ in one thing, or in nothing that matters."""

import random
from collections import Counter
from collections.abc import Callable
from itertools import takewhile

import pytest

from benchmarks.corpora.records import (
    Code,
    Numbers,
    Phrases,
    RecordPair,
    harmless,
    minimal,
    table,
)

SORTS = (minimal, harmless)
Make = Callable[[int, int], list[RecordPair]]


@pytest.mark.parametrize("make", SORTS)
def test_pairs_depend_on_the_seed_alone(make: Make) -> None:
    assert make(80, 3) == make(80, 3)
    assert make(80, 3) != make(80, 4)
    assert make(80, 3)[:30] == make(30, 3)


@pytest.mark.parametrize("make", SORTS)
@pytest.mark.parametrize("count", [0, 1, 601])
def test_there_are_as_many_pairs_as_asked_for(make: Make, count: int) -> None:
    pairs = make(count, 1)
    assert len(pairs) == count
    assert len({frozenset(pair[1:]) for pair in pairs}) == count
    assert all(pair.first != pair.second for pair in pairs)
    assert all(pair.first.strip() and pair.second.strip() for pair in pairs)
    assert not any(sign in text for pair in pairs for text in pair[1:] for sign in "{}")


def test_kinds_have_equal_shares() -> None:
    assert len(table().minimal) >= 30
    for make, kinds in ((minimal, table().minimal), (harmless, table().harmless)):
        counts = Counter(pair.kind for pair in make(3 * len(kinds), 1))
        assert counts == dict.fromkeys(kinds, 3)


def test_minimal_pairs_differ_in_one_place() -> None:
    """A few neighbouring words differ; the rest of the line is the same."""
    for pair in minimal(600, 2):
        words = [text.split() for text in pair[1:]]
        ends = (zip(*words, strict=False), zip(*(each[::-1] for each in words), strict=False))
        same = sum(sum(1 for _ in takewhile(lambda both: both[0] == both[1], end)) for end in ends)
        assert max(map(len, words)) - same <= 4, pair


@pytest.mark.parametrize(
    ("source", "value", "others"),
    [
        (Phrases.of("a | b"), "a", {"b"}),
        (Phrases.of("km | miles\nkm | m"), "km", {"miles", "m"}),
        (Phrases.of("- | _"), "-", {""}),
        (Numbers("08", "10"), "09", {"08", "10"}),
        (Numbers("0.5", "0.7"), "0.6", {"0.5", "0.7"}),
        (Numbers("999", "1,001"), "1,000", {"999", "1,001"}),
        (Code("x@"), "xA", {f"x{letter}" for letter in "BCDEFGHKLMNPRSTVX"}),
    ],
)
def test_another_value(source: Phrases | Numbers | Code, value: str, others: set[str]) -> None:
    rng = random.Random(0)
    assert {source.other(value, rng) for _ in range(500)} == others
    assert source.draw(rng) in others | {value}
