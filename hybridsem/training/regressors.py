"""Regressors over the features of pairs, by scikit-learn's contract (extra ``train``).

    RoleWeights     non-negative weights of similarities that sum to one, with standard errors
    RoleRidge       ridge regression
    RoleNetwork     multilayer perceptrons: scikit-learn's MLPRegressor, the mean of several
    RoleBoosting    histogram gradient boosting
    PublishedNetwork  the regressors of Fodor, De Deyne & Suzuki 2024, section 4.7, for comparison

NaN in X is a missing role, and is not a similarity of zero: the weights of what is there count in
its place (``RoleWeights``), it is as in the mean pair (ridge, networks; the presence columns tell
the difference), or it has a side of its own at each node (boosting).

``prior`` is the column of the score that is to be corrected. A straight line from it to the ratings
is fitted first and not penalised; the regressor then learns what is left. So what the ratings do
not speak of stays as the model has it: trained on pairs in which nothing changes places, it still
knows what a change of places is worth.

What is fitted is plain numpy (``model_``), which is what ``predict`` uses and what a weights file
holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hybridsem._typing import Float64Array
from hybridsem.errors import InputError, MissingExtraError, UnknownNameError
from hybridsem.learned.files import without_first
from hybridsem.learned.fitted import Layer, LearnedModel, Tree

try:
    from sklearn.base import BaseEstimator, RegressorMixin
except ImportError:
    BaseEstimator = RegressorMixin = None

NETWORKS: Mapping[str, tuple[int, ...]] = {
    "none": (),
    "10": (10,),
    "60-10": (60, 10),
    "60-100": (60, 100),
    "100-100-10": (100, 100, 10),
    "1000-100-100-10": (1000, 100, 100, 10),
    "1000-1000-100-10": (1000, 1000, 100, 10),
}
"""The hidden layers of Fodor, De Deyne & Suzuki 2024, Tables 8 and 10. Table 8 prints "60, 100",
but the 1,090 weights that it counts over eight similarities are those of 60 and 10.
"""


class _Regressor(*(() if BaseEstimator is None else (RegressorMixin, BaseEstimator))):  # type: ignore[misc]
    """Checks, the line from the prior, and prediction by the plain model; ``_fit`` is for each."""

    prior: int | None = None

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Learn from features (n, f), NaN where missing, and ratings (n,)."""
        if BaseEstimator is None:
            raise MissingExtraError("scikit-learn", "train")
        from sklearn.utils.validation import validate_data

        checked = validate_data(
            self, X, y, dtype=np.float64, ensure_all_finite="allow-nan", y_numeric=True
        )
        features: Float64Array = checked[0]
        ratings = np.asarray(checked[1], np.float64)
        self.offset_: tuple[float, float] | None = None
        if self.prior is not None:
            if self.prior != 0:
                raise InputError(
                    "the score to be corrected is the first column or None, got "
                    f"prior={self.prior!r}"
                )
            self.offset_ = line_of(features[:, 0], ratings)
            ratings = ratings - (self.offset_[0] + self.offset_[1] * features[:, 0])
            features = without_first(features)
        self.model_: LearnedModel = self._fit(features, ratings)
        return self

    def predict(self, X: npt.ArrayLike) -> Float64Array:
        """The ratings that are expected, (n,)."""
        from sklearn.utils.validation import check_is_fitted, validate_data

        check_is_fitted(self)
        features: Float64Array = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False
        )
        if self.offset_ is None:
            return self.model_.predict(features)
        return (
            self.offset_[0]
            + self.offset_[1] * features[:, 0]
            + self.model_.predict(without_first(features))
        )

    def _fit(self, X: Float64Array, y: Float64Array) -> LearnedModel:
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags: Any = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        # Means of similarities, strong penalties, few epochs: for data like ours.
        tags.regressor_tags.poor_score = True
        return tags


