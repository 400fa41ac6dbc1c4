"""Similarity against human ratings: rated pairs, relatedness, phrases with verbs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from hybridsem._typing import Float64Array, IntArray, Plain, Record
from hybridsem._utils.progress import status
from hybridsem._utils.validation import problem
from hybridsem.datasets import relatedness_files as files
from hybridsem.datasets import sts_files
from hybridsem.datasets.rated_pairs import ALL, MEAN, WEIGHTED_MEAN, RatedPairs
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.sts_files import ADVERSARIAL, CHECK, MODIFIERS, NEGATIVES, NON_ADVERSARIAL
from hybridsem.errors import InputError
from hybridsem.evaluation.model import UNKNOWN_COUNTS, EvaluatedModel
from hybridsem.evaluation.report import plots
from hybridsem.evaluation.report.tables import NAMES, figure
from hybridsem.evaluation.statistics import rating_correlations as stats
from hybridsem.evaluation.statistics.rating_correlations import Difference, Estimate
from hybridsem.evaluation.statistics.summaries import resampled_of
from hybridsem.evaluation.structure.scoring import scored
from hybridsem.evaluation.task import Measured, Picture, Task, declared

if TYPE_CHECKING:
    from matplotlib.figure import Figure


GAP, PAIR_TYPES, ANNOTATIONS = "adversarial gap", "pair types", "annotations"
KEPT_ROWS = 100_000  # the most rows whose values stay in the card


def _draw_gap(cards: plots.NamedCards, measure: str | None, groups: Sequence[str] | None) -> Figure:
    """Draw each model's correlations over non-adversarial and adversarial pairs, and their gap."""
    wanted, sides = measure or str(cards[0][1].task["headline"]), (NON_ADVERSARIAL, ADVERSARIAL)
    found: list[tuple[str, list[tuple[float, Estimate]]]] = []
    for name, card in cards:
        both = [card.scores.get(group, {}).get(wanted) for group in sides]
        if None in both:
            lacking = f"no groups {' and '.join(sides)} with {wanted}"
            raise InputError(f"the card of {name!r} has {lacking}")
        defined = [(one.value, one) for one in both if one is not None and one.value is not None]
        if len(defined) < 2:
            raise InputError(f"the gap of {name!r} is undefined: a correlation is")
        found.append((name, defined))
    found.sort(key=lambda item: item[1][1][0])  # the best over adversarial pairs on top
    models = [name for name, _ in found]
    height = plots.ROW * len(models) + 1.2
    drawn, [panel] = plots.panels(1, 6, height, plots.width_of_names(models))
    beside = panel.get_yaxis_transform()
    for place, (_, pair) in enumerate(found):
        (one, _), (two, _) = pair
        panel.plot([one, two], [place, place], color=plots.PALE, linewidth=3, zorder=1)
        for (value, estimate), colour in zip(pair, (plots.BLUE, plots.RED), strict=True):
            if estimate.low is not None and estimate.high is not None:
                ends, line = [estimate.low, estimate.high], [place, place]
                panel.plot(ends, line, color=colour, linewidth=1.2, zorder=2)
            panel.plot(value, place, "o", color=colour, markersize=6, zorder=3)
        panel.text(1.02, place, figure(one - two), va="center", fontsize=8, transform=beside)
    panel.text(1.02, len(models) - 0.4, "gap", fontsize=8, weight="bold", transform=beside)
    for colour, name in zip((plots.BLUE, plots.RED), sides, strict=True):
        panel.plot([], [], "o-", color=colour, label=name)
    drawn.legend(loc="outside upper center", ncols=2, frameon=False)
    panel.axvline(0, color="#888888", linewidth=0.8)
    panel.set_yticks(range(len(models)), models)
    panel.set_ylim(-0.6, len(models) - 0.4)
    panel.set_xlabel(f"{NAMES.get(wanted, plots.label(wanted))} with the ratings")
    panel.grid(axis="x")
    panel.tick_params(axis="y", length=0)
    return drawn


