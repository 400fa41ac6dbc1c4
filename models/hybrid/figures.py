"""What tasks are measured by, of any scores, with intervals; and the tables of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.evaluation.statistics.classification import classification
from hybridsem.evaluation.statistics.rating_correlations import Estimate, correlations
from hybridsem.evaluation.statistics.summaries import Column, summaries
from models.hybrid.data import Task

Figures = dict[tuple[str, str], Estimate]
"""By the task (with its phenomenon) and the measure."""
LABELLED = ("auc", "average precision")
RIGHT = "right"
"""The share of triples whose paraphrase is above all their alterations."""


def figures(
    tasks: Sequence[Task], scores: Float64Array, resamples: int, by_type: bool = True
) -> Figures:
    """The measures of all tasks.

    Args:
        tasks: Their rows are rows of the scores.
        scores: (pairs,).
        resamples: Of the intervals; 0 for none.
        by_type: Whether each phenomenon of a task has its own.
    """
    found: Figures = {}
    for task in tasks:
        found |= {(task.name, name): one for name, one in _of(task, scores, resamples).items()}
        for kind in dict.fromkeys(task.types) if by_type else ():
            chosen = np.array(task.types) == kind
            part = Task(kind, task.kind, task.rows[chosen])
            label = f"{task.name}: {kind}"
            found |= {(label, name): one for name, one in _of(part, scores, resamples).items()}
    return found


def _of(task: Task, scores: Float64Array, resamples: int) -> Mapping[str, Estimate]:
    if task.kind == "rated":
        return correlations(scores[task.rows], task.target, ("spearman",), resamples)
    if task.kind == "labelled":
        return classification(scores[task.rows], task.target == 1, LABELLED, resamples)
    chosen = scores[task.rows]
    right = (chosen[:, 0] > chosen[:, 1:].max(axis=1)).astype(float)
    return summaries({RIGHT: Column(right)}, resamples)


def table(columns: Mapping[str, Figures]) -> Iterator[str]:
    """Lines of a Markdown table, a row a figure and a column a model."""
    yield f"| task | measure | n | {' | '.join(columns)} |"
    yield "| --- | --- | --- |" + " --- |" * len(columns)
    for task, measure in next(iter(columns.values())):
        cells = [_cell(column[task, measure]) for column in columns.values()]
        rows = next(iter(columns.values()))[task, measure].n
        yield f"| {task} | {measure} | {rows} | {' | '.join(cells)} |"


def _cell(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"
