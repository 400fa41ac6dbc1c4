"""Training: held-out predictions on a split, the fit to all pairs, what the weights file holds."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import hybridsem
from hybridsem._typing import Float64Array
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
    line_of,
    principal_components,
    regressor,
)

ROWS_A_FEATURE: Mapping[str, float] = {
    "linear": 5,
    "ridge": 2,
    "mlp": 10,
    "boosting": 10,
    "published": 10,
}
"""With fewer training pairs for each feature that varies, a regressor's data count as small."""


SAMPLED = 500


@dataclass(frozen=True)
class Trained:
    """Weights fitted to all pairs, and the predictions for pairs that were held out.

    ``predicted`` and ``ratings`` are (n,); the former is NaN for pairs that were not tested on or
    have no parse. ``own`` is the score of the model that was corrected, NaN for embeddings.
    ``importance`` is how much each group of features moves the score of the pairs it was fitted to,
    in the mean (of at most 500 pairs), either way.
    """

    weights: Weights
    predicted: Float64Array
    ratings: Float64Array
    own: Float64Array
    importance: Mapping[str, float]
    notes: tuple[str, ...] = ()
    probe: Probe | None = None
    """What was forgotten of the minimal pairs."""

    @property
    def role_weights(self) -> dict[str, list[float]]:
        """Each role's weight and standard error where the regressor is ``linear``; else nothing."""
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

    What the ratings do not speak of is kept: a regressor that corrects the model's own score also
    learns from the first half of the minimal pairs that nothing is to be corrected there. The other
    half then tells what was forgotten all the same, :attr:`Trained.probe`.

    Args:
        pipeline: The model whose features are used, without learned weights.
        data: From :func:`hybridsem.training.dataset.rated`.
        name: ``linear``, ``ridge``, ``mlp`` (``mlp:100-100-10``), ``boosting`` or ``published``
            (``published:60-10``).
        split_by: ``grouped``, ``kfold``, ``random`` or ``adversarial``; the last needs ``sides``.
        folds: Of ``grouped`` and ``kfold``.
        seed: Of the split and of the regressor.
        sides: Rows of ``data`` to train on and to test on.
        features: ``roles`` or ``embedding``.
        components: Principal components of the features, found in each fold's training pairs, and
            for ``published`` in all pairs, as the paper does; None for none.
        cap: Paths that have features.
        cache: A folder for the features.
        settings: Of the regressor, by name.
        keep: Whether it also learns from minimal pairs.

    Raises:
        InputError: Data, names or settings that cannot be used.
    """
    regressor(name)  # an unknown name, or a missing library, is said before sentences are read
    if features == EMBEDDING and name == "linear":
        raise InputError(
            "'linear' weighs similarities, and embeddings have none; use ridge, mlp or boosting"
        )
    if components is not None and (components < 1 or name == "linear"):
        raise InputError(
            f"components are at least 1 and not for 'linear', got {components!r} for {name!r}"
        )
    names, X = extract(pipeline, data.pairs, features=features, cap=cap, cache=cache)
    usable = ~np.isnan(X).all(axis=1)
    notes = [*data.notes]
    if failed := int((~usable).sum()):
        notes.append(f"{failed} pairs have a sentence without parse and are left out")
    if usable.sum() < 10:
        raise InputError(f"only {int(usable.sum())} pairs have features; at least 10 are needed")
    chosen = {"random_state": seed, "components": components, **(settings or {})}

    def make() -> Any:
        return make_regressor(name, names, chosen)

    parts = split(
        split_by,
        data.pairs,
        folds=folds,
        seed=seed,
        train=None if sides is None else sides[0],
        test=None if sides is None else sides[1],
    )
    notes += _small(name, X[usable], components)
    held = None
    if keep and make_regressor(name, names, chosen).get_params().get("prior") == 0:
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
        regressor={"name": name, **_plain(fitted.get_params())},
        training={
            "sha256": data.sha256,
            "pairs": int(usable.sum()),
            "range": list(data.range),
            "split": split_by,
            "seed": seed,
            "folds": len(parts),
            "held_out": _scores(predicted, data.ratings),
            **({"contents": contents} if (contents := dict(pipeline.contents)) else {}),
        },
        versions=_versions(),
    )
    own = X[:, 0] if features != EMBEDDING else np.full(len(X), np.nan)
    found = _probed(pipeline, weights, seed)
    weights = replace(weights, training={**weights.training, "probe": found.to_dict()})
    importance = _importance(weights, X[usable])
    return Trained(weights, predicted, data.ratings, own, importance, tuple(notes), found)


def _known(pipeline: Pipeline, part: str, features: FeatureSet) -> Float64Array:
    """The features of a part of the minimal pairs; the last tables are kept, as long as the parts
    and their files are the same.
    """
    key = None
    if not pipeline.unnamed:
        about = [sorted(pipeline.settings.items()), sorted(pipeline.contents.items()), part]
        key = repr([*about, features])
    if key is None or key not in _TABLES:
        table = table_of(pipeline, probe_pairs(part), features)
        if key is None:
            return table
        while len(_TABLES) >= TABLES_KEPT:
            del _TABLES[next(iter(_TABLES))]
        _TABLES[key] = table
    return _TABLES[key]


_TABLES: dict[str, Float64Array] = {}
TABLES_KEPT = 4


def _probed(pipeline: Pipeline, weights: Weights, seed: int) -> Probe:
    """The probe of what was learned."""
    X = _known(pipeline, HELD_OUT, weights.features)
    if weights.features.kind != EMBEDDING:
        return probe(X[:, 0], weights.predict(X), seed)
    first, second = np.split(X, 2, axis=1)
    turned = np.hstack([second, first])
    learned = (weights.predict(X) + weights.predict(turned)) / 2
    return probe((first * second).sum(axis=1), learned, seed)


def make_regressor(
    name: str, features: FeatureSet, settings: Mapping[str, Any] | None = None
) -> Any:
    """The named regressor for these features: what it weighs, and the score that it corrects."""
    made = regressor(name, **(settings or {}))
    if isinstance(made, PublishedNetwork):
        if features.kind == EMBEDDING or made.components is not None:
            return made
        roles = [i for i, one in enumerate(features.names) if one.startswith(SIMILARITY)]
        if not roles:
            raise InputError(
                f"'published' learns from similarities of roles, and {features.kind!r} has none"
            )
        return made.set_params(columns=roles)
    if isinstance(made, RoleWeights):
        columns = [
            i
            for i, one in enumerate(features.names)
            if one == "cosine" or one.startswith(SIMILARITY)
        ]
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
    """The pairs, and behind them those at which the model's own score is to stay: their ratings are
    what the straight line from it to the ratings says, so that nothing is left to correct.
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
    """The prediction for each row by a regressor that has not seen it, (n,).

    NaN where no fold tests the row. Rows that are all NaN are neither trained nor tested on.

    Args:
        make: Gives a regressor that has not been fitted.
        X: (n, features).
        y: (n,) ratings.
        folds: The rows that are trained and tested on.
        held: Features of pairs at which the model's own score is to stay.

    >>> from sklearn.linear_model import LinearRegression
    >>> from hybridsem.datasets.splits import kfold
    >>> X, y = np.arange(6.0)[:, None], np.arange(6.0) / 10
    >>> held_out(LinearRegression, X, y, kfold(6, folds=3)).round(2).tolist()
    [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
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
    """The pair that explanations count from: without roles, and the mean pair in all else."""
    there = ~np.isnan(X)
    means = np.nan_to_num(X).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    for i, name in enumerate(features.names):
        if name.startswith(SIMILARITY):
            means[i] = np.nan
        elif name.startswith(PRESENCE):
            means[i] = 0.0
    return np.asarray(means, float)


def _importance(weights: Weights, X: Float64Array) -> dict[str, float]:
    """The mean size of what each group of features adds, the corrected score among them."""
    some = X[np.linspace(0, len(X) - 1, min(len(X), SAMPLED)).astype(int)]
    _, added = weights.attribute(some)
    found = dict(zip(weights.players.names, np.abs(added).mean(axis=0).tolist(), strict=True))
    if weights.offset is not None:
        found[SCORE] = weights.offset[1] * float(np.abs(some[:, 0] - weights.reference[0]).mean())
    return found


def _small(name: str, X: Float64Array, components: int | None) -> list[str]:
    """Warn where the regressor has few pairs for its features."""
    varies = np.array([len(np.unique(column[~np.isnan(column)])) > 1 for column in X.T])
    kind, width = name.partition(":")[0], int(varies.sum())
    if kind == "linear":
        width = int((varies & np.isnan(X).any(axis=0)).sum()) + 1
    width = min(width, components or width)
    if len(X) >= ROWS_A_FEATURE[kind] * width:
        return []
    advice = "" if kind in ("linear", "ridge") else "; 'ridge' or 'linear' need fewer"
    return [
        (
            f"{len(X)} pairs are few for {name!r} over {width} features: its held-out figure is "
            f"unsteady{advice}"
        )
    ]


def _scores(predicted: Float64Array, ratings: Float64Array) -> dict[str, Any]:
    from scipy.stats import spearmanr

    tested = ~np.isnan(predicted)
    if tested.sum() < 2 or np.ptp(predicted[tested]) < 1e-12 or np.ptp(ratings[tested]) < 1e-12:
        return {"pairs": int(tested.sum()), "spearman": None}
    rho = float(spearmanr(predicted[tested], ratings[tested]).statistic)
    return {"pairs": int(tested.sum()), "spearman": round(rho, 6)}


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()
    }


def _versions() -> dict[str, str]:
    import sklearn

    return {
        "hybridsem": hybridsem.__version__,
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
    }
