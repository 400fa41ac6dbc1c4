"""Training: held-out predictions on a split, the fit to all pairs, the weights file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._version import __version__
from hybridsem.datasets.splits import Fold, split
from hybridsem.datasets.triples import DEVELOPMENT
from hybridsem.errors import InputError
from hybridsem.learned.features import EMBEDDING, PRESENCE, SCORE, SIMILARITY, FeatureSet
from hybridsem.learned.files import Weights
from hybridsem.pipeline import Pipeline
from hybridsem.training.dataset import CAP, TrainingPairs, extract, table_of
from hybridsem.training.probe import HELD_OUT, Probe, probe, probe_pairs
from hybridsem.training.regressors import (
    PublishedNetwork,
    RoleWeights,
    column_means,
    line_of,
    principal_components,
    regressor,
)

ROWS_A_FEATURE = {"linear": 5, "ridge": 2, "mlp": 10, "boosting": 10, "published": 10}
"""The least number of training pairs for each varying feature, without a note."""

SAMPLED = 500


@dataclass(frozen=True)
class Trained:
    """Weights fitted to all pairs, and the predictions of held-out pairs.

    ``predicted`` and ``ratings`` are (n,); predictions are NaN for pairs without a parse or a test
    fold. ``own`` is the score of the corrected model, NaN for embeddings. ``importance`` is the
    mean absolute contribution of each group of features (over at most 500 pairs). ``probe`` is what
    was forgotten of the minimal pairs.
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
        model = self.weights.model
        if model.kind != "weighted":
            return {}
        names = [self.weights.features.names[column] for column in model.data["columns"]]
        figures = (model.data[part].tolist() for part in ("weights", "errors"))
        return {
            name.removeprefix(SIMILARITY): found
            for name, *found in zip(names, *figures, strict=True)
        }


def train(
    pipeline: Pipeline,
    data: TrainingPairs,
    name: str = "ridge",
    *,
    split_by: str = "grouped",
    folds: int = 10,
    seed: int = 0,
    sides: tuple[Sequence[int], Sequence[int]] | None = None,
    features: str = "roles",
    components: int | None = None,
    cap: int = CAP,
    cache: str | os.PathLike[str] | None = None,
    settings: Mapping[str, Any] | None = None,
    keep: bool = True,
) -> Trained:
    """Fit a regressor to rated pairs, and predict each pair from others.

    A regressor that corrects the model's own score also learns, from half of the minimal pairs,
    that these need no correction. The other half shows what it forgets: :attr:`Trained.probe`.

    Args:
        pipeline: The model whose features are used, without learned weights.
        data: The result of :func:`hybridsem.training.dataset.rated`.
        name: ``linear``, ``ridge``, ``mlp`` (``mlp:100-100-10``), ``boosting`` or ``published``
            (``published:60-10``).
        split_by: ``grouped``, ``kfold``, ``random`` or ``adversarial``; the last needs ``sides``.
        folds: The number of folds of ``grouped`` and ``kfold``.
        seed: The seed of the split and the regressor.
        sides: Rows of ``data`` to train and to test on.
        features: ``roles`` or ``embedding``.
        components: The number of principal components, computed from each fold's training pairs,
            or, for ``published``, from all pairs as in the paper; None: none.
        cap: The number of paths with features.
        cache: A folder for the features.
        settings: Settings of the regressor, by name.
        keep: Whether to learn from minimal pairs too.

    Raises:
        InputError: Data, names or settings that cannot be used.
    """
    regressor(name)  # refuse an unknown name before reading sentences
    if features == EMBEDDING and name == "linear":
        raise InputError(
            "'linear' weighs similarities, and embeddings have none; use ridge, mlp or boosting"
        )
    if components is not None and (components < 1 or name == "linear"):
        raise InputError(
            f"components are at least 1 and not for 'linear', got {components!r} for {name!r}"
        )
    names, X = extract(pipeline, data.pairs, features=features, cap=cap, cache=cache)
    usable = np.asarray(~np.isnan(X).all(axis=1))
    notes = [*data.notes]
    count = int(usable.sum())
    if failed := len(usable) - count:
        notes.append(f"{failed} pairs have a sentence without parse and are left out")
    if count < 10:
        raise InputError(f"only {count} pairs have features; at least 10 are needed")
    chosen = {"random_state": seed, "components": components, **(settings or {})}
    make = partial(make_regressor, name, names, chosen)
    train_rows, test_rows = sides or (None, None)
    parts = split(split_by, data.pairs, folds=folds, seed=seed, train=train_rows, test=test_rows)
    notes += _small(name, X[usable], components)
    held = None
    if keep and make().get_params().get("prior") == 0:
        held = _known(pipeline, DEVELOPMENT, names)
        held = held[~np.isnan(held[:, 0])]
    if components is not None and name.partition(":")[0] == "published":
        from sklearn.base import clone

        shown = np.full((len(X), min(components, *X[usable].shape)), np.nan)
        shown[usable] = principal_components(X[usable], components)
        whole = regressor(name, random_state=seed, **(settings or {}))
        predicted = held_out(lambda: clone(whole), shown, data.ratings, parts)
    else:
        predicted = held_out(make, X, data.ratings, parts, held)
    fitted = make().fit(*_with(X[usable], data.ratings[usable], held))
    weights = Weights(
        pipeline=pipeline.settings,
        features=names,
        model=fitted.model_,
        reference=_reference(names, X[usable]),
        offset=fitted.offset_,
        regressor={"name": name, **fitted.get_params()},
        training={
            "sha256": data.sha256,
            "pairs": count,
            "range": list(data.range),
            "split": split_by,
            "seed": seed,
            "folds": len(parts),
            "held_out": _scores(predicted, data.ratings),
            **({"contents": contents} if (contents := dict(pipeline.contents)) else {}),
        },
        versions={
            "hybridsem": __version__,
            "numpy": np.__version__,
            "scikit-learn": version("scikit-learn"),
        },
    )
    own = X[:, 0] if features != EMBEDDING else np.full(len(X), np.nan)
    probed = _probed(pipeline, weights, seed)
    weights = replace(weights, training={**weights.training, "probe": probed.to_dict()})
    importance = _importance(weights, X[usable])
    return Trained(weights, predicted, data.ratings, own, importance, tuple(notes), probed)


