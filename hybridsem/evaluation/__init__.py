"""One evaluator for all benchmarks.

    evaluate("sts3k", "hybrid", "STS3k/")  -> Card

>>> from hybridsem.evaluation import tasks
>>> {"analogies", "setops", "sick", "sts", "sts3k", "stsb"} <= set(tasks())
True
"""

from __future__ import annotations

from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.card import Card, load_card
from hybridsem.evaluation.model import Subject, embeddings_file, similarities_file, subject
from hybridsem.evaluation.options import Option
from hybridsem.evaluation.runner import evaluate
from hybridsem.evaluation.task import CardComparison, Data, Measured, Picture, Task
from hybridsem.evaluation.tasks import task, tasks

__all__ = [
    "Card",
    "CardComparison",
    "Data",
    "Measured",
    "Option",
    "Picture",
    "Settings",
    "Subject",
    "Task",
    "embeddings_file",
    "evaluate",
    "load_card",
    "similarities_file",
    "subject",
    "task",
    "tasks",
]
