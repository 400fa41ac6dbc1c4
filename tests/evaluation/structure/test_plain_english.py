"""Everyday English: figures by hand on a few rows, parts, and rows left out."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.evaluated import ByPair, value, written

from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation import evaluate
from hybridsem.evaluation.report.compare import compare
from hybridsem.evaluation.structure import plain_english

ABOUT = "id\tpart\tdomain\tauthor\tphenomenon\tlabel\t"
PAIRS = f"{ABOUT}similarity\tsecond\tsentence1\tsentence2"
TEXTS = (
    PAIRS,
    "1\ttest\tshop\ta\tvoice\tsame\t1\tsame\tAnn met Bo.\tBo was met by Ann.",
    "2\ttest\tshop\ta\tvoice+order\tsame\t1\t\tIn Rome, Ann met Bo.\tAnn met Bo in Rome.",
    "3\ttest\tshop\ta\tnegation\tcontradicts\t.4\t\tAnn met Bo.\tAnn did not meet Bo.",
    "4\ttest\ttrip\ta\tdropped-part\tentails\t.8\t\tAnn met Bo in Rome.\tAnn met Bo.",
    "5\ttest\ttrip\ta\tword-sense\tunrelated\t0\t\tAnn met Bo.\tThe meat is cheap.",
    "6\ttest\ttrip\ta\tdate\tdiffers\t.5\tcontradicts\tAnn met Bo.\tAnn may meet Bo.",
    "7\tcheck\ttrip\ta\tvoice\tsame\t1\t\tBo was met by Ann.\tAnn met Bo.",
)
PASSAGES = (
    PAIRS,
    "8\ttest\tshop\ta\tparaphrase\tsame\t1\t\tAnn met Bo. Bo left.\tBo left. He had met Ann.",
    "9\ttest\tshop\ta\tname\tcontradicts\t.6\t\tAnn met Bo. Bo left.\tAnn met Bo. Ann left.",
)
TRIPLES = (
    f"{ABOUT}sentence\tparaphrase\talteration",
    "10\ttest\tshop\ta\trole-swap\tcontradicts\tAnn met Bo.\tBo was met by Ann.\tBo met Ann.",
    "11\ttest\ttrip\ta\tnegation\tcontradicts\tAnn met Bo.\tAnn ran into Bo.\tAnn never met Bo.",
)
SCORES = {
    "Bo was met by Ann.": 0.7,
    "Ann met Bo in Rome.": 0.9,
    "Ann did not meet Bo.": 0.8,
    "Ann met Bo.": 0.3,
    "The meat is cheap.": 0.95,
    "Bo left. He had met Ann.": 0.1,
    "Ann met Bo. Ann left.": 0.2,
    "Bo left. He had met Ann. | Ann met Bo. Ann left.": 0.05,
    "Bo met Ann.": 0.6,
    "Ann ran into Bo.": 0.4,
    "Ann never met Bo.": 0.4,
}
CONSTANT = ByPair(lambda _one, _two: 0.5, "constant")
BY_HAND = ByPair(lambda one, two: SCORES[f"{one} | {two}" if "He had" in one else two], "by hand")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, lines in (("pairs", TEXTS), ("passages", PASSAGES), ("triples", TRIPLES)):
        written(tmp_path / f"{name}.tsv", *lines)
    return tmp_path


def test_the_score_by_hand(folder: Path) -> None:
    card = evaluate("plain-english", BY_HAND, folder, resamples=20)
    assert value(card, "auc") == pytest.approx(3 / 4)  # .7, .9 against .8, .3
    assert value(card, "auc of passages") == 0  # .1 against .2
    assert value(card, "auc of crossed passages") == 1  # .1 against .05
    assert value(card, "triples ordered") == pytest.approx(1 / 2)  # a tie is wrong
    # Ranks of .7 .9 .8 .3 .95 are 2 4 3 1 5; those of 1 1 .4 .8 0 are 4.5 4.5 2 3 1.
    assert value(card, "spearman") == pytest.approx(-4 / (10 * 9.5) ** 0.5)
    areas = {"auc", "auc of passages", "auc of crossed passages"}
    assert set(card.scores["all"]) == areas | {"spearman", "triples ordered"}
    assert (card.counts["rows"], card.counts["disputed"], card.data["split"]) == (10, 1, "test")
    assert card.groups == {"shop": (0, 1, 2, 5, 6, 7, 8), "trip": (3, 4, 9)}
    assert value(card, "auc", "shop") == pytest.approx(1 / 2)
    assert "auc" not in card.scores["trip"]  # no pair means the same


def test_the_judge(folder: Path) -> None:
    card = evaluate("plain-english", "hybrid", folder, resamples=0)
    assert value(card, "accuracy") == value(card, "macro f1") == 1
    assert value(card, "auc of the judge") == value(card, "right where decided") == 1
    assert 0 < (value(card, "decided") or 0) <= 1
    for which in ("passages", "crossed passages"):
        assert value(card, f"auc of {which} by the judge") is not None
    assert card.columns["judged"] == (0, 0, 4, 1, 5, *[None] * 5)
    assert card.scores["all"]["accuracy"].n == 5  # pairs alone


def test_a_phenomenon_is_compared_with_the_opposite_pairs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_english, "LEAST", 1)
    for name, area in [*plain_english.AREAS.items()]:
        monkeypatch.setitem(plain_english.AREAS, name, area._replace(least=1))
    card = evaluate("plain-english", BY_HAND, folder, resamples=20)
    assert card.groups["voice"] == (0, 1)
    assert card.groups["negation"] == (2, 9)
    assert value(card, "auc", "order") == 1  # .9 against .8, .3
    assert value(card, "auc", "negation") == pytest.approx(1 / 2)  # .7, .9 against .8
    assert value(card, "triples ordered", "negation") == 0
    other = evaluate("plain-english", BY_HAND, folder, resamples=20, name="other")
    for measure, group in (("auc", "negation"), ("auc", "all"), ("triples ordered", "all")):
        found = compare([card, other], measure=measure, groups=[group], resamples=20)
        assert {cell.estimate.value for cell in found.cells.values()} == {
            value(card, measure, group)
        }


def test_parts(folder: Path) -> None:
    card = evaluate("plain-english", CONSTANT, folder, part="development", resamples=0)
    assert (card.counts["rows"], card.data["split"]) == (1, "development")
    with pytest.raises(FormatError, match="no rows of the part 'choose'"):
        evaluate("plain-english", CONSTANT, folder, part="choose")
    with pytest.raises(InputError, match="part is one of choose, check"):
        evaluate("plain-english", CONSTANT, part="held-out")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("similarity", "rating"), "no column 'similarity'"),
        (lambda text: text.replace("contradicts\t.4", "opposes\t.4"), "unknown label, got 'opp"),
        (lambda text: text.replace("\t.4\t", "\thigh\t"), "similarity .* got 'high'"),
    ],
)
def test_files_that_cannot_be_read(
    folder: Path, change: Callable[[str], str], message: str
) -> None:
    file = folder / "pairs.tsv"
    file.write_text(change(file.read_text()))
    with pytest.raises(FormatError, match=message):
        evaluate("plain-english", CONSTANT, folder)
