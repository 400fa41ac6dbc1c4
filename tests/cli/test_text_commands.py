"""The commands on files of texts: rank, mine, dedup, cluster, encode."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.commands import Run

from hybridsem import Pipeline

pytestmark = pytest.mark.usefixtures("one_pipeline")

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


def write_inputs(texts: list[Any]) -> list[str]:
    """The texts in files of every kind; the names of the columns differ."""
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


def test_rank_reads_every_kind_of_file(nlp: Pipeline, run: Run) -> None:
    expected = nlp.rank(QUERY, TEXTS, top_k=3)
    for name in write_inputs(TEXTS):
        found = run("rank", QUERY, name, "-k", "3").rows
        header = name.endswith((".csv", ".tsv"))
        unit = "row" if name.endswith(".parquet") else "line"
        places = [int(row[unit]) - 1 - header for row in found]
        assert places == [one["corpus_id"] for one in expected]
        assert [row["rank"] for row in found] == ["1", "2", "3"]
        scores = [one["score"] for one in expected]
        assert [float(row["score"]) for row in found] == pytest.approx(scores, abs=1e-6)


def test_rank_many_queries_to_a_file(nlp: Pipeline, run: Run) -> None:
    write_inputs(TEXTS)
    Path("q.txt").write_text(f"{QUERY}\nRain.\n")
    command = "rank --queries q.txt a.txt -k 1 -o out.jsonl --details"
    assert run(command).code == 0
    found = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [(row["query"], row["text"]) for row in found] == [
        (query, nlp.rank(query, TEXTS, 1, True)[0]["text"]) for query in (QUERY, "Rain.")
    ]
    assert any("↔" in row["why"] for row in found)
    assert run(command).code == 1  # the output is there
    assert run(f"{command} --force").code == 0


def test_mine(nlp: Pipeline, run: Run) -> None:
    write_inputs(TEXTS)
    expected = [(one + 2, two + 2) for _, one, two in nlp.mine(TEXTS, threshold=0.9)]
    found = [(int(row["line1"]), int(row["line2"])) for row in run("mine a.csv -t 0.9").rows]
    assert found == expected == [(2, 4), (2, 6), (4, 6)]
    Path("b.txt").write_text(f"\n{QUERY}\n")
    [row] = run("mine b.txt a.txt -t 0.3 -k 1 --json --details").objects
    assert (row["line1"], row["text1"]) == (2, QUERY)
    assert row["explanation"]["score"] == row["score"]
    assert run("mine a.txt -t 0.9 -o pairs.parquet").code == 0
    assert len(pq.read_table("pairs.parquet")) == 3


def test_cluster(run: Run) -> None:
    write_inputs(TEXTS)
    found = run("cluster a.txt -t 0.9 --details").rows
    assert [(row["group"], row["line"]) for row in found] == [("1", "1"), ("1", "3"), ("1", "5")]
    assert found[0]["score"] == "1.000000"
    [group] = run("cluster a.txt -t .9 --json").objects
    assert [member["line"] for member in group["members"]] == [1, 3, 5]


def test_dedup_keeps_records_as_they_are(run: Run) -> None:
    for name in write_inputs(TEXTS):
        suffix = Path(name.removesuffix(".gz")).suffix
        out = f"out{suffix}"
        assert run(f"dedup {name} -o {out} --force").code == 0
        if suffix == ".parquet":
            given, kept = (pq.read_table(file).to_pylist() for file in (name, out))
            assert kept == [row for row in given if row["key"] != 2]
            continue
        packed = Path(name).read_bytes()
        lines = (gzip.decompress(packed) if name.endswith(".gz") else packed).decode().splitlines()
        del lines[3 if suffix in (".csv", ".tsv") else 2]
        assert Path(out).read_text(encoding="utf-8").splitlines() == lines
    assert run("dedup a.txt").out.splitlines() == TEXTS[:2] + TEXTS[3:]


def test_dedup_leaves_out_blank_lines_and_none_of_a_record(run: Run) -> None:
    Path("b.txt").write_text("It rains.\n\nA dog barks.\n \nit rains\n\n")
    assert run("dedup b.txt").out == "It rains.\nA dog barks.\n"
    kept = '"It\n\nrains.",1\n'
    Path("b.csv").write_text(f'text,n\n\n{kept}\n"It\n\nrains",2\n\n')
    assert run("dedup b.csv").out == f"text,n\n{kept}"


def test_perturb_tells_what_stays(run: Run) -> None:
    Path("p.txt").write_text("She has a fever.\n\nStop!\nIt rains.\nOh no\n")
    found = run("perturb p.txt --kind negation")
    assert found.out.startswith("She does not have a fever.\n\nStop!\n")
    assert found.err == "2 of 4 texts unchanged (line 3, 4)\n"


def test_dedup_tells_what_it_drops(run: Run) -> None:
    kept = 'id,text\n1,"The bank\nsued the newspaper."\n2,It rains.\n'
    Path("a.csv").write_text(f'{kept}3,"the bank sued\nthe newspaper"\n')
    assert run("dedup a.csv -o kept.csv --dropped gone.csv").code == 0
    assert Path("kept.csv").read_text() == kept
    [row] = csv.DictReader(Path("gone.csv").read_text().splitlines(keepends=True))
    assert (row["line"], row["kept line"], row["reason"]) == ("5", "2", "The words are the same.")
    [group] = run("dedup a.csv --json").objects
    assert group["line"] == 2
    assert [one["line"] for one in group["dropped"]] == [5]
    assert run("dedup a.csv -o kept.csv --dropped gone.csv --ids id --force").code == 0
    [row] = csv.DictReader(Path("gone.csv").read_text().splitlines(keepends=True))
    assert (row["line"], row["id"], row["kept line"], row["kept id"]) == ("5", "3", "2", "1")
    [group] = run("dedup a.csv --json --ids id").objects
    assert (group["id"], [one["id"] for one in group["dropped"]]) == ("1", ["3"])
    assert run("dedup a.csv -o other.jsonl").out == ""
    lines = Path("other.jsonl").read_text().splitlines()
    assert [json.loads(line)["line"] for line in lines] == [2, 4]


def test_encode(nlp: Pipeline, run: Run) -> None:
    expected = nlp.encode(TEXTS)
    for name in write_inputs(TEXTS):
        assert run(f"encode {name} -o v.npy --force").code == 0
        assert np.array_equal(np.load("v.npy"), expected)
    vectors = [row["vector"] for row in run("encode a.txt").objects]
    assert np.array_equal(np.array(vectors, "f4"), expected)
    assert run("encode a.parquet -o v.parquet").code == 0
    table = pq.read_table("v.parquet")
    assert table.column_names == ["row", "text", "vector", "truncated"]
    assert np.array_equal(np.array(table["vector"].to_pylist(), "f4"), expected)


def test_encode_says_what_was_cut_and_skips_blanks(run: Run) -> None:
    write_inputs(["It rains.", " ", "word " * 400])
    assert "line 3: the text is empty" in run("encode a.csv -o v.npy").err
    assert not Path("v.npy").exists()
    said = run("encode a.csv -o v.npy --on-error skip").err
    assert "1 text of a.csv cut: longer than the encoder reads (line 4)" in said
    assert np.isnan(np.load("v.npy")).all(axis=1).tolist() == [False, True, False]


@pytest.mark.parametrize("command", ["mine", "cluster", "dedup", "encode"])
def test_bad_texts_are_named_by_their_line(command: str, run: Run) -> None:
    write_inputs(["It rains.", "", "It snows."])
    Path("a.bin").write_bytes(b"\xff\xfe\x00")
    Path("none.txt").write_text("\n \n")
    for name, said in (
        ("a.csv", "a.csv, line 3: the text is empty"),
        ("a.parquet", "a.parquet, row 2: the text is empty"),
        ("a.bin", "UTF-16 text"),
        ("missing.txt", "cannot read the file"),
        ("none.txt", "no texts"),
    ):
        done = run(f"{command} {name}")
        assert (done.code, said in done.err) == (1, True), done.err
    assert run(f"{command} a.csv --on-error skip").code == 0


@pytest.mark.parametrize("command", ["mine", "cluster", "dedup", "encode"])
def test_outputs_are_whole_or_not_there(command: str, run: Run) -> None:
    names = write_inputs(TEXTS)
    for out in ("a.docx", "missing/a.jsonl", "a.jsonl"):
        assert run(f"{command} a.jsonl -o {out} --force").code == 1
    assert Path("a.jsonl").read_text().count("\n") == len(TEXTS)
    assert sorted(path.name for path in Path().iterdir()) == sorted(names)


def test_a_cache_keeps_what_was_read(run: Run) -> None:
    write_inputs(TEXTS)
    first, again = (run("mine a.txt -t 0.5 --cache kept") for _ in range(2))
    assert first.out == again.out == run("mine a.txt -t 0.5").out
    assert list(Path("kept").glob("*.sqlite"))


@pytest.mark.parametrize("command", ["rank Rain.", "mine", "cluster", "dedup"])
def test_texts_that_are_cut_are_named(command: str, run: Run) -> None:
    Path("long.txt").write_text(f"It rains.\n{'It rains in the hills. ' * 100}\n")
    said = run(f"{command} long.txt").err
    assert "1 text of long.txt cut: longer than the encoder reads (line 2)" in said
