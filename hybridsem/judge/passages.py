"""The relation of texts of several sentences, joined from those of their aligned sentences.

    contradicts   two counterparts contradict each other
    entails       every sentence of text 2 follows from one of text 1; ``entailed`` the reverse
    same          both
    differs, unrelated   otherwise

Probabilities are joined as if the pairs were independent. In texts that otherwise agree, two
counterparts in which one content replaces another speak of one situation: what makes them differ
makes them contradict each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hybridsem._typing import BoolArray, Float64Array
from hybridsem._utils.exact import power
from hybridsem.combiners.hybrid import Compared
from hybridsem.explanations import numbered
from hybridsem.judge.labels import (
    CONTRADICTS,
    DIFFERS,
    ENTAILED,
    ENTAILS,
    LABELS,
    SAME,
    UNRELATED,
    Label,
)

AGREEMENT = 4
"""The power of what the other sentences have in common, as a probability of one situation."""
LIKELY, RIGHT = 0.5, 0.9
"""The least probability of a contradiction in texts that otherwise agree, and the share of such
labels that were right on development passages of plain English.
"""
COVERED = {
    Label.ENTAILS: frozenset((Label.SAME, Label.ENTAILS)),
    Label.ENTAILED: frozenset((Label.SAME, Label.ENTAILED)),
}
"""The labels of a pair by which its second sentence follows, or its first."""


class Pairs(NamedTuple):
    """The aligned sentences of two texts: ``labels`` and ``probabilities`` (k, labels) of the
    pairs, which are ``best1``, the best of the first sentence, or ``best2``, (k,) each. ``rest`` is
    what the other sentences have in common, and ``replaced`` whether one content replaces another.
    """

    labels: Sequence[Label | None]
    probabilities: Float64Array
    best1: BoolArray
    best2: BoolArray
    rest: Float64Array
    replaced: BoolArray

    @property
    def mutual(self) -> BoolArray:
        """The counterparts."""
        return self.best1 & self.best2

    @property
    def one_situation(self) -> Float64Array:
        """The probability that two sentences speak of one situation, by the others, (k,)."""
        return power(np.clip(self.rest, 0, 1), AGREEMENT)

    def in_context(self) -> Float64Array:
        """Return the probabilities of the labels in the light of the other sentences, (k, labels).
        A sentence without counterpart contradicts nothing.
        """
        found = self.probabilities.copy()
        situation = self.one_situation * self.replaced
        for label in (DIFFERS, UNRELATED):
            moved = situation * found[:, label]
            found[:, label] -= moved
            found[:, CONTRADICTS] += moved
        lone = ~self.mutual
        found[lone, DIFFERS] += found[lone, CONTRADICTS]
        found[lone, CONTRADICTS] = 0
        return found

    def joined(self) -> Float64Array:
        """Return the probabilities of the texts' labels, (labels,); they add up to 1."""
        found = self.in_context()
        agree = 1 - found[:, CONTRADICTS]
        free = _product(agree.tolist())
        given = found / np.where(agree > 0, agree, 1)[:, None]
        same, unrelated = given[:, SAME], given[:, UNRELATED]
        second, first = same + given[:, ENTAILS], same + given[:, ENTAILED]
        either = np.where(self.mutual, same, np.where(self.best2, second, first))
        both = _product(either.tolist())
        entails = _product(second[self.best2].tolist()) - both
        entailed = _product(first[self.best1].tolist()) - both
        parts = np.zeros(len(LABELS))
        parts[[SAME, CONTRADICTS]] = free * both, 1 - free
        parts[[ENTAILS, ENTAILED]] = free * max(0.0, entails), free * max(0.0, entailed)
        rest = max(0.0, 1 - math.fsum(parts.tolist()))
        parts[UNRELATED] = min(rest, free * _product(unrelated.tolist()))
        parts[DIFFERS] = rest - parts[UNRELATED]
        return parts

    def _contradict_in_context(self, precision: float) -> bool:
        """Test if counterparts in texts that otherwise agree are likely to contradict."""
        least = LIKELY if precision <= RIGHT else max(LIKELY, precision)
        likely = self.in_context()[:, CONTRADICTS] >= least
        return bool((likely & (self.one_situation >= LIKELY)).any())

    def label(self, joined: Float64Array, precision: float) -> Label:
        """Return the label of the texts: that of decided pairs, or a contradiction of counterparts
        in texts that otherwise agree.
        """
        labels = np.array([str(label) for label in self.labels])
        if (labels[self.mutual] == Label.CONTRADICTS).any():
            return Label.CONTRADICTS
        covered = {
            label: np.isin(labels[best], [str(one) for one in COVERED[label]]).all()
            for label, best in ((Label.ENTAILS, self.best2), (Label.ENTAILED, self.best1))
        }
        if all(covered.values()):
            return Label.SAME
        if any(covered.values()):
            return next(label for label, follows in covered.items() if follows)
        if self._contradict_in_context(precision):
            return Label.CONTRADICTS
        if (labels != Label.UNSURE).all():
            return Label.UNRELATED if (labels == Label.UNRELATED).all() else Label.DIFFERS
        if precision:
            return Label.UNSURE
        ranked = joined.copy()
        ranked[SAME] = -1  # it is proven, or nothing is
        return LABELS[int(ranked.argmax())]


def replaces(compared: Compared | None) -> bool:
    """Test if words of each sentence replace words of the other."""
    return compared is not None and any(
        edit.before.tokens and edit.after.tokens for edit in compared.edits
    )


def of_texts(reason: str, one: int, two: int) -> str:
    """Return the reason of a pair of sentences as one of their texts, with their numbers from 1."""
    for side in (1, 2):
        reason = reason.replace(f"entence {side}", f"ext {side}").replace(
            f"Sext {side}", f"Text {side}"
        )
        reason = reason.replace(f"sext {side}", f"text {side}")
    return f"{reason} ({numbered(one, two).capitalize()}.)"


def _product(values: Sequence[float]) -> float:
    """Return a product that does not depend on the order of its factors, to the last bit."""
    return math.prod(sorted(values))
