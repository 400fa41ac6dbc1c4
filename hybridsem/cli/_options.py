"""Options that commands share, each declared once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

AT_LEAST_0, AT_LEAST_1, SCORE = click.IntRange(0), click.IntRange(1), click.FloatRange(-1, 1)
INPUT, NEW_FILE = click.Path(allow_dash=True), click.Path(dir_okay=False)


def option(flags: str, help: str, kind: Any = None, default: Any = None, **more: Any) -> Decorator:
    """Declare an option, shown with its ``default`` if it has one. ``kind`` is a click type, bool
    for a flag, or a sequence of choices; ``more`` goes to :func:`click.option`.
    """
    if kind is bool:
        more["is_flag"] = True
    elif isinstance(kind, (list, tuple)):
        more["type"] = click.Choice(kind)
    elif kind is not None:
        more["type"] = kind
    if default is not None:
        more |= {"default": default, "show_default": True}
    return click.option(*flags.split(), help=help, **more)


def several(*options: Decorator) -> Decorator:
    """Combine options into one decorator."""
    return lambda command: functools.reduce(lambda done, each: each(done), options[::-1], command)


def grouped(make: Callable[..., Any], *options: Decorator) -> Decorator:
    """Pass the values of options as one argument ``run``: ``make(**values)``, in which ``parts``
    holds those of :data:`model_options`.
    """
    probe: Callable[..., Any] = several(*options)(lambda: None)
    names = [parameter.name for parameter in getattr(probe, "__click_params__", ())]
    own = {"weights", *PARTS}

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def taken(**given: Any) -> Any:
            values = {name: given.pop(name) for name in names if name not in own}
            values["parts"] = {name: given.pop(name) for name in names if name in own}
            return command(run=make(**values), **given)

        return several(*options)(taken)

    return decorate


# -- options of every command, added when it is loaded


def _stored(flags: str, name: str, help: str) -> click.Option:
    """Return a flag that is kept in the context under ``name`` instead of becoming an argument."""

    def keep(context: click.Context, _: click.Parameter, given: bool) -> None:
        context.meta[name] = context.meta.get(name, False) or given

    return click.Option(
        flags.split(), is_flag=True, expose_value=False, is_eager=True, callback=keep, help=help
    )


QUIET = _stored("--quiet -q", "hybridsem.quiet", "Show no progress and no summary.")
JSON = _stored("--json", "hybridsem.json", "Print JSON: one object, or one per line.")
FILES_ONLY = {"plot", "fit-encoder", "serve", *(f"index {name}" for name in ("build", "append"))}
FILES_ONLY |= {f"index {name}" for name in ("delete", "compact", "export")}
"""Commands that print no result, and so have no ``--json``."""


def is_quiet() -> bool:
    """Test if ``--quiet`` was given."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get("hybridsem.quiet"))


def wants_json() -> bool:
    """Test if ``--json`` was given."""
    return bool(click.get_current_context().meta.get("hybridsem.json"))


def add_shared_options(command: click.Command, name: str) -> None:
    """Give ``-q`` to a command and those below it, and ``--json`` to those that print a result."""
    if isinstance(command, click.Group):
        for part, below in command.commands.items():
            add_shared_options(below, f"{name} {part}")
        if not command.invoke_without_command:
            return
    command.params += [QUIET] if name in FILES_ONLY else [QUIET, JSON]


# -- completion and lists


