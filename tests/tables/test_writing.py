"""Writing tables: every format to every other, types, and bad rows."""

import csv
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from support.tables import TABLE, WHEN, WRITE, Lengths, rows_of

from hybridsem import Pipeline
from hybridsem.batch import score_file
from hybridsem.errors import FormatError, InputError
from hybridsem.tables.frames import pairs_in
from hybridsem.tables.writers import Output, TextWriter

SCORES = [1.0, 8 / 11, 4 / 13]


@pytest.mark.parametrize("name", WRITE)
@pytest.mark.parametrize(
    "out", ["out.parquet", "out.feather", "out.arrow", "out.xlsx", "out.jsonl.zst", "out.csv.gz"]
)
def test_every_format_to_every_other(name: str, out: str, tmp_path: Path) -> None:
    WRITE[name](TABLE, tmp_path / name)
    report = score_file(Lengths(), tmp_path / name, tmp_path / out, chunk_size=2)
    assert (report.rows, report.scored, report.with_gold) == (3, 3, 2)
    rows = rows_of(tmp_path / out)
    assert [float(row["score"]) for row in rows] == pytest.approx(SCORES, abs=1e-6)
    assert [row["Sentence 1"] for row in rows] == TABLE["Sentence 1"]
    assert [row["Sentence 2"] for row in rows] == TABLE["Sentence 2"]
    assert [str(row["id"]) for row in rows] == ["1", "2", "3"]
    assert str(rows[2]["when"]).startswith("2026-01-02")


@pytest.mark.parametrize("out", ["out.parquet", "out.feather"])
def test_columnar_files_keep_their_types(out: str, tmp_path: Path) -> None:
    nested = {"tags": [["a"], None, []], "big": [2**62, -1, 0], "day": [WHEN.date()] * 3}
    table = pa.table({**TABLE, **nested}).replace_schema_metadata({"made": "by hand"})
    table = table.set_column(1, "Sentence 1", table["Sentence 1"].dictionary_encode())
    pa.parquet.write_table(table, tmp_path / "in.parquet")
    score_file(Lengths(), tmp_path / "in.parquet", tmp_path / out)
    read = pa.parquet.read_table if out.endswith("parquet") else pa.feather.read_table
    kept = read(str(tmp_path / out))
    assert kept.select(table.column_names).cast(table.schema).equals(table)
    for name in nested:
        assert kept.schema.field(name).type == table.schema.field(name).type
    assert kept.column_names[-2:] == ["score", "note"]


def test_details_have_a_column_each_or_stand_together(tmp_path: Path) -> None:
    WRITE["in.parquet"](TABLE, tmp_path / "in.parquet")
    score_file(Lengths(), tmp_path / "in.parquet", tmp_path / "out.csv", details=True)
    rows = rows_of(tmp_path / "out.csv")
    roles = ["Verb", "Agent", "Patient", "Theme", "Time", "Manner", "Location", "Trajectory"]
    assert list(rows[0]) == [*TABLE, "score", "coverage", *roles, "note"]
    assert (rows[1]["Agent"], rows[1]["Verb"], rows[1]["coverage"]) == ("0.727273", "", "1.000000")
    shown = {
        "out.csv": '{"nsubj:amod": 1.0}',
        "out.jsonl": {"nsubj:amod": 1.0},
        "out.parquet": [("nsubj:amod", 1.0)],
    }
    how: dict[str, Any] = {"details": True, "force": True}
    for out, roles_shown in shown.items():
        score_file(Lengths(paths=True), tmp_path / "in.parquet", tmp_path / out, **how)
        assert rows_of(tmp_path / out)[0]["roles"] == roles_shown
    with pytest.raises(InputError, match="the header of a table with details is known at the end"):
        score_file(Lengths(), tmp_path / "out.csv", "-", details=True)


FRAMES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "mapping": dict,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy": pl.LazyFrame,
    "arrow": pa.table,
    "reader": lambda columns: pa.table(columns).to_reader(),
    "batch": pa.RecordBatch.from_pydict,
    "dataset": datasets.Dataset.from_dict,
}


@pytest.mark.parametrize("kind", FRAMES)
def test_data_in_memory(kind: str, nlp: Pipeline) -> None:
    columns = {"n": [1, 2], "s1": ["A dog ran.", "It rained."], "s2": ["A cat ran.", "It rained."]}
    expected = nlp.score([("A dog ran.", "A cat ran."), ("It rained.", "It rained.")])
    assert nlp.score(FRAMES[kind](columns)).tolist() == expected.tolist()
    assert nlp.score(FRAMES[kind](columns), columns=("s2", "s1"))[1] == 1
    with pytest.raises(FormatError, match="no column 'left'"):
        nlp.score(FRAMES[kind](columns), columns=("left", "s2"))
    with pytest.raises(FormatError, match="cannot determine which columns are the two sentences"):
        nlp.score(FRAMES[kind]({"x": ["a"], "y": ["b"], "z": ["c"]}))
    with pytest.raises(InputError, match=r"pair 1: sentence 2: expected a string, got (None|nan)"):
        nlp.score(FRAMES[kind]({"s1": ["a", "b"], "s2": ["c", None]}))


