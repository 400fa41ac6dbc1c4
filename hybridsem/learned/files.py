"""weights.json: a fitted regressor, its features and its training.

    schema        hybridsem-weights/1
    sha256        checksum of the other fields
    pipeline      model and parts; features of other parts are refused
    features      kind, names, players, roles
    regressor     its name and settings
    offset        [intercept, slope] of the line from the model's own score, or null
    reference     the features of the pair that explanations count from; null is missing
    model         see fitted.py
    training      hash and size of the data, range of the ratings, split, seed, held-out scores
    versions      of hybridsem, numpy, scikit-learn

The file is plain JSON. Reading it runs no code.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.disk import saving
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.signed_json import signed, signed_content
from hybridsem.learned.features import FeatureSet
from hybridsem.learned.fitted import LearnedModel, read_model
from hybridsem.learned.shapley import Players

SCHEMA = "hybridsem-weights/1"


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
        features = _features(content["features"])
        values = (np.nan if value is None else float(value) for value in content["reference"])
        reference = np.array(list(values), float)
        offset = None
        if content["offset"] is not None:
            offset = float(content["offset"][0]), float(content["offset"][1])
        model = read_model(content["model"], len(features.names), path)
        if len(reference) != len(features.names) or len(features.players) != len(features.names):
            raise ValueError("the reference is for other features")
        about = [dict(content[name]) for name in ("regressor", "training", "versions")]
        return Weights({**content["pipeline"]}, features, model, reference, offset, *about)


def _features(data: Mapping[str, Any]) -> FeatureSet:
    texts = {name: tuple(data[name]) for name in ("names", "players", "roles")}
    if not all(isinstance(text, str) for text in itertools.chain([data["kind"]], *texts.values())):
        raise TypeError("the kind, names, players and roles of features are strings")
    return FeatureSet(data["kind"], **texts)
