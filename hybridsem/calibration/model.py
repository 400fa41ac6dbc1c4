"""Calibrations of scores and judgements: probabilities, decisions, and calibration.json.

    schema       hybridsem-calibration/1
    sha256       checksum of the other fields
    pipeline     model and parts; scores of other parts are refused
    of           "score", or "judgement": the score, the logarithms of the labels' probabilities,
                 and the judge's output "exclude"
    weights, bias    z = weights · inputs + bias
    knots, values    the probability is interpolated between these (isotonic regression); without
                     them it is 1 / (1 + exp(-z)) (Platt)
    threshold    the probability from which a pair is positive
    training     pairs, positives, method, target, held-out figures
    versions     of hybridsem and numpy

The file is plain JSON. Reading it runs no code.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.disk import saving
from hybridsem._utils.exact import exp, log
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.signed_json import signed, signed_content
from hybridsem.combiners.base import Batch, scores_of
from hybridsem.judge.features import observe_batch
from hybridsem.judge.judgement import comparison_of, probabilities_of
from hybridsem.judge.model import OUTPUTS, shipped_judge
from hybridsem.reader import Reader
from hybridsem.reader.arguments import File
from hybridsem.reader.pairs import checked_pairs

SCHEMA = "hybridsem-calibration/1"
SCORE, JUDGEMENT = "score", "judgement"
INPUTS: Mapping[str, int] = {SCORE: 1, JUDGEMENT: 1 + len(OUTPUTS)}
"""The number of inputs for each pair."""
EDGE = 1e-6  # the least distance of a probability from 0 and 1
FLOOR = 1e-4  # the least probability whose logarithm is taken; smaller ones carry no information


@dataclass(frozen=True)
class Calibration:
    """A map from scores or judgements to probabilities, and the threshold of a decision.

    >>> import numpy as np
    >>> calibration = Calibration({"model": "hybrid"}, "score", (8.0,), -6.0, 0.5)
    >>> calibration.probabilities(np.array([[0.9], [0.5]])).round(2).tolist()
    [0.77, 0.12]
    """

    pipeline: Mapping[str, str]
    of: str
    weights: tuple[float, ...]
    bias: float
    threshold: float
    knots: tuple[float, ...] = ()
    values: tuple[float, ...] = ()
    training: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    def probabilities(self, inputs: Float64Array) -> Float64Array:
        """Return the probability that each pair is positive, (n,); NaN stays NaN. ``inputs`` are
        scores, (n, 1), or the inputs of a judgement, (n, 8).
        """
        # Row by row, because the last bits of a matrix product depend on the other rows.
        sums = np.array([math.fsum(row) for row in inputs * np.array(self.weights)])
        z = sums + self.bias
        if self.knots:
            probabilities = np.interp(z, self.knots, self.values)
        else:
            probabilities = 1 / (1 + exp(-np.clip(z, -30, 30)))
        return np.where(np.isnan(z), np.nan, np.clip(probabilities, EDGE, 1 - EDGE))

    @property
    def score_threshold(self) -> tuple[float, bool] | None:
        """The score at the threshold, and whether higher scores are positive. None if the score
        alone does not decide, or if no score is at the threshold.
        """
        if self.of != SCORE:
            return None
        scores = np.linspace(-1, 1, 20_001)
        positive = scores[self.probabilities(scores[:, None]) >= self.threshold]
        if len(positive) in (0, len(scores)):
            return None
        return (float(positive[0]), True) if self.weights[0] >= 0 else (float(positive[-1]), False)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file atomically; raise :class:`InputError` if that fails."""
        data = signed(asdict(self), SCHEMA)
        with saving(path, "the calibration") as part:
            part.write_text(json.dumps(data, indent=1, allow_nan=False) + "\n", encoding="utf-8")


@wrap_read_errors
def read_calibration(path: str | os.PathLike[str]) -> Calibration:
    """Read a file of ``hybridsem calibrate`` or :meth:`Calibration.save`. Raises
    :class:`FormatError` if it is damaged or something else.
    """
    advice = "not usable as a calibration: {}; make one with `hybridsem calibrate`"
    with signed_content(path, SCHEMA, advice) as content:
        weights, knots, values = (
            tuple(map(float, content[name])) for name in ("weights", "knots", "values")
        )
        bias, threshold = float(content["bias"]), float(content["threshold"])
        about = {**content["training"]}, {**content["versions"]}
        pipeline, of = {**content["pipeline"]}, str(content["of"])
        if (
            len(weights) != INPUTS[of]
            or len(knots) != len(values)
            or list(knots) != sorted(knots)
            or not all(map(math.isfinite, (*weights, bias, threshold, *knots, *values)))
        ):
            raise ValueError("its numbers do not fit together")
        return Calibration(pipeline, of, weights, bias, threshold, knots, values, *about)


class Decision(NamedTuple):
    """A pair's score, the probability that it is positive, and whether that reaches the threshold.
    A pair without a structure has NaN, NaN and False.
    """

    score: float
    probability: float
    decision: bool


def calibration_inputs(reader: Reader, batch: Batch, of: str) -> Float64Array:
    """Return the inputs of a calibration of scores or judgements, (pairs, inputs), score first."""
    if of != JUDGEMENT:
        return scores_of(reader.parts.combiner, batch)[:, None]
    combiner = comparison_of(reader)
    compared = combiner.compared(batch)
    if reader.parts.combiner is combiner:
        scores = combiner.scores_of(batch, compared)
    else:
        scores = scores_of(reader.parts.combiner, batch)
    features = observe_batch(batch, compared)
    labels = log(np.clip(probabilities_of(batch, features), FLOOR, 1))
    return np.column_stack([scores, labels, shipped_judge().values(features)[:, -1]])


def inputs_of_pairs(reader: Reader, pairs: Iterable[tuple[str, str]], of: str) -> Float64Array:
    """Return the inputs for at least one pair, (n, inputs), reading the pairs in chunks."""
    batches = reader.batches(checked_pairs(pairs))
    return np.concatenate([calibration_inputs(reader, batch, of) for batch in batches])


def decisions(reader: Reader, calibration: Calibration, batch: Batch) -> list[Decision]:
    """Return the decisions on pairs."""
    inputs = calibration_inputs(reader, batch, calibration.of)
    rows = zip(inputs[:, 0].tolist(), calibration.probabilities(inputs).tolist(), strict=True)
    return [Decision(score, value, value >= calibration.threshold) for score, value in rows]


def calibration_for(reader: Reader, file: File) -> tuple[Calibration, str]:
    """Read the calibration of a file, or of ``FILE,sha=HASH`` as in settings; return it with that
    entry. Raises :class:`InputError` if it was made with other parts than the reader's.
    """
    checked_file = reader.parts.checked_file
    calibration, named = checked_file("calibration", file, read_calibration, "scores")
    if calibration.of == JUDGEMENT:
        comparison_of(reader)
    return calibration, named
