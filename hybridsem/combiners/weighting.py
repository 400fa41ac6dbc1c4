"""The score of a cosine and the amounts of edits, as a sum of contributions.

    score = b · exp(-b^F · P)        for a base b > 0, and b itself below
    P     = sum of f_k(x_k)          over the kinds k of edits, with their amounts x_k
    b     = c                        the cosine, or, with a pair reader,
    b     = a - U · max(0, a - n)    a = c + L · max(0, m - c)

Each f_k is a curve that rises from f_k(0) = 0. F, the penalty exponent, reduces all penalties if
the sentences have little in common. The score is at most b, at least 0 if b is, and 1 for identical
sentences, whose amounts are 0. The contribution of a kind is its part of P. m is what the reader
finds in common, n the most that it leaves of a likeness (:class:`Together`), and L and U are how
far it is followed. All four depend on what it reads and on the edits: words without a counterpart
it reads better than the cosine, exchanged roles it hardly sees. The constants are learned
(``models/hybrid``: ``learn.py`` and ``together.py``). If two texts are certainly alike, as they
differ only in how values and phrases are written, a is at least n.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import exp, expm1, log, power, product
from hybridsem._utils.predictors import Curve, Stored
from hybridsem.pair_reader.base import Readings

LEAST_CHANCE = 0.0025
"""Chances of a reader nearer to 0 or 1 than this count as this."""
MOST_ODDS = math.log(1 / LEAST_CHANCE - 1)
MOST_COMMON = 0.95
"""The most that :func:`least_common` finds: sentences in which words exchanged their places
unnoticed have higher cosines.
"""
GIVEN, COLUMNS = 3, 15
"""The columns of :func:`inputs` that are not read, and all."""
RISING = np.array([[1.0], [1.0], [1.0], [-1.0]])
"""The signs of the weights of what is read, for m, n, L and U."""
HALF = np.array([0.5, 0.2])
"""The amounts at which gates are half way (:func:`gates`)."""


class Weighted(NamedTuple):
    """Scores, (n,), the contributions of the terms, (n, terms), 0 or less, and what reading both
    sentences together adds, (n,); with the cosines they add up to the scores. The terms take
    theirs before reading together lowers what is left. Then the bases b and the penalties P, (n,).
    """

    scores: Float64Array
    contributions: Float64Array
    together: Float64Array
    bases: Float64Array
    penalties: Float64Array


@dataclass(frozen=True, eq=False)
class Together(Stored, type_name="together", weights="rc", new=str, open=str):
    """The worth of the readings of a pair reader.

    ``weights`` (4, 15) give the log odds of m, n, L and U by :func:`inputs`. Those of what is read
    are at least 0, and of U at most 0: a score never falls where more is read in common. Of the
    :func:`gates`, ``new`` are the terms of words that one sentence alone has, and ``open`` those
    that are not read away, such as exchanged roles, negations and values.
    """

    weights: Float64Array
    new: tuple[str, ...]
    open: tuple[str, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(self.weights.shape == (4, COLUMNS), "the weights do not fit")
        rising = self.weights[:, GIVEN:] * RISING
        self._check((rising >= 0).all(), "a score falls where more is read in common")

    def change(
        self, cosines: Float64Array, odds: Float64Array, gates: Float64Array
    ) -> tuple[Float64Array, Float64Array]:
        """Return a - c and a - b of pairs, (n,), by what was read of them (:func:`log_odds`) and
        their :func:`gates`; 0 where the odds are no numbers.
        """
        unread, certain = np.isnan(odds.sum(axis=1)), np.isposinf(odds).all(axis=1)
        columns = inputs(np.where(unread[:, None], 0.0, odds), gates)
        common, most, lift, fall = 1 / (1 + exp(-product(columns, self.weights.T))).T
        common = np.where(certain, most, np.maximum(common, least_common(odds, gates)))
        lift = np.where(certain, 1.0, lift)
        lifted = np.where(unread, 0.0, lift * np.maximum(common - cosines, 0))
        return lifted, np.where(unread, 0.0, fall * np.maximum(cosines + lifted - most, 0))


def inputs(odds: Float64Array, gates: Float64Array) -> Float64Array:
    """Return what the weights of a reader are for, (n, 15): 1, both gates, and half of the log odds
    (n, 4) of pairs without anything new or open, with new words, and with what is open.
    """
    new, open = gates[:, :1], gates[:, 1:]
    shares = (1 - new) * (1 - open), new * (1 - open), open
    known = np.clip(odds, -MOST_ODDS, MOST_ODDS)
    return np.hstack([np.ones_like(new), gates, *(known * (share / 2) for share in shares)])


def gates(amounts: Float64Array, penalties: Float64Array) -> Float64Array:
    """Return what decides how far a reader is followed, (n, 2) in [0, 1): how much there is of the
    ``amounts`` of new words, (n,), and of the ``penalties`` of what is open, (n,).
    """
    both = np.column_stack([amounts, penalties])
    return np.asarray(both / (both + HALF))


def least_common(odds: Float64Array, gates: Float64Array) -> Float64Array:
    """Return what pairs have in common at least, (n,) in [0, 1): their likeness or paraphrase, the
    lower of both, as far as nothing in them is new or open. There the cosine is too low for
    equivalent phrases.
    """
    likely = 1 / (1 + exp(-np.clip(odds[:, :2], -MOST_ODDS, MOST_ODDS)))
    share: Float64Array = (1 - gates).prod(axis=1)
    found: Float64Array = share * np.minimum(likely.min(axis=1), MOST_COMMON)
    return found


def log_odds(read: Readings) -> Float64Array:
    """Return the log odds that are weighed, (n, 4): of similarity, of paraphrase, of entailment as
    the mean of both ways, and against contradiction; not a number where nothing was read, infinite
    where texts are certainly alike.
    """
    certain = (read.similarity == 1) & (read.paraphrase == 1) & (read.contradicts == 0)
    chances = np.clip(np.column_stack(read), LEAST_CHANCE, 1 - LEAST_CHANCE)
    odds = dict(zip(read._fields, log(chances / (1 - chances)).T, strict=True))
    entailment = (odds["entails"] + odds["entailed"]) / 2
    columns = odds["similarity"], odds["paraphrase"], entailment, -odds["contradicts"]
    return np.where(certain[:, None], np.inf, np.column_stack(columns))


@dataclass(frozen=True, eq=False)
class PassageWeighting(
    Stored,
    type_name="passages",
    share="",
    rate="",
    wording="",
    lone="",
    exponent="",
    nearness="",
):
    """The constants of texts of several sentences (``passages.py``): the largest ``share`` that
    differences take, and the ``rate`` of the charges; the charge of ``wording``, what two
    counterparts lack of the base 1, and of what a ``lone`` sentence lacks; the ``exponent`` of what
    the other sentences have in common, and the least ``nearness`` of charged texts.
    """

    share: float
    rate: float
    wording: float
    lone: float
    exponent: float
    nearness: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(0 <= self.share <= 1, "the share is not in [0, 1]")
        rest = (self.rate, self.wording, self.lone, self.exponent)
        self._check(min(rest) >= 0 < self.nearness, "a constant is negative")

    def loss(self, base: float, charges: float) -> float:
        """Return the share of a base that charges take, in [0, 1]."""
        near = min(1.0, max(0.0, base / self.nearness - 1))
        return -self.share * math.expm1(-self.rate * near * charges)


@dataclass(frozen=True, eq=False)
class Weighting(Stored, type_name="weighting", penalty_exponent=""):
    """The constants of the score: the penalty of each term by its amount, and the penalty exponent
    F, at least 0. ``together`` is there if they were learned with a pair reader.
    """

    terms: Mapping[str, Curve]
    penalty_exponent: float = 0.0
    together: Together | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(self.penalty_exponent >= 0, "the penalty exponent must be at least 0")
        for name, curve in self.terms.items():
            self._check(isinstance(curve, Curve), f"the term {name!r} must be a curve")
            starts = len(curve.knots) > 1 and curve.knots[0] == curve.values[0] == 0
            self._check(starts, f"the term {name!r} must have two knots or more, from 0 up")
            self._check((np.diff(curve.values) >= 0).all(), f"the term {name!r} must not fall")
        none_or_together = self.together is None or isinstance(self.together, Together)
        self._check(none_or_together, "together is of another type")

    def weighted(
        self,
        cosines: Float64Array,
        amounts: Mapping[str, Float64Array],
        odds: Float64Array | None = None,
    ) -> Weighted:
        """Return the scores of pairs of sentences, and what they are made of.

        Rows do not depend on each other, not even in the last bit. ``cosines`` are (n,), at most 1;
        ``amounts`` are (n,) for each term, 0 or more. ``odds`` are what a reader made of the
        pairs, (n, 4), not a number where it was not asked (:func:`log_odds`).
        """
        parts = [curve.outputs(amounts[name]) for name, curve in self.terms.items()]
        lifted, fallen = self._change(cosines, amounts, parts, odds)
        base = cosines + (lifted - fallen)
        penalty = _total(parts, cosines)
        loss, first = (self._loss(one, penalty) for one in (base, cosines + lifted))
        rate = np.divide(first, penalty, out=np.zeros_like(first), where=penalty > 0)
        contributions = np.zeros((len(cosines), len(self.terms)))
        for number, part in enumerate(parts):
            contributions[:, number] = rate * part
        together = lifted - fallen + (loss - first)
        return Weighted(base + loss, contributions, together, base, penalty)

    def bounds(self, cosines: Float64Array) -> Float64Array:
        """Return the highest scores of pairs with these cosines, (…): 1 if a reader may read them
        together.
        """
        return cosines if self.together is None else np.ones_like(cosines)

    def _change(
        self,
        cosines: Float64Array,
        amounts: Mapping[str, Float64Array],
        parts: Sequence[Float64Array],
        odds: Float64Array | None,
    ) -> tuple[Float64Array, Float64Array]:
        """Return what reading the sentences together adds to the cosines and takes, (n,) each."""
        if self.together is None or odds is None:
            return np.zeros(len(cosines)), np.zeros(len(cosines))
        kept = {*self.together.open}
        new = _total((amounts[name] for name in self.together.new), cosines)
        open = _total((p for k, p in zip(self.terms, parts, strict=True) if k in kept), cosines)
        return self.together.change(cosines, odds, gates(new, open))

    def _loss(self, base: Float64Array, penalty: Float64Array) -> Float64Array:
        """Return the change of the base, (n,)."""
        positive = np.maximum(base, 0)
        return positive * expm1(-penalty * power(positive, self.penalty_exponent))

    @property
    def lipschitz_constant(self) -> float:
        """The largest change of a score with its cosine, for the same amounts and readings.

        The derivative of b·exp(-x), x = b^F·P, by b is exp(-x)·(1 - F·x), and x·exp(-x) is 1/e at
        most; that of b by c is in [0, 1].
        """
        return float(max(1.0, self.penalty_exponent / np.e))


def _total(parts: Iterable[Float64Array], like: Float64Array) -> Float64Array:
    """Return the sum of arrays, (n,), in their order; zeros like another without any."""
    return np.asarray(sum(parts, np.zeros(len(like))))
