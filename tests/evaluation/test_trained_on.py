"""Figures on the training pairs of learned weights are marked as such."""

import csv
import json
from pathlib import Path

import pytest

pytest.importorskip("sklearn")

from support.commands import Run
from support.evaluated import written

from hybridsem import Pipeline
from hybridsem.evaluation import Card, evaluate
from hybridsem.evaluation.report.compare import compare
from hybridsem.tables import read_pairs
from hybridsem.training import rated, train
from hybridsem.training import run as training_run

VERBS = ("chased", "saw", "helped", "heard", "fed")
ROWS = [
    (f"The {one} {verb} the cat.", f"The {two} {other} the cat.", (verb == other) + (one == two))
    for one, two in (("dog", "dog"), ("horse", "dog"), ("bird", "cow"))
    for verb in VERBS
    for other in VERBS[:3]
]
NEW = ("It rains.", "It pours.", 1), ("We left.", "It rains.", 0), ("He ran.", "He left.", 1)
HEAD = "s1\ts2\tscore"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seen")
    lines = {
        "train.tsv": ROWS,
        "new.tsv": NEW,
        "half.tsv": [*NEW, *((two.upper(), f" {one}", rating) for one, two, rating in ROWS[-9:])],
    }
    for name, rows in lines.items():
        written(folder / name, HEAD, *("\t".join(map(str, row)) for row in rows))
    data = rated(read_pairs(folder / "train.tsv"))
    few = training_run.probe_pairs()[:40]  # reading all minimal pairs takes seconds
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training_run, "probe_pairs", lambda *_: few)
        trained = train(Pipeline("verbnet-cn"), data, split_by="kfold", folds=3)
    trained.weights.save(folder / "w.json")
    return folder


@pytest.fixture(scope="module")
def cards(folder: Path) -> dict[str, Card]:
    learned = Pipeline("verbnet-cn", weights=folder / "w.json")
    return {
        name: evaluate("relatedness", learned, folder / f"{name}.tsv", resamples=0)
        for name in ("train", "new", "half")
    }


def test_a_card_counts_the_pairs_that_its_weights_were_trained_on(cards: dict[str, Card]) -> None:
    distinct = len({frozenset(row[:2]) for row in ROWS})
    seen = {name: card.counts.get("pairs trained on") for name, card in cards.items()}
    assert seen == {"train": distinct, "new": None, "half": 9}
    assert not any("trained on" in note for note in cards["new"].notes)
    assert "trained on 9 of the 12 distinct pairs" in str(cards["half"])


def test_a_file_has_one_hash(cards: dict[str, Card], folder: Path) -> None:
    training = json.loads((folder / "w.json").read_text())["training"]
    assert training["sha256"] == cards["train"].data["sha256"]
    assert "dog" not in training["hashes"]


def test_a_fingerprint_names_the_weights(cards: dict[str, Card], folder: Path) -> None:
    sha256 = str(cards["new"].model["learned weights"]).rpartition("sha=")[2]
    assert f"| verbnet-cn, weights w.json {sha256[:12]} |" in cards["new"].fingerprint()
    own = evaluate("relatedness", Pipeline("verbnet-cn"), folder / "train.tsv", resamples=0)
    assert "| verbnet-cn |" in own.fingerprint()
    assert "pairs trained on" not in own.counts


def test_a_comparison_marks_such_figures(cards: dict[str, Card], folder: Path, run: Run) -> None:
    other = evaluate("relatedness", Pipeline("jaccard"), folder / "half.tsv", resamples=0)
    table = compare([cards["half"], other], resamples=100)
    line = "† verbnet-cn, relatedness: trained on test, the weights were trained on 9 of its pairs."
    assert table.warnings == [line]
    assert line in str(table)
    assert [record["trained_on"] for record in table.records()] == [9, 0]
    cards["half"].save("half.json")
    other.save("other.json")
    assert f"warning: {line}" in run("compare half.json other.json --resamples 100 --json").err


def test_a_leaderboard_marks_such_models(cards: dict[str, Card], folder: Path, run: Run) -> None:
    cards["half"].save("half.json")
    run("leaderboard half.json -o board")
    page, table = Path("board/index.html").read_text(), Path("board/leaderboard.md").read_text()
    note = "† verbnet-cn: trained on test, the weights were trained on 9 of its pairs."
    assert all(note in text and "verbnet-cn †" in text for text in (page, table))
    (line,) = csv.DictReader(Path("board/leaderboard.csv").read_text().splitlines())
    assert line["trained_on"] == "9"


def test_the_command_warns(folder: Path, run: Run) -> None:
    given = f"--data {folder / 'half.tsv'} -m verbnet-cn --weights {folder / 'w.json'}"
    assert "trained on 9 of the 12 distinct pairs" in run(f"evaluate relatedness {given}").err
