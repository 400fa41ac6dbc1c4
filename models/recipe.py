"""The command line of recipes, their settings (``recipe.toml``, a table a run), and weights."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

ROOT = Path(__file__).parents[1]
SHIPPED = ROOT / "hybridsem/data"
"""The folder of what recipes make."""
T = TypeVar("T")


def command(about: str | None) -> argparse.ArgumentParser:
    """Return a parser with ``--data``, the folder of data sets; ``about`` is the docstring."""
    parser = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    return parser


def table(module: str) -> dict[str, Any]:
    """Return ``recipe.toml`` beside a module, whose ``__file__`` is given."""
    return tomllib.loads(Path(module).with_name("recipe.toml").read_text(encoding="utf-8"))


def parse(
    parser: argparse.ArgumentParser, module: str, cls: type[T]
) -> tuple[argparse.Namespace, T]:
    """Return the arguments and the settings, a dataclass with defaults: each is an option, and
    ``--run NAME`` takes those of the recipe beside the module that are not given.
    """
    names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    for field in fields(cls):  # type: ignore[arg-type]
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    runs = {run: row for run, row in table(module).items() if row.keys() <= {*names}}
    parser.add_argument("--run", choices=runs, help="of recipe.toml")
    parser.set_defaults(**runs.get(parser.parse_known_args()[0].run, {}))
    options = parser.parse_args()
    return options, cls(**{name: getattr(options, name) for name in names})


def save(file: Path, weights: Mapping[str, Any], half: bool = False) -> None:
    """Write weights, arrays or tensors of torch; ``half``: packed, in 16 bit."""
    file.parent.mkdir(parents=True, exist_ok=True)
    arrays = {
        name: np.asarray(value.cpu() if hasattr(value, "cpu") else value)
        for name, value in weights.items()
    }
    if half:
        np.savez_compressed(file, **{k: value.astype(np.float16) for k, value in arrays.items()})
    else:
        np.savez(file, **arrays)


def read(file: Path) -> dict[str, np.ndarray]:
    """Return the weights of a file, those in 16 bit as float32."""
    with np.load(file) as kept:
        arrays = {name: kept[name] for name in kept}
    return {k: v.astype(np.float32) if v.dtype == np.float16 else v for k, v in arrays.items()}
