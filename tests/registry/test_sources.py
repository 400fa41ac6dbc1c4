"""What a score depends on is known by its content: files, folders, assets, models of the hub."""

import os
from pathlib import Path

import numpy as np
import pytest

from hybridsem import Pipeline, assets
from hybridsem.batch.identity import maker_of, settings_of
from hybridsem.errors import InputError
from hybridsem.registry.sources import Sources


@pytest.fixture(autouse=True)
def here(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the test is the current one, and has a cache of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(name: str, content: bytes = b"x") -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("part", "file", "name"),
    [
        ("glove:a b.txt", "a b.txt", "a b.txt"),
        ("precomputed:v.npz", "v.txt", "v.npz (v.txt)"),
        ("precomputed:v.npy,texts=t,1.txt", "t,1.txt", "t,1.txt"),
        ("precomputed:roles.json,pairs.txt", "pairs.txt", "pairs.txt"),
        ("gensen:v.npy", "v.npy", "v.npy"),
        ("standardised:precomputed:v.npy,fitted=f.npz", "f.npz", "f.npz"),
        ("standardised:gensen:v.npy", "v.npy", "v.npy"),
        ("sif:a=0.001,fit=s.txt", "s.txt", "s.txt"),
        ("transformer:model,pooling=cls", "model/config.json", "model"),
        ("amrlib:model,num_beams=2", "model/config.json", "model"),
        ("conll2012:r.conll", "r.conll", "r.conll"),
        ("penman:g.txt", "g.txt", "g.txt"),
    ],
)
def test_what_is_read_is_a_source(part: str, file: str, name: str) -> None:
    for beside in ("v.npz", "v.npy", "roles.json", "f.npz"):
        written(beside)
    path = written(file)
    first = Sources([part]).contents()
    assert name in first
    times = path.stat()
    path.write_bytes(b"y")  # of the same size and time
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    second = Sources([part]).contents()
    assert {one for one in first if first[one] != second[one]} == {name}


@pytest.mark.parametrize(
    "part",
    [
        "embedded",
        "verbnet:tables",
        "transformer:none/such,pooling=cls",
        "semparse:http://localhost:1/a,cache=answers.sqlite",
        "api:http://localhost:8000/v1,model=m",
        "dct:k=3",
        "glove:/dev/zero",
    ],
)
def test_what_is_read_by_nobody_is_none(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", "none")
    for name in ("cls/a", "tables", "answers.sqlite", "m", "3/b", "embedded"):
        written(name)
    expected = {"tables"} if part == "verbnet:tables" else set()
    assert set(Sources([part]).contents()) == expected


def test_a_model_of_the_hub_is_known_by_its_commit(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(here / "hub"))
    sources = Sources(["transformer:some/model,revision=refs/pr/1"])
    assert sources.unread
    reference = written("hub/models--some--model/refs/refs/pr/1", b"a" * 40)
    sources.look_again()
    assert not sources.unread
    first = sources.contents()
    assert list(first) == ["some/model@refs/pr/1"]
    reference.write_bytes(b"b" * 40)
    with pytest.raises(InputError, match="has changed since the pipeline was made"):
        sources.check()
    assert Sources(["transformer:some/model,revision=refs/pr/1"]).contents() != first
    assert not Sources([f"transformer:some/model,revision={'c' * 40}"]).unread


def test_an_asset_is_known_by_its_content(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written("cache/numberbatch.txt.gz")
    monkeypatch.setattr(assets, "is_here", lambda name: name == "numberbatch-en")
    monkeypatch.setattr(assets, "path", lambda name: path)
    assert list(Sources(["numberbatch"]).contents()) == ["numberbatch-en"]


def test_a_change_after_the_pipeline_was_made_is_an_error() -> None:
    np.save("v.npy", np.eye(2))
    texts = written("v.txt", b"a cat\na dog\n")
    pipeline = Pipeline("precomputed:v.npy")
    assert set(pipeline.contents) == {"v.npy", "v.npy (v.txt)"}
    texts.touch()
    pipeline.reader.parts.check_contents()  # the same content
    written("v.txt", b"a cow\na dog\n")
    for asked in (
        pipeline.reader.parts.check_contents,
        lambda: pipeline.contents,
        lambda: settings_of(pipeline),
    ):
        with pytest.raises(InputError, match=r"'v\.txt' has changed since the pipeline was made"):
            asked()
    texts.unlink()
    with pytest.raises(InputError, match="has changed"):
        pipeline.reader.parts.check_contents()


def test_another_process_must_find_the_same_files() -> None:
    np.save("v.npy", np.eye(2))
    written("v.txt", b"a cat\na dog\n")
    make = maker_of(Pipeline("precomputed:v.npy"))
    assert make().similarity("a cat", "a cat") == 1
    np.save("v.npy", 2 * np.eye(2))
    with pytest.raises(InputError, match=r"a different pipeline: contents\.v\.npy was '\w+' and"):
        make()
