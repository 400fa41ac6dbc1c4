"""Calibrations of scores and judgements: probabilities, decisions, and calibration.json.

schema       hybridsem-calibration/2
sha256       checksum of the other fields
pipeline     model and parts; scores of other parts are refused
of           "score", or "judgement": the score, the logarithms of the labels' probabilities,
and the judge's output "exclude"
model        from these inputs to a probability (``hybridsem._utils.predictors``): a logistic curve
(Platt), or a curve (isotonic regression)
assume       what the judgement assumes that both texts speak of (hybridsem.judge.Assume)
threshold    the probability from which a pair is positive
training     pairs, positives, method, target, held-out figures
versions     of hybridsem and numpy
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import log
from hybridsem._utils.predictors import Fitted
from hybridsem.combiners.base import Batch
from hybridsem.combiners.passages import scores_of
from hybridsem.judge.features import observe_batch
from hybridsem.judge.judgement import comparison_of, judged, probabilities_of
from hybridsem.judge.labels import Assume
from hybridsem.judge.model import OUTPUTS, shipped_judge
from hybridsem.reader import Reader
from hybridsem.reader.arguments import File
from hybridsem.reader.pairs import checked_pairs

SCORE, JUDGEMENT = "score", "judgement"
INPUTS: Mapping[str, int] = {SCORE: 1, JUDGEMENT: 1 + len(OUTPUTS)}
EDGE = 1e-6  # the least distance of a probability from 0 and 1
FLOOR = 1e-4  # the least probability whose logarithm is taken; smaller ones carry no information


@dataclass(frozen=True, eq=False, kw_only=True)
class Calibration(Fitted, type_name="calibration", of=str, threshold="", assume=str):
    """A map from scores or judgements to probabilities, and the threshold of a decision.

    >>> import numpy as np
    >>> from hybridsem._utils.predictors import Logistic
    >>> settings = {"pipeline": {"model": "hybrid"}, "of": "score", "threshold": 0.5}
    >>> calibration = Calibration(model=Logistic(np.array([8.0]), -6.0), **settings)
    >>> calibration.probabilities(np.array([[0.9], [0.5]])).round(2).tolist()
    [0.77, 0.12]
    """

    what = "the calibration"
    command = "calibrate"

    of: str
    threshold: float
    assume: str = Assume.SITUATION

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(self.of in INPUTS, f"unknown input {self.of!r:.40}")
        self._check(self.assume in list(Assume), f"unknown assumption {self.assume!r:.40}")
        outputs = self.model.outputs(np.zeros((2, INPUTS[self.of])))
        self._check(outputs.shape == (2, 1), "its model has other inputs or outputs")

    def probabilities(self, inputs: Float64Array) -> Float64Array:
        """Return the probability that each pair is positive, (n,); NaN stays NaN."""
        return np.clip(self.model.predict(inputs), EDGE, 1 - EDGE)

    def decisions(self, reader: Reader, batch: Batch) -> list[Decision]:
        """Return the decisions on the pairs of a batch, read by a reader."""
        inputs = calibration_inputs(reader, batch, self.of, Assume(self.assume))
        rows = zip(inputs[:, 0].tolist(), self.probabilities(inputs).tolist(), strict=True)
        return [Decision(score, value, value >= self.threshold) for score, value in rows]

    @property
    def score_threshold(self) -> tuple[float, bool] | None:
        """The score at the threshold, and whether higher ones are positive."""
        if self.of != SCORE:
            return None
        scores = np.linspace(-1, 1, 20_001)
        positive = scores[self.probabilities(scores[:, None]) >= self.threshold]
        if len(positive) in (0, len(scores)):
            return None
        is_rising = positive[-1] == scores[-1]
        return float(positive[0] if is_rising else positive[-1]), bool(is_rising)


def read_calibration(path: str | os.PathLike[str]) -> Calibration:
    """Read a file of ``hybridsem calibrate``; :class:`FormatError` if damaged."""
    return Calibration.read(path)


class Decision(NamedTuple):
    """A pair's score, its probability of being positive, and whether that is enough."""

    score: float
    probability: float
    decision: bool


def calibration_inputs(
    reader: Reader, batch: Batch, of: str, assume: Assume = Assume.SITUATION
) -> Float64Array:
    """Return the inputs of a calibration of scores or judgements, (pairs, inputs), score first."""
    if of != JUDGEMENT:
        return scores_of(reader.parts.combiner, batch)[:, None]
    combiner = comparison_of(reader)
    compared = combiner.compared(batch)
    read = combiner.readings(batch, compared)
    features = observe_batch(batch, compared, assume=assume)
    labels = probabilities_of(batch, features, read, assume)
    several = [row for row, pair in enumerate(batch.pairs) if batch.has_several(pair)]
    if reader.parts.combiner is combiner and not several:
        scores = combiner.scores_of(batch, compared, read)
    else:
        scores = scores_of(reader.parts.combiner, batch)
    judgements = judged(combiner, batch.of_rows(several), assume=assume)
    for row, judgement in zip(several, judgements, strict=True):
        labels[row] = [*judgement.probabilities.values()] or math.nan
    logs = log(np.clip(labels, FLOOR, 1))
    return np.column_stack([scores, logs, shipped_judge().values(features)[:, -1]])


def inputs_of_pairs(
    reader: Reader,
    pairs: Iterable[tuple[str, str]],
    of: str,
    assume: Assume = Assume.SITUATION,
) -> Float64Array:
    """Return the inputs for at least one pair, (n, inputs), reading the pairs in chunks."""
    batches = reader.batches(checked_pairs(pairs))
    return np.concatenate([calibration_inputs(reader, batch, of, assume) for batch in batches])


def calibration_for(reader: Reader, file: File) -> tuple[Calibration, str]:
    """Read a calibration; :class:`InputError` if it was made with other parts."""
    calibration, named = reader.parts.checked_file("calibration", file, read_calibration, "scores")
    if calibration.of == JUDGEMENT:
        comparison_of(reader)
    return calibration, named
