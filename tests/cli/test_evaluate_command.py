"""``hybridsem evaluate``: what it prints where."""

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


def test_a_suite_is_evaluated_set_by_set(run: Run) -> None:
    Path("mine").mkdir()
    Path("pairs.txt").rename("mine/pairs.txt")
    Path("suite.toml").write_text(
        '[first]\ntask = "sts"\ndata = "pairs.txt"\n'
        '[second]\ntask = "sts"\ndata = "pairs.txt"\noptions = { columns = ["1", "2", "3"] }\n',
        encoding="utf-8",
    )
    command = "evaluate suite.toml --data mine -m levenshtein --resamples 0"
    shown = run(f"{command} -o cards").out.splitlines()
    assert [line.split()[0] for line in shown] == ["first", "second"]
    cards = [load_card(f"cards/{name}.json") for name in ("first", "second")]
    assert cards[0].headline == cards[1].headline
    assert cards[1].settings["columns"] == ["1", "2", "3"]
    assert [card["task"]["name"] for card in run(f"{command} --json").objects] == ["sts", "sts"]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("", "no quality set"),
        ('[a]\ntask = "sts"\n', "needs data"),
        ('[a]\ntask = "stx"\n', "stx"),
        ('[sts]\ndata = "pairs.txt"\nfile = "b"\n', "got file"),
        ('[sts]\ndata = "pairs.txt"\noptions = { part = "held-out" }\n', "part"),
        ("sts = 3\n", "got 3"),
    ],
)
def test_a_suite_that_is_wrong_is_refused(run: Run, content: str, named: str) -> None:
    Path("suite.toml").write_text(content, encoding="utf-8")
    ran = run("evaluate suite.toml -m levenshtein")
    assert ran.code != 0
    assert named in ran.err
