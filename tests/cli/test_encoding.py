"""Commands on text inputs in other encodings than UTF-8."""

from __future__ import annotations

import csv
from pathlib import Path

from support.commands import Run

PAIRS = "s1,s2\nLe café est fermé.,Das Café ist zu.\nÀ bientôt.,Bis später.\n"


def test_commands_take_an_encoding(run: Run) -> None:
    Path("pairs.csv").write_bytes(PAIRS.encode("cp1252"))
    command = "score pairs.csv -o out.csv -m jaccard"
    assert run(f"{command} --encoding cp1252").code == 0
    rows = list(csv.reader(Path("out.csv").read_text(encoding="utf-8").splitlines()))
    assert rows[1][:2] == ["Le café est fermé.", "Das Café ist zu."]
    assert run(f"{command} --encoding latin-1 --resume").code == 1, "of another encoding"


def test_a_kept_record_is_written_as_utf_8(run: Run) -> None:
    Path("texts.txt").write_bytes("Le café est fermé.\nLe café est fermé.\n".encode("cp1252"))
    assert run("dedup texts.txt -o kept.txt --encoding cp1252").code == 0
    assert Path("kept.txt").read_text(encoding="utf-8") == "Le café est fermé.\n"


def test_lines_are_parsed_and_changed_in_their_encoding(run: Run) -> None:
    Path("texts.txt").write_bytes("The café closed.\n".encode("utf-16"))
    [parsed] = run("parse texts.txt --encoding utf-16 --json").objects
    assert parsed["text"] == "The café closed."
    assert run("perturb texts.txt -k uppercase --encoding utf-16").code == 0
