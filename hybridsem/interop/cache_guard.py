"""A guard for semantic caches, which answer a question with the answer to one with a near vector.

"How do I fly from Oslo to Rome?" and "How do I fly from Rome to Oslo?" have nearly the same vector,
and two answers. ``docs/integrations.md`` has the error rates of thresholds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.validation import problem
from hybridsem.errors import InputError
from hybridsem.judge.judgement import Judgement
from hybridsem.judge.labels import Label
from hybridsem.pipeline import Pipeline

__all__ = ["THRESHOLD", "CacheGuard", "Verdict"]

THRESHOLD = 0.85
"""The lowest probability of "same" at which an answer is served. Of 350 development pairs of the
same words with another meaning (minimal pairs, PAWS-Wiki dev) 1.1 % reach it, and 31 % of 350 true
paraphrases. Asking again costs less than a wrong answer.
"""

NEAREST = 5
"""Number of cached questions with vectors that are judged."""


@dataclass(frozen=True)
class Verdict:
    """The decision of the guard: may a cached answer be served, and which. ``index`` is that of the
    cached question that is most probably the same or, if none is served, of the most similar one;
    None if nothing is cached. ``probability`` is that it is the same, in [0, 1]; ``reason`` is in
    words; ``judgement`` is the judge's.
    """

    serve: bool
    index: int | None
    probability: float
    reason: str
    judgement: Judgement | None = None


class CacheGuard:
    """Judges whether a new question is one of the answered ones. A question that was truncated, is
    not English, or cannot be read never gets the answer to another.

    Args:
        model: A model that judges (``hybrid``), or its pipeline; a calibration decides by its
            threshold.
        threshold: The lowest probability at which an answer is served.
        nearest: Number of cached questions to judge if their vectors are given.
    """

    def __init__(
        self,
        model: str | Pipeline = "hybrid",
        threshold: float | None = None,
        nearest: int = NEAREST,
    ) -> None:
        self.pipeline = model if isinstance(model, Pipeline) else Pipeline(model)
        calibration = self.pipeline.calibration
        if threshold is None:
            threshold = THRESHOLD if calibration is None else calibration.threshold
        if not 0 < threshold <= 1:
            raise InputError(f"threshold must be above 0 and at most 1, got {threshold!r}")
        if nearest < 1:
            raise InputError(f"nearest must be a whole number from 1, got {nearest!r}")
        self.threshold, self.nearest = threshold, nearest

    def check(
        self, question: str, cached: Sequence[str], vectors: Float32Array | None = None
    ) -> Verdict:
        """Decide whether the answer to one of the ``cached`` questions may be served. With their
        ``vectors`` by ``pipeline.encode``, (n, d), only the nearest are judged.
        """
        if (why := problem(question)) is not None:
            raise InputError(f"the question: {why}")
        if question in cached:
            return Verdict(True, list(cached).index(question), 1.0, "the same words")
        places = [row for row, text in enumerate(cached) if problem(text) is None]
        if vectors is not None:
            (own,) = self.pipeline.encode([question])
            order = np.argsort(-(np.asarray(vectors)[places] @ own), kind="stable")
            places = [places[at] for at in order[: self.nearest].tolist()]
        if not places:
            return Verdict(False, None, 0.0, "nothing is cached")
        pairs = [(question, cached[row]) for row in places]
        judged = self.pipeline.judge(pairs)
        probabilities = zip(judged, self._probabilities(pairs, judged), strict=True)
        found = [0.0 if judgement.notes else value for judgement, value in probabilities]
        serve = max(found) >= self.threshold
        best = int(np.argmax(found if serve else np.nan_to_num([each.score for each in judged])))
        reason = self._reason(judged[best], found[best], serve)
        return Verdict(serve, places[best], found[best], reason, judged[best])

    def _probabilities(
        self, pairs: Sequence[tuple[str, str]], judged: Sequence[Judgement]
    ) -> list[float]:
        if self.pipeline.calibration is not None:
            found = [decision.probability for decision in self.pipeline.decide(pairs)]
        else:
            found = [judgement.probabilities.get(Label.SAME, 0.0) for judgement in judged]
        return [0.0 if math.isnan(probability) else probability for probability in found]

    def _reason(self, judgement: Judgement, probability: float, serve: bool) -> str:
        if judgement.notes:
            return "; ".join(judgement.notes)
        if serve:
            return f"the same ({probability:.0%})"
        why = " ".join(judgement.reasons)
        label = f"{judgement.label}{': ' + why if why else ''}"
        if judgement.label is Label.SAME:
            label = why or "nothing that differs was found"
        return f"the same with {probability:.0%} of {self.threshold:.0%} wanted: {label}"
