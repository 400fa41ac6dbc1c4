"""``hybridsem evaluate``: what it prints where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.commands import Run

from hybridsem.evaluation import load_card

PAIRS = [
    ("The cat sat.", "A cat sat.", 5),
    ("Rain fell.", "He ran.", 1),
    ("It ended.", "It was over.", 4),
]


@pytest.fixture(autouse=True)
def data(run: Run) -> None:
    """Rated pairs and scores in the folder of the command."""
    rows = ["text1;text2;score", *(f"{one};{two};{score}" for one, two, score in PAIRS)]
    Path("pairs.txt").write_text("\n".join(rows), encoding="utf-8")
    Path("scores.txt").write_text("0.9\n0.2\n0.5\n", encoding="utf-8")


def test_it_prints_a_table_and_writes_a_card(run: Run) -> None:
    command = "evaluate sts --data pairs.txt --similarities scores.txt --resamples 0"
    shown = run(f"{command} -o card.json").out.splitlines()
    assert shown[0].split() == ["spearman", "pearson", "kendall"]
    assert shown[1].split() == ["all", "1.000", "0.935", "1.000"]
    card = load_card("card.json")
    assert shown[2] == card.fingerprint()
    assert card.name == "scores"
    printed = json.loads(run(f"{command} --json --seed 3").out)
    assert printed["settings"] == {"seed": 3, "resamples": 0, "level": 0.95}
    assert printed["rows"]["columns"]["score"] == [0.9, 0.2, 0.5]


def test_a_model_and_its_parts_stand_in_the_card(run: Run) -> None:
    command = "evaluate sts --data pairs.txt -m verbnet-cn --normalise total --resamples 0 --json"
    shown = run(command)
    about = json.loads(shown.out)["model"]
    named = [about[part] for part in ("name", "parser", "vectors", "normalise")]
    assert named == ["verbnet-cn", "embedded", "embedded", "total"]
    assert "encoder" not in about  # it is not read
    assert "| verbnet-cn |" in shown.err


def test_what_did_not_take_part_is_said(run: Run) -> None:
    Path("scores.txt").write_text("0.5\nnan\n0.5\n", encoding="utf-8")
    said = run("evaluate sts --data pairs.txt --similarities scores.txt")
    assert "undefined" in said.out
    assert "note: 1 of 3 rows have no score and are left out" in said.err
    assert "note: all: the scores are all the same" in said.err
