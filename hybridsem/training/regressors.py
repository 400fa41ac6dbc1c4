"""Regressors over the features of pairs, as scikit-learn estimators (extra ``train``).

NaN in X is a missing role: ``RoleWeights`` leaves it out, ridge and networks use the mean, boosting
has a side for it. ``prior`` is the column of the score to correct: a line from it to the ratings is
fitted first, and the regressor learns the residuals, so what the ratings do not cover stays as it
was. ``random_state`` is the seed. The fitted model, ``model_``, is plain numpy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hybridsem._typing import Float64Array, Plain
from hybridsem._utils import predictors
from hybridsem._utils.predictors import Ensemble, Linear, Predictor, Standardised, Tree
from hybridsem.errors import InputError, MissingExtraError, UnknownNameError

try:
    from sklearn.base import BaseEstimator, RegressorMixin
except ImportError:
    BaseEstimator = RegressorMixin = None


_NUMBERS: Plain = {"dtype": np.float64, "ensure_all_finite": "allow-nan"}


class Regressor(*(() if BaseEstimator is None else (RegressorMixin, BaseEstimator))):  # type: ignore[misc]
    """Validation, the line from the prior, and prediction by ``model_``."""

    prior: int | None = None

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Fit to features (n, f), NaN if missing, and ratings (n,)."""
        if BaseEstimator is None:
            raise MissingExtraError("scikit-learn", "train")
        from sklearn.utils.validation import validate_data

        checked = validate_data(self, X, y, **_NUMBERS, y_numeric=True)
        features: Float64Array = checked[0]
        ratings = np.asarray(checked[1], np.float64)
        if self.prior is None:
            self.model_: Predictor = self._fit(features, ratings)
            return self
        if self.prior != 0:
            why = f"the score to correct is the first column or None, got prior={self.prior!r}"
            raise InputError(why)
        intercept, slope = line_of(features[:, 0], ratings)
        rest = ratings - (intercept + slope * features[:, 0])
        model = self._fit(predictors.without_first(features), rest)
        self.model_ = predictors.Corrected(intercept, slope, model)
        return self

    def predict(self, X: npt.ArrayLike) -> Float64Array:
        """Predict the ratings of features, (n,)."""
        from sklearn.utils.validation import check_is_fitted, validate_data

        check_is_fitted(self)
        return self.model_.predict(validate_data(self, X, **_NUMBERS, reset=False))

    def _fit(self, X: Float64Array, y: Float64Array) -> Predictor:
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        # Means, strong penalties and few epochs do not suit scikit-learn's test data.
        tags.regressor_tags.poor_score = True
        return tags


