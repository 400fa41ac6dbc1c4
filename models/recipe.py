"""The settings of a folder's runs: ``recipe.toml``, a table a run."""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path


def parse(parser: argparse.ArgumentParser, module: str) -> argparse.Namespace:
    """The arguments; ``--run NAME`` takes those of the recipe beside the module that are not given.

    Args:
        parser: With all arguments but ``--run``.
        module: ``__file__`` of the module.
    """
    runs = tomllib.loads(Path(module).with_name("recipe.toml").read_text(encoding="utf-8"))
    parser.add_argument("--run", choices=runs, help="of recipe.toml")
    run = parser.parse_known_args()[0].run
    if run is not None:
        parser.set_defaults(**runs[run])
    options = parser.parse_args()
    del options.run
    return options
