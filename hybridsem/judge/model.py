"""The judge: a small network that reads the features of a pair in both directions.

    x      symmetric features, what sentence 2 says beyond 1, what 1 says beyond 2; standardised
    g(x)   A x + C max(0, B x), the mean of a few such networks with other seeds
    v      (g(x) + inverted g(inverted x)) / 2
    p      softmax(v) over the labels

One more output is whether the two cannot describe one picture, which is a contradiction in SNLI. It
is not a label, as unrelated sentences exclude each other too; a calibration reads it. (b, a) has
the labels of (a, b) with "entails" and "entailed" exchanged, to the last bit. ``models/judge``
learns it; it needs only numpy.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import exp, product
from hybridsem._utils.weights import weight_file
from hybridsem.errors import AssetError
from hybridsem.judge.features import DIRECTED, SYMMETRIC, Observed
from hybridsem.judge.labels import COUNTERPARTS, LABELS
from hybridsem.judge.verdict import KINDS, PRECISIONS, Rule, ruled, tempered

FILE = "judge.json"
LAYERS = ("direct weight", "direct bias", "inner weight", "inner bias", "outer weight")
OUTPUTS = (*LABELS, "exclude")
SWAPPED = (*COUNTERPARTS, len(LABELS))
"""The place of each output's counterpart when the sentences are exchanged."""
FARTHEST = 6.0
"""The limit to which deviations of features are clipped."""
DIGITS = 5
LARGEST = 1e6
"""The largest number in a judge's file."""
DAMAGE = (ValueError, KeyError, TypeError, OverflowError, RecursionError, ZeroDivisionError)
WIDTH = len(SYMMETRIC) + 2 * len(DIRECTED)
SHAPES = {
    "mean": (WIDTH,),
    "scale": (WIDTH,),
    "temperatures": (len(KINDS),),
    "thresholds": (len(KINDS), len(PRECISIONS)),
}
"""The shapes of a judge's arrays."""


def inputs(features: Observed) -> Float64Array:
    """Return the network's inputs for n pairs, in both orders, (n, 2, width)."""
    symmetric, directed, _ = features
    there, back = directed[:, 0], directed[:, 1]
    return np.stack([np.hstack([symmetric, there, back]), np.hstack([symmetric, back, there])], 1)


@dataclass(frozen=True)
class Judge:
    """The networks, and the mean and deviation of their inputs, (width,). Each kind of evidence has
    a temperature, (kinds,), and the least probability of a label for each precision
    (``verdict.py``), (kinds, precisions).
    """

    mean: Float64Array
    scale: Float64Array
    members: Sequence[Mapping[str, Float64Array]]
    temperatures: Float64Array = field(default_factory=lambda: np.ones(len(KINDS)))
    thresholds: Float64Array = field(default_factory=lambda: np.tile(PRECISIONS, (len(KINDS), 1)))

    def probabilities(self, features: Observed) -> Float64Array:
        """Return the probability of each label, (n, labels); rows of NaN remain."""
        values = self.values(features)[:, : len(LABELS)]
        raised = exp(values - values.max(axis=1, keepdims=True))
        # fsum: exchanging the sentences exchanges labels, and the order must not change the last
        # bit.
        totals = np.array([math.fsum(row) for row in raised]).reshape(-1, 1)
        found = np.asarray(raised / totals, float)
        return found if features.rules is None else self.ruled(found, features.rules)

    def ruled(self, probabilities: Float64Array, rules: Float64Array) -> Float64Array:
        """Calibrate the network's probabilities, (n, labels), and apply rules, (n, r)."""
        found = probabilities.copy()
        for row, rule in enumerate(map(Rule.of_row, rules.tolist())):
            if not np.isnan(found[row, 0]):
                temperature = float(self.temperatures[rule.kind])
                found[row] = ruled(tempered(probabilities[row], temperature), rule)
        return found

    def threshold(self, kind: int, precision: float) -> float:
        """Return the least probability at which labels of a kind of evidence reach a precision."""
        if not precision:
            return 0.0
        column = min(int(np.searchsorted(PRECISIONS, precision)), len(PRECISIONS) - 1)
        return float(self.thresholds[kind, column])

    def values(self, features: Observed) -> Float64Array:
        """Return the outputs, (n, outputs); those of the labels are log probabilities, up to a
        constant.
        """
        both = self._values(self.scaled(inputs(features)))
        return np.asarray((both[:, 0] + both[:, 1, list(SWAPPED)]) / 2)

    def scaled(self, rows: Float64Array) -> Float64Array:
        """Return inputs as deviations from the mean."""
        return np.clip((rows - self.mean) / self.scale, -FARTHEST, FARTHEST)

    def _values(self, rows: Float64Array) -> Float64Array:
        total = np.zeros((*rows.shape[:-1], len(OUTPUTS)))
        for one in self.members:
            inner = np.maximum(product(rows, one["inner weight"]) + one["inner bias"], 0)
            total += product(rows, one["direct weight"]) + one["direct bias"]
            total += product(inner, one["outer weight"])
        return total / len(self.members)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "outputs": list(OUTPUTS),
            "symmetric": list(SYMMETRIC),
            "directed": list(DIRECTED),
            "mean": self.mean.round(DIGITS).tolist(),
            "scale": self.scale.round(DIGITS).tolist(),
            "members": [
                {name: member[name].round(DIGITS).tolist() for name in LAYERS}
                for member in self.members
            ],
            "temperatures": self.temperatures.round(DIGITS).tolist(),
            "thresholds": self.thresholds.round(DIGITS).tolist(),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Judge:
        """Return the judge of :meth:`to_dict`; raise one of :data:`DAMAGE` for other data."""
        made_for = [tuple(data[name]) for name in ("outputs", "symmetric", "directed")]
        if made_for != [OUTPUTS, SYMMETRIC, DIRECTED]:
            raise ValueError("it was learned for other labels or features")
        members = [
            {name: np.array(member[name], float) for name in LAYERS} for member in data["members"]
        ]
        arrays = {name: np.array(data[name], float) for name in SHAPES}
        if not members or any(arrays[name].shape != SHAPES[name] for name in SHAPES):
            raise ValueError("its layers do not fit together")
        layers = (layer for member in members for layer in member.values())
        if not all((np.abs(some) <= LARGEST).all() for some in (*arrays.values(), *layers)) or not (
            (arrays["scale"] > 0).all() and (arrays["temperatures"] > 0).all()
        ):
            raise ValueError("its numbers are not finite, or too large")
        made = cls(members=tuple(members), **arrays)
        made.values(Observed(np.zeros((1, len(SYMMETRIC))), np.zeros((1, 2, len(DIRECTED)))))
        return made


@cache
def shipped_judge() -> Judge:
    """Return the judge that ships (``models/judge``). Raises :class:`AssetError` if the file is
    missing or damaged.
    """
    try:
        return Judge.from_dict(json.loads(weight_file(FILE)))
    except DAMAGE as error:
        raise AssetError(
            f"the weight file {FILE} is damaged ({error}); reinstall hybridsem"
        ) from None
