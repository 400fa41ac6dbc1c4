"""PAWS: pairs of much the same words, some of which are paraphrases (Zhang, Baldridge & He 2019,
"PAWS: Paraphrase Adversaries from Word Scrambling").
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._utils.progress import status
from hybridsem.datasets.labelled_pairs import PARAPHRASE, LabelledPairs, paws
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


def measure(data: LabelledPairs, tested: EvaluatedModel, settings: Settings) -> Measured:
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


TASKS = (
    declared(
        "paws",
        load=paws,
        measure=measure,
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
)
