"""``hybridsem evaluate``: what it prints where, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hybridsem import cli
from hybridsem.evaluation import load_card

PAIRS = [
    ("The cat sat.", "A cat sat.", 5),
    ("Rain fell.", "He ran.", 1),
    ("It ended.", "It was over.", 4),
]


@pytest.fixture
def data(tmp_path: Path) -> str:
    rows = ["text1;text2;score", *(f"{one};{two};{score}" for one, two, score in PAIRS)]
    (tmp_path / "pairs.txt").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "scores.txt").write_text("0.9\n0.2\n0.5\n", encoding="utf-8")
    return str(tmp_path / "pairs.txt")


def test_it_prints_a_table_and_writes_a_card(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = f"--similarities {tmp_path}/scores.txt --resamples 0"
    arguments = f"evaluate sts --data {data} {scores}".split()
    assert cli.main([*arguments, "-o", str(tmp_path / "card.json")]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[0].split() == ["spearman", "pearson", "kendall"]
    assert shown.out.splitlines()[1].split() == ["all", "1.000", "0.935", "1.000"]
    card = load_card(tmp_path / "card.json")
    assert shown.out.splitlines()[2] == card.fingerprint()
    assert card.name == "scores"
    assert cli.main([*arguments, "--json", "--seed", "3"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["settings"] == {"seed": 3, "resamples": 0, "level": 0.95}
    assert printed["rows"]["columns"]["score"] == [0.9, 0.2, 0.5]


def test_a_model_and_its_parts_stand_in_the_card(
    data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = f"evaluate sts --data {data} -m verbnet-cn --normalise total --resamples 0 --json"
    assert cli.main(arguments.split()) == 0
    shown = capsys.readouterr()
    about = json.loads(shown.out)["model"]
    named = [about[part] for part in ("name", "parser", "vectors", "normalise")]
    assert named == ["verbnet-cn", "embedded", "embedded", "total"]
    assert "encoder" not in about  # it is not read
    assert "| verbnet-cn |" in shown.err


def test_what_did_not_take_part_is_said(
    tmp_path: Path, data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "scores.txt").write_text("0.5\nnan\n0.5\n", encoding="utf-8")
    command = f"evaluate sts --data {data} --similarities {tmp_path}/scores.txt"
    assert cli.main(command.split()) == 0
    said = capsys.readouterr()
    assert "undefined" in said.out
    assert "note: 1 of 3 rows have no score and are left out" in said.err
    assert "note: all: the scores are all the same" in said.err
