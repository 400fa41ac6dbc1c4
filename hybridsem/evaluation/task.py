"""Benchmarks as declarations: data and two functions; the runner does the rest.

path --Task.load--> Data --Task.measure(Data, model)--> Measured --runner--> Card
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from numbers import Real
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from hybridsem._typing import Plain, Record
from hybridsem._utils.tables import read_table
from hybridsem.datasets.settings import Settings
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.card import Card, Scores, Value
from hybridsem.evaluation.comparison import CardComparison
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.registry.plugins import Plugin, usable

if TYPE_CHECKING:
    from matplotlib.figure import Figure


Types = tuple[type, ...]
# The description and the Python types of each type of option.
_TYPES: Mapping[type, tuple[str, Types]] = {
    str: ("a text", (str,)),
    int: ("a whole number", (int,)),
    float: ("a number", (Real,)),
    bool: ("True or False", (bool,)),
    Path: ("the path of a file", (str, os.PathLike)),
}


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
    default: object = None
    metavar: str | None = None

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return f"--{self.name.replace('_', '-')}"

    def checked(self, value: object) -> object:
        """Return the value as the task reads it. Raises :class:`InputError` for an invalid one."""
        is_one = self.values == 1 if not self.multiple else isinstance(value, str)
        parts = [value] if is_one else value  # a single name needs no list
        described, types = _TYPES[self.type]
        if self.multiple:
            described = "a list of texts"
        elif self.values > 1:
            described = f"{self.values} values, each {described}"
        if self.minimum is not None:
            described += f" from {self.minimum}"
        given = parts if isinstance(parts, Collection) else ()
        number = len(given) if self.multiple else self.values
        if (
            parts is not given
            or len(given) != number
            or not all(self._fits(part, types) for part in given)
        ):
            raise InputError(f"{self.name} is {described}, got {value!r}")
        for part in given:
            if self.choices and part not in self.choices:
                raise UnknownNameError(self.name.replace("_", " "), part, self.choices)
        return Path(str(value)) if self.type is Path else value

    def _fits(self, value: object, types: Types) -> bool:
        is_of_type = isinstance(value, types) and (bool in types or not isinstance(value, bool))
        is_large = self.minimum is None or (isinstance(value, int) and value >= self.minimum)
        return is_of_type and is_large


def check_options(task: str, options: Sequence[Option], given: Record) -> Plain:
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
    """Return the distinct options with their tasks; each name has one meaning."""
    owners: dict[Option, list[str]] = {}
    for task, options in by_task.items():
        for option in options:
            owners.setdefault(option, []).append(task)
    first = dict.fromkeys(taken, "the command")
    for option, (task, *_) in owners.items():
        if option.name in first:
            why = f"{task} and {first[option.name]} have an option {option.name!r} with two"
            raise ValueError(f"{why} meanings; share one Option, or rename one")
        first[option.name] = task
    return owners


class Data(Protocol):
    """Loaded and checked data of a task."""

    @property
    def source(self) -> str:
        """The name of the file or folder."""

    @property
    def split(self) -> str | None:
        """The part of the benchmark, if it has several."""

    @property
    def sha256(self) -> str:
        """The sha256 of texts, ratings and groups, for any file format."""

    @property
    def rows(self) -> int:
        """The number of items."""


@dataclass(frozen=True)
class Measured:
    """The results of a task: statistics by group and measure, counts of rows (None: unknown),
    values for each row (None: missing), the rows of each group but "all", and the settings set by
    the data.
    """

    scores: Scores
    counts: Mapping[str, int | None]
    columns: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    groups: Mapping[str, Sequence[int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    settings: Record = field(default_factory=dict)


@dataclass(frozen=True)
class Picture:
    """A kind of picture; ``draw`` takes named cards of one task, the measure and the groups."""

    help: str
    draw: Callable[[Sequence[tuple[str, Card]], str | None, Sequence[str] | None], Figure]


@dataclass(frozen=True)
class Task:
    """A benchmark.

    Attributes:
        name: Its name on the command line and in cards.
        summary: Its description in one line.
        layout: The files or folders of its data.
        needs: The kinds of answers, any one of them: ``scores`` (of any two texts), ``vectors``, or
            ``rows`` (a score for each row of the data).
        load: Reads and checks the data.
        measure: Asks the model and measures its answers.
        headline: The statistic that the benchmark's papers report.
        groups: The groups that ``measure`` reports.
        range: The range of the ratings.
        licence: The licence of the data.
        citation: The paper.
        options: The settings that ``load`` and ``measure`` read.
        comparison: How its cards are compared; None: by correlations of the columns score and gold.
        pictures: Its own kinds of pictures of cards.
        count_notes: Notes on counts that are not 0, to follow the count.
        prepare: Prepares the model before the data are read; None: the model is used unchanged.
        resumes: Finished work can be kept in a folder, from which a later run resumes.
        packaged: Returns the path of the package's own data, the default.
    """

    name: str
    summary: str
    layout: str
    needs: tuple[str, ...]
    load: Callable[[Path, Settings], Any]
    measure: Callable[[Any, EvaluatedModel, Settings], Measured]
    headline: str
    groups: tuple[str, ...] = ("all",)
    range: tuple[float, float] | None = None
    licence: str = ""
    citation: str = ""
    options: tuple[Option, ...] = ()
    comparison: CardComparison[Any] | None = None
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    count_notes: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[EvaluatedModel, Settings], EvaluatedModel] | None = None
    resumes: bool = False
    packaged: Callable[[], Path] | None = None


def declared(
    name: str,
    load: Callable[[Path, Settings], Any],
    measure: Callable[[Any, EvaluatedModel, Settings], Measured],
    **code: Any,
) -> Task:
    """Return the benchmark of that name in ``task.toml``, with its code."""
    row = dict(_rows()[name])
    row = _rows().get(row.pop("like", ""), {}) | row
    row |= {key: tuple(row[key]) for key in ("needs", "range", "groups") if key in row}
    row["options"] = tuple(map(option, row.get("options", ())))
    return Task(name=name, load=load, measure=measure, **row, **code)


def option(name: str) -> Option:
    """Return the option of that name in ``task.toml``."""
    row = dict(_rows()["_options"][name])
    types = {type_.__name__: type_ for type_ in _TYPES}
    if "choices" in row:
        row["choices"] = tuple(row["choices"])
    return Option(name, row.pop("help"), types[row.pop("type", "str")], **row)


@cache
def _rows() -> dict[str, Plain]:
    return read_table(__file__)


MODULES: list[str] = []
"""The modules that declare benchmarks in ``TASKS``, imported on demand; ``__init__`` lists them."""


def tasks() -> Mapping[str, Task]:
    """Return all tasks by name, those of plugins last."""
    return MappingProxyType({**_own(), **usable("task", _task_of, _own())})


def _task_of(plugin: Plugin) -> Task:
    if not isinstance(found := plugin.loaded(), Task):
        raise InputError(f"{plugin} is not a Task, got {found!r:.80}")
    return replace(found, name=plugin.name)


@cache
def _own() -> Mapping[str, Task]:
    found: dict[str, Task] = {}
    for module in MODULES:
        for task in import_module(module).TASKS:
            if task.name in found:
                raise ValueError(f"two benchmarks have the name {task.name!r}")
            found[task.name] = task
    return found


def task(name: str) -> Task:
    """Return the task of that name; :class:`UnknownNameError` suggests the nearest."""
    if name not in tasks():
        raise UnknownNameError("benchmark", name, tasks())
    return tasks()[name]
