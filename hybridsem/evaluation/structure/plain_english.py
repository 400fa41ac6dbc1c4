"""``plain-english``: the score and the judge on pairs, triples and passages of everyday English.

Rows of a card are pairs, then passages, then crossed passages, then triples.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hybridsem._typing import AnyArray, Float64Array, IntArray, SentencePairs
from hybridsem.datasets import plain_english as plain
from hybridsem.datasets.plain_english import PlainEnglish, PlainPair, PlainTriple
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.comparison import ClassComparison, ClassMeasure
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.statistics.classification import classification, macro_f1
from hybridsem.evaluation.statistics.rating_correlations import Estimate, correlations
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.structure import judged
from hybridsem.evaluation.structure.judged import AREA, SCORE, above
from hybridsem.evaluation.structure.scoring import by_group, counts_of, rounded, rows_by, scored
from hybridsem.evaluation.task import Measured, declared
from hybridsem.judge.labels import LABELS, Label

SPEARMAN, RIGHT, ORDERED = "spearman", "right where decided", "triples ordered"
PASSAGES, CROSSED = "auc of passages", "auc of crossed passages"
SIMILARITY = "similarity"
LEAST = 20  # the fewest rows of a phenomenon with figures
SAME, TRIPLE = str(Label.SAME), "triple"
SAME_PASSAGE, ALTERED, ALTERED_CROSSED = "same passage", "altered passage", "crossed passage"
SITUATION = tuple(str(label) for label in LABELS if label is not Label.UNRELATED)
AREAS = {
    AREA: ClassMeasure("auc", (SAME,), SITUATION, least=LEAST),
    PASSAGES: ClassMeasure("auc", (SAME_PASSAGE,), (SAME_PASSAGE, ALTERED), least=LEAST),
    CROSSED: ClassMeasure("auc", (SAME_PASSAGE,), (SAME_PASSAGE, ALTERED_CROSSED), least=LEAST),
}
BY_THE_JUDGE = {name: f"{name} by the judge" for name in AREAS} | {AREA: judged.JUDGED_AREA}


def measure(data: PlainEnglish, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure the score, and a judge, on pairs, passages and triples."""
    pairs = [(item.sentence1, item.sentence2) for item in data.labelled]
    scores, unread = scored(data.text_pairs(), tested, settings)
    paraphrase, alteration = scores[len(pairs) :].reshape(-1, 2).T
    columns = {
        SCORE: _spread(scores[: len(pairs)], 0, data.rows),
        ORDERED: _spread(above(paraphrase, alteration), len(pairs), data.rows),
        SIMILARITY: _spread([item.similarity for item in data.pairs], 0, data.rows),
    }
    columns |= _judged(pairs, [item.label for item in data.labelled], data, tested)
    labels = [item.label for item in data.pairs]
    labels += [SAME_PASSAGE if item.label == SAME else ALTERED for item in data.passages]
    labels += [ALTERED_CROSSED] * len(data.crossed) + [TRIPLE] * len(data.triples)
    groups, named = _groups(data), np.array(labels)
    figures = lambda rows: _figures(columns, named, rows, settings)  # noqa: E731
    found = by_group(data.rows, groups, figures, settings)
    for name in groups:
        found[name] = {key: one for key, one in found[name].items() if one.value is not None}
    counts = counts_of(np.fmax(columns[SCORE], columns[ORDERED]), unread)
    kept = {name: rounded(values) for name, values in columns.items()}
    counts["disputed"] = data.disputed
    return Measured(found, counts, {**kept, "label": labels}, groups)


def _spread(values: Sequence[float] | Float64Array, start: int, rows: int) -> Float64Array:
    """Return a column of all rows, NaN but from ``start`` on."""
    column = np.full(rows, np.nan)
    column[start : start + len(values)] = values
    return column


def _groups(data: PlainEnglish) -> dict[str, list[int]]:
    """Return the rows of each domain and of each phenomenon that has :data:`LEAST`."""
    items: list[PlainPair | PlainTriple] = [*data.labelled, *data.triples]
    phenomena = rows_by(item.phenomenon.split("+") for item in items)
    often = {name: rows for name, rows in sorted(phenomena.items()) if len(rows) >= LEAST}
    groups = dict(sorted(rows_by(item.domain for item in items).items())) | often
    return {name: rows for name, rows in groups.items() if len(rows) < data.rows}


def _judged(
    texts: SentencePairs, gold: Sequence[str], data: PlainEnglish, tested: EvaluatedModel
) -> dict[str, Float64Array]:
    """Return the judge's columns: the probability of :data:`SAME`, and the label of pairs."""
    judgements = judged.judgements_of(texts, tested)
    if judgements is None:
        return {}
    unknown = dict.fromkeys(LABELS, np.nan)
    shares = np.array([list((one.probabilities or unknown).values()) for one in judgements])
    labels = np.array([LABELS.index(Label(label)) for label in gold])
    given = judged.verdicts(judgements, shares, labels)
    given[RIGHT] = np.where(given[judged.DECIDED] == 1, given[judged.ACCURACY], np.nan)
    ends = dict.fromkeys(given, len(data.pairs)) | {judged.POSITIVE_SHARE: len(gold)}
    return {name: _spread(values[: ends[name]], 0, data.rows) for name, values in given.items()}


def _figures(
    columns: dict[str, Float64Array], labels: AnyArray, rows: IntArray, settings: Settings
) -> dict[str, Estimate]:
    drawing = settings.drawing
    estimates: dict[str, Estimate] = {}
    for name, area in AREAS.items():
        chosen = area.rows(labels, rows)
        is_positive = np.isin(labels[chosen], area.positive)
        for key, column in {name: SCORE, BY_THE_JUDGE[name]: judged.POSITIVE_SHARE}.items():
            if column in columns:
                values = columns[column][chosen]
                estimates[key] = classification(values, is_positive, ("auc",), **drawing)["auc"]
    pairs = rows[np.isin(labels[rows], list(LABELS))]
    graded = columns[SCORE][pairs], columns[SIMILARITY][pairs]
    estimates |= correlations(*graded, [SPEARMAN], **drawing)
    triples = rows[labels[rows] == TRIPLE]
    estimates |= summaries({ORDERED: Column(columns[ORDERED][triples])}, **drawing)
    if judged.GUESS in columns:
        gold = np.array([LABELS.index(label) for label in labels[pairs]])
        estimates[judged.MACRO_F1] = macro_f1(columns[judged.GUESS][pairs], gold, **drawing)
        means = (judged.ACCURACY, judged.DECIDED, RIGHT, judged.WRONG)
        estimates |= summaries({name: Column(columns[name][pairs]) for name in means}, **drawing)
    return estimates


_COMPARED = ClassComparison(AREAS, (judged.ACCURACY, judged.DECIDED, ORDERED))
_CODE = {"comparison": _COMPARED, "packaged": lambda: plain.FOLDER}
TASKS = (declared("plain-english", plain.plain_english, measure, **_CODE),)
