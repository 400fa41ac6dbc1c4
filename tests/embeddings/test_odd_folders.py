"""Model folders whose files are of odd shapes: read, or refused with an error of the tree."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hybridsem.embeddings.transformer import TransformerEncoder
from hybridsem.errors import AssetError

pytest.importorskip("transformers")

from support.tiny_models import write


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
        ("config.json", lambda found: found | {"model_type": ["bert"]}),
        ("config.json", lambda found: found | {"hidden_size": 10**30}),
        ("tokenizer.json", lambda _: []),
        # A panic of the tokenizer's Rust, which is no Exception, and only when a text is read.
        (
            "tokenizer.json",
            lambda found: (
                found | {"post_processor": found["post_processor"] | {"special_tokens": {}}}
            ),
        ),
    ],
)
def test_files_of_odd_shapes(
    model: Path, name: str, change: Callable[[Any], Any], tmp_path: Path
) -> None:
    folder = copy(model, tmp_path, name, change)
    with pytest.raises(AssetError, match=str(tmp_path)):
        TransformerEncoder(str(folder), pooling="mean").encode(["the dog sang ."])
