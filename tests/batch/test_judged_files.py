"""Judging pair files: the columns of the input stay, in every format, and runs resume."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from support.commands import Run

from hybridsem import Pipeline
from hybridsem.batch import judge_file
from hybridsem.errors import InputError
from hybridsem.judge import LABELS

PAIRS = (
    "id,s1,s2,label\n7,A dog barked.,No dog barked.,x\n8,It rains.,It rains.,y\n9,A man sings.,,z\n"
)

NO_DOG = "A dog barked.", "No dog barked."


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS)
    return path


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_a_table_keeps_the_columns_of_the_input(pairs: Path, nlp: Pipeline) -> None:
    out = pairs.with_name("out.csv")
    report = judge_file(nlp, pairs, out, on_error="skip")
    assert (report.rows, report.failed) == (3, 1)
    assert report.labels == {"contradicts": 1, "same": 1}
    *judged, failed = rows(out)
    added = ["hybridsem_label", "by", "probability", "score", *map(str, LABELS), "reasons", "note"]
    assert list(failed) == ["id", "s1", "s2", "label", *added]
    assert [row["id"] for row in judged] == ["7", "8"]
    assert [row["label"] for row in judged] == ["x", "y"]
    assert [row["hybridsem_label"] for row in judged] == ["contradicts", "same"]
    assert [row["by"] for row in (*judged, failed)] == ["proof", "proof", ""]
    assert all(float(row["probability"]) == float(row[row["hybridsem_label"]]) for row in judged)
    assert (failed["hybridsem_label"], failed["same"], bool(failed["note"])) == ("", "", True)


def test_json_lines_have_lists(pairs: Path, nlp: Pipeline) -> None:
    out = pairs.with_name("out.jsonl")
    judge_file(nlp, pairs, out, on_error="skip")
    first, *_, failed = map(json.loads, out.read_text().splitlines())
    judgement = nlp.judge(*NO_DOG).to_dict()
    same = ("by", "probability", "probabilities", "reasons", "score")
    assert {name: first[name] for name in same} == {name: judgement[name] for name in same}
    assert (failed["hybridsem_label"], failed["probabilities"], failed["reasons"]) == (None, {}, [])


@pytest.mark.parametrize("name", ["out.xlsx", "out.parquet", "out.csv.gz"])
def test_other_formats(name: str, pairs: Path, nlp: Pipeline, run: Run) -> None:
    pytest.importorskip("pyarrow")
    out = pairs.with_name(name)
    judge_file(nlp, pairs, out, on_error="skip")
    code, _, err = run(f"report {name} -o page.html --score probability")
    assert code == 0, err


def test_a_run_resumes(pairs: Path, nlp: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, out = pairs.with_name("whole.jsonl"), pairs.with_name("out.jsonl")
    pairs.write_text(PAIRS.rpartition("9,")[0])
    how: dict[str, Any] = {"chunk_size": 1}
    judge_file(nlp, pairs, whole, **how)
    batches = type(nlp.reader).batches

    def stops(reader: object, texts: Any) -> Any:
        if ("It rains.", "It rains.") in texts:
            raise KeyboardInterrupt
        return batches(nlp.reader, texts)

    with monkeypatch.context() as patch:
        patch.setattr(type(nlp.reader), "batches", stops)
        with pytest.raises(KeyboardInterrupt):
            judge_file(nlp, pairs, out, **how)
    with pytest.raises(InputError, match=r"precision was 0\.8 and is now 0\.5"):
        judge_file(nlp, pairs, out, precision=0.5, resume=True, **how)
    report = judge_file(nlp, pairs, out, resume=True, **how)
    assert (report.resumed_rows, out.read_bytes()) == (1, whole.read_bytes())


def test_a_cache_serves_one_precision(pairs: Path, tmp_path: Path) -> None:
    pairs.write_text("s1,s2\nA man cut wood.,A person chopped a log with an axe.\n")
    labels: list[str] = []
    for precision, hits in ((1.0, 0), (0.0, 0), (1.0, 1)):
        out = tmp_path / f"{len(labels)}.csv"
        report = judge_file(Pipeline(), pairs, out, precision=precision, cache=tmp_path / "cache")
        assert report.cache_hits == hits
        labels.append(rows(out)[0]["label"])
    assert labels[0] == labels[2] == "unsure" != labels[1]


def test_processes_judge(pairs: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    judge_file(Pipeline(), pairs, one, on_error="skip")
    judge_file(Pipeline(), pairs, two, on_error="skip", workers=1, chunk_size=2)
    assert one.read_bytes() == two.read_bytes()


def test_what_cannot_judge_is_refused_before_reading(tmp_path: Path, nlp: Pipeline) -> None:
    with pytest.raises(InputError, match="only 'hybrid' can judge pairs"):
        judge_file(Pipeline("jaccard"), tmp_path / "none.csv", tmp_path / "out.csv")
    with pytest.raises(InputError, match="precision must be from 0 to 1, got 2"):
        judge_file(nlp, tmp_path / "none.csv", tmp_path / "out.csv", precision=2)


def test_the_command_has_the_options_of_score(pairs: Path, nlp: Pipeline, run: Run) -> None:
    out, reasons = pairs.with_name("out.csv"), " ".join(nlp.judge(*NO_DOG).reasons)
    given = "judge pairs.csv -o out.csv --on-error skip --cache cache"
    (counts,) = run(f"{given} --workers 1 --json").objects
    assert (counts["rows"], counts["labels"]) == (3, {"contradicts": 1, "same": 1})
    assert "3 pairs: 1 contradicts, 1 same, 1 without a label" in run(f"{given} --force").err
    assert (rows(out)[0]["id"], rows(out)[0]["reasons"]) == ("7", reasons)
    assert "line 4" in run("judge pairs.csv -o out.csv --force --pair-reader none").err
    printed = run("judge pairs.csv --json --on-error skip").objects
    assert [row["id"] for row in printed] == ["7", "8", "9"]
