"""Damaged columnar files give an error or a faulty row, never a crash or a wrong text."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from support.tables import Lengths

from hybridsem import Pipeline
from hybridsem.batch import score_file
from hybridsem.embeddings.precomputed import PrecomputedEncoder
from hybridsem.errors import FormatError, InputError
from hybridsem.tables import open_pairs, records

BAD = [b"a b", b"caf\xe9 \xff", b"x y z"]
GOOD = [b"a b", b"tea", b"x y"]


def text(cells: list[bytes], kind: pa.DataType | None = None) -> pa.Array:
    """Return an array of unchecked text."""
    return pa.array(cells, pa.binary()).view(kind or pa.string())


def write(path: Path, table: pa.Table) -> Path:
    match path.suffix:
        case ".parquet":
            pa.parquet.write_table(table, path)
        case ".feather":
            pa.feather.write_feather(table, path)
        case _:
            with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
                writer.write_table(table)
    return path


KINDS: dict[str, Callable[[list[bytes]], pa.Array]] = {
    "text": text,
    "large text": lambda cells: pa.array(cells, pa.large_binary()).view(pa.large_string()),
    "dictionary": lambda cells: pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), text(cells)),
}


@pytest.mark.parametrize(
    ("kind", "suffix"),
    [
        (kind, suffix)
        for kind in KINDS
        for suffix in (".parquet", ".arrow", ".feather")
        # Arrow itself refuses a Parquet file with such bytes in a dictionary.
        if (kind, suffix) != ("dictionary", ".parquet")
    ],
)
def test_bytes_that_are_no_utf8_fail_their_row(kind: str, suffix: str, tmp_path: Path) -> None:
    columns = {"s1": KINDS[kind](BAD), "s2": text(GOOD), "other": KINDS[kind](GOOD)}
    path = write(tmp_path / f"in{suffix}", pa.table(columns))
    with pytest.raises(FormatError, match="row 2: column 's1': not UTF-8: byte 4 of the text is"):
        list(open_pairs(path))
    problems = [pair.problem for pair in open_pairs(path, keep_bad=True)]
    assert problems[0] is problems[2] is None
    assert problems[1] is not None
    for out in (tmp_path / f"out{suffix}", tmp_path / "out.jsonl"):
        report = score_file(Lengths(), path, out, on_error="skip")
        assert (report.rows, report.failed) == (3, 1)
    made = list(open_pairs(tmp_path / f"out{suffix}", keep_bad=True))
    assert [pair.fields["score"] for pair in made] == [1, None, 3 / 5]
    assert made[1].text1 == r"caf\xe9 \xff"
    assert made[0].fields["other"] == columns["other"].to_pylist()[0]


def test_a_list_of_such_bytes_is_damage(tmp_path: Path) -> None:
    lists = pa.ListArray.from_arrays(pa.array([0, 1, 2, 3]), text(BAD))
    table = pa.table({"s1": text(GOOD), "s2": text(GOOD), "other": lists})
    with pytest.raises(FormatError, match="cannot be read as arrow: .*UTF8"):
        list(open_pairs(write(tmp_path / "in.arrow", table), keep_bad=True))


def test_a_name_that_is_no_utf8(tmp_path: Path) -> None:
    for suffix in (".parquet", ".arrow"):
        path = write(tmp_path / f"in{suffix}", pa.table({"s1": ["a"], "s2": ["b"], "QQQQ": [1]}))
        path.write_bytes(path.read_bytes().replace(b"QQQQ", b"\xff\xfe\xfd\xfc"))
        with pytest.raises(FormatError, match="the name of a column is not UTF-8, got b'"):
            list(open_pairs(path))


def outside(kind: str) -> pa.Array:
    """Return text with an offset or index outside its buffer."""
    offsets = pa.py_buffer(np.array([0, 3, 2**30, 9], np.int32).tobytes())
    if kind == "offset":
        return pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"a b c d e")])
    indices = pa.array([0, 1, 2**20], pa.int32())
    return pa.DictionaryArray.from_arrays(indices, text(GOOD), safe=False)


@pytest.mark.parametrize("kind", ["offset", "index"])
def test_what_points_outside_its_buffer_is_damage(kind: str, tmp_path: Path) -> None:
    path = write(tmp_path / "in.arrow", pa.table({"s1": outside(kind), "s2": text(GOOD)}))
    with pytest.raises(FormatError, match="cannot be read as arrow: "):
        list(open_pairs(path, keep_bad=True))
    table = pa.table({"s1": outside(kind), "s2": text(GOOD)})
    with pytest.raises(FormatError, match="a damaged column: "):
        Pipeline("levenshtein").score(table)


def test_tables_in_memory_have_bad_rows_too() -> None:
    table = pa.table({"s1": text(BAD), "s2": text(GOOD)})
    scores = Pipeline("jaccard").score(table, on_error="skip")
    assert np.isnan(scores).tolist() == [False, True, False]
    with pytest.raises(InputError, match="pair 1: sentence 1: expected a string, got b'"):
        Pipeline("jaccard").score(table)


def test_records_and_vectors_are_checked_too(tmp_path: Path) -> None:
    path = write(tmp_path / "r.parquet", pa.table({"text": text(BAD), "label": [1, 2, 3]}))
    with pytest.raises(FormatError, match=r"row 2: column 'text': not UTF-8"):
        list(records(path))
    vectors = pa.table({"text": text(BAD), "vector": [[1.0], [2.0], [3.0]]})
    path = write(tmp_path / "v.parquet", vectors)
    with pytest.raises(FormatError, match=r"row 2: column 'text': not UTF-8"):
        PrecomputedEncoder(path).encode(["a b"])
