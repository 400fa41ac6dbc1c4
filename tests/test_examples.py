"""The example files are what the README says they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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
    ("name", "library", "expected"),
    [
        ("answering", None, "hybrid   0."),
        ("search_qdrant", "qdrant_client", "Qdrant, by the agent:"),
        ("search_lancedb", "lancedb", "LanceDB, by the agent:"),
        ("search_vespa", None, '"ranking": "roles"'),
        ("search_pgvector", "pgvector", "ORDER BY (sentence <=> '["),
    ],
)
def test_example_scripts_run(name: str, library: str | None, expected: str) -> None:
    if library is not None:
        pytest.importorskip(library)
    found = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py"],
        cwd=EXAMPLES.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert expected in found.stdout
    if library in ("qdrant_client", "lancedb"):
        ours = found.stdout.partition("the hybrid:")[2].split("\n")
        assert ours[1].strip() == "The bank sued the newspaper."
        assert "The newspaper sued the bank." not in found.stdout.partition("agent:")[2]
