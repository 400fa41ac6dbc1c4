"""What messages quote of files and servers does not act on the terminal."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from support.file_server import serving

from hybridsem._utils.download import fetch
from hybridsem._utils.terminal import visible, visible_lines
from hybridsem.cli import main
from hybridsem.errors import AssetError

ESCAPE = "\x1b]0;owned\x07\x1b[2J"
SHOWN = r"\x1b]0;owned\x07\x1b[2J"


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", f"{ESCAPE}.csv"],
        ["score", "in.csv", "--columns", f"{ESCAPE},b"],
        ["score", "in.csv", f"--{ESCAPE}"],
        [ESCAPE],
        ["similarity", "-m", f"glove{ESCAPE}", "a", "b"],
        ["evaluate", ESCAPE, "-m", "jaccard"],
        ["compare", f"{ESCAPE}.json", "x.json"],
        ["parse", "--parser", f"penman:{ESCAPE}", "a"],
    ],
)
def test_arguments_in_messages(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text("s1,s2\na,b\n")
    assert main(arguments) in (1, 2)
    printed = capsys.readouterr()
    assert "\x1b" not in printed.out + printed.err
    assert "owned" in printed.err


def test_a_file_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(f"{ESCAPE}.csv").write_text(f"s1,s2\n{ESCAPE},b\nb\n")
    assert main(["score", f"{ESCAPE}.csv", "-o", "out.csv", "-m", "jaccard"]) == 1
    assert SHOWN in (printed := capsys.readouterr().err) or r"\\x1b" in printed
    assert "\x1b" not in printed
    assert (
        main(["score", f"{ESCAPE}.csv", "-o", "o.csv", "-m", "jaccard", "--on-error", "skip"]) == 0
    )
    assert "\x1b" not in capsys.readouterr().err


def test_what_a_server_says(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with serving() as server:
        server.files["/f"], server.faults["/f"] = b"x", [f"redirect:http://127.0.0.1:1/{ESCAPE}"]
        with pytest.raises(AssetError) as caught:
            fetch([f"{server.url}/f"], tmp_path / "f", pause=0)
    assert "\x1b" not in visible_lines(str(caught.value))


def test_what_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A damaged cache is reported on standard error, whatever its folder is called."""
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text("s1,s2\na,b\n")
    cache = Path(f"kept{ESCAPE}")
    command = ["score", "in.csv", "-m", "jaccard", "--cache", str(cache), "--force", "-o"]
    assert main([*command, "one.csv"]) == 0
    (file,) = cache.glob("*.sqlite")
    file.write_bytes(file.read_bytes().replace(b"[0.0]", b"[0.5]"))
    capsys.readouterr()
    assert main([*command, "two.csv"]) == 0
    printed = capsys.readouterr().err
    assert "is damaged: 1 values count as absent" in printed
    assert "\x1b" not in printed
    assert logging.getLogger("hybridsem").handlers == []


def test_what_is_visible() -> None:
    assert visible("a\nb\x9b1m\u202e") == r"a b\x9b1m\u202e"
    assert visible_lines("a\nb\x1b") == "a\nb\\x1b"
