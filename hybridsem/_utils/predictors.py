"""Learned functions in numpy, with one JSON form.

In JSON an object has its ``type`` and its fields; arrays are lists, in which null is missing.
Reading it runs no code. Predictions of a row do not depend on the other rows, and have the same
bits on every processor.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import ClassVar, Self

import numpy as np

from hybridsem._typing import BoolArray, Float64Array, IntArray
from hybridsem._utils.disk import saving
from hybridsem._utils.exact import exp, product
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.signed_json import read_signed, signed
from hybridsem._utils.weights import weight_file
from hybridsem.errors import AssetError, FormatError

LARGEST = 1e12
"""The largest number in a predictor."""
DAMAGE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
TYPE = "type"
TYPES: dict[str, type[Stored]] = {}
"""The classes by their name in JSON."""


@dataclass(frozen=True, eq=False)
class Stored:
    """A value with a JSON form. Its fields are plain data, arrays, or such values."""

    type_name: ClassVar[str]
    _contents: ClassVar[Mapping[str, str | type]] = {}

    def __init_subclass__(cls, type_name: str = "", **contents: str | type) -> None:
        """Register a class. ``contents`` are the fields that are checked: arrays by their shape, a
        letter per dimension and "" for a number, others by the type of their parts.
        """
        cls._contents = {**cls._contents, **contents}
        if type_name:
            cls.type_name = type_name
            TYPES[type_name] = cls

    def __post_init__(self) -> None:
        sizes: dict[str, int] = {}
        for name, content in self._contents.items():
            value = getattr(self, name)
            if isinstance(content, str):
                array = np.array(value, np.float64)
                fits = len(content) == array.ndim and all(
                    sizes.setdefault(letter, size) == size
                    for letter, size in zip(content, array.shape, strict=True)
                )
                self._check(fits, f"the shape of {name} is {array.shape}, which does not fit")
                self._check((abs(array) <= LARGEST).all(), f"{name} is not finite, or too large")
                self._set(name, array if content else float(array))
            else:
                parts = value if isinstance(value, (tuple, list)) else (value,)
                fits = all(isinstance(part, content) for part in parts)
                self._check(fits, f"{name} is no {content.__name__}")
                self._set(name, value if parts[:1] == (value,) else tuple(parts))

    def to_dict(self) -> dict[str, object]:
        """Return plain data for :meth:`from_dict`."""
        values = {each.name: _plain(getattr(self, each.name)) for each in fields(self)}
        return {TYPE: self.type_name, **values}

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Return the value of :meth:`to_dict`; :class:`FormatError` for damaged or other data."""
        try:
            value = _restored(data)
        except FormatError:
            raise
        except DAMAGE as error:
            raise FormatError(f"{type(error).__name__}: {error!s:.200}") from None
        if not isinstance(value, cls):
            raise FormatError(f"it is no {cls.__name__}")
        return value

    @classmethod
    def shipped(cls, name: str) -> Self:
        """Return the value of a weight file; :class:`AssetError` if it is missing or damaged."""
        try:
            return cls.from_dict(json.loads(weight_file(name)))
        except (ValueError, RecursionError) as error:
            raise AssetError(
                f"the weight file {name} is damaged ({error}); reinstall hybridsem"
            ) from None

    def _check(self, right: object, why: str) -> None:
        if not right:
            raise FormatError(f"{self.type_name}: {why}")

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


def _plain(value: object) -> object:
    if isinstance(value, Stored):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(part) for part in value]
    if isinstance(value, np.ndarray):
        plain = value.astype(object)
        plain[value != value] = None  # NaN
        return plain.tolist()
    return value


def _restored(value: object) -> object:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [_restored(part) for part in value]
    if not isinstance(value, dict):
        return value
    if TYPE not in value:
        return {name: _restored(part) for name, part in value.items()}
    made = TYPES[value[TYPE]]
    # What a file of an earlier version lacks has its default, if there is one.
    names = [f.name for f in fields(made) if f.name in value or f.default is MISSING]
    return made(**{name: _restored(value[name]) for name in names})


