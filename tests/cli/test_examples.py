"""The examples of every `--help`, there for each command and right, and options of all."""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest

from hybridsem.cli import cli, main
from hybridsem.cli._options import EXAMPLES, FILES_ONLY

PAIRS = "question,answer,rating\nA dog ran.,A cat ran.,3\nIt rained.,It rains.,4\n"
PAIRS_AS_USUAL = PAIRS.replace("question,answer", "s1,s2")
SENTENCES = "A man sang.\nA song was sung by a man.\nIt rained.\n"
LINES = [
    pytest.param(line, id=line[:60])
    for lines in EXAMPLES.values()
    for line in lines
    if "COMMAND" not in line
]
RUN = ("similarity", "explain", "parse", "encode", "score", "report", "models")
"""Commands whose examples are run: they need no data but what is made here."""


def commands(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """A command and those below it, by name."""
    yield name, command
    if isinstance(command, click.Group):
        for part, below in command.commands.items():
            yield from commands(below, f"{name} {part}".strip())


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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that examples name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYBRIDSEM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SENTENCES.encode())))
    return tmp_path


def arguments(line: str) -> list[str]:
    """Those of the last command of a pipe."""
    words = shlex.split(line.rpartition("|")[2])
    assert words[0] == "hybridsem"
    return words[1:]


@pytest.mark.parametrize("line", LINES)
def test_examples_are_commands(line: str, folder: Path) -> None:
    """Every name, option and choice is known, and none that is needed is left out."""
    given = arguments(line)
    for word in given:
        if Path(word).suffix:
            (folder / word).touch()
    command: click.Command = cli
    context = click.Context(cli)
    while isinstance(command, click.Group) and given and given[0] in command.commands:
        name = given.pop(0)
        command = command.commands[name]
        if not isinstance(command, click.Group):
            with suppress(click.exceptions.Exit):  # of an option that ends it, as --list
                context = command.make_context(name, given, parent=context)
    assert not isinstance(command, click.Group) or not given


@pytest.mark.parametrize("name", RUN)
def test_examples_run(name: str, folder: Path) -> None:
    import gzip
    import json

    with gzip.open(folder / "pairs.jsonl.gz", "wt") as stream:
        stream.write(json.dumps({"s1": "A dog ran.", "s2": "It rained."}) + "\n")
    (folder / "sentences.txt").write_text(SENTENCES)
    (folder / "scored.csv").write_text("s1,s2,score\nA dog ran.,A cat ran.,0.5\n")
    (folder / "rated.csv").write_text("a,b,gold,rating\nA dog ran.,A cat ran.,1,0.5\n")
    for line in EXAMPLES[name]:
        given = arguments(line)
        if "--engine" in given:  # a cluster is in tests/batch/test_ray.py
            continue
        renamed = PAIRS if name == "score" and "--columns" in given else PAIRS_AS_USUAL
        (folder / "pairs.csv").write_text(renamed)
        if name == "score":
            (folder / "scored.csv").unlink(missing_ok=True)
        assert main(given) == 0, line
