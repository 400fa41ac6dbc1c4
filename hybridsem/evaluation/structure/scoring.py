"""Scores of pairs that are in memory, and what became of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array, SentencePairs
from hybridsem._utils.progress import tracked
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.model import UNTOLD, EvaluatedModel, added

CHUNK = 1024
"""Pairs that are asked at once."""
DIGITS = 6
"""What a card keeps of a score."""


class Scored(NamedTuple):
    """A score a pair, NaN where it has none; how many pairs were cut (``truncated``) or are not
    English (``foreign``), None where it is not told.
    """

    scores: Float64Array
    unread: Mapping[str, int | None]


def scored(pairs: SentencePairs, tested: EvaluatedModel, settings: Settings) -> Scored:
    """The model's scores of pairs, in order; an encoder that must be fitted first sees their texts.

    A file of similarities has a line a pair, in the same order.
    """
    if "scores" not in tested.offers:
        return Scored(tested.row_scores(len(pairs)), UNTOLD)
    if (encoder := tested.to_fit()) is not None:
        encoder.fit(list(dict.fromkeys(itertools.chain.from_iterable(pairs))))
    scores: list[Float64Array] = []
    unread: list[Mapping[str, int | None]] = []
    chunks = [pairs[start : start + CHUNK] for start in range(0, len(pairs), CHUNK)]
    for chunk in tracked(chunks, len(pairs), "scoring", settings.progress):
        scores.append(tested.scores(chunk))
        unread.append(tested.count_unread(chunk))
    return Scored(np.concatenate(scores), added(unread))


def counts_of(values: Float64Array, unread: Mapping[str, int | None]) -> dict[str, int | None]:
    """The counts of a card whose rows have these values, NaN where one failed."""
    missing = int(np.isnan(values).sum())
    rows = len(values)
    return {"rows": rows, "scored": rows - missing, "failed": missing, **unread}


def rows_by(kinds: Iterable[str]) -> dict[str, list[int]]:
    """The rows of each kind, in the order in which kinds first occur."""
    groups: dict[str, list[int]] = {}
    for row, kind in enumerate(kinds):
        groups.setdefault(kind, []).append(row)
    return groups


def rounded(values: Float64Array) -> list[float]:
    """Values as a card holds them."""
    found: list[float] = np.round(values, DIGITS).tolist()
    return found
