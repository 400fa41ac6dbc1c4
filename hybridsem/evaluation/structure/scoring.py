"""Scores of pairs in memory, and the counts of a card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

import numpy as np

from hybridsem._typing import Float64Array, SentencePairs
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.model import UNKNOWN_COUNTS, EvaluatedModel

DIGITS = 6
"""Decimals of a score in a card."""


def scored(
    pairs: SentencePairs, tested: EvaluatedModel, settings: Settings
) -> tuple[Float64Array, Mapping[str, int | None]]:
    """Return the model's scores of pairs, NaN if missing, and the counts of unread pairs."""
    if "scores" not in tested.offers:
        return tested.row_scores(len(pairs)), UNKNOWN_COUNTS
    if (encoder := tested.to_fit()) is not None:
        encoder.fit(list(dict.fromkeys(chain(*pairs))))
    return tested.scores_in_chunks(pairs, settings.progress), tested.count_unread(pairs)


def counts_of(values: Float64Array, unread: Mapping[str, int | None]) -> dict[str, int | None]:
    """Return the counts of a card whose rows have these values; NaN is a failure."""
    missing = int(np.isnan(values).sum())
    rows = len(values)
    return {"rows": rows, "scored": rows - missing, "failed": missing, **unread}


def rows_by(kinds: Iterable[str]) -> dict[str, list[int]]:
    """Return the rows of each kind, in the order of the kinds' first rows."""
    groups: dict[str, list[int]] = {}
    for row, kind in enumerate(kinds):
        groups.setdefault(kind, []).append(row)
    return groups


def rounded(values: Float64Array) -> list[float]:
    """Return values as a card holds them."""
    found: list[float] = np.round(values, DIGITS).tolist()
    return found
