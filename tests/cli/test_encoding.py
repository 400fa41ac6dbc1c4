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
