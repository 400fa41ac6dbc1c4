"""``hybridsem index`` and ``hybridsem search``."""

import json
import shutil
from pathlib import Path

import pytest
from support.commands import Run

from hybridsem.cli import main

TEXTS = [
    "The bank sued the newspaper.",
    "The newspaper was sued by the bank.",
    "The newspaper sued the bank.",
    "It rains.",
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("cli")
    (there / "texts.txt").write_text("\n".join(TEXTS))
    assert main(["index", "build", str(there / "texts.txt"), "-o", str(there / "idx")]) == 0
    return there / "idx"


def test_search(run: Run, index: Path) -> None:
    shutil.copytree(index, "idx")
    hits = run("search idx 'The newspaper was sued by a bank.' -k 2 --json").objects
    assert {hit["id"] for hit in hits} == {0, 1}
    shown = run("search idx --agent newspaper --verb sued --details").out.splitlines()
    assert shown[0] == f"1.0000  2  {TEXTS[2]}"
    roles = [["Agent", "1.00", "exact", "newspaper"], ["Verb", "1.00", "exact", "sued"]]
    assert [line.split() for line in shown[1:3]] == roles
    Path("queries.txt").write_text(f"{TEXTS[3]}\n{TEXTS[0]}\n")
    shown = run("search idx --queries queries.txt -k 1 --approximate").out.splitlines()
    assert shown == [TEXTS[3], f"1.0000  3  {TEXTS[3]}", TEXTS[0], f"1.0000  0  {TEXTS[0]}"]
    assert TEXTS[1] in run("search idx -k 1 --details", TEXTS[1]).out
    hits = run("search idx -k 2 --by roles --json", TEXTS[1]).objects
    assert {hit["id"] for hit in hits} == {0, 1}  # active or passive, the roles are the same
    agent = {"text": "bank", "similarity": 1.0, "match": "exact"}
    assert all(hit["slots"]["Agent"] == agent for hit in hits)


def test_append_delete_compact_info(run: Run) -> None:
    rows = [json.dumps({"key": f"k{n}", "body": text}) for n, text in enumerate(TEXTS)]
    for name, some in (("a.jsonl", rows[:2]), ("b.jsonl", rows[2:])):
        Path(name).write_text("\n".join(some))
    assert run("index build a.jsonl --column body --ids key -o own").code == 0
    append = "index append own b.jsonl --column body --ids key"
    assert "2 texts added; the index has 4, in" in run(append).err
    again = run(append)
    assert (again.code, "the id 'k2' is a duplicate" in again.err) == (1, True)
    assert "2 texts added; the index has 4, in" in run(f"{append} --replace").err
    assert run("index delete own k0 k3").code == 0
    assert "no text has the id 'k0'" in run("index delete own k0").err
    assert run("index compact own").code == 0
    [info] = run("index info own --json").objects
    assert (info["texts"], info["segments"], info["model"]["model"]) == (2, 1, "hybrid")
    assert "texts               2" in run("index info own").out


def test_ids_of_a_text_file_are_of_the_kind_of_the_index(run: Run) -> None:
    Path("a.jsonl").write_text('{"text": "A dog.", "id": 7}\n')
    Path("b.csv").write_text("text,id\nA cat.,8\n")
    Path("c.csv").write_text("text,id\nA cow.,k9\n")
    assert run("index build a.jsonl --ids id -o numbered").code == 0
    assert run("index append numbered b.csv --ids id").code == 0
    assert "whole numbers, got 'k9'" in run("index append numbered c.csv --ids id").err
    assert "8  A cat." in run("search numbered 'A cat.' -k 1").out


def test_what_is_no_text_names_the_line(run: Run) -> None:
    Path("bad.csv").write_text("text\nA dog.\n   \n\nA cat.\n")
    Path("bad.jsonl").write_text('{"text": "A dog."}\n{"text": " "}\n{"text": 7}\n')
    build = "index build bad.jsonl -o bad"
    assert "bad.jsonl, line 2: the text is empty or blank" in run(build).err
    assert "1 text in" in run(f"{build} --on-error skip").err
    german = "Der Hund schläft im Garten neben dem alten Haus."
    Path("long.txt").write_text(f"{'A dog and ' * 300}a cat.\n{german}\n")
    assert "(1 cut, 1 not English" in run("index build long.txt -o long").err
    assert "2 texts added; the index has 3, in" in run("index append bad bad.csv").err
