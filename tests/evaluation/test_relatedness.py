"""Data sets of relatedness: each layout, means over data sets, single annotations, broken files."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from support.evaluated import ByPair, written

from hybridsem.errors import InputError
from hybridsem.evaluation import evaluate
from hybridsem.evaluation.statistics.rating_correlations import (
    MEASURES,
    annotation_correlations,
    correlations,
)

PAIRS = [
    ("The owl slept.", "The owl slept.", 0.9),
    ("Rain fell, again.", "Snow fell.", 0.5),
    ("He paid; she left.", "A goat ran.", 0.1),
    ("Two cats ran.", "Two dogs ran.", 0.6),
]
GOLD = [gold for *_, gold in PAIRS]


def ordered(scores: Iterable[float]) -> ByPair:
    """A model that answers with given scores, in the order in which it is asked."""
    given = iter(scores)
    return ByPair(lambda *_: next(given), "ordered")


TWO_LINES = "PairID,Text,Score", 'P-{n},"{a}\n{b}",{c}'
HUB = "sentence1,sentence2,label", '"{a}","{b}",{c}'
STSS = '{n};"{a}";"{b}";{c};0.5'
SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment"
STR2022 = "\ufeff,PairID,SourceID,SubsetID,Text,Score"


def layout(path: Path, header: str, row: str) -> Path:
    """The pairs in a file, a row for each; "d" is the rating with a decimal comma."""
    rows = [
        row.format(n=n, a=a, b=b, c=c, d=str(c).replace(".", ","))
        for n, (a, b, c) in enumerate(PAIRS, start=1)
    ]
    return written(path, *filter(None, [header]), *rows)


@pytest.mark.parametrize(
    ("task", "split", "name", "header", "row"),
    [
        ("sts", None, "pairs.csv", "text1,text2,score", '"{a}","{b}",{c}'),
        ("stsb", "test", "stsb-en-test.csv", "", '"{a}","{b}",{c}'),
        ("stsb", "test", "folder/sts-test.csv", "", 'main\tfile\t2012\t1\t{c}\t{a}\t{b}\t"web'),
        ("sick", "test", "folder/SICK_test_annotated.txt", SICK, "{n}\t{a}\t{b}\t{c}\tNEUTRAL"),
        (
            "str2022",
            None,
            "folder/sem_text_rel_ranked.csv",
            STR2022,
            '{n},S-{n},s,S-1,"{a}\n{b}",{c}',
        ),
        ("semrel", "train", "eng_train.csv", *TWO_LINES),
        ("semrel", "train", "eng_train.csv", TWO_LINES[0], 'P-{n},"{a}\\n{b}",{c}'),
        ("semrel", "train", "eng_train.csv", *(f"{line}\r" for line in TWO_LINES)),
        ("semrel", "test", "folder/eng_test_with_labels.csv", *TWO_LINES),
        ("semrel", None, "test.csv", *HUB),
        ("stss131", None, "STSS-131.csv", "SP;Sentence1;Sentence2;X;SD", STSS),
        ("stss131", None, "STSS-131.csv", "", STSS),
        ("stss131", None, "pairs.txt", "", '"{a}";"{b}";{d}'),
        ("stss65", None, "STSS-65.csv", "id,a,b,human,sd", '{n},"{a}","{b}",{c},0.5'),
        ("stss65", None, "stss65.txt", "id\ta\tb\thuman\tsd", "{n}\t{a}\t{b}\t{c}\t0.5"),
        ("relatedness", None, "eng_train.csv", *TWO_LINES),
        ("relatedness", None, "test.csv", *HUB),
    ],
)
def test_every_layout_gives_the_same_pairs(
    tmp_path: Path, task: str, split: str | None, name: str, header: str, row: str
) -> None:
    file = layout(tmp_path / name, header, row)
    model = ordered([0.9, 0.2, 0.3, 0.8])
    card = evaluate(task, model, file.parent if "/" in name else file, resamples=0)
    assert model.asked == [(one, two) for one, two, _ in PAIRS]
    assert card.columns["gold"] == tuple(GOLD)
    assert card.data["split"] == split
    plain = layout(tmp_path / "plain.csv", *HUB)
    again = evaluate("sts", ordered([0.9, 0.2, 0.3, 0.8]), plain, resamples=0)
    assert card.data["sha256"] == again.data["sha256"]
    # Ranks of the scores 4 1 2 3, of the ratings 4 2 1 3: 1 - 6 * 2 / (4 * 15).
    assert card.headline["all"].value == pytest.approx(0.8)
    assert set(card.scores) == {"all"}


def sts_folder(folder: Path) -> Path:
    """Three data sets in three layouts; one pair was not rated."""
    written(folder / "STS.input.first.txt", *(f"{a}\t{b}" for a, b, _ in PAIRS))
    written(folder / "STS.gs.first.txt", *GOLD)
    rows = [f"{i}\t{a}\t{b}\t{gold}" for i, (a, b, gold) in enumerate(PAIRS[:3])]
    written(folder / "second.tsv", "id\tsentence1\tsentence2\tscore", *rows)
    layout(folder / "third.v1.csv", *TWO_LINES)
    written(folder / "readme.txt", "What this is.")
    written(folder / ".second.tsv", "no table")
    return folder


def test_the_figures_of_the_data_sets_of_a_folder_are_averaged(tmp_path: Path) -> None:
    scores = [0.9, 0.2, 0.3, 0.8, 0.1, 0.2, 0.3, 0.8, 0.2, 0.3, 0.9]
    card = evaluate("relatedness", ordered(scores), sts_folder(tmp_path), resamples=300)
    assert list(card.scores) == ["all", "first", "second", "third.v1", "mean", "weighted mean"]
    assert list(card.groups) == ["first", "second", "third.v1"]
    values = [card.headline[name].value for name in ("first", "second", "third.v1")]
    # By hand: 1 - 12 / 60; all in the opposite order; ranks 3 1 2 4 against 4 2 1 3.
    assert values == pytest.approx([0.8, -1.0, 0.6])
    assert card.headline["mean"].value == pytest.approx((0.8 - 1.0 + 0.6) / 3)
    weighted = (4 * 0.8 - 3 * 1.0 + 4 * 0.6) / 11
    assert card.headline["weighted mean"].value == pytest.approx(weighted)
    assert card.headline["mean"].n == 11
    gold = [*GOLD, *GOLD[:3], *GOLD]
    parts = [slice(0, 4), slice(4, 7), slice(7, 11)]
    for measure, function in (("pearson", stats.pearsonr), ("kendall", stats.kendalltau)):
        by_hand = [function(scores[part], gold[part]).statistic for part in parts]
        assert card.scores["mean"][measure].value == pytest.approx(np.mean(by_hand))


def test_a_mean_is_undefined_where_a_part_is_and_one_data_set_has_none(tmp_path: Path) -> None:
    scores = [0.9, 0.2, 0.3, 0.8, 0.5, 0.5, 0.5, 0.8, 0.2, 0.3, 0.9]
    card = evaluate("relatedness", ordered(scores), sts_folder(tmp_path), resamples=20)
    for name in ("mean", "weighted mean"):
        found = card.headline[name]
        assert found.value is None
        assert found.note == "second: the scores are all the same"
    layout(tmp_path / "one" / "only.csv", *TWO_LINES)
    card = evaluate("relatedness", ordered(scores), tmp_path / "one", resamples=0)
    assert set(card.scores) == {"all"}


# -- a row a rating

GS2011 = """participant verb subject object landmark input hilo
p1 break child cup smash 7 HIGH
p2 break child cup smash 4 HIGH
p1 break child rule smash 1 LOW
p1 meet panel rule satisfy 5 HIGH
p2 meet panel rule satisfy 6 HIGH
p3 meet panel rule satisfy 3 HIGH
"""
CONLL = """sentence_id annotator_id adj_subj subj verb landmark adj_obj obj annotator_score
1 a small child break smash old cup 7
1 b small child break smash old cup 4
2 a small child break smash old rule 1
"""
TURK = """annotator subject1 verb1 object1 subject2 verb2 object2 score
a child break cup boy smash glass 7
b child break cup boy smash glass 4
a panel meet rule boy smash glass 1
"""
PHRASES = """annotator verb1 object1 verb2 object2 score
a break cup smash glass 7
a meet rule smash glass 1
b break cup smash glass 4
"""


@pytest.mark.parametrize("name", ["gs2011", "relatedness"])
def test_gs2011_has_mean_ratings_and_single_ones(tmp_path: Path, name: str) -> None:
    model = ordered([0.9, 0.3, 0.5])
    card = evaluate(name, model, written(tmp_path / "GS2011data.txt", GS2011), resamples=50)
    assert model.asked == [
        ("child break cup", "child smash cup"),
        ("child break rule", "child smash rule"),
        ("panel meet rule", "panel satisfy rule"),
    ]
    assert card.columns["gold"] == pytest.approx([5.5, 1.0, 14 / 3])
    assert card.columns["type"] == ("HIGH", "LOW", "HIGH")
    assert card.headline["all"].value == pytest.approx(1.0)
    # The scores 9 9 3 5 5 5 (tenths) against 7 4 1 5 6 3: ranks 5.5 5.5 1 3 3 3 and 6 3 1 4 5 2,
    # centred 2 2 -2.5 -.5 -.5 -.5 and 2.5 -.5 -2.5 .5 1.5 -1.5.
    by_hand = (5 - 1 + 6.25 - 0.25 - 0.75 + 0.75) / np.sqrt(15 * 17.5)
    assert card.headline["annotations"].value == pytest.approx(by_hand)
    assert card.headline["annotations"].n == 6
    assert set(card.scores["annotations"]) == {"spearman", "pearson", "kendall"}


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (CONLL, ("small child break old cup", "small child smash old cup")),
        (TURK, ("child break cup", "boy smash glass")),
        (PHRASES, ("break cup", "smash glass")),
    ],
)
def test_ks2013_is_read_in_each_of_its_layouts(
    tmp_path: Path, text: str, asked: tuple[str, str]
) -> None:
    model = ordered([0.2, 0.4])
    card = evaluate("ks2013", model, written(tmp_path / "KS2013.txt", text), resamples=0)
    assert model.asked[0] == asked
    assert card.columns["gold"] == (5.5, 1.0)
    assert card.headline["all"].value == pytest.approx(-1.0)
    # Scores 2 2 4 against 7 4 1: ranks 1.5 1.5 3 and 3 2 1.
    assert card.headline["annotations"].value == pytest.approx(-np.sqrt(3) / 2)


def test_a_resample_draws_an_item_with_all_of_its_annotations() -> None:
    """What the table of counts gives is what repeating the drawn items one by one gives."""
    random = np.random.default_rng(2)
    scores = random.normal(size=9).round(1)
    annotations = [random.integers(1, 8, size).astype(float) for size in random.integers(1, 6, 9)]
    found = annotation_correlations(scores, annotations, resamples=200, seed=7)
    seeded = np.random.SeedSequence(7).spawn(1)[0]
    drawn = np.random.default_rng(seeded).integers(9, size=(200, 9))
    for measure in MEASURES:
        values = []
        for items in drawn:
            flat = np.concatenate([annotations[item] for item in items])
            repeated = np.repeat(scores[items], [len(annotations[item]) for item in items])
            values.append(correlations(repeated, flat, [measure], resamples=0)[measure].value)
        low, high = np.quantile([value for value in values if value is not None], [0.025, 0.975])
        assert (found[measure].low, found[measure].high) == pytest.approx((low, high))


# -- what cannot be read


def test_folders_that_are_no_data_are_named(tmp_path: Path) -> None:
    for task, said in (
        ("semrel", r"expected a folder with eng_test_with_labels\.csv"),
        ("relatedness", "expected a file of pairs, or a folder with"),
    ):
        with pytest.raises(InputError, match=said):
            evaluate(task, ordered([0.1, 0.2, 0.3]), tmp_path, resamples=0)
    layout(tmp_path / "first.csv", *TWO_LINES)
    layout(tmp_path / "first.tsv", *HUB)
    with pytest.raises(InputError, match="two data sets are called 'first'"):
        evaluate("relatedness", ordered(range(8)), tmp_path, resamples=0)
    folder = sts_folder(tmp_path / "sts")
    written(folder / "STS.gs.first.txt", *GOLD[:2])
    why = r"STS\.gs\.first\.txt: ends after 2 scores; STS\.input\.first\.txt has more"
    with pytest.raises(InputError, match=why):
        evaluate("relatedness", ordered(range(8)), folder, resamples=0)
    layout(folder / "all.tsv", *HUB)
    (folder / "STS.gs.first.txt").write_text("1\n" * 4)
    with pytest.raises(InputError, match="a data set cannot be called 'all'"):
        evaluate("relatedness", ordered(range(8)), folder, resamples=0)
