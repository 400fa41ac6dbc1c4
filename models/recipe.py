"""The command line of recipes, and their settings: ``recipe.toml``, a table a run."""

from __future__ import annotations

import argparse
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).parents[1]
SHIPPED = ROOT / "hybridsem/data"
"""The folder of what recipes make."""
T = TypeVar("T")


def command(about: str | None) -> argparse.ArgumentParser:
    """Return a parser with ``--data``, the folder of data sets; ``about`` is a module's docstring."""
    parser = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    return parser


def table(module: str) -> dict[str, Any]:
    """Return ``recipe.toml`` beside a module, whose ``__file__`` is given."""
    return tomllib.loads(Path(module).with_name("recipe.toml").read_text(encoding="utf-8"))


def parse(parser: argparse.ArgumentParser, module: str, cls: type[T]) -> tuple[argparse.Namespace, T]:
    """Return the arguments and the settings, a dataclass with defaults: each is an option, and
    ``--run NAME`` takes those of the recipe beside the module that are not given.
    """
    names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    for field in fields(cls):  # type: ignore[arg-type]
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    runs = table(module)
    parser.add_argument("--run", choices=runs, help="of recipe.toml")
    parser.set_defaults(**runs.get(parser.parse_known_args()[0].run, {}))
    options = parser.parse_args()
    return options, cls(**{name: getattr(options, name) for name in names})