def test_arrays_and_sequences(nlp: Pipeline) -> None:
    array = np.array([["A dog ran.", "A cat ran."]])
    assert pairs_in(array) == [("A dog ran.", "A cat ran.")]
    assert nlp.score(array).tolist() == nlp.score([["A dog ran.", "A cat ran."]]).tolist()
    with pytest.raises(InputError, match=r"an array of pairs has the shape \(n, 2\), got \(3,\)"):
        nlp.score(np.array(["a", "b", "c"]))
    with pytest.raises(InputError, match="columns= is for data with named columns, got list"):
        nlp.score([("a", "b")], columns=("s1", "s2"))


def test_what_a_workbook_cannot_hold(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("s1,s2\na \x02,b\n" + "y" * 33_000 + ",b\n")
    with pytest.raises(FormatError, match=r"line 3: a cell holds at most 32,767 char.*got 33,000"):
        score_file(Lengths(), tmp_path / "in.csv", tmp_path / "out.xlsx")
    (tmp_path / "in.csv").write_text("s1,s2\na \x02,b\n")
    score_file(Lengths(), tmp_path / "in.csv", tmp_path / "out.xlsx", force=True)
    assert rows_of(tmp_path / "out.xlsx")[0]["s1"] == "a _x0002_"


def test_values_that_an_output_cannot_hold_are_text_there(tmp_path: Path) -> None:
    """Dates that Python or Excel lacks, long numbers in a workbook, NaN in JSON."""
    table = pa.table(
        {
            "s1": ["a"],
            "s2": ["b"],
            "late": pa.array([10**18], pa.timestamp("us")),
            "fine": pa.array([1], pa.timestamp("ns")),
            "zone": pa.array([0], pa.timestamp("s", tz="UTC")),
            "id": [2**60 + 1],
            "none": [float("nan")],
            "bytes": [b"\xff"],
            "list": [[float("inf"), 1.0]],
        }
    )
    pa.parquet.write_table(table, tmp_path / "in.parquet")
    for name in ("out.parquet", "out.xlsx", "out.jsonl", "out.csv"):
        score_file(Lengths(), tmp_path / "in.parquet", tmp_path / name)
    kept = ["late", "fine", "id", "list"]
    assert pa.parquet.read_table(tmp_path / "out.parquet").select(kept) == table.select(kept)
    (row,) = rows_of(tmp_path / "out.xlsx")
    assert (row["id"], row["zone"][:10]) == (str(2**60 + 1), "1970-01-01")
    assert row["late"] == f"<value out of range: {10**18}>"
    assert (row["none"], row["bytes"], row["list"]) == ("NaN", "b'\\xff'", "[Infinity, 1.0]")
    record = json.loads((tmp_path / "out.jsonl").read_text(), parse_constant=pytest.fail)
    assert (record["id"], record["none"], record["list"]) == (2**60 + 1, None, [None, 1.0])


MIXED = (
    b"\xef\xbb\xbfid,s1,s2\r\n1,a b,c\r\n2,caf\xe9,c\r\n3,a\0b,c\r\n4,short\r\n"
    b"5,one,two,three\r\n6,,c\r\n"
    b'7,"q\r\n1,2","x""y"\r\n'
)


def test_bad_rows_are_named_or_kept(tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_bytes(MIXED)
    with pytest.raises(FormatError, match=r"line 3: column 's1': not UTF-8: byte 6 .*skip"):
        score_file(Lengths(), path, out)
    report = score_file(Lengths(), path, out, on_error="skip")
    rows = rows_of(out)
    assert [row["id"] for row in rows] == ["1", "2", "3", "4", "5", "6", "7"]
    assert [bool(row["score"]) for row in rows] == [True, False, False, False, False, False, True]
    assert [row["s1"] for row in rows][1:3] == ["caf\\xe9", "a\0b"]
    assert rows[4]["s2"] == "two,three"
    assert rows[6]["s1"] == "q\n1,2"
    assert [row["note"][:52] for row in rows][1:6] == [
        "error: column 's1': not UTF-8: byte 6 of the line is",
        "error: column 's1': a NUL character (byte 4 of the l",
        "error: expected 3 columns as in line 1, got 2; a sen",
        "error: expected 3 columns as in line 1, got 4; a sen",
        "error: sentence 1 (column 's1'): the text is empty o",
    ]
    assert (report.failed, len(report.first_failures), sum(report.failures.values())) == (5, 5, 5)
    lines = tmp_path / "in.jsonl"
    lines.write_bytes(b'{"s1": "a", "s2": "b"}\n{"s1": \n{"s1": "\xff", "s2": "b"}\n[1]\n')
    assert score_file(Lengths(), lines, tmp_path / "out.jsonl", on_error="skip").failed == 3
    assert rows_of(tmp_path / "out.jsonl")[1] == {
        "s1": '{"s1": ',
        "score": None,
        "note": "error: not valid JSON: Expecting value: line 1 column 8 (char 7)",
    }


@pytest.mark.parametrize("mark", [",", "\t"])
def test_any_cells_are_read_back(mark: str) -> None:
    numbers, text = random.Random(1), io.StringIO()
    writer = TextWriter(text, mark, Output(("s1", "s2"), ("score", "note")))
    rows = []
    for _ in range(500):
        cells = ["".join(numbers.choices('ab" ,\t\né\0', k=numbers.randrange(5))) for _ in "123"]
        writer.write([(dict(zip(("s1", "s2"), cells, strict=False)), (0.5, cells[2]), None)])
        rows.append([*cells[:2], "0.500000", cells[2]])
    found = list(csv.reader(io.StringIO(text.getvalue(), newline=""), delimiter=mark))
    assert found == [["s1", "s2", "score", "note"], *rows]
