"""The larger encoder, from a small random model of its architecture through recipe, archive and
cache.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnx")
import torch
import transformers

from hybridsem import Pipeline, assets, registry
from hybridsem.embeddings import role_encoder as large
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import AssetError
from models.encoder.large import MARKS, as_bert, build, calibrate, pack

WIDTH = 96
TEXTS = ["A dog barked.", "[MASK] it rained!", "The café is open 🙂.", "over and over " * 30]


@pytest.fixture(scope="module")
def float_model(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    torch.manual_seed(0)
    config = transformers.MPNetConfig(
        vocab_size=30527,
        hidden_size=WIDTH,
        num_hidden_layers=2,
        intermediate_size=2 * WIDTH,
        max_position_embeddings=514,
        initializer_range=0.2,
        layer_norm_eps=1e-5,
    )
    model = transformers.MPNetModel(config).eval()
    folder = tmp_path_factory.mktemp("mpnet")
    model.save_pretrained(folder)
    return folder, model


@pytest.fixture
def installed(
    float_model: tuple[Path, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> large.LargeEncoder:
    """The recipe's archive, brought into the cache from a file."""
    folder, model = float_model
    weights = {name: value.numpy() for name, value in model.state_dict().items()}
    pack(build(as_bert(weights), calibrate(folder, TEXTS)), tmp_path / "large.zip")
    sha256 = hashlib.sha256((tmp_path / "large.zip").read_bytes()).hexdigest()
    monkeypatch.setenv("HYBRIDSEM_CACHE", str(tmp_path / "cache"))
    known = replace(assets.asset("large"), sha256=sha256)
    monkeypatch.setattr(assets, "assets", lambda: {"large": known})
    monkeypatch.setattr(large._Graph, "dimension", WIDTH)
    with pytest.raises(AssetError, match="hybridsem models download large"):
        Pipeline("hybrid-large")
    assets.download("large", source=tmp_path / "large.zip")
    found = registry.encoder("large")
    assert isinstance(found, large.LargeEncoder)
    return found


def test_it_is_the_float_model(
    installed: large.LargeEncoder, float_model: tuple[Path, Any], encoder: EmbeddedEncoder
) -> None:
    found = installed.encode(TEXTS)
    alone = np.concatenate([installed.encode([text]) for text in TEXTS])
    np.testing.assert_array_equal(found, alone)
    for text, vector, split in zip(TEXTS, found, installed.split(TEXTS), strict=True):
        (encoding,) = encoder._encodings([text])
        with torch.no_grad():
            ids = torch.tensor([[MARKS.get(i, i + 4) for i in encoding.ids]])
            (states,) = float_model[1](ids).last_hidden_state
        expected = states.mean(0).numpy()
        assert vector @ expected / np.linalg.norm(expected) > 0.98
        np.testing.assert_allclose(split.pieces.sum(0) + split.rest, vector, atol=1e-5)
    assert installed.too_long(["word " * 300, "word " * 400]) == [False, True]


def test_the_model_over_it(installed: large.LargeEncoder) -> None:
    nlp = Pipeline("hybrid-large")
    assert nlp.contents.keys() == {"large"}
    found = nlp.explain("A dog barked.", "The dog did not bark.")
    assert found.model == "hybrid-large"
    assert sum(line.contribution for line in found.matches) == pytest.approx(found.score)
    assert found.cosine_parts is not None
    assert found.cosine_parts.cosine == pytest.approx(found.matches[0].similarity, abs=1e-4)
    assert nlp.judge("A dog barked.", "A dog barked.").label == "same"
    assert Pipeline("hybrid", encoder="large").similarity(*TEXTS[:2]) == nlp.similarity(*TEXTS[:2])
