"""Pair files in columnar formats and Excel, compressed text, data frames, and rows that are bad in
every way.
"""

from __future__ import annotations

import csv
import datetime
import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from hybridsem import Pipeline
from hybridsem.batch import score_file
from hybridsem.errors import FormatError, InputError, MissingExtraError
from hybridsem.explanations import Explanation, RoleMatch
from hybridsem.tables import open_pairs, read_pairs
from hybridsem.tables.frames import pairs_in


class Lengths:
    """A pipeline with a score that is known; roles of an open inventory where ``paths`` is set."""

    def __init__(self, paths: bool = False) -> None:
        self.role = "nsubj:amod" if paths else "Agent"

    def explain_all(self, pairs: Iterable[tuple[str, str]]) -> list[Explanation]:
        return [self._one(one, two) for one, two in pairs]

    def _one(self, one: str, two: str) -> Explanation:
        score = min(len(one), len(two)) / max(len(one), len(two))
        matches = (
            RoleMatch(self.role, self.role, one, two, score, 1.0, score),
            RoleMatch("Verb", None, "v", "", 0, 0, 0),
        )
        return Explanation(one, two, score, "lengths", matches, details={"coverage": 1.0})


WHEN = datetime.datetime(2026, 1, 2, 3, 4, 5)
TABLE = {
    "id": [1, 2, 3],
    "Sentence 1": ["a b", "café, ok", 'say "x"\nand y'],
    "Sentence 2": ["a b", "tea", "=1+1"],
    "gold": [1.0, None, 0.25],
    "when": [WHEN, None, WHEN],
}
SCORES = [1.0, 3 / 8, 4 / 13]


