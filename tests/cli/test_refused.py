"""Wrong usage, and files and names that a command refuses: exit code, message, and no output."""

import shlex
import shutil
from pathlib import Path

import pytest
from support.blocks import cases
from support.commands import ROOT

from hybridsem.cli import main

GRAPH = "# ::id one\n(c / chase-01 :ARG0 (d / dog))\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the commands name."""
    there = tmp_path_factory.mktemp("refused")
    shutil.copy(ROOT / "examples/rated.csv", there)
    for name, content in (
        ("texts.txt", "It rains.\nA dog ran.\n"),
        ("one.penman", f"{GRAPH}\n{GRAPH}"),
        ("two.penman", GRAPH),
        ("newer.json", '{"schema": "hybridsem/card", "version": 99}'),
        ("body.jsonl", '{"body": 1}\n'),
        ("words.txt", ": family\nking queen he she\n"),
    ):
        (there / name).write_text(content)
    (there / "latin.csv").write_bytes(b"s1,s2\nL\xe9a,b\n")
    (there / "latin.txt").write_bytes(b"caf\xe9\n")
    (there / "utf16.txt").write_bytes("The café closed.\n".encode("utf-16"))
    assert main(["index", "build", str(there / "texts.txt"), "-o", str(there / "idx")]) == 0
    return there


def state_of(folder: Path) -> dict[Path, int]:
    """Return when each file was changed."""
    return {path: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("lines", cases(__file__, "refused.txt"))
def test_what_is_refused(
    lines: list[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    before = state_of(folder)
    code, _, message = lines[1].partition(" ")
    assert main(shlex.split(lines[0])) == int(code)
    printed = capsys.readouterr()
    assert message in " ".join(printed.err.split())
    assert printed.out == ""
    assert state_of(folder) == before
    assert ("Usage: hybridsem" in printed.err) == (code == "2")
