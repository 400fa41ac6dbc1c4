"""A model's similarities of documents with changed forms of them, and their means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from hybridsem._typing import BoolArray, Float64Array
from hybridsem._utils.progress import tracked
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.sage.document_models import compared, in_batch
from hybridsem.evaluation.sage.document_values import kept_columns
from hybridsem.evaluation.sage.parts import SCORE, Documents, Sets, measured, total
from hybridsem.evaluation.statistics import Estimate
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.task import Measured

AT_ONCE = 64
"""Documents whose forms are in memory together."""


@dataclass(frozen=True)
class Similarities:
    """Of n documents with k other forms of each: ``values`` (n, k), NaN where the model has no
    answer.

    ``unchanged`` (n, k) tells which forms are the document itself, so that nothing can be learned
    from them.
    """

    values: Float64Array
    unchanged: BoolArray


def similarities(
    tested: EvaluatedModel,
    number: int,
    forms: Callable[[int], Sequence[str]],
    progress: bool = False,
) -> Similarities:
    """The similarities of each of ``number`` documents with other forms of it.

    Args: ``forms`` gives the text of a document and its k other forms, as many for each.
    """
    chunks = [range(at, min(at + AT_ONCE, number)) for at in range(0, number, AT_ONCE)]
    values, unchanged = [], []
    for rows in tracked(chunks, number, "comparing", progress):
        given = [forms(row) for row in rows]
        width = len(given[0])
        read = compared(tested, [text for texts in given for text in texts])
        first = np.repeat(np.arange(len(rows)) * width, width - 1)
        others = first + np.tile(np.arange(1, width), len(rows))
        values.append(read.pairs(first, others).reshape(len(rows), width - 1))
        unchanged.append([[text == texts[0] for text in texts[1:]] for texts in given])
    return Similarities(in_batch(tested, np.concatenate(values)), np.concatenate(unchanged))


def measured_over(
    data: Sets[Documents],
    tested: EvaluatedModel,
    settings: Settings,
    forms: Callable[[Documents, int], Sequence[str]],
    columns: Callable[[Similarities], Mapping[str, Float64Array]],
    compared_by: Sequence[str],
) -> Measured:
    """The means, with bootstrap intervals, over the documents of each data set of columns that are
    made of the similarities. A document that has no ``score`` takes no part, and is counted.

    Args: ``forms`` gives the text of a document of a set and its other forms, ``columns`` a value a
    document by statistic; those of ``compared_by`` stay in the card.
    """
    by_set: dict[str, dict[str, Estimate]] = {}
    values: dict[str, dict[str, Float64Array]] = {}
    scored = 0
    cut: list[int | None] = []
    for name, documents in data.sets.items():
        found = columns(
            similarities(tested, documents.rows, partial(forms, documents), settings.progress)
        )
        scored += int(np.isfinite(found[SCORE]).sum())
        values[name] = {one: found[one] for one in compared_by}
        given = {one: Column(column) for one, column in found.items()}
        by_set[name] = summaries(given, settings.resamples, settings.seed, settings.level)
        flags = tested.truncated(documents.texts)
        cut.append(None if flags is None else sum(flags))
    held, rows = kept_columns(values)
    return replace(measured(data, by_set, scored, total(cut)), columns=held, groups=rows)
