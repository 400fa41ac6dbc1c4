"""The example files are what the README says they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.commands import python

from hybridsem.tables import read_pairs

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize(
    ("name", "rows"), [("pairs.csv", 5), ("pairs.tsv", 3), ("pairs.txt", 3), ("pairs.jsonl", 3)]
)
def test_example_pair_files(name: str, rows: int) -> None:
    pairs = list(read_pairs(EXAMPLES / name))
    assert len(pairs) == rows
    assert all(pair.text1.endswith(".") and pair.text2.endswith(".") for pair in pairs)
    assert {pair.gold for pair in pairs} >= {0.0, 0.5, 1.0}


def test_example_script_runs() -> None:
    assert "hybrid   0." in python(EXAMPLES / "answering.py")
