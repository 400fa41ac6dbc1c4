"""The command line of a benchmark or a recipe: the parameters of a function are its options.

``Annotated`` gives a parameter its help, or a collection of its choices. A parameter without a
default is positional, or a required option if it is given by keyword alone; a ``bool`` is a switch,
a ``Sequence`` takes several values. A dataclass stands for its fields, each an option; ``--run
NAME`` takes those that are not given from that table of ``recipe.toml`` beside its module.
"""

from __future__ import annotations

import argparse
import inspect
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"

Main = Callable[..., object]


def run(main: Main | Mapping[str, Main], arguments: Sequence[str] | None = None) -> None:
    """Call a function, or the one that the first argument names, with what the command line says.

    >>> def main(file: Path, rounds: Annotated[int, "how often"] = 3, fast: bool = False) -> None:
    ...     print(file, rounds, fast)
    >>> run(main, ["one.txt", "--rounds", "5"])
    one.txt 5 False
    """
    functions = main if isinstance(main, Mapping) else {"": main}
    about = sys.modules[next(iter(functions.values())).__module__].__doc__
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=about, formatter_class=plain)
    if isinstance(main, Mapping):
        commands = parser.add_subparsers(dest="command", required=True)
        for name, function in functions.items():
            told = (function.__doc__ or "").partition("\n")[0].replace("%", "%%")
            _add_options(commands.add_parser(name, help=told), function)
    else:
        _add_options(parser, main)
    row = parser.get_default("runs") or {}
    parser.set_defaults(**row.get(vars(parser.parse_known_args(arguments)[0]).get("run"), {}))
    given = vars(parser.parse_args(arguments))
    function = functions[given.pop("command", "")]
    for name, kind in get_type_hints(function).items():
        if is_dataclass(kind):
            given[name] = kind(**{one: given[one] for one in inspect.signature(kind).parameters})
    function(**{name: given[name] for name in inspect.signature(function).parameters})


def print_row(*cells: object) -> None:
    """Print a row of a Markdown table."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def figure(value: float) -> str:
    """Return a figure with two decimals, and no zero before the point."""
    return f"{value:.2f}".replace("0.", ".", 1)


def print_head(*names: str) -> None:
    """Print the head of a Markdown table."""
    print_row(*names)
    print_row(*["---"] * len(names))


def _add_options(parser: argparse.ArgumentParser, function: Main) -> None:
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        kind, *about = (
            get_args(hints[name]) if get_origin(hints[name]) is Annotated else [hints[name]]
        )
        if is_dataclass(kind):
            _add_options(parser, kind)
            _add_runs(parser, kind)
            continue
        told = next((one for one in about if isinstance(one, str)), "")
        options: dict[str, Any] = {"help": told.replace("%", "%%")}
        if choices := next((one for one in about if not isinstance(one, str)), None):
            listed = ", ".join(choices).replace("%", "%%")
            options |= {"choices": choices, "metavar": name.upper(), "help": listed}
        inner = [one for one in get_args(kind) if one is not type(None)]
        options["type"] = inner[0] if inner else kind
        if get_origin(kind) is Sequence:
            options["nargs"] = "+"
        if kind is bool:
            options = {"help": options["help"], "action": "store_true"}
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty:
            short = ["-o"] if name == "output" else []
            parser.add_argument(*short, f"--{name}", required=True, **options)
        elif parameter.default is parameter.empty:
            parser.add_argument(name, **options)
        else:
            flag = f"--{name.replace('_', '-')}"
            parser.add_argument(flag, dest=name, default=parameter.default, **options)


def _add_runs(parser: argparse.ArgumentParser, settings: type) -> None:
    file = Path(inspect.getfile(settings)).with_name("recipe.toml")
    tables = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    names = inspect.signature(settings).parameters.keys()
    runs = {run: row for run, row in tables.items() if row.keys() <= names}
    if runs:
        parser.add_argument("--run", choices=runs, help="of recipe.toml")
        parser.set_defaults(runs=runs)
