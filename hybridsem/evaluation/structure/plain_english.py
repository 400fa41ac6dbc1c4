"""``plain-english``: the score and the judge on pairs, triples and passages of everyday English.

Rows of a card are pairs, then passages, then triples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem._utils.progress import status
from hybridsem.datasets.plain_english import (
    PlainEnglish,
    PlainPair,
    PlainTriple,
    packaged_plain_english,
    plain_english,
)
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.card import Card
from hybridsem.evaluation.comparison import ClassMeasure, PairedTest
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.statistics.classification import classification, macro_f1
from hybridsem.evaluation.statistics.rating_correlations import Estimate, correlations
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.structure.judged import (
    ACCURACY,
    AREA,
    DECIDED,
    GUESS,
    JUDGED_AREA,
    MACRO_F1,
    POSITIVE_SHARE,
    SCORE,
    WRONG,
    JudgedComparison,
    judgements_of,
    verdicts,
)
from hybridsem.evaluation.structure.scoring import counts_of, rounded, rows_by, scored
from hybridsem.evaluation.structure.triples import above
from hybridsem.evaluation.task import Measured, declared
from hybridsem.judge.labels import LABELS, Label

SPEARMAN, RIGHT, ORDERED = "spearman", "right where decided", "triples ordered"
PASSAGES, JUDGED_PASSAGES = "auc of passages", "auc of passages by the judge"
SIMILARITY = "similarity"
LEAST = 20
"""The fewest rows of a phenomenon with figures."""
SAME, SAME_PASSAGE = str(Label.SAME), "same passage"
SITUATION = tuple(str(label) for label in LABELS if label is not Label.UNRELATED)
AREAS = {
    AREA: ClassMeasure("auc", (SAME,), among=SITUATION),
    PASSAGES: ClassMeasure("auc", (SAME_PASSAGE,), among=(SAME_PASSAGE, "altered passage")),
}
BY_THE_JUDGE = {AREA: JUDGED_AREA, PASSAGES: JUDGED_PASSAGES}


class _Comparison(JudgedComparison):
    """Areas under the curve over the same rows as on the cards, and means."""

    def values(self, card: Card, test: PairedTest) -> Any:
        """Return the scores and labels of an area, or the column of a mean."""
        if test.measure not in AREAS or test.group not in card.groups:
            return super().values(card, test)
        labels = np.array(card.columns["label"])
        rows = area_rows(labels, np.array(card.groups[test.group]), test.measure)
        scores = [card.columns[SCORE][row] for row in rows]
        positive = np.isin(labels[rows], AREAS[test.measure].positive)
        return np.array(scores, float), positive


def area_rows(labels: Any, rows: IntArray, measure: str) -> IntArray:
    """Return those of ``rows`` that take part in an area; if positive or negative ones are fewer
    than :data:`LEAST`, all rows of that sort are added.
    """
    _, positive, among, _ = AREAS[measure]
    taking_part, is_positive = np.isin(labels, among), np.isin(labels, positive)
    found: IntArray = rows[taking_part[rows]]
    some = np.count_nonzero(is_positive[found])
    rarer = some < len(found) - some
    if min(some, len(found) - some) < LEAST <= len(found):
        found = np.union1d(found, np.flatnonzero(taking_part & (is_positive == rarer)))
    return found


def measure(data: PlainEnglish, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure the score, and a judge, on pairs, passages and triples."""
    items = [*data.pairs, *data.passages]
    pairs = [(one.sentence1, one.sentence2) for one in items]
    altered = [
        (one.sentence, other) for one in data.triples for other in (one.paraphrase, one.alteration)
    ]
    found, unread = scored([*pairs, *altered], tested, settings)
    paraphrase, alteration = found[len(pairs) :].reshape(-1, 2).T
    columns = {
        SCORE: _spread(found[: len(pairs)], 0, data.rows),
        ORDERED: _spread(above(paraphrase, alteration), len(pairs), data.rows),
        SIMILARITY: _spread([one.similarity for one in data.pairs], 0, data.rows),
    }
    columns |= _judged(pairs, [one.label for one in items], len(data.pairs), data, tested)
    labels = [one.label for one in data.pairs]
    for passage in data.passages:
        labels.append(SAME_PASSAGE if passage.label == SAME else "altered passage")
    labels += ["triple"] * len(data.triples)
    groups = _groups(data)
    figures = {}
    with status("resampling", settings.progress):
        for name, rows in {"all": list(range(data.rows)), **groups}.items():
            own = _figures(columns, np.array(labels), np.array(rows), settings)
            defined = {key: one for key, one in own.items() if one.value is not None}
            figures[name] = own if name == "all" else defined
    counts = counts_of(np.fmax(columns[SCORE], columns[ORDERED]), unread)
    kept: dict[str, Any] = {name: rounded(values) for name, values in columns.items()}
    kept["label"] = labels
    return Measured(figures, counts | {"disputed": data.disputed}, kept, groups)


