"""The examples of every `--help`, which run, and the options of all commands."""

import gzip
import json
from pathlib import Path

import click
import pytest
from support.commands import Run, commands

from hybridsem.cli import cli, main
from hybridsem.cli._options import EXAMPLES, FILES_ONLY

PAIRS = "question,answer,rating\nA dog ran.,A cat ran.,3\nIt rained.,It rains.,4\n"
SENTENCES = "A man sang.\nA song was sung by a man.\nIt rained.\n"
RUN = ("similarity", "explain", "parse", "encode", "score", "report", "models")
"""Commands whose examples are run: they need no data but what is made here."""


def test_every_command_has_examples_that_help_shows(capsys: pytest.CaptureFixture[str]) -> None:
    found = dict(commands(cli))
    assert set(EXAMPLES) == set(found), "EXAMPLES has a place for each command"
    for name in found:
        assert main([*name.split(), "--help"]) == 0
        shown = capsys.readouterr().out
        assert EXAMPLES[name]
        for line in EXAMPLES[name]:
            assert f"\n    {line}\n" in shown, "an example stands on its own line"
            assert f"hybridsem {name}".strip() in line


def test_every_command_can_be_quiet_and_print_json() -> None:
    for name, command in commands(cli):
        if isinstance(command, click.Group):
            continue
        flags = {flag for parameter in command.params for flag in parameter.opts}
        assert {"-q", "--quiet"} <= flags, name
        assert ("--json" in flags) == (name not in FILES_ONLY), name


@pytest.mark.parametrize("name", RUN)
def test_examples_run(name: str, run: Run) -> None:
    with gzip.open("pairs.jsonl.gz", "wt") as stream:
        stream.write(json.dumps({"s1": "A dog ran.", "s2": "It rained."}) + "\n")
    Path("sentences.txt").write_text(SENTENCES)
    Path("scored.csv").write_text("s1,s2,score\nA dog ran.,A cat ran.,0.5\n")
    Path("rated.csv").write_text("a,b,gold,rating\nA dog ran.,A cat ran.,1,0.5\n")
    for line in EXAMPLES[name]:
        if "--engine" in line:  # a cluster is in tests/batch/test_ray.py
            continue
        usual = name != "score" or "--columns" not in line
        Path("pairs.csv").write_text(PAIRS.replace("question,answer", "s1,s2") if usual else PAIRS)
        if name == "score":
            Path("scored.csv").unlink(missing_ok=True)
        command = line.rpartition("| ")[2].removeprefix("hybridsem ")
        assert run(command, stdin=SENTENCES.encode()).code == 0, line
