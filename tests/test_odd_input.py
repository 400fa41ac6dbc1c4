"""Odd paths, arguments and files are accepted or refused with an error of the tree."""

import json
import os
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import ROOT
from support.damage import _card
from support.scorers import LengthScorer

from hybridsem import Pipeline, assets
from hybridsem.batch import score_file
from hybridsem.calibration import read_calibration
from hybridsem.cli import main
from hybridsem.embeddings.precomputed import PrecomputedEncoder
from hybridsem.embeddings.word_store import stored
from hybridsem.errors import FormatError, HybridSemError, InputError
from hybridsem.evaluation.card import load_card
from hybridsem.evaluation.report.compare import prepared
from hybridsem.evaluation.report.leaderboard.board import read_published
from hybridsem.evaluation.report.leaderboard.files import read_cards
from hybridsem.evaluation.sage.overall import read_plan
from hybridsem.learned.fitted import Weights
from hybridsem.tables import open_pairs
from hybridsem.tables.records import records


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a file of pairs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.csv").write_text("s1,s2\na dog,a cat\n")
    (tmp_path / "circle").symlink_to("circle")
    return tmp_path


# -- paths

ODD = ("circle", "a\0b", "\ud800", "x" * 5000, "~nosuchuser/file")
READ: dict[str, Callable[[str], object]] = {
    "pairs": lambda path: list(open_pairs(path)),
    "parquet": lambda path: list(open_pairs(path + ".parquet")),
    "input": lambda path: score_file(LengthScorer(), path, "out.csv"),
    "records": lambda path: list(records(path, ".csv")),
    "words": lambda path: stored(Path(path)),
    "vectors": lambda path: PrecomputedEncoder(path + ".npy").encode(["a"]),
    "model": lambda path: Pipeline("embedded", encoder=f"transformer:{path}").encode(["a"]),
    "card": load_card,
    "cards": lambda path: read_cards([path]),
    "published": lambda path: read_published([path]),
    "weights": Weights.read,
    "calibration": read_calibration,
}
WRITTEN: dict[str, Callable[[str], object]] = {
    "output": lambda path: score_file(LengthScorer(), "pairs.csv", path),
    "cache": lambda path: score_file(Pipeline("levenshtein"), "pairs.csv", "o.csv", cache=path),
    "page": lambda path: main(["explain", "a dog", "a cat", "--html", path]) and fails(),
}


def fails() -> None:
    raise InputError("the command has said what is wrong")


@pytest.mark.parametrize("path", ODD)
@pytest.mark.parametrize("name", READ)
def test_paths_that_cannot_be_read(name: str, path: str, folder: Path) -> None:
    if name == "model":
        pytest.importorskip("transformers")
    with pytest.raises(HybridSemError):
        READ[name](path)


@pytest.mark.parametrize("path", ODD[:4])
@pytest.mark.parametrize("name", WRITTEN)
def test_paths_that_cannot_be_written(name: str, path: str, folder: Path) -> None:
    pytest.importorskip("rapidfuzz")
    with pytest.raises(HybridSemError):
        WRITTEN[name](path)
    names = {file.name for file in folder.iterdir() if "lock" not in file.name}
    assert names == {"circle", "pairs.csv"}


def test_an_unknown_user_as_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYBRIDSEM_CACHE", "~nosuchuser/cache")
    with pytest.raises(InputError, match="no such user's folder, got '~nosuchuser/cache'"):
        assets.cache_folder()


# -- the process


@pytest.mark.skipif(os.name != "posix", reason="closes a descriptor before the program begins")
@pytest.mark.parametrize("command", [["parse"], ["score", "-", "-m", "jaccard", "-o", "o.csv"]])
def test_standard_input_that_is_closed(command: list[str], folder: Path) -> None:
    line = f"{sys.executable} -m hybridsem {' '.join(command)} <&-"
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ROOT}
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "hybridsem: standard input is closed (`<&-`); give a file\n"


# -- arguments


@pytest.mark.parametrize("number", [0, -1, 10**6, 10**40, 1.5, "4", float("nan")])
def test_a_number_of_workers(number: Any, folder: Path) -> None:
    with pytest.raises(InputError, match=r"workers is a whole number from 1 to \d+ on this"):
        score_file(Pipeline("embedded"), "pairs.csv", "out.csv", workers=number)


@pytest.mark.parametrize("columns", [["1", "9" * 5000], ["9" * 5000, "9" * 4999], 5, "s1", [[]]])
def test_columns_that_nothing_has(columns: Any, folder: Path) -> None:
    with pytest.raises(InputError):
        score_file(LengthScorer(), "pairs.csv", "out.csv", columns=columns)
    with pytest.raises(InputError):
        Pipeline("embedded").score({"a": ["x"], "b": ["y"]}, columns=columns)


