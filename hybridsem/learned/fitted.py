"""Models that were fitted to rated pairs, in numpy alone: what a weights file holds and a pipeline
computes.

    Weighted          a mean of similarities with learned weights; a missing one takes no part
    Additive          a sum over the features (ridge)
    Networks          the mean of multilayer perceptrons
    RegressionTrees   a sum of regression trees; a missing value has a side of its own at each node
    Projected         one of these over principal components

Each predicts from (n, features) tables in which NaN is a missing role, and tells what groups of
features add: see ``shapley.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from hybridsem._typing import AnyArray, BoolArray, Float64Array, IntArray
from hybridsem.errors import FormatError
from hybridsem.learned.shapley import Players, exact, of_trees


@dataclass(frozen=True)
class LearnedModel:
    """A fitted regressor: its values, and what each group of features adds to them."""

    kind: ClassVar[str]

    def predict(self, X: Float64Array) -> Float64Array:
        """The value of each row of features, (n,); NaN is a missing feature."""
        raise NotImplementedError

    def attribute(
        self, X: Float64Array, reference: Float64Array, players: Players
    ) -> tuple[float, Float64Array]:
        """The reference's value, and what each group of features adds as exact Shapley values, (n,
        players): they add up to the prediction's rise above it.
        """
        return exact(self.predict, X, reference, players)

    def fits(self, features: int) -> bool:
        """Whether it is a model over so many features."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the kind and the fields."""
        return {"kind": self.kind} | _plain_fields(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """What :meth:`to_dict` gave; raises ValueError, KeyError or TypeError for other data."""
        raise NotImplementedError


def _plain_fields(of: LearnedModel | Tree) -> dict[str, Any]:
    return {field.name: _plain(getattr(of, field.name)) for field in fields(of)}


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, LearnedModel):
        return value.to_dict()
    if isinstance(value, Tree):
        return _plain_fields(value)
    if isinstance(value, Layer):
        return {name: _plain(part) for name, part in value._asdict().items()}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def filled(X: Float64Array, values: Float64Array) -> Float64Array:
    """The table with ``values`` where a feature is missing."""
    return np.where(np.isnan(X), values, X)


@dataclass(frozen=True)
class Weighted(LearnedModel):
    """Σ wᵢ xᵢ / Σ wᵢ over the ``columns`` that are not missing; 0 where all are.

    >>> import numpy as np
    >>> model = Weighted((0, 1), np.array([0.75, 0.25]), np.zeros(2))
    >>> model.predict(np.array([[1.0, 0.0], [1.0, np.nan]])).tolist()
    [0.75, 1.0]
    """

    kind: ClassVar[str] = "weighted"
    columns: tuple[int, ...]
    weights: Float64Array
    errors: Float64Array
    """The weights' standard errors."""

    def predict(self, X: Float64Array) -> Float64Array:
        """The value of each row, (n,)."""
        found: Float64Array = self._terms(X).sum(axis=1)
        return found

    def attribute(
        self, X: Float64Array, reference: Float64Array, players: Players
    ) -> tuple[float, Float64Array]:
        """Each similarity adds its share of the mean, whatever the reference."""
        return 0.0, players.summed(self._terms(X), self.columns)

    def _terms(self, X: Float64Array) -> Float64Array:
        chosen = X[:, list(self.columns)]
        weights = np.where(np.isnan(chosen), 0.0, self.weights)
        total = weights.sum(axis=1, keepdims=True)
        terms: Float64Array = np.nan_to_num(chosen) * np.divide(
            weights, total, out=np.zeros_like(weights), where=total > 0
        )
        return terms

    def fits(self, features: int) -> bool:
        """Whether it is a model over so many features."""
        shapes = len(self.columns) == len(self.weights) == len(self.errors)
        there = all(0 <= column < features for column in self.columns)
        return shapes and there and bool((self.weights >= 0).all())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """What :meth:`to_dict` gave."""
        return cls(tuple(map(int, data["columns"])), _row(data["weights"]), _row(data["errors"]))


