"""Scoring pair files: every row is written, no partial file appears, and finished work is kept."""

import csv
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from support.parsers import FailsOnRain
from support.scorers import LengthScorer

from hybridsem import Pipeline
from hybridsem.batch import BatchReport, score_file
from hybridsem.cli.score import summary
from hybridsem.errors import AssetError, FormatError, InputError

SHARES = Pipeline("jaccard")

PAIRS = 'id,s1,s2,gold\n1,a b,a b,5\n2,"a, b","a, c",3.50\n3,d e,f g,0\n'


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS)
    return path


def test_a_table_keeps_the_input_and_gains_two_columns(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    report = score_file(SHARES, pairs, out)
    assert out.read_text() == (
        "id,s1,s2,gold,score,note\n"
        "1,a b,a b,5,1.000000,\n"
        '2,"a, b","a, c",3.50,0.500000,\n'
        "3,d e,f g,0,0.000000,\n"
    )
    about = {"with_gold": 3, "spearman": pytest.approx(1.0), "distinct_sentences": 5}
    assert report == BatchReport(3, 3, 0, 0, **about, seconds=report.seconds)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "pairs.csv"]


def test_json_lines_keep_values_of_any_kind(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    record = {"s1": "a \ud800", "s2": "a é", "tags": [1, None], "score": 2}
    path.write_text(json.dumps(record) + "\n")
    score_file(SHARES, path, tmp_path / "out.jsonl", on_error="skip")
    written = json.loads((tmp_path / "out.jsonl").read_text())
    assert "sentence 1 (column 's1'): character 2 is a lone surrogate" in written["note"]
    assert written == {**record, "hybridsem_score": None, "note": written["note"]}
    score_file(SHARES, path, tmp_path / "out.csv", on_error="skip")
    (row,) = csv.DictReader((tmp_path / "out.csv").read_text().splitlines())
    assert (row["s1"], row["tags"], row["hybridsem_score"]) == ("a \\ud800", "[1, null]", "")


def test_a_file_without_a_header_gets_one(tmp_path: Path) -> None:
    path, out = tmp_path / "in.txt", tmp_path / "out.csv"
    path.write_text("a b;a c\n")
    score_file(SHARES, path, out)
    assert out.read_text() == "text1,text2,score,note\na b,a c,0.333333,\n"


@pytest.fixture(scope="module")
def failing() -> Pipeline:
    return Pipeline("verbnet-cn", parser=FailsOnRain())


@pytest.mark.parametrize("broken", ["", "It rained."])
@pytest.mark.parametrize("size", [1, 2, 100])
def test_fail_names_the_line_and_leaves_no_file(
    broken: str, size: int, failing: Pipeline, tmp_path: Path
) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text(f"s1,s2\na b,a b\n{broken},a b\nd e,f g\n")
    with pytest.raises(FormatError, match="in.csv, line 3: "):
        score_file(failing, path, out, chunk_size=size)
    assert {found.name for found in tmp_path.iterdir()} <= {"in.csv", "out.csv.hybridsem"}
    report = score_file(failing, path, out, chunk_size=size, on_error="skip", force=True)
    assert (report.failed, [found.name for found in tmp_path.glob("out*")]) == (1, ["out.csv"])


def test_an_old_result_stays_until_the_new_one_is_complete(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("old")
    path = tmp_path / "in.csv"
    path.write_text("s1,s2\n" + "a b,a b\n" * 10 + "ragged\n")
    with pytest.raises(InputError, match="the output exists"):
        score_file(SHARES, path, out)
    with pytest.raises(FormatError, match="line 12"):
        score_file(SHARES, path, out, chunk_size=2, force=True)
    assert out.read_text() == "old"


def test_a_link_is_followed_and_a_pipe_is_written_to(pairs: Path, tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    score_file(SHARES, pairs, tmp_path / "link.csv", force=True)
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text().startswith("id,s1")
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    score_file(SHARES, pairs, pipe)
    assert os.read(reading, 20).startswith(b"id,s1")
    os.close(reading)
    assert pipe.is_fifo()


def test_what_is_not_english_is_said_per_row_and_counted(tmp_path: Path) -> None:
    nlp = Pipeline("embedded")
    path, said = tmp_path / "in.csv", "not English: the model reads only English"
    german = "Der Hund schläft im Garten neben dem alten Haus."
    cut = "truncated: longer than the encoder reads; " + said
    path.write_text(f"s1,s2\n{german},A dog.\nA cat.,A dog.\n{german * 40},{german}\n", "utf-8")
    report = score_file(nlp, path, tmp_path / "out.csv", cache=tmp_path / "cache")
    rows = list(csv.DictReader((tmp_path / "out.csv").read_text("utf-8").splitlines()))
    assert [row["note"] for row in rows] == [said, "", cut]
    assert (report.foreign, report.truncated, report.to_dict()["foreign"]) == (2, 1, 2)
    again = score_file(nlp, path, tmp_path / "again.csv", cache=tmp_path / "cache")
    assert (again.foreign, again.cache_hits) == (2, 3)
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "out.csv").read_bytes()
    assert "; 2 not English: the model reads only English" in summary(report)[-1]


@pytest.mark.parametrize(
    ("out", "options", "message"),
    [
        ("out.doc", {}, "the output must end in one of .csv"),
        ("out.parquet.gz", {}, "the output must end in one of .csv"),
        ("none/out.csv", {}, "the output's folder does not exist"),
        ("folder.csv", {}, "the output must be a file"),
        ("pairs.csv", {}, "the output would replace the pair file"),
        ("out.csv", {"on_error": "ignore"}, "on_error must be one of fail, skip; got 'ignore'"),
        ("out.csv", {"chunk_size": 0}, "chunk_size is a whole number from 1, got 0"),
    ],
)
def test_bad_outputs_and_options_are_refused_before_the_work(
    out: str, options: dict[str, Any], message: str, pairs: Path, tmp_path: Path
) -> None:
    (tmp_path / "folder.csv").mkdir()
    scorer = LengthScorer()
    with pytest.raises(InputError, match=message):
        score_file(scorer, pairs, tmp_path / out, **options)
    assert not scorer.chunks


def test_spearman_needs_two_different_values(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("s1,s2,gold\na b,a b,1\nc d,c d,2\n")
    report = score_file(SHARES, path, tmp_path / "out.csv")
    assert (report.with_gold, report.spearman) == (2, None)


def test_progress_is_a_line_now_and_then_where_there_is_no_terminal(
    pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    score_file(SHARES, pairs, tmp_path / "out.csv", chunk_size=1, progress=True)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("hybridsem.batch.report.EVERY", 0)
    score_file(SHARES, pairs, tmp_path / "out.csv", chunk_size=1, progress=True, force=True)
    first, _, third = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"hybridsem: 1 pairs, [\d,]+ pairs/s", first)
    assert third.startswith("hybridsem: 3 pairs, ")
    score_file(SHARES, pairs, tmp_path / "out.csv", chunk_size=1, force=True)
    assert capsys.readouterr().err == ""


def test_a_cache_serves_later_runs_and_is_checked(tmp_path: Path) -> None:
    path, cache = tmp_path / "in.csv", tmp_path / "cache"
    rows = ["The dog ran.,A dog ran."] * 2 + ["It rained.,The dog ran."]
    path.write_text("\n".join(["s1,s2", *rows]))
    first = score_file(Pipeline(pair_reader=None), path, tmp_path / "one.jsonl", cache=cache)
    assert (first.cache_hits, first.distinct_sentences) == (1, 3)
    pipeline = Pipeline(pair_reader=None)
    assert score_file(pipeline, path, tmp_path / "two.jsonl", cache=cache).cache_hits == 3
    assert "_session" not in vars(pipeline.encoder)
    path.write_text("s1,s2\nA dog ran.,It rained.\n")  # sentences that are known, in another pair
    score_file(pipeline, path, tmp_path / "three.jsonl", cache=cache, details=True)
    assert "_session" not in vars(pipeline.encoder)
    score_file(Pipeline(pair_reader=None), path, tmp_path / "four.jsonl", details=True)
    assert (tmp_path / "three.jsonl").read_bytes() == (tmp_path / "four.jsonl").read_bytes()
    score_file(Pipeline("verbnet-cn"), path, tmp_path / "five.jsonl", cache=cache)
    hybrid, verbnet = sorted(cache.glob("*.sqlite"), key=lambda file: file.stat().st_mtime)
    assert "verbnet-cn" in verbnet.with_suffix(".json").read_text()
    hybrid.write_bytes(b"not a database, but long enough to be looked at" * 100)
    with pytest.raises(AssetError, match="cannot be used: file is not a database; delete it or"):
        score_file(Pipeline(pair_reader=None), path, tmp_path / "six.jsonl", cache=cache)


FORMULAS = ("=cmd|' /C calc'!A0", "+1+2", "-2+3", "@SUM(A1)", "\t=1", "＝1")


def test_formulas_are_text_where_that_is_asked_for(tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.csv"
    rows = [{"s1": text, "s2": "a b", "=name": "-0.5", "n": -3} for text in FORMULAS]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    score_file(SHARES, path, out, on_error="skip")
    with out.open(newline="") as stream:
        plain = list(csv.reader(stream))
    assert [row[0] for row in plain[1:]] == list(FORMULAS), "by default cells are as they were"
    score_file(SHARES, path, out, on_error="skip", safe_csv=True, force=True)
    with out.open(newline="") as stream:
        safe = list(csv.reader(stream))
    assert [row[0] for row in safe[1:]] == [f"'{text}" for text in FORMULAS]
    assert safe[0][2] == "'=name"
    assert [row[1:] for row in safe[1:]] == [row[1:] for row in plain[1:]], "numbers stay"
    for name in ("out.jsonl", "out.parquet", "out.xlsx"):
        with pytest.raises(InputError, match=r"safe_csv \(--safe-csv\) is for \.csv and \.tsv"):
            score_file(SHARES, path, tmp_path / name, safe_csv=True)


def test_a_table_has_at_most_a_dozen_columns_of_details_and_json_has_all(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    rows = [
        "The dog chased a cat.,The cat did not chase 3 dogs before noon.",
        "We left after lunch.,All of us must have gone before dinner.",
        "Is a hot red tea here?,The cold tea was very blue although it rained.",
    ]
    pairs.write_text("s1,s2\n" + "\n".join(rows), encoding="utf-8")
    for name in ("out.csv", "out.jsonl"):
        score_file(Pipeline(), pairs, tmp_path / name, details=True)
    with (tmp_path / "out.csv").open(encoding="utf-8") as stream:
        table = list(csv.DictReader(stream))
    added = [name for name in table[0] if name not in ("s1", "s2", "score", "note")]
    assert {"cosine", "changed places", "negated", "other words"} <= {*added}
    assert len(added) <= 12
    records = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    for row, record in zip(table, records, strict=True):
        amount = sum(record.get(kind) or 0.0 for kind in ("negation", "negation parity"))
        assert float(row["negated"] or 0.0) == pytest.approx(amount)
