"""The labels of a pair by its comparison and by a pair reader.

    q      entailment both ways: e·d; one way: e·(1 - d), (1 - e)·d; contradiction c;
           neither: (1 - e)·(1 - d)·(1 - c)
    v      a · log p + b · log q + w · (the reader's log odds) + w0
    p'     softmax(v)

p are the probabilities of the comparison; what follows not at all there, because an edit is open,
does not follow here. a and b, at least 0, are sums of what speaks for each: the kind of evidence
(``verdict.py``) or a proof, and how alike the sentences are, since a comparison knows most where
the words are the same. Exchanging the sentences exchanges the labels, exactly.
``models/judge/together.py`` learns the constants.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from hybridsem._typing import BoolArray, Float64Array, IntArray
from hybridsem._utils.exact import exp, log, product
from hybridsem._utils.predictors import Stored
from hybridsem.judge.features import SYMMETRIC, Observed
from hybridsem.judge.labels import LABELS
from hybridsem.judge.verdict import FOLLOWING, KINDS, PRECISIONS
from hybridsem.pair_reader import Readings

__all__ = ["JudgedTogether", "gates", "kinds_of", "read_labels", "shipped_together"]

FILE = "judged_together.json"
PROVEN = len(KINDS)
"""The place of pairs whose label a derivation decides, after those of the kinds of evidence."""
LEAST = 0.01
"""Probabilities of the comparison and of the reader are taken as at least this."""
MEANINGS, ODDS = 5, 4
"""Labels that a reader tells apart (``differs`` and ``unrelated`` are one), and its odds."""
TURNED, EXCHANGED = [1, 0, 2, 3], [0, 2, 1, 3, 4]
"""The places of the odds and of the meanings with the sentences exchanged."""
LIKENESS = ("cosine", "alike", "least alike", "same words", "words")
"""Features of a pair (``features.py``) that decide how far the comparison is trusted."""
MEANING = np.array([0, 1, 2, 3, 4, 3])
"""The meaning of each label."""


@dataclass(frozen=True, eq=False)
class JudgedTogether(
    Stored,
    type_name="judged-together",
    compared="g",
    read="g",
    weights="mo",
    bias="m",
    thresholds="kp",
):
    """The constants: what speaks for the comparison and for the reader, (kinds + 1 + features,); w,
    (meanings, odds), and w0, (meanings,); and the least probability of a label for each precision,
    (kinds + 1, precisions).
    """

    compared: Float64Array
    read: Float64Array
    weights: Float64Array
    bias: Float64Array
    thresholds: Float64Array

    def __post_init__(self) -> None:
        super().__post_init__()
        fits = len(self.compared) == PROVEN + 1 + len(LIKENESS)
        fits = fits and self.thresholds.shape == (PROVEN + 1, len(PRECISIONS))
        fits = fits and self.weights.shape == (MEANINGS, ODDS)
        self._check(fits, "its kinds, labels or precisions do not fit")

    def probabilities(
        self, compared: Float64Array, read: Readings, gates: Float64Array
    ) -> Float64Array:
        """Return the probabilities of the labels, (n, labels), by those of the comparison, the
        readings, and the :func:`gates` of n pairs. Rows without a reading remain.
        """
        found = compared.copy()
        rows = np.flatnonzero(~np.isnan(read.similarity) & ~np.isnan(compared[:, 0]))
        if not len(rows):
            return found
        meanings, odds = read_labels(read.taken(rows))
        trusted = np.column_stack([self.compared, self.read])
        trust = np.maximum(product(gates[rows], trusted), 0)
        values = trust[:, 1:] * meanings + self.bias
        both = product(np.stack([odds, odds[:, TURNED]]), self.weights.T)
        values += (both[0] + both[1][:, EXCHANGED]) / 2
        values = values[:, MEANING] + trust[:, :1] * log(np.maximum(compared[rows], LEAST))
        values[excluded(compared[rows])] = -np.inf
        raised = exp(values - values.max(axis=1, keepdims=True))
        # fsum: the order of the labels, which exchanging the sentences changes, changes no bit.
        totals = np.array([math.fsum(row) for row in raised])[:, None]
        found[rows] = raised / totals
        return found

    def threshold(self, kind: int, precision: float) -> float:
        """Return the least probability at which labels of a kind of evidence reach a precision."""
        if not precision:
            return 0.0
        column = min(int(np.searchsorted(PRECISIONS, precision)), len(PRECISIONS) - 1)
        return float(self.thresholds[kind, column])


def kinds_of(rules: Float64Array) -> IntArray:
    """Return the kind of evidence of pairs, (n,), by their rules, (n, r)."""
    label, kind = len(LABELS), rules.shape[1] - 1
    return np.where(rules[:, label] >= 0, PROVEN, rules[:, kind]).astype(np.int64)


def gates(features: Observed) -> Float64Array:
    """Return what decides how far the comparison and the reader are trusted, (n, gates)."""
    assert features.rules is not None
    kinds = np.eye(PROVEN)[features.rules[:, -1].astype(np.int64)]
    proven = features.rules[:, [len(LABELS)]] >= 0
    columns = [SYMMETRIC.index(name) for name in LIKENESS]
    return np.hstack([kinds, proven, features.symmetric[:, columns]])


def excluded(compared: Float64Array) -> BoolArray:
    """Return which labels of pairs the comparison rules out, (n, labels): ``same`` and one-sided
    ones that have no probability.
    """
    out: BoolArray = compared == 0
    out[:, [LABELS.index(label) for label in LABELS if label not in FOLLOWING]] = False
    return out


def read_labels(read: Readings) -> tuple[Float64Array, Float64Array]:
    """Return log q of the meanings, (n, meanings), and the reader's log odds, (n, odds): of both
    directions, of contradiction and of a paraphrase.
    """
    columns = read.entails, read.entailed, read.contradicts, read.paraphrase
    chances = np.clip(np.column_stack(columns), LEAST, 1 - LEAST)
    for_, against = log(chances), log(1 - chances)
    meanings = [
        for_[:, 0] + for_[:, 1],
        for_[:, 0] + against[:, 1],
        against[:, 0] + for_[:, 1],
        against[:, 0] + against[:, 1] + against[:, 2],
        for_[:, 2],
    ]
    return np.column_stack(meanings), for_ - against


@cache
def shipped_together() -> JudgedTogether:
    """Return the constants that ship. Raises :class:`AssetError` if the file is missing or
    damaged.
    """
    return JudgedTogether.shipped(FILE)