@dataclass(frozen=True)
class Additive(LearnedModel):
    """intercept + Σ coefᵢ (xᵢ - meanᵢ); a missing feature adds nothing.

    >>> import numpy as np
    >>> model = Additive(0.5, np.array([2.0]), np.array([0.1]))
    >>> model.predict(np.array([[0.2], [np.nan]])).round(2).tolist()
    [0.7, 0.5]
    """

    kind: ClassVar[str] = "additive"
    intercept: float
    coef: Float64Array
    mean: Float64Array

    def predict(self, X: Float64Array) -> Float64Array:
        """The value of each row, (n,)."""
        found: Float64Array = self.intercept + self._terms(X).sum(axis=1)
        return found

    def attribute(
        self, X: Float64Array, reference: Float64Array, players: Players
    ) -> tuple[float, Float64Array]:
        """Features do not interact, so each adds what it is above the reference."""
        base = self._terms(reference[None])
        return self.intercept + float(base.sum()), players.summed(self._terms(X) - base)

    def _terms(self, X: Float64Array) -> Float64Array:
        return (filled(X, self.mean) - self.mean) * self.coef

    def fits(self, features: int) -> bool:
        """Whether it is a model over so many features."""
        return len(self.coef) == len(self.mean) == features

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """What :meth:`to_dict` gave."""
        return cls(float(data["intercept"]), _row(data["coef"]), _row(data["mean"]))


class Layer(NamedTuple):
    """A layer of a network: weights (in, out) and biases (out,)."""

    weights: Float64Array
    biases: Float64Array


@dataclass(frozen=True)
class Networks(LearnedModel):
    """The mean of networks with rectified layers over standardised features; missing ones are 0."""

    kind: ClassVar[str] = "networks"
    mean: Float64Array
    scale: Float64Array
    members: tuple[tuple[Layer, ...], ...]

    def predict(self, X: Float64Array) -> Float64Array:
        """The value of each row, (n,)."""
        standard = (filled(X, self.mean) - self.mean) / self.scale
        total = np.zeros(len(X))
        for layers in self.members:
            value = standard
            for depth, (weights, biases) in enumerate(layers):
                value = value @ weights + biases
                if depth < len(layers) - 1:
                    value = np.maximum(value, 0)
            total += value[:, 0]
        return total / len(self.members)

    def fits(self, features: int) -> bool:
        """Whether it is a model over so many features."""
        return len(self.mean) == len(self.scale) == features and bool((self.scale > 0).all())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """What :meth:`to_dict` gave."""
        mean, members = _row(data["mean"]), []
        for layers in data["members"]:
            width, read = len(mean), []
            for layer in layers:
                weights, biases = np.array(layer["weights"], float), _row(layer["biases"])
                if weights.shape != (width, len(biases)):
                    raise ValueError(f"a layer of shape {weights.shape} after {width} values")
                width = len(biases)
                read.append(Layer(weights, biases))
            if width != 1:
                raise ValueError("a network has one output")
            members.append(tuple(read))
        if not members:
            raise ValueError("no network")
        return cls(mean, _row(data["scale"]), tuple(members))


@dataclass(frozen=True)
class Tree:
    """A regression tree as columns, a node a row; leaves have feature -1, x ≤ threshold: left.

    >>> tree = Tree(
    ...     np.array([0, -1, -1]),
    ...     np.array([0.5, 0.0, 0.0]),
    ...     np.array([True, True, True]),
    ...     np.array([1, 0, 0]),
    ...     np.array([2, 0, 0]),
    ...     np.array([0.0, 0.1, 0.9]),
    ... )
    >>> tree.value[tree.leaves(np.array([[0.2], [0.8]]))].tolist()
    [0.1, 0.9]
    """

    feature: IntArray
    threshold: Float64Array
    missing_left: BoolArray
    left: IntArray
    right: IntArray
    value: Float64Array

    def leaves(self, X: Float64Array) -> IntArray:
        """The leaf of each row of features, (n,); NaN is a missing feature."""
        at = np.zeros(len(X), np.int64)
        rows = np.arange(len(X))
        while (inner := self.feature[at] >= 0).any():
            x = X[rows, np.maximum(self.feature[at], 0)]
            goes_left = np.where(np.isnan(x), self.missing_left[at], x <= self.threshold[at])
            at = np.where(inner, np.where(goes_left, self.left[at], self.right[at]), at)
        return at


