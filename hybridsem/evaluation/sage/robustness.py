"""Transformation robustness: what leaves the meaning alone should cost less similarity than what
changes it.

A document is changed in three superficial and three semantic ways (``evaluation/perturbations``)
and has a summary, which says the same in other words. With s(x) the similarity of the document with
x, three conditions:

    superficial > summary    min over superficial s  >  s(summary)
    summary > semantic       s(summary)  >  max over semantic s
    superficial > semantic   min over superficial s  >  max over semantic s

``score`` is the mean of the three, ``all three`` the share of documents for which they hold at once
(the first two do).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.perturbations import SEMANTIC, SUPERFICIAL
from hybridsem.evaluation.sage.changes import Similarities, measured_over
from hybridsem.evaluation.sage.document_values import OverItems, Statistic
from hybridsem.evaluation.sage.parts import (
    CUT,
    OPTIONS,
    SCORE,
    Documents,
    Sets,
    load_sets,
    read_documents,
    sage_task,
)
from hybridsem.evaluation.task import Measured

CHANGES = (*SUPERFICIAL, *SEMANTIC)
CONDITIONS = ("superficial > summary", "summary > semantic", "superficial > semantic")
ALL_THREE = "all three"

COMPARED = OverItems(
    {name: Statistic((name,)) for name in (SCORE, ALL_THREE, *CONDITIONS)}, alike=("as_printed",)
)
"""How cards are compared."""


def load(path: Path, settings: Settings) -> Sets[Documents]:
    """The documents that have a summary; raises :class:`InputError` for a file that has none."""
    return load_sets(path, lambda file: read_documents(file, settings, summarised=True))


def measure(data: Sets[Documents], tested: EvaluatedModel, settings: Settings) -> Measured:
    """The shares of documents that meet the conditions, and mean similarities by changed form."""

    def forms(documents: Documents, row: int) -> list[str]:
        text = documents.texts[row]
        return [
            text,
            *(change(text, settings.seed) for change in CHANGES),
            documents.summaries[row],
        ]

    return measured_over(data, tested, settings, forms, conditions, COMPARED.tested)


def conditions(found: Similarities) -> dict[str, Float64Array]:
    """Each condition by document, 0 or 1, from the similarities of the six changed forms and the
    summary (n, 7), and these, such as ``s(negation)``. A change that left the document as it was
    takes no part; NaN where an answer is missing, or a side of a condition is left without any
    change.
    """
    number = len(SUPERFICIAL)
    superficial = np.where(found.unchanged, np.inf, found.values)[:, :number].min(axis=1)
    semantic = np.where(found.unchanged, -np.inf, found.values)[:, number : len(CHANGES)].max(
        axis=1
    )
    summary = found.values[:, len(CHANGES)]
    sides = (superficial, summary), (summary, semantic), (superficial, semantic)
    holds = {name: _greater(*two) for name, two in zip(CONDITIONS, sides, strict=True)}
    three = np.stack(list(holds.values()))
    changed = np.where(found.unchanged, np.nan, found.values)
    named = {
        f"s({name})": changed[:, at]
        for at, name in enumerate([*(one.name for one in CHANGES), "summary"])
    }
    return {SCORE: three.mean(axis=0), ALL_THREE: three.min(axis=0), **holds, **named}


def _greater(one: Float64Array, two: Float64Array) -> Float64Array:
    return np.where(np.isfinite(one) & np.isfinite(two), one > two, np.nan)


TASK = sage_task(
    "sage-robustness", load=load, measure=measure, options=(*OPTIONS, CUT), comparison=COMPARED
)
