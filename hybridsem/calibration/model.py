"""calibration.json: what a score, or a judgement, means on your own pairs.

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
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.disk import saving
from hybridsem._utils.exact import exp
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.signed_json import signed, signed_content
from hybridsem.judge.model import OUTPUTS

SCHEMA = "hybridsem-calibration/1"
SCORE, JUDGEMENT = "score", "judgement"
INPUTS: Mapping[str, int] = {SCORE: 1, JUDGEMENT: 1 + len(OUTPUTS)}
"""The number of inputs for each pair."""
EDGE = 1e-6  # the least distance of a probability from 0 and 1


@dataclass(frozen=True)
class Calibration:
    """A map from scores or judgements to probabilities, and the threshold of a decision.

    The fields are those of the file; see the module's docstring.

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
