"""The benchmarks of SAGE: one a part, and all of them."""

from __future__ import annotations

from hybridsem.evaluation.sage.clustering import TASK as CLUSTERING
from hybridsem.evaluation.sage.overall import overall_task
from hybridsem.evaluation.sage.preference import TASK as PREFERENCE
from hybridsem.evaluation.sage.retrieval import TASK as RETRIEVAL
from hybridsem.evaluation.sage.robustness import TASK as ROBUSTNESS
from hybridsem.evaluation.sage.sensitivity import TASK as SENSITIVITY
from hybridsem.evaluation.task import Task

PARTS: dict[str, Task] = {
    "preference": PREFERENCE,
    "robustness": ROBUSTNESS,
    "sensitivity": SENSITIVITY,
    "clustering": CLUSTERING,
    "retrieval": RETRIEVAL,
}
"""The parts by the names that they have in the overall score."""

TASKS: tuple[Task, ...] = (overall_task(PARTS), *PARTS.values())
