"""The examples in the ``--help`` of each command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from hybridsem._utils.tables import read_table

EXAMPLES: Mapping[str, Sequence[str]] = read_table(__file__)
"""Examples by the name of the command, "" for ``hybridsem`` itself."""


def add_examples(command: click.Command, name: str) -> None:
    """Add the examples to the help of a command and of those below it."""
    # \b keeps click from wrapping the lines.
    command.epilog = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in EXAMPLES[name])
    if isinstance(command, click.Group) and name:
        for part, below in command.commands.items():
            add_examples(below, f"{name} {part}")
