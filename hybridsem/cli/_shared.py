"""What the commands share: the options that name a pipeline's parts, and printing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import click

from hybridsem._utils.disk import real, saving
from hybridsem._utils.terminal import visible_lines
from hybridsem.errors import InputError

if TYPE_CHECKING:
    from hybridsem.pipeline import Pipeline

__all__ = [
    "ENCODING",
    "at_work",
    "check_address",
    "complete_models",
    "counted",
    "engine_options",
    "json_text",
    "make_pipeline",
    "model_options",
    "names_in",
    "names_of",
    "of_options",
    "part_options",
    "print_table",
    "refuse_output",
    "say",
    "write",
]


def names_of(known: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """For the completion of shells: those of the names that begin as what was typed does."""

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
        return [name for name in known() if name.startswith(begun)]

    return complete


def _models() -> Iterable[str]:
    from hybridsem.registry import models

    return models()


def _encoders() -> Iterable[str]:
    from hybridsem.registry import encoders, presets

    return ["embedded", *presets.rows(), *encoders.KINDS]


def _parsers() -> Iterable[str]:
    from hybridsem.registry import parsers

    return parsers.KINDS


def _vectors() -> Iterable[str]:
    from hybridsem.registry import word_vectors

    return ["embedded", *word_vectors.FILES, "spacy"]


complete_models = names_of(_models)


def part_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what a pipeline is made of; they arrive as one mapping ``parts``."""
    options = (
        click.option(
            "--model",
            "-m",
            default="hybrid",
            show_default=True,
            help="Model; see `hybridsem models`.",
            shell_complete=complete_models,
        ),
        click.option(
            "--parser",
            help="Parser: a name or KIND:ARGUMENT, such as spacy:en_core_web_sm.",
            shell_complete=names_of(_parsers),
        ),
        click.option(
            "--vectors",
            help="Word vectors: a name or KIND:ARGUMENT, such as glove:FILE.",
            shell_complete=names_of(_vectors),
        ),
        click.option(
            "--encoder",
            help="Sentence encoder: a name or KIND:ARGUMENT.",
            shell_complete=names_of(_encoders),
        ),
        click.option(
            "--scale",
            metavar="FILE",
            help="The encoder's scale: a file of `hybridsem fit-encoder`.",
        ),
        click.option(
            "--normalise",
            help="How role scores are normalised: matched, total, union or dice.",
            shell_complete=names_of(lambda: ("matched", "total", "union", "dice")),
        ),
        click.option(
            "--frames",
            help="Whose roles are compared: main (predicates), or all, assigned to each other.",
            shell_complete=names_of(lambda: ("main", "all")),
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a pipeline's parts, and of what was learned or calibrated for it."""
    weights = click.option(
        "--weights",
        metavar="FILE",
        help="Learned weights: a file of `hybridsem train` for this model.",
    )
    return part_options(weights(command))


ENCODING = click.option(
    "--encoding",
    default="utf-8",
    show_default=True,
    metavar="NAME",
    help="Of text inputs, such as cp1252 or utf-16; what is written is UTF-8.",
    shell_complete=names_of(lambda: ("utf-8", "utf-16", "cp1252", "latin-1")),
)


def engine_options(what: str = "does the work") -> Callable[[Callable[..., Any]], Any]:
    """``--engine``, of which is told what it does, and ``--address``."""
    engine = click.option(
        "--engine",
        type=click.Choice(["local", "ray"]),
        default="local",
        show_default=True,
        help=f"What {what}: this machine, or a Ray cluster.",
    )
    address = click.option(
        "--address",
        help="The Ray cluster of --engine ray: auto, or HOST:PORT; without it, Ray on this "
        "machine.",
    )
    return lambda command: engine(address(command))


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
    with workers as elsewhere, pipeline.reading_elsewhere(elsewhere):
        yield


def make_pipeline(parts: dict[str, str | None]) -> Pipeline:
    from hybridsem.pipeline import Pipeline

    given: dict[str, Any] = {name: value for name, value in parts.items() if value is not None}
    return Pipeline(**given)


def names_in(text: str | None) -> tuple[str, ...] | None:
    """The names in an option such as ``--columns s1,s2``; None where it was not given."""
    return None if text is None else tuple(name.strip() for name in text.split(","))


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


_NAMED = re.compile(
    r"\b(?P<name>\w+)(?P<equals>=(?:True)?)? \((?P<option>--(?P<plain>[\w-]+)(?:[^\w()-][^()]*)?)\)"
)
_EITHER = re.compile(r"\b\w+='\w+', or (--[\w-]+ \w+),")
_ARGUMENT = re.compile(r"(?<![\w'\"(,.])(normalise|frames|columns)=(?=\s)")


def of_options(message: str) -> str:
    """A message that speaks of options and not of Python's arguments.

    >>> of_options("the file exists; force=True (--force) replaces it")
    'the file exists; --force replaces it'
    >>> of_options("normalise= is for models that compare roles")
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
    """So many of something."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def write(path: str, text: str, what: str) -> None:
    """Text to a file, which is replaced if it is there; ``-`` is standard output."""
    if path == "-":
        click.echo(text, nl=False)
        return
    with saving(path, what) as part:
        part.write_text(text, encoding="utf-8", errors="backslashreplace")
