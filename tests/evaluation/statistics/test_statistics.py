"""The statistics against scipy, against naive loops and against formulas."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.statistics import (
    KAPPA,
    MEASURES,
    benjamini_hochberg,
    correlation,
    correlations,
    holm,
    paired_bootstrap,
    rater_deviation,
    shuffled_ratings,
    split_half,
    williams,
)
from hybridsem.evaluation.statistics import resampling as _resampling

SCIPY = {"spearman": stats.spearmanr, "pearson": stats.pearsonr, "kendall": stats.kendalltau}


def rated(n: int, noise: float = 1.0, digits: int = 9) -> tuple[np.ndarray, np.ndarray]:
    """Scores and ratings that agree apart from noise; few digits make ties."""
    random = np.random.default_rng(n)
    gold = random.normal(size=n)
    return (gold + noise * random.normal(size=n)).round(digits), gold.round(digits)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("n", "digits"), [(7, 9), (12, 0), (60, 9), (61, 0)])
def test_resamples_by_counts_are_what_a_loop_over_drawn_rows_gives(
    measure: str, n: int, digits: int
) -> None:
    scores, gold = rated(n, digits=digits)
    fast = _resampling.resampled(scores[None], gold, [measure], 50, seed=3)[measure][0]
    [seed] = np.random.SeedSequence(3).spawn(1)
    for counts, value in zip(_resampling._drawn(n, 50, seed), fast, strict=True):
        rows = np.repeat(np.arange(n), counts)
        assert len(rows) == n
        assert value == pytest.approx(SCIPY[measure](scores[rows], gold[rows]).statistic, abs=1e-12)


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=30))
def test_correlations_are_scipys_and_undefined_where_nothing_varies(
    rows: list[tuple[int, int]],
) -> None:
    scores, gold = np.array(rows, float).T
    for measure, estimate in correlations(scores, gold, resamples=0).items():
        if np.ptp(scores) == 0 or np.ptp(gold) == 0:
            assert estimate.value is None
            assert "are all the same" in estimate.note
        else:
            known = SCIPY[measure](scores, gold).statistic
            assert estimate.value == pytest.approx(known, abs=1e-12)
        assert (estimate.low, estimate.high, estimate.n) == (None, None, len(rows))


@pytest.mark.parametrize("n", [400, 20_000])
def test_the_interval_of_normal_variables_is_fishers(n: int) -> None:
    scores, gold = rated(n)
    found = correlations(scores, gold, ["pearson"], resamples=4_000)["pearson"]
    z, half = math.atanh(found.value or 0), 1.96 / math.sqrt(n - 3)
    width = math.tanh(z + half) - math.tanh(z - half)
    assert found.low == pytest.approx(math.tanh(z - half), abs=0.12 * width)
    assert found.high == pytest.approx(math.tanh(z + half), abs=0.12 * width)
    assert ("sample of 5,000 rows" in found.note) == (n > 5_000)


def test_missing_scores_are_counted_and_stand_for_nothing() -> None:
    scores, gold = rated(50)
    holes = scores.copy()
    holes[[3, 7]] = np.nan
    ratings = gold.copy()
    ratings[7:9] = np.nan
    whole = np.delete(np.arange(50), [3, 7, 8])
    for measure, estimate in correlations(holes, ratings, resamples=200).items():
        same = correlations(scores[whole], gold[whole], [measure], resamples=200)[measure]
        assert (estimate.n, estimate.missing) == (47, 3)
        assert (estimate.value, estimate.low, estimate.high) == (same.value, same.low, same.high)


def test_a_result_depends_on_the_seed_and_not_on_the_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scores, gold = rated(300)
    first = correlations(scores, gold, resamples=1_000)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert correlations(scores, gold, resamples=1_000) == first
    assert correlations(scores, gold, resamples=1_000, seed=1) != first
    assert correlations(scores, gold, ["kendall"], resamples=1_000)["kendall"] == first["kendall"]


def test_two_rows_have_a_value_and_no_interval() -> None:
    found = correlations([1, 2, math.nan], [1, 3, 2])["spearman"]
    assert (found.value, found.low, found.n, found.missing) == (pytest.approx(1), None, 2, 1)
    assert "no interval: not defined in" in found.note


def test_paired_bootstrap() -> None:
    gold = rated(400)[1]
    random = np.random.default_rng(0)
    good, fair = (gold + noise * random.normal(size=400) for noise in (0.5, 1))
    found = paired_bootstrap(good, fair, gold, resamples=2_000)
    one, two = (correlation(scores, gold) or 0 for scores in (good, fair))
    assert found.value == pytest.approx(one - two)
    assert found.p == pytest.approx(2 / 2_001)  # as small as so many resamples can say, and never 0
    assert found.low is not None
    assert found.low > 0
    back = paired_bootstrap(fair, good, gold, resamples=2_000)
    assert (back.value, back.p, back.high) == (-found.value, found.p, pytest.approx(-found.low))

    same = paired_bootstrap(good, 2 * good, gold, resamples=200)
    assert (same.value, same.low, same.high, same.p) == (0, 0, 0, 1)
    good[0] = fair[1] = math.nan
    holes = paired_bootstrap(good, fair, gold, resamples=200)
    assert (holes.n, holes.missing) == (398, 2)
    assert paired_bootstrap(good, np.zeros(400), gold).note == "the scores are all the same"


def with_correlations(n: int, r12: float, r13: float, r23: float) -> np.ndarray:
    """Three columns whose sample correlations are exactly these."""
    noise = np.random.default_rng(0).normal(size=(3, n))
    noise -= noise.mean(axis=1, keepdims=True)
    independent = np.linalg.solve(np.linalg.cholesky(noise @ noise.T), noise)
    return np.linalg.cholesky(np.array([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])) @ independent


def test_williams_by_the_formula() -> None:
    gold, first, second = with_correlations(103, 0.4, 0.5, 0.1)
    found = williams(first, second, gold)
    determinant = 1 - 0.4**2 - 0.5**2 - 0.1**2 + 2 * 0.4 * 0.5 * 0.1
    below = 2 * (102 / 100) * determinant + 0.45**2 * 0.9**3
    assert found.statistic == pytest.approx(-0.1 * math.sqrt(102 * 1.1 / below))
    assert found.statistic == pytest.approx(-0.89, abs=0.005)  # the example of R's psych::r.test
    assert (found.p, found.df, found.n) == (pytest.approx(0.37, abs=0.01), 100, 103)


def test_williams_where_there_is_nothing_to_test() -> None:
    scores, gold = rated(30)
    assert "the same up to a linear map" in williams(scores, 2 * scores + 1, gold).note
    assert williams(scores, np.ones(30), gold).p is None
    assert williams(scores[:3], gold[:3], gold[:3]).note == "fewer than 4 rows"
    with pytest.raises(InputError, match="paired bootstrap"):
        williams(scores, gold, gold, "kendall")


P = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(P)
def test_corrections(p: list[float]) -> None:
    by_hand = [max(min(1, (len(p) - sorted(p).index(q)) * q) for q in p if q <= one) for one in p]
    assert holm(p) == pytest.approx(by_hand)
    assert np.all(benjamini_hochberg(p) <= holm(p) + 1e-12)


def test_corrections_keep_the_order_and_pass_over_what_was_not_tested() -> None:
    expected = [0.03, math.nan, 0.06, 0.06]
    assert holm([0.01, math.nan, 0.04, 0.03]).tolist() == pytest.approx(expected, nan_ok=True)
    assert benjamini_hochberg([]).tolist() == []
    with pytest.raises(InputError, match=r"got np.float64\(1.5\)|got 1.5"):
        holm([0.1, 1.5])


@pytest.mark.parametrize("measure", ["pearson", "spearman"])
def test_split_half_is_what_a_loop_gives(measure: str) -> None:
    random = np.random.default_rng(0)
    ratings = random.integers(0, 6, size=40) + random.normal(size=(9, 40)).round(1)
    ratings[random.random(ratings.shape) < 0.5] = math.nan
    found = split_half(ratings, splits=30, seed=4, measure=measure)
    halves = np.random.default_rng(4).permuted(np.tile(np.arange(9) < 4, (30, 1)), axis=1)
    corrected = []
    for half in halves:
        means = [
            (one[~np.isnan(one)].mean(), two[~np.isnan(two)].mean())
            for one, two in zip(ratings[half].T, ratings[~half].T, strict=True)
            if not (np.isnan(one).all() or np.isnan(two).all())
        ]
        r = SCIPY[measure](*zip(*means, strict=True)).statistic
        corrected.append(2 * r / (1 + r))
    assert found.value == pytest.approx(np.mean(corrected), abs=1e-12)
    assert found.low == pytest.approx(np.quantile(corrected, 0.025), abs=1e-12)
    assert found.missing == np.isnan(ratings).sum()


def test_kappa_of_two_halves_is_what_a_table_gives() -> None:
    random = np.random.default_rng(1)
    true = random.integers(1, 8, size=60)
    ratings = np.clip(true + random.integers(-2, 3, size=(2, 60)), 1, 7).astype(float)
    ratings[0, :5] = math.nan
    found = split_half(ratings, splits=3, measure=KAPPA)  # of two raters there is one split
    table = np.zeros((7, 7))
    for one, two in ratings[:, 5:].astype(int).T:
        table[one - 1, two - 1] += 1 / 55
    apart = np.abs(np.subtract.outer(np.arange(7), np.arange(7)))
    kappa = 1 - (apart * table).sum() / (apart * np.outer(table.sum(1), table.sum(0))).sum()
    assert found.value == pytest.approx(2 * kappa / (1 + kappa), abs=1e-12)
    assert found.low == pytest.approx(found.high)


def test_how_far_raters_are_apart() -> None:
    ratings = [[1, 7, math.nan, 2], [3, 7, 4, 4], [5, 7, math.nan, math.nan]]
    found = rater_deviation(ratings)
    assert found.value == pytest.approx((2 + 0 + math.sqrt(2)) / 3 / 6)
    assert (found.n, found.missing) == (3, 3)
    assert rater_deviation([[1, 1], [1, 1]]).value is None


def test_ratings_beside_shuffled_ones() -> None:
    random = np.random.default_rng(0)
    items = random.permutation(np.repeat([1, 7], 100))
    agreed = shuffled_ratings(np.tile(items, (20, 1)).astype(float))
    assert agreed.value == pytest.approx(0.5, abs=0.02)  # all shuffled means lie between 1 and 7
    assert (1 if agreed.p is None else agreed.p) < 1e-20
    noise = shuffled_ratings(random.integers(1, 8, size=(20, 200)).astype(float))
    assert (noise.p or 0) > 0.05
    assert shuffled_ratings([[math.nan], [math.nan]]).value is None


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1, 2], [1, 2, 3]), {}, "one length"),
        (([1, math.inf], [1, 2]), {}, "finite or NaN"),
        (([1, 2], [1, 2]), {"measures": ["spearmen"]}, "Did you mean 'spearman'"),
        (([1, 2], [1, 2]), {"level": 95}, "between 0 and 1, got 95"),
    ],
)
def test_what_cannot_be_used_is_named(arguments: Any, options: Any, message: str) -> None:
    with pytest.raises((InputError, UnknownNameError), match=message):
        correlations(*arguments, **options)
