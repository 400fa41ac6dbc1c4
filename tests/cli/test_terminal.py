"""What messages quote of files and servers does not act on the terminal."""

import logging
from pathlib import Path

import pytest
from support.commands import Run
from support.file_server import serving

from hybridsem._utils.download import fetch
from hybridsem._utils.terminal import visible_lines
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
        ["similarity", "--vectors", f"glove:{ESCAPE}", "a", "b"],
        ["similarity", "--encoder", ESCAPE, "a", "b"],
    ],
)
def test_arguments_in_messages(arguments: list[str], run: Run) -> None:
    Path("in.csv").write_text("s1,s2\na,b\n")
    code, out, err = run("", *arguments)
    assert code in (1, 2)
    assert "\x1b" not in out + err
    assert "owned" in err


def test_a_file_of_that_name(run: Run) -> None:
    Path(f"{ESCAPE}.csv").write_text(f"s1,s2\n{ESCAPE},b\nb\n")
    command = ("score -m jaccard -o out.csv", f"{ESCAPE}.csv")
    code, _, err = run(*command)
    assert code == 1
    assert SHOWN in err or r"\\x1b" in err
    assert "\x1b" not in err
    code, _, err = run(*command, "--on-error", "skip")
    assert (code, "\x1b" in err) == (0, False)


def test_what_a_server_says(tmp_path: Path) -> None:
    with serving() as server:
        server.files["/f"], server.faults["/f"] = b"x", [f"redirect:http://127.0.0.1:1/{ESCAPE}"]
        with pytest.raises(AssetError) as caught:
            fetch([f"{server.url}/f"], tmp_path / "f", pause=0)
    assert "\x1b" not in visible_lines(str(caught.value))


def test_what_is_logged(run: Run) -> None:
    """A damaged cache is reported on standard error, whatever its folder is called."""
    Path("in.csv").write_text("s1,s2\na,b\n")
    command = ("score in.csv -m jaccard --force -o out.csv --cache", f"kept{ESCAPE}")
    assert run(*command).code == 0
    [file] = Path(f"kept{ESCAPE}").glob("*.sqlite")
    file.write_bytes(file.read_bytes().replace(b"[0.0]", b"[0.5]"))
    code, _, err = run(*command)
    assert (code, "\x1b" in err) == (0, False)
    assert "is damaged: 1 values count as absent" in err
    assert logging.getLogger("hybridsem").handlers == []
