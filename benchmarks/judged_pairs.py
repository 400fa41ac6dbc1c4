"""Labels, probabilities and scores of pairs with a label, as a table of figures by group.

    right    the label is right, of the pairs with a decided label
    decided  the label is not "unsure"
    sure     the most probable label has .9 or more
    wrong    of the sure ones, another label is right
    ECE      the expected calibration error of the most probable label

Intervals are of 95 % (bootstrap over pairs).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeVar

import numpy as np

from benchmarks.command import print_head, print_row
from hybridsem import Pipeline
from hybridsem._typing import Float64Array, IntArray
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.judge.judgement import Judgement
from hybridsem.judge.labels import LABELS, Label
from models.judge.learn import calibration_error
from models.labelled import LabelledPair

SURE, RESAMPLES = 0.9, 2000
MEANS = ("right", "decided", "sure", "wrong")
SCORES = ("hybrid", "cosine")
Pair = TypeVar("Pair", bound=LabelledPair)


class JudgedPairs(ABC, Generic[Pair]):
    """The judgements and scores of pairs, as columns."""

    compared: str
    """The figure of each score that a table has."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self.pairs = pairs
        texts = [(pair.sentence1, pair.sentence2) for pair in pairs]
        self.judgements: list[Judgement] = Pipeline("hybrid").judge(texts)
        self.scores: dict[str, Float64Array] = {
            "hybrid": np.array([judgement.score for judgement in self.judgements]),
            "cosine": np.array(Pipeline("embedded").score(texts)),
        }
        unread = dict.fromkeys(LABELS, 1 / len(LABELS))
        self.probabilities: Float64Array = np.array(
            [list((judgement.probabilities or unread).values()) for judgement in self.judgements]
        )
        self.gold: IntArray = np.array([LABELS.index(pair.label) for pair in pairs])
        self.means = self._means()

    def _means(self) -> Mapping[str, Float64Array]:
        """Return the columns whose means are printed, NaN where a pair takes no part."""
        right = self.probabilities.argmax(axis=1) == self.gold
        sure = self.probabilities.max(axis=1) >= SURE
        labels = [judgement.label for judgement in self.judgements]
        decided = np.array([label not in (None, Label.UNSURE) for label in labels])
        return {
            "right": np.where(decided, right, np.nan),
            "decided": decided.astype(float),
            "sure": sure.astype(float),
            "wrong": np.where(sure, ~right, np.nan),
        }

    @abstractmethod
    def compare(self, scores: Float64Array, rows: IntArray) -> Estimate:
        """Return the figure that compares the scores of rows."""

    @abstractmethod
    def columns(self) -> Mapping[str, Sequence[str]]:
        """Return the columns by whose values pairs are grouped."""

    def cells(self, rows: IntArray) -> list[str]:
        """Return the figures of rows."""
        columns = {name: Column(values[rows]) for name, values in self.means.items()}
        estimates = summaries(columns, RESAMPLES)
        error = calibration_error(self.probabilities[rows], self.gold[rows])
        means = [interval(estimates[name]) for name in MEANS]
        compared = [interval(self.compare(self.scores[name], rows)) for name in SCORES]
        return [str(len(rows)), *means, figure(error), *compared]

    def groups(self) -> Iterator[tuple[str, IntArray]]:
        """Yield the names and rows of all pairs, and of each value of the columns."""
        yield "all", np.arange(len(self.pairs))
        for column, values in self.columns().items():
            for value in dict.fromkeys(values):
                yield f"{column} {value}", np.flatnonzero(np.array(values) == value)

    def errors(self) -> Iterator[str]:
        """Yield the pairs that are decided wrongly, the most probable first."""
        wrong = np.flatnonzero(self.means["right"] == 0)
        for row in wrong[np.argsort(-self.probabilities[wrong].max(axis=1), kind="stable")]:
            pair, judgement = self.pairs[row], self.judgements[row]
            yield (
                f"{pair.id} ({pair.kind}): {pair.label}, got {judgement.label} "
                f"{figure(judgement.probability)}, score {figure(judgement.score)}"
            )
            yield from (f"    {text}" for text in (pair.sentence1, pair.sentence2))
            yield from (f"    - {reason}" for reason in judgement.reasons[:2])

    def print_table(self, errors: bool) -> None:
        compared = (f"{self.compared}, {name}" for name in SCORES)
        print_head("pairs of", "number", *MEANS, "ECE", *compared)
        for name, rows in self.groups():
            print_row(name, *self.cells(rows))
        if errors:
            print(*self.errors(), sep="\n")


def figure(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1)


def interval(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return figure(estimate.value)
    return f"{figure(estimate.value)} [{figure(estimate.low)}, {figure(estimate.high)}]"


def check(split: str, errors: bool) -> None:
    """Exit if errors of the test split are asked for."""
    if errors and split != "dev":
        raise SystemExit("errors of the test split are not looked at: --errors is for dev")
