"""One evaluator for all benchmarks."""

from __future__ import annotations

from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.card import Card, load_card
from hybridsem.evaluation.comparison import CardComparison
from hybridsem.evaluation.model import EvaluatedModel, evaluated_model, similarities_file
from hybridsem.evaluation.runner import evaluate
from hybridsem.evaluation.task import MODULES, Data, Measured, Option, Picture, Task, task, tasks

__all__ = [
    "Card",
    "CardComparison",
    "Data",
    "EvaluatedModel",
    "Measured",
    "Option",
    "Picture",
    "Settings",
    "Task",
    "evaluate",
    "evaluated_model",
    "load_card",
    "similarities_file",
    "task",
    "tasks",
]
MODULES += (
    "hybridsem.evaluation.sts",
    "hybridsem.evaluation.setops.task",
    "hybridsem.evaluation.analogies.task",
    "hybridsem.evaluation.sage.overall",
    "hybridsem.evaluation.structure.judged",
    "hybridsem.evaluation.structure.plain_english",
    "hybridsem.evaluation.structure.role_confusion",
)
