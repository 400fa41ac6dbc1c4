"""Scores of pairs in memory, figures by group, and the counts of a card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

import numpy as np

from hybridsem._typing import Float64Array, IntArray, SentencePairs
from hybridsem._utils.progress import status
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.model import UNKNOWN_COUNTS, EvaluatedModel
from hybridsem.evaluation.statistics.rating_correlations import Estimate


def scored(
    pairs: SentencePairs, tested: EvaluatedModel, settings: Settings
) -> tuple[Float64Array, Mapping[str, int | None]]:
    """Return the model's scores of pairs, NaN if missing, and the counts of unread pairs."""
    if "scores" not in tested.offers:
        return tested.row_scores(len(pairs)), UNKNOWN_COUNTS
    if (encoder := tested.to_fit()) is not None:
        encoder.fit(list(dict.fromkeys(chain(*pairs))))
    return tested.scores_in_chunks(pairs, settings.progress), tested.count_unread(pairs)


Figures = Callable[[IntArray], dict[str, Estimate]]


def by_group(
    size: int, groups: Mapping[str, Sequence[int]], figures: Figures, settings: Settings
) -> dict[str, dict[str, Estimate]]:
    """Return the figures of all rows and of each group's rows."""
    with status("resampling", settings.progress):
        rows_of = {"all": np.arange(size)} | {name: np.array(rows) for name, rows in groups.items()}
        return {name: figures(rows) for name, rows in rows_of.items()}


def counts_of(values: Float64Array, unread: Mapping[str, int | None]) -> dict[str, int | None]:
    """Return the counts of a card whose rows have these values; NaN is a failure."""
    missing, rows = int(np.isnan(values).sum()), len(values)
    return {"rows": rows, "scored": rows - missing, "failed": missing, **unread}


def rows_by(kinds: Iterable[str | Iterable[str]]) -> dict[str, list[int]]:
    """Return the rows of each kind, in the order of the kinds' first rows."""
    groups: dict[str, list[int]] = {}
    for row, own in enumerate(kinds):
        for kind in dict.fromkeys([own] if isinstance(own, str) else own):
            groups.setdefault(kind, []).append(row)
    return groups


def rounded(values: Float64Array) -> list[float]:
    """Return values as a card holds them."""
    return [*np.round(values, 6).tolist()]
