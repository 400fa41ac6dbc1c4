"""``hybridsem index`` and ``hybridsem search``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hybridsem.cli import main

TEXTS = [
    "The bank sued the newspaper.",
    "The newspaper was sued by the bank.",
    "The newspaper sued the bank.",
    "It rains.",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("cli")
    (there / "texts.txt").write_text("\n".join(TEXTS))
    assert main(["index", "build", str(there / "texts.txt"), "-o", str(there / "idx")]) == 0
    return there


def test_search(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    index = str(folder / "idx")
    assert main(["search", index, "The newspaper was sued by a bank.", "-k", "2", "--json"]) == 0
    hits = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {hit["id"] for hit in hits} == {0, 1}
    assert main(["search", index, "--agent", "newspaper", "--verb", "sued", "--details"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == f"1.0000  2  {TEXTS[2]}"
    assert [line.split() for line in shown[1:3]] == [
        ["Agent", "1.00", "newspaper"],
        ["Verb", "1.00", "sued"],
    ]
    (folder / "queries.txt").write_text(f"{TEXTS[3]}\n{TEXTS[0]}\n")
    queries = ["--queries", str(folder / "queries.txt"), "-k", "1", "--approximate"]
    assert main(["search", index, *queries]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown == [TEXTS[3], f"1.0000  3  {TEXTS[3]}", TEXTS[0], f"1.0000  0  {TEXTS[0]}"]
    assert main(["search", index, TEXTS[1], "-k", "1", "--details"]) == 0
    assert TEXTS[1] in capsys.readouterr().out
    assert main(["search", index, TEXTS[1], "-k", "2", "--by", "roles", "--json"]) == 0
    hits = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {hit["id"] for hit in hits} == {0, 1}  # active or passive, the roles are the same
    for hit in hits:
        assert hit["slots"]["Agent"] == {"text": "bank", "similarity": 1.0}


def test_append_delete_compact_info_export(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"key": f"k{n}", "body": text} for n, text in enumerate(TEXTS)]
    (folder / "a.jsonl").write_text("\n".join(map(json.dumps, rows[:2])))
    (folder / "b.jsonl").write_text("\n".join(map(json.dumps, rows[2:])))
    index, named = str(folder / "own"), ["--column", "body", "--ids", "key"]
    assert main(["index", "build", str(folder / "a.jsonl"), *named, "-o", index]) == 0
    assert main(["index", "append", index, str(folder / "b.jsonl"), *named]) == 0
    assert "2 texts added; the index has 4, in" in capsys.readouterr().err
    assert main(["index", "append", index, str(folder / "b.jsonl"), *named]) == 1
    assert "the id 'k2' is a duplicate" in capsys.readouterr().err
    (folder / "ids.txt").write_text("k3\n")
    assert main(["index", "delete", index, "k0", "--ids-from", str(folder / "ids.txt")]) == 0
    assert main(["index", "delete", index, "k0"]) == 1
    assert "no text has the id 'k0'" in capsys.readouterr().err
    assert main(["index", "compact", index]) == 0
    capsys.readouterr()
    assert main(["index", "info", index, "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert (info["texts"], info["segments"], info["model"]["model"]) == (2, 1, "hybrid")
    assert main(["index", "info", index]) == 0
    assert "texts               2" in capsys.readouterr().out
    out = folder / "texts.jsonl"
    assert main(["index", "export", index, "-o", str(out)]) == 0
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == ["k1", "k2"]
    assert main(["index", "export", index, "-o", str(out)]) == 1
    assert "the output exists" in capsys.readouterr().err


def test_ids_of_a_text_file_are_of_the_kind_of_the_index(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.jsonl").write_text('{"text": "A dog.", "id": 7}\n')
    (folder / "b.csv").write_text("text,id\nA cat.,8\n")
    (folder / "c.csv").write_text("text,id\nA cow.,k9\n")
    index = str(folder / "numbered")
    assert main(["index", "build", str(folder / "a.jsonl"), "--ids", "id", "-o", index]) == 0
    assert main(["index", "append", index, str(folder / "b.csv"), "--ids", "id"]) == 0
    assert main(["index", "append", index, str(folder / "c.csv"), "--ids", "id"]) == 1
    assert "whole numbers, got 'k9'" in capsys.readouterr().err
    assert main(["search", index, "A cat.", "-k", "1"]) == 0
    assert "8  A cat." in capsys.readouterr().out


def test_what_is_no_text_names_the_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.csv").write_text("text\nA dog.\n   \n\nA cat.\n")
    (folder / "bad.jsonl").write_text('{"text": "A dog."}\n{"text": " "}\n{"text": 7}\n')
    out = str(folder / "bad")
    assert main(["index", "build", str(folder / "bad.jsonl"), "-o", out]) == 1
    assert "bad.jsonl, line 2: the text is empty or blank" in capsys.readouterr().err
    assert main(["index", "build", str(folder / "bad.jsonl"), "-o", out, "--on-error", "skip"]) == 0
    assert "1 text in" in capsys.readouterr().err
    (folder / "long.txt").write_text(
        "A dog and " * 300 + "a cat.\nDer Hund schläft im Garten neben dem alten Haus.\n"
    )
    assert main(["index", "build", str(folder / "long.txt"), "-o", f"{out}-long"]) == 0
    assert "(1 cut, 1 not English" in capsys.readouterr().err
    assert main(["index", "append", out, str(folder / "bad.csv")]) == 0
    assert "2 texts added; the index has 3, in" in capsys.readouterr().err
