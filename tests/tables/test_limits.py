"""Files that are small on disk and large in memory."""

import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from hybridsem._utils.safe_read import MEMORY, read_bytes, spare_memory
from hybridsem.batch.files import CHUNK_TEXT, chunks
from hybridsem.embeddings.precomputed import PrecomputedEncoder
from hybridsem.errors import FormatError, InputError
from hybridsem.tables import Pair, PairReader, open_pairs, records
from hybridsem.tables.arrow import AT_ONCE

LONG = b"dog " * 500_000
FEW = 200


def few_at_once(path: Path) -> PairReader:
    """Return a reader of FEW rows with LONG in each, 400 MB, read in parts."""
    reader = open_pairs(path, keep_bad=True)
    sizes = [batch.num_rows for batch in reader.batches()]
    assert sum(sizes) == FEW
    assert max(sizes) * len(LONG) <= AT_ONCE
    return reader


def shared(kind: str) -> Any:
    """Return a column of 200 rows that share one stored text of 2 MB."""
    match kind:
        case "dictionary":
            return pa.array([LONG.decode()] * FEW).dictionary_encode()
        case "dictionary of bytes that are no UTF-8":
            values = pa.array([LONG + b"\xff"], pa.binary()).view(pa.string())
            return pa.DictionaryArray.from_arrays(pa.array([0] * FEW, pa.int32()), values)
        case "view":
            head = struct.pack("<i4sii", len(LONG), LONG[:4], 0, 0)
            buffers = [None, pa.py_buffer(head * FEW), pa.py_buffer(LONG)]
            return pa.Array.from_buffers(pa.string_view(), FEW, buffers)
        case "list of a dictionary":
            return pa.ListArray.from_arrays(
                pa.array(range(FEW + 1), pa.int32()), shared("dictionary")
            )
        case "list view":
            first, length = (pa.array([each] * FEW, pa.int32()) for each in (0, 1))
            return pa.ListViewArray.from_arrays(first, length, pa.array([LONG.decode()]))
        case "runs":
            return pa.RunEndEncodedArray.from_arrays([FEW], pa.array([LONG.decode()]))
        case "structure":
            return pa.StructArray.from_arrays([shared("dictionary")], ["inside"])
    raise AssertionError(kind)


@pytest.mark.parametrize(
    "kind",
    [
        *("dictionary", "dictionary of bytes that are no UTF-8", "view"),
        *("list of a dictionary", "list view", "runs", "structure"),
    ],
)
def test_what_shows_one_text_in_many_rows_is_taken_in_parts(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.arrow"
    columns = {"s1": ["a"] * FEW, "s2": ["b"] * FEW, "other": shared(kind)}
    if pa.types.is_dictionary(columns["other"].type) or kind == "view":
        columns["s1"] = columns.pop("other")
    table = pa.table(columns)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    assert path.stat().st_size < 3 * len(LONG)
    rows = list(few_at_once(path))
    assert [pair.problem is None for pair in rows] == ["UTF-8" not in kind] * FEW


@pytest.mark.parametrize("how", ["records", "pairs"])
def test_parquet_that_says_much_with_little(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.parquet"
    read = records if how == "records" else open_pairs
    lists = pa.ListArray.from_arrays([0, 4_000_000, 8_000_000], np.zeros(8_000_000))
    table = pa.table({"s1": ["a", "b"], "s2": ["a", "b"], "lists": lists})
    parquet.write_table(table, path, compression="zstd")
    assert path.stat().st_size < 10_000
    monkeypatch.setenv(MEMORY, "50M")
    with pytest.raises(FormatError, match="the column 'lists.*' would take 61 MiB of memory"):
        list(read(path))
    monkeypatch.delenv(MEMORY)
    assert len(list(read(path))) == 2


DELTA = {"use_dictionary": False, "column_encoding": {"s1": "DELTA_BYTE_ARRAY"}}
STORED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a dictionary": ({"s1": pa.array([LONG.decode()] * FEW).dictionary_encode()}, {}),
    "a dictionary of the file's": ({"s1": [LONG.decode()] * FEW}, {"use_dictionary": True}),
    "beginnings": ({"s1": [LONG.decode()] * FEW}, DELTA),
    "lists": ({"s1": ["a"] * FEW, "other": [[LONG.decode()]] * FEW}, {}),
}
"""Ways in which Parquet stores the common text of all rows once."""


@pytest.mark.parametrize("how", STORED)
def test_parquet_texts_that_share_what_is_stored(how: str, tmp_path: Path) -> None:
    columns, options = STORED[how]
    path = tmp_path / "bomb.parquet"
    table = pa.table({**columns, "s2": ["b"] * FEW})
    parquet.write_table(table, path, compression="zstd", **options)
    assert path.stat().st_size < 100_000
    assert next(iter(few_at_once(path))).text1 == ("a" if how == "lists" else LONG.decode())


def test_a_chunk_holds_so_much_text_and_not_more() -> None:
    text = "a" * (CHUNK_TEXT // 4)
    assert [len(chunk) for chunk in chunks([Pair(text, "b")] * 10, 2048)] == [4, 4, 2]  # it was 10
    assert [len(chunk) for chunk in chunks([Pair("a", "b")] * 5, 2)] == [2, 2, 1]
    assert [len(chunk) for chunk in chunks([Pair("a", "b")] * 150, 1024)] == [128, 22]


def test_a_workbook_that_says_it_is_large(tmp_path: Path) -> None:
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


def test_archives_larger_than_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/sharedStrings.xml", b"\0" * 3_000_000)
    monkeypatch.setenv(MEMORY, "10M")
    with pytest.raises(FormatError, match=r"would take 22 MiB of memory, .* set HYBRIDSEM_MEMORY"):
        list(open_pairs(path))
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, vectors=np.zeros((2, 1_000_000), np.float32), texts=["a", "b"])
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
