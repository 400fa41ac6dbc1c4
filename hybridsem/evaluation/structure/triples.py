"""A paraphrase against an alteration of the same sentence: SugarCrepe++ and minimal pairs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, combinations

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem.datasets import triples
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.triples import Triples
from hybridsem.evaluation.comparison import MeanComparison
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.statistics.classification import classification
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.structure.scoring import by_group, counts_of, rounded, rows_by, scored
from hybridsem.evaluation.task import Measured, declared

BOTH, FIRST, SECOND = "both", "first half", "second half"
ABOVE, MARGIN, SEPARATION = "accuracy", "margin", "auc"


def measure_sugarcrepe(data: Triples, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure how often the two captions are closer to each other than to the negative one."""
    three = (combinations(item[1:], 2) for item in data.items)
    scores, unread = scored([*chain.from_iterable(three)], tested, settings)
    paraphrase, first, second = scores.reshape(-1, 3).T
    halves = {FIRST: above(paraphrase, first), SECOND: above(paraphrase, second)}
    columns = {BOTH: halves[FIRST] * halves[SECOND], **halves}
    kept = {"paraphrase": paraphrase, "negative of the first": first}
    kept["negative of the second"] = second
    return _measured(data, columns, kept, unread, settings)


def measure_minimal_pairs(data: Triples, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure how often, and by how much, a paraphrase scores higher than an alteration."""
    scores, unread = scored(data.text_pairs(), tested, settings)
    paraphrase, alteration = scores.reshape(-1, 2).T
    columns = {ABOVE: above(paraphrase, alteration), MARGIN: paraphrase - alteration}
    kept = {"paraphrase": paraphrase, "alteration": alteration}
    both, same = np.concatenate([paraphrase, alteration]), np.repeat([True, False], data.rows)
    area = classification(both, same, (SEPARATION,), **settings.drawing)
    return _measured(data, columns, kept, unread, settings, area)


def above(paraphrase: Float64Array, alteration: Float64Array) -> Float64Array:
    """Return 1 if the paraphrase scores higher, else 0 (or a tie); NaN if either is missing."""
    unknown = np.isnan(paraphrase) | np.isnan(alteration)
    return np.where(unknown, np.nan, paraphrase > alteration)


def _measured(
    data: Triples,
    columns: Mapping[str, Float64Array],
    kept: Mapping[str, Float64Array],
    unread: Mapping[str, int | None],
    settings: Settings,
    of_all: Mapping[str, Estimate] | None = None,
) -> Measured:
    """Return means of columns, by kind and over all, and figures of all rows alone."""
    groups = rows_by(item.kind for item in data.items)

    def figures(rows: IntArray) -> dict[str, Estimate]:
        own = {name: Column(column[rows]) for name, column in columns.items()}
        return summaries(own, **settings.drawing)

    found = by_group(data.rows, groups, figures, settings)
    found["all"] |= of_all or {}
    held = {name: rounded(column) for name, column in {**columns, **kept}.items()}
    counts = counts_of(next(iter(columns.values())), unread)
    return Measured(found, counts, {**held, "kind": [item.kind for item in data.items]}, groups)


_HALVES = {"comparison": MeanComparison((BOTH, FIRST, SECOND))}
_MINIMAL = {"comparison": MeanComparison((ABOVE, MARGIN)), "packaged": lambda: triples.PACKAGED}
TASKS = (
    declared("sugarcrepe-pp", triples.sugarcrepe_pp, measure_sugarcrepe, **_HALVES),
    declared("minimal-pairs", triples.minimal_pairs, measure_minimal_pairs, **_MINIMAL),
)
