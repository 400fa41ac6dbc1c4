"""The options of the commands: ``_options.toml``, and the parts of a pipeline."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from hybridsem._typing import Plain
from hybridsem._utils.tables import read_table
from hybridsem.errors import InputError

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]
INPUT = click.Path(allow_dash=True)
SHARED, PARTS, COMMANDS, SUMMARIES = read_table(__file__).values()
OF_PIPELINE = (*PARTS, "weights", "calibration")
EXAMPLES: Mapping[str, Sequence[str]] = read_table(str(Path(__file__).with_name("examples")))
"""The examples in the help of each command, "" for ``hybridsem`` itself."""
_EAGER: Plain = {"is_flag": True, "is_eager": True, "expose_value": False}
OPTION_TYPES: Mapping[str | None, type | click.Path] = {
    "int": int,
    "float": float,
    "path": click.Path(),
    "file": click.Path(dir_okay=False),
    "folder": click.Path(file_okay=False),
}


def declared(name: str, run: Command | None = None) -> Decorator:
    """Declare the options of a command; those of a pipeline are one argument ``parts``. Those that
    are parameters of ``run``, ``parts`` among them, are one argument ``run``, its result.
    """
    options = several(*map(_option, COMMANDS[name]))
    known = {parameter.name for parameter in vars(options(lambda: None))["__click_params__"]}
    of_run = set() if run is None else {*inspect.signature(run).parameters}

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def taken(**given: Any) -> object:
            if parts := {name: given.pop(name) for name in OF_PIPELINE if name in known}:
                given["parts"] = parts
            if run is not None:
                given["run"] = run(**{name: given.pop(name) for name in of_run & given.keys()})
            return command(**given)

        return options(taken)

    return decorate


def _option(row: str | Plain) -> Decorator:
    """Declare the option of a row, shown with its default if it has one."""
    if row in ("model", "parts"):
        weights = [_option("weights")] if row == "model" else []
        return several(*map(_option, PARTS.values()), *weights)
    row = {"like": row} if isinstance(row, str) else row
    given: Plain = {**SHARED.get(row.get("like"), {}), **row}
    given.pop("like", None)
    kind = given.pop("type", "int" if "min" in given else None)
    limits = {name: given.pop(name) for name in ("min", "max", "min_open") if name in given}
    if kind == "flag":
        given["is_flag"] = True
    elif limits:
        given["type"] = (click.FloatRange if kind == "float" else click.IntRange)(**limits)
    elif "choices" in given:
        given["type"] = click.Choice(given.pop("choices"))
    else:
        given["type"] = OPTION_TYPES.get(kind)
    given["show_default"] = "default" in given or None
    return click.option(*given.pop("flags").split(), **given)


def several(*options: Decorator) -> Decorator:
    """Combine options into one decorator."""
    return lambda command: functools.reduce(lambda done, each: each(done), options[::-1], command)


# -- options of every command, added when it is loaded


def _stored(flags: str, name: str, help: str) -> click.Option:
    """Return a flag that is kept in the context under ``name`` instead of becoming an argument."""

    def keep(context: click.Context, _: click.Parameter, given: bool) -> None:
        context.meta[name] = context.meta.get(name, False) or given

    return click.Option(flags.split(), callback=keep, help=help, **_EAGER)


QUIET = _stored("--quiet -q", "hybridsem.quiet", "Show no progress and no summary.")
JSON = _stored("--json", "hybridsem.json", "Print JSON: one object, or one per line.")
INDEX = {f"index {name}" for name in ("build", "append", "delete", "compact")}
FILES_ONLY = {"plot", "fit-encoder", "serve", *INDEX}
"""Commands that print no result, and so have no ``--json``."""


def is_quiet() -> bool:
    """Test if ``--quiet`` was given."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get("hybridsem.quiet"))


def wants_json() -> bool:
    """Test if ``--json`` was given."""
    return bool(click.get_current_context().meta.get("hybridsem.json"))


def epilog(name: str) -> str:
    """Return the examples of a command for its help; "" is ``hybridsem`` itself."""
    # \b keeps click from wrapping the lines.
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in EXAMPLES[name])


def finish(command: click.Command, name: str) -> None:
    """Give examples and ``-q`` to a command and its parts, ``--json`` to those with a result."""
    command.epilog, command.short_help = epilog(name), SUMMARIES.get(name, command.short_help)
    if isinstance(command, click.Group):
        for part, below in command.commands.items():
            finish(below, f"{name} {part}")
        if not command.invoke_without_command:
            return
    command.params += [QUIET] if name in FILES_ONLY else [QUIET, JSON]


# -- lists


def listing(show: Callable[[], Iterable[str]], help: str) -> Decorator:
    """Declare ``--list``, which prints lines and ends the command."""

    def shown(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted:
            for line in show():
                click.echo(line)
            context.exit()

    return click.option("--list", callback=shown, help=help, **_EAGER)


def names_in(text: str | None) -> tuple[str, ...] | None:
    """Split an option such as ``--columns s1,s2``; None if it was not given."""
    return None if text is None else tuple(name.strip() for name in text.split(","))


def numbers_in(text: str | None, what: str, names: str, example: str) -> tuple[float, float] | None:
    """Return the two numbers of an option such as ``--cost 5,1``; None if it was not given."""
    if text is None:
        return None
    try:
        first, second = map(float, text.split(","))
    except ValueError:
        raise InputError(f"{what} is written {names}, such as {example}; got {text!r}") from None
    return first, second
