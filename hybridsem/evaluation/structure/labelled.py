"""Pairs with labels: paraphrases with the same words (PAWS), and natural-language inference."""

from __future__ import annotations

import numpy as np

from hybridsem._utils.progress import status
from hybridsem.datasets import labelled_pairs as labelled
from hybridsem.datasets.labelled_pairs import LabelledPairs
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.comparison import ClassComparison, ClassMeasure
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.statistics import classification as classes
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.structure.judged import THREE, judgements_of
from hybridsem.evaluation.structure.scoring import counts_of, rounded, rows_by, scored
from hybridsem.evaluation.task import Measured, declared

ENTAILMENT, _, CONTRADICTION = THREE
PAWS = {
    name: ClassMeasure(name, (labelled.PARAPHRASE,)) for name in classes.CLASSIFICATION_MEASURES
}
AREAS = {
    "entailment auc": ClassMeasure("auc", (ENTAILMENT,)),
    "contradiction auc": ClassMeasure("auc", (CONTRADICTION,), sign=-1),
    "contradiction against entailment auc": ClassMeasure(
        "auc", (CONTRADICTION,), among=(ENTAILMENT, CONTRADICTION), sign=-1
    ),
}
THREE_LABELS, ENTAILED = "accuracy of three labels", "accuracy of entailment or not"
HELD = 0.9
WRONG = f"wrong of those held at {HELD:g}"


def measure_paws(data: LabelledPairs, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure how well the score separates paraphrases from other pairs."""
    scores, unread = scored(data.pairs, tested, settings)
    positive = np.array(data.labels) == labelled.PARAPHRASE
    with status("resampling", settings.progress):
        found = {"all": classes.classification(scores, positive, **settings.drawing)}
    own = {"detokenised": not settings.options.get("as_written")}
    counts = counts_of(scores, unread)
    return Measured(found, counts, {"score": rounded(scores), "label": data.labels}, settings=own)


def measure_entailment(data: LabelledPairs, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure areas under the curve, the mean score by label, and the accuracy of a judge."""
    scores, unread = scored(data.pairs, tested, settings)
    labels, by_label = np.array(data.labels), rows_by(data.labels)
    groups = {label: by_label[label] for label in THREE if label in by_label}
    whole: dict[str, Estimate] = {}
    with status("resampling", settings.progress):
        for name, area in AREAS.items():
            chosen = area.rows(labels, np.arange(len(labels)))
            given = area.sign * scores[chosen], np.isin(labels[chosen], area.positive)
            whole[name] = classes.classification(*given, ("auc",), **settings.drawing)["auc"]
        found = {"all": whole} | {
            label: summaries({"mean score": Column(scores[rows])}, **settings.drawing)
            for label, rows in groups.items()
        }
        if judged := _judged(data, tested):
            whole |= summaries(judged, **settings.drawing)
            for kind, rows in rows_by(data.kinds).items():
                of_kind = {name: Column(column.values[rows]) for name, column in judged.items()}
                found[kind], groups[kind] = summaries(of_kind, **settings.drawing), rows
    counts = counts_of(scores, unread) | {"unlabelled": data.unlabelled}
    return Measured(found, counts, {"score": rounded(scores), "label": data.labels}, groups)


def _judged(data: LabelledPairs, tested: EvaluatedModel) -> dict[str, Column]:
    """Return where the judge is right, and wrong where held at :data:`HELD`; NaN is missing."""
    judgements = judgements_of(data.pairs, tested)
    if judgements is None:
        return {}
    three = np.array([judgement.of_three() for judgement in judgements])
    gold = np.array([THREE.index(label) for label in data.labels])
    missing = np.isnan(three[:, 0])
    right = np.where(missing, np.nan, three.argmax(axis=1) == gold)
    follows = np.where(missing, np.nan, (three[:, 0] > 0.5) == (gold == 0))
    held = np.maximum(three[:, 0], 1 - three[:, 0]) >= HELD
    columns = {ENTAILED: Column(follows), WRONG: Column(np.where(held, 1 - follows, np.nan))}
    three_way = {THREE_LABELS: Column(right)} if CONTRADICTION in data.labels else {}
    return three_way | columns


TASKS = (
    declared("paws", load=labelled.paws, measure=measure_paws, comparison=ClassComparison(PAWS)),
    declared(
        "entailment",
        load=labelled.inference,
        measure=measure_entailment,
        comparison=ClassComparison(AREAS),
    ),
)
