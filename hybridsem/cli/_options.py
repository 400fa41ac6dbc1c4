"""The options that commands have in common, each declared once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

AT_LEAST_0, AT_LEAST_1, SCORE = click.IntRange(0), click.IntRange(1), click.FloatRange(-1, 1)


def option(flags: str, help: str, kind: Any = None, default: Any = None, **more: Any) -> Decorator:
    """An option of a command, shown with its ``default`` if it has one. ``kind`` is a type of
    click's, bool for a flag, or the texts to choose from; ``more`` is as :func:`click.option` takes
    it.
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
    """Several options as one."""
    return lambda command: functools.reduce(lambda done, each: each(done), options[::-1], command)


def grouped(make: Callable[..., Any], *options: Decorator, rest: str = "parts") -> Decorator:
    """Options whose values a command takes as one argument ``run``: what ``make`` makes of them by
    name, with those of :func:`model_options` together as ``rest``.
    """
    probe: Callable[..., Any] = several(*options)(lambda: None)
    names = [parameter.name for parameter in getattr(probe, "__click_params__", ())]
    parts = {"weights", *PARTS}

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def taken(**given: Any) -> Any:
            values = {name: given.pop(name) for name in names if name not in parts}
            values[rest] = {name: given.pop(name) for name in names if name in parts}
            return command(run=make(**values), **given)

        return several(*options)(taken)

    return decorate


def names_of(known: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """For the completion of shells: those of the names that begin as what was typed does."""

    def complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
        return [name for name in known() if name.startswith(begun)]

    return complete


def listing(show: Callable[[], Iterable[str]], help: str) -> Decorator:
    """The option ``--list``, which prints lines and ends the command."""

    def shown(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted:
            for line in show():
                click.echo(line)
            context.exit()

    return click.option(
        "--list", is_flag=True, is_eager=True, expose_value=False, callback=shown, help=help
    )


# -- what a pipeline is made of


def _models() -> Iterable[str]:
    from hybridsem.registry import models

    return models()


def _encoders() -> Iterable[str]:
    from hybridsem.registry import encoders, named

    return ["embedded", *named.presets(), *encoders.KINDS]


def _parsers() -> Iterable[str]:
    from hybridsem.registry import parsers

    return parsers.KINDS


def _vectors() -> Iterable[str]:
    from hybridsem.registry import word_vectors

    return ["embedded", *word_vectors.FILES, "spacy"]


complete_models = names_of(_models)
PARTS = {
    "model": ("Model; see `hybridsem models`.", _models),
    "parser": ("Parser: a name or KIND:ARGUMENT, such as spacy:en_core_web_sm.", _parsers),
    "vectors": ("Word vectors: a name or KIND:ARGUMENT, such as glove:FILE.", _vectors),
    "encoder": ("Sentence encoder: a name or KIND:ARGUMENT.", _encoders),
    "scale": ("The encoder's scale: a file of `hybridsem fit-encoder`.", None),
    "normalise": (
        "How role scores are normalised: matched, total, union or dice.",
        lambda: ("matched", "total", "union", "dice"),
    ),
    "frames": (
        "Whose roles are compared: main (predicates), or all, assigned to each other.",
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
"""The options of a pipeline's parts; they arrive as one mapping ``parts``."""
model_options = several(
    part_options,
    option(
        "--weights", "Learned weights: a file of `hybridsem train` for this model.", metavar="FILE"
    ),
)
"""The options of a pipeline's parts, and of what was learned for it."""
ROLE_MODEL = option("--model -m", "A model with VerbNet-style roles.", default="verbnet-cn")

# -- what is read, how, and where to

COLUMN = option("--column", "Column of the texts; told by the header if left out.", metavar="NAME")
ENCODING = option(
    "--encoding",
    "Of text inputs, such as cp1252 or utf-16; what is written is UTF-8.",
    default="utf-8",
    metavar="NAME",
    shell_complete=names_of(lambda: ("utf-8", "utf-16", "cp1252", "latin-1")),
)
CACHE = option(
    "--cache",
    "Keep what is read and scored here, for other runs; one that was stopped goes on from there.",
    metavar="DIR",
)
FORCE = option("--force", "Replace an output that exists.", bool)
JSON = option("--json as_json", "Print JSON: an object, or one a line.", bool)
QUIET = option("--quiet -q", "No progress and no summary.", bool)
SEED = option("--seed", "Of all that is drawn.", AT_LEAST_0, 0)
MEASURE = option(
    "--measure",
    "Which statistic, such as pearson; if not given, the one that the papers report.",
)
GROUPS = option(
    "--group -g groups", "Which group, such as adversarial; may be repeated.", multiple=True
)


def output_option(what: str, default: str | None = "-", **more: Any) -> Decorator:
    """The option ``-o``: what it is, and where to if it is not given; None: it must be."""
    return option("--output -o", what, default=default, required=default is None, **more)


def columns_option(names: str) -> Decorator:
    """The option ``--columns``, such as ``A,B[,GOLD]``."""
    return option("--columns", "Columns of the file: names, or positions from 1.", metavar=names)


def on_error_option(otherwise: str = "is left out") -> Decorator:
    """The option ``--on-error``, and what else happens to a row that cannot be used."""
    help = f"What is blank or cannot be read ends the run, or {otherwise}."
    return option("--on-error", help, ("fail", "skip"), "fail")


def resamples_option(default: int, least: int = 0) -> Decorator:
    """The option ``--resamples``."""
    none = "; 0: no intervals" if least == 0 else ""
    return option("--resamples", f"Of the bootstrap{none}.", click.IntRange(least), default)


def engine_options(what: str = "does the work") -> Decorator:
    """The options ``--engine``, with what it does, and ``--address``."""
    return several(
        option(
            "--engine",
            f"What {what}: this machine, or a Ray cluster.",
            ("local", "ray"),
            "local",
        ),
        option(
            "--address",
            "The Ray cluster of --engine ray: auto, or HOST:PORT; without it, Ray on this machine.",
        ),
    )


def names_in(text: str | None) -> tuple[str, ...] | None:
    """The names in an option such as ``--columns s1,s2``; None where it was not given."""
    return None if text is None else tuple(name.strip() for name in text.split(","))
