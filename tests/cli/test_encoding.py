"""Commands on text inputs in other encodings than UTF-8."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from hybridsem.cli import main

PAIRS = "s1,s2\nLe café est fermé.,Das Café ist zu.\nÀ bientôt.,Bis später.\n"


def test_commands_take_an_encoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "pairs.csv", tmp_path / "out.csv"
    source.write_bytes(PAIRS.encode("cp1252"))
    command = ["score", str(source), "-o", str(out), "-m", "jaccard"]
    assert main([*command, "--encoding", "cp1252"]) == 0
    rows = list(csv.reader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert rows[1][:2] == ["Le café est fermé.", "Das Café ist zu."]
    capsys.readouterr()
    assert main([*command, "--encoding", "latin-1", "--resume"]) == 1, "of another encoding"


def test_a_kept_record_is_written_as_utf_8(tmp_path: Path) -> None:
    source, kept = tmp_path / "texts.txt", tmp_path / "kept.txt"
    source.write_bytes("Le café est fermé.\nLe café est fermé.\n".encode("cp1252"))
    command = ["dedup", str(source), "-o", str(kept), "--encoding", "cp1252"]
    assert main(command) == 0
    assert kept.read_text(encoding="utf-8") == "Le café est fermé.\n"


def test_lines_are_parsed_and_changed_in_their_encoding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "texts.txt"
    source.write_bytes("The café closed.\n".encode("utf-16"))
    assert main(["parse", str(source), "--encoding", "utf-16", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["text"] == "The café closed."
    assert main(["perturb", str(source), "-k", "uppercase", "--encoding", "utf-16"]) == 0
