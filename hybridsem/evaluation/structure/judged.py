"""Labelled pairs by the score and by the judge: PAWS, natural-language inference, public sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np

from hybridsem._typing import Float64Array, IntArray, Record, SentencePairs
from hybridsem._utils.progress import status
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.datasets import labelled_pairs as labelled
from hybridsem.datasets.labelled_pairs import SETS, LabelledPairs, labelled_set
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.comparison import ClassComparison, ClassMeasure
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.statistics.classification import (
    CLASSIFICATION_MEASURES,
    classification,
    macro_f1,
)
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.structure.scoring import by_group, counts_of, rounded, rows_by, scored
from hybridsem.evaluation.task import Measured, Task, declared, option
from hybridsem.judge.judgement import Judgement
from hybridsem.judge.labels import Label

# Columns of a card: the score, the judge's probability of the first class, and its class.
SCORE, POSITIVE_SHARE, GUESS = "score", "probability", "judged"
AREA, JUDGED_AREA = "auc", "auc of the judge"
ACCURACY, MACRO_F1, DECIDED = "accuracy", "macro f1", "decided"
SURE = 0.9
WRONG = f"wrong of those above {SURE:g}"
# The labels whose pairs should have the higher scores.
POSITIVE = (labelled.ENTAILMENT, labelled.PARAPHRASE, labelled.RELATED)
THREE = (labelled.ENTAILMENT, labelled.NEUTRAL, labelled.CONTRADICTION)


def load_everyday(path: Path, settings: Settings) -> LabelledPairs:
    """Read the set that the option ``set``, or else the name of the file, says."""
    of_file = (name for name, row in SETS.items() if path.name in chain(*row["files"].values()))
    return labelled_set(settings.options.get("set") or next(of_file, path.stem))(path, settings)


def measure(data: LabelledPairs, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure how well the score, and a judge, tell the labels apart: all rows, and by kind."""
    scores, unread = scored(data.pairs, tested, settings)
    classes = THREE if labelled.NEUTRAL in data.known else data.known
    gold = np.array([classes.index(label) for label in data.labels])
    columns = {SCORE: scores}
    judgements = None if labelled.RELATED in classes else judgements_of(data.pairs, tested)
    if judgements is not None:
        shares = np.array([shares_of(judgement, classes) for judgement in judgements])
        columns |= verdicts(judgements, shares, gold)
    groups = {kind: rows for kind, rows in rows_by(data.kinds).items() if len(rows) < len(gold)}

    def figures(rows: IntArray) -> dict[str, Estimate]:
        own, drawing = {name: values[rows] for name, values in columns.items()}, settings.drawing
        estimates = classification(own[SCORE], gold[rows] == 0, (AREA,), **drawing)
        if GUESS in own:
            area = classification(own[POSITIVE_SHARE], gold[rows] == 0, (AREA,), **drawing)[AREA]
            estimates[JUDGED_AREA] = area
            estimates[MACRO_F1] = macro_f1(own[GUESS], gold[rows], **drawing)
            means = {name: Column(own[name]) for name in (ACCURACY, DECIDED, WRONG)}
            estimates |= summaries(means, **drawing)
        return estimates

    counts = counts_of(scores, unread) | {"unlabelled": data.unlabelled}
    counts |= {"repeated": data.repeated, "broken": data.broken}
    kept = {name: rounded(values) for name, values in columns.items()}
    found = by_group(len(gold), groups, figures, settings)
    return Measured(found, counts, {**kept, "label": data.labels}, groups)


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
    decided = [judgement.label not in (None, Label.UNSURE) for judgement in judgements]
    return {
        POSITIVE_SHARE: shares[:, 0],
        GUESS: guess,
        ACCURACY: right,
        DECIDED: np.where(missing, np.nan, decided),
        WRONG: np.where(shares.max(axis=1) > SURE, 1 - right, np.nan),
    }


