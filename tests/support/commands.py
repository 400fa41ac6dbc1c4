"""Command lines and Python in tests, and what they print."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

ROOT = Path(__file__).parents[2]


def python(*arguments: str | Path, folder: Path = ROOT, **environment: str) -> str:
    """What a fresh interpreter prints in a folder, with more of an environment."""
    command, env = [sys.executable, *map(str, arguments)], os.environ | environment
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Ran(NamedTuple):
    """A command's exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The JSON objects of the lines of a command that succeeded."""
        assert self.code == 0, self.err
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def rows(self) -> list[dict[str, str]]:
        """The rows of the table of a command that succeeded."""
        assert self.code == 0, self.err
        return list(csv.DictReader(self.out.splitlines(keepends=True)))


def commands(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """A command and those below it, by name."""
    yield name, command
    if isinstance(command, click.Group):
        for part, below in command.commands.items():
            yield from commands(below, f"{name} {part}".strip())


Run = Callable[..., Ran]
"""Runs a command line, and further arguments as they are."""
