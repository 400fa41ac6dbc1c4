"""How the command line speaks: options in messages, ends of runs, summaries."""

from pathlib import Path

import pytest
from support.commands import ROOT, Run

from hybridsem.cli._shared import as_cli_message

RATED = ROOT / "examples/rated.csv"
PAIRS = "s1,s2\nA dog ran.,A cat ran.\nIt rained.,It rains.\n"


@pytest.fixture(autouse=True)
def folder(run: Run, cache: Path) -> None:
    """Pairs in the folder of the command, and a cache of its own."""
    Path("in.csv").write_text(PAIRS)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("with rating_from= (--from RATING)", "with --from RATING"),
        ("move it and resume (--resume), or", "move it and --resume, or"),
        ("safe_csv (--safe-csv) is for csv", "--safe-csv is for csv"),
        (
            "(on_error='skip', or --on-error skip, keeps such rows)",
            "(--on-error skip keeps such rows)",
        ),
        ("no score (--on-error skip keeps such rows)",) * 2,
        ("got 'frames= x', 'force=True'",) * 2,
        ("no such file: a.csv (--file)",) * 2,
    ],
)
def test_messages_speak_of_options(message: str, shown: str) -> None:
    assert as_cli_message(message) == shown


@pytest.mark.parametrize(
    ("command", "summary"),
    [
        ("judge in.csv", "2 pairs: "),
        ("mine one.txt", "0 pairs of 1 text"),
        ("cluster twice.txt -t .9", "1 group of 1 of 2 texts (1 repetition not"),
        ("dedup twice.txt", "2 of 2 texts kept, 0 dropped (1 repetition not counted)"),
        ("encode one.txt", "1 vector of 384 numbers"),
        ("score one.csv -m jaccard -o out.csv --force", "1 of 1 pair scored, 2 distinct"),
    ],
)
def test_summaries_and_quiet(command: str, summary: str, run: Run) -> None:
    Path("one.txt").write_text("A dog ran.\n")
    Path("twice.txt").write_text("A dog ran.\nIt rains.\nA dog ran.\n")
    Path("one.csv").write_text("s1,s2\nA dog ran.,A cat ran.\n")
    code, _, err = run(command)
    assert (code, summary in err) == (0, True), err
    quiet = run(f"{command} -q")
    assert (quiet.code, quiet.err) == (0, "")


def test_weights_without_a_gain(run: Run) -> None:
    pytest.importorskip("sklearn")
    for options, written in (("", False), ("--yes", True)):
        train = f"train {RATED} -o w.json -m verbnet-cn --folds 3 --resamples 100 {options}"
        code, out, err = run(train)
        assert (code, Path("w.json").exists()) == (0 if written else 1, written)
        assert "no gain" in out
        assert ("nothing is written (no gain" in err) == (not written)
