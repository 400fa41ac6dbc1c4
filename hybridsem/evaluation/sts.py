"""Similarity against human ratings: rated pairs, relatedness, phrases with verbs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem._utils.progress import in_chunks, status
from hybridsem._utils.validation import problem
from hybridsem.datasets import relatedness_files as files
from hybridsem.datasets import sts_files
from hybridsem.datasets.pair_types import CHECK, MODIFIERS, figure8_kind, only_modifier, type_name
from hybridsem.datasets.rated_pairs import ALL, MEAN, WEIGHTED_MEAN, RatedPairs
from hybridsem.datasets.raters import read_ratings
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.sts_files import ADVERSARIAL, NEGATIVES, NON_ADVERSARIAL
from hybridsem.errors import InputError
from hybridsem.evaluation import statistics
from hybridsem.evaluation.model import UNKNOWN_COUNTS, EvaluatedModel, total
from hybridsem.evaluation.report.plots import (
    BLUE,
    PALE,
    RED,
    ROW,
    NamedCards,
    label,
    panels,
    width_of_names,
)
from hybridsem.evaluation.report.tables import NAMES, figure
from hybridsem.evaluation.statistics import Estimate
from hybridsem.evaluation.statistics.rating_correlations import annotation_correlations
from hybridsem.evaluation.task import Measured, Picture, Task, declared

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _draw_gap(cards: NamedCards, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """Draw each model's correlations over non-adversarial and adversarial pairs, and their gap."""
    wanted = measure or str(cards[0][1].task["headline"])
    found: list[tuple[str, list[tuple[float, Estimate]]]] = []
    for name, card in cards:
        both = [card.scores.get(group, {}).get(wanted) for group in (NON_ADVERSARIAL, ADVERSARIAL)]
        if None in both:
            both_named = f"{NON_ADVERSARIAL} and {ADVERSARIAL} with {wanted}"
            raise InputError(f"the card of {name!r} has no groups {both_named}")
        defined = [(one.value, one) for one in both if one is not None and one.value is not None]
        if len(defined) < 2:
            raise InputError(f"the gap of {name!r} is undefined: a correlation is")
        found.append((name, defined))
    found.sort(key=lambda item: item[1][1][0])  # the best over adversarial pairs on top
    models = [name for name, _ in found]
    drawn, [panel] = panels(1, width=6, height=ROW * len(models) + 1.2, left=width_of_names(models))
    beside = panel.get_yaxis_transform()
    for place, (_, pair) in enumerate(found):
        (one, _), (two, _) = pair
        panel.plot([one, two], [place, place], color=PALE, linewidth=3, zorder=1)
        for (value, estimate), colour in zip(pair, (BLUE, RED), strict=True):
            if estimate.low is not None and estimate.high is not None:
                ends, line = [estimate.low, estimate.high], [place, place]
                panel.plot(ends, line, color=colour, linewidth=1.2, zorder=2)
            panel.plot(value, place, "o", color=colour, markersize=6, zorder=3)
        panel.text(1.02, place, figure(one - two), va="center", fontsize=8, transform=beside)
    panel.text(1.02, len(models) - 0.4, "gap", fontsize=8, weight="bold", transform=beside)
    for colour, name in ((BLUE, NON_ADVERSARIAL), (RED, ADVERSARIAL)):
        panel.plot([], [], "o-", color=colour, label=name)
    drawn.legend(loc="outside upper center", ncols=2, frameon=False)
    panel.axvline(0, color="#888888", linewidth=0.8)
    panel.set_yticks(range(len(models)), models)
    panel.set_ylim(-0.6, len(models) - 0.4)
    panel.set_xlabel(f"{NAMES.get(wanted, label(wanted))} with the ratings")
    panel.grid(axis="x")
    panel.tick_params(axis="y", length=0)
    return drawn


PICTURES: Mapping[str, Picture] = {
    "gap": Picture("the adversarial gap", _draw_gap),
}


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


GAP, PAIR_TYPES, ANNOTATIONS = "adversarial gap", "pair types", "annotations"
LOWERED = "lowered by a modifier"
CHUNK = 1024
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
    notes = _missing_kinds(data, LOWERED in found)
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
        return (f"no group {LOWERED!r}: the kinds of pairs do not name the modifier",)
    return (
        f"no groups {PAIR_TYPES!r} and {LOWERED!r}: the folder has no table of the kinds of "
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
        texts = dict.fromkeys(text for pair in data.pairs for text in (pair.text1, pair.text2))
        encoder.fit([text for text in texts if problem(text) is None])
    scores = np.full(data.rows, np.nan)
    unread: list[Mapping[str, int | None]] = []
    at = 0
    for chunk in in_chunks(data.pairs, CHUNK, "scoring", settings.progress):
        rated = {row: pair for row, pair in enumerate(chunk, at) if pair.gold is not None}
        asked = [(pair.text1, pair.text2) for pair in rated.values()]
        scores[list(rated)] = tested.scores(asked)
        unread.append(tested.count_unread(asked))
        at += len(chunk)
    return scores, {name: total(part[name] for part in unread) for name in UNKNOWN_COUNTS}


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
        found[LOWERED] = effects
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