@dataclass(eq=False, repr=False)
class RoleWeights(_Regressor):
    """The weighted mean of similarities: weights are not negative and sum to one, and missing roles
    take no part.

    The weights are those whose mean, stretched and shifted, is nearest to the ratings in squares;
    the prediction is the mean itself, so that it is 1 where every similarity is. ``columns`` are
    the similarities, all columns if None. Weights are held near each other with ``shrink``, in
    pairs, so that a role that few pairs have does not take all. ``coef_`` are the weights of
    ``columns_``, ``errors_`` their standard errors (from the curvature at the solution, with the
    residuals' variance; a weight at 0 is held there).

    >>> X, y = np.array([[0.1, 0.9], [0.5, 0.2], [0.9, 0.4]] * 4), np.array([0.1, 0.5, 0.9] * 4)
    >>> fitted = RoleWeights(shrink=0.01).fit(X, y)
    >>> fitted.coef_.round(1).tolist()
    [1.0, 0.0]
    """

    columns: Sequence[int] | None = None
    shrink: float = 1.0

    def _fit(self, X: Float64Array, y: Float64Array) -> LearnedModel:
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
        found = least_squares(residuals, start, jacobian, bounds=(low, np.inf), x_scale=1.0)
        weights = np.where(
            seen & (found.x[:k] > 1e-4), found.x[:k], 0
        )  # the bound is reached from inside
        if not weights.any():
            weights = np.ones(k)
        self.coef_ = weights / weights.sum()
        at = np.append(weights, found.x[k:])
        self.errors_ = self._errors(jacobian(at), residuals(at)[: len(y)], weights.sum())
        about = {"columns": self.columns_, "weights": self.coef_, "errors": self.errors_}
        return LearnedModel("weighted", about)

    def _errors(
        self, jacobian: Float64Array, residuals: Float64Array, scale: float
    ) -> Float64Array:
        free = np.append(self.coef_ > 0, [True, True])
        J = jacobian[:, free]
        variance = residuals @ residuals / max(1, len(residuals) - int(free.sum()) + 1)
        covariance = np.linalg.pinv(J.T @ J) * variance
        # The sum is held at one: a change of one weight is a change of the share of all.
        share = np.zeros((int(free.sum()), int(free.sum())))
        k = int((self.coef_ > 0).sum())
        share[:k, :k] = np.eye(k) - np.outer(self.coef_[self.coef_ > 0], np.ones(k))
        errors = np.zeros(len(self.coef_))
        errors[self.coef_ > 0] = (
            np.sqrt(np.maximum(np.diag(share @ covariance @ share.T)[:k], 0)) / scale
        )
        return errors


class _Projecting(_Regressor):
    """Regressors that can work on the first ``components`` principal components."""

    components: int | None = None

    def _fit(self, X: Float64Array, y: Float64Array) -> LearnedModel:
        if self.components is None:
            return self._fit_features(X, y)
        pca, projected = _pca(X, self.components)
        inner = self._fit_features(projected, y)
        mean, components = (np.asarray(part, float) for part in (pca.mean_, pca.components_))
        return LearnedModel("projected", {"mean": mean, "components": components, "inner": inner})

    def _fit_features(self, X: Float64Array, y: Float64Array) -> LearnedModel:
        raise NotImplementedError


@dataclass(eq=False, repr=False)
class RoleRidge(_Projecting):
    """Ridge regression on standardised features; ``alpha`` is the penalty, in pairs.

    >>> X, y = np.array([[0.1], [0.5], [0.9]] * 4), np.array([0.0, 0.5, 1.0] * 4)
    >>> RoleRidge(alpha=0.01).fit(X, y).predict(X[:3]).round(2).tolist()
    [0.0, 0.5, 1.0]
    """

    alpha: float = 300.0
    prior: int | None = None
    components: int | None = None

    def _fit_features(self, X: Float64Array, y: Float64Array) -> LearnedModel:
        from sklearn.linear_model import Ridge

        mean, scale = _means(X), _scales(X)
        fitted = Ridge(self.alpha).fit((np.where(np.isnan(X), mean, X) - mean) / scale, y)
        return _additive(fitted, np.asarray(fitted.coef_, float) / scale, mean)


