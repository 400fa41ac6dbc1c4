"""Labelled pairs by the score and by the judge, and a paraphrase against an alteration."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path

import numpy as np

from hybridsem._typing import Float64Array, IntArray, Record, SentencePairs
from hybridsem._utils.progress import status
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.datasets import labelled_pairs as labelled
from hybridsem.datasets import triples
from hybridsem.datasets.labelled_pairs import SETS, LabelledPairs, labelled_set
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.triples import Triples
from hybridsem.evaluation.comparison import ClassComparison, ClassMeasure, MeanComparison
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.statistics import classification as classes_of
from hybridsem.evaluation.statistics.classification import classification, macro_f1
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
BOTH, FIRST, SECOND = "both", "first half", "second half"
ABOVE, MARGIN, SEPARATION = "accuracy", "margin", "auc"


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
    judged = labelled.RELATED not in classes
    judgements = judgements_of(data.pairs, tested, data.assume) if judged else None
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
    own = {"assume": data.assume}
    return Measured(found, counts, {**kept, "label": data.labels}, groups, settings=own)


def judgements_of(
    pairs: SentencePairs, tested: EvaluatedModel, assume: str = labelled.READINGS[0]
) -> list[Judgement] | None:
    """Return the judgement of each pair; None of a model without a judge."""
    pipeline = tested.pipeline
    if pipeline is None or not isinstance(pipeline.combiner, HybridCombiner):
        return None
    return pipeline.judge(list(pairs), assume=assume)


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


_OF_CLASSES = classes_of.CLASSIFICATION_MEASURES
PAWS = {name: ClassMeasure(name, (labelled.PARAPHRASE,)) for name in _OF_CLASSES}
_CONTRADICTED = (labelled.CONTRADICTION,), (labelled.ENTAILMENT, labelled.CONTRADICTION)
AREAS = {
    "entailment auc": ClassMeasure("auc", (labelled.ENTAILMENT,)),
    "contradiction auc": ClassMeasure("auc", (labelled.CONTRADICTION,), sign=-1),
    "contradiction against entailment auc": ClassMeasure("auc", *_CONTRADICTED, sign=-1),
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
    columns: dict[str, Sequence[float | str | None]] = {
        "score": rounded(scores),
        "label": data.labels,
    }
    return Measured(found, counts, columns, groups, settings={"assume": data.assume})


def _entailed(data: LabelledPairs, tested: EvaluatedModel) -> dict[str, Column]:
    """Return where the judge is right, and wrong where held at :data:`SURE`; NaN is missing."""
    judgements = judgements_of(data.pairs, tested, data.assume)
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


def measure_sugarcrepe(data: Triples, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure how often the two captions are closer to each other than to the negative one."""
    three = (combinations(item[1:], 2) for item in data.items)
    scores, unread = scored([*chain.from_iterable(three)], tested, settings)
    paraphrase, first, second = scores.reshape(-1, 3).T
    halves = {FIRST: above(paraphrase, first), SECOND: above(paraphrase, second)}
    columns = {BOTH: halves[FIRST] * halves[SECOND], **halves}
    kept = {"paraphrase": paraphrase, "negative of the first": first}
    kept["negative of the second"] = second
    return _measured(data, columns, kept, unread, settings)


def measure_minimal_pairs(data: Triples, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure how often, and by how much, a paraphrase scores higher than an alteration."""
    scores, unread = scored(data.text_pairs(), tested, settings)
    paraphrase, alteration = scores.reshape(-1, 2).T
    columns = {ABOVE: above(paraphrase, alteration), MARGIN: paraphrase - alteration}
    kept = {"paraphrase": paraphrase, "alteration": alteration}
    both, same = np.concatenate([paraphrase, alteration]), np.repeat([True, False], data.rows)
    area = classification(both, same, (SEPARATION,), **settings.drawing)
    return _measured(data, columns, kept, unread, settings, area)


def above(paraphrase: Float64Array, alteration: Float64Array) -> Float64Array:
    """Return 1 if the paraphrase scores higher, else 0 (or a tie); NaN if either is missing."""
    unknown = np.isnan(paraphrase) | np.isnan(alteration)
    return np.where(unknown, np.nan, paraphrase > alteration)


def _measured(
    data: Triples,
    columns: Mapping[str, Float64Array],
    kept: Mapping[str, Float64Array],
    unread: Mapping[str, int | None],
    settings: Settings,
    of_all: Mapping[str, Estimate] | None = None,
) -> Measured:
    groups = rows_by(item.kind for item in data.items)

    def figures(rows: IntArray) -> dict[str, Estimate]:
        own = {name: Column(column[rows]) for name, column in columns.items()}
        return summaries(own, **settings.drawing)

    found = by_group(data.rows, groups, figures, settings)
    found["all"] |= of_all or {}
    held = {name: rounded(column) for name, column in {**columns, **kept}.items()}
    counts = counts_of(next(iter(columns.values())), unread)
    return Measured(found, counts, {**held, "kind": [item.kind for item in data.items]}, groups)


def _task(name: str, row: Record) -> Task:
    about = {key: row[key] for key in ("summary", "layout", "licence", "citation")}
    options = option("split"), option("as_written"), option("assume")
    return replace(EVERYDAY, name=name, load=labelled_set(name), options=options, **about)


COMPARISON = ClassComparison({AREA: ClassMeasure(AREA, POSITIVE)}, (ACCURACY, DECIDED))
_HALVES = {"comparison": MeanComparison((BOTH, FIRST, SECOND))}
_MINIMAL = {"comparison": MeanComparison((ABOVE, MARGIN)), "packaged": lambda: triples.PACKAGED}
EVERYDAY = declared("everyday", load_everyday, measure, comparison=COMPARISON)
_OF_AREAS = ClassComparison(AREAS)
TASKS = (
    declared("paws", labelled.paws, measure_paws, comparison=ClassComparison(PAWS)),
    declared("entailment", labelled.inference, measure_entailment, comparison=_OF_AREAS),
    EVERYDAY,
    *(_task(name, row) for name, row in SETS.items() if "layout" in row),
    declared("sugarcrepe-pp", triples.sugarcrepe_pp, measure_sugarcrepe, **_HALVES),
    declared("minimal-pairs", triples.minimal_pairs, measure_minimal_pairs, **_MINIMAL),
)