def _known(pipeline: Pipeline, part: str, features: FeatureSet) -> Float64Array:
    """Return the features of a part of the minimal pairs; for named parts they are cached."""
    about = [sorted(pipeline.settings.items()), sorted(pipeline.contents.items()), part, features]
    key = repr(about)
    if pipeline.unnamed or key not in _TABLES:
        table = table_of(pipeline, probe_pairs(part), features)
        if pipeline.unnamed:
            return table
        while len(_TABLES) >= MAX_TABLES:
            del _TABLES[next(iter(_TABLES))]
        _TABLES[key] = table
    return _TABLES[key]


_TABLES: dict[str, Float64Array] = {}
MAX_TABLES = 4


def _probed(pipeline: Pipeline, weights: Weights, seed: int) -> Probe:
    X = _known(pipeline, HELD_OUT, weights.features)
    if weights.features.kind != EMBEDDING:
        return probe(X[:, 0], weights.predict(X), seed)
    first, second = np.split(X, 2, axis=1)
    learned = (weights.predict(X) + weights.predict(np.hstack([second, first]))) / 2
    return probe((first * second).sum(axis=1), learned, seed)


def make_regressor(
    name: str, features: FeatureSet, settings: Mapping[str, Any] | None = None
) -> Any:
    """Return a named regressor with the columns and the prior for these features."""
    made = regressor(name, **(settings or {}))
    similarities = [i for i, one in enumerate(features.names) if one.startswith(SIMILARITY)]
    if isinstance(made, PublishedNetwork):
        if features.kind == EMBEDDING or made.components is not None:
            return made
        if not similarities:
            raise InputError(
                f"'published' learns from similarities of roles, and {features.kind!r} has none"
            )
        return made.set_params(columns=similarities)
    if isinstance(made, RoleWeights):
        columns = [i for i, one in enumerate(features.names) if one == "cosine"] + similarities
        if len(columns) < 2:
            raise InputError(
                f"'linear' weighs similarities of roles, and {features.kind!r} has none; use "
                "ridge, mlp or boosting"
            )
        return made.set_params(columns=columns)
    prior = None if features.kind == EMBEDDING or made.components is not None else 0
    return made.set_params(prior=prior)


