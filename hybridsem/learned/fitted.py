"""Fitted models in numpy, and their file weights.json.

    weighted    columns, weights, errors    Σ wᵢ xᵢ / Σ wᵢ over the columns that are not missing
    additive    intercept, coef, mean       linear model: intercept + Σ coefᵢ (xᵢ - meanᵢ)
    networks    mean, scale, members        the mean of perceptrons with ReLU over standardised
                                            features
    trees       baseline, trees             a sum of regression trees; each node has a side for
                                            missing values

Models predict from tables (n, features), in which NaN is a missing role; linear models and networks
replace it by the mean. ``shapley.py`` explains their predictions. The file is plain JSON, and
reading it runs no code:

    schema        hybridsem-weights/1
    sha256        checksum of the other fields
    pipeline      model and parts; features of other parts are refused
    features      kind, names, players, roles
    regressor     its name and settings
    offset        [intercept, slope] of the line from the model's own score, or null
    reference     the features of the pair that explanations count from; null is missing
    model         its kind, and its numbers as above
    training      hash and size of the data, range of the ratings, split, seed, held-out scores
    versions      of hybridsem, numpy, scikit-learn
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import BoolArray, Float64Array, IntArray
from hybridsem._utils.disk import saving
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.signed_json import signed, signed_content
from hybridsem.learned.features import FeatureSet
from hybridsem.learned.shapley import Players, exact, of_trees

SCHEMA = "hybridsem-weights/1"


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
    """A fitted regressor: its kind, and its numbers by name."""

    kind: str
    data: Mapping[str, Any]

    def predict(self, X: Float64Array) -> Float64Array:
        """Return the value of each row of features, (n,)."""
        return _PREDICT[self.kind](self.data, X)

    def attribute(
        self, X: Float64Array, reference: Float64Array, players: Players
    ) -> tuple[float, Float64Array]:
        """Return the reference's value, and the exact Shapley values of groups, (n, players). These
        add up to the difference between the prediction and the reference's value.
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
}


def _check(right: Any, why: str) -> None:
    if not right:
        raise ValueError(why)


def _array(values: Any, *shape: int | None) -> Float64Array:
    """Return finite numbers of a shape; None is any length."""
    found = np.array(values, float)
    fits = len(found.shape) == len(shape) and all(
        wanted in (None, size) for wanted, size in zip(shape, found.shape, strict=True)
    )
    _check(fits and np.isfinite(found).all(), f"expected finite numbers, got shape {found.shape}")
    return found


def read_model(data: Mapping[str, Any], features: int) -> LearnedModel:
    """Read the data of :meth:`LearnedModel.to_dict`, of a model over a number of features. Raises
    ``ValueError``, ``KeyError`` or ``TypeError`` for anything else.
    """
    kind, found = data["kind"], dict[str, Any]()
    for name in ("intercept", "baseline"):
        if name in data:
            found[name] = float(data[name])
    if kind == "weighted":
        columns = tuple(map(int, data["columns"]))
        weights, errors = (_array(data[name], len(columns)) for name in ("weights", "errors"))
        _check(all(0 <= column < features for column in columns), "there is no such column")
        _check((weights >= 0).all(), "a weight is negative")
        found = {"columns": columns, "weights": weights, "errors": errors}
    elif kind == "additive":
        found |= {name: _array(data[name], features) for name in ("coef", "mean")}
    elif kind == "networks":
        found |= {name: _array(data[name], features) for name in ("mean", "scale")}
        _check((found["scale"] > 0).all(), "a scale is not positive")
        found["members"] = tuple(_read_network(layers, features) for layers in data["members"])
        _check(found["members"], "there is no network")
    else:
        _check(kind == "trees", f"unknown kind {kind!r:.40}")
        found["trees"] = tuple(_read_tree(tree, features) for tree in data["trees"])
    return LearnedModel(kind, found)


def _read_network(layers: Any, width: int) -> tuple[Layer, ...]:
    read = []
    for layer in layers:
        biases = _array(layer["biases"], None)
        read.append(Layer(_array(layer["weights"], width, len(biases)), biases))
        width = len(biases)
    _check(width == 1, "a network has one output")
    return tuple(read)


