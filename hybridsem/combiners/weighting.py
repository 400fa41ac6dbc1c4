"""From the amounts of the kinds of edits to one score, the sum of what each contributes.

    score = c · exp(-c^F · P)        for a cosine c > 0, and c itself below
    P     = sum of f_k(x_k)          over the kinds k, of each of which there is an amount x_k

Each f_k is piecewise linear, rises from f_k(0) = 0 and is flat behind its last knot. F lets all
penalties fade where the sentences have little in common. So the score is at most c, at least 0
where c is, and 1 for identical sentences, whose amounts are 0. The exponential is what lets many
small edits add up without end; the contribution of a kind is its part of P.

The constants are learned (``models/hybrid/learn.py``) and kept in a JSON file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import expm1, power
from hybridsem.errors import FormatError

__all__ = ["TermWeight", "Weighted", "Weighting"]


@dataclass(frozen=True)
class TermWeight:
    """The penalty of a kind of edit: ``values`` at ``knots``, both from 0 up."""

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
    """Scores, (n,), and the contribution of each term to them, (n, terms), 0 or less; with the
    cosines these add up to the scores.
    """

    scores: Float64Array
    contributions: Float64Array


@dataclass(frozen=True)
class Weighting:
    """The constants of the score: the terms' weights, and F from 0 up."""

    terms: tuple[TermWeight, ...]
    fade: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.fade < np.inf:
            raise FormatError(f"the fading of the penalties is from 0 up, got {self.fade}")
        names = [term.name for term in self.terms]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise FormatError(f"a term stands twice: {', '.join(twice)}")

    def weighted(self, cosines: Float64Array, amounts: Mapping[str, Float64Array]) -> Weighted:
        """The scores of pairs of sentences, and what they are made of.

        Rows do not depend on each other, not even in the last bit.

        Args:
            cosines: (n,), of the sentence vectors, at most 1.
            amounts: (n,) for each term, 0 or more.

        Raises:
            KeyError: A term without amounts.
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
        """The scores of :meth:`weighted` alone, to the last bit."""
        return cosines + self._loss(cosines, self._parts(amounts))[0]

    def _parts(self, amounts: Mapping[str, Float64Array]) -> list[Float64Array | None]:
        """The part of each term in P; None where no pair has any, as is usual."""
        return [
            np.interp(amounts[term.name], term.knots, term.values)
            if amounts[term.name].any()
            else None
            for term in self.terms
        ]

    def _loss(
        self, cosines: Float64Array, parts: Sequence[Float64Array | None]
    ) -> tuple[Float64Array, Float64Array]:
        """The change of the cosines, and P, (n,) each."""
        penalty = np.zeros(len(cosines))
        for part in parts:
            if part is not None:
                penalty += part
        positive = np.maximum(cosines, 0)
        return positive * expm1(-penalty * power(positive, self.fade)), penalty

    @property
    def steepest(self) -> float:
        """The most by which a score changes with its cosine, the amounts being the same.

        The derivative of c·exp(-x), x = c^F·P, is exp(-x)·(1 - F·x), and x·exp(-x) is 1/e at most.
        """
        return float(max(1.0, self.fade / np.e))

    def as_json(self) -> dict[str, Any]:
        """Plain data for :meth:`from_json`."""
        return asdict(self)

    @classmethod
    def from_json(cls, constants: Mapping[str, Any]) -> Weighting:
        """The constants in a JSON object: ``terms``, a list of the fields of :class:`TermWeight`,
        and ``fade``; other fields are ignored.
        """
        try:
            terms = tuple(_term(fields) for fields in constants["terms"])
            return cls(terms, float(constants["fade"]))
        except FormatError:
            raise
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise FormatError(f"these are no constants of a weighting: {error!r}") from error


def _term(fields: Mapping[str, Any]) -> TermWeight:
    if not isinstance(fields["name"], str):
        raise TypeError("a term's name is a text")
    knots, values = (tuple(map(float, fields[name])) for name in ("knots", "values"))
    return TermWeight(fields["name"], knots, values)
