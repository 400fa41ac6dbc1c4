"""What a fit keeps of what it was not asked about, and what it says of the rest."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")

from support.commands import Run
from support.evaluated import written

from hybridsem.learned.features import FeatureSet
from hybridsem.training import run as training
from hybridsem.training.run import LIMIT, Probe, _with, make_regressor, probe, probe_pairs


def test_the_probe_counts_pairs_in_order() -> None:
    own = np.array([0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.6, 0.6, 0.5, np.nan])
    learned = np.array([0.9, 0.1, 0.2, 0.8, 0.7, 0.3, 0.6, 0.5, 0.9, 0.1])
    found = probe(own, learned, resamples=200)
    assert (found.items, found.before, found.after) == (4, 3.5 / 4, 0.75)
    assert found.loss == pytest.approx(0.125)
    assert found.low <= found.loss <= found.high
    assert found.forgets
    assert not probe(own, own, resamples=50).forgets
    assert found.to_dict()["limit"] == LIMIT


def test_the_probe_and_what_is_kept_are_other_pairs() -> None:
    tested, kept = (set(probe_pairs(part)) for part in ("held-out", "development"))
    assert len(tested) > 400
    assert not tested & kept


@pytest.mark.parametrize(
    "name", ["ridge", "mlp:10", pytest.param("boosting", marks=pytest.mark.slow)]
)
def test_a_feature_that_ratings_do_not_speak_of_is_held(name: str) -> None:
    """Swaps are rare in the ratings and, by chance, rated high; beside them, and in the pairs that
    are held, the score knows that they are not the same.
    """
    random = np.random.default_rng(0)
    names = FeatureSet("made up", ("score", "words", "swaps"), ("score", "words", "places"))
    X = np.column_stack([random.uniform(0.3, 1, 300), random.random(300), np.zeros(300)])
    X[:4, 2] = 0.05
    ratings = 0.2 + 0.6 * X[:, 0] + 0.2 * X[:, 1]
    ratings[:4] = 1.0
    swaps = random.random(300)
    held = np.column_stack([0.9 - 0.5 * swaps, np.full(300, 0.5), swaps])
    asked = np.array([[0.9, 0.5, 0.0], [0.4, 0.5, 1.0]])
    settings = {"alpha": 1.0} if name == "ridge" else {}
    lead = {}
    for kept in (None, held):
        fitted = make_regressor(name, names, settings).fit(*_with(X, ratings, kept))
        first, second = fitted.predict(asked)
        lead[kept is None] = float(first - second)
    slope = float(np.polyfit(X[:, 0], ratings, 1)[0])
    assert lead[False] == pytest.approx(0.5 * slope, abs=0.08)
    if name != "boosting":  # whose leaves have more than four pairs
        assert abs(lead[False] - 0.5 * slope) < abs(lead[True] - 0.5 * slope)


def test_what_forgets_is_not_written(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    rows = (f"the dog saw {i} cats,the dog saw {i % 4} birds,{i % 5}" for i in range(20))
    written(Path("pairs.csv"), "s1,s2,score", *rows)
    monkeypatch.setattr(training, "probe", lambda *_: Probe(100, 0.8, 0.6, 0.1, 0.3))
    command = "train pairs.csv -o w.json -m verbnet-cn --folds 2 --resamples 50 -s kfold"
    refused = run(command)
    assert (refused.code, "too much was forgotten" in refused.err) == (1, True)
    assert not Path("w.json").exists()
    assert run(f"{command} --allow-forgetting --yes").code == 0
    assert Path("w.json").exists()
