"""The score of a cosine and the amounts of edits, as a sum of contributions.

    score = c · exp(-c^F · P)        for a cosine c > 0, and c itself below
    P     = sum of f_k(x_k)          over the kinds k of edits, with their amounts x_k

Each f_k is a curve that rises from f_k(0) = 0. F, the penalty exponent, reduces all penalties if
the sentences have little in common. The score is at most c, at least 0 if c is, and 1 for identical
sentences, whose amounts are 0. The contribution of a kind is its part of P. The constants are
learned (``models/hybrid/learn.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import expm1, power
from hybridsem._utils.predictors import Curve, Stored


class Weighted(NamedTuple):
    """Scores, (n,), and the contributions of the terms, (n, terms), 0 or less; the cosines and the
    contributions add up to the scores.
    """

    scores: Float64Array
    contributions: Float64Array


@dataclass(frozen=True, eq=False)
class Weighting(Stored, type_name="weighting", penalty_exponent=""):
    """The constants of the score: the penalty of each term by its amount, and the penalty exponent
    F, at least 0.
    """

    terms: Mapping[str, Curve]
    penalty_exponent: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(self.penalty_exponent >= 0, "the penalty exponent must be at least 0")
        for name, curve in self.terms.items():
            self._check(isinstance(curve, Curve), f"the term {name!r} must be a curve")
            starts = len(curve.knots) > 1 and curve.knots[0] == curve.values[0] == 0
            self._check(starts, f"the term {name!r} must have two knots or more, from 0 up")
            self._check((np.diff(curve.values) >= 0).all(), f"the term {name!r} must not fall")

    def weighted(self, cosines: Float64Array, amounts: Mapping[str, Float64Array]) -> Weighted:
        """Return the scores of pairs of sentences, and the contributions.

        Rows do not depend on each other, not even in the last bit. ``cosines`` are (n,), at most 1;
        ``amounts`` are (n,) for each term, 0 or more.
        """
        parts = self._penalties(amounts)
        loss, penalty = self._loss(cosines, parts)
        rate = np.divide(loss, penalty, out=np.zeros_like(loss), where=penalty > 0)
        contributions = np.zeros((len(cosines), len(self.terms)))
        for number, part in enumerate(parts):
            if part is not None:
                contributions[:, number] = rate * part
        return Weighted(cosines + loss, contributions)

    def scores(self, cosines: Float64Array, amounts: Mapping[str, Float64Array]) -> Float64Array:
        """Return the scores of :meth:`weighted` alone, to the last bit."""
        return cosines + self._loss(cosines, self._penalties(amounts))[0]

    def _penalties(self, amounts: Mapping[str, Float64Array]) -> list[Float64Array | None]:
        """Return the part of each term in P; None if no pair has any, which is usual."""
        return [
            curve.outputs(amounts[name]) if amounts[name].any() else None
            for name, curve in self.terms.items()
        ]

    def _loss(
        self, cosines: Float64Array, parts: Sequence[Float64Array | None]
    ) -> tuple[Float64Array, Float64Array]:
        """Return the change of the cosines, and P, (n,) each."""
        penalty = np.zeros(len(cosines))
        for part in parts:
            if part is not None:
                penalty += part
        positive = np.maximum(cosines, 0)
        return positive * expm1(-penalty * power(positive, self.penalty_exponent)), penalty

    @property
    def lipschitz_constant(self) -> float:
        """The largest change of a score with its cosine, for the same amounts.

        The derivative of c·exp(-x), x = c^F·P, is exp(-x)·(1 - F·x), and x·exp(-x) is 1/e at most.
        """
        return float(max(1.0, self.penalty_exponent / np.e))
