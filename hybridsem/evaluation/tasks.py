"""The benchmarks by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from hybridsem.errors import UnknownNameError
from hybridsem.evaluation.task import Task

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


@cache
def tasks() -> Mapping[str, Task]:
    """Return all tasks by name.

    >>> "minimal-pairs" in tasks()
    True
    """
    found: dict[str, Task] = {}
    for module in MODULES:
        for task in import_module(module).TASKS:
            if task.name in found:
                raise ValueError(f"two benchmarks have the name {task.name!r}")
            found[task.name] = task
    return MappingProxyType(found)


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
