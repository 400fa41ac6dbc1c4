"""Files that are small on disk and large in memory."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from hybridsem._utils.doors import MEMORY, read_bytes, spare_memory
from hybridsem.batch.run import CHUNK_TEXT, chunks
from hybridsem.embeddings.precomputed import PrecomputedEncoder
from hybridsem.errors import FormatError, InputError
from hybridsem.pairs import Pair, open_pairs
from hybridsem.pairs.columnar import AT_ONCE, ColumnarReader


def test_a_dictionary_of_long_texts_is_read_a_few_rows_at_a_time(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path, long = tmp_path / "bomb.parquet", "dog " * 500_000
    text = pa.array([long] * 300).dictionary_encode()
    parquet.write_table(pa.table({"s1": text, "s2": ["a"] * 300}), path, compression="zstd")
    assert path.stat().st_size < 10_000
    reader = ColumnarReader(path)
    sizes = [batch.num_rows for batch in reader.batches()]
    assert sum(sizes) == 300
    assert max(sizes) * len(long) <= AT_ONCE  # it was 300 rows, 600 MB, at once
    assert next(iter(reader)).text1 == long


def test_a_chunk_holds_so_much_text_and_not_more() -> None:
    text = "a" * (CHUNK_TEXT // 4)
    given = [Pair(text, "b")] * 10
    assert [len(chunk) for chunk in chunks(given, 2048)] == [4, 4, 2]  # it was 10
    assert [len(chunk) for chunk in chunks([Pair("a", "b")] * 5, 2)] == [2, 2, 1]


def test_a_workbook_that_says_it_is_large(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (("s1", "s2"), ("a dog", "a cat")):
        book.active.append(row)
    book.active["XFD1048576"] = "far"
    path = tmp_path / "far.xlsx"
    book.save(path)
    found = iter(open_pairs(path))
    assert next(found).text2 == "a cat"  # every row had 16,384 cells
    with pytest.raises(FormatError, match="row 1048576"):
        next(found)


def test_a_workbook_whose_texts_are_larger_than_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/sharedStrings.xml", b"\0" * 3_000_000)
    monkeypatch.setenv(MEMORY, "10M")
    with pytest.raises(FormatError, match=r"would take 22 MiB of memory, .* set HYBRIDSEM_MEMORY"):
        list(open_pairs(path))


def test_arrays_larger_than_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, vectors=np.zeros((2, 1_000_000), np.float32), texts=["a", "b"])
    assert path.stat().st_size < 100_000
    monkeypatch.setenv(MEMORY, "1M")
    with pytest.raises(FormatError, match="its arrays would take 7 MiB"):
        PrecomputedEncoder(path).encode(["a"])
    monkeypatch.setenv(MEMORY, "1G")
    assert PrecomputedEncoder(path).encode(["a"]).shape == (1, 1_000_000)


def test_what_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEMORY, "20M")
    with pytest.raises(FormatError, match="HYBRIDSEM_MEMORY"):
        read_bytes("/dev/zero")


@pytest.mark.parametrize("given", ["much", "G", "-1", "1e9", "9" * 40])
def test_a_limit_is_a_number_of_bytes(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEMORY, given)
    with pytest.raises(InputError, match="HYBRIDSEM_MEMORY is a number of bytes such as 8G"):
        spare_memory()