@pytest.mark.parametrize(
    "data",
    [
        {"s1": 5},
        {"s1": 5, "s2": 6},
        {"s1": None, "s2": None},
        {"s1": "ab", "s2": "cd"},  # scored the letters
        {"s1": {"a": 1}, "s2": {"b": 2}},
        {"s1": np.array(5), "s2": np.array(6)},
        {"s1": object(), "s2": object()},
        type("Table", (), {"columns": 5})(),
        type("Table", (), {"columns": ["s1", "s2"]})(),
        5,
        None,
        "ab",
        np.array(5),
        np.array(["a", "b"]),
    ],
)
def test_what_is_no_table_of_pairs(data: Any) -> None:
    for on_error in ("fail", "skip"):
        with pytest.raises(InputError):
            Pipeline("embedded").score(data, on_error=on_error)


# -- files


LONG = "9" * 5000


@pytest.mark.parametrize("value", [LONG, "[" * 3000, "inf", "nan", "1e999", "true", "{}", '"x"'])
def test_numbers_in_toml(value: str, tmp_path: Path) -> None:
    (tmp_path / "paper.toml").write_text(
        'authors = "A"\ntitle = "T"\nvenue = "V"\nbenchmark = "sts3k"\n'
        f'[[row]]\nmodel = "m"\nall = {value}\n'
    )
    with pytest.raises(FormatError, match=r"paper\.toml: "):
        read_published([tmp_path / "paper.toml"])
    (tmp_path / "plan.toml").write_text(f"[preference]\ndata = [{value}, 1]\n")
    with pytest.raises(InputError):
        read_plan(tmp_path / "plan.toml")


@pytest.mark.parametrize(
    "array",
    [
        np.array(5.0),
        np.ones(3),
        np.array(["a", "b"]),
        np.array(["2020", "2021"], "M8[Y]"),
        np.ones((2, 3), bool),
        np.ones((2, 3), complex),
        np.zeros(2, [("a", "f4")]),
        np.zeros((2, 3), "V4"),
        np.full((2, 3), np.nan),
        np.full((2, 3), 1e308),
        np.array([1, None], object),
    ],
)
def test_arrays_of_odd_kinds(array: Any, tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("a\nb\n")
    for version in ((1, 0), (2, 0), (3, 0)):
        with (tmp_path / "v.npy").open("wb") as file:
            np.lib.format.write_array(file, array, version=version)
        with pytest.raises(FormatError, match=r"v\.npy"):
            PrecomputedEncoder(tmp_path / "v.npy").encode(["a"])
    for named in ({"vectors": array}, {"vectors": np.ones((2, 3)), "texts": array}, {"a": array}):
        if array.dtype.kind == "U" and "texts" in named:
            continue
        np.savez(tmp_path / "v.npz", **named)
        with pytest.raises(FormatError, match=r"v\.npz"):
            PrecomputedEncoder(tmp_path / "v.npz").encode(["a"])


@pytest.mark.parametrize(
    "about",
    [
        f"'shape': ({LONG}, 3)",
        "'shape': (-2, 3)",
        "'shape': (True, 3)",
        "'shape': (2.5, 3)",
        "'shape': (99999999999, 3)",
        "'shape': (99999999999, 3), 'fortran_order': True",
        "'shape': (2, 3), 'descr': '|O'",
        "'shape': (2, 3), 'descr': ('<f8', (10**9, 10**9))",
        "'shape': (2, 3), 'descr': ('<f8', (1000000, 1000000))",
        "(" * 3000,
    ],
)
def test_heads_of_arrays(about: str, tmp_path: Path) -> None:
    head = ("{'descr': '<f8', 'fortran_order': False, " + about + "}").ljust(100).encode() + b"\n"
    array = b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head + bytes(48)
    (tmp_path / "v.npy").write_bytes(array)
    (tmp_path / "v.txt").write_text("a\nb\n")
    with zipfile.ZipFile(tmp_path / "v.npz", "w") as packed:
        packed.writestr("vectors.npy", array)
    for name in ("v.npy", "v.npz"):
        with pytest.raises(FormatError, match=name):
            PrecomputedEncoder(tmp_path / name).encode(["a"])


def test_cards_that_do_not_agree_on_the_rows_of_a_group(tmp_path: Path) -> None:
    for name, rows in (("a", [0, 1]), ("b", [0])):
        card = _card()
        card["rows"]["groups"] = {"some": rows}
        (tmp_path / name).write_text(json.dumps(card))
    with pytest.raises(InputError, match="their group 'some' has other rows"):
        prepared([load_card(tmp_path / "a"), load_card(tmp_path / "b")])
