"""One pair passes through a bounded number of functions and files."""

import pytest
from support.commands import python

CODE = """
from benchmarks.trace import MOST_FUNCTIONS, MOST_MOVES, MOST_OF_JUDGE, traces
similarity, judge = traces()
assert len(similarity.functions) <= MOST_FUNCTIONS, len(similarity.functions)
assert similarity.moves <= MOST_MOVES, similarity.moves
more = judge.functions - similarity.functions
assert 0 < len(more) <= MOST_OF_JUDGE, len(more)
"""


@pytest.mark.slow
def test_a_pair_enters_few_functions() -> None:
    python("-c", CODE)  # in a process of its own: nothing is cached
