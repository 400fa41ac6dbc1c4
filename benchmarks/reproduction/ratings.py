"""What Fodor, De Deyne & Suzuki 2024 report of STS3k's ratings and of its kinds of pairs: kappa of
halves of the raters, the deviation of raters, a test against shuffled ratings, and Figure 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hybridsem._typing import AnyArray, Float64Array
from hybridsem._utils.tables import read_table
from hybridsem.datasets.sts_files import ADDED, MODIFIERS
from hybridsem.evaluation.statistics.rating_correlations import halves
from hybridsem.evaluation.sts import deviation

_ROWS = read_table(Path(__file__).with_name("fodor.py"))["figure 8"]
KINDS = {label: kind for kind, labels in _ROWS.items() for label in labels.split()}
"""The labels of STS3k and the eight kinds of Figure 8."""

FEW = ("1", "2", "1-2")
"""Numbers of added modifiers that the figure counts."""


def split_half_kappa(ratings: AnyArray, splits: int = 1_000, seed: int = 0) -> float:
    """Kappa with linear weights of the halves' rounded mean ratings, corrected as by
    Spearman-Brown, a mean over the splits. Ratings are (raters, items), NaN is missing.
    """
    corrected = []
    for one, two in zip(*np.rint(halves(ratings, splits, seed)), strict=True):
        used = ~np.isnan(one)
        steps = np.arange(np.nanmin((one, two)), np.nanmax((one, two)) + 1)
        shares = [(side[used, None] == steps).mean(axis=0) for side in (one, two)]
        by_chance = shares[0] @ np.abs(steps[:, None] - steps) @ shares[1]
        kappa = 1 - np.abs(one[used] - two[used]).mean() / by_chance
        corrected.append(2 * kappa / (1 + kappa))
    return float(np.mean(corrected))


def rater_deviation(ratings: AnyArray) -> float:
    """The mean standard deviation of an item's ratings, as a share of the ratings' range; items
    with fewer than two are left out.
    """
    given = ~np.isnan(ratings)
    found = np.nanstd(ratings[:, given.sum(axis=0) > 1], axis=0, ddof=1)
    return float(found.mean() / np.ptp(ratings[given]))


def p_of_shuffled(ratings: AnyArray, seed: int = 0) -> float:
    """The p-value of Kolmogorov and Smirnov's test of mean ratings against ratings that are
    shuffled for each rater.
    """
    from scipy.stats import ks_2samp

    given = ~np.isnan(ratings)
    shuffled, random = ratings.copy(), np.random.default_rng(seed)
    for row, has in zip(shuffled, given, strict=True):
        row[has] = random.permutation(row[has])
    items = given.any(axis=0)
    means = [np.nanmean(each[:, items], axis=0) for each in (ratings, shuffled)]
    return float(ks_2samp(*means).pvalue)


def figure8_deviation(
    scores: Float64Array, gold: Float64Array, types: Sequence[str]
) -> float | None:
    """The deviation over the eight kinds of Figure 8, one of which, "modifiers", is 0."""
    found = deviation(scores, gold, list(map(figure8_kind, types)), resamples=0)
    kinds = len(set(KINDS.values()))
    return None if found is None or found.value is None else found.value * (kinds - 1) / kinds


def figure8_kind(label: str) -> str:
    """A label's kind in Figure 8; "" for pairs that it leaves out, such as those with three
    modifiers or more.
    """
    name, _, added = label.partition(ADDED)
    kind = KINDS.get(name.strip(), "")
    return "" if kind == MODIFIERS and added and added not in FEW else kind