@dataclass(eq=False, repr=False)
class RoleWeights(Regressor):
    """A weighted mean of similarities; the weights are non-negative and sum to one.

    Missing roles are left out. The weights minimise the squared error of the mean after a linear
    map; the prediction is the mean itself, so it is 1 if each similarity is. ``columns`` are the
    similarities (default: all). ``shrink``, in pairs, draws the weights together, so that rare
    roles do not dominate. ``coef_`` are the weights of ``columns_``, ``errors_`` their standard
    errors (from the curvature and the residual variance; weights at 0 are fixed).
    """

    columns: Sequence[int] | None = None
    shrink: float = 1.0

    def _fit(self, X: Float64Array, y: Float64Array) -> Predictor:
        from scipy.optimize import least_squares

        self.columns_ = tuple(range(X.shape[1])) if self.columns is None else tuple(self.columns)
        chosen = X[:, list(self.columns_)]
        there = ~np.isnan(chosen)
        seen = there.any(axis=0)
        similarities, k = np.nan_to_num(chosen), chosen.shape[1]
        hold = np.sqrt(self.shrink) * (float(y.std()) or 1.0)

        def mean(weights: Float64Array) -> tuple[Float64Array, Float64Array]:
            total = there @ weights
            safe = np.where(total > 0, total, 1)
            return (similarities @ weights) / safe, safe

        def residuals(at: Float64Array) -> Float64Array:
            return np.append(at[k] + at[k + 1] * mean(at[:k])[0] - y, hold * (at[:k] - 1))

        def jacobian(at: Float64Array) -> Float64Array:
            value, total = mean(at[:k])
            slopes = at[k + 1] * (similarities - value[:, None]) * there / total[:, None]
            ratings = np.column_stack([slopes, np.ones(len(y)), value])
            return np.vstack([ratings, np.eye(k, k + 2) * hold])

        start = np.append(np.ones(k), [0.0, 1.0])
        low = np.append(np.zeros(k), [-np.inf, 0.0])
        solution = least_squares(residuals, start, jacobian, bounds=(low, np.inf), x_scale=1.0)
        # The solver reaches the bound 0 from inside.
        weights = np.where(seen & (solution.x[:k] > 1e-4), solution.x[:k], 0)
        if not weights.any():
            weights = np.ones(k)
        self.coef_ = weights / weights.sum()
        at = np.append(weights, solution.x[k:])
        self.errors_ = self._errors(jacobian(at), residuals(at)[: len(y)], weights.sum())
        return predictors.WeightedMean(np.array(self.columns_), self.coef_, self.errors_)

    def _errors(self, slopes: Float64Array, residuals: Float64Array, scale: float) -> Float64Array:
        used = self.coef_ > 0
        free, k = np.append(used, [True, True]), int(used.sum())
        J = slopes[:, free]
        variance = residuals @ residuals / max(1, len(residuals) - (k + 2) + 1)
        covariance = np.linalg.pinv(J.T @ J) * variance
        # The sum is one, so a change of one weight changes the share of all.
        share = np.zeros((k + 2, k + 2))
        share[:k, :k] = np.eye(k) - np.outer(self.coef_[used], np.ones(k))
        errors = np.zeros(len(self.coef_))
        variances = np.diag(share @ covariance @ share.T)[:k]
        errors[used] = np.sqrt(np.maximum(variances, 0)) / scale
        return errors


@dataclass(eq=False, repr=False)
class RoleRidge(Regressor):
    """Ridge regression on standardised features with the penalty ``alpha``."""

    alpha: float = 300.0
    prior: int | None = None

    def _fit(self, X: Float64Array, y: Float64Array) -> Predictor:
        from sklearn.linear_model import Ridge

        mean, scale, standard = _standardised(X)
        fitted = Ridge(self.alpha).fit(standard, y)
        return Standardised(mean, scale, Linear(fitted.coef_[:, None], fitted.intercept_[None]))


@dataclass(eq=False, repr=False)
class RoleNetwork(Regressor):
    """The mean of ``members`` multilayer perceptrons with ReLU, trained by Adam in ``steps``
    batches of at most 200 pairs.

    Features and ratings are standardised, so ``alpha``, the penalty on squared weights, does not
    depend on their scale.
    """

    hidden: tuple[int, ...] = (60, 100)
    alpha: float = 1.0
    steps: int = 1000
    members: int = 3
    prior: int | None = None
    random_state: int | None = 0

    def _fit(self, X: Float64Array, y: Float64Array) -> Predictor:
        import warnings

        from sklearn.exceptions import ConvergenceWarning
        from sklearn.neural_network import MLPRegressor

        mean, scale, standard = _standardised(X)
        centre, spread = float(y.mean()), float(y.std()) or 1.0
        batch = min(200, len(y))
        epochs = -(-self.steps // -(-len(y) // batch))
        networks = []
        how = {"hidden_layer_sizes": self.hidden, "alpha": self.alpha, "batch_size": batch}
        how |= {"max_iter": epochs, "n_iter_no_change": epochs, "tol": 0.0}
        for seed in _seeds(self.random_state, self.members):
            network = MLPRegressor(**how, random_state=seed)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)  # it stops early by design
                network.fit(standard, (y - centre) / spread)
            *layers, last = map(Linear, network.coefs_, network.intercepts_)
            last = Linear(last.weights * spread, last.bias * spread + centre)
            networks.append(predictors.Network((*layers, last)))
        return Standardised(mean, scale, Ensemble(tuple(networks), divisor=self.members))