@dataclass(eq=False, repr=False)
class RoleNetwork(_Projecting):
    """The mean of multilayer perceptrons with rectified units, trained by Adam.

    Features and ratings are standardised, so that the penalty means the same for all data.

    Args:
        hidden: The sizes of the hidden layers (:data:`NETWORKS` has published ones).
        alpha: The penalty on squared weights, as in scikit-learn.
        steps: Batches of at most 200 pairs; small data are gone through more often.
        members: How many networks, each from another seed.
        prior: The column of the score to be corrected, 0 (see above); None: there is none.
        components: Work on so many first principal components; None: on the features themselves.
        random_state: The seed; None: another result each time.

    >>> X, y = np.array([[0.1], [0.5], [0.9]] * 8), np.array([0.0, 0.5, 1.0] * 8)
    >>> RoleNetwork(hidden=(4,), steps=50, members=1).fit(X, y).predict(X[:3]).shape
    (3,)
    """

    hidden: tuple[int, ...] = (60, 100)
    alpha: float = 1.0
    steps: int = 1000
    members: int = 3
    prior: int | None = None
    components: int | None = None
    random_state: int | None = 0

    def _fit_features(self, X: Float64Array, y: Float64Array) -> LearnedModel:
        mean, scale = _means(X), _scales(X)
        standard = (np.where(np.isnan(X), mean, X) - mean) / scale
        centre, spread = float(y.mean()), float(y.std()) or 1.0
        batch = min(200, len(y))
        epochs = -(-self.steps // -(-len(y) // batch))
        networks = []
        for seed in _seeds(self.random_state, self.members):
            *layers, (weights, biases) = _network(
                standard,
                (y - centre) / spread,
                hidden_layer_sizes=self.hidden,
                alpha=self.alpha,
                max_iter=epochs,
                tol=0.0,
                n_iter_no_change=epochs,
                batch_size=batch,
                random_state=seed,
            )
            networks.append([*layers, Layer(weights * spread, biases * spread + centre)])
        return _networks(mean, scale, *networks)


@dataclass(eq=False, repr=False)
class RoleBoosting(_Projecting):
    """Histogram gradient boosting of small trees that see half the features at each node.

    Args:
        trees: How many trees a member has.
        learning_rate: What each tree counts.
        leaves: The most leaves of a tree.
        min_samples_leaf: The fewest pairs of a leaf.
        l2: The penalty on squared values of leaves.
        members: Of how many ensembles, each from another seed, the mean is taken.
        prior: The column of the score to be corrected, 0 (see above); None: there is none.
        components: Work on so many first principal components; None: on the features themselves.
        random_state: The seed; None: another result each time.

    >>> X, y = np.array([[0.1], [0.5], [0.9]] * 20), np.array([0.0, 0.5, 1.0] * 20)
    >>> low, middle, high = RoleBoosting(trees=20).fit(X, y).predict(X[:3])
    >>> bool(low < middle < high)
    True
    """

    trees: int = 150
    learning_rate: float = 0.05
    leaves: int = 8
    min_samples_leaf: int = 10
    l2: float = 1.0
    members: int = 1
    prior: int | None = None
    components: int | None = None
    random_state: int | None = 0

    def _fit_features(self, X: Float64Array, y: Float64Array) -> LearnedModel:
        from sklearn.ensemble import HistGradientBoostingRegressor

        X = np.where(
            np.isnan(X).all(axis=0), 0.0, X
        )  # a role that no pair has cannot be cut into bins
        baseline, trees = 0.0, []
        for seed in _seeds(self.random_state, self.members):
            fitted = HistGradientBoostingRegressor(
                learning_rate=self.learning_rate,
                max_iter=self.trees,
                max_leaf_nodes=self.leaves,
                min_samples_leaf=self.min_samples_leaf,
                l2_regularization=self.l2,
                max_features=0.5,
                early_stopping=False,
                random_state=seed,
            ).fit(X, y)
            baseline += float(np.ravel(fitted._baseline_prediction)[0]) / self.members
            trees += [_tree(one.nodes, 1 / self.members) for (one,) in fitted._predictors]
        return LearnedModel("trees", {"baseline": baseline, "trees": tuple(trees)})


@dataclass(eq=False, repr=False)
class PublishedNetwork(_Projecting):
    """What Fodor, De Deyne & Suzuki 2024 fit to role similarities and embeddings (section 4.7).

    A missing role counts 0, nothing is standardised, penalised or corrected. Without hidden layers
    it is ordinary least squares; else one network with rectified units, by Adam. The release's
    notebook (``Calc_sent_sim_VerbNet_behav``) leaves scikit-learn's penalty of .0001 and has the
    seed 1; its limit of 500 epochs is followed.

    Args:
        columns: The features that are used, such as the eight roles' similarities; None: all.
        hidden: The sizes of the hidden layers (:data:`NETWORKS`).
        epochs: The most that a network is trained; it stops where the loss no longer falls.
        components: Work on so many first principal components; None: on the features themselves.
        random_state: The seed; None: another result each time.
    """

    columns: Sequence[int] | None = None
    hidden: tuple[int, ...] = ()
    epochs: int = 500
    components: int | None = None
    random_state: int | None = 0

    def _fit_features(self, X: Float64Array, y: Float64Array) -> LearnedModel:
        from sklearn.linear_model import LinearRegression

        width = X.shape[1]
        chosen = list(range(width) if self.columns is None else self.columns)
        given = np.nan_to_num(X[:, chosen])
        zeros = np.zeros(width)
        if not self.hidden:
            fitted = LinearRegression().fit(given, y)
            coefficients = zeros.copy()
            coefficients[chosen] = fitted.coef_
            return _additive(fitted, coefficients, zeros)
        (first, biases), *rest = _network(
            given,
            y,
            hidden_layer_sizes=self.hidden,
            alpha=0.0,
            max_iter=self.epochs,
            random_state=self.random_state,
        )
        opening = np.zeros((width, first.shape[1]))
        opening[chosen] = first
        return _networks(zeros, np.ones(width), [Layer(opening, biases), *rest])


def _additive(fitted: Any, coef: Float64Array, mean: Float64Array) -> LearnedModel:
    about = {"intercept": float(fitted.intercept_), "coef": coef, "mean": mean}
    return LearnedModel("additive", about)


def _networks(mean: Float64Array, scale: Float64Array, *members: list[Layer]) -> LearnedModel:
    about = {"mean": mean, "scale": scale, "members": tuple(map(tuple, members))}
    return LearnedModel("networks", about)


def _network(X: Float64Array, y: Float64Array, **settings: Any) -> list[Layer]:
    """The layers of scikit-learn's network; how long it is trained is a setting."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPRegressor

    network = MLPRegressor(**settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        network.fit(X, y)
    layers = zip(network.coefs_, network.intercepts_, strict=True)
    return [Layer(np.array(w, float), np.array(b, float)) for w, b in layers]


def principal_components(X: Float64Array, components: int) -> Float64Array:
    """The rows' first principal components, (n, components); what is missing is as in the mean."""
    return _pca(X, components)[1]


def _pca(X: Float64Array, components: int) -> tuple[Any, Float64Array]:
    from sklearn.decomposition import PCA

    whole = np.where(np.isnan(X), _means(X), X)
    pca = PCA(min(components, *X.shape), svd_solver="full").fit(whole)
    return pca, np.asarray(pca.transform(whole), float)


def weights_of(inputs: int, hidden: Sequence[int]) -> int:
    """How many weights a network with one output has, without biases, as Tables 8 and 10 count.

    >>> weights_of(8, ()), weights_of(8, (60, 10)), weights_of(1536, (10,))
    (8, 1090, 15370)
    """
    sizes = (inputs, *hidden, 1)
    if not hidden:
        return inputs
    return sum(one * two for one, two in pairwise(sizes))


REGRESSORS: Mapping[str, type[_Regressor]] = {
    "linear": RoleWeights,
    "ridge": RoleRidge,
    "mlp": RoleNetwork,
    "boosting": RoleBoosting,
    "published": PublishedNetwork,
}
LAYERED = ("mlp", "published")


def regressor(name: str, **settings: Any) -> Any:
    """The named regressor with these settings; ``mlp:60-100`` and ``published:60-10`` name one of
    :data:`NETWORKS`.

    >>> regressor("mlp:60-100").hidden
    (60, 100)
    """
    if BaseEstimator is None:
        raise MissingExtraError("scikit-learn", "train")
    kind, _, hidden = name.partition(":")
    if kind not in REGRESSORS or (hidden and kind not in LAYERED):
        layered = (f"{kind}:{sizes}" for kind in LAYERED for sizes in NETWORKS)
        raise UnknownNameError("regressor", name, [*REGRESSORS, *layered])
    if hidden:
        if hidden not in NETWORKS:
            raise UnknownNameError("network", hidden, NETWORKS)
        settings["hidden"] = NETWORKS[hidden]
    known = REGRESSORS[kind]().get_params()
    return REGRESSORS[kind](
        **{option: value for option, value in settings.items() if option in known}
    )


def line_of(x: Float64Array, y: Float64Array) -> tuple[float, float]:
    """Intercept and slope by least squares; the slope is at least 0, and 0 where x is constant."""
    if np.isnan(x).any():
        raise InputError("the score to be corrected is missing in some rows")
    spread = float(x.var())
    slope = (
        max(0.0, float(((x - x.mean()) * (y - y.mean())).mean()) / spread)
        if spread > 1e-12
        else 0.0
    )
    return float(y.mean()) - slope * float(x.mean()), slope


def _means(X: Float64Array) -> Float64Array:
    """The mean of what is there of each feature, 0 where nothing is."""
    there = ~np.isnan(X)
    means: Float64Array = np.nan_to_num(X).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    return means


def _scales(X: Float64Array) -> Float64Array:
    """The deviation of what is there of each feature, 1 where it does not vary."""
    means = _means(X)
    there = ~np.isnan(X)
    variances = (np.where(there, X - means, 0) ** 2).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    scales: Float64Array = np.sqrt(variances)
    return np.where(scales > 1e-9 * np.maximum(np.abs(means), 1e-3), scales, 1.0)


def _seeds(random_state: Any, members: int) -> list[int]:
    """A seed for each member."""
    from sklearn.utils import check_random_state

    if members < 1:
        raise InputError(f"at least 1 member is needed, got {members!r}")
    return [int(seed) for seed in check_random_state(random_state).randint(2**31 - 1, size=members)]


def _tree(nodes: Any, share: float) -> Tree:
    """A tree of scikit-learn's in our columns; ``share`` is what it counts."""
    leaf = nodes["is_leaf"].astype(bool)
    return Tree(
        np.where(leaf, -1, nodes["feature_idx"].astype(np.int64)),
        np.where(
            leaf, 0.0, np.nan_to_num(nodes["num_threshold"].astype(float))
        ),  # inf: all but what is missing
        nodes["missing_go_to_left"].astype(bool),
        nodes["left"].astype(np.int64),
        nodes["right"].astype(np.int64),
        nodes["value"].astype(float) * share,
    )
