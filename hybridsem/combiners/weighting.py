"""From the terms of a comparison to one score that is the sum of what each term contributes.

    score = (c + G) · exp(-c^F · P)        for a cosine c > 0, and c itself below
    G     = B · c · (1 - c) · (1 - exp(-U))
    P     = sum of f_k(x_k) · g_k over the penalties,  U = the same over the supports

A penalty takes away a share of what is alike, a support gives back a share of what the cosine
lacks, at most B of it. Each f_k is piecewise linear, rises from f_k(0) = 0 and is flat behind its
last knot. A gate g_k = floor + (1 - floor) · q scales a term by how sure another term q in [0, 1]
is; F lets all penalties fade where the sentences have little in common. So without penalties the
score is at least c, with any it lies in [0, 1], and it is 1 for identical sentences, whose terms
are 0. The exponentials are what lets many small differences add up without end; each term's
contribution is its part of P or U.

The constants are learned (``models/hybrid/learn.py``) and stand in a JSON file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import expm1, power
from hybridsem.errors import FormatError

__all__ = ["PENALTY", "SUPPORT", "TermWeight", "Weighted", "Weighting"]

PENALTY, SUPPORT = "penalty", "support"


@dataclass(frozen=True)
class TermWeight:
    """What a term is worth: ``values`` at ``knots``, both from 0 up, and its gate, if it has one.

    ``kind`` is :data:`PENALTY` or :data:`SUPPORT`.
    """

    name: str
    kind: str
    knots: tuple[float, ...]
    values: tuple[float, ...]
    gate: str | None = None
    floor: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in (PENALTY, SUPPORT):
            raise FormatError(
                f"term {self.name!r}: its kind is {PENALTY} or {SUPPORT}, got {self.kind!r}"
            )
        for what, numbers in (("knots", self.knots), ("values", self.values)):
            if len(numbers) < 2 or numbers[0] != 0 or not np.isfinite(numbers).all():
                raise FormatError(
                    f"term {self.name!r}: expected at least two {what} from 0 up, got {numbers}"
                )
        if len(self.knots) != len(self.values) or min(np.diff(self.knots)) <= 0:
            raise FormatError(f"term {self.name!r}: expected a value for each of rising knots")
        if min(np.diff(self.values)) < 0:
            raise FormatError(f"term {self.name!r}: its values must not fall, got {self.values}")
        if not 0 <= self.floor <= 1:
            raise FormatError(f"term {self.name!r}: floor is from 0 to 1, got {self.floor}")


class Weighted(NamedTuple):
    """Scores, (n,), and what each term contributes to them, (n, terms); with the cosines these add
    up to the scores. A contribution below 0 is a penalty's.
    """

    scores: Float64Array
    contributions: Float64Array


@dataclass(frozen=True)
class Weighting:
    """The constants of the score: the terms' weights, B in [0, 1], and F from 0 up."""

    terms: tuple[TermWeight, ...]
    bound: float = 0.0
    fade: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.bound <= 1:
            raise FormatError(f"the bound of the supports is from 0 to 1, got {self.bound}")
        if not 0 <= self.fade < np.inf:
            raise FormatError(f"the fading of the penalties is from 0 up, got {self.fade}")
        names = [term.name for term in self.terms]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise FormatError(f"a term stands twice: {', '.join(twice)}")

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names that :meth:`weighted` needs values of: terms, then gates that are none."""
        gates = (term.gate for term in self.terms if term.gate is not None)
        return tuple(dict.fromkeys((*(term.name for term in self.terms), *gates)))

    def weighted(self, cosines: Float64Array, values: Mapping[str, Float64Array]) -> Weighted:
        """The scores of pairs of sentences, and what they are made of.

        Rows do not depend on each other, not even in the last bit.

        Args:
            cosines: (n,), of the sentence vectors, at most 1.
            values: (n,) for each of :attr:`inputs`; terms are 0 or more, gates in [0, 1].

        Raises:
            KeyError: A term without values.
        """
        parts = self._parts(values)
        changes, sums = self._changes(cosines, parts)
        rates = {kind: _quotient(changes[kind], sums[kind]) for kind in (PENALTY, SUPPORT)}
        none = np.zeros(len(cosines))
        contributions = np.stack(
            [
                none if part is None else rates[term.kind] * part
                for term, part in zip(self.terms, parts, strict=True)
            ]
            or [np.empty(0)],
            axis=-1,
        ).reshape(len(cosines), len(self.terms))
        return Weighted(cosines + changes[SUPPORT] + changes[PENALTY], contributions)

    def scores(self, cosines: Float64Array, values: Mapping[str, Float64Array]) -> Float64Array:
        """The scores of :meth:`weighted` alone, to the last bit."""
        changes, _ = self._changes(cosines, self._parts(values))
        return cosines + changes[SUPPORT] + changes[PENALTY]

    def _parts(self, values: Mapping[str, Float64Array]) -> list[Float64Array | None]:
        """What each term adds to P or U; None where no pair has any of it, as it is with most."""
        return [_part(term, values) if values[term.name].any() else None for term in self.terms]

    def _changes(
        self, cosines: Float64Array, parts: Sequence[Float64Array | None]
    ) -> tuple[dict[str, Float64Array], dict[str, Float64Array]]:
        """What the penalties and the supports change, and the sums P and U, by kind."""
        sums = {kind: np.zeros(len(cosines)) for kind in (PENALTY, SUPPORT)}
        for term, part in zip(self.terms, parts, strict=True):
            if part is not None:
                sums[term.kind] += part
        positive = np.maximum(cosines, 0)
        gain = self.bound * positive * np.maximum(1 - positive, 0) * -expm1(-sums[SUPPORT])
        loss = (positive + gain) * expm1(-sums[PENALTY] * power(positive, self.fade))
        return {PENALTY: loss, SUPPORT: gain}, sums

    def most(self, cosines: Float64Array) -> Float64Array:
        """What the scores of sentences with these cosines are at most."""
        positive = np.clip(cosines, 0, 1)
        return np.asarray(cosines + self.bound * positive * (1 - positive))

    @property
    def steepest(self) -> float:
        """By how much a score changes at most with its cosine, the terms being as they are.

        The derivative of c·exp(-x), x = c^F·P, is exp(-x)·(1 - F·x), and x·exp(-x) is 1/e at most.
        A gate that is the cosine adds at most its term's highest value.
        """
        gated = sum(term.values[-1] for term in self.terms if term.gate == "cosine")
        return float((1 + self.bound) * (max(1.0, self.fade / np.e) + gated))

    def as_json(self) -> dict[str, Any]:
        """What :meth:`from_json` reads."""
        return asdict(self)

    @classmethod
    def from_json(cls, constants: Mapping[str, Any]) -> Weighting:
        """The constants in a JSON object: ``terms``, a list of the fields of :class:`TermWeight`,
        ``bound`` and ``fade``; what else stands there says where they come from.
        """
        try:
            terms = tuple(_term(fields) for fields in constants["terms"])
            return cls(terms, float(constants["bound"]), float(constants["fade"]))
        except FormatError:
            raise
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise FormatError(f"these are no constants of a weighting: {error!r}") from error


def _term(fields: Mapping[str, Any]) -> TermWeight:
    numbers: Sequence[str] = ("knots", "values")
    if not all(isinstance(fields.get(name, ""), str | None) for name in ("name", "kind", "gate")):
        raise TypeError("a term's name, kind and gate are texts")
    return TermWeight(**{**fields, **{name: tuple(map(float, fields[name])) for name in numbers}})


def _part(term: TermWeight, values: Mapping[str, Float64Array]) -> Float64Array:
    part = np.interp(values[term.name], term.knots, term.values)
    if term.gate is not None:
        part = part * (term.floor + (1 - term.floor) * np.clip(values[term.gate], 0, 1))
    return np.asarray(part, np.float64)


def _quotient(part: Float64Array, whole: Float64Array) -> Float64Array:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
