"""Scores of pairs that are in memory, and what became of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
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
    for chunk in tracked(_chunks(pairs), len(pairs), "scoring", settings.progress):
        scores.append(tested.scores(chunk))
        unread.append(tested.count_unread(chunk))
    return Scored(np.concatenate(scores), added(unread))


def _chunks(pairs: SentencePairs) -> Iterator[SentencePairs]:
    yield from (pairs[start : start + CHUNK] for start in range(0, len(pairs), CHUNK))


def rounded(values: Float64Array) -> list[float]:
    """Values as a card holds them."""
    found: list[float] = np.round(values, DIGITS).tolist()
    return found
