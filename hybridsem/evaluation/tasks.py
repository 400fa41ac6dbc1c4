"""The benchmarks by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hybridsem.errors import UnknownNameError
from hybridsem.evaluation.analogies.task import TASK as ANALOGIES
from hybridsem.evaluation.sage.tasks import TASKS as SAGE
from hybridsem.evaluation.setops.task import TASK as SETOPS
from hybridsem.evaluation.sts.task import TASKS as STS
from hybridsem.evaluation.task import Task

__all__ = ["task", "tasks"]


def tasks() -> Mapping[str, Task]:
    """All tasks by name."""
    return MappingProxyType({task.name: task for task in (*STS, SETOPS, ANALOGIES, *SAGE)})


def task(name: str) -> Task:
    """The task of that name; :class:`UnknownNameError` suggests the nearest."""
    if name not in tasks():
        raise UnknownNameError("benchmark", name, tasks())
    return tasks()[name]
