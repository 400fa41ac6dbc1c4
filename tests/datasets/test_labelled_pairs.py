"""PAWS, SICK and SNLI as published."""

import json
from pathlib import Path

import pytest

from hybridsem.datasets.labelled_pairs import inference, paws
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError

WIKI = "id\tsentence1\tsentence2\tlabel\n1\tThe cat 's dog .\tA dog , a cat .\t1\n2\ta b\tb a\t0\n"


def settings(**options: object) -> Settings:
    return Settings(options=options)


def test_paws_wiki_is_detokenised_unless_as_written(tmp_path: Path) -> None:
    file = tmp_path / "dev.tsv"
    file.write_text(WIKI)
    data = paws(tmp_path, settings(split="dev"))
    assert data.pairs == [("The cat's dog.", "A dog, a cat."), ("a b", "b a")]
    assert data.labels == ("paraphrase", "different")
    assert (data.source, data.split, data.rows) == ("dev.tsv", "dev", 2)
    written = paws(file, settings(as_written=True))
    assert written.pairs[0] == ("The cat 's dog .", "A dog , a cat .")
    assert written.sha256 != data.sha256


def test_paws_qqp_holds_literals_of_bytes(tmp_path: Path) -> None:
    file = tmp_path / "dev_and_test.tsv"
    rows = [
        ("b'What is a caf\\xc3\\xa9 ?'", 'b"What \'s that ?"', "0"),
        ("b'broken \\x", "b'", "1"),
    ]
    lines = ["id\tsentence1\tsentence2\tlabel", *("9\t" + "\t".join(row) for row in rows)]
    file.write_text("\n".join(lines) + "\n")
    data = paws(file, settings())
    assert data.pairs[0] == ("What is a café?", "What's that?")
    assert data.pairs[1] == ("b'broken \\x", "b'")  # no literal, so as it stands
    assert data.labels == ("different", "paraphrase")


def test_sick_and_snli(tmp_path: Path) -> None:
    sick = tmp_path / "SICK_trial.txt"
    sick.write_text(
        "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
        "1\tA man\tA woman\t3.0\tNEUTRAL\n2\tx\ty\t1\tCONTRADICTION\n"
    )
    data = inference(tmp_path, settings(split="dev"))
    assert data.labels == ("neutral", "contradiction")
    snli = tmp_path / "snli_1.0_test.jsonl"
    records = [("entailment", "a", "b"), ("-", "c", "d")]
    names = "gold_label", "sentence1", "sentence2"
    rows = [json.dumps(dict(zip(names, record, strict=True))) for record in records]
    snli.write_text("\n".join(rows))
    data = inference(snli, settings())
    assert (data.labels, data.unlabelled, data.split) == (("entailment",), 1, "test")
    table = tmp_path / "mine.tsv"
    table.write_text("premise\thypothesis\tlabel\na\tb\tEntailment\n")
    assert inference(table, settings()).labels == ("entailment",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("sentence1\tlabel\na\t1\n", "no columns for two sentences"),
        ("sentence1\tsentence2\na\tb\n", "no columns for a label"),
        ("sentence1\tsentence2\tlabel\na\tb\tmaybe\n", r"in\.tsv, line 2: unknown label.*'maybe'"),
        ("sentence1\tsentence2\tlabel\na\t \t1\n", r"line 2: the text is empty or blank"),
        ("sentence1\tsentence2\tlabel\na\tb\n", "expected 3 columns as in line 1, got 2$"),
        ("", "no row has a label"),
        ("sentence1\tsentence2\tlabel\n", "no row has a label"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "in.tsv").write_text(content)
    with pytest.raises(FormatError, match=message):
        paws(tmp_path / "in.tsv", settings())
