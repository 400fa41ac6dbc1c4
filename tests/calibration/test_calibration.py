"""Calibrating on own pairs: curves that are found again, thresholds for what is wanted, files that
belong to one model, decisions in scored files.
"""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from support.commands import Run

from hybridsem import Pipeline
from hybridsem._typing import BoolArray, Float64Array
from hybridsem.calibration import LabelledPairs, calibrate, labelled, read_calibration
from hybridsem.calibration.fitting import FITS, HeldOut
from hybridsem.calibration.model import SCORE, Calibration
from hybridsem.cli import cli
from hybridsem.combiners.base import Batch
from hybridsem.errors import InputError

MODEL = "embedded"
ANIMALS = ("dog", "cat", "horse", "goat", "duck", "crow", "mouse", "whale")
VERBS = ("sleeps", "waits", "eats", "runs")
PAIRS = [
    (f"The {animal} {verb} at home.", f"A {animal} {verb} at home.", "same")
    for animal in ANIMALS
    for verb in VERBS
] + [
    (f"The {animal} {verb} at home.", f"The {noun} fell on {day}.", "different")
    for animal, noun in zip(ANIMALS, ("price", "vase", "rain", "vote") * 2, strict=True)
    for verb, day in zip(VERBS, ("Monday", "Friday", "Sunday", "Tuesday"), strict=True)
]


def made_up(rows: int, seed: int = 0) -> tuple[Float64Array, BoolArray]:
    """Scores, and labels that are positive with the probability 1 / (1 + exp(-8 (score - .6)))."""
    random = np.random.default_rng(seed)
    scores = random.uniform(0, 1, (rows, 1))
    return scores, random.random(rows) < truth(scores[:, 0])


def truth(scores: Float64Array) -> Float64Array:
    return 1 / (1 + np.exp(-8 * (scores - 0.6)))


class Given:
    """A model that scores the pairs ("a0", "b0"), ("a1", "b1"), ... as given."""

    def __init__(self, given: Float64Array) -> None:
        self.given = given[:, 0]
        self.reader = self.parts = self.combiner = self
        self.settings, self.contents = {"model": "given"}, dict[str, str]()

    def batches(self, pairs: list[tuple[str, str]]) -> list[Batch]:
        texts = [text for pair in pairs for text in pair]
        return [Batch(texts, [(at, at + 1) for at in range(0, len(texts), 2)])]

    def scores(self, batch: Batch) -> Float64Array:
        return self.given[[int(batch.sentences[one][1:]) for one, _ in batch.pairs]]


def given(rows: int = 300) -> tuple[Given, LabelledPairs]:
    scores, y = made_up(rows)
    return Given(scores), LabelledPairs([(f"a{i}", f"b{i}") for i in range(rows)], y, "made up")


@pytest.mark.parametrize(("method", "near"), [("platt", 0.03), ("isotonic", 0.09)])
def test_a_curve_is_found_again(method: str, near: float) -> None:
    scores, y = made_up(4000)
    curve = FITS[method](scores, y)
    found = Calibration(pipeline={}, of=SCORE, model=curve, threshold=0.5)
    asked = np.linspace(0.05, 0.95, 19)
    curve = found.probabilities(asked[:, None])
    assert np.abs(curve - truth(asked)).max() < near
    assert (np.diff(curve) >= 0).all()


@pytest.mark.parametrize(
    ("wanted", "reached"), [({"precision": 0.85}, "precision"), ({"recall": 0.9}, "recall")]
)
def test_what_is_wanted_is_reached(wanted: dict[str, float], reached: str) -> None:
    pipeline, data = given()
    found = calibrate(pipeline, data, resamples=100, **wanted)
    figure = getattr(found.chosen, reached)
    assert figure.value >= wanted[reached]
    assert figure.low <= figure.value <= figure.high
    dear = [calibrate(pipeline, data, cost=cost, resamples=0) for cost in ((1, 5), (1, 1), (5, 1))]
    assert dear[1].chosen.precision.low is None
    at = [one.calibration.threshold for one in dear]
    assert at == sorted(at)
    assert at[0] < at[2]


def test_held_out_figures_are_near_the_truth() -> None:
    pipeline, data = given(2000)
    found = calibrate(pipeline, data, resamples=50)
    assert found.calibration.training["method"] == "isotonic"  # by the size
    assert found.error.value < 0.05
    assert found.auc.value == pytest.approx(0.87, abs=0.04)
    assert sum(one.pairs for one in found.bins) == 2000


def test_the_area_is_that_of_pairs_in_order() -> None:
    probabilities, y = np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, True, False, True])
    area = HeldOut(probabilities, y, resamples=0, seed=0).auc
    assert area.value == pytest.approx((1 + 1 + 1 + 0.5) / 4)


