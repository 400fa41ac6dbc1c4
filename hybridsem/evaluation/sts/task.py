"""Similarity against human ratings: rated pairs, relatedness, phrases with verbs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem._utils.progress import status, tracked
from hybridsem._utils.validation import problem
from hybridsem.datasets import relatedness_files as files
from hybridsem.datasets import sts_files
from hybridsem.datasets.pair_types import CHECK
from hybridsem.datasets.rated_pairs import ALL, MEAN, WEIGHTED_MEAN, RatedPairs
from hybridsem.datasets.raters import read_ratings
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.sts_files import ADVERSARIAL, NEGATIVES, NON_ADVERSARIAL
from hybridsem.evaluation import statistics
from hybridsem.evaluation.model import UNKNOWN_COUNTS, EvaluatedModel, added
from hybridsem.evaluation.statistics.rating_correlations import annotation_correlations
from hybridsem.evaluation.sts.pair_types import deviation, modifier_effects
from hybridsem.evaluation.sts.pictures import PICTURES
from hybridsem.evaluation.task import Measured, Task, declared

GAP, PAIR_TYPES, ANNOTATIONS = "adversarial gap", "pair types", "annotations"
MODIFIERS = "lowered by a modifier"
KEPT_ROWS = 100_000
"""The most rows whose values stay in the card."""


def measure(data: RatedPairs, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure correlations with the ratings by group, and further figures that the data allow. The
    adversarial gap is Spearman's correlation over the non-adversarial pairs minus that over the
    adversarial ones (Fodor, De Deyne & Suzuki 2024). Pairs without a rating are not scored.
    """
    file = settings.options.get("raters")
    ratings = None if file is None else read_ratings(file, data.rows)
    scores, unread = _scores(data, tested, settings)
    groups: dict[str, Any] = {ALL: slice(None), **data.groups}
    with status("resampling", settings.progress):
        found = _statistics(scores, data, groups, settings)
        if ratings is not None:
            for name, rows in _rows_of_raters(data, groups).items():
                found[name] |= _reliability(ratings[:, rows], settings)
    rated = ~np.isnan(data.gold)
    asked, failed = int(rated.sum()), int(np.isnan(scores[rated]).sum())
    counts = {"rows": asked, "scored": asked - failed, "failed": failed, **unread}
    counts["unrated"] = data.rows - asked
    notes = _missing_kinds(data, MODIFIERS in found)
    if data.rows > KEPT_ROWS:
        notes += (f"the values of the rows are left out: more than {KEPT_ROWS}",)
        return Measured(found, counts, notes=notes)
    columns: dict[str, Any] = {"score": np.round(scores, 6).tolist(), "gold": data.gold.tolist()}
    if data.types:
        columns["type"] = list(data.types)
    kept = {name: rows.tolist() for name, rows in data.groups.items()}
    return Measured(found, counts, columns, kept, notes)


def _missing_kinds(data: RatedPairs, has_effects: bool) -> tuple[str, ...]:
    """Return a note on groups that STS3k lacks without the kinds of its pairs."""
    if has_effects or not {ADVERSARIAL, NON_ADVERSARIAL} <= data.groups.keys():
        return ()
    if data.types:
        return (f"no group {MODIFIERS!r}: the kinds of pairs do not name the modifier",)
    return (
        f"no groups {PAIR_TYPES!r} and {MODIFIERS!r}: the folder has no table of the kinds of "
        "pairs; --types gives one",
    )


def _rows_of_raters(data: RatedPairs, groups: Mapping[str, Any]) -> dict[str, IntArray]:
    """Return the rows that judge the raters: no checks, negatives among adversarial pairs."""
    checks = [row for row, label in enumerate(data.types or ()) if label.startswith(CHECK)]
    chosen = {name: np.arange(data.rows)[rows] for name, rows in groups.items()}
    if {ADVERSARIAL, NEGATIVES} <= chosen.keys():
        chosen[ADVERSARIAL] = np.union1d(chosen[ADVERSARIAL], chosen[NEGATIVES])
    return {name: np.setdiff1d(rows, checks) for name, rows in chosen.items()}


def _reliability(ratings: Float64Array, settings: Settings) -> dict[str, statistics.Estimate]:
    """Return how well the raters of some rows agree."""
    drawing = {name: settings.drawing[name] for name in ("seed", "level")}
    return {
        "split-half": statistics.split_half(ratings, **drawing),
        "split-half kappa": statistics.split_half(ratings, measure=statistics.KAPPA, **drawing),
        "raters' deviation": statistics.rater_deviation(ratings),
        "beside shuffled ratings": statistics.shuffled_ratings(ratings, settings.seed),
    }


