"""The recipe of the comparison's weights: data that folds do not leak, and weights that are found
again.
"""

from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr

from hybridsem._typing import Float64Array
from models.hybrid.data import Task, development
from models.hybrid.features import Terms
from models.hybrid.figures import figures
from models.hybrid.objective import objective
from models.hybrid.shapes import Settings, additive, scored

N = 600


def made_up() -> tuple[Terms, Float64Array]:
    """Terms of which one takes away and one is noise, and the similarity behind them."""
    random = np.random.default_rng(0)
    cosine = random.uniform(0.3, 1, N)
    swapped = np.where(random.random(N) < 0.5, random.random(N), 0)
    noise = random.random(N)
    values = np.stack([cosine, swapped, noise], 1).astype(np.float32)
    return Terms(("cosine", "swapped", "noise"), values), cosine * np.exp(-0.7 * swapped)


def rated(target: Float64Array) -> Task:
    return Task("made up", "rated", np.arange(N), target)


def test_weights_are_found_again() -> None:
    terms, target = made_up()
    settings = Settings(l1=1e-4, l2=0, steps=200, penalty_exponent=0)
    cosines = torch.from_numpy(terms.column("cosine"))
    wanted = objective((rated(target),), cosines, {"made up": 1.0})
    weighting = additive(terms, terms.names[1:], wanted, settings)
    assert [name for name, curve in weighting.terms.items() if curve.values[-1] > 0.02] == [
        "swapped"
    ]
    assert weighting.terms["swapped"].predict(np.array([[0.5]])) == pytest.approx(0.35, abs=0.05)
    assert spearmanr(scored(weighting, terms), target)[0] > 0.995


def test_items_within_some_pairs() -> None:
    task = Task("pairs", "rated", np.arange(60), np.arange(60.0))
    within = task.within(np.arange(60) % 3 == 1)
    assert within.rows.tolist() == within.target.tolist() == list(range(1, 60, 3))


def test_development_data_leave_test_pairs_out(shared_data: Path) -> None:
    data = development(shared_data)
    by_name = {task.name: task for task in data.tasks}
    assert len(by_name["STS12 MSRpar"].rows) < 750
    assert {task.kind for task in data.tasks} == {"rated", "labelled", "triples"}
    # 461 rows share a sentence with STSb test, others with SICK test and MRPC test.
    assert len(by_name["STSb train"].rows) < 5749 - 461
    assert len(by_name["SICK train"].rows) > 3900
    sentences: dict[str, int] = {}
    folds = data.folds(5)
    for pair, fold in zip(data.pairs, folds.tolist(), strict=True):
        for sentence in pair:
            assert sentences.setdefault(sentence, fold) == fold


def test_losses_are_one_minus_the_measure() -> None:
    terms, target = made_up()
    scores = torch.from_numpy(terms.column("cosine"))
    tasks = (
        rated(target),
        Task("labels", "labelled", np.arange(N), (target > 0.5).astype(float)),
        Task("triples", "triples", np.arange(N).reshape(-1, 3)),
    )
    weights = {task.name: 1.0 for task in tasks}
    found = objective(tasks, scores, weights, temperature=1e-4).losses
    exact = figures(tasks, scores.numpy().astype(float), 0)
    rho = exact["made up", "spearman"].value
    pearson = np.corrcoef(scores.numpy(), target)[0, 1]
    assert 1 - float(found["made up"](scores)) == pytest.approx((rho + pearson) / 2, abs=0.002)
    assert 1 - float(found["labels"](scores)) == pytest.approx(
        exact["labels", "auc"].value, abs=0.01
    )
    assert 1 - float(found["triples"](scores)) == pytest.approx(
        exact["triples", "right"].value, abs=0.01
    )
