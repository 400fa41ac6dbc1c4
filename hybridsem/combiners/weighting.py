"""The score of a cosine and the amounts of edits, as a sum of contributions.

    score = c · exp(-c^F · P)        for a cosine c > 0, and c itself below
    P     = sum of f_k(x_k)          over the kinds k of edits, with their amounts x_k

Each f_k is piecewise linear, rises from f_k(0) = 0, and is flat after its last knot. F, the penalty
exponent, reduces all penalties if the sentences have little in common. The score is at most c, at
least 0 if c is, and 1 for identical sentences, whose amounts are 0. The contribution of a kind is
its part of P.

The constants are learned (``models/hybrid/learn.py``) and stored in a JSON file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import expm1, power
from hybridsem.errors import FormatError


@dataclass(frozen=True)
class TermWeight:
    """The penalty of a kind of edit: ``values`` at ``knots``, both starting at 0."""

    name: str
    knots: tuple[float, ...]
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        for what, numbers in (("knots", self.knots), ("values", self.values)):
            if len(numbers) < 2 or numbers[0] != 0 or not np.isfinite(numbers).all():
                raise FormatError(
                    f"term {self.name!r}: expected at least two {what} from 0 up, got {numbers}"
                )
        if len(self.knots) != len(self.values) or min(np.diff(self.knots)) <= 0:
            raise FormatError(f"term {self.name!r}: expected a value for each of rising knots")
        if min(np.diff(self.values)) < 0:
            raise FormatError(f"term {self.name!r}: its values must not fall, got {self.values}")


class Weighted(NamedTuple):
    """Scores, (n,), and the contributions of the terms, (n, terms), 0 or less; the cosines and the
    contributions add up to the scores.
    """

    scores: Float64Array
    contributions: Float64Array


@dataclass(frozen=True)
class Weighting:
    """The constants of the score: the terms' weights, and the penalty exponent F, at least 0."""

    terms: tuple[TermWeight, ...]
    penalty_exponent: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.penalty_exponent < np.inf:
            raise FormatError(
                f"the penalty exponent must be at least 0 and finite, got {self.penalty_exponent}"
            )
        names = [term.name for term in self.terms]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise FormatError(f"duplicate terms: {', '.join(twice)}")

    def weighted(self, cosines: Float64Array, amounts: Mapping[str, Float64Array]) -> Weighted:
        """Return the scores of pairs of sentences, and the contributions.

        Rows do not depend on each other, not even in the last bit. ``cosines`` are (n,), at most 1;
        ``amounts`` are (n,) for each term, 0 or more.
        """
        parts = self._parts(amounts)
        loss, penalty = self._loss(cosines, parts)
        rate = np.divide(loss, penalty, out=np.zeros_like(loss), where=penalty > 0)
        contributions = np.zeros((len(cosines), len(self.terms)))
        for number, part in enumerate(parts):
            if part is not None:
                contributions[:, number] = rate * part
        return Weighted(cosines + loss, contributions)

    def scores(self, cosines: Float64Array, amounts: Mapping[str, Float64Array]) -> Float64Array:
        """Return the scores of :meth:`weighted` alone, to the last bit."""
        return cosines + self._loss(cosines, self._parts(amounts))[0]

    def _parts(self, amounts: Mapping[str, Float64Array]) -> list[Float64Array | None]:
        """Return the part of each term in P; None if no pair has any, which is usual."""
        return [
            np.interp(amounts[term.name], term.knots, term.values)
            if amounts[term.name].any()
            else None
            for term in self.terms
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

    def as_json(self) -> dict[str, Any]:
        """Return plain data for :meth:`from_json`."""
        terms = tuple(asdict(term) for term in self.terms)
        return {"terms": terms, "fade": self.penalty_exponent}

    @classmethod
    def from_json(cls, constants: Mapping[str, Any]) -> Weighting:
        """Return the constants of a JSON object: ``terms``, a list of the fields of
        :class:`TermWeight`, and ``fade``, the penalty exponent; other fields are ignored.
        """
        try:
            terms = tuple(_term(fields) for fields in constants["terms"])
            return cls(terms, float(constants["fade"]))
        except FormatError:
            raise
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise FormatError(f"invalid constants of a weighting: {error!r}") from error


def _term(fields: Mapping[str, Any]) -> TermWeight:
    if not isinstance(fields["name"], str):
        raise TypeError("the name of a term must be a string")
    knots, values = (tuple(map(float, fields[name])) for name in ("knots", "values"))
    return TermWeight(fields["name"], knots, values)
