"""Areas, precision and thresholds against scikit-learn, naive loops and values by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from hybridsem.evaluation.statistics.classification import (
    CLASSIFICATION_MEASURES,
    classification,
    paired_classification,
)

rows = st.lists(
    st.tuples(st.integers(-3, 3).map(lambda n: n / 3), st.booleans()), min_size=2, max_size=40
).filter(lambda given: len({label for _, label in given}) == 2)


@given(rows)
def test_equals_scikit_learn_and_trying_every_threshold(
    given_rows: list[tuple[float, bool]],
) -> None:
    scores, positive = (np.array(column) for column in zip(*given_rows, strict=True))
    found = classification(scores, positive, resamples=0)
    assert found["auc"].value == pytest.approx(roc_auc_score(positive, scores))
    known = average_precision_score(positive, scores)
    assert found["average precision"].value == pytest.approx(known)
    cuts = [*scores, np.inf]
    right = [float(((scores >= cut) == positive).mean()) for cut in cuts]
    assert found["best accuracy"].value == pytest.approx(max(right))
    selected = [scores >= cut for cut in scores]
    f1 = [2 * (s & positive).sum() / (s.sum() + positive.sum()) for s in selected]
    assert found["best f1"].value == pytest.approx(max(f1))


def test_one_class_alone_has_no_figures() -> None:
    found = classification([0.1, 0.2], [True, True])
    assert all(estimate.value is None for estimate in found.values())
    assert "2 of 2 rows are positive" in found["auc"].note
    assert paired_classification([1, 2], [2, 1], [False, False], "auc").value is None


@pytest.mark.parametrize("measure", CLASSIFICATION_MEASURES)
def test_two_models_are_compared_over_the_same_rows(measure: str) -> None:
    random = np.random.default_rng(7)
    positive = random.random(200) < 0.4
    first, second = random.normal(size=200) + positive, random.normal(size=200)
    second[:50] = np.nan
    better = paired_classification(first, second, positive, measure, resamples=500)
    worse = paired_classification(second, first, positive, measure, resamples=500)
    assert (better.n, better.missing) == (150, 50)
    assert (better.value or 0) > 0
    assert worse.value == -(better.value or 0)
    assert better.p == worse.p
    assert 0 < (better.p or 0) < 0.05
    same = paired_classification(first, first, positive, measure, resamples=500)
    assert (same.value, same.low, same.high, same.p) == (0, 0, 0, 1)
