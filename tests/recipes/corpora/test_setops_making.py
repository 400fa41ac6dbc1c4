"""The recipe of samples of set operations: fusers, and samples from triples and documents."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.blocks import cases
from support.evaluated import ByText, written

from benchmarks.command import run
from benchmarks.corpora.joining import fused
from benchmarks.corpora.set_operations import (
    Triple,
    asked,
    from_documents,
    from_triples,
    main,
    read_documents,
)
from hybridsem._utils.service import Chat
from hybridsem.datasets.set_operations import Sample
from hybridsem.evaluation.model import evaluated_model
from hybridsem.parsers.trees.embedded import EmbeddedTrees

WORDS = ("cat", "dog", "bird", "fish")


def bag() -> ByText:
    """An encoder that counts words."""

    def vector(sentence: str) -> Any:
        return np.array([sentence.split().count(word) for word in WORDS], float)

    return ByText(vector, "bag")


@pytest.mark.parametrize("lines", cases(__file__, "joined.txt"))
def test_two_sentences_are_joined_by_their_trees(lines: list[str], parser: EmbeddedTrees) -> None:
    first, second, expected = lines
    assert fused([(first, second)], parser) == [None if expected == "-" else expected]


def test_a_language_model_fuses_each_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """The requests of ``Chat`` have tests in ``tests/parsers/adapters/test_chat_roles.py``."""
    given: list[str] = []

    def answers(self: Chat, prompts: Sequence[str], *_: object, **__: object) -> list[str]:
        given.extend(prompts)
        return [' "one and\n two" ', " "]

    monkeypatch.setattr(Chat, "answers", answers)
    pairs = [("A {second} dog", "a cat"), ("x", "y")]
    assert asked(pairs, "http://localhost:1/v1", "m") == ["one and two", None]
    assert given[0].endswith("First: A {second} dog\nSecond: a cat")


def test_triples_become_unions_and_differences() -> None:
    triples = [
        Triple("cat", "dog", "cat dog"),
        Triple("cat", "cat bird", "cat bird dog"),
        Triple("cat", "dog", "dog"),
    ]
    built = from_triples(triples, [evaluated_model(bag())])
    assert built.samples == (
        Sample("union", "cat", "dog", "cat dog"),
        Sample("difference", "cat dog", "cat", "dog"),
        Sample("difference", "cat dog", "dog", "cat"),
    )
    assert built.left_out == {"triples with a text twice": 1, "triples too alike": 1}


def joined(pairs: Sequence[tuple[str, str]]) -> list[str | None]:
    return [None if "fish" in b else a if b == "cat" else f"{a} {b}" for a, b in pairs]


def test_three_sentences_become_nine_samples(tmp_path: Path) -> None:
    texts = [["cat", "dog", "bird"], ["dog", "fish"]]
    built = from_documents(texts, joined, [evaluated_model(bag())])
    assert [sample.operator for sample in built.samples].count("difference") == 6
    assert [one for one in built.samples if one.operator != "difference"] == [
        Sample("overlap", "cat dog", "dog bird", "dog"),
        Sample("union", "cat", "dog", "cat dog"),
        Sample("union", "dog", "bird", "dog bird"),
    ]
    # The differences of a window stand or fall together, by its neighbours.
    near = [["cat", "cat dog", "bird"], ["cat dog", "bird", "dog"]]
    built = from_documents(near, joined, [evaluated_model(bag())])
    found = [one for one in built.samples if one.operator == "difference"]
    assert Sample("difference", "cat dog bird", "cat dog", "bird") in found
    assert Sample("difference", "cat cat dog", "cat", "cat dog") not in found
    odd = [["dog", "bird", "fish"], ["bird", "dog", "cat"], ["cat", "dog", "cat"]]
    lost = from_documents(odd, joined)
    assert lost.samples == ()
    assert lost.left_out["windows not fused"] == 2  # nothing, and one of the two as it was
    assert lost.left_out["windows with a sentence twice"] == 1
    (tmp_path / "texts.txt").write_text("One.\nTwo.\nThree.\n\nFour.\n", encoding="utf-8")
    assert read_documents(tmp_path / "texts.txt") == [["One.", "Two.", "Three."], ["Four."]]


def test_samples_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(Path("triples.tsv"), "a\tb\tunion", "A dog ran.\tRain fell.\tA dog ran in the rain.")
    written(Path("texts.txt"), "Ann left.", "She took the bus.", "Rain fell on the town.")
    for source, options, number in (
        ("triples.tsv", ("--encoder", "embedded", "--max-cosine", "0.9"), 3),
        ("texts.txt", ("--documents",), 9),
    ):
        monkeypatch.setattr(sys, "argv", ["", source, "-o", "samples.jsonl", *options])
        run(main)
        assert f"{number} samples" in capsys.readouterr().out
    line = Path("samples.jsonl").read_text(encoding="utf-8").partition("\n")[0]
    assert json.loads(line) == {
        "operator": "overlap",
        "a": "Ann left and took the bus.",
        "b": "She took the bus, and rain fell on the town.",
        "target": "She took the bus.",
    }
