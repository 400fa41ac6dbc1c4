"""The options of benchmarks, for the command line and for ``evaluate(..., name=value)``.

Option("theta", "what is near to A", float)             --theta 0.5         theta=0.5
Option("types", "kinds of pairs", Path)                 --types FILE        types="kinds.txt"
Option("columns", "of a local file", multiple=True)     --columns s1,s2     columns=("s1", "s2")
Option("range", "from, to", float, values=2)            --range 0 1         range=(0, 1)
Option("strict", "refuse odd rows", bool)               --strict            strict=True
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any

from hybridsem.errors import InputError, UnknownNameError

_TYPES: Mapping[type, tuple[str, tuple[type, ...]]] = {
    str: ("a text", (str,)),
    int: ("a whole number", (int,)),
    float: ("a number", (Real,)),
    bool: ("True or False", (bool,)),
    Path: ("the path of a file", (str, os.PathLike)),
}
"""The description and the Python types of each type of option."""


@dataclass(frozen=True)
class Option:
    """An option of a benchmark.

    Attributes:
        name: In Python; the command line has ``--name`` with ``-`` for ``_``.
        help: Its description in lower case; the command line adds the benchmarks before it.
        type: ``str``, ``int``, ``float``, ``bool`` (a flag), or ``Path`` (a file that is read).
        values: The number of values.
        multiple: It takes any number of texts, separated by commas on the command line.
        choices: The allowed texts; any if empty.
        minimum: The least allowed number.
        default: Its default value; None: it is absent from the settings.
        metavar: The name of the value in the help.
    """

    name: str
    help: str
    type: type = str
    values: int = 1
    multiple: bool = False
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    default: Any = None
    metavar: str | None = None

    def __post_init__(self) -> None:
        if self.type not in _TYPES:
            raise ValueError(f"the type of an option is one of {[*_TYPES]}, got {self.type!r}")

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return f"--{self.name.replace('_', '-')}"

    def checked(self, value: Any) -> Any:
        """Return the value as the task reads it. Raises :class:`InputError` for an invalid one."""
        parts = [value] if self.values == 1 and not self.multiple else value
        if isinstance(parts, str) and self.multiple:  # a single name needs no list
            parts = [parts]
        described, types = _TYPES[self.type]
        if self.multiple:
            described = "a list of texts"
        elif self.values > 1:
            described = f"{self.values} values, each {described}"
        if self.minimum is not None:
            described += f" from {self.minimum}"
        if (
            not isinstance(parts, Collection)
            or (not self.multiple and len(parts) != self.values)
            or not all(_fits(part, types, self.minimum) for part in parts)
        ):
            raise InputError(f"{self.name} is {described}, got {value!r}")
        for part in parts:
            if self.choices and part not in self.choices:
                raise UnknownNameError(self.name.replace("_", " "), part, self.choices)
        return Path(value) if self.type is Path else value


def _fits(value: Any, types: tuple[Any, ...], minimum: int | None) -> bool:
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        return False
    return minimum is None or bool(value >= minimum)


SPLIT = Option("split", "part of the benchmark, where there are several; test if not given.")
_OF_FILE = "columns of a local file: names, or positions from 1."
COLUMNS = Option("columns", _OF_FILE, multiple=True, metavar="A,B,RATING")


def check_options(task: str, options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a task: given values, checked, and defaults; None is not given."""
    rows = {option.name: option for option in options}
    given = {name: value for name, value in given.items() if value is not None}
    if unknown := sorted(set(given) - set(rows)):
        known = ", ".join(rows) or "none"
        raise InputError(f"{task} has no option {unknown[0]!r}; it has: {known}")
    defaults = {name: row.default for name, row in rows.items() if row.default is not None}
    return defaults | {name: rows[name].checked(value) for name, value in given.items()}


def shared_options(
    by_task: Mapping[str, Sequence[Option]], taken: Collection[str] = ()
) -> dict[Option, list[str]]:
    """Return the distinct options of tasks with the tasks that have each. Raises
    :class:`ValueError` for one name with two meanings, or a name that is ``taken``.
    """
    owners: dict[Option, list[str]] = {}
    by_name: dict[str, Option] = {}
    for task, options in by_task.items():
        for option in options:
            if option.name in taken:
                raise ValueError(f"{task} has an option {option.name!r}, a name that is taken")
            if by_name.setdefault(option.name, option) != option:
                raise ValueError(
                    f"{task} and {owners[by_name[option.name]][0]} have an option {option.name!r} "
                    "with two meanings; share one Option, or rename one"
                )
            owners.setdefault(option, []).append(task)
    return owners
