"""A guard for semantic caches: is it the same question, or are only the words the same?

A semantic cache answers a question with the answer to one whose vector is near. "How do I fly from
Oslo to Rome?" and "How do I fly from Rome to Oslo?" have nearly one vector, and two answers.

    guard = CacheGuard()
    verdict = guard.check(question, cached_questions)      # candidates of a vector store
    if verdict.serve:
        answer = answers[verdict.index]

No threshold is right for all: the table of ``docs/integrations.md`` says what is served wrongly at
which. With a few hundred pairs of questions of one's own, ``Pipeline(calibration=FILE)`` decides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.validation import problem
from hybridsem.errors import InputError
from hybridsem.interop._shared import Model, pipeline_of
from hybridsem.judge.judgement import Judgement
from hybridsem.judge.labels import Label

__all__ = ["THRESHOLD", "CacheGuard", "Verdict"]

THRESHOLD = 0.85
"""The probability of "same" from which an answer is served. Of 350 development pairs of the same
words with another meaning (minimal pairs, PAWS-Wiki dev) 1.1 % reach it, and 31 % of 350 true
paraphrases. A question that is asked again costs less than a wrong answer.
"""

NEAREST = 5
"""Of cached questions with vectors, so many are judged."""


@dataclass(frozen=True)
class Verdict:
    """Whether a cached answer may be served, and which.

    ``index`` is the place of the cached question that is most probably the same, None where there
    was none to judge; ``probability`` that it is, in [0, 1]; ``reason`` says why or why not, in
    words; ``judgement`` is the judge's on the two, with its differences.

    >>> CacheGuard().check("How do I reset my password?", []).serve
    False
    """

    serve: bool
    index: int | None
    probability: float
    reason: str
    judgement: Judgement | None = None


class CacheGuard:
    """Judges whether a new question is one of those that were answered.

    A question that was cut, is not English, or cannot be read is never served another's answer.

    Args:
        model: A model that judges (``hybrid``), or a pipeline of it. One with a calibration decides
            by that, and by its threshold.
        threshold: The least probability at which an answer is served.
        nearest: How many of the cached questions are judged where their vectors are given.

    >>> found = CacheGuard().check("Where is the shop?", ["It rains.", "Where is the shop?"])
    >>> found.serve, found.index, found.reason
    (True, 1, 'the same words')
    """

    def __init__(
        self, model: Model = "hybrid", threshold: float | None = None, nearest: int = NEAREST
    ) -> None:
        self.pipeline = pipeline_of(model)
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
        """Whether the answer to one of the ``cached`` questions may be served.

        Args:
            question: The new one.
            cached: Answered ones, such as the candidates of a vector store.
            vectors: Theirs by ``pipeline.encode``, (n, d): then the nearest alone are judged.
        """
        if (why := problem(question)) is not None:
            raise InputError(f"the question: {why}")
        if question in cached:
            return Verdict(True, list(cached).index(question), 1.0, "the same words")
        places = [row for row, text in enumerate(cached) if problem(text) is None]
        if vectors is not None:
            places = self._near(question, vectors, places)
        if not places:
            return Verdict(False, None, 0.0, "nothing is cached")
        pairs = [(question, cached[row]) for row in places]
        judged = self.pipeline.judge(pairs)
        found = [
            0.0 if judgement.notes else probability
            for judgement, probability in zip(
                judged, self._probabilities(pairs, judged), strict=True
            )
        ]
        best = int(np.argmax(found))
        serve = found[best] >= self.threshold
        reason = self._reason(judged[best], found[best], serve)
        return Verdict(serve, places[best], found[best], reason, judged[best])

    def _near(self, question: str, vectors: Float32Array, places: list[int]) -> list[int]:
        """Those of the places whose vectors are nearest."""
        (own,) = self.pipeline.encode([question])
        order = np.argsort(-(np.asarray(vectors)[places] @ own), kind="stable")
        return [places[at] for at in order[: self.nearest].tolist()]

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