def _with(
    X: Float64Array, y: Float64Array, held: Float64Array | None
) -> tuple[Float64Array, Float64Array]:
    """Append the pairs whose own score must not change. Their ratings lie on the line from own
    scores to ratings, so they need no correction.
    """
    if held is None:
        return X, y
    intercept, slope = line_of(X[:, 0], y)
    return np.vstack([X, held]), np.append(y, intercept + slope * held[:, 0])


def held_out(
    make: Callable[[], Any],
    X: Float64Array,
    y: Float64Array,
    folds: Sequence[Fold],
    held: Float64Array | None = None,
) -> Float64Array:
    """Predict each row by a regressor fitted without it, (n,).

    The prediction is NaN for a row without a test fold. Rows of NaN are left out.

    Args:
        make: Returns a new regressor.
        X: Features, (n, f).
        y: Ratings, (n,).
        folds: The training and test rows.
        held: Features of pairs whose own score must not change.
    """
    usable = np.asarray(~np.isnan(X).all(axis=1))
    found = np.full(len(y), np.nan)
    for rows, tested in folds:
        rows, tested = rows[usable[rows]], tested[usable[tested]]
        if len(rows) < 2 or np.ptp(y[rows]) < 1e-12:
            raise InputError(
                f"a fold of the split has {len(rows)} pairs to train on, or equal ratings; use "
                "fewer folds"
            )
        if len(tested):
            fitted = make().fit(*_with(X[rows], y[rows], held))
            found[tested] = np.clip(fitted.predict(X[tested]), -1, 1)
    return found


def _reference(features: FeatureSet, X: Float64Array) -> Float64Array:
    """Return the pair that explanations count from: no roles, and the mean of everything else."""
    means = column_means(X)
    for i, name in enumerate(features.names):
        if name.startswith(SIMILARITY):
            means[i] = np.nan
        elif name.startswith(PRESENCE):
            means[i] = 0.0
    return means


def _importance(weights: Weights, X: Float64Array) -> dict[str, float]:
    """Return the mean absolute contribution of each group, including the own score."""
    some = X[np.linspace(0, len(X) - 1, min(len(X), SAMPLED)).astype(int)]
    _, added = weights.attribute(some)
    sizes = dict(zip(weights.players.names, np.abs(added).mean(axis=0).tolist(), strict=True))
    if weights.offset is not None:
        sizes[SCORE] = weights.offset[1] * float(np.abs(some[:, 0] - weights.reference[0]).mean())
    return sizes


def _small(name: str, X: Float64Array, components: int | None) -> list[str]:
    """Return a note if the regressor has few pairs for its features."""
    varies = np.array([len(np.unique(column[~np.isnan(column)])) > 1 for column in X.T])
    kind, width = name.partition(":")[0], int(varies.sum())
    if kind == "linear":
        width = int((varies & np.isnan(X).any(axis=0)).sum()) + 1
    width = min(width, components or width)
    if len(X) >= ROWS_A_FEATURE[kind] * width:
        return []
    advice = "" if kind in ("linear", "ridge") else "; 'ridge' or 'linear' need fewer"
    few = f"{len(X)} pairs are few for {name!r} over {width} features"
    return [f"{few}: its held-out figure is unsteady{advice}"]


def _scores(predicted: Float64Array, ratings: Float64Array) -> dict[str, Any]:
    from scipy.stats import spearmanr

    tested = ~np.isnan(predicted)
    if tested.sum() < 2 or np.ptp(predicted[tested]) < 1e-12 or np.ptp(ratings[tested]) < 1e-12:
        return {"pairs": int(tested.sum()), "spearman": None}
    rho = float(spearmanr(predicted[tested], ratings[tested]).statistic)
    return {"pairs": int(tested.sum()), "spearman": round(rho, 6)}