def names_of(known: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """Complete those of the names that begin with what was typed."""

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
        return [name for name in known() if name.startswith(begun)]

    return complete


def listing(show: Callable[[], Iterable[str]], help: str) -> Decorator:
    """Declare ``--list``, which prints lines and ends the command."""

    def shown(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted:
            for line in show():
                click.echo(line)
            context.exit()

    return click.option(
        "--list", is_flag=True, is_eager=True, expose_value=False, callback=shown, help=help
    )


# -- the parts of a pipeline


def _names(kind: str) -> Callable[[], Iterable[str]]:
    """Return a function that lists the names of a kind of part."""

    def known() -> Iterable[str]:
        from hybridsem import registry

        return registry.names(kind)

    return known


complete_models = names_of(_names("model"))
PARTS = {
    "model": ("Model; see `hybridsem models`.", _names("model")),
    "parser": ("Parser: a name or KIND:ARGUMENT, such as spacy:en_core_web_sm.", _names("parser")),
    "vectors": ("Word vectors: a name or KIND:ARGUMENT, such as glove:FILE.", _names("vectors")),
    "encoder": ("Sentence encoder: a name or KIND:ARGUMENT.", _names("encoder")),
    "scale": ("Scale of the encoder: a file of `hybridsem fit-encoder`.", None),
    "normalise": (
        "Normalisation of role scores: matched, total, union or dice.",
        lambda: ("matched", "total", "union", "dice"),
    ),
    "frames": (
        "Frames whose roles are compared: main, or all, assigned to each other.",
        lambda: ("main", "all"),
    ),
}
"""The parts of a pipeline, the help text of each, and the names that shells complete."""


def _part(name: str) -> Decorator:
    help, known = PARTS[name]
    more: dict[str, Any] = {"metavar": "FILE"}
    if known is not None:
        more = {"shell_complete": names_of(known)}
    if name == "model":
        return option("--model -m", help, default="hybrid", **more)
    return option(f"--{name}", help, **more)


part_options = several(*map(_part, PARTS))
"""The options of a pipeline's parts."""
WEIGHTS = option("--weights", "Learned weights: a file of `hybridsem train`.", metavar="FILE")
model_options = several(part_options, WEIGHTS)
"""The options of a pipeline's parts, and of what was learned for it."""

# -- input and output

COLUMN = option("--column", "Text column (default: detected from the header).", metavar="NAME")
ENCODING = option(
    "--encoding",
    "Encoding of text inputs, such as cp1252 or utf-16; output is UTF-8.",
    default="utf-8",
    metavar="NAME",
    shell_complete=names_of(lambda: ("utf-8", "utf-16", "cp1252", "latin-1")),
)
CACHE = option(
    "--cache",
    "Cache parses and vectors in DIR; an interrupted run resumes from there.",
    metavar="DIR",
)
FORCE = option("--force", "Replace an existing output.", bool)
SEED = option("--seed", "Random seed.", AT_LEAST_0, 0)
MEASURE = option("--measure", "Statistic, such as pearson (default: that of the papers).")
GROUPS = option("--group -g groups", "Group, such as adversarial; repeatable.", multiple=True)
LEVEL = option("--level", "Confidence level of intervals and tests.", float, 0.95)


def output_option(what: str, default: str | None = "-", **more: Any) -> Decorator:
    """Declare ``-o``; with the default None it is required."""
    return option("--output -o", what, default=default, required=default is None, **more)


def columns_option(names: str) -> Decorator:
    """Declare ``--columns``, such as ``A,B[,GOLD]``."""
    return option("--columns", "Columns of the file: names, or positions from 1.", metavar=names)


def on_error_option(otherwise: str = "leaves it out") -> Decorator:
    """Declare ``--on-error``; ``otherwise`` describes ``skip``."""
    help = f"On an unusable row: fail ends the run, skip {otherwise}."
    return option("--on-error", help, ("fail", "skip"), "fail")


def resamples_option(default: int, least: int = 0) -> Decorator:
    """Declare ``--resamples``."""
    none = " (0: no intervals)" if least == 0 else ""
    return option("--resamples", f"Bootstrap resamples{none}.", click.IntRange(least), default)


def engine_options(what: str = "does the work") -> Decorator:
    """Declare ``--engine``, with a description, and ``--address``."""
    where = ("local", "ray")
    return several(
        option(
            "--engine", f"Where the command {what}: this machine, or a Ray cluster.", where, "local"
        ),
        option("--address", "Ray cluster: auto or HOST:PORT (default: Ray on this machine)."),
    )


def names_in(text: str | None) -> tuple[str, ...] | None:
    """Split an option such as ``--columns s1,s2``; None if it was not given."""
    return None if text is None else tuple(name.strip() for name in text.split(","))
