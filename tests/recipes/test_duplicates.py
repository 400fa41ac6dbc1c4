"""Measuring what deduplication does with minimal pairs and with harmless ones."""

import pytest

from benchmarks.command import run
from benchmarks.corpora.records import harmless, minimal
from benchmarks.duplicates import COMMANDS, Share, chunks, dropped, equal, harmless_found
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
    assert str(Share.true([True, False])).startswith("1/2, 50.0")


def test_the_kind_that_only_reworded_finds_is_counted_apart() -> None:
    rows = harmless_found(harmless(25, 1))
    assert rows["all"]["found"].of == rows["all but rewriting"]["found"].of + 1


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    run(COMMANDS, ["minimal", "--pairs", "40"])
    head, _, row, *_, conditions = capsys.readouterr().out.rsplit("| difference", 1)[1].splitlines()
    assert head.startswith(" | dropped |")
    assert row.startswith("| all | 0/40")
    assert "onnxruntime" in conditions
