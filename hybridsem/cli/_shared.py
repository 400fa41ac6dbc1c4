"""What the commands share: a pipeline of the options, an engine, printing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hybridsem._utils.disk import real, saving
from hybridsem._utils.terminal import visible_lines
from hybridsem.errors import InputError

if TYPE_CHECKING:
    from hybridsem.pipeline import Pipeline


def check_address(engine: str, address: str | None) -> None:
    """A usage error for an address without Ray."""
    if engine == "local" and address is not None:
        raise click.UsageError("--address is for --engine ray")


@contextmanager
def at_work(pipeline: Any, engine: str, address: str | None) -> Iterator[None]:
    """Have the engine read, where the pipeline can leave that to others."""
    check_address(engine, address)
    if engine == "local":
        yield
        return
    from hybridsem.batch.identity import maker_of
    from hybridsem.batch.ray_engine import RayEngine

    workers = closing(RayEngine(maker_of(pipeline), address))
    with workers as elsewhere, pipeline._executing(elsewhere):
        yield


def make_pipeline(parts: dict[str, str | None]) -> Pipeline:
    from hybridsem.pipeline import Pipeline

    given: dict[str, Any] = {name: value for name, value in parts.items() if value is not None}
    return Pipeline(**given)


def json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table for a terminal, as wide as it is; all but the first column are folded."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console, table = Console(), Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(Text(heading), no_wrap=heading == headings[0])
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def refuse_output(output: str, *inputs: str | None) -> None:
    """:class:`InputError` early for an output without a folder, or that is an input."""
    if output == "-":
        return
    path = real(output)
    if not path.parent.is_dir():
        raise InputError(f"the output's folder does not exist, got {output!r}")
    if path in (real(given) for given in inputs if given is not None):
        raise InputError(f"the output would replace an input, got {output!r} for both")


def refuse_existing(output: str, force: bool, what: str = "the output exists") -> None:
    """:class:`InputError` early for an output that is there, unless ``force`` replaces it."""
    if output != "-" and Path(output).exists() and not force:
        them = "them" if what.endswith("exist") else "it"
        raise InputError(f"{what}, got {output!r}; --force replaces {them}")


_NAMED = re.compile(
    r"\b(?P<name>\w+)(?P<equals>=(?:True)?)? \((?P<option>--(?P<plain>[\w-]+)(?:[^\w()-][^()]*)?)\)"
)
_EITHER = re.compile(r"\b\w+='\w+', or (--[\w-]+ \w+),")
_ARGUMENT = re.compile(r"(?<![\w'\"(,.])(normalise|frames|columns)=(?=\s)")


def as_cli_message(message: str) -> str:
    """A message that speaks of options and not of Python's arguments.

    >>> as_cli_message("the file exists; force=True (--force) replaces it")
    'the file exists; --force replaces it'
    >>> as_cli_message("normalise= is for models that compare roles")
    '--normalise is for models that compare roles'
    """

    def option(found: re.Match[str]) -> str:
        named = found["equals"] or found["name"].replace("_", "-") == found["plain"]
        return found["option"] if named else found[0]

    return _ARGUMENT.sub(r"--\1", _EITHER.sub(r"\1", _NAMED.sub(option, message)))


def say(text: object) -> None:
    """A message on standard error; what it quotes (names of files, answers of servers) does not act
    on the terminal.
    """
    click.echo(visible_lines(str(text)), err=True)


def counted(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def write(path: str, text: str, what: str) -> None:
    """Text to a file, which is replaced if it is there; ``-`` is standard output."""
    write_lines(path, [text], what)


def write_lines(path: str, lines: Iterable[str], what: str) -> None:
    """Lines with their ends, as :func:`write` writes text."""
    if path == "-":
        for line in lines:
            click.echo(line, nl=False)
        return
    with (
        saving(path, what) as part,
        part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream,
    ):
        stream.writelines(lines)
