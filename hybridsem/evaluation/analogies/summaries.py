"""Accuracies by category and group, with intervals of a bootstrap over pairs.

A category's accuracy is a mean over all pairs of its pairs, which are dependent: a pair takes part
in n - 1 questions. So pairs are drawn, and a question counts as often as both of its pairs were
drawn together. With the counts w, the accuracy of a resample is w'Rw / w'Qw, where R marks answered
and Q asked questions. Each category is drawn separately.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem.datasets.analogies import ALL, LEXICAL, MICRO, Category
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.statistics import Estimate, interval
from hybridsem.evaluation.statistics.resampling import Matrix, blocks, resampled_forms

LEXICAL_GROUPS = ("semantic", "syntactic")


class Group(NamedTuple):
    """A figure's categories by place: the mean of theirs, or with ``micro`` over all questions."""

    categories: tuple[int, ...]
    micro: bool = False


class Counted(NamedTuple):
    """Sums over the questions of a category, (1 + resamples,): of the data, then of each resample.
    ``pairs`` take part in a question, ``missing`` ones do not.
    """

    sums: Mapping[str, Float64Array]
    asked: Float64Array
    pairs: int
    missing: int


def groups_of(categories: Sequence[tuple[str, str]]) -> dict[str, Group]:
    """Return every category, group of categories and all by name in a card; sums over questions
    first.
    """
    found = {name: Group((place,)) for place, (name, _) in enumerate(categories)}
    lexical = [at for at, (_, own) in enumerate(categories) if own in LEXICAL_GROUPS]
    together = {LEXICAL: lexical} if lexical else {}
    for _, group in categories:
        together[group] = [at for at, (_, own) in enumerate(categories) if own == group]
    for group, places in (together | {ALL: list(range(len(categories)))}).items():
        found[group + MICRO] = Group(tuple(places), micro=True)
        found[group] = Group(tuple(places))
    return found


def accuracies(
    categories: Sequence[Category],
    given: Sequence[tuple[Matrix, Mapping[str, Matrix]]],
    settings: Settings,
) -> dict[str, dict[str, Estimate]]:
    """Return the shares of questions by group and measure, with intervals. ``given`` has for each
    category the asked questions, (n, n), and the value of each, 0 to 1, by measure.
    """
    found = [
        counted(asked, matrices, settings.resamples, (settings.seed, place))
        for place, (asked, matrices) in enumerate(given)
    ]
    measures = list(dict.fromkeys(measure for one in found for measure in one.sums))
    groups = groups_of([(category.name, category.group) for category in categories])
    return {
        name: {
            measure: _accuracy(group, found, measure, settings.level)
            for measure in measures
            if all(measure in found[place].sums for place in group.categories)
        }
        for name, group in groups.items()
    }


def counted(
    asked: Matrix, matrices: Mapping[str, Matrix], resamples: int, seed: Sequence[int]
) -> Counted:
    """Return the sums over a category's questions, (n, n), from the asked ones and values by
    measure.
    """
    tables = [asked, *matrices.values()]
    drawn = resampled_forms(tables, resamples, seed) if resamples else np.empty((len(tables), 0))
    n = len(asked)
    whole = [[sum(float(table[rows].sum(dtype=float)) for rows in blocks(n))] for table in tables]
    first, *others = np.hstack([np.array(whole), drawn])
    takes_part = np.zeros(n, bool)
    for rows in blocks(n):
        takes_part |= asked[rows].any(axis=0)
        takes_part[rows] |= asked[rows].any(axis=1)
    pairs = int(takes_part.sum())
    return Counted(dict(zip(matrices, others, strict=True)), first, pairs, n - pairs)


def _accuracy(group: Group, found: Sequence[Counted], measure: str, level: float) -> Estimate:
    chosen = [found[place] for place in group.categories]
    pairs, missing = sum(one.pairs for one in chosen), sum(one.missing for one in chosen)
    shares = shares_of([(one.sums[measure], one.asked) for one in chosen], group.micro)
    if shares is None:
        note = "no questions: a category needs two pairs that have vectors"
        return Estimate(None, None, None, pairs, missing, note)
    low, high, note = interval(shares[1:], level)
    return Estimate(float(shares[0]), low, high, pairs, missing, note)


def shares_of(
    given: Sequence[tuple[Float64Array, Float64Array]], micro: bool
) -> Float64Array | None:
    """Return sums by questions asked, in the data and each resample; None without questions."""
    known = [(sums, asked) for sums, asked in given if asked[0]]
    if not known:
        return None
    sums, asked = (np.array(column) for column in zip(*known, strict=True))
    if micro:
        sums, asked = sums.sum(axis=0, keepdims=True), asked.sum(axis=0, keepdims=True)
    shares = np.divide(sums, asked, out=np.full(sums.shape, np.nan), where=asked > 0)
    return np.asarray(shares.mean(axis=0))
