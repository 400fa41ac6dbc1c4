"""Command lines in tests, and what they print."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Ran", "Run"]


class Ran(NamedTuple):
    """A command's exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The JSON objects of the lines of a command that succeeded."""
        assert self.code == 0, self.err
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def rows(self) -> list[dict[str, str]]:
        """The rows of the table of a command that succeeded."""
        assert self.code == 0, self.err
        return list(csv.DictReader(self.out.splitlines(keepends=True)))


Run = Callable[..., Ran]
"""Runs a command line, and further arguments as they are."""
