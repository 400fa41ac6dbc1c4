"""The regressors: scikit-learn's contract, weights that can be computed by hand, and Shapley values
by brute force.
"""

import itertools
import json
import math
from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from hybridsem._utils.predictors import Predictor
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.learned.shapley import Players, attribute, exact
from hybridsem.training.regressors import (
    RoleBoosting,
    RoleNetwork,
    RoleRidge,
    RoleWeights,
    regressor,
)

SMALL = {
    "ridge": RoleRidge(alpha=1.0),
    "mlp": RoleNetwork(hidden=(8, 5), steps=60, members=2),
    "boosting": RoleBoosting(trees=12, members=2, min_samples_leaf=5),
}

CHECKS = [
    pytest.param(estimator, check, id=f"{type(estimator).__name__}-{check.func.__name__}-{n}")
    for made in (RoleWeights(), RoleRidge(), SMALL["mlp"], SMALL["boosting"])
    for n, (estimator, check) in enumerate(estimator_checks_generator(made))
    if "array_api" not in check.func.__name__  # other libraries' arrays
]


@pytest.mark.slow
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_the_contract_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def table(rows: int = 120) -> tuple[np.ndarray, np.ndarray]:
    """Features with missing values, and ratings with an interaction."""
    random = np.random.default_rng(1)
    X = random.uniform(size=(rows, 6))
    y = (
        0.3 * X[:, 0]
        + 0.4 * X[:, 1] * (X[:, 2] > 0.5)
        + 0.1 * X[:, 5]
        + 0.02 * random.normal(size=rows)
    )
    X[random.uniform(size=X.shape) < 0.2] = np.nan
    X[:, 0] = np.nan_to_num(X[:, 0], nan=0.5)
    return X, y


PLAYERS = Players(("a", "b", "b", "c", "d", "c"))
REFERENCE = np.array([0.4, 0.5, np.nan, 0.2, np.nan, 0.6])


def by_brute_force(model: Predictor, row: np.ndarray) -> dict[str, float]:
    """Shapley's formula over orders: what a player adds when it comes, in the mean of all
    orders.
    """
    added = dict.fromkeys(PLAYERS.names, 0.0)
    orders = list(itertools.permutations(PLAYERS.names))
    for order in orders:
        now = REFERENCE.copy()
        worth = model.predict(now[None])[0]
        for player in order:
            own = [i for i, name in enumerate(PLAYERS.of) if name == player]
            now[own] = row[own]
            after = model.predict(now[None])[0]
            added[player] += (after - worth) / len(orders)
            worth = after
    return added


@pytest.mark.parametrize("name", SMALL)
def test_attributions_are_shapley_values(name: str) -> None:
    X, y = table()
    model = SMALL[name].fit(X, y).model_
    base, added = attribute(model, X[:4], REFERENCE, PLAYERS)
    assert base == pytest.approx(model.predict(REFERENCE[None])[0])
    np.testing.assert_allclose(base + added.sum(axis=1), model.predict(X[:4]), atol=1e-9)
    for row, found in zip(X[:4], added, strict=True):
        assert dict(zip(PLAYERS.names, found, strict=True)) == pytest.approx(
            by_brute_force(model, row), abs=1e-9
        )


@pytest.mark.parametrize("name", SMALL)
def test_prediction_is_that_of_the_plain_model_read_back(name: str) -> None:
    X, y = table()
    fitted = SMALL[name].fit(X, y)
    again = Predictor.from_dict(json.loads(json.dumps(fitted.model_.to_dict())))
    np.testing.assert_array_equal(fitted.predict(X), again.predict(X))


def test_trees_are_those_of_scikit_learn() -> None:
    from sklearn.ensemble import HistGradientBoostingRegressor

    X, y = table()
    ours = RoleBoosting(trees=20, members=1, random_state=0).fit(X, y)
    [seed] = np.random.RandomState(0).randint(2**31 - 1, size=1)
    theirs = HistGradientBoostingRegressor(
        learning_rate=0.05,
        max_iter=20,
        max_leaf_nodes=8,
        min_samples_leaf=10,
        l2_regularization=1.0,
        max_features=0.5,
        early_stopping=False,
        random_state=int(seed),
    ).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-12)


def test_learned_weights_are_found_and_sum_to_one() -> None:
    random = np.random.default_rng(0)
    X = random.uniform(size=(800, 3))
    X[random.uniform(size=X.shape) < 0.3] = np.nan
    X = X[~np.isnan(X).all(axis=1)]
    weights = np.array([0.6, 0.3, 0.1])
    there = ~np.isnan(X)
    y = (
        0.1
        + 0.5 * (np.nan_to_num(X) @ weights) / (there @ weights)
        + 0.01 * random.normal(size=len(X))
    )
    fitted = RoleWeights().fit(X, y)
    assert fitted.coef_.sum() == pytest.approx(1)
    assert (np.abs(fitted.coef_ - weights) < 4 * fitted.errors_).all()
    assert (fitted.errors_ < 0.02).all()
    assert fitted.predict([[0.5, np.nan, np.nan], [1, 1, 1]]) == pytest.approx([0.5, 1])


def test_names_and_settings() -> None:
    assert regressor("mlp:100-100-10", random_state=3).hidden == (100, 100, 10)
    assert regressor("ridge", random_state=3).get_params() == {"alpha": 300.0, "prior": None}
    for name in ("rigde", "ridge:10", "mlp:7-", "mlp:x"):
        with pytest.raises(UnknownNameError):
            regressor(name)
    with pytest.raises(InputError, match="first column"):
        RoleRidge(prior=1).fit(*table())
    with pytest.raises(InputError, match="member"):
        RoleNetwork(members=0).fit(*table())
    assert math.isfinite(RoleRidge().fit(*table()).predict(table()[0])[0])


def test_of_many_players_the_least_play_as_one() -> None:
    factors = np.arange(20.0)
    many = Players(tuple(map(str, range(20))))
    _, [added] = exact(lambda X: X @ factors, np.ones((1, 20)), np.zeros(20), many)
    assert added[9:] == pytest.approx(factors[9:])
    assert added[:9] == pytest.approx(np.full(9, factors[:9].mean()))
