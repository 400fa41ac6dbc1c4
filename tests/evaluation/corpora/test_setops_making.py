"""Samples of set operations: fusers and the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.blocks import cases
from support.commands import Run
from support.evaluated import written

from hybridsem._utils.chat import Chat
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError
from hybridsem.evaluation.corpora.set_operations.build import ChatFuser
from hybridsem.evaluation.corpora.set_operations.joining import TreeFuser
from hybridsem.parsers.trees.embedded import EmbeddedTrees


@pytest.mark.parametrize("lines", cases(__file__, "joined.txt"))
def test_two_sentences_are_joined_by_their_trees(
    lines: list[str], encoder: EmbeddedEncoder
) -> None:
    first, second, fused = lines
    assert TreeFuser(EmbeddedTrees(encoder)).fuse([(first, second)]) == [
        None if fused == "-" else fused
    ]


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


def test_samples_from_the_command_line(run: Run) -> None:
    written(Path("triples.tsv"), "a\tb\tunion", "A dog ran.\tRain fell.\tA dog ran in the rain.")
    build = "setops build triples.tsv -o samples.tsv -e embedded --max-cosine 0.9"
    assert "3 samples" in run(build).out
    written(Path("texts.txt"), "Ann left.", "She took the bus.", "Rain fell on the town.")
    assert run("setops build texts.txt -o samples.jsonl --documents").code == 0
    lines = Path("samples.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 9
    assert json.loads(lines[0]) == {
        "operator": "overlap",
        "a": "Ann left and took the bus.",
        "b": "She took the bus, and rain fell on the town.",
        "target": "She took the bus.",
    }
