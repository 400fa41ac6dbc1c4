"""The benchmarks by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from types import MappingProxyType

from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.task import Task
from hybridsem.registry.plugins import Plugin, usable

MODULES = (
    "hybridsem.evaluation.sts.task",
    "hybridsem.evaluation.setops.task",
    "hybridsem.evaluation.analogies.task",
    "hybridsem.evaluation.sage.overall",
    "hybridsem.evaluation.structure.labelled",
    "hybridsem.evaluation.structure.triples",
    "hybridsem.evaluation.structure.role_confusion",
)
"""The modules that declare benchmarks in ``TASKS``, imported on demand."""


def tasks() -> Mapping[str, Task]:
    """Return all tasks by name, those of plugins last.

    >>> "minimal-pairs" in tasks()
    True
    """
    return MappingProxyType({**_own(), **usable("task", _task_of, _own())})


def _task_of(plugin: Plugin) -> Task:
    found = plugin.loaded()
    if not isinstance(found, Task):
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
    """Return the task of that name.

    Raises:
        UnknownNameError: There is none; the message suggests the nearest.

    >>> task("paws").headline
    'auc'
    """
    if name not in tasks():
        raise UnknownNameError("benchmark", name, tasks())
    return tasks()[name]