def _read_tree(data: Any, features: int) -> Tree:
    """Read a tree whose children come after their parents, so that there are no cycles."""
    kinds = (np.int64, float, bool, np.int64, np.int64, float)
    columns = zip(Tree._fields, kinds, strict=True)
    tree = Tree(*(np.array(data[name], kind) for name, kind in columns))
    nodes, inner = np.arange(len(_array(tree.value, None))), tree.feature >= 0
    _check(len(nodes) and (tree.feature < features).all(), "there is no node, or no such feature")
    _check(all(column.shape == nodes.shape for column in tree), "its lengths differ")
    _array(tree.threshold, None)
    for children in (tree.left, tree.right):
        late = (children > nodes) & (children < len(nodes))
        _check(late[inner].all(), "a tree's children must come after their parent")
    return tree


@dataclass(frozen=True)
class Weights:
    """A fitted regressor over the features of a model's explanations. The fields are those of the
    file; see the module's docstring.
    """

    pipeline: Mapping[str, str]
    features: FeatureSet
    model: LearnedModel
    reference: Float64Array
    offset: tuple[float, float] | None = None
    regressor: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def players(self) -> Players:
        """The groups of features in an explanation."""
        return Players(self.features.players)

    def predict(self, X: Float64Array) -> Float64Array:
        """Return the learned scores, (n,) in [-1, 1], of features (n, features), own score first. A
        row of NaN has NaN.
        """
        scores = self.model.predict(self._body(X))
        if self.offset is not None:
            scores = scores + self.offset[0] + self.offset[1] * X[:, 0]
        return np.where(np.isnan(X).all(axis=1), np.nan, np.clip(scores, -1, 1))

    def attribute(self, X: Float64Array) -> tuple[float, Float64Array]:
        """Return the reference's value, without its own score, and what each group adds,
        (n, players).
        """
        reference = self._body(self.reference[None])[0]
        base, added = self.model.attribute(self._body(X), reference, self.players)
        return base + (self.offset[0] if self.offset is not None else 0.0), added

    def _body(self, X: Float64Array) -> Float64Array:
        return X if self.offset is None else without_first(X)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file atomically; raise :class:`InputError` if that fails."""
        content = {
            "pipeline": dict(self.pipeline),
            "features": asdict(self.features),
            "regressor": dict(self.regressor),
            "offset": self.offset,
            "reference": [None if np.isnan(value) else value for value in self.reference.tolist()],
            "model": self.model.to_dict(),
            "training": dict(self.training),
            "versions": dict(self.versions),
        }
        text = json.dumps(signed(content, SCHEMA), ensure_ascii=False, allow_nan=False) + "\n"
        with saving(path, "the weights") as part:
            part.write_text(text, encoding="utf-8")


def without_first(X: Float64Array) -> Float64Array:
    """Return the table with zeros for the own score, which the offset covers."""
    body = X.copy()
    body[:, 0] = 0.0
    return body


@wrap_read_errors
def read_weights(path: str | os.PathLike[str]) -> Weights:
    """Read a file of ``hybridsem train`` or :meth:`Weights.save`. Raises :class:`FormatError` if it
    is damaged or something else.
    """
    advice = "not usable as weights: {}; make them with `hybridsem train`"
    with signed_content(path, SCHEMA, advice) as content:
        given = content["features"]
        texts = {name: tuple(given[name]) for name in ("names", "players", "roles")}
        if not all(isinstance(text, str) for text in (given["kind"], *chain(*texts.values()))):
            raise TypeError("the kind, names, players and roles of features are strings")
        features = FeatureSet(given["kind"], **texts)
        values = (np.nan if value is None else float(value) for value in content["reference"])
        reference = np.array(list(values), float)
        offset = None
        if content["offset"] is not None:
            offset = float(content["offset"][0]), float(content["offset"][1])
        model = read_model(content["model"], len(features.names))
        if len(reference) != len(features.names) or len(features.players) != len(features.names):
            raise ValueError("the reference is for other features")
        about = [dict(content[name]) for name in ("regressor", "training", "versions")]
        return Weights({**content["pipeline"]}, features, model, reference, offset, *about)
