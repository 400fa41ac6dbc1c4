"""Columns of other types than the first rows, and files that an output cannot hold: what was scored
is never lost to them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from hybridsem.batch import score_file
from hybridsem.errors import FormatError
from hybridsem.explanations import Explanation

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


class Halves:
    """Every pair is half alike; counts what it is asked for."""

    def __init__(self, killed_at: int | None = None) -> None:
        self.asked, self.killed_at = 0, killed_at

    def explain(self, pairs: Iterable[tuple[str, str]]) -> list[Explanation]:
        if self.asked == self.killed_at:
            raise KeyboardInterrupt
        given = list(pairs)
        self.asked += len(given)
        return [Explanation(one, two, 0.5, "halves") for one, two in given]


def lines(path: Path, *values: Any) -> Path:
    rows = [{"s1": f"a {i}", "s2": "b", "x": value} for i, value in enumerate(values)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def written(path: Path) -> list[Any]:
    return list(pq.read_table(path).column("x").to_pylist())


def test_a_text_column_of_gold_scores(tmp_path: Path) -> None:
    path, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"s1": ["a", "b"], "s2": ["c", "d"], "rated": ["3,5", "4"]}), path)
    report = score_file(Halves(), path, out, columns=("s1", "s2", "rated"))
    assert (report.scored, report.with_gold) == (2, 2)
    assert pq.read_table(out).column("rated").to_pylist() == ["3,5", "4"]


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
        pipeline = Halves()
        report = score_file(
            pipeline, lines(tmp_path / f"{name}.jsonl", *rows), tmp_path / f"{name}.parquet"
        )
        found = written(tmp_path / f"{name}.parquet")
        assert [found[0], found[-1]] == expected
        assert (report.rows, pipeline.asked, report.scored) == (len(rows),) * 3
        if kind == "double" and name == "near":  # the first rows together have that type
            assert report.notes == ()
        else:
            (note,) = report.notes
            assert note.endswith(f"is written as {kind}")
            assert report.to_dict()["notes"] == report.notes


def test_lone_surrogates_are_written_out(tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.parquet"
    path.write_text(json.dumps({"s1": "a", "s2": "b", "x": "\ud800", "\udfff": 1}) + "\n")
    score_file(Halves(), path, out)
    table = pq.read_table(out)
    assert table.column("x").to_pylist() == ["\\ud800"]
    assert "\\udfff" in table.column_names


def test_a_resumed_run_is_widened_alike(tmp_path: Path) -> None:
    path = lines(tmp_path / "in.jsonl", *[1] * 5000, "one")

    with pytest.raises(KeyboardInterrupt):
        score_file(Halves(killed_at=3992), path, tmp_path / "out.parquet", chunk_size=1000)
    report = score_file(Halves(), path, tmp_path / "out.parquet", chunk_size=1000, resume=True)
    score_file(Halves(), path, tmp_path / "again.parquet", chunk_size=1000)
    assert report.resumed_rows == 3992
    assert (tmp_path / "out.parquet").read_bytes() == (tmp_path / "again.parquet").read_bytes()


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
    pipeline = Halves()
    with pytest.raises(FormatError, match=message):
        score_file(pipeline, path, tmp_path / out)
    assert pipeline.asked == 0
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

    class Meanwhile(Halves):
        calls = 0

        def explain(self, pairs: Iterable[tuple[str, str]]) -> list[Explanation]:
            self.calls += 1
            if self.calls == at:
                {"grows": lambda: write(9), "shrinks": lambda: write(2), "goes": path.unlink}[
                    change
                ]()
            return super().explain(pairs)

    write(6)
    with pytest.raises(FormatError, match="the file has changed while it was read"):
        score_file(Meanwhile(), path, tmp_path / "out.csv", chunk_size=2)
    assert not (tmp_path / "out.csv").exists()
