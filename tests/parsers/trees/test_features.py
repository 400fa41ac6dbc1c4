"""What is read of words besides their letters."""

from __future__ import annotations

import numpy as np
import pytest

from hybridsem.parsers.trees.embedded import pool

PIECES = np.arange(10, dtype=np.float32).reshape(5, 2)
OFFSETS = [(0, 3), (3, 5), (6, 9), (9, 10), (12, 14)]


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ((0, 3), [0, 1]),  # one piece
        ((0, 5), [1, 2]),  # two, and their mean
        ((2, 9), [2, 3]),  # three, of which it has a part of the first
        ((4, 5), [2, 3]),  # a part of one
        ((10, 12), [0, 0]),  # none
        ((20, 25), [0, 0]),  # beyond what the encoder has read
    ],
)
def test_the_pieces_of_a_word(span: tuple[int, int], expected: list[float]) -> None:
    assert pool(PIECES, OFFSETS, [span]).tolist() == [expected]
    assert pool(PIECES, OFFSETS, [(0, 3), span, (12, 14)])[1].tolist() == expected


def test_no_pieces() -> None:
    assert pool(np.empty((0, 2), np.float32), [], [(0, 1)]).tolist() == [[0, 0]]