def _spread(values: Sequence[float] | Float64Array, start: int, rows: int) -> Float64Array:
    """Return a column of all rows, NaN but from ``start`` on."""
    column = np.full(rows, np.nan)
    column[start : start + len(values)] = values
    return column


def _groups(data: PlainEnglish) -> dict[str, list[int]]:
    """Return the rows of each domain and of each phenomenon that has :data:`LEAST`."""
    items: list[PlainPair | PlainTriple] = [*data.pairs, *data.passages, *data.triples]
    phenomena: dict[str, list[int]] = {}
    for row, one in enumerate(items):
        for phenomenon in dict.fromkeys(one.phenomenon.split("+")):
            phenomena.setdefault(phenomenon, []).append(row)
    often = {name: rows for name, rows in sorted(phenomena.items()) if len(rows) >= LEAST}
    found = dict(sorted(rows_by(one.domain for one in items).items())) | often
    return {name: rows for name, rows in found.items() if len(rows) < data.rows}


def _judged(
    texts: Sequence[tuple[str, str]],
    gold: Sequence[str],
    pairs: int,
    data: PlainEnglish,
    tested: EvaluatedModel,
) -> dict[str, Float64Array]:
    """Return the judge's columns: the probability of :data:`SAME`, and the label of pairs."""
    judgements = judgements_of(texts, tested)
    if judgements is None:
        return {}
    unknown = dict.fromkeys(LABELS, np.nan)
    shares = np.array([list((one.probabilities or unknown).values()) for one in judgements])
    given = verdicts(judgements, shares, np.array([LABELS.index(Label(one)) for one in gold]))
    given[RIGHT] = np.where(given[DECIDED] == 1, given[ACCURACY], np.nan)
    return {
        name: _spread(values if name == POSITIVE_SHARE else values[:pairs], 0, data.rows)
        for name, values in given.items()
    }


def _figures(
    columns: Mapping[str, Float64Array], labels: Any, rows: IntArray, settings: Settings
) -> dict[str, Estimate]:
    drawing = settings.drawing
    found: dict[str, Estimate] = {}
    for name, (statistic, positive, _, _) in AREAS.items():
        some = area_rows(labels, rows, name)
        is_positive = np.isin(labels[some], positive)
        for area, column in {name: SCORE, BY_THE_JUDGE[name]: POSITIVE_SHARE}.items():
            if column in columns:
                given = columns[column][some], is_positive, (statistic,)
                found[area] = classification(*given, **drawing)[statistic]
    pairs = rows[np.isin(labels[rows], list(LABELS))]
    graded = columns[SCORE][pairs], columns[SIMILARITY][pairs]
    found[SPEARMAN] = correlations(*graded, [SPEARMAN], **drawing)[SPEARMAN]
    triples = rows[labels[rows] == "triple"]
    found |= summaries({ORDERED: Column(columns[ORDERED][triples])}, **drawing)
    if GUESS in columns:
        gold = np.array([LABELS.index(label) for label in labels[pairs]])
        found[MACRO_F1] = macro_f1(columns[GUESS][pairs], gold, **drawing)
        means = (ACCURACY, DECIDED, RIGHT, WRONG)
        found |= summaries({name: Column(columns[name][pairs]) for name in means}, **drawing)
    return found


TASKS = (
    declared(
        "plain-english",
        load=plain_english,
        measure=measure,
        comparison=_Comparison(AREAS, (ACCURACY, DECIDED, ORDERED)),
        packaged=packaged_plain_english,
    ),
)