def deviation(
    scores: Float64Array,
    gold: Float64Array,
    kinds_of_pairs: Sequence[str],
    resamples: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate | None:
    """Return how far mean scores by kind deviate from mean ratings, both over "modifiers"."""
    labels = np.array(kinds_of_pairs)
    rated = (labels != "") & ~np.isnan(gold)
    kinds = [str(kind) for kind in np.unique(labels[rated])]
    if MODIFIERS not in kinds or len(kinds) < 2:
        return None
    kinds = [MODIFIERS, *(kind for kind in kinds if kind != MODIFIERS)]
    whole = rated & ~np.isnan(scores)
    n, missing = int(whole.sum()), int(rated.sum() - whole.sum())
    both = np.stack([scores, gold], axis=1)
    values = [both[whole & (labels == kind)] for kind in kinds]
    if not all(map(len, values)):
        return Estimate(None, None, None, n, missing, "a kind of pair has no scores")
    means = np.array([kind.mean(axis=0) for kind in values])
    if not (means[0] > 0).all():
        return Estimate(None, None, None, n, missing, f"the mean of {MODIFIERS} is not above 0")
    value = float(_deviations(means[:, None])[0])
    if not resamples:
        return Estimate(value, None, None, n, missing)
    seeded = ((kind.T, (seed, place)) for place, kind in enumerate(values))
    drawn = np.array([resampled_of(own, "mean", resamples, seeds).T for own, seeds in seeded])
    drawn[:, ~(drawn[0] > 0).all(axis=1)] = np.nan
    return stats.estimated(value, _deviations(drawn), level, n, missing)


def _deviations(means: Float64Array) -> Float64Array:
    """Return deviations (b,) of means (kinds, b, 2), normalised by the first kind."""
    normalised = means[1:] / means[0]
    return np.asarray(np.abs(normalised[..., 0] - normalised[..., 1]).mean(axis=0))


def measure(data: RatedPairs, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure correlations with the ratings by group, and further figures that the data allow."""
    file = settings.options.get("raters")
    ratings = None if file is None else sts_files.read_ratings(file, data.rows)
    scores, unread = _scores(data, tested, settings)
    groups: Plain = {ALL: slice(None), **data.groups}
    with status("resampling", settings.progress):
        found = _statistics(scores, data, groups, settings)
        if ratings is not None:
            for name, rows in _rows_of_raters(data, groups).items():
                halved = stats.split_half(ratings[:, rows], 1_000, settings.seed, settings.level)
                found[name]["split-half"] = halved
    rated = ~np.isnan(data.gold)
    asked, failed = int(rated.sum()), int(np.isnan(scores[rated]).sum())
    counts = {"rows": asked, "scored": asked - failed, "failed": failed, **unread}
    counts["unrated"] = data.rows - asked
    notes: tuple[str, ...] = ()
    if not data.types and {ADVERSARIAL, NON_ADVERSARIAL} <= groups.keys():
        notes = (f"no group {PAIR_TYPES!r}: --types gives a table of the kinds of pairs",)
    if data.rows > KEPT_ROWS:
        notes += (f"the values of the rows are left out: more than {KEPT_ROWS}",)
        return Measured(found, counts, notes=notes)
    columns: Plain = {"score": np.round(scores, 6).tolist(), "gold": data.gold.tolist()}
    if data.types:
        columns["type"] = list(data.types)
    kept = {name: rows.tolist() for name, rows in data.groups.items()}
    return Measured(found, counts, columns, kept, notes)


def _rows_of_raters(data: RatedPairs, groups: Record) -> dict[str, IntArray]:
    """Return the rows that judge the raters: no checks, negatives among adversarial pairs."""
    checks = [row for row, label in enumerate(data.types or ()) if label.startswith(CHECK)]
    chosen = {name: np.arange(data.rows)[rows] for name, rows in groups.items()}
    if {ADVERSARIAL, NEGATIVES} <= chosen.keys():
        chosen[ADVERSARIAL] = np.union1d(chosen[ADVERSARIAL], chosen[NEGATIVES])
    return {name: np.setdiff1d(rows, checks) for name, rows in chosen.items()}


def _scores(
    data: RatedPairs, tested: EvaluatedModel, settings: Settings
) -> tuple[Float64Array, Mapping[str, int | None]]:
    if "scores" not in tested.offers:
        return tested.row_scores(data.rows), UNKNOWN_COUNTS
    if (encoder := tested.to_fit()) is not None:
        texts = dict.fromkeys(text for pair in data.pairs for text in (pair.text1, pair.text2))
        encoder.fit([text for text in texts if problem(text) is None])
    rated = [row for row, pair in enumerate(data.pairs) if pair.gold is not None]
    asked, scores = data.text_pairs(), np.full(data.rows, np.nan)
    scores[rated], unread = scored([asked[row] for row in rated], tested, settings)
    return scores, unread


def _statistics(
    scores: Float64Array, data: RatedPairs, groups: Plain, settings: Settings
) -> dict[str, dict[str, Estimate]]:
    drawn: dict[str, dict[str, _Drawn]] = {}
    for at, (name, rows) in enumerate(groups.items()):  # each group has its own draws
        drawing = settings.drawing | {"seed": settings.seed + at}
        drawn[name] = stats.with_resamples(scores[rows], data.gold[rows], **drawing)
    found: dict[str, dict[str, Estimate]] = {
        name: {measure: estimate for measure, (estimate, _) in own.items()}
        for name, own in drawn.items()
    }
    if {NON_ADVERSARIAL, ADVERSARIAL} <= groups.keys():
        first, second = (drawn[name]["spearman"] for name in (NON_ADVERSARIAL, ADVERSARIAL))
        found[GAP] = {"spearman": _gap(first, second, settings.level)}
    for mean in (MEAN, WEIGHTED_MEAN) if data.averaged else ():
        found[mean] = {}
        for measure in stats.MEASURES:
            own = {name: drawn[name][measure] for name in data.groups}
            found[mean][measure] = _mean(own, mean == WEIGHTED_MEAN, settings.level)
    drawing = settings.drawing
    if data.annotations:
        found[ANNOTATIONS] = stats.annotation_correlations(scores, data.annotations, **drawing)
    if data.types:
        kinds = list(map(sts_files.type_name, data.types))
        if (deviated := deviation(scores, data.gold, kinds, **drawing)) is not None:
            found[PAIR_TYPES] = {"deviation": deviated}
    return found


_Drawn = tuple[Estimate, Float64Array]  # with the values in the resamples


def _gap(first: _Drawn, second: _Drawn, level: float) -> Difference:
    (one, drawn1), (two, drawn2) = first, second
    n, missing = one.n + two.n, one.missing + two.missing
    if one.value is None or two.value is None:
        return Difference(None, None, None, n, missing, one.note or two.note)
    return stats.difference(one.value - two.value, drawn1 - drawn2, n, missing, level)


def _mean(given: Mapping[str, _Drawn], is_weighted: bool, level: float) -> Estimate:
    """Return the mean of data sets' correlations, weighted by their pairs or each alike."""
    n, missing = (sum(getattr(one, name) for one, _ in given.values()) for name in ("n", "missing"))
    for name, (one, _) in given.items():
        if one.value is None:
            return Estimate(None, None, None, n, missing, f"{name}: {one.note}")
    weights = [one.n if is_weighted else 1 for one, _ in given.values()]
    columns = [np.append(one.value or 0.0, drawn) for one, drawn in given.values()]
    value, *averaged = np.average(columns, axis=0, weights=weights)
    return stats.estimated(float(value), np.array(averaged), level, n, missing)


_PICTURES = {"gap": Picture("the adversarial gap", _draw_gap)}
_task = partial(declared, measure=measure, pictures=_PICTURES)
_related = partial(declared, measure=measure)
TASKS: tuple[Task, ...] = (
    _task("sts3k", sts_files.sts3k),
    _task("stsb", sts_files.stsb),
    _task("sick", sts_files.sick),
    _task("sts", sts_files.local),
    _related("relatedness", files.relatedness),
    _related("str2022", files.str2022),
    _related("semrel", files.semrel),
    _related("stss131", files.stss),
    _related("stss65", files.stss),
    _related("gs2011", files.gs2011),
    _related("ks2013", files.ks2013),
)
