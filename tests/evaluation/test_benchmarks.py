"""The evaluator: benchmarks read, models asked, scores against ratings."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.blocks import cases
from support.evaluated import ByPair, ByText, share, written

from hybridsem import Pipeline
from hybridsem._typing import AnyArray, Float32Array
from hybridsem.datasets.sts_files import read_ratings, read_types
from hybridsem.errors import HybridSemError, InputError
from hybridsem.evaluation import (
    Card,
    evaluate,
    evaluated_model,
    load_card,
    similarities_file,
)
from hybridsem.evaluation.statistics.rating_correlations import Estimate, split_half
from hybridsem.evaluation.sts import deviation

PAIRS = [
    ("The dog chased the cat.", "The dog chased a cat.", 0.9),
    ("A man sings.", "It rains.", 0.0),
    ("A man sings.", "A man is singing a song.", 0.8),
    ("The nurse paid the clerk.", "The nurse paid the baker.", 0.5),
    ("The dog chased the cat.", "The cat chased the dog.", 0.4),
    ("The nurse paid the clerk.", "The clerk paid the nurse.", 0.3),
    ("The boat left the town.", "The small boat left the old town.", 0.7),
    ("The actor won.", "The actor lost.", 0.2),
    ("He bought the red house.", "He sold the red house.", 0.25),
]
GOLD = np.array([gold for *_, gold in PAIRS])
COUNTS = {"failed": 0, "unrated": 0}
NON_ADVERSARIAL, ADVERSARIAL, NEGATIVES = [0, 1, 2, 3], [4, 5, 6], [7, 8]


class Letters:
    """An encoder: how often each letter occurs."""

    name = "letters"

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        rows = [[text.lower().count(chr(97 + i)) for i in range(26)] for text in sentences]
        return np.array(rows, np.float32).reshape(len(sentences), 26)


SHARED = ByPair(share, "shared words")


def release(folder: Path) -> Path:
    """The pairs above in the layout of the STS3k release."""
    experiment = folder / "STS3k" / "Data-experiment"
    experiment.mkdir(parents=True)
    written(experiment / "STS3k_all.txt", *(f"{a};{b};{gold:.3f}" for a, b, gold in PAIRS))
    written(experiment / "STS3k_non_adv_indices.txt", *NON_ADVERSARIAL)
    written(experiment / "STS3k_adv_noneg_indices.txt", *ADVERSARIAL)
    return folder / "STS3k"


def csv(folder: Path, pairs: Sequence[tuple[str, str, object]] = PAIRS) -> Path:
    rows = (f"{a},{b},{c}" for a, b, c in pairs)
    return written(folder / "pairs.csv", "sentence1,sentence2,score", *rows)


def rho(scores: Sequence[float] | AnyArray, rows: Sequence[int]) -> float:
    return float(stats.spearmanr(np.asarray(scores)[rows], GOLD[rows]).statistic)


def test_sts3k_reports_its_groups_and_the_gap_between_two(tmp_path: Path) -> None:
    scores = SHARED.similarity([(one, two) for one, two, _ in PAIRS])
    card = evaluate("sts3k", SHARED, release(tmp_path), resamples=200)
    found = {group: estimate.value for group, estimate in card.headline.items()}
    groups = {"all": [*range(9)], "non-adversarial": NON_ADVERSARIAL, "adversarial": ADVERSARIAL}
    expected = {name: rho(scores, rows) for name, rows in groups.items()}
    expected |= {"negatives": rho(scores, NEGATIVES)}
    expected["adversarial gap"] = expected["non-adversarial"] - expected["adversarial"]
    assert found == pytest.approx(expected)
    assert set(card.scores["all"]) == {"spearman", "pearson", "kendall"}
    assert card.groups["negatives"] == tuple(NEGATIVES)
    card.save(tmp_path / "card.json")
    assert load_card(tmp_path / "card.json") == card
    assert card.columns["score"] == pytest.approx(scores, abs=1e-6)
    unknown = {"truncated": None, "foreign": None}
    assert card.counts == COUNTS | unknown | {"rows": 9, "scored": 9, "coverage": 1.0}
    whole = card.scores["all"]["spearman"]
    assert (whole.low or 0) < (found["all"] or 0) < (whole.high or 0)


def test_released_similarities_give_the_released_correlations(shared_data: Path) -> None:
    folder = shared_data / "sts3k-dev"
    _, *expected = (folder / "expected_spearman.tsv").read_text().splitlines()
    assert len(expected) > 40
    for line in expected:
        model, *values = line.split("\t")
        file = f"Data-model/Sentence Similarities/STS3k_all_{model}_similarities.txt"
        card = evaluate("sts3k", similarities_file(folder / file), folder, resamples=0)
        found = [card.headline[group].value for group in ("all", "non-adversarial", "adversarial")]
        assert found == pytest.approx([float(value) for value in values], abs=1e-6), model


# -- what is evaluated


def test_an_encoder_and_its_vectors_in_a_file_score_alike(tmp_path: Path) -> None:
    texts = sorted({text for one, two, _ in PAIRS for text in (one, two)})
    np.savez(tmp_path / "letters.npz", vectors=Letters().encode(texts), texts=np.array(texts))
    models = evaluated_model(f"precomputed:{tmp_path / 'letters.npz'}"), Letters()
    data = release(tmp_path)
    given, own = (evaluate("sts3k", model, data, name="letters", resamples=50) for model in models)
    assert given.columns["score"] == pytest.approx(own.columns["score"], abs=2e-6)


def test_a_pipeline_scores_as_it_does_by_itself(tmp_path: Path, nlp: Pipeline) -> None:
    german = "Der Hund schläft im Garten neben dem alten Haus."
    pairs = [*PAIRS, (german, PAIRS[0][1], 0.5), (german, german, 1)]
    card = evaluate("sts", nlp, csv(tmp_path, pairs), name="mine", resamples=0)
    own = nlp.score([(one, two) for one, two, _ in pairs])
    assert card.columns["score"] == pytest.approx(own, abs=1e-6)
    assert card.model["name"] == "mine"
    assert (card.counts["foreign"], card.counts["truncated"]) == (2, 0)
    assert {"parser", "vectors", "encoder", "weights"} <= set(card.model)


def test_what_cannot_be_read_or_is_missing_is_counted_and_never_a_number(tmp_path: Path) -> None:
    class Moody(Letters):
        def too_long(self, sentences: Sequence[str]) -> list[bool]:
            return ["song" in text for text in sentences]

        def encode(self, sentences: Sequence[str]) -> Float32Array:
            assert all(sentences)
            return super().encode(sentences) * np.array([["won" not in text] for text in sentences])

    pairs = [*PAIRS, ("A man sings.", "", 0.5), ("Not rated.", "Nor asked.", "")]
    card = evaluate("sts", Moody(), csv(tmp_path, pairs), resamples=20)
    # Failed: the blank text, and a zero vector, which has no direction.
    counts = {"rows": 10, "scored": 8, "failed": 2, "truncated": 1, "unrated": 1, "coverage": 0.8}
    assert card.counts == counts | {"foreign": None}
    found = card.scores["all"]["spearman"]
    assert (found.n, found.missing) == (8, 3)
    assert card.columns["score"][7] is None
    assert json.loads(card.to_json())["rows"]["columns"]["score"][7] is None


def test_an_encoder_that_wants_it_sees_the_data_first_and_once(tmp_path: Path) -> None:
    class Fitted(Letters):
        seen: tuple[str, ...] = ()

        @property
        def fitted(self) -> bool:
            return bool(self.seen)

        def fit(self, sentences: Sequence[str]) -> Fitted:
            assert not self.seen
            self.seen = tuple(sentences)
            return self

        def encode(self, sentences: Sequence[str]) -> Float32Array:
            assert set(sentences) <= set(self.seen)
            return super().encode(sentences)

    encoder, data = Fitted(), release(tmp_path)
    card = evaluate("sts3k", encoder, data, resamples=0)
    assert card.model["fitted"] == "to the texts of this data set"
    assert sorted(encoder.seen) == sorted({text for one, two, _ in PAIRS for text in (one, two)})
    assert evaluate("sts3k", encoder, data, resamples=0).model["fitted"] == "beforehand"


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("hybird", "unknown model, got 'hybird'. Did you mean 'hybrid'"),
        (Letters, "a model is a name, a Pipeline, or an object with .* got <class"),
        (7, "got 7"),
        (SimpleNamespace(similarity=lambda _: [0.5]), r"scores of shape \(1,\) for 9 pairs"),
        (ByPair(lambda *_: math.inf), "an infinite score for pair 0"),
        (SimpleNamespace(encode=lambda _: np.ones(3)), r"array of shape \(3,\) for 15 texts"),
    ],
)
def test_what_cannot_be_evaluated_is_said(tmp_path: Path, model: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluate("sts3k", model, release(tmp_path), resamples=0)


# -- files


def test_ratings_of_single_raters_give_the_reliability(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    ratings = np.round(1 + 6 * np.clip(GOLD[:, None] + random.normal(0, 0.1, (9, 6)), 0, 1))
    cells = [[str(value) if random.random() > 0.2 else "" for value in row] for row in ratings]
    header = ["Main ID", "Sentence pair", *map(str, range(1, 7)), "Mean"]
    rows = [[str(i), '"quoted, and\nbroken"', *row, "3.5"] for i, row in enumerate(cells)]
    file = written(tmp_path / "raters.csv", *map(",".join, (header, *rows)))
    matrix = np.array([[float(cell or "nan") for cell in row] for row in cells]).T
    np.testing.assert_array_equal(read_ratings(file, 9), matrix)

    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["Main ID", "Sentence pair", *range(1, 7), "Mean"])
    for row in cells:
        book.active.append([1, "pair", *(float(cell) if cell else None for cell in row), 3.5])
    book.save(tmp_path / "raters.xlsx")
    np.testing.assert_array_equal(read_ratings(tmp_path / "raters.xlsx", 9), matrix)

    card = evaluate("sts3k", SHARED, release(tmp_path), resamples=0, raters=file)
    digest = sha256(file.read_bytes()).hexdigest()
    assert card.settings["raters"] == {"file": "raters.csv", "sha256": digest}
    assert card.scores["all"]["split-half"] == split_half(matrix)
    # STS3k's raters are judged with the negatives among the adversarial pairs, without checks.
    with_negatives = sorted({*range(9)} - set(NON_ADVERSARIAL))
    assert card.scores["adversarial"]["split-half"] == split_half(matrix[:, with_negatives])
    types = written(tmp_path / "types.txt", "CHECK", *["ZERO"] * 8)
    given: dict[str, Any] = {"resamples": 0, "raters": file, "types": types}
    card = evaluate("sts3k", SHARED, release(tmp_path / "2"), **given)
    assert card.scores["all"]["split-half"] == split_half(matrix[:, 1:])


def test_deviation_from_the_mean_ratings_of_kinds_of_pairs() -> None:
    kinds = ["modifiers", "modifiers", "swaps", "swaps", "paraphrases", ""]
    # Ratings: modifiers .8; swaps .2, a quarter of it; paraphrases 1 x. Scores: 1, .9, .5.
    gold = np.array([0.7, 0.9, 0.1, 0.3, 0.8, 0.5])
    scores = np.array([1.0, 1.0, 0.9, 0.9, 0.5, np.nan])
    known = pytest.approx((abs(0.9 - 0.25) + abs(0.5 - 1)) / 2)
    assert deviation(scores, gold, kinds, resamples=0) == Estimate(known, None, None, 5)
    assert deviation(scores * 7, gold / 3, kinds, resamples=0) == Estimate(known, None, None, 5)
    assert deviation(scores, gold, ["quads"] * 6) is None
    undefined = deviation(-scores, gold, kinds)
    assert undefined.note == "the mean of modifiers is not above 0"


def test_kinds_of_pairs_are_read_from_the_folder_or_a_file(tmp_path: Path) -> None:
    folder, labels = release(tmp_path), ["ONLY_MOD", "ZERO", "PARAPHRASE"] * 3

    def found(**options: Any) -> Card:
        return evaluate("sts3k", SHARED, folder, resamples=50, **options)

    assert "no group 'pair types'" in found().notes[0]
    given = found(types=written(tmp_path / "types.txt", *labels))
    table = ["Main ID;Sim;Sent Type;Mod 1", *(f"{i};.5;{one};" for i, one in enumerate(labels))]
    file = written(folder / "Data-experiment" / "STS3k_all_full_expr_501.txt", *table)
    whole = found()
    assert whole.scores == given.scores
    assert "deviation" in whole.scores["pair types"]
    assert whole.columns["type"] == tuple(labels)
    mods = ["Sent Type;Mod 1;Mod 2", *(f"{label};Time;Place" for label in labels)]
    assert read_types(written(tmp_path / "mods.txt", *mods))[0] == "ONLY_MOD +Time+Place"
    rows = ["row\ttype\tmodifiers", *(f"{i}\t{one}\t1-2" for i, one in enumerate(labels))]
    written(folder / "pair_types.tsv", *rows)  # the table beside the pairs comes first
    assert found().columns == whole.columns
    file.unlink()
    assert found().columns["type"] == tuple(f"{label} +1-2" for label in labels)
    assert found().notes == ()


# -- what cannot be read


def data_with(name: str, rows: Sequence[object]) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        data = release(folder)
        written(data / "Data-experiment" / f"STS3k_{name}.txt", *rows)
        return data

    return make


@pytest.mark.parametrize(
    ("benchmark", "made", "said"),
    [
        ("sts3k", lambda folder: folder, "expected the folder of the STS3k release"),
        ("sts3k", data_with("all", ["One a.;Two b.;0.5", "c;d;good"]), "line 2: .* got 'good'"),
        ("sts3k", data_with("non_adv_indices", [0, 9]), "line 2: expected a row from 0 to 8"),
        ("sts3k", data_with("non_adv_indices", [4, 5]), "row 4 is in .* and in"),
        ("sts3k", data_with("all_full_expr_501", ["Sent Type", "QUAD"]), "9 pairs and 1 pair ty"),
        ("sts", lambda folder: folder / "none.csv", "No such file"),
        ("sts", lambda folder: Path("-"), "cannot be standard input"),
        ("sts", lambda folder: folder, "expected a file of pairs; folders are read by"),
    ],
)
def test_bad_data_are_named(
    tmp_path: Path, benchmark: str, made: Callable[[Path], Path], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        evaluate(benchmark, SHARED, made(tmp_path), resamples=0)


@pytest.mark.parametrize("lines", cases(__file__, "broken.txt"))
def test_broken_files_are_named(tmp_path: Path, lines: list[str]) -> None:
    (benchmark, name), said, content = lines[0].split(), lines[1], lines[2:]
    written(tmp_path / name, *content)
    with pytest.raises(InputError, match=said):
        evaluate(benchmark, Letters(), tmp_path / name, resamples=0)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([0.5] * 8, "has 8 similarities and the data 9 pairs"),
        ([0.5], "has 1 similarity and the data 9 pairs"),
        (["0.5", "half", *[0.5] * 7], "line 2: expected a finite number or nan, got 'half'"),
        (["inf", *[0.5] * 8], "line 1: expected a finite number or nan"),
        ([0.5, "", *[0.5] * 7], "line 2: an empty line between numbers"),
    ],
)
def test_bad_similarities_are_named(tmp_path: Path, values: list[object], said: str) -> None:
    file = written(tmp_path / "similarities.txt", *values)
    with pytest.raises(InputError, match=said):
        evaluate("sts3k", similarities_file(file), release(tmp_path), resamples=0)


def test_bad_files_of_ratings_and_splits_are_named(tmp_path: Path) -> None:
    data = release(tmp_path)
    for name, rows, said in (
        ("no.csv", ["pair,a", "1,2"], "line 1: expected a header with the raters' numbers"),
        ("few.csv", ["1,2,3", "4,5,6"], "ratings of 1 pairs and the data 9"),
        ("bad.csv", ["1,2", "4,five"], "line 2: column 2: expected a number, got 'five'"),
        ("no.xlsx", ["text"], "cannot be read as an Excel workbook"),
    ):
        with pytest.raises(HybridSemError, match=said):
            evaluate("sts3k", SHARED, data, resamples=0, raters=written(tmp_path / name, *rows))
    with pytest.raises(InputError, match="unknown split, got 'dve'; it is one of train, dev, test"):
        evaluate("stsb", SHARED, tmp_path, split="dve")
    with pytest.raises(InputError, match=r"stsb-en-test\.csv is the split 'test', got split 'dev'"):
        evaluate("stsb", SHARED, written(tmp_path / "stsb-en-test.csv", "a,b,1"), split="dev")


@pytest.mark.parametrize("bad", [0.0, np.nan, np.inf, 1e200])
def test_a_vector_without_direction_has_no_cosine(tmp_path: Path, bad: float) -> None:
    model = ByText(lambda text: [len(text), 1] if "won" not in text else [bad, bad])
    card = evaluate("sts3k", model, release(tmp_path), resamples=0)
    assert (card.counts["failed"], card.columns["score"][7]) == (1, None)
