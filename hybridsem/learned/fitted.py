"""Fitted models in numpy: the content of a weights file.

    weighted    columns, weights, errors    Σ wᵢ xᵢ / Σ wᵢ over the columns that are not missing
    additive    intercept, coef, mean       linear model: intercept + Σ coefᵢ (xᵢ - meanᵢ)
    networks    mean, scale, members        the mean of perceptrons with ReLU over standardised
                                            features
    trees       baseline, trees             a sum of regression trees; each node has a side for
                                            missing values
    projected   mean, components, inner     one of the others over (x - mean) · componentsᵀ

Models predict from tables (n, features), in which NaN is a missing role; linear models and networks
replace it by the mean. ``shapley.py`` explains their predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import BoolArray, Float64Array, IntArray
from hybridsem.errors import FormatError
from hybridsem.learned.shapley import Players, exact, of_trees


class Layer(NamedTuple):
    """A layer of a network: weights (in, out) and biases (out,)."""

    weights: Float64Array
    biases: Float64Array


class Tree(NamedTuple):
    """A regression tree, a row per node; leaves have feature -1, and x ≤ threshold goes left."""

    feature: IntArray
    threshold: Float64Array
    missing_left: BoolArray
    left: IntArray
    right: IntArray
    value: Float64Array


@dataclass(frozen=True)
class LearnedModel:
    """A fitted regressor: its kind, and its numbers by name (see the module's docstring)."""

    kind: str
    data: Mapping[str, Any]

    def predict(self, X: Float64Array) -> Float64Array:
        """Return the value of each row of features, (n,)."""
        return _PREDICT[self.kind](self.data, X)

    def attribute(
        self, X: Float64Array, reference: Float64Array, players: Players
    ) -> tuple[float, Float64Array]:
        """Return the reference's value, and the exact Shapley values of groups, (n, players).

        These add up to the difference between the prediction and the reference's value.
        """
        if self.kind == "weighted":  # without a reference
            return 0.0, players.summed(_weighted_terms(self.data, X), self.data["columns"])
        if self.kind == "additive":  # features do not interact
            base = _linear_terms(self.data, reference[None])
            added = players.summed(_linear_terms(self.data, X) - base)
            return self.data["intercept"] + float(base.sum()), added
        if self.kind == "trees":
            added = of_trees(self.data["trees"], X, reference, players)
            return float(self.predict(reference[None])[0]), added
        return exact(self.predict, X, reference, players)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: the kind and the numbers."""
        return {"kind": self.kind} | {name: _plain(value) for name, value in self.data.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, LearnedModel):
        return value.to_dict()
    if isinstance(value, (Tree, Layer)):
        return {name: part.tolist() for name, part in value._asdict().items()}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _weighted_terms(data: Mapping[str, Any], X: Float64Array) -> Float64Array:
    chosen = X[:, list(data["columns"])]
    weights = np.where(np.isnan(chosen), 0.0, data["weights"])
    total = weights.sum(axis=1, keepdims=True)
    share = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    return np.asarray(np.nan_to_num(chosen) * share)


def _centred(data: Mapping[str, Any], X: Float64Array) -> Float64Array:
    """Return the table minus the mean, 0 for missing features."""
    return np.asarray(np.where(np.isnan(X), data["mean"], X) - data["mean"])


def _linear_terms(data: Mapping[str, Any], X: Float64Array) -> Float64Array:
    return np.asarray(_centred(data, X) * data["coef"])


def _mlp_ensemble(data: Mapping[str, Any], X: Float64Array) -> Float64Array:
    standard = _centred(data, X) / data["scale"]
    total = np.zeros(len(X))
    for layers in data["members"]:
        value = standard
        for depth, (weights, biases) in enumerate(layers):
            value = value @ weights + biases
            if depth < len(layers) - 1:
                value = np.maximum(value, 0)
        total += value[:, 0]
    return total / len(data["members"])


def _trees(data: Mapping[str, Any], X: Float64Array) -> Float64Array:
    total = np.full(len(X), data["baseline"])
    rows = np.arange(len(X))
    for tree in data["trees"]:
        at = np.zeros(len(X), np.int64)
        while (inner := tree.feature[at] >= 0).any():
            x = X[rows, np.maximum(tree.feature[at], 0)]
            goes_left = np.where(np.isnan(x), tree.missing_left[at], x <= tree.threshold[at])
            at = np.where(inner, np.where(goes_left, tree.left[at], tree.right[at]), at)
        total += tree.value[at]
    return total


_PREDICT: Mapping[str, Callable[[Mapping[str, Any], Float64Array], Float64Array]] = {
    "weighted": lambda data, X: np.asarray(_weighted_terms(data, X).sum(axis=1)),
    "additive": lambda data, X: data["intercept"] + _linear_terms(data, X).sum(axis=1),
    "networks": _mlp_ensemble,
    "trees": _trees,
    "projected": lambda data, X: data["inner"].predict(_centred(data, X) @ data["components"].T),
}


def _check(right: Any, why: str) -> None:
    if not right:
        raise ValueError(why)


def _row(values: Any) -> Float64Array:
    row = np.array(values, float)
    _check(row.ndim == 1 and np.isfinite(row).all(), "expected a list of finite numbers")
    return row


def _read_weighted(data: Mapping[str, Any], features: int) -> dict[str, Any]:
    columns = tuple(map(int, data["columns"]))
    weights, errors = _row(data["weights"]), _row(data["errors"])
    _check(len(columns) == len(weights) == len(errors), "its lengths differ")
    _check(all(0 <= column < features for column in columns), "there is no such column")
    _check((weights >= 0).all(), "a weight is negative")
    return {"columns": columns, "weights": weights, "errors": errors}


def _read_linear_model(data: Mapping[str, Any], features: int) -> dict[str, Any]:
    coef, mean = _row(data["coef"]), _row(data["mean"])
    _check(len(coef) == len(mean) == features, "its lengths differ")
    return {"intercept": float(data["intercept"]), "coef": coef, "mean": mean}


def _read_mlp_ensemble(data: Mapping[str, Any], features: int) -> dict[str, Any]:
    mean, scale, members = _row(data["mean"]), _row(data["scale"]), []
    _check(len(mean) == len(scale) == features and (scale > 0).all(), "its lengths differ")
    for layers in data["members"]:
        width, read = len(mean), []
        for layer in layers:
            weights, biases = np.array(layer["weights"], float), _row(layer["biases"])
            _check(weights.shape == (width, len(biases)), f"a layer of shape {weights.shape}")
            width = len(biases)
            read.append(Layer(weights, biases))
        _check(width == 1, "a network has one output")
        members.append(tuple(read))
    _check(members, "there is no network")
    return {"mean": mean, "scale": scale, "members": tuple(members)}


def _read_trees(data: Mapping[str, Any], features: int) -> dict[str, Any]:
    """Read trees whose children come after their parents, so that there are no cycles."""
    trees = []
    for one in data["trees"]:
        kinds = (np.int64, float, bool, np.int64, np.int64, float)
        columns = zip(Tree._fields, kinds, strict=True)
        tree = Tree(*(np.array(one[name], kind) for name, kind in columns))
        nodes, inner = np.arange(len(_row(tree.value))), tree.feature >= 0
        _row(tree.threshold)
        _check(
            len(nodes) and (tree.feature < features).all(), "there is no node, or no such feature"
        )
        _check(all(column.shape == nodes.shape for column in tree), "its lengths differ")
        for children in (tree.left, tree.right):
            late = (children > nodes) & (children < len(nodes))
            _check(late[inner].all(), "a tree's children must come after their parent")
        trees.append(tree)
    return {"baseline": float(data["baseline"]), "trees": tuple(trees)}


def _read_projected(data: Mapping[str, Any], features: int) -> dict[str, Any]:
    mean, components = _row(data["mean"]), np.array(data["components"], float)
    _check(len(mean) == features, "its lengths differ")
    _check(components.ndim == 2 and components.shape[1] == features, "its lengths differ")
    _check(np.isfinite(components).all(), "components must be finite")
    _check(data["inner"]["kind"] not in ("projected", "weighted"), "components need another model")
    return {"mean": mean, "components": components, "inner": _read(data["inner"], len(components))}


_READ: Mapping[str, Callable[[Mapping[str, Any], int], dict[str, Any]]] = {
    "weighted": _read_weighted,
    "additive": _read_linear_model,
    "networks": _read_mlp_ensemble,
    "trees": _read_trees,
    "projected": _read_projected,
}


def _read(data: Mapping[str, Any], features: int) -> LearnedModel:
    return LearnedModel(data["kind"], _READ[data["kind"]](data, features))


def read_model(data: Mapping[str, Any], features: int, path: object) -> LearnedModel:
    """Read the model over a number of features from the data of :meth:`LearnedModel.to_dict`.

    Raises :class:`FormatError`, with the file's ``path``, for anything else.
    """
    try:
        return _read(data, features)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        why = f"not a model over {features} features ({type(error).__name__}: {error})"
        raise FormatError(why, path) from None
