"""Vectors from files: what is read, and what is said of a file that is not as it should be."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hybridsem import Pipeline
from hybridsem._typing import Float64Array
from hybridsem.embeddings.precomputed import PrecomputedEncoder
from hybridsem.errors import FormatError, InputError

TEXTS = ["A dog ran.", "Ein Hund lief, größer.", "The cat  sat."]
VECTORS = np.array([[1, 0], [0.6, 0.8], [0, 2]], np.float64)
Writer = Callable[[Path, Any, list[str] | None], Path]


def write_npy(folder: Path, vectors: Any, texts: list[str] | None) -> Path:
    np.save(folder / "v.npy", vectors)
    if texts is not None:
        (folder / "v.txt").write_text("\n".join(texts), encoding="utf-8")
    return folder / "v.npy"


def write_npz(folder: Path, vectors: Any, texts: list[str] | None) -> Path:
    named = {} if texts is None else {"sentences": np.array(texts)}
    np.savez(folder / "v.npz", embeddings=vectors, **named)
    return folder / "v.npz"


def write_parquet(folder: Path, vectors: Any, texts: list[str] | None) -> Path:
    columns = {"vector": list(vectors)} | ({} if texts is None else {"text": texts})
    pq.write_table(pa.table(columns), folder / "v.parquet")
    return folder / "v.parquet"


def write_fixed_parquet(folder: Path, vectors: Any, texts: list[str] | None) -> Path:
    column = pa.FixedSizeListArray.from_arrays(pa.array(np.ravel(vectors)), np.shape(vectors)[1])
    pq.write_table(pa.table({"embedding": column, "sentence": texts}), folder / "v.parquet")
    return folder / "v.parquet"


WRITERS = [write_npy, write_npz, write_parquet, write_fixed_parquet]


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", ">f4", "int8"])
def test_every_format(write: Writer, dtype: str, tmp_path: Path) -> None:
    if dtype == ">f4" and "parquet" in write.__name__:
        return  # Arrow has one byte order
    vectors = (VECTORS * 10).astype(dtype)
    encoder = PrecomputedEncoder(write(tmp_path, vectors, TEXTS))
    found = encoder.encode(["The cat sat.", TEXTS[1], "The cat sat. "])
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, vectors[[2, 1, 2]].astype(np.float32))
    assert encoder.dimension == 2
    with pytest.raises(
        InputError, match=r"has no vector for 'No\.' \(nor for 1 other sentences\); it has 3 texts"
    ):
        encoder.encode(["No.", TEXTS[0], "Neither.", "No."])


def test_as_a_model_and_as_an_encoder(tmp_path: Path) -> None:
    file = write_npz(tmp_path, VECTORS, TEXTS)
    assert Pipeline(f"precomputed:{file}").similarity(TEXTS[0], TEXTS[1]) == pytest.approx(0.6)
    assert Pipeline("embedded", encoder=f"precomputed:{file}").similarity(
        TEXTS[1], TEXTS[2]
    ) == pytest.approx(0.8)
    with pytest.raises(InputError, match="has no vector for 'It rained'"):
        Pipeline(f"precomputed:{file}").similarity(TEXTS[0], "It rained")


@pytest.mark.parametrize("change", ["cut", "other"])
def test_a_file_that_changes_while_it_is_in_use(change: str, tmp_path: Path) -> None:
    """Mapped into memory, a file that is cut ends the process with SIGBUS."""
    file = write_npy(tmp_path, np.tile(VECTORS, (3, 5000)), [f"text {i}" for i in range(9)])
    encoder = PrecomputedEncoder(file)
    assert encoder.encode(["text 3"])[0].tolist() == np.tile(VECTORS[0], 5000).tolist()
    if change == "cut":
        os.truncate(file, file.stat().st_size // 2)
    else:
        write_npy(tmp_path, np.tile(VECTORS, (3, 5001)), [f"text {i}" for i in range(9)])
    for text in ("text 0", "text 8"):
        with pytest.raises(FormatError, match=r"v\..*: the file has changed since it was opened"):
            encoder.encode([text])


def with_nan(row: int) -> Float64Array:
    vectors = VECTORS.copy()
    vectors[row, 0] = np.nan
    return vectors


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize(
    ("vectors", "texts", "message"),
    [
        (VECTORS, TEXTS[:2], "3 vectors and 2 texts"),
        (VECTORS, ["a", "b", "a"], "row|'a' has different vectors here and in row 1"),
        (with_nan(1), ["a", TEXTS[0], "c"], r"line 2: the vector of 'A dog ran\.' is not finite"),
        (VECTORS * 1e300, ["a", TEXTS[0], "c"], r"the vector of 'A dog ran\.' is not finite"),
    ],
)
def test_bad_contents(
    write: Writer, vectors: Any, texts: list[str], message: str, tmp_path: Path
) -> None:
    if "parquet" in write.__name__ and len(texts) != len(vectors):
        return  # cannot be written
    with pytest.raises(FormatError, match=message):
        PrecomputedEncoder(write(tmp_path, vectors, texts)).encode([TEXTS[0]])


def test_objects_are_not_unpickled(tmp_path: Path) -> None:
    np.savez(tmp_path / "v.npz", vectors=VECTORS, texts=np.array(TEXTS, object))
    with pytest.raises(FormatError, match="allow_pickle=False"):
        PrecomputedEncoder(tmp_path / "v.npz").encode(["a"])
    np.save(tmp_path / "v.npy", np.array([{}]))
    with pytest.raises(FormatError, match=r"v\.npy"):
        PrecomputedEncoder(tmp_path / "v.npy").encode(["a"])


def test_what_a_file_lacks(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no texts, and there is no file .*v\.txt"):
        PrecomputedEncoder(write_npy(tmp_path, VECTORS, None)).encode(["a"])
    with pytest.raises(FormatError, match=r"there is no texts or .*, got \['vector'\]"):
        PrecomputedEncoder(write_parquet(tmp_path, VECTORS, None)).encode(["a"])
    np.savez(tmp_path / "n.npz", words=VECTORS)
    with pytest.raises(FormatError, match=r"there is no vectors or .*, got \['words'\]"):
        PrecomputedEncoder(tmp_path / "n.npz").encode(["a"])
    np.savez(tmp_path / "b.npz", vectors=VECTORS, texts=np.array([1, 2, 3]))
    with pytest.raises(FormatError, match="texts must be an array of strings"):
        PrecomputedEncoder(tmp_path / "b.npz").encode(["a"])
    for column in ([[1.0], [1.0, 2.0], [3.0]], [1.0, 2.0, 3.0], [[1.0], None, [2.0]]):
        pq.write_table(pa.table({"vector": column, "text": TEXTS}), tmp_path / "r.parquet")
        with pytest.raises(
            FormatError, match=r"vectors of several lengths|must hold lists, got double"
        ):
            PrecomputedEncoder(tmp_path / "r.parquet").encode(["a"])
    with pytest.raises(InputError, match=r"vectors are read from \.npy, .* files, got 'v\.pkl'"):
        PrecomputedEncoder("v.pkl")