@dataclass(frozen=True)
class RegressionTrees(LearnedModel):
    """baseline + the sum of the trees' values.

    >>> RegressionTrees(0.5, ()).predict(np.zeros((2, 3))).tolist()
    [0.5, 0.5]
    """

    kind: ClassVar[str] = "trees"
    baseline: float
    trees: tuple[Tree, ...]

    def predict(self, X: Float64Array) -> Float64Array:
        """The value of each row, (n,)."""
        total = np.full(len(X), self.baseline)
        for tree in self.trees:
            total += tree.value[tree.leaves(X)]
        return total

    def attribute(
        self, X: Float64Array, reference: Float64Array, players: Players
    ) -> tuple[float, Float64Array]:
        """Exact Shapley values, leaf by leaf."""
        return float(self.predict(reference[None])[0]), of_trees(self.trees, X, reference, players)

    def fits(self, features: int) -> bool:
        """Whether it is a model over so many features."""
        return all((tree.feature < features).all() for tree in self.trees)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """What :meth:`to_dict` gave."""
        return cls(float(data["baseline"]), tuple(_tree(tree) for tree in data["trees"]))


@dataclass(frozen=True)
class Projected(LearnedModel):
    """A model over projections (x - mean) · componentsᵀ, for features that have no line each.

    >>> model = Projected(np.zeros(2), np.array([[1.0, 0.0]]), RegressionTrees(0.5, ()))
    >>> model.predict(np.ones((1, 2))).tolist()
    [0.5]
    """

    kind: ClassVar[str] = "projected"
    mean: Float64Array
    components: Float64Array
    inner: LearnedModel

    def predict(self, X: Float64Array) -> Float64Array:
        """The value of each row, (n,)."""
        return self.inner.predict((filled(X, self.mean) - self.mean) @ self.components.T)

    def fits(self, features: int) -> bool:
        """Whether it is a model over so many features."""
        return len(self.mean) == features

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """What :meth:`to_dict` gave."""
        mean, components = _row(data["mean"]), np.array(data["components"], float)
        inner = _KINDS[data["inner"]["kind"]].from_dict(data["inner"])
        if (
            components.ndim != 2
            or components.shape[1] != len(mean)
            or not np.isfinite(components).all()
        ):
            raise ValueError(f"components of shape {components.shape} for {len(mean)} features")
        if isinstance(inner, (Projected, Weighted)) or not inner.fits(len(components)):
            raise ValueError("the model over the components does not fit them")
        return cls(mean, components, inner)


_KINDS: Mapping[str, type[LearnedModel]] = {
    one.kind: one for one in (Weighted, Additive, Networks, RegressionTrees, Projected)
}


def _tree(data: Mapping[str, Any]) -> Tree:
    """A tree, checked: children come after their parent, so that going down ends."""
    tree = Tree(
        np.array(data["feature"], np.int64),
        _row(data["threshold"]),
        np.array(data["missing_left"], bool),
        np.array(data["left"], np.int64),
        np.array(data["right"], np.int64),
        _row(data["value"]),
    )
    nodes = np.arange(len(tree.feature))
    inner = tree.feature >= 0
    columns: Sequence[AnyArray] = (
        tree.threshold,
        tree.missing_left,
        tree.left,
        tree.right,
        tree.value,
    )
    if not len(nodes) or any(column.shape != nodes.shape for column in columns):
        raise ValueError("a tree's columns have different lengths")
    for children in (tree.left, tree.right):
        if ((children <= nodes) | (children >= len(nodes)))[inner].any():
            raise ValueError("a tree's children must come after their parent")
    return tree


def _row(values: Any) -> Float64Array:
    row = np.array(values, float)
    if row.ndim != 1 or not np.isfinite(row).all():
        raise ValueError("expected a list of finite numbers")
    return row


def read_model(data: Mapping[str, Any], features: int, path: object) -> LearnedModel:
    """The model that data of :meth:`LearnedModel.to_dict` describe, over so many features.

    Raises :class:`FormatError`, with the file's ``path``, for anything else.

    >>> model = Weighted((0, 1), np.array([0.75, 0.25]), np.zeros(2))
    >>> read_model(model.to_dict(), 2, "weights.json").kind
    'weighted'
    """
    try:
        model = _KINDS[data["kind"]].from_dict(data)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise FormatError(
            f"no model that can be read ({type(error).__name__}: {error})", path
        ) from None
    if not model.fits(features):
        raise FormatError(f"the model is not one over {features} features", path)
    return model
