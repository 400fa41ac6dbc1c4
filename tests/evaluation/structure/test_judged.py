"""Public sets of labelled pairs: figures by hand, sets by the names of files, comparisons."""

from pathlib import Path

import numpy as np
import pytest
from support.evaluated import ByPair, value, written

from hybridsem.datasets.labelled_pairs import SETS
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation import evaluate
from hybridsem.evaluation.report.compare import compare
from hybridsem.evaluation.statistics.classification import macro_f1
from hybridsem.evaluation.task import tasks

Rows = list[tuple[str, ...]]


def rows_in(file: Path, *rows: tuple[str, ...]) -> Path:
    return written(file, *map("\t".join, rows))


NAMES = ("label", "sentence1", "sentence2", "genre")
TWO_WAY: Rows = [
    ("entailment", "Ann met Bo in Rome.", "Ann met Bo.", "news (IE)"),
    ("not_entailment", "Ann met Bo.", "Ann met Bo in Rome.", "news (IE)"),
    ("not_entailment", "Ann met Bo.", "Ann did not meet Bo.", "news (QA)"),
]


def test_areas_by_hand_and_by_genre(tmp_path: Path) -> None:
    file = rows_in(tmp_path / "rte.tsv", NAMES, *TWO_WAY)
    given = dict(zip([row[1:3] for row in TWO_WAY], [0.8, 0.9, 0.1], strict=True))
    model = ByPair(lambda one, two: given[one, two], "by hand")
    for task in ("rte", "everyday"):
        card = evaluate(task, model, file, resamples=20)
        assert value(card, "auc") == pytest.approx(1 / 2)
        assert value(card, "auc", "news (IE)") == 0
        assert value(card, "auc", "news (QA)") is None  # one label alone
        assert card.groups == {"news (IE)": (0, 1), "news (QA)": (2,)}
        assert "accuracy" not in card.scores["all"]


THREE = ("entailment", "neutral", "contradiction")
JUDGED = {
    "rte": ("rte.tsv", [NAMES, *TWO_WAY], (0, 1, 1)),
    "breaking-nli": (
        "dataset.tsv",
        [NAMES, *((label, *row[1:]) for label, row in zip(THREE, TWO_WAY, strict=True))],
        (0, 1, 2),
    ),
    "mrpc": (
        "msr_paraphrase_test.txt",
        [
            ("Quality", "#1 ID", "#2 ID", "#1 String", "#2 String"),
            ("1", "1", "2", "Bo was met by Ann.", "Ann met Bo."),
            ("0", "3", "4", "Ann met Bo.", "Ann never met Bo."),
        ],
        (0, 1),
    ),
    # Figures of speech have two labels.
    "figurative": (
        "figurative.tsv",
        [NAMES, TWO_WAY[0], ("contradiction", *TWO_WAY[2][1:])],
        (0, 1),
    ),
}


@pytest.mark.parametrize("name", JUDGED)
def test_sets_by_the_judge(tmp_path: Path, name: str) -> None:
    file, rows, classes = JUDGED[name]
    path = rows_in(tmp_path / file, *rows)
    card = evaluate("everyday", "hybrid", path, set=name, resamples=20)
    assert card.columns["judged"] == classes
    assert value(card, "accuracy") == value(card, "macro f1") == 1
    assert value(card, "auc of the judge") == 1
    assert 0 < (value(card, "decided") or 0) <= 1


def test_questions_are_not_judged(tmp_path: Path) -> None:
    file = written(tmp_path / "mine.tsv", "question\tsentence\tlabel", "who sang\tann sang\t1")
    card = evaluate("everyday", "hybrid", file, set="wikiqa", resamples=0)
    assert set(card.scores["all"]) == {"auc"}
    with pytest.raises(UnknownNameError, match="'mine'"):
        evaluate("everyday", "jaccard", file)
    with pytest.raises(InputError, match="everyday needs data"):
        evaluate("everyday", "jaccard")


def test_rows_left_out_are_counted(tmp_path: Path) -> None:
    again = ("entailment", "ann  met bo in Rome.", "Ann met Bo.", "")
    file = rows_in(tmp_path / "rte.tsv", NAMES, *TWO_WAY, again)
    counts = evaluate("rte", "jaccard", file, resamples=0).counts
    assert (counts["rows"], counts["repeated"], counts["broken"]) == (3, 1, 0)


def test_two_judges_are_compared_by_accuracy(tmp_path: Path) -> None:
    file = rows_in(tmp_path / "rte.tsv", NAMES, *TWO_WAY)
    first = evaluate("rte", "hybrid", file, name="first", resamples=20)
    second = evaluate("rte", "hybrid", file, name="second", resamples=20)
    for measure in ("accuracy", "auc"):
        found = compare([first, second], against="first", measure=measure, resamples=20)
        difference = found.cells["second", found.columns[0]].difference
        assert (difference.value, difference.n) == (0, 3)


def test_every_published_format_is_a_benchmark() -> None:
    names = {name for name, row in SETS.items() if "layout" in row}
    assert names >= {"mrpc", "lingnli", "mnli", "xnli", "hans", "fracas", "breaking-nli", "rte"}
    assert names <= set(tasks())


def test_macro_f1_by_hand() -> None:
    # Class 0: 1 of 2 guesses, 1 of 1 found; class 1: 1 of 1, 1 of 2; class 2: none found.
    found = macro_f1([0, 0, 1, 1, np.nan], [0, 1, 1, 2, 2], resamples=200)
    assert found.value == pytest.approx((2 / 3 + 1 / 2 + 0) / 3)
    assert (found.n, found.missing) == (4, 1)
    assert found.low <= (found.value or 0)
    assert macro_f1([np.nan], [0]).value is None
