"""Helpers of the commands: pipelines from options, engines, printing."""

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
from hybridsem.cli._options import is_quiet, wants_json
from hybridsem.errors import InputError

if TYPE_CHECKING:
    from hybridsem.batch.ray_engine import RayEngine
    from hybridsem.pipeline import Pipeline


def ray_engine(pipeline: Any, engine: str, address: str | None) -> RayEngine | None:
    """Return the engine of ``--engine ray``, None for ``local``."""
    if engine == "local":
        if address is not None:
            raise click.UsageError("--address is for --engine ray")
        return None
    from hybridsem.batch.identity import maker_of
    from hybridsem.batch.ray_engine import RayEngine

    return RayEngine(maker_of(pipeline), address)


@contextmanager
def executor_context(pipeline: Any, engine: str, address: str | None) -> Iterator[None]:
    """Let the engine read sentences within the body."""
    executor = ray_engine(pipeline, engine, address)
    if executor is None:
        yield
        return
    with closing(executor), pipeline._executing(executor):
        yield


def make_pipeline(parts: dict[str, str | None]) -> Pipeline:
    """Return the pipeline of the given parts."""
    from hybridsem.pipeline import Pipeline

    given: dict[str, Any] = {name: value for name, value in parts.items() if value is not None}
    return Pipeline(**given)


def json_text(value: object) -> str:
    """Return JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table as wide as the terminal; all columns but the first wrap."""
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
    """Raise :class:`InputError` if the output has no folder, or is an input."""
    if output == "-":
        return
    path = real(output)
    if not path.parent.is_dir():
        raise InputError(f"the output's folder does not exist, got {output!r}")
    if path in (real(given) for given in inputs if given is not None):
        raise InputError(f"the output would replace an input, got {output!r} for both")


def refuse_existing(output: str, force: bool, what: str = "the output exists") -> None:
    """Raise :class:`InputError` if the output exists, unless ``force`` replaces it."""
    if output != "-" and Path(output).exists() and not force:
        them = "them" if what.endswith("exist") else "it"
        raise InputError(f"{what}, got {output!r}; --force replaces {them}")


_NAMED = re.compile(
    r"\b(?P<name>\w+)(?P<equals>=(?:True)?)? \((?P<option>--(?P<plain>[\w-]+)(?:[^\w()-][^()]*)?)\)"
)
_EITHER = re.compile(r"\b\w+='\w+', or (--[\w-]+ \w+),")
_ARGUMENT = re.compile(r"(?<![\w'\"(,.])(normalise|frames|columns)=(?=\s)")


def as_cli_message(message: str) -> str:
    """Return a message with command-line options in place of Python's arguments.

    >>> as_cli_message("the file exists; force=True (--force) replaces it")
    'the file exists; --force replaces it'
    >>> as_cli_message("normalise= is for models that compare roles")
    '--normalise is for models that compare roles'
    """

    def option(found: re.Match[str]) -> str:
        named = found["equals"] or found["name"].replace("_", "-") == found["plain"]
        return found["option"] if named else found[0]

    return _ARGUMENT.sub(r"--\1", _EITHER.sub(r"\1", _NAMED.sub(option, message)))


def echo_err(text: object) -> None:
    """Print a message on standard error; quoted names of files and answers of servers do not act on
    the terminal.
    """
    click.echo(visible_lines(str(text)), err=True)


def echo_summary(text: object) -> None:
    """Print a summary on standard error, unless ``--quiet``."""
    if not is_quiet():
        echo_err(text)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 text``, ``2,000 texts``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def echo_written(number: int, noun: str, output: object, **more: int) -> None:
    """Print how much was written to a file."""
    if wants_json():
        click.echo(json_text({"output": str(output), f"{noun}s": number, **more}))
    else:
        click.echo(f"{counted(number, noun)} in {output}")


def write(path: str, text: str, what: str) -> None:
    """Write text to a file, replacing it; ``-`` is standard output."""
    write_lines(path, [text], what)


def write_lines(path: str, lines: Iterable[str], what: str) -> None:
    """Write lines with their ends, as :func:`write` writes text."""
    if path == "-":
        for line in lines:
            click.echo(line, nl=False)
        return
    with (
        saving(path, what) as part,
        part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream,
    ):
        stream.writelines(lines)