class Predictor(Stored):
    """A function of rows of features."""

    def outputs(self, rows: Float64Array) -> Float64Array:
        """Return the outputs for rows (…, features), (…, outputs)."""
        raise NotImplementedError

    def predict(self, rows: Float64Array) -> Float64Array:
        """Return the first output for rows (…, features), (…)."""
        return self.outputs(rows)[..., 0]

    def _expect(self, rows: Float64Array, width: int) -> None:
        self._check(rows.shape[-1] == width, f"expected {width} features, got {rows.shape[-1]}")


@dataclass(frozen=True, eq=False)
class Linear(Predictor, type_name="linear", weights="io", bias="o"):
    """A linear function with weights (features, outputs) and a bias (outputs,)."""

    weights: Float64Array
    bias: Float64Array

    def outputs(self, rows: Float64Array) -> Float64Array:
        self._expect(rows, len(self.weights))
        return product(rows, self.weights) + self.bias


@dataclass(frozen=True, eq=False)
class Network(Predictor, type_name="network", layers=Linear):
    """Linear layers with ReLU between them."""

    layers: tuple[Linear, ...]

    def outputs(self, rows: Float64Array) -> Float64Array:
        for depth, layer in enumerate(self.layers):
            rows = layer.outputs(np.maximum(rows, 0) if depth else rows)
        return rows


@dataclass(frozen=True, eq=False)
class Standardised(
    Predictor, type_name="standardised", mean="i", scale="i", model=Predictor, limit=""
):
    """A model of deviations from the mean, clipped to a limit; a missing feature has the mean."""

    mean: Float64Array
    scale: Float64Array
    model: Predictor
    limit: float = LARGEST

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check((self.scale * LARGEST > 1).all(), "a scale is not positive")

    def scaled(self, rows: Float64Array) -> Float64Array:
        """Return the features as deviations."""
        self._expect(rows, len(self.mean))
        scaled = (np.where(np.isnan(rows), self.mean, rows) - self.mean) / self.scale
        return np.asarray(np.clip(scaled, -self.limit, self.limit))

    def outputs(self, rows: Float64Array) -> Float64Array:
        return self.model.outputs(self.scaled(rows))


@dataclass(frozen=True, eq=False)
class Ensemble(Predictor, type_name="ensemble", members=Predictor, start="", divisor=""):
    """The sum of a start and of the members, divided by a divisor."""

    members: tuple[Predictor, ...]
    start: float = 0.0
    divisor: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(self.divisor >= 1, "the divisor is less than 1")

    def outputs(self, rows: Float64Array) -> Float64Array:
        total = np.full((*rows.shape[:-1], 1), self.start)
        for member in self.members:
            total = total + member.outputs(rows)
        return np.asarray(total / self.divisor)


@dataclass(frozen=True, eq=False)
class Tree(
    Predictor,
    type_name="tree",
    feature="n",
    threshold="n",
    missing_left="n",
    left="n",
    right="n",
    value="n",
):
    """A regression tree, an element per node; leaves have feature -1, and x ≤ threshold goes left.
    Children come after their parents, so that there are no cycles.
    """

    feature: IntArray
    threshold: Float64Array
    missing_left: BoolArray
    left: IntArray
    right: IntArray
    value: Float64Array

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("feature", "left", "right"):
            self._set(name, getattr(self, name).astype(np.int64))
        self._set("missing_left", self.missing_left.astype(bool))
        nodes, inner = np.arange(len(self.value)), self.feature >= 0
        self._check(len(nodes), "there is no node")
        for children in (self.left, self.right):
            late = (children > nodes) & (children < len(nodes))
            self._check(late[inner].all(), "children must come after their parent")

    def goes_left(self, node: IntArray | int, x: Float64Array) -> BoolArray:
        """Test which values of a node's feature go left."""
        return np.where(np.isnan(x), self.missing_left[node], x <= self.threshold[node])

    def outputs(self, rows: Float64Array) -> Float64Array:
        self._check(self.feature.max() < rows.shape[-1], "there is no such feature")
        at, row = np.zeros(len(rows), np.int64), np.arange(len(rows))
        while (inner := self.feature[at] >= 0).any():
            is_left = self.goes_left(at, rows[row, np.maximum(self.feature[at], 0)])
            at = np.where(inner, np.where(is_left, self.left[at], self.right[at]), at)
        return self.value[at][:, None]


