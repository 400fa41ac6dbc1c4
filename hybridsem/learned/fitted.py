"""Learned weights of a model's features, and their file weights.json.

schema        hybridsem-weights/2
sha256        checksum of the other fields
pipeline      model and parts; features of other parts are refused
features      kind, names, players, roles
regressor     its name and settings
reference     the features of the pair that explanations count from; null is missing
model         the predictor (``hybridsem._utils.predictors``)
training      hash and size of the data, a hash of each pair, range of the ratings, split, seed,
              held-out scores
versions      of hybridsem, numpy, scikit-learn
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.predictors import Corrected, Fitted
from hybridsem.learned.features import FeatureSet
from hybridsem.learned.shapley import Players, attribute


@dataclass(frozen=True, eq=False, kw_only=True)
class Weights(Fitted, type_name="weights", features=FeatureSet, regressor=Mapping):
    """A fitted regressor over features; the fields are those of the file."""

    what = "the weights"
    command = "train"

    features: FeatureSet
    reference: Float64Array
    regressor: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        reference = np.array(self.reference, np.float64)
        self._check(reference.shape == (len(self.features.names),), "the reference does not fit")
        self._set("reference", reference)
        self.model.predict(np.stack([reference, np.zeros_like(reference)]))

    @cached_property
    def players(self) -> Players:
        """The groups of features in an explanation."""
        return Players(self.features.players)

    @property
    def trained_on(self) -> str:
        """The hashes of the training pairs (``hybridsem.datasets.trained_on``)."""
        return str(self.training.get("hashes", ""))

    @property
    def slope(self) -> float:
        """The share of the model's own score in the learned score."""
        return self.model.slope if isinstance(self.model, Corrected) else 0.0

    def predict(self, X: Float64Array) -> Float64Array:
        """Return the learned scores, (n,) in [-1, 1]; a row of NaN has NaN."""
        scores = np.clip(self.model.predict(X), -1, 1)
        return np.where(np.isnan(X).all(axis=1), np.nan, scores)

    def attribute(self, X: Float64Array) -> tuple[float, Float64Array]:
        """Return the reference's value, and what each group adds, (n, players)."""
        return attribute(self.model, X, self.reference, self.players)
