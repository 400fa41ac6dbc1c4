"""Benchmarks of structure: figures that can be checked by hand, cards, comparisons, commands."""

from pathlib import Path

import numpy as np
import pytest
from support.commands import Run
from support.evaluated import ByPair, value

from hybridsem.errors import InputError
from hybridsem.evaluation import evaluate, load_card
from hybridsem.evaluation.report.compare import compare


def table(name: str, scores: dict[tuple[str, str], float]) -> ByPair:
    """A model whose scores of pairs are given; NaN for any other pair."""
    return ByPair(lambda one, two: scores.get((one, two), np.nan), name)


PAWS = (
    "sentence1\tsentence2\tlabel\n"
    "the cat saw the dog\tthe dog saw the cat\t0\n"
    "a cat slept here\there a cat slept\t1\n"
    "one two\ttwo one\t1\n"
    "three four\tfour three\t0\n"
)
ROWS = (tuple(line.split("\t")[:2]) for line in PAWS.splitlines()[1:])
GIVEN = dict(zip(ROWS, [0.6, 0.9, 0.5, 0.2], strict=True))


@pytest.fixture
def paws_file(tmp_path: Path) -> Path:
    file = tmp_path / "dev.tsv"
    file.write_text(PAWS)
    return file


def test_paws_by_hand(paws_file: Path) -> None:
    card = evaluate("paws", table("t", GIVEN), paws_file, resamples=50)
    assert value(card, "auc") == pytest.approx(3 / 4)
    assert value(card, "average precision") == pytest.approx((1 + 2 / 3) / 2)
    assert value(card, "best accuracy") == pytest.approx(3 / 4)
    assert card.settings["detokenised"] is True
    assert card.counts["rows"] == card.counts["scored"] == 4
    assert card.columns["label"][0] == "different"


def test_two_models_on_paws_are_tested_over_the_same_pairs(paws_file: Path) -> None:
    worse = {pair: -score for pair, score in GIVEN.items()}
    missing = {pair: score for pair, score in GIVEN.items() if score != 0.6}
    cards = [
        evaluate("paws", table(name, scores), paws_file, resamples=20)
        for name, scores in (("good", GIVEN), ("bad", worse), ("partial", missing))
    ]
    found = compare(cards, against="good", measure="auc", resamples=200)
    bad, partial = (found.cells[name, found.columns[0]].difference for name in ("bad", "partial"))
    assert bad.value == pytest.approx(1 / 4 - 3 / 4)
    assert (partial.n, partial.missing, partial.value) == (3, 1, 0)
    assert found.cells["good", found.columns[0]].difference is None


INFERENCE = (
    "premise\thypothesis\tlabel\n"
    "a\tb\tentailment\nc\td\tneutral\ne\tf\tcontradiction\ng\th\tcontradiction\n"
)


def test_entailment_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "nli.tsv"
    file.write_text(INFERENCE)
    scores = {("a", "b"): 0.5, ("c", "d"): 0.4, ("e", "f"): 0.3, ("g", "h"): 0.9}
    card = evaluate("entailment", table("t", scores), file, resamples=50)
    assert value(card, "entailment auc") == pytest.approx(2 / 3)
    # A contradiction should have the lower score: .3 is below both others, .9 below none.
    assert value(card, "contradiction auc") == pytest.approx(1 / 2)
    assert value(card, "contradiction against entailment auc") == pytest.approx(1 / 2)
    assert value(card, "mean score", "contradiction") == pytest.approx(0.6)
    assert card.groups["neutral"] == (1,)


def test_entailment_by_the_judge_and_by_phenomenon(tmp_path: Path) -> None:
    rows = [
        ("Some dogs run.", "Some animals run.", "entailment", "upward:lexical"),
        ("No animal runs.", "No dog runs.", "entailment", "downward:lexical"),
        ("Some animals run.", "Some dogs run.", "neutral", "upward"),
    ]
    file = tmp_path / "med.tsv"
    file.write_text(
        "\n".join(map("\t".join, [("sentence1", "sentence2", "label", "kind"), *rows])) + "\n"
    )
    card = evaluate("entailment", "hybrid", file, resamples=20)
    right = "accuracy of entailment or not"
    assert value(card, right) == 1
    assert {group: card.scores[group][right].n for group in ("upward", "downward", "lexical")} == {
        "upward": 2,
        "downward": 1,
        "lexical": 2,
    }


def test_sugarcrepe_needs_both_halves(tmp_path: Path) -> None:
    file = tmp_path / "swap_obj.tsv"
    file.write_text("caption\tcaption2\tnegative\na\tb\tc\nd\te\tf\ng\th\ti\n")
    # Both; a tie is not above; the first half alone.
    given = {"ab": 0.9, "ac": 0.8, "bc": 0.7, "de": 0.9, "df": 0.9, "ef": 0.1}
    given |= {"gh": 0.9, "gi": 0.1, "hi": 0.95}
    scores = {(pair[0], pair[1]): score for pair, score in given.items()}
    card = evaluate("sugarcrepe-pp", table("t", scores), file, resamples=50)
    assert value(card, "both", "swap_obj") == value(card, "both") == pytest.approx(1 / 3)
    assert value(card, "first half") == pytest.approx(2 / 3)
    assert value(card, "second half") == pytest.approx(2 / 3)
    assert card.columns["negative of the second"] == (0.7, 0.1, 0.95)


TRIPLES = (
    "phenomenon\tsentence\tparaphrase\talteration\n"
    "passive\ta\tb\tc\npassive\td\te\tf\nnumbers\tg\th\ti\n"
)


def test_minimal_pairs_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "mine.tsv"
    file.write_text(TRIPLES)
    scores = {("a", "b"): 0.9, ("a", "c"): 0.5, ("d", "e"): 0.4, ("d", "f"): 0.6, ("g", "h"): 1.0}
    card = evaluate("minimal-pairs", table("t", scores), file, resamples=50)
    assert value(card, "accuracy", "passive") == pytest.approx(1 / 2)
    assert value(card, "margin", "passive") == pytest.approx(0.1)
    numbers = card.scores["numbers"]["accuracy"]
    assert (numbers.value, numbers.missing) == (None, 1)
    assert card.counts["failed"] == 1


def test_the_package_has_data_of_its_own(run: Run) -> None:
    evaluate_it = "evaluate minimal-pairs -m jaccard --resamples 20 --part development"
    assert run(f"{evaluate_it} -o card.json").code == 0
    card = load_card("card.json")
    assert card.data["split"] == "development"
    assert 0.3 < (value(card, "accuracy") or 0) < 0.6
    with pytest.raises(InputError, match="paws needs data"):
        evaluate("paws", "jaccard")
