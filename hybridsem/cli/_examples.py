"""The examples in the ``--help`` of each command."""

from __future__ import annotations

from pathlib import Path

import click


def _read() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in Path(__file__).with_name("examples.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            lines = found.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return found


EXAMPLES = _read()
"""Examples by the name of the command, "" for ``hybridsem`` itself."""


def add_examples(command: click.Command, name: str) -> None:
    """Add the examples to the help of a command and of those below it."""
    # \b keeps click from wrapping the lines.
    command.epilog = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in EXAMPLES[name])
    if isinstance(command, click.Group) and name:
        for part, below in command.commands.items():
            add_examples(below, f"{name} {part}")