def _scores(
    data: RatedPairs, tested: EvaluatedModel, settings: Settings
) -> tuple[Float64Array, Mapping[str, int | None]]:
    """Return the model's score of each rated pair, and the counts of unread pairs."""
    if "scores" not in tested.offers:
        return tested.row_scores(data.rows), UNKNOWN_COUNTS
    if (encoder := tested.to_fit()) is not None:
        pairs = (pair for chunk in data.chunks() for pair in chunk)
        texts = dict.fromkeys(text for pair in pairs for text in (pair.text1, pair.text2))
        encoder.fit([text for text in texts if problem(text) is None])
    scores = np.full(data.rows, np.nan)
    unread: list[Mapping[str, int | None]] = []
    at = 0
    for chunk in tracked(data.chunks(), data.rows, "scoring", settings.progress):
        rated = {row: pair for row, pair in enumerate(chunk, at) if pair.gold is not None}
        asked = [(pair.text1, pair.text2) for pair in rated.values()]
        scores[list(rated)] = tested.scores(asked)
        unread.append(tested.count_unread(asked))
        at += len(chunk)
    return scores, added(unread)


def _statistics(
    scores: Float64Array, data: RatedPairs, groups: dict[str, Any], settings: Settings
) -> dict[str, dict[str, statistics.Estimate]]:
    """Return the statistics of the scores by group and measure."""
    found: dict[str, dict[str, statistics.Estimate]] = {}
    drawn: dict[str, dict[str, Float64Array]] = {}
    for at, (name, rows) in enumerate(groups.items()):  # each group has its own draws
        drawing = settings.drawing | {"seed": settings.seed + at}
        given = statistics.with_resamples(scores[rows], data.gold[rows], **drawing)
        found[name] = {measure: estimate for measure, (estimate, _) in given.items()}
        drawn[name] = {measure: values for measure, (_, values) in given.items()}
    if {NON_ADVERSARIAL, ADVERSARIAL} <= groups.keys():
        both = NON_ADVERSARIAL, ADVERSARIAL
        first, second = ((found[name]["spearman"], drawn[name]["spearman"]) for name in both)
        found[GAP] = {"spearman": _gap(first, second, settings.level)}
    if data.averaged:
        for mean, is_weighted in ((MEAN, False), (WEIGHTED_MEAN, True)):
            found[mean] = {}
            for measure in statistics.MEASURES:
                own = {name: (found[name][measure], drawn[name][measure]) for name in data.groups}
                found[mean][measure] = _mean(own, is_weighted, settings.level)
    drawing = settings.drawing
    if data.annotations:
        found[ANNOTATIONS] = annotation_correlations(scores, data.annotations, **drawing)
    for name, figure8 in (("deviation", False), ("figure 8", True)) if data.types else ():
        deviated = deviation(scores, data.gold, data.types, figure8=figure8, **drawing)
        if deviated is not None:
            found.setdefault(PAIR_TYPES, {})[name] = deviated
    if data.types and (effects := modifier_effects(data.gold, data.types)):
        found[MODIFIERS] = effects
    return found


_Drawn = tuple[statistics.Estimate, Float64Array]  # with the values in the resamples


def _gap(first: _Drawn, second: _Drawn, level: float) -> statistics.Difference:
    """Return the difference of two groups' correlations."""
    (one, drawn1), (two, drawn2) = first, second
    n, missing = one.n + two.n, one.missing + two.missing
    if one.value is None or two.value is None:
        return statistics.Difference(None, None, None, n, missing, one.note or two.note)
    return statistics.difference(one.value - two.value, drawn1 - drawn2, n, missing, level)


def _mean(given: Mapping[str, _Drawn], is_weighted: bool, level: float) -> statistics.Estimate:
    """Return the mean of data sets' correlations, weighted by their pairs or each alike."""
    n, missing = (sum(getattr(one, name) for one, _ in given.values()) for name in ("n", "missing"))
    values: list[float] = []
    for name, (one, _) in given.items():
        if one.value is None:
            return statistics.Estimate(None, None, None, n, missing, f"{name}: {one.note}")
        values.append(one.value)
    weights = [one.n if is_weighted else 1 for one, _ in given.values()]
    drawn = [values for _, values in given.values()]
    low, high, note = statistics.interval(np.average(drawn, axis=0, weights=weights), level)
    return statistics.Estimate(
        float(np.average(values, weights=weights)), low, high, n, missing, note
    )


_task = partial(declared, measure=measure, pictures=PICTURES)
_related = partial(declared, measure=measure)
TASKS: tuple[Task, ...] = (
    _task("sts3k", load=sts_files.sts3k),
    _task("stsb", load=sts_files.stsb),
    _task("sick", load=sts_files.sick),
    _task("sts", load=sts_files.local),
    _related("relatedness", load=files.relatedness),
    _related("str2022", load=files.str2022),
    _related("semrel", load=files.semrel),
    _related("stss131", load=files.stss),
    _related("stss65", load=files.stss),
    _related("gs2011", load=files.gs2011),
    _related("ks2013", load=files.ks2013),
)
