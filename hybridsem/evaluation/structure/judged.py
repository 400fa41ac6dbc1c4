"""Public sets of labelled pairs (``datasets/labelled_sets.toml``) by the score and by the judge."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array, IntArray, SentencePairs
from hybridsem._utils.progress import status
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.datasets.labelled_pairs import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    PARAPHRASE,
    RELATED,
    SETS,
    LabelledPairs,
    labelled_set,
)
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.comparison import (
    ClassComparison,
    ClassMeasure,
    MeanComparison,
    PairedTest,
)
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.statistics.classification import classification, macro_f1
from hybridsem.evaluation.statistics.rating_correlations import Difference, Estimate
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.structure.scoring import counts_of, rounded, scored
from hybridsem.evaluation.task import Measured, Task, declared, option
from hybridsem.judge.judgement import Judgement
from hybridsem.judge.labels import Label

SCORE, POSITIVE_SHARE, GUESS = "score", "probability", "judged"
"""Columns of a card: the score, the judge's probability of the first class, and its class."""
AREA, JUDGED_AREA = "auc", "auc of the judge"
ACCURACY, MACRO_F1, DECIDED = "accuracy", "macro f1", "decided"
SURE = 0.9
WRONG = f"wrong of those above {SURE:g}"
POSITIVE = (ENTAILMENT, PARAPHRASE, RELATED)
"""The labels whose pairs should have the higher scores."""
THREE = (ENTAILMENT, NEUTRAL, CONTRADICTION)


class JudgedComparison(ClassComparison):
    """Areas under the curve, and means over rows."""

    def __init__(self, areas: Mapping[str, ClassMeasure], means: tuple[str, ...]) -> None:
        super().__init__(areas)
        self.means = MeanComparison(means)
        self.tested = (*areas, *means)

    def values(self, card: Card, test: PairedTest) -> Any:
        """Return the scores and labels of an area, or the column of a mean."""
        if test.measure in self.means.tested:
            return self.means.values(card, test)
        return super().values(card, test)

    def difference(self, one: Any, two: Any, test: PairedTest) -> Difference:
        """Return the first card's statistic minus the second's."""
        if isinstance(one, Column):
            return self.means.difference(one, two, test)
        return super().difference(one, two, test)


def load_everyday(path: Path, settings: Settings) -> LabelledPairs:
    """Read the set that the option ``set``, or else the name of the file, says."""
    of_file = (name for name, row in SETS.items() if path.name in chain(*row["files"].values()))
    return labelled_set(settings.options.get("set") or next(of_file, path.stem))(path, settings)


def measure(data: LabelledPairs, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure how well the score, and a judge, tell the labels apart: all rows, and by kind."""
    scores, unread = scored(data.pairs, tested, settings)
    classes = THREE if NEUTRAL in data.known else data.known
    gold = np.array([classes.index(label) for label in data.labels])
    columns = {SCORE: scores} | _judged(data, tested, classes, gold)
    kinds = dict.fromkeys(chain(*data.kinds))
    groups = {kind: [row for row, own in enumerate(data.kinds) if kind in own] for kind in kinds}
    groups = {kind: rows for kind, rows in groups.items() if len(rows) < len(gold)}
    with status("resampling", settings.progress):
        found = {"all": _figures(columns, gold, settings)}
        for kind, rows in groups.items():
            own = {name: values[rows] for name, values in columns.items()}
            found[kind] = _figures(own, gold[rows], settings)
    counts = counts_of(scores, unread) | {
        "unlabelled": data.unlabelled,
        "repeated": data.repeated,
        "broken": data.broken,
    }
    kept: dict[str, Any] = {name: rounded(values) for name, values in columns.items()}
    return Measured(found, counts, kept | {"label": list(data.labels)}, groups)


def _judged(
    data: LabelledPairs, tested: EvaluatedModel, classes: Sequence[str], gold: IntArray
) -> dict[str, Float64Array]:
    """Return columns of a judge, NaN if missing; none without a judge, or for a set about
    questions.
    """
    judgements = None if RELATED in classes else judgements_of(data.pairs, tested)
    if judgements is None:
        return {}
    shares = np.array([shares_of(one, classes) for one in judgements])
    return verdicts(judgements, shares, gold)


def judgements_of(pairs: SentencePairs, tested: EvaluatedModel) -> list[Judgement] | None:
    """Return the judgement of each pair; None of a model without a judge."""
    pipeline = tested.pipeline
    if pipeline is None or not isinstance(pipeline.combiner, HybridCombiner):
        return None
    return pipeline.judge(list(pairs))


def verdicts(
    judgements: Sequence[Judgement], shares: Float64Array, gold: IntArray
) -> dict[str, Float64Array]:
    """Return the columns of a judge that gives each class its share, (n, classes)."""
    missing = np.isnan(shares[:, 0])
    guess = np.where(missing, np.nan, shares.argmax(axis=1))
    right = np.where(missing, np.nan, guess == gold)
    decided = [one.label not in (None, Label.UNSURE) for one in judgements]
    return {
        POSITIVE_SHARE: shares[:, 0],
        GUESS: guess,
        ACCURACY: right,
        DECIDED: np.where(missing, np.nan, decided),
        WRONG: np.where(shares.max(axis=1) > SURE, 1 - right, np.nan),
    }


def shares_of(one: Judgement, classes: Sequence[str]) -> Sequence[float]:
    """Return the probability of each class; without a neutral class, two classes share what is
    neutral.
    """
    three = one.of_three()
    if len(classes) == len(three):
        return three
    if PARAPHRASE in classes:
        same = one.probabilities.get(Label.SAME, math.nan)
        return same, 1 - same
    if CONTRADICTION in classes:
        follows = three[0] + three[1] / 2
        return follows, 1 - follows
    return three[0], 1 - three[0]


def _figures(
    columns: Mapping[str, Float64Array], gold: IntArray, settings: Settings
) -> dict[str, Estimate]:
    drawing = settings.drawing
    found = {AREA: classification(columns[SCORE], gold == 0, (AREA,), **drawing)[AREA]}
    if GUESS in columns:
        area = classification(columns[POSITIVE_SHARE], gold == 0, (AREA,), **drawing)[AREA]
        found |= {JUDGED_AREA: area, MACRO_F1: macro_f1(columns[GUESS], gold, **drawing)}
        means = {name: Column(columns[name]) for name in (ACCURACY, DECIDED, WRONG)}
        found |= summaries(means, **drawing)
    return found


def _task(name: str, row: Mapping[str, Any]) -> Task:
    about = {key: row[key] for key in ("summary", "layout", "licence", "citation")}
    return replace(EVERYDAY, name=name, load=labelled_set(name), options=OPTIONS, **about)


COMPARISON = JudgedComparison({AREA: ClassMeasure(AREA, POSITIVE)}, (ACCURACY, DECIDED))
OPTIONS = (option("split"), option("as_written"))
EVERYDAY = declared("everyday", load=load_everyday, measure=measure, comparison=COMPARISON)
TASKS = (EVERYDAY, *(_task(name, row) for name, row in SETS.items() if "layout" in row))
