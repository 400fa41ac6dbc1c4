"""Mixed column types, and values that an output cannot hold, lose no score."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.scorers import LengthScorer

from hybridsem.batch import score_file
from hybridsem.errors import FormatError


def lines(path: Path, *values: Any) -> Path:
    rows = [{"s1": f"a {i}", "s2": "b", "x": value} for i, value in enumerate(values)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def written(path: Path) -> list[Any]:
    return list(pq.read_table(path).column("x").to_pylist())


@pytest.mark.parametrize(
    ("values", "expected", "kind"),
    [
        ([1, "one"], ["1", "one"], "string"),
        ([1, 2.5], [1.0, 2.5], "double"),
        ([1, 2**63], ["1", str(2**63)], "string"),
        ([2**53 + 1, 0.5], [str(2**53 + 1), "0.5"], "string"),
        ([{}, {}], ["{}", "{}"], "string"),
        ([{"y": 1}, {"y": "z"}], ['{"y": 1}', '{"y": "z"}'], "string"),
        ([[1], "a"], ["[1]", "a"], "string"),
        ([True, 1], ["true", "1"], "string"),
        ([["\ud800"], None], ['["\\ud800"]', None], "string"),
    ],
)
def test_mixed_types_are_widened_and_said(
    tmp_path: Path, values: list[Any], expected: list[Any], kind: str
) -> None:
    for name, rows in (("near", values), ("far", [*values[:1] * 5000, *values[1:]])):
        pipeline = LengthScorer()
        report = score_file(
            pipeline, lines(tmp_path / f"{name}.jsonl", *rows), tmp_path / f"{name}.parquet"
        )
        found = written(tmp_path / f"{name}.parquet")
        assert [found[0], found[-1]] == expected
        assert (report.rows, pipeline.pairs, report.scored) == (len(rows),) * 3
        if kind == "double" and name == "near":  # the first rows together have that type
            assert report.notes == ()
        else:
            (note,) = report.notes
            assert note.endswith(f"is written as {kind}")
            assert report.to_dict()["notes"] == report.notes


@pytest.mark.parametrize(
    ("name", "out", "message"),
    [
        ("late.jsonl", "out.csv", "the key 'late' is not in the first line"),
        ("late.jsonl", "out.parquet", "the key 'late' is not in the first line"),
        ("long.jsonl", "out.xlsx", "a cell holds at most 32,767 characters"),
        ("empty.arrow", "out.parquet", "of the type struct"),
    ],
)
def test_what_an_output_cannot_hold_is_said_before_anything_is_scored(
    tmp_path: Path, name: str, out: str, message: str
) -> None:
    path = lines(tmp_path / name, *[1] * 3000, "long " * 9000)
    if name.startswith("late"):
        path.write_text(path.read_text() + '{"s1": "a", "s2": "b", "late": 1}\n')
    if name.endswith(".arrow"):
        table = pa.table({"s1": ["a"], "s2": ["b"], "x": pa.array([{}], pa.struct([]))})
        with pa.ipc.new_file(str(path), table.schema) as file:
            file.write_table(table)
    pipeline = LengthScorer()
    with pytest.raises(FormatError, match=message):
        score_file(pipeline, path, tmp_path / out)
    assert pipeline.pairs == 0
    assert not (tmp_path / out).exists()


@pytest.mark.parametrize("at", [1, 3])
@pytest.mark.parametrize("change", ["grows", "shrinks", "goes"])
@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl"])
def test_an_input_that_changes_during_a_run_is_said_to_have(
    tmp_path: Path, suffix: str, change: str, at: int
) -> None:
    path = tmp_path / f"in.{suffix}"

    def write(rows: int) -> None:
        names = [f"a {i}" for i in range(rows)]
        if suffix == "parquet":
            pq.write_table(pa.table({"s1": names, "s2": names}), path)
        elif suffix == "csv":
            path.write_text("s1,s2\n" + "".join(f"{name},{name}\n" for name in names))
        else:
            path.write_text("".join(json.dumps({"s1": n, "s2": n}) + "\n" for n in names))

    def change_it() -> None:
        path.unlink() if change == "goes" else write(9 if change == "grows" else 2)

    write(6)
    with pytest.raises(FormatError, match="the file has changed while it was read"):
        score_file(LengthScorer("any", at, change_it), path, tmp_path / "out.csv", chunk_size=2)
    assert not (tmp_path / "out.csv").exists()
