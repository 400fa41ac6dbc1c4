"""Labels, probabilities and scores of pairs with a label, as a table of figures by group.

    python -m benchmarks.judged_pairs phrases [--split dev|test] [--errors]
    python -m benchmarks.judged_pairs facts [--split dev|test] [--data ../shared/data] [--errors]

The tables are ``models/phrases/pairs.tsv`` and ``models/facts``, whose rows of CNN/DailyMail need
``--data``. The figures are of all pairs, and by label, source, relation and kind. ``--errors``
lists what is decided wrongly in dev, the most probable first.

    right    the label is right, of the pairs with a decided label
    decided  the label is not "unsure"
    sure     the most probable label has .9 or more
    wrong    of the sure ones, another label is right
    ECE      the expected calibration error of the most probable label
    triples  the share of sentences whose paraphrase has a higher score than the distractor; a tie
             counts half
    AUC      the score of equal facts is above that of disjoint ones

Intervals are of 95 % (bootstrap over pairs).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np

from benchmarks.command import figure, print_head, print_row, run
from hybridsem import Pipeline
from hybridsem._typing import Float64Array, IntArray
from hybridsem.evaluation.statistics.classification import classification
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.facts.values import FactRelation
from hybridsem.judge.judgement import Judgement
from hybridsem.judge.labels import LABELS, Label
from models.corpora import SPLITS, LabelledPair
from models.facts import fact_pairs
from models.judge.learn import calibration_error
from models.phrases import phrase_pairs

SURE, RESAMPLES = 0.9, 2000
MEANS = ("right", "decided", "sure", "wrong")
SCORES = ("hybrid", "cosine")
Compare = Callable[[Float64Array, IntArray], Estimate]


class JudgedPairs:
    """The judgements and scores of pairs, as columns.

    Args:
        pairs: The pairs.
        columns: By whose values pairs are grouped: attributes of a pair.
        compared: The name of the figure that compares the scores of rows.
        compare: What gives it.
    """

    def __init__(
        self, pairs: Sequence[LabelledPair], columns: Sequence[str], compared: str, compare: Compare
    ) -> None:
        self.pairs, self.columns, self.compared, self.compare = pairs, columns, compared, compare
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
        right = self.probabilities.argmax(axis=1) == self.gold
        sure = self.probabilities.max(axis=1) >= SURE
        labels = [judgement.label for judgement in self.judgements]
        decided = np.array([label not in (None, Label.UNSURE) for label in labels])
        # What is printed is the mean; NaN where a pair takes no part.
        self.means: Mapping[str, Float64Array] = {
            "right": np.where(decided, right, np.nan),
            "decided": decided.astype(float),
            "sure": sure.astype(float),
            "wrong": np.where(sure, ~right, np.nan),
        }

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
        for column in self.columns:
            values = [str(getattr(pair, column)) for pair in self.pairs]
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


def triples_won(scores: Float64Array, rows: IntArray) -> Estimate:
    """Return the share of triples won, of the sentences with a pair in rows; paraphrases are in
    even rows, each before the distractor of its sentence.
    """
    paraphrases = np.unique(rows // 2) * 2
    wins = (1 + np.sign(scores[paraphrases] - scores[paraphrases + 1])) / 2
    return summaries({"wins": Column(wins)}, RESAMPLES)["wins"]


def phrases(split: Annotated[str, SPLITS] = "dev", errors: bool = False) -> None:
    """Paraphrases of phrases, and sentences that look alike."""
    check(split, errors)
    pairs = phrase_pairs(split)
    JudgedPairs(pairs, ("label", "kind"), "triples", triples_won).print_table(errors)


def facts(
    split: Annotated[str, SPLITS] = "dev",
    data: Annotated[Path | None, "the folder that has sage/"] = None,
    errors: bool = False,
) -> None:
    """Pairs that differ in a fact or in its notation."""
    check(split, errors)
    pairs = fact_pairs(split, data)
    relations = np.array([pair.relation for pair in pairs])

    def area(scores: Float64Array, rows: IntArray) -> Estimate:
        equal = relations[rows] == FactRelation.EQUAL
        ends = equal | (relations[rows] == FactRelation.DISJOINT)
        return classification(scores[rows[ends]], equal[ends], ("auc",), RESAMPLES)["auc"]

    JudgedPairs(pairs, ("source", "relation", "kind"), "AUC", area).print_table(errors)


COMMANDS = {"phrases": phrases, "facts": facts}

if __name__ == "__main__":
    run(COMMANDS)
