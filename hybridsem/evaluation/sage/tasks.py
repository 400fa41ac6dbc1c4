"""The benchmarks of SAGE, one a part."""

from __future__ import annotations

from hybridsem.evaluation.sage.clustering import TASK as CLUSTERING
from hybridsem.evaluation.task import Task

__all__ = ["PARTS", "TASKS"]

PARTS: dict[str, Task] = {"clustering": CLUSTERING}
"""The parts by the names that they have in the overall score: preference, robustness, sensitivity, clustering,
retrieval."""

TASKS: tuple[Task, ...] = tuple(PARTS.values())
