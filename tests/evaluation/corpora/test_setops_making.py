"""Set operations: fusers, and what a target keeps role by role."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.blocks import cases

from hybridsem import Pipeline, cli
from hybridsem._utils.chat import Chat
from hybridsem.datasets.set_operations import Sample
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError
from hybridsem.evaluation.corpora.set_operations.chat import ChatFuser
from hybridsem.evaluation.corpora.set_operations.joining import TreeFuser
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