@dataclass(eq=False, repr=False)
class RoleBoosting(Regressor):
    """Gradient boosting, the mean of ``members`` ensembles of ``trees`` of few ``leaves``."""

    trees: int = 150
    learning_rate: float = 0.05
    leaves: int = 8
    min_samples_leaf: int = 10
    l2: float = 1.0
    members: int = 1
    prior: int | None = None
    random_state: int | None = 0

    def _fit(self, X: Float64Array, y: Float64Array) -> Predictor:
        from sklearn.ensemble import HistGradientBoostingRegressor

        X = np.where(np.isnan(X).all(axis=0), 0.0, X)  # an empty column cannot be binned
        how = {"learning_rate": self.learning_rate, "max_iter": self.trees, "max_features": 0.5}
        how |= {"max_leaf_nodes": self.leaves, "min_samples_leaf": self.min_samples_leaf}
        how |= {"l2_regularization": self.l2, "early_stopping": False}
        baseline, trees = 0.0, []
        for seed in _seeds(self.random_state, self.members):
            fitted = HistGradientBoostingRegressor(**how, random_state=seed).fit(X, y)
            baseline += float(np.ravel(fitted._baseline_prediction)[0]) / self.members
            trees += [_tree(tree.nodes, 1 / self.members) for (tree,) in fitted._predictors]
        return Ensemble(tuple(trees), baseline)


REGRESSORS: Mapping[str, type[Regressor]] = {
    "linear": RoleWeights,
    "ridge": RoleRidge,
    "mlp": RoleNetwork,
    "boosting": RoleBoosting,
}


def regressor(name: str, **settings: object) -> Regressor:
    """Return a named regressor; ``mlp:60-100`` has hidden layers of these sizes."""
    if BaseEstimator is None:
        raise MissingExtraError("scikit-learn", "train")
    kind, _, hidden = name.partition(":")
    sizes = re.fullmatch(r"none|[1-9]\d*(-[1-9]\d*)*", hidden)
    if kind not in REGRESSORS or (hidden and (kind != "mlp" or sizes is None)):
        raise UnknownNameError("regressor", name, [*REGRESSORS, "mlp:none", "mlp:100-100-10"])
    if hidden:
        settings["hidden"] = tuple(map(int, re.findall(r"\d+", hidden)))
    known = REGRESSORS[kind]().get_params()
    return REGRESSORS[kind](**{name: settings[name] for name in settings if name in known})


def line_of(x: Float64Array, y: Float64Array) -> tuple[float, float]:
    """Return the intercept and slope of least squares; the slope is at least 0."""
    if np.isnan(x).any():
        raise InputError("the score to correct is missing in some rows")
    spread = float(x.var())
    covariance = float(((x - x.mean()) * (y - y.mean())).mean())
    slope = max(0.0, covariance / spread) if spread > 1e-12 else 0.0
    return float(y.mean()) - slope * float(x.mean()), slope


def column_means(X: Float64Array) -> Float64Array:
    """Return the mean of the present values of each column, 0 without any."""
    present = ~np.isnan(X)
    means: Float64Array = np.nan_to_num(X).sum(axis=0) / np.maximum(present.sum(axis=0), 1)
    return means


def _standardised(X: Float64Array) -> tuple[Float64Array, Float64Array, Float64Array]:
    """Return means, deviations (1 for constant columns), and the table standardised by them."""
    mean, present = column_means(X), ~np.isnan(X)
    squares = (np.where(present, X - mean, 0) ** 2).sum(axis=0)
    scale = np.sqrt(squares / np.maximum(present.sum(axis=0), 1))
    scale = np.where(scale > 1e-9 * np.maximum(np.abs(mean), 1e-3), scale, 1.0)
    return mean, scale, (np.where(present, X, mean) - mean) / scale


def _seeds(random_state: Any, members: int) -> list[int]:
    from sklearn.utils import check_random_state

    if members < 1:
        raise InputError(f"at least 1 member is needed, got {members!r}")
    return [int(seed) for seed in check_random_state(random_state).randint(2**31 - 1, size=members)]


def _tree(nodes: Any, share: float) -> Tree:
    """Convert a tree of scikit-learn; ``share`` scales its values."""
    leaf = nodes["is_leaf"].astype(bool)
    # Infinity: all but missing values.
    threshold = np.minimum(nodes["num_threshold"].astype(float), predictors.LARGEST)
    return Tree(
        np.where(leaf, -1, nodes["feature_idx"].astype(np.int64)),
        np.where(leaf, 0.0, threshold),
        nodes["missing_go_to_left"].astype(bool),
        nodes["left"].astype(np.int64),
        nodes["right"].astype(np.int64),
        nodes["value"].astype(float) * share,
    )
