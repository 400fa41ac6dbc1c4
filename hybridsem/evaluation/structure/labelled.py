"""Pairs with labels: paraphrases with the same words (PAWS), and natural-language inference."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybridsem._utils.progress import status
from hybridsem.datasets.labelled_pairs import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    PARAPHRASE,
    LabelledPairs,
    inference,
    paws,
)
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.comparison import ClassComparison, ClassMeasure
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.statistics.classification import (
    CLASSIFICATION_MEASURES,
    classification,
)
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.structure.judged import judgements_of
from hybridsem.evaluation.structure.scoring import counts_of, rounded, rows_by, scored
from hybridsem.evaluation.task import Measured, declared

PAWS = {name: ClassMeasure(name, (PARAPHRASE,)) for name in CLASSIFICATION_MEASURES}
AREAS = {
    "entailment auc": ClassMeasure("auc", (ENTAILMENT,)),
    "contradiction auc": ClassMeasure("auc", (CONTRADICTION,), sign=-1),
    "contradiction against entailment auc": ClassMeasure(
        "auc", (CONTRADICTION,), among=(ENTAILMENT, CONTRADICTION), sign=-1
    ),
}

THREE = (ENTAILMENT, NEUTRAL, CONTRADICTION)
THREE_LABELS, ENTAILED = "accuracy of three labels", "accuracy of entailment or not"
HELD = 0.9
WRONG = f"wrong of those held at {HELD:g}"


def measure_paws(data: LabelledPairs, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure how well the score separates paraphrases from other pairs."""
    scores, unread = scored(data.pairs, tested, settings)
    with status("resampling", settings.progress):
        found = classification(scores, np.isin(data.labels, (PARAPHRASE,)), **settings.drawing)
    own = {"detokenised": not settings.options.get("as_written")}
    columns: dict[str, Any] = {"score": rounded(scores), "label": list(data.labels)}
    return Measured({"all": found}, counts_of(scores, unread), columns, settings=own)


def measure_entailment(data: LabelledPairs, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure areas under the curve, the mean score by label, and the accuracy of a judge."""
    scores, unread = scored(data.pairs, tested, settings)
    labels, by_label = np.array(data.labels), rows_by(data.labels)
    found: dict[str, Estimate] = {}
    with status("resampling", settings.progress):
        for name, (statistic, positive, among, sign) in AREAS.items():
            rows = np.isin(labels, among) if among else np.ones(len(labels), bool)
            is_positive = np.isin(labels[rows].tolist(), positive)
            given = sign * scores[rows], is_positive, (statistic,)
            found[name] = classification(*given, **settings.drawing)[statistic]
        means = {
            label: summaries({"mean score": Column(scores[by_label[label]])}, **settings.drawing)
            for label in THREE
            if label in by_label
        }
        groups = {label: by_label[label] for label in means}
        judged = _judged(data, tested)
        if judged:
            found |= summaries(judged, **settings.drawing)
            for kind in dict.fromkeys(kind for kinds in data.kinds for kind in kinds):
                rows = np.array([kind in kinds for kinds in data.kinds])
                of_kind = {name: Column(column.values[rows]) for name, column in judged.items()}
                means[kind] = summaries(of_kind, **settings.drawing)
                groups[kind] = np.flatnonzero(rows).tolist()
    counts = counts_of(scores, unread) | {"unlabelled": data.unlabelled}
    columns: dict[str, Any] = {"score": rounded(scores), "label": list(data.labels)}
    return Measured({"all": found, **means}, counts, columns, groups)


def _judged(data: LabelledPairs, tested: EvaluatedModel) -> dict[str, Column]:
    """Return where the judge is right, and wrong where held at :data:`HELD`; NaN is missing."""
    judgements = judgements_of(data.pairs, tested)
    if judgements is None:
        return {}
    three = np.array([one.of_three() for one in judgements])
    gold = np.array([THREE.index(label) for label in data.labels])
    missing = np.isnan(three[:, 0])
    right = np.where(missing, np.nan, three.argmax(axis=1) == gold)
    follows = np.where(missing, np.nan, (three[:, 0] > 0.5) == (gold == 0))
    held = np.maximum(three[:, 0], 1 - three[:, 0]) >= HELD
    wrong = np.where(held, 1 - follows, np.nan)
    found = {ENTAILED: Column(follows), WRONG: Column(wrong)}
    return found if CONTRADICTION not in data.labels else {THREE_LABELS: Column(right), **found}


TASKS = (
    declared("paws", load=paws, measure=measure_paws, comparison=ClassComparison(PAWS)),
    declared(
        "entailment", load=inference, measure=measure_entailment, comparison=ClassComparison(AREAS)
    ),
)
