"""How much is done before a bar moves."""

from __future__ import annotations

from itertools import islice

from hybridsem._utils.progress import growing
from hybridsem.batch.run import chunks
from hybridsem.pairs import Pair


def test_sizes_grow_up_to_the_most() -> None:
    assert list(islice(growing(1024), 7)) == [32, 64, 128, 256, 512, 1024, 1024]
    assert list(islice(growing(100), 4)) == [32, 64, 100, 100]
    assert list(islice(growing(3), 3)) == [3, 3, 3]


def test_the_first_chunks_of_a_file_are_small() -> None:
    pairs = [Pair("One.", "Two.", None, row, row + 2, {}, None, None) for row in range(150)]
    found = list(chunks(pairs, 1024))
    assert [len(chunk) for chunk in found] == [32, 64, 54]
    assert [pair.row for chunk in found for pair in chunk] == list(range(150))
