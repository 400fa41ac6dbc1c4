"""calibration.json: what a score, or a judgement, means on someone's own pairs.

    schema       hybridsem-calibration/1
    sha256       of all the rest, so that a damaged file is not used
    pipeline     model and parts: scores of others mean something else
    of           "score", or "judgement": the score, the logarithms of the labels' probabilities,
                 and what says whether the two exclude each other
    weights, bias    z = weights · inputs + bias
    knots, values    the probability: interpolated between these (isotonic), or where there are none
                     1 / (1 + exp(-z)) (Platt)
    threshold    the probability from which a pair is positive
    training     pairs, positives, what was wanted, what to expect: figures with intervals
    versions     of hybridsem and numpy

Made by ``hybridsem calibrate`` (``hybridsem.training.calibration``). Plain JSON: nothing in it is
run.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.disk import saving
from hybridsem._utils.doors import door
from hybridsem._utils.exact import exp, log
from hybridsem._utils.signed_json import signed, signed_content
from hybridsem.combiners.base import Batch, scores_of
from hybridsem.combiners.hybrid import Compared
from hybridsem.errors import InputError
from hybridsem.judge.features import observe_batch
from hybridsem.judge.judgement import comparison_of, probabilities_of
from hybridsem.judge.model import OUTPUTS, shipped_judge
from hybridsem.reader import Reader

__all__ = [
    "INPUTS",
    "JUDGEMENT",
    "SCORE",
    "Calibration",
    "Decision",
    "calibration_for",
    "decisions",
    "inputs_of",
    "judgement_inputs",
    "read_calibration",
]

SCHEMA = "hybridsem-calibration/1"
SCORE, JUDGEMENT = "score", "judgement"
INPUTS: Mapping[str, int] = {SCORE: 1, JUDGEMENT: 1 + len(OUTPUTS)}
"""How many numbers a pair is known by."""
LEAST = 1e-4
"""The least probability that a logarithm is taken of: below, the judge says nothing."""
EDGE = 1e-6
"""How near to 0 and 1 a probability may come."""


class Decision(NamedTuple):
    """A pair's score, the probability that it is positive, and whether that reaches the threshold.

    NaN, NaN and False without a structure.

    >>> Decision(0.91, 0.78, 0.78 >= 0.5)
    Decision(score=0.91, probability=0.78, decision=True)
    """

    score: float
    probability: float
    decision: bool


@dataclass(frozen=True)
class Calibration:
    """From scores or judgements to probabilities, and the threshold; see the module's docstring.

    >>> import numpy as np
    >>> found = Calibration({"model": "hybrid"}, "score", (8.0,), -6.0, 0.5)
    >>> found.probabilities(np.array([[0.9], [0.5]])).round(2).tolist()
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
        """The probability that each pair is positive, (n,), from the score alone, (n, 1), or what
        :func:`judgement_inputs` gives, (n, 8); NaN stays NaN.
        """
        # Row by row: a product of matrices has other last bits beside other rows.
        sums = np.array([math.fsum(row) for row in inputs * np.array(self.weights)])
        z = sums + self.bias
        if self.knots:
            found = np.interp(z, self.knots, self.values)
        else:
            found = 1 / (1 + exp(-np.clip(z, -30, 30)))
        return np.where(np.isnan(z), np.nan, np.clip(found, EDGE, 1 - EDGE))

    @property
    def score_threshold(self) -> tuple[float, bool] | None:
        """The score at the threshold, and whether pairs are positive from there up, or down; None
        where it is not the score that decides, or no score is at the threshold.
        """
        if self.of != SCORE:
            return None
        scores = np.linspace(-1, 1, 20_001)
        reached = scores[self.probabilities(scores[:, None]) >= self.threshold]
        if len(reached) in (0, len(scores)):
            return None
        return (float(reached[0]), True) if self.weights[0] >= 0 else (float(reached[-1]), False)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without schema and hash."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file, whole or not at all; :class:`InputError` where it cannot be written."""
        content = self.to_dict()
        data = signed(content, SCHEMA)
        with saving(path, "the calibration") as part:
            part.write_text(json.dumps(data, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def judgement_inputs(
    batch: Batch, compared: Sequence[Compared | None], scores: Float64Array
) -> Float64Array:
    """The scores, the logarithms of the labels' probabilities, and the output "exclude", (pairs,
    8).
    """
    features = observe_batch(batch, compared)
    found = log(np.clip(probabilities_of(batch, compared, features=features), LEAST, 1))
    return np.column_stack([scores, found, shipped_judge().values(features)[:, -1]])


def inputs_of(reader: Reader, batch: Batch, of: str) -> Float64Array:
    """The inputs of a calibration of :data:`SCORE` or :data:`JUDGEMENT`, the score first, (pairs,
    inputs).
    """
    if of != JUDGEMENT:
        return scores_of(reader.combiner, batch)[:, None]
    combiner = comparison_of(reader)
    compared = combiner.compared(batch)
    if reader.combiner is combiner:
        return judgement_inputs(batch, compared, combiner.scores_of(batch, compared))
    return judgement_inputs(batch, compared, scores_of(reader.combiner, batch))


def decisions(reader: Reader, calibration: Calibration | None, batch: Batch) -> list[Decision]:
    """The decisions on pairs; :class:`InputError` without a calibration."""
    if calibration is None:
        raise InputError(
            "a decision needs a calibration: Pipeline(calibration=FILE), of `hybridsem calibrate`"
        )
    inputs = inputs_of(reader, batch, calibration.of)
    rows = zip(inputs[:, 0].tolist(), calibration.probabilities(inputs).tolist(), strict=True)
    return [Decision(score, value, value >= calibration.threshold) for score, value in rows]


def calibration_for(reader: Reader, given: str) -> Calibration:
    """The calibration of a file, or as settings have it, ``FILE,sha=HASH``; :class:`InputError`
    where it was made with other parts than the reader's.
    """
    found = reader._checked_file("calibration", given, read_calibration, "scores")
    if found.of == JUDGEMENT:
        comparison_of(reader)
    return found


@door
def read_calibration(path: str | os.PathLike[str]) -> Calibration:
    """The calibration of a file of ``hybridsem calibrate`` or of :meth:`Calibration.save`;
    :class:`FormatError` where it is damaged or something else.

    >>> import tempfile
    >>> made = Calibration({"model": "hybrid"}, "score", (8.0,), -6.0, 0.5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made.save(f"{folder}/calibration.json")
    ...     read_calibration(f"{folder}/calibration.json").threshold
    0.5
    """
    with signed_content(path, SCHEMA, _ADVICE) as content:
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


_ADVICE = "not usable as a calibration: {}; make one with `hybridsem calibrate`"
