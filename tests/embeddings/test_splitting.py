"""A sentence vector as a sum over words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsem._typing import Float32Array, Float64Array
from hybridsem.embeddings.splitting import SplitVector
from hybridsem.errors import InputError

PIECES = np.array([[3.0, 0], [0, 4], [1, 1]], np.float32)
REST = np.array([2.0, 3], np.float32)
LENGTH = 10.0  # of (6, 8)


def split(offsets: list[tuple[int, int]], pieces: Float32Array = PIECES) -> SplitVector:
    return SplitVector(pieces.sum(0) + REST, pieces, REST, offsets)


@pytest.mark.parametrize(
    ("spans", "words"),
    [
        ([(0, 2), (2, 4), (5, 6)], [[3, 0], [0, 4], [1, 1]]),  # every word is a piece
        ([(0, 4), (5, 6)], [[3, 4], [1, 1]]),  # two pieces make a word
        ([(0, 1), (1, 2), (2, 4), (5, 6)], [[1.5, 0], [1.5, 0], [0, 4], [1, 1]]),  # one is shared
        ([(0, 3), (3, 6)], [[3, 2], [1, 3]]),  # by letters
        ([(0, 2), (2, 4)], [[3, 0], [1, 5]]),  # the last is in no word
        ([(2, 4), (5, 6), (8, 9)], [[3, 4], [1, 1], [0, 0]]),  # the first; a word without piece
    ],
)
def test_pieces_are_summed_to_words(spans: list[tuple[int, int]], words: list[list[float]]) -> None:
    found = split([(0, 2), (2, 4), (5, 6)]).by_words(spans)
    np.testing.assert_allclose(found * LENGTH, [*words, REST.tolist()], atol=1e-6)


SPAN = st.tuples(st.integers(0, 30), st.integers(0, 5)).map(lambda at: (at[0], sum(at)))


@given(st.lists(SPAN, max_size=9), st.lists(SPAN, min_size=1, max_size=9), st.integers(0, 99))
def test_words_add_up_to_the_unit_vector(
    offsets: list[tuple[int, int]], spans: list[tuple[int, int]], seed: int
) -> None:
    pieces = np.random.default_rng(seed).random((len(offsets), 2), np.float32)
    one = split(offsets, pieces)
    words: Float64Array = one.by_words(spans)
    assert len(words) == (len(offsets) if spans == offsets else len(spans)) + 1
    np.testing.assert_allclose(words.sum(0), one.vector / np.linalg.norm(one.vector), atol=1e-6)


def test_parts_that_are_not_the_vector_are_refused() -> None:
    other = SplitVector(np.ones(2, np.float32), PIECES, REST, [(0, 2), (2, 4), (5, 6)])
    with pytest.raises(InputError, match="do not add up"):
        other.by_words([(0, 6)])
