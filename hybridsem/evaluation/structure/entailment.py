"""Natural-language inference by the score alone: entailed sentences should be close, contradicting
ones far (SICK: Marelli et al. 2014; SNLI: Bowman et al. 2015).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hybridsem._utils.progress import status
from hybridsem.datasets.labelled_pairs import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    LabelledPairs,
    inference,
)
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.comparison import ClassComparison, ClassMeasure
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.options import SPLIT
from hybridsem.evaluation.statistics import Estimate
from hybridsem.evaluation.statistics.classification import classification
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.structure.scoring import rounded, scored
from hybridsem.evaluation.task import Measured, declared

MEASURES = {
    "entailment auc": ClassMeasure("auc", (ENTAILMENT,)),
    "contradiction auc": ClassMeasure("auc", (CONTRADICTION,), sign=-1),
    "contradiction against entailment auc": ClassMeasure(
        "auc", (CONTRADICTION,), among=(ENTAILMENT, CONTRADICTION), sign=-1
    ),
}


def measure(data: LabelledPairs, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Areas under the curve by label, and the mean score of each label."""
    scores, unread = scored(data.pairs, tested, settings)
    labels = np.array(data.labels)
    found: dict[str, Estimate] = {}
    with status("resampling", settings.progress):
        for name, (statistic, positive, among, sign) in MEASURES.items():
            rows = np.isin(labels, among) if among else np.ones(len(labels), bool)
            of = np.isin(labels[rows].tolist(), positive)
            found[name] = classification(
                sign * scores[rows],
                of,
                (statistic,),
                settings.resamples,
                settings.seed,
                settings.level,
            )[statistic]
        means = {
            label: summaries(
                {"mean score": Column(scores[labels == label])},
                settings.resamples,
                settings.seed,
                settings.level,
            )
            for label in (ENTAILMENT, NEUTRAL, CONTRADICTION)
            if (labels == label).any()
        }
    missing = int(np.isnan(scores).sum())
    counts = {
        "rows": data.rows,
        "scored": data.rows - missing,
        "failed": missing,
        **unread,
        "unlabelled": data.unlabelled,
    }
    groups = {label: np.flatnonzero(labels == label).tolist() for label in means}
    columns: dict[str, Sequence[float | str | None]] = {
        "score": rounded(scores),
        "label": list(data.labels),
    }
    return Measured({"all": found, **means}, counts, columns, groups)


TASKS = (
    declared(
        "entailment",
        load=inference,
        measure=measure,
        headline="contradiction auc",
        groups=("all", ENTAILMENT, NEUTRAL, CONTRADICTION),
        options=(SPLIT,),
        comparison=ClassComparison(MEASURES),
    ),
)
