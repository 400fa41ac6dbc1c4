"""weights.json: a fitted regressor with what it was made for and from.

    schema        hybridsem-weights/1
    sha256        of all the rest, so that a damaged file is not used
    pipeline      model, and the parts it was given: features of other parts mean something else
    features      kind, names, players, roles
    regressor     its name and settings
    offset        [intercept, slope] of the line from the model's own score, or null
    reference     the features of the pair that explanations count from; null is missing
    model         see models.py
    training      the data's sha256, rows, range of the ratings, split, seed, held-out scores
    versions      of hybridsem, numpy, scikit-learn

Plain JSON: nothing in it is run.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.disk import saving
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.signed_json import signed, signed_content
from hybridsem.learned.features import EMBEDDING, FeatureSet
from hybridsem.learned.fitted import LearnedModel, read_model
from hybridsem.learned.shapley import Players

SCHEMA = "hybridsem-weights/1"


@dataclass(frozen=True)
class Weights:
    """A fitted regressor over the features of a model's explanations; see the module's docstring.

    ``pipeline`` is what :attr:`hybridsem.Pipeline.settings` was; ``regressor``, ``training`` and
    ``versions`` are there to be read.

    >>> from hybridsem.learned.features import FeatureSet
    >>> features = FeatureSet("embedded", ("score",), ("whole sentence",))
    >>> model = LearnedModel("trees", {"baseline": 0.5, "trees": ()})
    >>> weights = Weights({}, features, model, np.zeros(1))
    >>> weights.predict(np.array([[0.9], [np.nan]])).tolist()
    [0.5, nan]
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
        """The groups of features that an explanation shows."""
        return Players(self.features.players)

    def predict(self, X: Float64Array) -> Float64Array:
        """The learned score of each row, (n,), within [-1, 1], from (n, features) with the model's
        own score first; a row of NaN has NaN.
        """
        found = self.model.predict(self._body(X))
        if self.offset is not None:
            found = found + self.offset[0] + self.offset[1] * X[:, 0]
        return np.where(np.isnan(X).all(axis=1), np.nan, np.clip(found, -1, 1))

    def attribute(self, X: Float64Array) -> tuple[float, Float64Array]:
        """The reference's value without the model's own score, and what each group of features adds
        to the learned score, (n, players).
        """
        base, found = self.model.attribute(
            self._body(X), self._body(self.reference[None])[0], self.players
        )
        return base + (self.offset[0] if self.offset is not None else 0.0), found

    def _body(self, X: Float64Array) -> Float64Array:
        return X if self.offset is None else without_first(X)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file, whole or not at all; :class:`InputError` where it cannot be written."""
        text = json.dumps(self._signed(), ensure_ascii=False, allow_nan=False) + "\n"
        with saving(path, "the weights") as part:
            part.write_text(text, encoding="utf-8")

    def _signed(self) -> dict[str, Any]:
        content = {
            "pipeline": dict(self.pipeline),
            "features": {
                "kind": self.features.kind,
                "dimension": len(self.features.names) // 2,
            }
            if self.features.kind == EMBEDDING
            else {
                "kind": self.features.kind,
                "names": list(self.features.names),
                "players": list(self.features.players),
                "roles": list(self.features.roles),
            },
            "regressor": dict(self.regressor),
            "offset": None if self.offset is None else list(self.offset),
            "reference": [None if np.isnan(value) else value for value in self.reference.tolist()],
            "model": self.model.to_dict(),
            "training": dict(self.training),
            "versions": dict(self.versions),
        }
        return signed(content, SCHEMA)


def without_first(X: Float64Array) -> Float64Array:
    """The table with zeros for the model's own score, which the offset has accounted for."""
    body = X.copy()
    body[:, 0] = 0.0
    return body


@wrap_read_errors
def read_weights(path: str | os.PathLike[str]) -> Weights:
    """The weights of a file of ``hybridsem train`` or :meth:`Weights.save`; :class:`FormatError`
    where it is damaged or something else.
    """
    with signed_content(path, SCHEMA, _ADVICE) as content:
        features = _features(content["features"])
        reference = np.array(
            [np.nan if one is None else float(one) for one in content["reference"]], float
        )
        offset = None
        if content["offset"] is not None:
            offset = float(content["offset"][0]), float(content["offset"][1])
        model = read_model(content["model"], len(features.names), path)
        if len(reference) != len(features.names) or len(features.players) != len(features.names):
            raise ValueError("the reference is for other features")
        about = [dict(content[name]) for name in ("regressor", "training", "versions")]
        return Weights({**content["pipeline"]}, features, model, reference, offset, *about)


_ADVICE = "not usable as weights: {}; make them with `hybridsem train`"


def _features(data: Mapping[str, Any]) -> FeatureSet:
    if data["kind"] == EMBEDDING:
        return FeatureSet.of_vectors(int(data["dimension"]))
    texts = {name: tuple(data[name]) for name in ("names", "players", "roles")}
    if not all(isinstance(text, str) for text in itertools.chain([data["kind"]], *texts.values())):
        raise TypeError("the features' kind, names, players and roles are text")
    return FeatureSet(data["kind"], **texts)
