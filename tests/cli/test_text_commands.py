"""The commands on files of texts: rank, mine, dedup, cluster, encode."""

from __future__ import annotations

import csv
import gzip
import io
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hybridsem import Pipeline
from hybridsem.cli import main

TEXTS = [
    "The bank sued the newspaper.",
    "The newspaper sued the bank.",
    "the bank sued the newspaper",
    "It rains.",
    "The newspaper was sued by the bank.",
]
QUERY = "The bank took the newspaper to court."


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    found = Pipeline()
    found.remember(1000)
    return found


@pytest.fixture(autouse=True)
def one_pipeline(nlp: Pipeline, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Commands without parts use the one that is loaded."""
    monkeypatch.chdir(tmp_path)
    for command in ("_texts", "dedup"):
        module = import_module(f"hybridsem.cli.{command}")
        made = module.make_pipeline
        monkeypatch.setattr(
            module,
            "make_pipeline",
            lambda parts, made=made: (
                nlp if all(value in (None, "hybrid") for value in parts.values()) else made(parts)
            ),
        )


def write_inputs(texts: list[Any]) -> list[str]:
    """The texts in files of every kind; the names of the columns differ."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    Path("a.txt").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    with gzip.open("a.txt.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(f"{text}\n" for text in texts)
    for name, mark in (("a.csv", ","), ("a.tsv", "\t")):
        with open(name, "w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, delimiter=mark).writerows(
                [("key", "text"), *((f"k,{at}", text) for at, text in enumerate(texts))]
            )
    Path("a.jsonl").write_text(
        "".join(json.dumps({"key": at, "text": text}) + "\n" for at, text in enumerate(texts))
    )
    pq.write_table(pa.table({"key": list(range(len(texts))), "text": texts}), "a.parquet")
    return ["a.txt", "a.txt.gz", "a.csv", "a.tsv", "a.jsonl", "a.parquet"]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_rank_reads_every_kind_of_file(nlp: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    expected = nlp.rank(QUERY, TEXTS, top_k=3)
    for name in write_inputs(TEXTS):
        found = rows(printed(capsys, "rank", QUERY, name, "-k", "3"))
        header = name.endswith((".csv", ".tsv"))
        unit = "row" if name.endswith(".parquet") else "line"
        assert [int(row[unit]) - 1 - header for row in found] == [
            one["corpus_id"] for one in expected
        ]
        assert [row["rank"] for row in found] == ["1", "2", "3"]
        assert [float(row["score"]) for row in found] == pytest.approx(
            [one["score"] for one in expected], abs=1e-6
        )


def test_rank_many_queries_to_a_file(nlp: Pipeline) -> None:
    write_inputs(TEXTS)
    Path("q.txt").write_text(f"{QUERY}\nRain.\n")
    arguments = ["rank", "--queries", "q.txt", "a.txt", "-k", "1", "-o", "out.jsonl", "--details"]
    assert main(arguments) == 0
    found = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [(row["query"], row["text"]) for row in found] == [
        (query, nlp.rank(query, TEXTS, 1, True)[0]["text"]) for query in (QUERY, "Rain.")
    ]
    assert "↔" in found[0]["why"]
    assert main(arguments) == 1  # the output is there
    assert main([*arguments, "--force"]) == 0


def test_mine(nlp: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    write_inputs(TEXTS)
    expected = [(one + 2, two + 2) for _, one, two in nlp.mine(TEXTS, threshold=0.9)]
    found = rows(printed(capsys, "mine", "a.csv", "-t", "0.9"))
    assert [(int(row["line1"]), int(row["line2"])) for row in found] == expected == [
        (2, 4), (2, 6), (4, 6)
    ]  # fmt: skip
    Path("b.txt").write_text(f"\n{QUERY}\n")
    printed_rows = printed(
        capsys, "mine", "b.txt", "a.txt", "-t", "0.3", "-k", "1", "--json", "--details"
    )
    (row,) = map(json.loads, printed_rows.splitlines())
    assert (row["line1"], row["text1"]) == (2, QUERY)
    assert row["explanation"]["score"] == row["score"]
    assert main(["mine", "a.txt", "-t", "0.9", "-o", "pairs.parquet"]) == 0
    import pyarrow.parquet as pq

    assert len(pq.read_table("pairs.parquet")) == 3


def test_cluster(nlp: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    write_inputs(TEXTS)
    found = rows(printed(capsys, "cluster", "a.txt", "-t", "0.9", "--details"))
    assert [(row["group"], row["line"]) for row in found] == [("1", "1"), ("1", "3"), ("1", "5")]
    assert found[0]["score"] == "1.000000"
    (group,) = map(
        json.loads, printed(capsys, "cluster", "a.txt", "-t", ".9", "--json").split("\n")[:-1]
    )
    assert [member["line"] for member in group["members"]] == [1, 3, 5]


def test_dedup_keeps_records_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    for name in write_inputs(TEXTS):
        suffix = Path(name.removesuffix(".gz")).suffix
        out = f"out{suffix}"
        assert main(["dedup", name, "-o", out, "--force"]) == 0
        if suffix == ".parquet":
            import pyarrow.parquet as pq

            assert pq.read_table(out).to_pylist() == [
                row for row in pq.read_table(name).to_pylist() if row["key"] != 2
            ]
            continue
        packed = Path(name).read_bytes()
        lines = (gzip.decompress(packed) if name.endswith(".gz") else packed).decode().splitlines()
        del lines[3 if suffix in (".csv", ".tsv") else 2]
        assert Path(out).read_text(encoding="utf-8").splitlines() == lines
    assert printed(capsys, "dedup", "a.txt").splitlines() == TEXTS[:2] + TEXTS[3:]


def test_dedup_leaves_out_blank_lines_and_none_of_a_record(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("b.txt").write_text("It rains.\n\nA dog barks.\n \nit rains\n\n")
    assert printed(capsys, "dedup", "b.txt") == "It rains.\nA dog barks.\n"
    kept = '"It\n\nrains.",1\n'
    Path("b.csv").write_text(f'text,n\n\n{kept}\n"It\n\nrains",2\n\n')
    assert printed(capsys, "dedup", "b.csv") == f"text,n\n{kept}"


def test_dedup_tells_what_it_drops(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.csv").write_text(
        'id,text\n1,"The bank\nsued the newspaper."\n2,It rains.\n'
        '3,"the bank sued\nthe newspaper"\n'
    )
    assert main(["dedup", "a.csv", "-o", "kept.csv", "--dropped", "gone.csv"]) == 0
    assert (
        Path("kept.csv").read_text() == 'id,text\n1,"The bank\nsued the newspaper."\n2,It rains.\n'
    )
    (row,) = rows(Path("gone.csv").read_text())
    assert (row["line"], row["kept line"], row["reason"]) == ("5", "2", "The words are the same.")
    (group,) = map(json.loads, printed(capsys, "dedup", "a.csv", "--json").splitlines())
    assert group["line"] == 2
    assert [one["line"] for one in group["dropped"]] == [5]
    assert printed(capsys, "dedup", "a.csv", "-o", "other.jsonl") == ""
    assert [json.loads(one)["line"] for one in Path("other.jsonl").read_text().splitlines()] == [
        2,
        4,
    ]


def test_encode(nlp: Pipeline, capsys: pytest.CaptureFixture[str]) -> None:
    expected = nlp.encode(TEXTS)
    for name in write_inputs(TEXTS):
        assert main(["encode", name, "-o", "v.npy", "--force"]) == 0
        assert np.array_equal(np.load("v.npy"), expected)
    capsys.readouterr()
    lines = printed(capsys, "encode", "a.txt").splitlines()
    assert np.array_equal(np.array([json.loads(line)["vector"] for line in lines], "f4"), expected)
    assert main(["encode", "a.parquet", "-o", "v.parquet"]) == 0
    import pyarrow.parquet as pq

    table = pq.read_table("v.parquet")
    assert table.column_names == ["row", "text", "vector", "truncated"]
    assert np.array_equal(np.array(table["vector"].to_pylist(), "f4"), expected)


def test_encode_says_what_was_cut_and_skips_blanks(capsys: pytest.CaptureFixture[str]) -> None:
    write_inputs(["It rains.", " ", "word " * 400])
    assert main(["encode", "a.csv", "-o", "v.npy"]) == 1
    assert "line 3: the text is empty" in capsys.readouterr().err
    assert not Path("v.npy").exists()
    assert main(["encode", "a.csv", "-o", "v.npy", "--on-error", "skip"]) == 0
    said = capsys.readouterr().err
    assert "1 text of a.csv cut: longer than the encoder reads (line 4)" in said
    assert np.isnan(np.load("v.npy")).all(axis=1).tolist() == [False, True, False]


@pytest.mark.parametrize("command", ["mine", "cluster", "dedup", "encode"])
def test_bad_texts_are_named_by_their_line(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_inputs(["It rains.", "", "It snows."])
    assert main([command, "a.csv"]) == 1
    assert "a.csv, line 3: the text is empty" in capsys.readouterr().err
    assert main([command, "a.parquet"]) == 1
    assert "a.parquet, row 2: the text is empty" in capsys.readouterr().err
    assert main([command, "a.csv", "--on-error", "skip"]) == 0
    Path("a.bin").write_bytes(b"\xff\xfe\x00")
    assert main([command, "a.bin"]) == 1
    assert main([command, "missing.txt"]) == 1
    Path("none.txt").write_text("\n \n")
    assert main([command, "none.txt"]) == 1
    said = capsys.readouterr().err
    assert "no texts" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("command", ["mine", "cluster", "dedup", "encode"])
def test_outputs_are_whole_or_not_there(command: str) -> None:
    write_inputs(TEXTS)
    for out in ("a.docx", "missing/a.jsonl", "a.jsonl"):
        assert main([command, "a.jsonl", "-o", out, "--force"]) == 1
    assert Path("a.jsonl").read_text().count("\n") == len(TEXTS)
    assert sorted(path.name for path in Path().iterdir()) == sorted(
        ["a.csv", "a.jsonl", "a.parquet", "a.tsv", "a.txt", "a.txt.gz"]
    )


def test_a_cache_keeps_what_was_read(capsys: pytest.CaptureFixture[str]) -> None:
    write_inputs(TEXTS)
    first = printed(capsys, "mine", "a.txt", "-t", "0.5", "--cache", "kept")
    again = printed(capsys, "mine", "a.txt", "-t", "0.5", "--cache", "kept")
    assert again == first == printed(capsys, "mine", "a.txt", "-t", "0.5")
    assert list(Path("kept").glob("*.sqlite"))


@pytest.mark.parametrize("command", [["rank", "Rain."], ["mine"], ["cluster"], ["dedup"]])
def test_texts_that_are_cut_are_named(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("long.txt").write_text(f"It rains.\n{'It rains in the hills. ' * 100}\n")
    assert main([*command, "long.txt"]) == 0
    said = capsys.readouterr().err
    assert "1 text of long.txt cut: longer than the encoder reads (line 2)" in said
