"""Training: held-out predictions on a split, the fit to all pairs, the weights file, the probe.

Ratings of ordinary pairs say little about who did what to whom, which a regressor may forget. So
the held-out half of the minimal pairs is scored before and after each fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.metadata import version

import numpy as np

from hybridsem._typing import BoolArray, Float64Array, Plain
from hybridsem._utils.predictors import WeightedMean
from hybridsem._version import __version__
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.splits import Fold, split
from hybridsem.datasets.trained_on import hashed
from hybridsem.datasets.triples import DEVELOPMENT, HELD_OUT, minimal_pairs, packaged_minimal_pairs
from hybridsem.errors import InputError
from hybridsem.learned.features import PRESENCE, SCORE, SIMILARITY, FeatureSet
from hybridsem.learned.fitted import Weights
from hybridsem.pipeline import Pipeline
from hybridsem.training.dataset import CAP, TrainingPairs, extract, table_of
from hybridsem.training.regressors import Regressor, RoleWeights, column_means, line_of, regressor

SAMPLED = 500
LIMIT = 0.05  # the loss above which learned weights are refused


@dataclass(frozen=True)
class Probe:
    """The share of ``items`` with the paraphrase above the alteration, before and after the fit.
    ``low`` and ``high`` are the interval of 95 % of the loss over items.
    """

    items: int
    before: float
    after: float
    low: float
    high: float

    @property
    def loss(self) -> float:
        """The lost share; negative for a gain."""
        return self.before - self.after

    @property
    def forgets(self) -> bool:
        """True if the loss is above :data:`LIMIT`."""
        return self.loss > LIMIT

    def to_dict(self) -> dict[str, float]:
        """Return plain data, with the loss and its limit."""
        return {**asdict(self), "loss": self.loss, "limit": LIMIT}

    def __str__(self) -> str:
        change = f"a change of {-self.loss:+.3f} [{-self.high:+.3f}, {-self.low:+.3f}]"
        return f"minimal pairs in order: {self.before:.3f} before, {self.after:.3f} after, {change}"


@dataclass(frozen=True)
class Trained:
    """Weights fitted to all pairs, and the predictions of held-out pairs.

    ``predicted`` and ``ratings`` are (n,); predictions are NaN for pairs without a parse or a test
    fold. ``own`` is the score of the corrected model. ``importance`` is the mean absolute
    contribution of each group of features (over at most 500 pairs). ``probe`` is what was forgotten
    of the minimal pairs.
    """

    weights: Weights
    predicted: Float64Array
    ratings: Float64Array
    own: Float64Array
    importance: Mapping[str, float]
    notes: tuple[str, ...] = ()
    probe: Probe | None = None

    @property
    def role_weights(self) -> dict[str, list[float]]:
        """The weight and standard error of each role, for ``linear`` only."""
        model, names = self.weights.model, self.weights.features.names
        if not isinstance(model, WeightedMean):
            return {}
        roles = (names[column].removeprefix(SIMILARITY) for column in model.columns)
        figures = np.column_stack([model.weights, model.errors]).tolist()
        return dict(zip(roles, figures, strict=True))


def train(
    pipeline: Pipeline,
    data: TrainingPairs,
    name: str = "ridge",
    *,
    split_by: str = "grouped",
    folds: int = 10,
    seed: int = 0,
    sides: tuple[Sequence[int], Sequence[int]] | None = None,
    cap: int = CAP,
    settings: Mapping[str, object] | None = None,
    keep: bool = True,
) -> Trained:
    """Fit a regressor to rated pairs, and predict each pair from others.

    A regressor that corrects the model's own score also learns, from half of the minimal pairs,
    that these need no correction. The other half shows what it forgets: :attr:`Trained.probe`.
    Raises :class:`InputError` for data, names or settings that cannot be used.

    Args:
        pipeline: The model whose features are used, without learned weights.
        data: The result of :func:`rated`.
        name: ``linear``, ``ridge``, ``mlp`` (``mlp:100-100-10``) or ``boosting``.
        split_by: ``grouped``, ``kfold`` or ``adversarial``; the last needs ``sides``.
        folds: The number of folds of ``grouped`` and ``kfold``.
        seed: The seed of the split and the regressor.
        sides: Rows of ``data`` to train and to test on.
        cap: The number of paths with features.
        settings: Settings of the regressor, by name.
        keep: Whether to learn from minimal pairs too.
    """
    regressor(name)  # refuse an unknown name before reading sentences
    names, X = extract(pipeline, data.pairs, cap=cap)
    usable = _usable(X)
    count = int(usable.sum())
    failed = f"{len(X) - count} pairs have a sentence without parse and are left out"
    notes = (*data.notes, failed) if count < len(X) else data.notes
    chosen = {"random_state": seed, **(settings or {})}
    make = partial(make_regressor, name, names, chosen)
    parts = split(split_by, data.pairs, folds=folds, seed=seed, sides=sides)
    corrects = make().get_params().get("prior") == 0
    held = _unchanged(pipeline, names) if keep and corrects else None
    predicted = held_out(make, X, data.ratings, parts, held)
    fitted = make().fit(*_with(X[usable], data.ratings[usable], held))
    about: Plain = {"sha256": data.sha256, "pairs": count, "hashes": hashed(data.pairs)}
    about |= {"range": list(data.range), "split": split_by, "seed": seed, "folds": len(parts)}
    about["held_out"] = _scores(predicted, data.ratings)
    versions = {"hybridsem": __version__, "numpy": np.__version__}
    weights = Weights(
        pipeline=pipeline.settings,
        features=names,
        model=fitted.model_,
        reference=_reference(names, X[usable]),
        regressor={"name": name, **fitted.get_params()},
        training=about | ({"contents": contents} if (contents := dict(pipeline.contents)) else {}),
        versions=versions | {"scikit-learn": version("scikit-learn")},
    )
    minimal = table_of(pipeline, probe_pairs(), names)
    probed = probe(minimal[:, 0], weights.predict(minimal), seed)
    weights = replace(weights, training={**weights.training, "probe": probed.to_dict()})
    importance = _importance(weights, X[usable])
    return Trained(weights, predicted, data.ratings, X[:, 0], importance, notes, probed)


def _usable(X: Float64Array) -> BoolArray:
    """Test which pairs have features (n, f); raise :class:`InputError` if too few have."""
    usable = np.asarray(~np.isnan(X).all(axis=1))
    if (count := int(usable.sum())) < 10:
        raise InputError(f"only {count} pairs have features; at least 10 are needed")
    return usable


def _unchanged(pipeline: Pipeline, names: FeatureSet) -> Float64Array:
    """Return the features of the minimal pairs whose own score must not change, (m, f)."""
    features = table_of(pipeline, probe_pairs(DEVELOPMENT), names)
    return features[~np.isnan(features[:, 0])]


def make_regressor(
    name: str, features: FeatureSet, settings: Mapping[str, object] | None = None
) -> Regressor:
    """Return a named regressor with the columns and the prior for these features."""
    estimator = regressor(name, **(settings or {}))
    if not isinstance(estimator, RoleWeights):
        estimator.set_params(prior=0)
        return estimator
    similar = (feature == "cosine" or feature.startswith(SIMILARITY) for feature in features.names)
    columns = np.flatnonzero([*similar]).tolist()
    if len(columns) < 2:
        why = f"'linear' weighs similarities of roles, and {features.kind!r} has none"
        raise InputError(f"{why}; use ridge, mlp or boosting")
    estimator.set_params(columns=columns)
    return estimator


def _with(
    X: Float64Array, y: Float64Array, held: Float64Array | None
) -> tuple[Float64Array, Float64Array]:
    """Append pairs whose own score must not change, with ratings on the line of own scores."""
    if held is None:
        return X, y
    intercept, slope = line_of(X[:, 0], y)
    return np.vstack([X, held]), np.append(y, intercept + slope * held[:, 0])


def held_out(
    make: Callable[[], Regressor],
    X: Float64Array,
    y: Float64Array,
    folds: Sequence[Fold],
    held: Float64Array | None = None,
) -> Float64Array:
    """Predict each row of features (n, f) by a regressor fitted without it, (n,); NaN for a row
    without a test fold. Rows of NaN are left out. ``make`` returns a new regressor; ``held`` are
    features of pairs whose own score must not change.
    """
    usable = np.asarray(~np.isnan(X).all(axis=1))
    predicted = np.full(len(y), np.nan)
    for rows, tested in folds:
        rows, tested = rows[usable[rows]], tested[usable[tested]]
        if len(rows) < 2 or np.ptp(y[rows]) < 1e-12:
            why = f"a fold of the split has {len(rows)} pairs to train on, or equal ratings"
            raise InputError(f"{why}; use fewer folds")
        if len(tested):
            fitted = make().fit(*_with(X[rows], y[rows], held))
            predicted[tested] = np.clip(fitted.predict(X[tested]), -1, 1)
    return predicted


def _reference(features: FeatureSet, X: Float64Array) -> Float64Array:
    """Return the pair that explanations count from: no roles, and the mean of everything else."""
    no_role = {SIMILARITY: np.nan, PRESENCE: 0.0}
    kinds = (name.partition(":")[0] + ":" for name in features.names)
    means = zip(kinds, column_means(X).tolist(), strict=True)
    return np.array([no_role.get(kind, mean) for kind, mean in means])


def _importance(weights: Weights, X: Float64Array) -> dict[str, float]:
    sample = X[np.linspace(0, len(X) - 1, min(len(X), SAMPLED)).astype(int)]
    _, added = weights.attribute(sample)
    sizes = dict(zip(weights.players.names, np.abs(added).mean(axis=0).tolist(), strict=True))
    if weights.slope:
        sizes[SCORE] = weights.slope * float(np.abs(sample[:, 0] - weights.reference[0]).mean())
    return sizes


def _scores(predicted: Float64Array, ratings: Float64Array) -> dict[str, float | None]:
    from scipy.stats import spearmanr

    tested = ~np.isnan(predicted)
    pair = predicted[tested], ratings[tested]
    varies = tested.sum() > 1 and min(map(np.ptp, pair)) >= 1e-12
    rho = round(float(spearmanr(*pair).statistic), 6) if varies else None
    return {"pairs": int(tested.sum()), "spearman": rho}


def probe_pairs(part: str = HELD_OUT) -> list[tuple[str, str]]:
    """Return sentences of a part of the minimal pairs, each with its two others."""
    data = minimal_pairs(packaged_minimal_pairs(), Settings(options={"part": part}))
    return list(data.text_pairs())


def probe(own: Float64Array, learned: Float64Array, seed: int = 0, resamples: int = 2000) -> Probe:
    """Return the probe of scores of :func:`probe_pairs`, (n,), before and after the fit."""
    before, after = _in_order(own), _in_order(learned)
    known = ~np.isnan(before - after)
    lost = (before - after)[known]
    rows = np.random.default_rng(seed).integers(len(lost), size=(resamples, len(lost)))
    interval = np.quantile(lost[rows].mean(axis=1), [0.025, 0.975])
    figures = (before[known].mean(), after[known].mean(), *interval)
    return Probe(len(lost), *map(float, figures))


def _in_order(scores: Float64Array) -> Float64Array:
    """Return 1 if the paraphrase is above the alteration, ½ if they are equal."""
    paraphrase, alteration = scores.reshape(-1, 2).T
    return np.asarray((np.sign(paraphrase - alteration) + 1) / 2)
