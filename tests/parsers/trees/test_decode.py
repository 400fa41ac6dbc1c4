"""The tree of highest score, against every tree there is."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hybridsem._typing import Float32Array
from hybridsem.parsers.trees.embedded import best_tree


def is_tree(heads: tuple[int, ...]) -> bool:
    """Whether one word hangs on the root (head 0) and every other word reaches it."""
    if heads.count(0) != 1:
        return False
    for word in range(1, len(heads) + 1):
        at, steps = word, 0
        while at and steps <= len(heads):
            at, steps = heads[at - 1], steps + 1
        if at:
            return False
    return True


@cache
def all_trees(n: int) -> list[tuple[int, ...]]:
    return [heads for heads in product(range(n + 1), repeat=n) if is_tree(heads)]


def total(scores: Float32Array, heads: tuple[int, ...]) -> float:
    return float(sum(scores[word, head] for word, head in enumerate(heads)))


def test_the_reference_counts_trees_right() -> None:
    # Rooted labelled trees, by Cayley's formula: n ** (n - 1).
    assert [len(all_trees(n)) for n in (1, 2, 3, 4, 5)] == [1, 2, 9, 64, 625]


SIZES = st.integers(1, 5)
REAL = st.floats(-8, 8, width=32)
FEW = st.integers(0, 2).map(np.float32)  # many ties


@given(SIZES.flatmap(lambda n: arrays(np.float32, (n, n + 1), elements=st.one_of(REAL, FEW))))
def test_no_tree_scores_higher(scores: Float32Array) -> None:
    heads = tuple(best_tree(scores))
    assert is_tree(heads)
    best = max(total(scores, other) for other in all_trees(len(scores)))
    assert total(scores, heads) == pytest.approx(best, abs=1e-4)


def test_a_greedy_cycle_is_broken_where_it_costs_least() -> None:
    # 1 and 2 each want the other; hanging 2 on the root loses 1, hanging 1 on it loses 3.
    assert best_tree(np.array([[2, -9, 5], [4, 5, -9]], np.float32)) == [2, 0]


def test_two_words_that_want_the_root() -> None:
    assert best_tree(np.array([[9, -9, 1], [8, 2, -9]], np.float32)) == [0, 1]


def test_one_word_however_much_it_likes_itself() -> None:
    assert best_tree(np.array([[-5, 7]], np.float32)) == [0]


@given(st.integers(0, 2**32 - 1), st.sampled_from([7, 40, 254]), st.booleans())
def test_long_sentences(seed: int, n: int, ties: bool) -> None:
    scores = np.random.default_rng(seed).normal(size=(n, n + 1)).astype(np.float32)
    heads = tuple(best_tree(scores.round() if ties else scores))
    assert is_tree(heads)


def test_cycles_within_cycles() -> None:
    # Words 2k-1 and 2k prefer each other, so do such pairs, and so on up to one cycle of
    # everything.
    n = 128
    scores = np.full((n, n + 1), -1000, np.float32)
    scores[:, 0] = -500 - np.arange(n)
    for word, head in product(range(n), repeat=2):
        scores[word, head + 1] = -((word ^ head).bit_length()) * 10 - (head % 7) / 8
    np.fill_diagonal(scores[:, 1:], -np.inf)
    heads = tuple(best_tree(scores))
    assert is_tree(heads)
    assert heads[0] == 0  # the cheapest root


def test_the_scores_are_not_changed() -> None:
    scores = np.array([[2, -9, 5], [4, 5, -9]], np.float32)
    kept = scores.copy()
    best_tree(scores)
    np.testing.assert_array_equal(scores, kept)
