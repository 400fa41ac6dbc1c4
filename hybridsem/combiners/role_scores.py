"""The scores of role models without their explanations, many pairs at once."""

from __future__ import annotations

import math

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import ROUNDING, row_products
from hybridsem.combiners.base import Batch
from hybridsem.combiners.roles import RoleCombiner
from hybridsem.comparison.role_alignment import align_roles, relative_weights
from hybridsem.embeddings.words import filler_vectors


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
        for at1, at2, weight in _compared(combiner, one, two):
            filler1, filler2 = fillers[start[first[rows]] + at1], fillers[start[second[rows]] + at2]
            cosines = np.clip(row_products(table[filler1], table[filler2]), -1, 1)
            total += weight * np.where(filler1 == filler2, 1.0, cosines)
        total[(first[rows] == second[rows]) & (total > 1 - ROUNDING)] = 1.0
        scores[rows] = np.clip(total, -1, 1)
    return scores


def _compared(
    combiner: RoleCombiner, one: tuple[str, ...], two: tuple[str, ...]
) -> list[tuple[int, int, float]]:
    """Return the indices of the compared roles, and the weight of their similarity."""
    aligned = align_roles(one, two, combiner.pairings)
    lone = [role for role in one if role not in [role1 for role1, *_ in aligned]]
    lone += [role for role in two if role not in [role2 for _, role2, _ in aligned]]
    slots = dict.fromkeys([slot for *_, slot in aligned], 0.0) | dict.fromkeys(lone, math.nan)
    weights = relative_weights(slots, combiner.weights, combiner.normalise)
    return [(one.index(role1), two.index(role2), weights[slot]) for role1, role2, slot in aligned]
