"""The statistics against scipy, against naive loops and against formulas."""

import math
import os
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.statistics import resampling as _resampling
from hybridsem.evaluation.statistics.model_tests import (
    benjamini_hochberg,
    holm,
    paired_bootstrap,
    williams,
)
from hybridsem.evaluation.statistics.rating_correlations import (
    MEASURES,
    correlation,
    correlations,
    split_half,
)

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
    drawn = _resampling.resampled_counts(np.transpose, n, 50, seed=3).T
    for counts, value in zip(drawn, fast, strict=True):
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
    statistic = -0.1 * math.sqrt(102 * 1.1 / below)  # -.89, the example of R's psych::r.test
    assert (found.value, found.n) == (pytest.approx(-0.1), 103)
    assert found.p == pytest.approx(2 * stats.t.sf(-statistic, 100))
    assert found.p == pytest.approx(0.37, abs=0.01)


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


def test_split_half_is_what_a_loop_gives() -> None:
    random = np.random.default_rng(0)
    ratings = random.integers(0, 6, size=40) + random.normal(size=(9, 40)).round(1)
    ratings[random.random(ratings.shape) < 0.5] = math.nan
    found = split_half(ratings, splits=30, seed=4)
    halves = np.random.default_rng(4).permuted(np.tile(np.arange(9) < 4, (30, 1)), axis=1)
    corrected = []
    for half in halves:
        means = [
            (one[~np.isnan(one)].mean(), two[~np.isnan(two)].mean())
            for one, two in zip(ratings[half].T, ratings[~half].T, strict=True)
            if not (np.isnan(one).all() or np.isnan(two).all())
        ]
        r = stats.pearsonr(*zip(*means, strict=True)).statistic
        corrected.append(2 * r / (1 + r))
    assert found.value == pytest.approx(np.mean(corrected), abs=1e-12)
    assert found.low == pytest.approx(np.quantile(corrected, 0.025), abs=1e-12)
    assert found.missing == np.isnan(ratings).sum()


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
