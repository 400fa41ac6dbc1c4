"""Splits of rated pairs: each pair tested once, no sentence on both sides, the same from the same
seed.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem.datasets.splits import components, grouped, split, unshared
from hybridsem.errors import InputError

LETTERS = st.sampled_from("abcdefghijklmnopqrst")
PAIRS = [(f"a {i}", f"b {i}") for i in range(30)]


def test_pairs_are_connected_through_shared_sentences() -> None:
    pairs = [("a", "b"), ("c", "d"), ("e", "c"), ("f", "g"), ("B ", "h"), ("h", "x")]
    assert components(pairs).tolist() == [0, 1, 1, 2, 0, 0]  # whatever case and blanks
    assert components([]).tolist() == []


@given(st.lists(st.tuples(LETTERS, LETTERS), min_size=2, max_size=40), st.integers(0, 5))
def test_no_sentence_stands_on_both_sides(pairs: list[tuple[str, str]], seed: int) -> None:
    if components(pairs).max() < 1:
        with pytest.raises(InputError, match="groups of pairs that share no sentence"):
            grouped(pairs, 2, seed)
        return
    for train, test in grouped(pairs, 2, seed):
        assert {text for row in train for text in pairs[row]}.isdisjoint(
            text for row in test for text in pairs[row]
        )


@pytest.mark.parametrize("name", ["grouped", "kfold"])
def test_every_pair_is_tested_once(name: str) -> None:
    folds = split(name, PAIRS, folds=7, seed=3)
    assert sorted(np.concatenate([test for _, test in folds]).tolist()) == list(range(30))
    for train, test in folds:
        assert sorted([*train, *test]) == list(range(30))
        assert 4 <= len(test) <= 5
    again, other = (split(name, PAIRS, folds=7, seed=seed) for seed in (3, 4))
    tested = [[test.tolist() for _, test in found] for found in (folds, again, other)]
    assert tested[0] == tested[1] != tested[2]


def test_the_adversarial_split_has_the_sides_that_are_given() -> None:
    [(train, test)] = split("adversarial", PAIRS, sides=([3, 1], [2]))
    assert (train.tolist(), test.tolist()) == ([1, 3], [2])


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("adversarial", {}, "needs the folder of the STS3k release"),
        ("adversarial", {"sides": ([1, 2], [2])}, "row 2 is on both sides"),
        ("adversarial", {"sides": ([1, 30], [2])}, "rows from 0 to 29"),
        ("adversarial", {"sides": ([], [2])}, "rows from 0 to 29"),
        ("kfold", {"folds": 31}, "31 folds need as many pairs"),
        ("kfold", {"folds": 1}, "at least 2 folds"),
    ],
)
def test_what_cannot_be_split_is_said(name: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        split(name, PAIRS, **options)
    with pytest.raises(InputError, match="got 1; use another split"):
        split("grouped", [("a", "b"), ("b", "c")], folds=2)


def test_no_sentence_of_a_test_set_is_left() -> None:
    tests = [[("It's late.", "We left!")], [("A dog ran.", "A cat sat.")]]
    pairs = [
        ("it s  LATE", "Go home."),
        ("Go home.", "we left"),
        ("A cat sat.", "a dog ran"),
        ("A dog ran.", "A dog sat."),
        ("Go home.", "A dog"),
    ]
    assert unshared(pairs, tests).tolist() == [4]
    assert unshared(pairs, tests[:1], by_pair=tests[1:]).tolist() == [3, 4]
    assert unshared([], tests).tolist() == []
    # A text without words is compared as it is.
    assert unshared([("?!", "a"), ("!?", "b")], [[("?!", "c")]]).tolist() == [1]
