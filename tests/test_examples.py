"""The example files are what the README says they are."""

import re
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


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("answering.py", r"hybrid   0\."),
        (
            "answer_guard.py",
            r"supported +The city closed the cafe in March\.  <- The cafe was",
        ),
        ("answer_guard.py", r"contradicted +Adults pay 15 euros\."),
        ("mteb_offline.py", r"(STSBenchmark\.v2  hybridsem/\S+  0\.\d{3}\n){2}$"),
    ],
)
def test_example_scripts_run(name: str, printed: str) -> None:
    assert re.search(printed, python(EXAMPLES / name))
