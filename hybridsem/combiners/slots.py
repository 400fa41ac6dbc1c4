"""Role structures as vectors, with the polarity of the main clause.

    "The cat was not chased."   role      Verb     Agent   Patient   …   Polarity
                                filler    chased   –       the cat       negative
                                slot      √3·v     0       √2·v          √2·(-1, 0, …)

A slot is sqrt(weight) times the role's unit filler, as for VerbNet-CN (Eq. 2 of Fodor, De Deyne &
Suzuki 2024). Polarity is one more role, whose two fillers are opposite vectors. The score is the
cosine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem.combiners.alignment import VERBNET_WEIGHTS
from hybridsem.combiners.base import Batch
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.errors import InputError
from hybridsem.explanations import RoleMatch
from hybridsem.structures import RoleStructure

__all__ = ["POLARITY", "WEIGHTS", "SlotCombiner"]

POLARITY = "Polarity"

WEIGHTS: Mapping[str, float] = {**VERBNET_WEIGHTS, POLARITY: 2.0}
"""Polarity weighs as much as Agent, Patient and Theme; this is not tuned."""


@dataclass(frozen=True)
class SlotCombiner(RoleCombiner):
    """A :class:`~hybridsem.combiners.RoleCombiner` with a polarity, whose weight is the last."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.normalise != "total":
            raise InputError(
                f"{self.model} is a cosine of vectors, so normalise= is 'total'; got "
                f"{self.normalise!r}"
            )

    def matches(self, batch: Batch) -> list[list[RoleMatch]]:
        """Return the lines of every pair, the last for polarity; a failed parse has none."""
        total, weight = sum(self.weights.values()), self.weights[POLARITY]
        parsed = batch.parsed()
        found = []
        for lines, pair in zip(super().matches(batch), batch.pairs, strict=True):
            if not parsed.keys() >= {*pair}:
                found.append(lines)
                continue
            one, two = (parsed[index] for index in pair)
            cosine = float(_sign(one) * _sign(two))
            length = math.sqrt(self._square(one) * self._square(two))
            shared = [
                replace(
                    line,
                    weight=line.weight * total / length,
                    contribution=line.contribution * total / length,
                )
                for line in lines
            ]
            names = _polarity(one), _polarity(two)
            share, added = weight / length, cosine * weight / length
            line = RoleMatch(POLARITY, POLARITY, *names, cosine, share, added)
            found.append([*shared, line])
        return found

    def _square(self, structure: RoleStructure) -> float:
        """Return the square of a vector's length."""
        return self.weights[POLARITY] + sum(self.weights[role] for role in structure.roles)

    def vectors_of(self, structures: Sequence[RoleStructure]) -> Float32Array:
        """Return role-slot vectors, (n, roles · d), polarity's last; their cosine is the score."""
        rows = super().vectors_of(structures)
        if rows.size:
            start = -rows.shape[1] // len(self.weights)
            rows[:, start] = np.sqrt(self.weights[POLARITY]) * np.array(
                [_sign(one) for one in structures]
            )
        return rows


def _sign(structure: RoleStructure) -> int:
    return -1 if structure.main.negated else 1


def _polarity(structure: RoleStructure) -> str:
    return "negative" if structure.main.negated else "affirmative"
