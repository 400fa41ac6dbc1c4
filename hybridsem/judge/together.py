"""The labels of a pair by its comparison and a pair reader.

A network as that of the judge (``model.py``) reads the features of the comparison, the logarithms
of its probabilities, what it proves, and the log odds of the reader. What a proof rules out stays
out. Exchanging the sentences exchanges the labels, exactly.
``models/judge/together.py`` learns it, from pairs that the reader has not learned from.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from hybridsem._typing import BoolArray, Float64Array
from hybridsem._utils.exact import log
from hybridsem._utils.predictors import Predictor, Stored
from hybridsem.judge.bounds import limited
from hybridsem.judge.features import Observed
from hybridsem.judge.labels import COUNTERPARTS, DIFFERS, ENTAILED, ENTAILS, LABELS
from hybridsem.judge.model import OUTPUTS, in_both_orders, softmax, threshold
from hybridsem.judge.verdict import CONTAINED, FOLLOWING, KINDS, PRECISIONS, RELIABLE, Rule
from hybridsem.pair_reader import Readings

FILE = "judged_together.json"
LEAST = 0.01
"""Probabilities of the comparison and of the reader are taken as at least this."""
SURE_PROOF, CONTESTED, PROOF = RELIABLE["logic"], 0.2, 0.77
"""The least probability of a sure proof; the network's below which a proof does not count, unless
it is of ``differs`` by what the words refer to or by an exchange; and the share of the sure ones
from there to .9, 285 pairs held back, that have their label. Of 141 pairs of which one has all
words of the other, and that are ``differs`` by proof, .46 have that label below it.
"""
SYMMETRIC = [place for place, other in enumerate(COUNTERPARTS) if place == other]
"""The places of labels that stay when the sentences are exchanged."""


def inputs(features: Observed, compared: Float64Array, read: Readings) -> Float64Array:
    """Return the network's inputs for n pairs in both orders, (n, 2, width): the features of the
    comparison, its probabilities (n, labels), the labels that it proves, and the readings.
    """
    assert features.rules is not None
    proven = np.eye(len(LABELS) + 1)[features.rules[:, len(LABELS)].astype(int)]
    sure = proven * features.rules[:, len(LABELS) + 1, None]
    chances = np.clip(np.column_stack(read), LEAST, 1 - LEAST)
    for_, against = (
        dict(zip(read._fields, log(each).T, strict=True)) for each in (chances, 1 - chances)
    )
    likely = log(np.maximum(compared, LEAST))
    symmetric = [
        *(column for each in (likely, proven, sure) for column in each[:, SYMMETRIC].T),
        *(for_[name] - against[name] for name in ("contradicts", "paraphrase", "similarity")),
        for_["entails"] + for_["entailed"],
        against["entails"] + against["entailed"],
    ]
    ways = [
        [
            *(each[:, label] for each in (likely, proven, sure)),
            *(for_[one] - against[one], for_[one] + against[other]),
        ]
        for label, one, other in (
            (ENTAILS, "entails", "entailed"),
            (ENTAILED, "entailed", "entails"),
        )
    ]
    there, back = (
        np.hstack([features.directed[:, way], np.column_stack(ways[way])]) for way in (0, 1)
    )
    shared = np.hstack([features.symmetric, np.column_stack(symmetric)])
    return np.stack([np.hstack([shared, there, back]), np.hstack([shared, back, there])], 1)


@dataclass(frozen=True, eq=False)
class JudgedTogether(Stored, type_name="judged-together", network=Predictor, thresholds="lp"):
    """The network, and the least probability of each label by precision, (labels, precisions)."""

    network: Predictor
    thresholds: Float64Array

    def __post_init__(self) -> None:
        super().__post_init__()
        fits = self.thresholds.shape == (len(LABELS), len(PRECISIONS))
        self._check(fits, "its labels or precisions do not fit")

    def probabilities(
        self, features: Observed, compared: Float64Array, read: Readings
    ) -> Float64Array:
        """Return the probabilities of the labels, (n, labels), for n pairs with those of the
        comparison. Rows without a reading remain.
        """
        found = compared.copy()
        rows = np.flatnonzero(~np.isnan(read.similarity) & ~np.isnan(compared[:, 0]))
        if not len(rows):
            return found
        taken, given = features.taken(rows), compared[rows]
        assert taken.rules is not None
        values = in_both_orders(self.network, inputs(taken, given, read.taken(rows)))
        self._check(values.shape[1] == len(OUTPUTS), "its network has other outputs")
        values = values[:, : len(LABELS)]
        values[excluded(given, taken.rules)] = -np.inf
        found[rows] = softmax(values)
        for row, rule in zip(rows.tolist(), map(Rule.of_row, taken.rules.tolist()), strict=True):
            found[row] = _with_proof(found[row], rule)
        return found

    def threshold(self, label: int, precision: float) -> float:
        """Return the least probability at which a label, by its place, reaches a precision."""
        return threshold(self.thresholds[label], precision)


def _with_proof(found: Float64Array, rule: Rule) -> Float64Array:
    """Return the probabilities of the labels, (labels,), with a proof's label at least as probable
    as such proofs were right, if the network does not contest it: a sure one, or one by the roles
    of words that both sentences have.
    """
    contested = rule.label >= 0 and found[rule.label] < CONTESTED
    if rule.label == DIFFERS and (rule.least > CONTAINED or not contested):
        return limited(found, {DIFFERS: (rule.least, 1.0)})
    if contested or rule.least < SURE_PROOF:
        return found
    return limited(found, {rule.label: (PROOF, 1.0)})


def excluded(compared: Float64Array, rules: Float64Array) -> BoolArray:
    """Return which labels the comparison of pairs rules out, (n, labels), by their rules, (n, r):
    ``same`` and one-sided ones that have no probability, if anything is proven, and not by the
    structure alone. Of 493 other pairs held back whose most probable label is such a one, .62 have
    it.
    """
    label, least, kind = rules[:, len(LABELS) :].T
    counts = (least >= SURE_PROOF) | ((label >= 0) & (kind != KINDS.index("structure")))
    out: BoolArray = (compared == 0) & counts[:, None]
    out[:, [LABELS.index(label) for label in LABELS if label not in FOLLOWING]] = False
    return out


@cache
def shipped_together() -> JudgedTogether:
    """Return the network that ships. Raises :class:`AssetError` if the file is missing or
    damaged.
    """
    return JudgedTogether.shipped(FILE)