def as_excel(table: dict[str, list[Any]], path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(list(table))
    for row in zip(*table.values(), strict=True):
        sheet.append(row)
        for cell in sheet[sheet.max_row]:
            cell.data_type = "s" if isinstance(cell.value, str) else cell.data_type
    book.save(path)


def as_stream(table: pa.Table, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=2)


WRITE: dict[str, Callable[[Path], None]] = {
    "in.parquet": lambda path: pa.parquet.write_table(pa.table(TABLE), path, row_group_size=2),
    "in.feather": lambda path: pa.feather.write_feather(pa.table(TABLE), str(path)),
    "in.arrow": lambda path: as_stream(pa.table(TABLE), path),
    "in.xlsx": lambda path: as_excel(TABLE, path),
    "in.csv.zst": lambda path: path.write_bytes(packed(as_csv().encode())) and None,
    "in.csv.gz": lambda path: path.write_bytes(gzip.compress(as_csv().encode())) and None,
}


def as_csv() -> str:
    return pd.DataFrame(TABLE).to_csv(index=False)


def packed(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of an output of any format."""
    if path.suffix == ".parquet":
        return pa.parquet.read_table(path).to_pylist()
    if path.suffix in (".feather", ".arrow"):
        return pa.feather.read_table(str(path)).to_pylist()
    if path.suffix == ".xlsx":
        header, *rows = openpyxl.load_workbook(path).worksheets[0].iter_rows(values_only=True)
        return [dict(zip(map(str, header), row, strict=True)) for row in rows]
    content = path.read_bytes()
    if path.suffix == ".zst":
        content = pa.CompressedInputStream(pa.BufferReader(content), "zstd").read()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    if ".jsonl" in path.name:
        return [json.loads(line) for line in text.splitlines()]
    return list(csv.DictReader(text.splitlines(keepends=True)))


@pytest.mark.parametrize("name", WRITE)
@pytest.mark.parametrize(
    "out", ["out.parquet", "out.feather", "out.arrow", "out.xlsx", "out.jsonl.zst", "out.csv.gz"]
)
def test_every_format_to_every_other(name: str, out: str, tmp_path: Path) -> None:
    WRITE[name](tmp_path / name)
    report = score_file(Lengths(), tmp_path / name, tmp_path / out, chunk_size=2)
    assert (report.rows, report.scored, report.with_gold) == (3, 3, 2)
    rows = rows_of(tmp_path / out)
    assert [float(row["score"]) for row in rows] == pytest.approx(SCORES, abs=1e-6)
    assert [row["Sentence 1"] for row in rows] == TABLE["Sentence 1"]
    assert [row["Sentence 2"] for row in rows] == TABLE["Sentence 2"]
    assert [str(row["id"]) for row in rows] == ["1", "2", "3"]
    assert str(rows[2]["when"]).startswith("2026-01-02")


@pytest.mark.parametrize("name", WRITE)
def test_positions_stand_for_names(name: str, tmp_path: Path) -> None:
    WRITE[name](tmp_path / name)
    by_position = [
        (pair.text1, pair.text2, pair.gold)
        for pair in read_pairs(tmp_path / name, columns=("3", "2"))
    ]
    assert by_position == list(
        zip(TABLE["Sentence 2"], TABLE["Sentence 1"], [None] * 3, strict=True)
    )


@pytest.mark.parametrize("out", ["out.parquet", "out.feather"])
def test_columnar_files_keep_their_types(out: str, tmp_path: Path) -> None:
    nested = {"tags": [["a"], None, []], "big": [2**62, -1, 0], "day": [WHEN.date()] * 3}
    table = pa.table({**TABLE, **nested}).replace_schema_metadata({"made": "by hand"})
    table = table.set_column(1, "Sentence 1", table["Sentence 1"].dictionary_encode())
    pa.parquet.write_table(table, tmp_path / "in.parquet")
    score_file(Lengths(), tmp_path / "in.parquet", tmp_path / out)
    kept = (pa.parquet.read_table if out.endswith("parquet") else pa.feather.read_table)(
        str(tmp_path / out)
    )
    assert kept.select(table.column_names).cast(table.schema).equals(table)
    assert [kept.schema.field(name).type for name in ("tags", "big", "day")] == [
        table.schema.field(name).type for name in ("tags", "big", "day")
    ]
    assert kept.column_names[-2:] == ["score", "note"]


def test_details_have_a_column_each_or_stand_together(tmp_path: Path) -> None:
    WRITE["in.parquet"](tmp_path / "in.parquet")
    score_file(Lengths(), tmp_path / "in.parquet", tmp_path / "out.csv", details=True)
    rows = rows_of(tmp_path / "out.csv")
    roles = ["Verb", "Agent", "Patient", "Theme", "Time", "Manner", "Location", "Trajectory"]
    assert list(rows[0]) == [*TABLE, "score", "coverage", *roles, "note"]
    assert (rows[1]["Agent"], rows[1]["Verb"], rows[1]["coverage"]) == ("0.375000", "", "1.000000")
    shown = {
        "out.csv": '{"nsubj:amod": 1.0}',
        "out.jsonl": {"nsubj:amod": 1.0},
        "out.parquet": [("nsubj:amod", 1.0)],
    }
    for out, roles_shown in shown.items():
        score_file(
            Lengths(paths=True), tmp_path / "in.parquet", tmp_path / out, details=True, force=True
        )
        assert rows_of(tmp_path / out)[0]["roles"] == roles_shown
    with pytest.raises(InputError, match="the header of a table with details is known at the end"):
        score_file(Lengths(), tmp_path / "out.csv", "-", details=True)


def test_details_of_the_models(
    nlp: Pipeline, pipelines: dict[str, Pipeline], tmp_path: Path
) -> None:
    path = tmp_path / "in.csv"
    path.write_text("s1,s2\nThe dog chased the cat.,The cat chased the dog.\n")
    score_file(nlp, path, tmp_path / "hybrid.jsonl", details=True)
    (row,) = rows_of(tmp_path / "hybrid.jsonl")
    explanation = nlp.explain(row["s1"], row["s2"])
    assert row["score"] == explanation.score
    assert {**explanation.details, **row} == row
    assert row["roles exchanged"] > 0
    score_file(pipelines["hybrid-0.1"], path, tmp_path / "0.1.jsonl", details=True)
    assert rows_of(tmp_path / "0.1.jsonl")[0]["Verb"] == pytest.approx(1)
    score_file(pipelines["dependency-cn"], path, tmp_path / "paths.jsonl", details=True)
    assert rows_of(tmp_path / "paths.jsonl")[0]["roles"]["root"] == 1


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
    with pytest.raises(FormatError, match="cannot tell which columns are the two sentences"):
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


BAD = {
    "numbers": (
        "in.parquet",
        pa.table({"s1": [1], "s2": ["a"]}),
        "column 's1': expected text, it has int64",
    ),
    "twice": (
        "in.parquet",
        pa.table([["a"], ["b"], ["c"]], names=["s1", "s2", "s1"]),
        "the column 's1' twice",
    ),
    "no columns": ("in.feather", pa.table({"x": ["a"], "y": ["b"]}), "cannot tell which columns"),
    "empty": (
        "in.parquet",
        pa.table({"s1": pa.array([], pa.string()), "s2": pa.array([], pa.string())}),
        "no pairs",
    ),
    "null": (
        "in.parquet",
        pa.table({"s1": ["a", None], "s2": ["b", "c"]}),
        "row 2: column 's1': expected a sentence",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_columnar_files(case: str, tmp_path: Path) -> None:
    name, table, message = BAD[case]
    path = tmp_path / name
    (pa.parquet.write_table if name.endswith("parquet") else pa.feather.write_feather)(
        table, str(path)
    )
    with pytest.raises(FormatError) as caught:
        list(read_pairs(path))
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


@pytest.mark.parametrize("name", WRITE)
def test_damaged_files(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITE[name](path)
    content = path.read_bytes()
    for broken in (content[: len(content) * 2 // 3], b"no such thing\n" * 9):
        path.write_bytes(broken)
        with pytest.raises(FormatError, match=r"cannot be read"):
            list(read_pairs(path))
    path.unlink()
    with pytest.raises(InputError, match="cannot read the file, got"):
        list(read_pairs(path))


def test_bad_workbooks(tmp_path: Path) -> None:
    path = tmp_path / "in.xlsx"
    as_excel({"s1": ["a", None, 5], "s2": ["b", None, "c"]}, path)
    with pytest.raises(FormatError, match=r"row 4: column 's1': expected a sentence, got 5"):
        list(read_pairs(path))
    kept = list(open_pairs(path, keep_bad=True))
    assert [(pair.line, pair.problem is None) for pair in kept] == [(2, True), (4, False)]
    with pytest.raises(InputError, match="delimiter is for text tables"):
        open_pairs(path, delimiter=";")
    as_excel({"s1": ["a \x02".replace("\x02", "?")], "s2": ["x" * 32_000]}, path)
    (tmp_path / "in.csv").write_text("s1,s2\na \x02,b\n" + "y" * 33_000 + ",b\n")
    with pytest.raises(
        FormatError, match=r"line 3: a cell holds at most 32,767 characters, got 33,000"
    ):
        score_file(Lengths(), tmp_path / "in.csv", tmp_path / "out.xlsx")
    (tmp_path / "in.csv").write_text("s1,s2\na \x02,b\n")
    score_file(Lengths(), tmp_path / "in.csv", tmp_path / "out.xlsx", force=True)
    assert rows_of(tmp_path / "out.xlsx")[0]["s1"] == "a _x0002_"


def test_sheets_and_cells_that_are_no_sentences(tmp_path: Path) -> None:
    path, book = tmp_path / "in.xlsx", openpyxl.Workbook()
    book.active.append(["About this study"])  # type: ignore[union-attr]
    for row in (["s1", "s2"], ["a", "b"], ["#N/A", "b"]):
        (book["Pairs"] if "Pairs" in book.sheetnames else book.create_sheet("Pairs")).append(row)
    book.save(path)
    with pytest.raises(FormatError, match=r"in\.xlsx, sheet 'Sheet': a header and no pairs"):
        list(read_pairs(path))
    book["Sheet"].sheet_state = "hidden"
    book.active = 1
    book.save(path)
    with pytest.raises(
        FormatError,
        match=r"sheet 'Pairs', row 3: column 's1': expected a sentence, got the error #N/A",
    ):
        list(read_pairs(path))
    content, outcomes = path.read_bytes(), set()
    for at in range(0, len(content), 97):
        path.write_bytes(content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :])
        try:
            outcomes.add(len(list(open_pairs(path, keep_bad=True))))
        except FormatError as error:
            outcomes.add(str(path) in str(error))
    assert outcomes <= {2, True}, "a damaged file gives its rows or an error that names it"


def test_values_that_an_output_cannot_hold_are_text_there(tmp_path: Path) -> None:
    """Dates that Python or Excel lacks, numbers that a workbook would round, what JSON has no word
    for.
    """
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
    assert (row["id"], row["late"], row["zone"][:10]) == (
        str(2**60 + 1),
        f"<value out of range: {10**18}>",
        "1970-01-01",
    )
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
    with pytest.raises(
        FormatError,
        match=r"line 3: column 's1': not UTF-8: byte 6 of the line is 0xe9; save .*skip",
    ):
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


def test_a_huge_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "in.csv"
    path.write_text(f's1,s2\n"{"word, " * 200_000}",b\n')
    assert score_file(Lengths(), path, tmp_path / "out.csv").scored == 1
    assert len(rows_of_huge(tmp_path / "out.csv")) == 1_200_000
    monkeypatch.setattr("hybridsem.tables.text.LINE_LIMIT", 1 << 20)
    path.write_text('s1,s2\na,b\n"never closed' + ",x\n" * 600_000)
    with pytest.raises(FormatError, match="line 3: a stray or open quotation mark"):
        list(read_pairs(path))


def rows_of_huge(path: Path) -> str:
    before = csv.field_size_limit(1 << 22)
    try:
        return rows_of(path)[0]["s1"]  # type: ignore[no-any-return]
    finally:
        csv.field_size_limit(before)


def test_standard_input_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a b;a b\nc;dd\n")))
    report = score_file(Lengths(), "-", tmp_path / "out.csv")
    assert report.rows == 2
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


@pytest.mark.parametrize(
    ("name", "library"),
    [("in.parquet", "pyarrow"), ("in.csv.zst", "pyarrow"), ("in.xlsx", "openpyxl")],
)
def test_a_missing_library_is_named(
    name: str, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    WRITE[name](tmp_path / name)
    monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(
        MissingExtraError,
        match=rf"{library}.* is not installed; run: pip install 'hybridsem\[files\]'",
    ):
        list(read_pairs(tmp_path / name))
