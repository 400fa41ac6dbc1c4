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

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import exp
from hybridsem._utils.predictors import Predictor, Stored
from hybridsem.judge.features import DIRECTED, SYMMETRIC, Observed
from hybridsem.judge.labels import CONTRADICTS, COUNTERPARTS, DIFFERS, LABELS, UNRELATED
from hybridsem.judge.verdict import KINDS, PRECISIONS, Rule, ruled, tempered

FILE = "judge.json"
OUTPUTS = (*LABELS, "exclude")
TINY = 1e-12
SWAPPED = (*COUNTERPARTS, len(LABELS))
"""The place of each output's counterpart when the sentences are exchanged."""


def inputs(features: Observed) -> Float64Array:
    """Return the network's inputs for n pairs, in both orders, (n, 2, width)."""
    symmetric, directed, _ = features
    there, back = directed[:, 0], directed[:, 1]
    return np.stack([np.hstack([symmetric, there, back]), np.hstack([symmetric, back, there])], 1)


def in_both_orders(network: Predictor, rows: Float64Array) -> Float64Array:
    """Return the mean of a network's outputs for rows in both orders, (n, 2, width), with those of
    the second order exchanged, (n, outputs).
    """
    both = network.outputs(rows)
    return np.asarray((both[:, 0] + both[:, 1, list(SWAPPED)]) / 2)


def softmax(values: Float64Array) -> Float64Array:
    """Return the shares of values, (n, labels), which sum to 1."""
    raised = exp(values - values.max(axis=1, keepdims=True))
    # fsum: exchanging the sentences exchanges labels, and the order must not change the last bit.
    totals = np.array([math.fsum(row) for row in raised]).reshape(-1, 1)
    return np.asarray(raised / totals, float)


def in_one_scene(probabilities: Float64Array, values: Float64Array) -> Float64Array:
    """Return the probabilities of the labels, (n, labels), if both texts speak of one scene: the
    output "exclude" of :meth:`Judge.values`, (n, outputs), says how much of what follows in neither
    direction contradicts, at least.
    """
    places = [CONTRADICTS, DIFFERS, UNRELATED]
    contradicts, differs, unrelated = probabilities[:, places].T
    either = contradicts + differs + unrelated
    excluding = np.maximum(contradicts, either / (1 + exp(-values[:, -1])))
    others = np.maximum(differs + unrelated, TINY)
    left = (either - excluding) / others
    scene = probabilities.copy()
    scene[:, places] = np.stack([excluding, differs * left, unrelated * left], axis=1)
    return scene


def threshold(least: Float64Array, precision: float) -> float:
    """Return the least probability for a precision, from those for each of ``PRECISIONS``."""
    if not precision:
        return 0.0
    return float(least[min(int(np.searchsorted(PRECISIONS, precision)), len(PRECISIONS) - 1)])


@dataclass(frozen=True, eq=False)
class Judge(Stored, type_name="judge", network=Predictor, temperatures="k", thresholds="kp"):
    """The network. Each kind of evidence has a temperature, (kinds,), and the least probability of
    a label for each precision (``verdict.py``), (kinds, precisions).
    """

    network: Predictor
    temperatures: Float64Array = field(default_factory=lambda: np.ones(len(KINDS)))
    thresholds: Float64Array = field(default_factory=lambda: np.tile(PRECISIONS, (len(KINDS), 1)))
    outputs: Sequence[str] = OUTPUTS
    symmetric: Sequence[str] = SYMMETRIC
    directed: Sequence[str] = DIRECTED

    def __post_init__(self) -> None:
        super().__post_init__()
        names = [tuple(each) for each in (self.outputs, self.symmetric, self.directed)]
        expected = [OUTPUTS, tuple(SYMMETRIC), tuple(DIRECTED)]
        self._check(names == expected, "it was learned for other labels or features")
        fits = self.thresholds.shape == (len(KINDS), len(PRECISIONS))
        self._check(fits and (self.temperatures > 0).all(), "its calibration does not fit")
        zeros = Observed(np.zeros((1, len(SYMMETRIC))), np.zeros((1, 2, len(DIRECTED))))
        shape = self.network.outputs(inputs(zeros)).shape
        self._check(shape[2:] == (len(OUTPUTS),), "its network has other outputs")

    def probabilities(self, features: Observed) -> Float64Array:
        """Return the probability of each label, (n, labels); rows of NaN remain."""
        shares = softmax(self.values(features)[:, : len(LABELS)])
        return shares if features.rules is None else self.ruled(shares, features.rules)

    def ruled(self, probabilities: Float64Array, rules: Float64Array) -> Float64Array:
        """Calibrate the network's probabilities, (n, labels), and apply rules, (n, r)."""
        calibrated = probabilities.copy()
        for row, rule in enumerate(map(Rule.of_row, rules.tolist())):
            if not np.isnan(calibrated[row, 0]):
                temperature = float(self.temperatures[rule.kind])
                calibrated[row] = ruled(tempered(probabilities[row], temperature), rule)
        return calibrated

    def threshold(self, kind: int, precision: float) -> float:
        """Return the least probability at which labels of a kind of evidence reach a precision."""
        return threshold(self.thresholds[kind], precision)

    def values(self, features: Observed) -> Float64Array:
        """Return the outputs, (n, outputs); those of the labels are log probabilities, up to a
        constant. Rows of NaN remain.
        """
        rows = inputs(features)
        values = in_both_orders(self.network, rows)
        values[np.isnan(rows[:, 0]).any(axis=1)] = np.nan
        return values


@cache
def shipped_judge() -> Judge:
    """Return the judge that ships (``models/judge``). Raises :class:`AssetError` if the file is
    missing or damaged.
    """
    return Judge.shipped(FILE)
