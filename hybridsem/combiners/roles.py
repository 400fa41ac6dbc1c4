"""The comparison of fillers role by role.

VerbNet-CN (Fodor, De Deyne & Suzuki 2024, Eq. 2), also with its words looked up as in the release
of STS3k, and with the polarity as a role; over paths of relations, Dependency-CN (the form of their
Eq. 3).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import get_args

import numpy as np

from hybridsem._typing import Float32Array, Float64Array
from hybridsem._utils.exact import ROUNDING, row_products
from hybridsem.combiners.base import Batch, lone_lines, row_cosines
from hybridsem.comparison.role_alignment import POLARITY, Normalise, align_roles, relative_weights
from hybridsem.embeddings.words import Coverage, WordVectors, coverage, filler_vectors
from hybridsem.english.words import RELEASE_STOP_WORDS
from hybridsem.errors import InputError
from hybridsem.explanations import Explanation, RoleMatch
from hybridsem.structures import Filler, RoleStructure

Fillers = Mapping[str, Filler]


def covered(
    batch: Batch,
    vectors: WordVectors,
    *,
    averaged: bool = False,
    roles_of: Callable[[RoleStructure], Fillers] = attrgetter("roles"),
) -> Batch:
    """Return the batch with the coverage of each sentence's fillers added; for ``averaged`` see
    :func:`~hybridsem.embeddings.words.coverage`.
    """
    fillers = [
        (index, filler.words)
        for index, structure in batch.parsed().items()
        for filler in roles_of(structure).values()
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
    averaged = False
    """Whether the vector of a filler is the mean of those of its words."""

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
        batch = covered(batch, self.vectors, averaged=self.averaged, roles_of=self._roles)
        return [
            batch.explanation(pair, self.model, matches)
            for pair, matches in zip(batch.pairs, self.matches(batch), strict=True)
        ]

    def matches(self, batch: Batch) -> list[list[RoleMatch]]:
        """Return the compared and the lone roles of every pair; a failed parse has none."""
        roles = {index: self._roles(structure) for index, structure in batch.parsed().items()}
        places = {
            key: row
            for row, key in enumerate((i, role) for i, fillers in roles.items() for role in fillers)
        }
        table = self._table([roles[index][role].words for index, role in places])
        aligned = {
            (one, two): align_roles(roles[one], roles[two], self.pairings)
            for one, two in batch.pairs
            if one in roles and two in roles
        }
        rows = [
            (places[one, role1], places[two, role2])
            for (one, two), compared in aligned.items()
            for role1, role2, _ in compared
        ]
        cosines = iter(row_cosines(table, rows))
        lines = {
            (one, two): self._lines(roles[one], roles[two], [(*of, next(cosines)) for of in found])
            for (one, two), found in aligned.items()
        }
        return [lines.get(pair, []) for pair in batch.pairs]

    def _roles(self, structure: RoleStructure) -> Fillers:
        """Return the compared roles."""
        return structure.roles

    def _table(self, fillers: Sequence[Sequence[str]]) -> Float32Array:
        """Return the unit vectors of fillers."""
        return filler_vectors(self.vectors, fillers)

    def _similarity(self, filler1: Filler, filler2: Filler, cosine: float) -> float:
        return 1.0 if filler1.words == filler2.words else cosine

    def _lines(
        self,
        fillers1: Fillers,
        fillers2: Fillers,
        compared: list[tuple[str, str, str, float]],
    ) -> list[RoleMatch]:
        """Return the lines of one pair: compared roles, then those of one sentence."""
        found = [each[:3] for each in compared]
        lone1, lone2, weights = self.weighed(tuple(fillers1), tuple(fillers2), found)
        lines = []
        for role1, role2, slot, cosine in compared:
            filler1, filler2 = fillers1[role1], fillers2[role2]
            similarity, weight = self._similarity(filler1, filler2, cosine), weights[slot]
            texts = filler1.text, filler2.text
            lines.append(RoleMatch(role1, role2, *texts, similarity, weight, weight * similarity))
        return lines + lone_lines(
            ((role, fillers1[role]) for role in lone1), ((role, fillers2[role]) for role in lone2)
        )

    def weighed(
        self, one: Sequence[str], two: Sequence[str], aligned: Sequence[tuple[str, str, str]]
    ) -> tuple[list[str], list[str], dict[str, float]]:
        """Return the roles that only the first and only the second sentence has, and the weights of
        the compared ones.
        """
        lone1 = [role for role in one if role not in [role1 for role1, *_ in aligned]]
        lone2 = [role for role in two if role not in [role2 for _, role2, _ in aligned]]
        slots = dict.fromkeys([slot for *_, slot in aligned], 0.0)
        slots |= dict.fromkeys([*lone1, *lone2], math.nan)
        return lone1, lone2, relative_weights(slots, self.weights, self.normalise)

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
            (row, slot, roles[role].words)
            for row, roles in enumerate(map(self._roles, structures))
            for slot, role in enumerate(self.weights)
            if role in roles
        ]
        table = self._table([words for *_, words in fillers])
        slots = np.zeros((len(structures), len(self.weights), table.shape[1]), np.float32)
        slots[[row for row, *_ in fillers], [slot for _, slot, _ in fillers]] = table
        slots *= np.sqrt(np.fromiter(self.weights.values(), np.float32))[:, None]
        return slots.reshape(len(structures), len(self.weights) * table.shape[1])


def role_scores(combiner: RoleCombiner, batch: Batch) -> Float64Array:
    """Return the scores of ``combiner.explain``, (p,), much faster; NaN without a structure.

    Pairs whose sentences have the same roles share their alignment and weights, so they are
    compared together.
    """
    kinds: dict[tuple[str, ...], int] = {}
    distinct: dict[tuple[str, ...], int] = {}
    kind, start = (np.full(len(batch.sentences), -1) for _ in range(2))
    numbers: list[int] = []  # of the fillers of all sentences, one after the other
    for index, structure in batch.parsed().items():
        roles = structure.roles
        kind[index], start[index] = kinds.setdefault(tuple(roles), len(kinds)), len(numbers)
        numbers += [distinct.setdefault(filler.words, len(distinct)) for filler in roles.values()]
    table, fillers = filler_vectors(combiner.vectors, list(distinct)), np.array(numbers, np.int64)

    first, second = np.array(batch.pairs, np.int64).reshape(-1, 2).T
    scores = np.full(len(first), np.nan)
    known = np.flatnonzero((kind[first] >= 0) & (kind[second] >= 0))
    together = kind[first[known]] * len(kinds) + kind[second[known]]
    order = np.argsort(together, kind="stable")
    ends = np.flatnonzero(np.diff(together[order])) + 1
    names = list(kinds)
    for rows in np.split(known[order], ends) if len(known) else ():
        one, two = names[kind[first[rows[0]]]], names[kind[second[rows[0]]]]
        total = np.zeros(len(rows))
        aligned = align_roles(one, two, combiner.pairings)
        *_, weights = combiner.weighed(one, two, aligned)
        for role1, role2, slot in aligned:
            filler1 = fillers[start[first[rows]] + one.index(role1)]
            filler2 = fillers[start[second[rows]] + two.index(role2)]
            cosines = np.clip(row_products(table[filler1], table[filler2]), -1, 1)
            total += weights[slot] * np.where(filler1 == filler2, 1.0, cosines)
        total[(first[rows] == second[rows]) & (total > 1 - ROUNDING)] = 1.0
        scores[rows] = np.clip(total, -1, 1)
    return scores


@dataclass(frozen=True)
class PublishedRoleCombiner(RoleCombiner):
    """A :class:`RoleCombiner` that looks words up as the release of STS3k does.

    "The old cook's knife"   words     the old cook's knife    split at blanks
                             content   old cook's knife        without the release's stop words
                             vector    mean of the three, or none if one of them has none

    A filler without a vector has the similarity 0, to itself too: one with a word that the vectors
    lack (ConceptNet Numberbatch lacks "cook's"), and one of stop words alone ("him"; "won", which
    is on the list for "won't").
    """

    averaged = True

    def _roles(self, structure: RoleStructure) -> Fillers:
        return {
            role: replace(filler, words=_words(filler.text), content=())
            for role, filler in structure.roles.items()
        }

    def _table(self, fillers: Sequence[Sequence[str]]) -> Float32Array:
        known = coverage(self.vectors, fillers, averaged=True)
        whole = [
            () if found.unknown else words for words, found in zip(fillers, known, strict=True)
        ]
        return filler_vectors(self.vectors, whole, averaged=True)

    def _similarity(self, filler1: Filler, filler2: Filler, cosine: float) -> float:
        return cosine


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.lower().split() if word not in RELEASE_STOP_WORDS)


@dataclass(frozen=True)
class SlotCombiner(RoleCombiner):
    """A :class:`RoleCombiner` with a polarity, whose weight is the last; the score is a cosine.

    "The cat was not chased."   role      Verb     Agent   Patient   …   Polarity
                                filler    chased   –       the cat       negative
                                slot      √3·v     0       √2·v          √2·(-1, 0, …)

    A slot is sqrt(weight) times the role's unit filler. The two polarities are opposite vectors.
    """

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
