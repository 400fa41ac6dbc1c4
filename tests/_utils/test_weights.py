"""The weight files are complete, and refused if missing or damaged."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from hybridsem._utils.weights import FOLDER, weight_file
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.embeddings.words import EmbeddedWords
from hybridsem.english.lexicon import lexicon
from hybridsem.errors import AssetError
from hybridsem.parsers.srl.labeller import SemanticRoles
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.phrases import PhraseLexicon

FILES = (
    *("encoder.onnx", "encoder.weights", "tokenizer.json", "parser.onnx", "labels.onnx"),
    *("parser.json", "lemmas.json", "word_centre.npy", "words.npz", "roles.onnx", "roles.json"),
    *("senses.npz", "arguments.onnx", "lexicon.npz", "phrases.tsv.gz"),
)


def read_all(folder: Path) -> None:
    """Use every weight file of a folder."""
    encoder = EmbeddedEncoder(folder=folder)
    EmbeddedTrees(encoder, SemanticRoles(encoder)).trees(["Snow fell fast."])
    EmbeddedWords(encoder).embed(["snow", "snowily"])
    assert ("snow", "NOUN") in lexicon(folder)
    assert PhraseLexicon.standard(folder).meaning("call off", "cancel")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder of links to the weights, which tests replace."""
    for path in FOLDER.iterdir():
        (tmp_path / path.name).symlink_to(path)
    return tmp_path


def replace(path: Path, content: bytes) -> None:
    path.unlink()
    path.write_bytes(content)


def test_the_manifest_lists_what_is_there() -> None:
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    tables = {
        "manifest.json",
        *(path.name for path in FOLDER.glob("*.toml")),
    }  # read by people, not weights
    assert sorted(manifest) == sorted({path.name for path in FOLDER.iterdir()} - tables)
    assert set(FILES) <= set(manifest)
    for name, expected in manifest.items():
        assert hashlib.sha256(weight_file(name)).hexdigest() == expected


def test_links_to_files_that_lie_apart(
    copy: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """onnxruntime would read unchecked tensors."""
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "encoder.weights"
    shutil.copyfile(FOLDER / "encoder.weights", elsewhere)
    (copy / "encoder.weights").unlink()
    (copy / "encoder.weights").symlink_to(elsewhere)
    with pytest.raises(AssetError, match=r"encoder\.weights must be in one folder"):
        read_all(copy)


@pytest.mark.parametrize("name", FILES)
def test_missing_or_damaged(copy: Path, name: str) -> None:
    whole = (FOLDER / name).read_bytes()
    middle = len(whole) // 2
    changed = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    for content in (changed, whole[:-1], b""):
        replace(copy / name, content)
        with pytest.raises(AssetError, match=f"{name} is damaged: sha256 .*reinstall hybridsem"):
            read_all(copy)
    (copy / name).unlink()
    with pytest.raises(AssetError, match=f"{name}.*cannot be read.*reinstall hybridsem"):
        read_all(copy)


@pytest.mark.parametrize("content", ["{", "[]", None])
def test_damaged_manifest(copy: Path, content: str | None) -> None:
    (copy / "manifest.json").unlink()
    if content is not None:
        (copy / "manifest.json").write_text(content)
    with pytest.raises(AssetError, match=r"manifest\.json"):
        read_all(copy)


def test_whole_but_no_weights(tmp_path: Path) -> None:
    for name in FILES:
        shutil.copyfile(FOLDER / name, tmp_path / name)
    (tmp_path / "encoder.onnx").write_bytes(b"not a graph")
    sums = {name: hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() for name in FILES}
    (tmp_path / "manifest.json").write_text(json.dumps(sums), encoding="utf-8")
    with pytest.raises(AssetError, match="onnxruntime cannot load"):
        read_all(tmp_path)
