"""The comparison of fillers role by role.

VerbNet-CN (Fodor, De Deyne & Suzuki 2024, Eq. 2) and, over paths of relations, Dependency-CN (the
form of their Eq. 3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem.combiners.alignment import Normalise, align_roles, relative_weights
from hybridsem.combiners.base import Batch, lone_lines, row_cosines
from hybridsem.embeddings.words import Coverage, WordVectors, coverage, filler_vectors
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation, RoleMatch
from hybridsem.structures import Filler, RoleStructure

__all__ = ["RoleCombiner", "covered"]


def covered(batch: Batch, vectors: WordVectors, *, averaged: bool = False) -> Batch:
    """Return the batch with the coverage of each sentence's fillers added; for ``averaged`` see
    :func:`~hybridsem.embeddings.words.coverage`.
    """
    fillers = [
        (index, filler.words)
        for index, structure in batch.parsed().items()
        for filler in structure.roles.values()
    ]
    found = list(batch.coverage) or [Coverage()] * len(batch.sentences)
    for (index, _), one in zip(
        fillers, coverage(vectors, [words for _, words in fillers], averaged=averaged), strict=True
    ):
        found[index] += one
    return replace(batch, coverage=found)


@dataclass(frozen=True)
class RoleCombiner:
    """The weighted mean of the cosines between fillers of the same role.

    A filler without any word vector is compared too: its similarity is 1 to the same words, else 0.

    ``weights`` maps roles to weights, 1 for others. ``normalise`` selects the divisor of the sum of
    weight · cosine, as in :func:`~hybridsem.combiners.relative_weights`.

    >>> from hybridsem import Pipeline
    >>> combiner = Pipeline("verbnet-cn").combiner
    >>> combiner.formalism, combiner.weights["Verb"], combiner.normalise
    ('verbnet', 3.0, 'matched')
    """

    model: str
    vectors: WordVectors
    weights: Mapping[str, float]
    normalise: Normalise
    formalism: str = "verbnet"
    pairings: tuple[tuple[str, str], ...] = ()
    reads_vectors = False

    def __post_init__(self) -> None:
        if self.normalise not in get_args(Normalise):
            known = ", ".join(map(repr, get_args(Normalise)))
            raise InputError(f"unknown normalisation, got {self.normalise!r}; it is {known}")
        if self.normalise == "total" and not self.weights:
            raise InputError(
                f"{self.model} has an open set of roles, so there is no total; use 'matched', "
                "'union' or 'dice'"
            )

    def explain(self, batch: Batch) -> list[Explanation]:
        """Explain each pair with a line for each role that either sentence has."""
        batch = covered(batch, self.vectors)
        return [
            batch.explanation(pair, self.model, matches)
            for pair, matches in zip(batch.pairs, self.matches(batch), strict=True)
        ]

    def matches(self, batch: Batch) -> list[list[RoleMatch]]:
        """Return the compared and the lone roles of every pair; a failed parse has none."""
        roles = {index: structure.roles for index, structure in batch.parsed().items()}
        places = {
            key: row
            for row, key in enumerate((i, role) for i, fillers in roles.items() for role in fillers)
        }
        table = self._table([roles[index][role].words for index, role in places])
        aligned = [
            align_roles(roles[one], roles[two], self.pairings)
            if one in roles and two in roles
            else []
            for one, two in batch.pairs
        ]
        rows = [
            (places[one, role1], places[two, role2])
            for (one, two), compared in zip(batch.pairs, aligned, strict=True)
            for role1, role2, _ in compared
        ]
        cosines = iter(row_cosines(table, rows))
        return [
            self._lines(roles[one], roles[two], [(*roles_, next(cosines)) for roles_ in compared])
            if one in roles and two in roles
            else []
            for (one, two), compared in zip(batch.pairs, aligned, strict=True)
        ]

    def _table(self, fillers: Sequence[Sequence[str]]) -> Float32Array:
        """Return the unit vectors of fillers."""
        return filler_vectors(self.vectors, fillers)

    def _similarity(self, filler1: Filler, filler2: Filler, cosine: float) -> float:
        return 1.0 if filler1.words == filler2.words else cosine

    def _lines(
        self,
        fillers1: Mapping[str, Filler],
        fillers2: Mapping[str, Filler],
        compared: list[tuple[str, str, str, float]],
    ) -> list[RoleMatch]:
        """Return the lines of one pair: compared roles, then those of one sentence."""
        lone1 = [role for role in fillers1 if not any(role == role1 for role1, *_ in compared)]
        lone2 = [role for role in fillers2 if not any(role == role2 for _, role2, *_ in compared)]
        similarities = {slot: cosine for *_, slot, cosine in compared} | dict.fromkeys(
            [*lone1, *lone2], float("nan")
        )
        weights = relative_weights(similarities, self.weights, self.normalise)
        lines = []
        for role1, role2, slot, cosine in compared:
            filler1, filler2 = fillers1[role1], fillers2[role2]
            similarity, weight = self._similarity(filler1, filler2, cosine), weights[slot]
            texts = filler1.text, filler2.text
            lines.append(RoleMatch(role1, role2, *texts, similarity, weight, weight * similarity))
        return lines + lone_lines(
            ((role, fillers1[role]) for role in lone1), ((role, fillers2[role]) for role in lone2)
        )

    def vectors_of(self, structures: Sequence[RoleStructure]) -> Float32Array:
        """Return role-slot vectors, (n, roles · d): slot i is sqrt(weight of role i) times the
        role's unit filler.

        Their inner product, divided by the sum of the weights, is the score with
        ``normalise="total"`` and no pairing of unequal roles. Raises :class:`InputError` for an
        open set of roles.
        """
        if not self.weights:
            raise InputError(
                f"{self.model} has an open set of roles, so its structures are not vectors"
            )
        fillers = [
            (row, slot, structure.roles[role].words)
            for row, structure in enumerate(structures)
            for slot, role in enumerate(self.weights)
            if role in structure.roles
        ]
        table = self._table([words for *_, words in fillers])
        slots = np.zeros((len(structures), len(self.weights), table.shape[1]), np.float32)
        slots[[row for row, *_ in fillers], [slot for _, slot, _ in fillers]] = table
        slots *= np.sqrt(np.fromiter(self.weights.values(), np.float32))[:, None]
        return slots.reshape(len(structures), len(self.weights) * table.shape[1])
