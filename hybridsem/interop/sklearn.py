"""Sentence vectors as a scikit-learn transformer (extra ``train``)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hybridsem._typing import Float32Array
from hybridsem.errors import MissingExtraError
from hybridsem.pipeline import Pipeline
from hybridsem.registry import FittedEncoder

try:
    from sklearn.base import BaseEstimator, TransformerMixin
except ImportError:
    BaseEstimator = TransformerMixin = None

__all__ = ["SentenceVectors"]


class SentenceVectors(*(() if BaseEstimator is None else (TransformerMixin, BaseEstimator))):  # type: ignore[misc]
    """The vectors of ``model`` as features: ``make_pipeline(SentenceVectors(), Ridge())``.

    ``model`` is a name of ``hybridsem.registry.models()`` or an encoder's ``kind:argument``. Only
    standardised encoders need sentences in ``fit``. Pickles hold names and no weights.

    >>> SentenceVectors().fit_transform(["It rains.", "It pours."]).shape
    (2, 384)
    """

    def __init__(self, model: str = "embedded") -> None:
        if BaseEstimator is None:
            raise MissingExtraError("scikit-learn", "train")
        self.model = model

    def fit(self, X: Iterable[str], y: object = None) -> Self:
        """Make the pipeline, and fit an encoder that needs it."""
        self.pipeline_ = Pipeline(self.model)
        if isinstance(self.pipeline_.encoder, FittedEncoder) and not self.pipeline_.encoder.fitted:
            self.pipeline_.encoder.fit(list(X))
        return self

    def transform(self, X: Iterable[str]) -> Float32Array:
        """Return the vectors of sentences, (n, d) float32."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return self.pipeline_.encode(X)

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:
        """Return a name for each feature: the model's and a number."""
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        width = self.pipeline_.encode(["a dog sleeps"]).shape[1]
        return np.array([f"{self.model}{i}" for i in range(width)], object)

    def __sklearn_tags__(self) -> Any:
        tags: Any = super().__sklearn_tags__()
        tags.input_tags.two_d_array, tags.input_tags.string = False, True
        return tags
