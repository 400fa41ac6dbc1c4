"""Model folders whose files are of odd shapes: read, or refused with an error of the tree."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hybridsem.embeddings.transformer import TransformerEncoder
from hybridsem.errors import AssetError

pytest.importorskip("transformers")

from support.tiny_models import write

MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("model"), "Bert")


def copy(model: Path, folder: Path, name: str, change: Callable[[Any], Any]) -> Path:
    """The model with one of its JSON files changed."""
    shutil.copytree(model, folder, dirs_exist_ok=True)
    found = json.loads((folder / name).read_text())
    (folder / name).write_text(json.dumps(change(found)))
    return folder


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("config.json", lambda _: []),
        ("config.json", lambda _: "a text"),
        ("config.json", lambda found: found | {"model_type": ["bert"]}),
        ("config.json", lambda found: found | {"hidden_size": {}}),
        ("config.json", lambda found: found | {"hidden_size": 10**30}),
        ("config.json", lambda found: found | {"num_attention_heads": 0}),
        ("config.json", lambda found: found | {"hidden_act": 5}),
        ("config.json", lambda found: found | {"vocab_size": 3}),
        ("tokenizer.json", lambda _: []),
        ("tokenizer.json", lambda found: found | {"model": None}),
        # A panic of the tokenizer's Rust, which is no Exception, and only when a text is read.
        (
            "tokenizer.json",
            lambda found: (
                found | {"post_processor": found["post_processor"] | {"special_tokens": {}}}
            ),
        ),
        ("tokenizer_config.json", lambda _: 7),
    ],
)
def test_files_of_odd_shapes(
    model: Path, name: str, change: Callable[[Any], Any], tmp_path: Path
) -> None:
    folder = copy(model, tmp_path, name, change)
    with pytest.raises(AssetError, match=str(tmp_path)):
        TransformerEncoder(str(folder), pooling="mean").encode(["the dog sang ."])


@pytest.mark.parametrize(
    ("modules", "pooling"),
    [
        ([], {}),
        (5, {}),
        ([{"type": ["a"], "path": 5}], {}),
        (MODULES, {"word_embedding_dimension": {}}),
        (MODULES, []),
        (MODULES, None),
    ],
)
def test_modules_of_odd_shapes(model: Path, modules: Any, pooling: Any, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    folder = copy(model, tmp_path, "config.json", lambda found: found)
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir()
    if pooling is not None:
        (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    with pytest.raises(AssetError):
        TransformerEncoder(str(folder)).encode(["the dog sang ."])


def test_weights_of_another_shape_than_the_configuration(model: Path, tmp_path: Path) -> None:
    folder = copy(model, tmp_path, "config.json", lambda found: found | {"hidden_size": 8})
    with pytest.raises(AssetError):
        TransformerEncoder(str(folder), pooling="mean").encode(["the dog sang ."])
    os.truncate(folder / "model.safetensors", 100)
    with pytest.raises(AssetError):
        TransformerEncoder(str(folder), pooling="mean").encode(["the dog sang ."])
