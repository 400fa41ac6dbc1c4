"""Mean scores by kind of pair against mean ratings; effects of modifiers (Fodor et al.)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.datasets.pair_types import MODIFIERS, figure8_kind, only_modifier, type_name
from hybridsem.evaluation.statistics import Estimate

MAX_RESAMPLED = 100_000  # rows; beyond, the deviation has no interval
KINDS_OF_FIGURE_8 = 8
CELLS = 1_000_000  # drawn at once


def deviation(
    scores: Float64Array,
    gold: Float64Array,
    types: Sequence[str],
    resamples: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    figure8: bool = False,
) -> Estimate | None:
    """Return the mean absolute deviation of mean scores by kind of pair from mean ratings (Fig. 8).

    Each side's means are first divided by its mean over the kind "modifiers", so a model's scale
    does not count. Smaller is better. The interval resamples pairs within each kind. None if the
    data have no modifiers or no other kind. Args: scores and gold (n,), NaN missing; labels, where
    blank ones take no part; ``figure8``, the paper's form: a mean over its eight kinds (None if one
    is absent) with "modifiers", whose deviation is 0, which are the pairs with one or two of them.
    """
    labels = np.array([(figure8_kind if figure8 else type_name)(label) for label in types])
    rated = (labels != "") & ~np.isnan(gold)
    kinds = [str(kind) for kind in np.unique(labels[rated])]
    if MODIFIERS not in kinds or len(kinds) < (KINDS_OF_FIGURE_8 if figure8 else 2):
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
    share = 1 - 1 / len(kinds) if figure8 else 1.0  # the first deviates by nothing
    value = share * float(_deviations(means[:, None])[0])
    if not resamples or n > MAX_RESAMPLED:
        note = "no interval: too many rows" if resamples else ""
        return Estimate(value, None, None, n, missing, note)
    random = np.random.default_rng(seed)
    drawn = np.array([_drawn_means(kind, resamples, random) for kind in values])
    defined = (drawn[0] > 0).all(axis=1)
    if not defined.all():
        return Estimate(value, None, None, n, missing, "no interval: not defined in some resamples")
    low, high = share * np.quantile(_deviations(drawn), [(1 - level) / 2, (1 + level) / 2])
    return Estimate(value, float(low), float(high), n, missing)


def modifier_effects(gold: Float64Array, types: Sequence[str]) -> dict[str, Estimate]:
    """Return by how much an added modifier lowers the mean rating in [0, 1], by kind (Fig. 9), with
    ``all`` of them, and ``F`` of a one-way analysis of variance.
    """
    labels = np.array([only_modifier(label) for label in types])
    kinds = [str(kind) for kind in np.unique(labels[~np.isnan(gold)]) if kind]
    if len(kinds) < 2:
        return {}
    lost = {kind: 1 - gold[(labels == kind) & ~np.isnan(gold)] for kind in kinds}
    lost["all"] = np.concatenate(list(lost.values()))
    found = {name: Estimate(float(one.mean()), None, None, len(one)) for name, one in lost.items()}
    mean = float(lost["all"].mean())
    within = sum(float(((lost[kind] - lost[kind].mean()) ** 2).sum()) for kind in kinds)
    between = sum(len(lost[kind]) * float(lost[kind].mean() - mean) ** 2 for kind in kinds)
    n = len(lost["all"])
    if within > 0:
        f = (between / (len(kinds) - 1)) / (within / (n - len(kinds)))
        found["F"] = Estimate(f, None, None, n)
    return found


def _deviations(means: Float64Array) -> Float64Array:
    """Return deviations (b,) of means (kinds, b, 2), normalised by the first kind."""
    normalised = means[1:] / means[0]
    found: Float64Array = np.abs(normalised[..., 0] - normalised[..., 1]).mean(axis=0)
    return found


def _drawn_means(values: Float64Array, resamples: int, random: np.random.Generator) -> Float64Array:
    """Return the means of rows drawn with replacement, (resamples, 2)."""
    at_once = max(1, CELLS // len(values))
    sizes = [min(at_once, resamples - first) for first in range(0, resamples, at_once)]
    drawn = (random.integers(len(values), size=(size, len(values))) for size in sizes)
    return np.concatenate([values[rows].mean(axis=1) for rows in drawn])