def shares_of(judgement: Judgement, classes: Sequence[str]) -> Sequence[float]:
    """Return the probability of each class; two without a neutral one share what is neutral."""
    three = judgement.of_three()
    if len(classes) == len(three):
        return three
    first = three[0] + (three[1] / 2 if labelled.CONTRADICTION in classes else 0)
    if labelled.PARAPHRASE in classes:
        first = judgement.probabilities.get(Label.SAME, math.nan)
    return first, 1 - first


PAWS = {name: ClassMeasure(name, (labelled.PARAPHRASE,)) for name in CLASSIFICATION_MEASURES}
AREAS = {
    "entailment auc": ClassMeasure("auc", (labelled.ENTAILMENT,)),
    "contradiction auc": ClassMeasure("auc", (labelled.CONTRADICTION,), sign=-1),
    "contradiction against entailment auc": ClassMeasure(
        "auc", (labelled.CONTRADICTION,), (labelled.ENTAILMENT, labelled.CONTRADICTION), -1
    ),
}
THREE_LABELS, ENTAILED = "accuracy of three labels", "accuracy of entailment or not"
WRONG_HELD = f"wrong of those held at {SURE:g}"


def measure_paws(data: LabelledPairs, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure how well the score separates paraphrases from other pairs."""
    scores, unread = scored(data.pairs, tested, settings)
    positive = np.array(data.labels) == labelled.PARAPHRASE
    with status("resampling", settings.progress):
        found = {"all": classification(scores, positive, **settings.drawing)}
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
            whole[name] = classification(*given, ("auc",), **settings.drawing)["auc"]
        found = {"all": whole} | {
            label: summaries({"mean score": Column(scores[rows])}, **settings.drawing)
            for label, rows in groups.items()
        }
        if judged := _entailed(data, tested):
            whole |= summaries(judged, **settings.drawing)
            for kind, rows in rows_by(data.kinds).items():
                of_kind = {name: Column(column.values[rows]) for name, column in judged.items()}
                found[kind], groups[kind] = summaries(of_kind, **settings.drawing), rows
    counts = counts_of(scores, unread) | {"unlabelled": data.unlabelled}
    return Measured(found, counts, {"score": rounded(scores), "label": data.labels}, groups)


def _entailed(data: LabelledPairs, tested: EvaluatedModel) -> dict[str, Column]:
    """Return where the judge is right, and wrong where held at :data:`SURE`; NaN is missing."""
    judgements = judgements_of(data.pairs, tested)
    if judgements is None:
        return {}
    three = np.array([judgement.of_three() for judgement in judgements])
    gold = np.array([THREE.index(label) for label in data.labels])
    missing = np.isnan(three[:, 0])
    right = np.where(missing, np.nan, three.argmax(axis=1) == gold)
    follows = np.where(missing, np.nan, (three[:, 0] > 0.5) == (gold == 0))
    held = np.maximum(three[:, 0], 1 - three[:, 0]) >= SURE
    columns = {ENTAILED: Column(follows), WRONG_HELD: Column(np.where(held, 1 - follows, np.nan))}
    three_way = {THREE_LABELS: Column(right)} if labelled.CONTRADICTION in data.labels else {}
    return three_way | columns


def _task(name: str, row: Record) -> Task:
    about = {key: row[key] for key in ("summary", "layout", "licence", "citation")}
    options = option("split"), option("as_written")
    return replace(EVERYDAY, name=name, load=labelled_set(name), options=options, **about)


COMPARISON = ClassComparison({AREA: ClassMeasure(AREA, POSITIVE)}, (ACCURACY, DECIDED))
EVERYDAY = declared("everyday", load_everyday, measure, comparison=COMPARISON)
_OF_AREAS = ClassComparison(AREAS)
TASKS = (
    declared("paws", labelled.paws, measure_paws, comparison=ClassComparison(PAWS)),
    declared("entailment", labelled.inference, measure_entailment, comparison=_OF_AREAS),
    EVERYDAY,
    *(_task(name, row) for name, row in SETS.items() if "layout" in row),
)
