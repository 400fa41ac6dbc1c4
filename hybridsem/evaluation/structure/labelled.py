"""Pairs with labels: PAWS, paraphrases of much the same words (Zhang, Baldridge & He 2019), and
natural-language inference by the score alone (SICK: Marelli et al. 2014; SNLI: Bowman et al. 2015).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
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
from hybridsem.errors import InputError
from hybridsem.evaluation.comparison import ClassComparison, ClassMeasure
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.options import SPLIT, Option
from hybridsem.evaluation.statistics import Estimate
from hybridsem.evaluation.statistics.classification import (
    CLASSIFICATION_MEASURES,
    best_threshold,
    classification,
    shares_at_threshold,
)
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.structure.scoring import rounded, scored
from hybridsem.evaluation.task import Measured, declared

AT_THRESHOLD = "accuracy at threshold"


def measure_paws(data: LabelledPairs, tested: EvaluatedModel, settings: Settings) -> Measured:
    """How well the score tells paraphrases from other pairs; with another file of PAWS, also the
    accuracy at the threshold that is best there.
    """
    scores, unread = scored(data.pairs, tested, settings)
    labels = np.isin(data.labels, (PARAPHRASE,))
    drawing: dict[str, Any] = {
        "resamples": settings.resamples,
        "seed": settings.seed,
        "level": settings.level,
    }
    with status("resampling", settings.progress):
        found = classification(scores, labels, **drawing)
    said: dict[str, Any] = {"detokenised": not settings.options.get("as_written")}
    if (file := settings.options.get("threshold_data")) is not None:
        threshold, about = _threshold(Path(file), tested, settings)
        right, _ = shares_at_threshold(scores, labels, threshold)
        found |= _accuracy(right, drawing)
        said |= {"threshold": round(threshold, 6), "threshold_sha256": about.sha256}
    missing = int(np.isnan(scores).sum())
    return Measured(
        {"all": found},
        {
            "rows": data.rows,
            "scored": data.rows - missing,
            "failed": missing,
            **unread,
        },
        {"score": rounded(scores), "label": list(data.labels)},
        settings=said,
    )


def _threshold(
    file: Path, tested: EvaluatedModel, settings: Settings
) -> tuple[float, LabelledPairs]:
    """The threshold of the highest accuracy on another file of PAWS."""
    if "scores" not in tested.offers:
        raise InputError(
            f"threshold_data needs scores of any two texts, and {tested.name!r} has those of one "
            "file alone"
        )
    options = {**settings.options, "split": None}
    other = paws(file, Settings(options=options))
    threshold = best_threshold(
        scored(other.pairs, tested, settings).scores,
        np.isin(other.labels, (PARAPHRASE,)),
    )
    if threshold is None:
        raise InputError(f"{file} has no scored pair of each label, so there is no threshold")
    return threshold, other


def _accuracy(right: Any, drawing: Mapping[str, Any]) -> dict[str, Estimate]:
    return summaries({AT_THRESHOLD: Column(right)}, **drawing)




MEASURES = {
    "entailment auc": ClassMeasure("auc", (ENTAILMENT,)),
    "contradiction auc": ClassMeasure("auc", (CONTRADICTION,), sign=-1),
    "contradiction against entailment auc": ClassMeasure(
        "auc", (CONTRADICTION,), among=(ENTAILMENT, CONTRADICTION), sign=-1
    ),
}


def measure_entailment(data: LabelledPairs, tested: EvaluatedModel, settings: Settings) -> Measured:
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
        "paws",
        load=paws,
        measure=measure_paws,
        headline="auc",
        options=(
            SPLIT,
            Option(
                "threshold_data",
                "another file of PAWS, on which the threshold of the accuracy is chosen.",
                Path,
            ),
            Option("as_written", "score the texts as they are, tokenised.", bool),
        ),
        comparison=ClassComparison(
            {name: ClassMeasure(name, (PARAPHRASE,)) for name in CLASSIFICATION_MEASURES}
        ),
    ),
    declared(
        "entailment",
        load=inference,
        measure=measure_entailment,
        headline="contradiction auc",
        groups=("all", ENTAILMENT, NEUTRAL, CONTRADICTION),
        options=(SPLIT,),
        comparison=ClassComparison(MEASURES),
    ),
)
