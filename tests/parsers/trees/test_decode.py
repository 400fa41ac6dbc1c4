"""The tree of highest score, against every tree there is."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hybridsem._typing import Float32Array
from hybridsem.parsers.trees.embedded import best_trees


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


SIZES = st.integers(1, 5)
REAL = st.floats(-8, 8, width=32)
FEW = st.integers(0, 2).map(np.float32)  # many ties


@given(SIZES.flatmap(lambda n: arrays(np.float32, (n, n + 1), elements=st.one_of(REAL, FEW))))
def test_no_tree_scores_higher(scores: Float32Array) -> None:
    heads = tuple(best_trees(scores[None])[0])
    assert is_tree(heads)
    best = max(total(scores, other) for other in all_trees(len(scores)))
    assert total(scores, heads) == pytest.approx(best, abs=1e-4)