def test_inverted_labels_are_noted() -> None:
    pipeline, data = given(300)
    assert calibrate(pipeline, data, resamples=50).notes == ()
    inverted = replace(data, positive=~data.positive)
    [note] = calibrate(pipeline, inverted, resamples=50).notes
    assert note.startswith("positive pairs (made up) score lower than negative ones (AUC 0.")
    assert "inverted" in note


@pytest.mark.parametrize(
    ("rows", "positive", "rating", "message"),
    [
        (PAIRS[:40], (), None, "at least 50 labelled pairs are needed, got 40"),
        (
            [(*pair[:2], "same") for pair in PAIRS],
            (),
            None,
            r"all 64 pairs are positive \(the same\); .* at least 10 of each class",
        ),
        (PAIRS[:32] + PAIRS[:20] + PAIRS[60:], (), None, "at least 10 positive and 10 negative"),
        (PAIRS, ("alike",), None, "no pair has the label 'alike'; they have 'different', 'same'"),
        (PAIRS, (), 3.0, "ratings are numbers"),
        ([(*pair[:2], "4") for pair in PAIRS], (), None, r"rating_from= \(--from RATING\)"),
        ([("A.", " ", 1), *PAIRS], (), None, "pair 0, sentence 2"),
        ([("A.", "B.", n % 2) for n in range(60)], (), None, "all 60 rows are the same pair"),
    ],
)
def test_what_cannot_be_used_is_said(
    rows: list[tuple[str, str, str]], positive: tuple[str, ...], rating: float | None, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        labelled(rows, positive, rating)


def test_ratings_and_missing_labels() -> None:
    rows = [(one, two, 4.5 if label == "same" else 1.0) for one, two, label in PAIRS]
    found = labelled([*rows, ("A dog.", "A cat.", None)], rating_from=4)
    assert found.positive.sum() == 32
    assert found.notes == ("1 pairs have no label and are left out",)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"precision": 0.9, "recall": 0.5}, "choose one target"),
        ({"precision": 1.5}, "lies between 0 and 1"),
        ({"cost": (-1, 1)}, "costs are at least 0"),
        ({"of": "votes"}, "unknown input"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, object], message: str) -> None:
    pipeline, data = given()
    with pytest.raises(InputError, match=message):
        calibrate(pipeline, data, **settings)


def test_a_precision_beyond_reach_is_said() -> None:
    pipeline, data = given()
    data = LabelledPairs(data.pairs, np.arange(300) % 2 == 0, "by turns")
    with pytest.raises(InputError, match="no threshold has a precision of 0.99"):
        calibrate(pipeline, data, precision=0.99)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A calibration of the encoder's cosine, by the command."""
    folder = tmp_path_factory.mktemp("calibration")
    with (folder / "pairs.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([("s1", "s2", "label"), *PAIRS])
    out = folder / "calibration.json"
    command = ["calibrate", str(folder / "pairs.csv"), "-o", str(out), "-m", MODEL]
    plot = ["--plot", str(folder / "plot.svg")]
    result = CliRunner().invoke(cli, [*command, *plot], catch_exceptions=False)
    assert "threshold: a probability of" in result.output
    assert (folder / "plot.svg").read_text("utf-8").startswith("<svg")
    with pytest.raises(InputError, match="--force replaces it"):
        CliRunner().invoke(cli, command, catch_exceptions=False)
    return out


def test_a_pipeline_decides(file: Path) -> None:
    nlp = Pipeline(MODEL, calibration=file)
    alike, other = nlp.decide([PAIRS[0][:2], PAIRS[-1][:2]])
    assert alike.decision
    assert not other.decision
    assert alike.probability > 0.5 > other.probability
    assert alike.score == nlp.similarity(*PAIRS[0][:2])
    assert nlp.decide(*PAIRS[0][:2]) == alike
    limit = read_calibration(file).score_threshold
    assert other.score < limit[0] <= alike.score


def test_scored_files_have_decisions(file: Path, run: Run) -> None:
    command = f"score {file.parent}/pairs.csv -m {MODEL} --calibration {file} --workers 2"
    assert run(f"{command} -o out.csv").code == 0
    rows = list(csv.DictReader(Path("out.csv").read_text(encoding="utf-8").splitlines()))
    found = Pipeline(MODEL, calibration=file).decide([pair[:2] for pair in PAIRS])
    assert [row["decision"] for row in rows] == [str(int(one.decision)) for one in found]
    assert [row["probability"] for row in rows] == [f"{one.probability:.6f}" for one in found]


def test_a_calibration_belongs_to_one_model(file: Path) -> None:
    with pytest.raises(InputError, match="made for other scores: .*model='embedded'"):
        Pipeline("hybrid", calibration=file)
    with pytest.raises(InputError, match="a decision needs a calibration"):
        Pipeline(MODEL).decide(*PAIRS[0][:2])
    with pytest.raises(InputError, match="was changed since"):
        Pipeline(MODEL, calibration=f"{file},sha={'0' * 64}")
