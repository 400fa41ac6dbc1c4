"""Measuring what deduplication does with minimal pairs and with harmless ones."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks import duplicates
from benchmarks.corpora.records import harmless, minimal
from benchmarks.duplicates import Share, chunks, dropped, equal, main, measure_harmless
from hybridsem import Pipeline

PAIRS = [("It rains.", "it rains"), ("It rains.", "It snows."), ("It  rains.", "It rains.")]


def test_no_line_is_twice_in_a_chunk() -> None:
    assert list(chunks(PAIRS)) == [[0], [1], [2]]
    assert list(chunks([("a", "b"), ("a", "c"), ("d", "d")])) == [[0, 2], [1]]


@pytest.mark.slow
def test_pairs_together_and_alone_are_the_same() -> None:
    nlp = Pipeline()
    records = [*minimal(8, 1), *harmless(8, 1)]
    pairs = [*PAIRS, *((first, second) for _, first, second in records)]
    alone = [bool(nlp.deduplicate(pair).dropped) for pair in pairs]
    assert dropped(nlp, pairs) == alone
    assert any(alone)
    assert not all(alone)


def test_equality_after_normalisation() -> None:
    assert equal([*PAIRS, ("\N{FULLWIDTH DIGIT ONE}  A", "1 a")]) == [False, False, True, True]


def test_shares_have_exact_intervals() -> None:
    assert str(Share(0, 10)) == "0/10, 0.0 [0.0, 30.8]"
    assert str(Share(0, 0)) == "–"
    assert Share.true([True, False]).to_dict()["share"] == 0.5


def test_the_kind_that_only_reworded_finds_is_counted_apart() -> None:
    rows = measure_harmless(harmless(25, 1)).rows
    assert rows["all"]["found"].of == rows["all but rewriting"]["found"].of + 1


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["minimal", "--pairs", "40", "-o", str(tmp_path / "found")]
    monkeypatch.setattr(sys, "argv", [duplicates.__file__, *arguments])
    main()
    written = (tmp_path / "found.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out.startswith(written)
    plain = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert plain["shares"]["all"]["dropped"]["of"] == 40
    assert plain["command"].startswith("python -m benchmarks.duplicates minimal")
