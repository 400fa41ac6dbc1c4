"""Facts: labels, probabilities and scores of pairs that differ in a fact or in its notation.

    python -m benchmarks.facts [--split dev|test] [--data ../shared/data] [--errors]

The table is ``models/facts``; its rows of CNN/DailyMail need ``--data``. For all pairs, for each
source, relation and kind, it prints

    right    the label is right, of the pairs with a decided label
    decided  the label is not "unsure"
    sure     the most probable label has .9 or more
    wrong    of the sure ones, another label is right
    ECE      the expected calibration error of the most probable label
    AUC      the score of equal facts is above that of disjoint ones: hybrid, the encoder's cosine

with intervals of 95 % (bootstrap over pairs). ``--errors`` lists what is decided wrongly in dev,
the most probable first.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from hybridsem import Pipeline
from hybridsem._typing import Float64Array, IntArray
from hybridsem.evaluation.statistics.classification import classification
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.facts.values import FactRelation
from hybridsem.judge.judgement import Judgement
from hybridsem.judge.labels import LABELS, Label
from models.facts import SPLITS, FactPair, fact_pairs
from models.judge.learn import calibration_error

SURE, RESAMPLES = 0.9, 2000
MEANS = ("right", "decided", "sure", "wrong")
SCORES = ("hybrid", "cosine")
HEAD = ("pairs of", "number", *MEANS, "ECE", *(f"AUC, {name}" for name in SCORES))


class Outcomes:
    """The judgements and scores of pairs, as columns."""

    def __init__(self, pairs: Sequence[FactPair]) -> None:
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

    def cells(self, rows: IntArray) -> list[str]:
        """Return the figures of rows."""
        columns = {name: Column(values[rows]) for name, values in self.means.items()}
        estimates = summaries(columns, RESAMPLES)
        relations = [self.pairs[row].relation for row in rows]
        ends = (FactRelation.EQUAL, FactRelation.DISJOINT)
        compared = rows[np.isin(relations, ends)]
        equal = [self.pairs[row].relation is FactRelation.EQUAL for row in compared]
        areas = [
            classification(self.scores[name][compared], equal, ("auc",), RESAMPLES)["auc"]
            for name in SCORES
        ]
        error = calibration_error(self.probabilities[rows], self.gold[rows])
        means = [interval(estimates[name]) for name in MEANS]
        return [str(len(rows)), *means, figure(error), *map(interval, areas)]

    def groups(self) -> Iterator[tuple[str, IntArray]]:
        """Yield the names and rows of all pairs, and of each source, relation and kind."""
        yield "all", np.arange(len(self.pairs))
        columns = {
            "source": [pair.source for pair in self.pairs],
            "relation": [str(pair.relation) for pair in self.pairs],
            "kind": [pair.kind for pair in self.pairs],
        }
        for column, values in columns.items():
            for value in dict.fromkeys(values):
                yield f"{column} {value}", np.flatnonzero(np.array(values) == value)

    def errors(self) -> Iterator[str]:
        """Yield the pairs that are decided wrongly, the most probable first."""
        wrong = np.flatnonzero(self.means["right"] == 0)
        for row in wrong[np.argsort(-self.probabilities[wrong].max(axis=1), kind="stable")]:
            pair, judgement = self.pairs[row], self.judgements[row]
            yield (
                f"{pair.id} ({pair.kind}, {pair.relation}): {pair.label}, got {judgement.label} "
                f"{figure(judgement.probability)}, score {figure(judgement.score)}"
            )
            yield from (f"    {text}" for text in (pair.sentence1, pair.sentence2))
            yield from (f"    - {reason}" for reason in judgement.reasons[:2])


def figure(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1)


def interval(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return figure(estimate.value)
    return f"{figure(estimate.value)} [{figure(estimate.low)}, {figure(estimate.high)}]"


def print_row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--split", choices=SPLITS, default="dev")
    parser.add_argument("--data", type=Path, help="the folder that has sage/")
    parser.add_argument("--errors", action="store_true", help="list the errors of dev")
    options = parser.parse_args()
    if options.errors and options.split != "dev":
        parser.error("errors of the test split are not looked at: --errors is for dev")
    outcomes = Outcomes(fact_pairs(options.split, options.data))
    print_row(*HEAD)
    print_row(*["---"] * len(HEAD))
    for name, rows in outcomes.groups():
        print_row(name, *outcomes.cells(rows))
    if options.errors:
        print(*outcomes.errors(), sep="\n")


if __name__ == "__main__":
    main()
