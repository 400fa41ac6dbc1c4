"""Exact Shapley values of groups of features (Shapley 1953; Štrumbelj & Kononenko 2014).

A coalition's worth is the model's value if its players have the pair's features, and all others
those of a reference row. A player's value is its mean marginal worth over all orders. The values of
a row add up to the prediction minus that of the reference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from hybridsem._typing import BoolArray, Float64Array, IntArray
from hybridsem._utils import predictors
from hybridsem._utils.predictors import Ensemble, Linear, Predictor, Standardised, Tree

MAX_PLAYERS = 12  # the most players whose 2^12 coalitions are enumerated
Predict = Callable[[Float64Array], Float64Array]


@dataclass(frozen=True)
class Players:
    """The player of each feature."""

    of: tuple[str, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players, in the order of their first feature."""
        return tuple(dict.fromkeys(self.of))

    @cached_property
    def column(self) -> IntArray:
        """The index of each feature's player."""
        number = {name: i for i, name in enumerate(self.names)}
        return np.array([number[name] for name in self.of], np.int64)

    def summed(self, terms: Float64Array, columns: IntArray | None = None) -> Float64Array:
        """Return sums by player, (n, players), of terms of features, (n, columns)."""
        sums = np.zeros((len(terms), len(self.names)))
        column = self.column if columns is None else self.column[columns]
        for term, player in zip(terms.T, column, strict=True):
            sums[:, player] += term
        return sums


def attribute(
    model: Predictor, X: Float64Array, reference: Float64Array, players: Players
) -> tuple[float, Float64Array]:
    """Return the reference's value, and the Shapley values of groups, (n, players)."""
    match model:
        case predictors.Corrected(intercept, _, corrected):
            base, added = attribute(
                corrected, predictors.without_first(X), predictors.without_first(reference), players
            )
            return base + intercept, added
        case predictors.WeightedMean():  # without a reference
            return 0.0, players.summed(model.terms(X), model.columns)
        case Standardised(_, _, Linear(weights, bias)):  # features do not interact
            base_terms = model.scaled(reference[None]) * weights[:, 0]
            added = players.summed(model.scaled(X) * weights[:, 0] - base_terms)
            return float(base_terms.sum() + bias[0]), added
        case Ensemble(members):
            trees = [member for member in members if isinstance(member, Tree)]
            if len(trees) == len(members):
                added = _of_trees(trees, X, reference, players) / model.divisor
                return float(model.predict(reference[None])[0]), added
    return exact(model.predict, X, reference, players)


def exact(
    predict: Predict, X: Float64Array, reference: Float64Array, players: Players
) -> tuple[float, Float64Array]:
    """Return the reference's value and each player's in each row; many players are joined."""
    count = len(players.names)
    values = [_exact_row(predict, row, reference, players.column, count) for row in X]
    return float(predict(reference[None])[0]), np.array(values).reshape(len(X), count)


def _exact_row(
    predict: Predict, row: Float64Array, reference: Float64Array, column: IntArray, count: int
) -> Float64Array:
    """Return the values of ``count`` players in a row; ``column`` is the player of each feature."""
    same = (row == reference) | (np.isnan(row) & np.isnan(reference))
    members = np.unique(column[~same])
    if len(members) > MAX_PLAYERS:
        without = np.where(column == members[:, None], reference, row)
        change = np.abs(predict(row[None]) - predict(without))
        rest = members[np.argsort(-change, kind="stable")[MAX_PLAYERS - 1 :]]
        joined = np.where(np.isin(column, rest), rest[0], column)
        values = _exact_row(predict, row, reference, joined, count)
        values[rest] = values[rest[0]] / len(rest)
        return values
    coalitions, factors = _coalitions(len(members))
    inside = np.zeros((len(coalitions), count), bool)
    inside[:, members] = coalitions
    values = np.zeros(count)
    values[members] = factors @ predict(np.where(inside[:, column], row, reference))
    return values


@cache
def _coalitions(players: int) -> tuple[BoolArray, Float64Array]:
    """Return all coalitions, (2^k, k), and the factors of their worths in the values, (k, 2^k)."""
    coalitions = (np.arange(2**players)[:, None] >> np.arange(players)) & 1 == 1
    size = coalitions.sum(axis=1)
    worth = [1 / (players * math.comb(players - 1, others)) for others in range(players)]
    joined, left = np.array([0.0, *worth]), np.array([*worth, 0.0])
    return coalitions, np.where(coalitions.T, joined[size], -left[size])


def _of_trees(
    trees: Sequence[Tree], X: Float64Array, reference: Float64Array, players: Players
) -> Float64Array:
    """Return each player's value in a sum of trees, (n, players).

    A coalition reaches a leaf if each player on its path meets the path's conditions, with the
    pair's features in the coalition and the reference's outside. With a players whom only the
    pair's features let through, and b whom only the reference's do, the leaf's value counts
    (a-1)! b! / (a+b)! for each of the former and -a! (b-1)! / (a+b)! for each of the latter.
    """
    values = np.zeros((len(X), len(players.names)))
    for tree in trees:
        meets, reference_meets = _conditions(tree, X), _conditions(tree, reference[None])
        for leaf, path in _paths(tree):
            own: dict[int, BoolArray] = {}
            other: dict[int, bool] = {}
            for node, left in path:
                player = int(players.column[tree.feature[node]])
                own[player] = own.get(player, True) & (meets[node] == left)
                other[player] = other.get(player, True) and bool(reference_meets[node][0] == left)
            if not own:
                continue
            reached = np.ones(len(X), bool)
            a, b = np.zeros(len(X), int), np.zeros(len(X), int)
            for player, met in own.items():
                if other[player]:
                    b += ~met
                else:
                    a += met
                    reached &= met
            factor = _FACTORS[a, b] * tree.value[leaf]
            for player, met in own.items():
                if other[player]:
                    worth = _FACTORS[b, a] * tree.value[leaf]
                    values[:, player] -= np.where(reached & ~met, worth, 0)
                else:
                    values[:, player] += np.where(reached & met, factor, 0)
    return values


_MOST = 32  # players on a path
_FACTORS = np.zeros((_MOST, _MOST))
for _a in range(1, _MOST):
    for _b in range(_MOST):
        _FACTORS[_a, _b] = math.factorial(_a - 1) * math.factorial(_b) / math.factorial(_a + _b)


def _conditions(tree: Tree, X: Float64Array) -> dict[int, BoolArray]:
    """Return, for each inner node, which rows go left."""
    inner = np.flatnonzero(tree.feature >= 0).tolist()
    return {node: tree.goes_left(node, X[:, tree.feature[node]]) for node in inner}


def _paths(tree: Tree) -> list[tuple[int, list[tuple[int, bool]]]]:
    """Return each leaf with the nodes above it, and whether its path goes left there."""
    paths: list[tuple[int, list[tuple[int, bool]]]] = []
    stack: list[tuple[int, list[tuple[int, bool]]]] = [(0, [])]
    while stack:
        node, path = stack.pop()
        if tree.feature[node] < 0:
            paths.append((node, path))
        else:
            stack.append((int(tree.left[node]), [*path, (node, True)]))
            stack.append((int(tree.right[node]), [*path, (node, False)]))
    return paths
