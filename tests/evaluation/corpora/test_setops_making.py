"""Set operations: fusers, what a target keeps role by role, and sheets for raters."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from support.blocks import cases

from hybridsem import Pipeline, cli
from hybridsem._utils.chat import Chat
from hybridsem.datasets.set_operations import Sample, Samples, write
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation.corpora.set_operations.chat import ChatFuser
from hybridsem.evaluation.corpora.set_operations.joining import TreeFuser
from hybridsem.evaluation.corpora.set_operations.sheets import (
    agreement,
    krippendorff,
    read_sheets,
    write_sheet,
)
from hybridsem.evaluation.setops.role_retention import RoleSets, role_sets, summary
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.structures import ParseFailure

SAMPLES = [
    Sample("union", "He bought a horse.", "A storm came.", "He bought a horse as a storm came."),
    Sample("overlap", "The dog ran home.", "The dog ran away.", "The dog ran."),
    Sample("difference", "The dog ran and barked.", "The dog ran.", "The dog barked."),
]


@pytest.mark.parametrize("lines", cases(__file__, "joined.txt"))
def test_two_sentences_are_joined_by_their_trees(
    lines: list[str], encoder: EmbeddedEncoder
) -> None:
    first, second, fused = lines
    assert TreeFuser(EmbeddedTrees(encoder)).fuse([(first, second)]) == [
        None if fused == "-" else fused
    ]


def test_what_the_target_keeps_by_role(pipelines: dict[str, Pipeline]) -> None:
    long, short = "The farmer bought a horse on Monday.", "The farmer bought a horse."
    samples = [
        Sample("overlap", long, "The farmer bought a horse in the village.", short),
        Sample("union", short, "The farmer sang.", "The farmer sang."),
        Sample("difference", long, short, short),
    ]
    overlap, union, difference = role_sets(samples, pipelines["verbnet-cn"])
    assert isinstance(overlap, RoleSets)
    assert isinstance(union, RoleSets)
    assert isinstance(difference, RoleSets)
    assert (overlap.precision, overlap.recall) == (1, 1)
    assert {part.role for part in overlap.parts if not part.wanted} == {"Time", "Location"}
    # of Verb, Agent and Theme of A, and Verb and Agent of B: the second sentence's, and the agent
    # of the first
    assert (union.precision, union.recall) == (1, 3 / 5)
    assert (difference.precision, difference.recall) == (0, 0)  # all that is new in A is the time
    assert "- A      Time       on Monday" in str(overlap)
    figures = summary([overlap, union, difference, ParseFailure("", "no words")])
    assert figures["union"] == {
        "samples": 1,
        "precision": 1,
        "recall": 3 / 5,
        "recall of Verb": 1 / 2,
        "recall of Agent": 1,
        "recall of Theme": 0,
    }
    assert (figures["overlap"]["recall"], figures["not parsed"]) == (1, {"samples": 1})
    assert "role precision 1.00, recall 1.00" in str(overlap)
    with pytest.raises(InputError, match="roles are of a model such as 'verbnet-cn'"):
        role_sets(samples, pipelines["dependency-cn"])


def test_a_language_model_fuses_each_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """The requests of ``Chat`` have tests in ``tests/parsers/adapters/test_chat_roles.py``."""
    asked: list[str] = []

    def answers(self: Chat, prompts: Sequence[str], *_: object, **__: object) -> list[str]:
        asked.extend(prompts)
        return [' "one and\n two" ', " "]

    monkeypatch.setattr(Chat, "answers", answers)
    fuser = ChatFuser("http://localhost:1/v1", "m", prompt="{first} + {second}")
    assert fuser.fuse([("A {second} dog", "a cat"), ("x", "y")]) == ["one and two", None]
    assert asked == ["A {second} dog + a cat", "x + y"]
    assert (fuser.name, fuser.settings["temperature"]) == ("chat:m", 0.5)
    with pytest.raises(InputError, match="the prompt must have"):
        ChatFuser("http://localhost:1/v1", "m", prompt="{first}")


def test_krippendorffs_alpha() -> None:
    # Agreement; then the definition counted out: the mean squared difference within samples, and of
    # all pairs.
    assert krippendorff(np.array([[1.0, 2, 5], [1, 2, 5]])) == 1
    ratings = np.array([[1.0, 2, np.nan], [1, 3, 4]])  # pairable: 1 1, 2 3
    expected = np.mean([(a - b) ** 2 for a, b in permutations([1, 1, 2, 3], 2)])
    assert krippendorff(ratings) == pytest.approx(1 - 0.5 / expected)
    assert krippendorff(np.array([[3.0, 3], [3, 3]])) is None
    found = agreement(ratings)
    assert (found.raters, found.samples, found.ratings) == (2, 2, 4)
    assert (found.exact, found.within_one) == (0.5, 1)
    assert agreement([[np.nan, 2], [1, np.nan]]).alpha is None


def test_sheets_are_written_and_read_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "samples.jsonl", SAMPLES)
    sheets = [tmp_path / "ann.csv", tmp_path / "bob.csv"]
    for sheet, ratings in zip(sheets, ([4, 3, ""], [4, 2, 0]), strict=True):
        assert cli.main(["setops", "sheet", str(tmp_path / "samples.jsonl"), "-o", str(sheet)]) == 0
        with sheet.open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert rows[1]["statement"].startswith("The target says what A and B both say")
        with sheet.open("w", encoding="utf-8", newline="") as stream:
            table = csv.DictWriter(stream, list(rows[0]))
            table.writeheader()
            table.writerows(
                row | {"rating": rating} for row, rating in zip(rows, ratings, strict=True)
            )
    marks, operators, table_of = read_sheets(sheets)
    assert [mark.partition("-")[0] for mark in marks] == ["0", "1", "2"]
    assert operators == ["union", "overlap", "difference"]
    assert table_of[0].tolist()[:2] == [4, 3]
    assert np.isnan(table_of[0, 2])
    capsys.readouterr()
    assert cli.main(["setops", "agreement", *map(str, sheets), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["all"]["samples"], figures["overlap"]["exact"]) == (2, 0)
    assert figures["difference"]["samples"] == 0
    pytest.importorskip("matplotlib")
    drawn = tmp_path / "ratings.svg"
    assert cli.main(["setops", "agreement", *map(str, sheets), "--picture", str(drawn)]) == 0
    assert drawn.stat().st_size > 5_000
    new = sheets[0].read_text(encoding="utf-8")
    sheets[0].write_text(new.replace(",4\n", ",5\n").replace(",4\r", ",5\r"), encoding="utf-8")
    with pytest.raises(FormatError, match="line 2: a rating is a whole number from 0 to 4"):
        read_sheets(sheets)
    # Sheets of version 0.1.0 have no scale: their ratings run from 1 to 5.
    old = new.replace(",0 to 4,", ",").replace(",scale,", ",")
    sheets[0].write_text(old, encoding="utf-8")
    assert read_sheets(sheets[:1])[2][0].tolist()[:2] == [3, 2]
    text = sheets[0].read_text(encoding="utf-8")
    sheets[0].write_text(text.replace(",4", ",7"), encoding="utf-8")
    with pytest.raises(FormatError, match="line 2: a rating is a whole number from 1 to 5"):
        read_sheets(sheets)
    write_sheet(sheets[0], Samples.of(SAMPLES[:2]))
    with pytest.raises(InputError, match="made from different data"):
        read_sheets(sheets)
    with pytest.raises(InputError, match="the size of a sheet is within 1 and the 3 samples"):
        write_sheet(sheets[0], Samples.of(SAMPLES), 4)


def test_samples_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "triples.tsv").write_text(
        "a\tb\tunion\nA dog ran.\tRain fell.\tA dog ran in the rain.\n", "utf-8"
    )
    build = f"setops build {tmp_path}"
    arguments = f"{build}/triples.tsv -o {tmp_path}/samples.tsv -e embedded --max-cosine 0.9"
    assert cli.main(arguments.split()) == 0
    assert "3 samples" in capsys.readouterr().out
    (tmp_path / "texts.txt").write_text(
        "Ann left.\nShe took the bus.\nRain fell on the town.\n", "utf-8"
    )
    arguments = f"{build}/texts.txt -o {tmp_path}/samples.jsonl --documents"
    assert cli.main(arguments.split()) == 0
    lines = (tmp_path / "samples.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 9
    assert json.loads(lines[0]) == {
        "operator": "overlap",
        "a": "Ann left and took the bus.",
        "b": "She took the bus, and rain fell on the town.",
        "target": "She took the bus.",
    }
    sentences = ["The dog ran and barked.", "The dog ran.", "The dog barked."]
    capsys.readouterr()
    assert cli.main(["setops", "explain", "difference", *sentences]) == 0
    assert "difference: role precision" in capsys.readouterr().out
    assert cli.main(["setops", "roles", str(tmp_path / "samples.jsonl")]) == 0
    assert "overlap: samples 1, precision" in capsys.readouterr().out
    assert cli.main(["setops", "explain", "union", " ", *sentences[1:]]) == 1
    assert "the text is empty or blank" in capsys.readouterr().err