@dataclass(frozen=True, eq=False)
class WeightedMean(Predictor, type_name="weighted mean", columns="n", weights="n", errors="n"):
    """A mean of columns by weights, without missing ones; ``errors`` are those of the weights."""

    columns: IntArray
    weights: Float64Array
    errors: Float64Array

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("columns", self.columns.astype(np.int64))
        self._check((self.columns >= 0).all(), "there is no such column")
        self._check((self.weights >= 0).all(), "a weight is negative")

    def terms(self, rows: Float64Array) -> Float64Array:
        """Return what each column adds, (n, columns)."""
        chosen = rows[:, self.columns]
        weights = np.where(np.isnan(chosen), 0.0, self.weights)
        total = weights.sum(axis=1, keepdims=True)
        share = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
        return np.asarray(np.nan_to_num(chosen) * share)

    def outputs(self, rows: Float64Array) -> Float64Array:
        return np.asarray(self.terms(rows).sum(axis=1, keepdims=True))


@dataclass(frozen=True, eq=False)
class Curve(Predictor, type_name="curve", knots="k", values="k"):
    """A function of each feature: ``values`` at rising ``knots``, linear between, flat outside."""

    knots: Float64Array
    values: Float64Array

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check(len(self.knots) and (np.diff(self.knots) > 0).all(), "the knots do not rise")

    def outputs(self, rows: Float64Array) -> Float64Array:
        return np.asarray(np.interp(rows, self.knots, self.values))


@dataclass(frozen=True, eq=False)
class Logistic(Predictor, type_name="logistic", weights="i", bias=""):
    """A logistic curve of a linear function with weights (features,)."""

    weights: Float64Array
    bias: float

    def outputs(self, rows: Float64Array) -> Float64Array:
        self._expect(rows, len(self.weights))
        z = product(rows, self.weights[:, None]) + self.bias
        return np.asarray(1 / (1 + exp(-np.clip(z, -30, 30))))


@dataclass(frozen=True, eq=False)
class Corrected(Predictor, type_name="corrected", intercept="", slope="", model=Predictor):
    """A line of the first feature, plus a model of the others, to which the first is 0."""

    intercept: float
    slope: float
    model: Predictor

    def outputs(self, rows: Float64Array) -> Float64Array:
        line = self.intercept + self.slope * rows[..., :1]
        return np.asarray(line + self.model.outputs(without_first(rows)))


def without_first(rows: Float64Array) -> Float64Array:
    """Return the table with zeros for the first feature."""
    body = rows.copy()
    body[..., 0] = 0.0
    return body


class SignedFile(Stored):
    """A value in a JSON file with a checksum; ``command`` makes the file."""

    what: ClassVar[str]
    command: ClassVar[str]

    @classmethod
    def _schema(cls) -> str:
        return f"hybridsem-{cls.type_name}/2"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file atomically; raise :class:`InputError` if that fails."""
        content = signed(self.to_dict(), self._schema())
        text = json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n"
        with saving(path, self.what) as part:
            part.write_text(text, encoding="utf-8")

    @classmethod
    @wrap_read_errors
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file of :meth:`save`. Raises :class:`FormatError`, which names the command that
        makes it again, if it is damaged, of an earlier version, or something else.
        """
        advice = f"not usable as {cls.what}: {{}}; run `hybridsem {cls.command}` again"
        content = read_signed(path, cls._schema(), advice)
        try:
            return cls.from_dict(content)
        except FormatError as error:
            raise FormatError(advice.format(error), path) from None


@dataclass(frozen=True, eq=False, kw_only=True)
class Fitted(SignedFile, model=Predictor, pipeline=dict, training=dict, versions=dict):
    """A model fitted to what a ``pipeline`` gives; ``training`` describes the data."""

    pipeline: Mapping[str, str]
    model: Predictor
    training: Mapping[str, object] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
