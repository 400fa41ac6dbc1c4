"""A paraphrase against an alteration of the same sentence: SugarCrepe++ and minimal pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.progress import status
from hybridsem.datasets import triples
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.comparison import MeanComparison
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.statistics.classification import classification
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.structure.scoring import counts_of, rounded, rows_by, scored
from hybridsem.evaluation.task import Measured, declared

BOTH, FIRST, SECOND = "both", "first half", "second half"
ABOVE, MARGIN, SEPARATION = "accuracy", "margin", "auc"


def measure_sugarcrepe(
    data: triples.Triples, tested: EvaluatedModel, settings: Settings
) -> Measured:
    """Measure how often the two captions are closer to each other than to the negative one."""
    pairs = [
        pair
        for _, first, second, negative in data.items
        for pair in ((first, second), (first, negative), (second, negative))
    ]
    scores, unread = scored(pairs, tested, settings)
    paraphrase, first, second = scores.reshape(-1, 3).T
    columns = {FIRST: above(paraphrase, first), SECOND: above(paraphrase, second)}
    columns = {BOTH: columns[FIRST] * columns[SECOND], **columns}
    kept = {"paraphrase": paraphrase, "negative of the first": first}
    kept["negative of the second"] = second
    return _measured([item.kind for item in data.items], columns, kept, unread, settings)


def measure_minimal_pairs(
    data: triples.Triples, tested: EvaluatedModel, settings: Settings
) -> Measured:
    """Measure how often, and by how much, a paraphrase scores higher than an alteration."""
    pairs = [
        pair for item in data.items for pair in ((item[1], item.paraphrase), (item[1], item[3]))
    ]
    scores, unread = scored(pairs, tested, settings)
    paraphrase, alteration = scores.reshape(-1, 2).T
    columns = {ABOVE: above(paraphrase, alteration), MARGIN: paraphrase - alteration}
    kept = {"paraphrase": paraphrase, "alteration": alteration}
    measured = _measured([item.kind for item in data.items], columns, kept, unread, settings)
    both, same = np.concatenate([paraphrase, alteration]), np.repeat([True, False], data.rows)
    area = classification(both, same, ("auc",), **settings.drawing)
    whole = {**measured.scores["all"], SEPARATION: area["auc"]}
    return replace(measured, scores={**measured.scores, "all": whole})


def above(paraphrase: Float64Array, alteration: Float64Array) -> Float64Array:
    """Return 1 if the paraphrase scores higher, else 0 (or a tie); NaN if either is missing."""
    unknown = np.isnan(paraphrase) | np.isnan(alteration)
    return np.where(unknown, np.nan, paraphrase > alteration)


def _measured(
    kinds: Sequence[str],
    columns: Mapping[str, Float64Array],
    kept: Mapping[str, Float64Array],
    unread: Mapping[str, int | None],
    settings: Settings,
) -> Measured:
    """Return means of columns, by kind and over all."""
    groups = rows_by(kinds)
    found = {}
    with status("resampling", settings.progress):
        for name, rows in {"all": list(range(len(kinds))), **groups}.items():
            own = {measure: Column(column[rows]) for measure, column in columns.items()}
            found[name] = summaries(own, **settings.drawing)
    held: dict[str, Any] = {name: rounded(column) for name, column in {**columns, **kept}.items()}
    counts = counts_of(next(iter(columns.values())), unread)
    return Measured(found, counts, {**held, "kind": list(kinds)}, groups)


TASKS = (
    declared(
        "sugarcrepe-pp",
        load=triples.sugarcrepe_pp,
        measure=measure_sugarcrepe,
        comparison=MeanComparison((BOTH, FIRST, SECOND)),
    ),
    declared(
        "minimal-pairs",
        load=triples.minimal_pairs,
        measure=measure_minimal_pairs,
        comparison=MeanComparison((ABOVE, MARGIN)),
        packaged=triples.packaged_minimal_pairs,
    ),
)
