"""Kinds of sentence pairs, and how far a model's mean scores by kind are from people's (Fodor et al. 2024, Fig. 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hybridsem._lines import LineReader
from hybridsem.errors import FormatError
from hybridsem.evaluation.statistics import Estimate

__all__ = ["MODIFIERS", "RELEASE_TYPES", "deviation", "read_types", "type_name"]

MODIFIERS = "modifiers"
"""The kind whose mean is 1 once both sides are normalised: the second sentence only adds modifiers."""

RELEASE_TYPES: Mapping[str, str] = {
    "ONLY_MOD": MODIFIERS,
    "SWAP_DOBJ_VERB": "swaps",
    "SWAP_SUBJ_DOBJ": "swaps",
    "SWAP_SUBJ_VERB": "swaps",
    "TRIPLE": "triples",
    "QUAD": "quads",
    "PARAPHRASE": "paraphrases",
    "NEGATIVE": "negatives",
    "AB_VERB": "one word changed",
    "AB_SUBJ": "one word changed",
    "AB_DOBJ": "one word changed",
    "CONST_VERB": "one word kept",
    "CONST_SUBJ": "one word kept",
    "CONST_DOBJ": "one word kept",
    "ADJECTIVE": "adjectives",
    "ZERO": "unrelated",
    "OTHER": "other",
}
"""The labels of STS3k -> the kinds that are reported; any other label stands for itself."""

COLUMN = "Sent Type"
MOST_RESAMPLED = 100_000  # rows; beyond, the deviation has no interval
CELLS = 1_000_000  # drawn at once


def type_name(label: str) -> str:
    """The kind that a label stands for; empty where there is none."""
    return RELEASE_TYPES.get(label.strip(), label.strip().lower())


def read_types(path: Path) -> list[str]:
    """A label a row: a file with one a line, or a ``;``-separated table with a column "Sent Type"."""
    lines = LineReader(path)
    labels: list[str] = []
    column: int | None = None
    for number, line in lines:
        fields = [field.strip() for field in line.split(";")]
        if number == 1 and COLUMN in fields:
            column = fields.index(COLUMN)
        elif column is None and len(fields) == 1:
            labels.append(fields[0])
        elif column is not None and column < len(fields):
            labels.append(fields[column])
        else:
            raise FormatError(
                f"expected one label, or a table with the column {COLUMN!r}; got {line[:60]!r}", path, number
            )
    return labels


def deviation(
    scores: npt.NDArray[np.float64],
    gold: npt.NDArray[np.float64],
    types: Sequence[str],
    resamples: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate | None:
    """Mean absolute deviation of a model's mean score by kind of pair from the mean rating by kind.

    Each side's means are first divided by its mean over the kind "modifiers", so a model's scale does not count; the
    mean is over the other kinds. Smaller is better. The interval resamples pairs within each kind. None where the data
    have no modifiers or nothing beside them.

    Args:
        scores: (n,); NaN is missing.
        gold: (n,); NaN is missing.
        types: (n,) labels; a blank one takes no part.
        resamples: Of the interval.
        seed: Of the resamples.
        level: Of the interval.
    """
    labels = np.array([type_name(label) for label in types])
    rated = (labels != "") & ~np.isnan(gold)
    kinds = [str(kind) for kind in np.unique(labels[rated])]
    if MODIFIERS not in kinds or len(kinds) < 2:
        return None
    kinds = [MODIFIERS, *(kind for kind in kinds if kind != MODIFIERS)]
    whole = rated & ~np.isnan(scores)
    n, missing = int(whole.sum()), int(rated.sum() - whole.sum())
    values = [
        np.stack([scores[rows], gold[rows]], axis=1)
        for kind in kinds
        if len(rows := np.flatnonzero(whole & (labels == kind)))
    ]
    if len(values) < len(kinds):
        return Estimate(None, None, None, n, missing, "a kind of pair has no scores")
    means = np.array([kind.mean(axis=0) for kind in values])
    if not (means[0] > 0).all():
        return Estimate(None, None, None, n, missing, f"the mean of {MODIFIERS} is not above 0")
    value = float(_deviations(means[:, None])[0])
    if not resamples or n > MOST_RESAMPLED:
        return Estimate(value, None, None, n, missing, "" if not resamples else "no interval: too many rows")
    random = np.random.default_rng(seed)
    drawn = np.array([_drawn_means(kind, resamples, random) for kind in values])
    defined = (drawn[0] > 0).all(axis=1)
    if not defined.all():
        return Estimate(value, None, None, n, missing, "no interval: not defined in some resamples")
    low, high = np.quantile(_deviations(drawn), [(1 - level) / 2, (1 + level) / 2])
    return Estimate(value, float(low), float(high), n, missing)


def _deviations(means: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(kinds, b, 2) means of scores and ratings -> (b,); the first kind is the one to normalise by."""
    normalised = means[1:] / means[0]
    found: npt.NDArray[np.float64] = np.abs(normalised[..., 0] - normalised[..., 1]).mean(axis=0)
    return found


def _drawn_means(
    values: npt.NDArray[np.float64], resamples: int, random: np.random.Generator
) -> npt.NDArray[np.float64]:
    """(resamples, 2): the means of rows drawn with replacement."""
    at_once = max(1, CELLS // len(values))
    sizes = [min(at_once, resamples - first) for first in range(0, resamples, at_once)]
    drawn: npt.NDArray[np.float64] = np.concatenate(
        [values[random.integers(len(values), size=(size, len(values)))].mean(axis=1) for size in sizes]
    )
    return drawn
