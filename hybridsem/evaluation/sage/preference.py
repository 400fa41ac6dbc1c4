"""Human preference: is the summary that people prefer, or rate higher, more similar to its source?

comparisons   accuracy, precision, recall, F1
ratings       ½ (r + 1) of Pearson's r with overall, accuracy, coverage, coherence
score         the mean of the means of each four
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array, Record
from hybridsem._utils.progress import in_chunks
from hybridsem._utils.validation import problem
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation.model import EvaluatedModel, count_flagged, distinct_texts, total
from hybridsem.evaluation.sage import parts
from hybridsem.evaluation.sage.datasets import DataSet
from hybridsem.evaluation.sage.document_models import compared, in_batch
from hybridsem.evaluation.sage.parts import ALL, SCORE, Sets, column, mean_of, means_of
from hybridsem.evaluation.statistics.rating_correlations import Estimate, correlations, estimated
from hybridsem.evaluation.task import Measured
from hybridsem.tables.records import records

PAIRS = 256  # sources and summaries compared at once
COMPARISONS, RATINGS = "comparisons", "ratings"
CHOSEN = ("accuracy", "precision", "recall", "F1")
AXES = ("overall", "accuracy", "coverage", "coherence")
SUMMEVAL = ("coherence", "consistency", "fluency", "relevance")
OTHER_NAMES = {"accuracy": "consistency", "coverage": "relevance"}
"""SummEval's dimensions, and the axes that two of them are read as."""
SOURCES = ("post", "article", *parts.TEXT_COLUMNS)
FIRST, SECOND = ("summary_0", "summary0", "summary_a"), ("summary_1", "summary1", "summary_b")


class PreferenceJudgement(NamedTuple):
    """Two summaries of a source; ``choice`` is the place of the preferred one, 0 or 1."""

    source: str
    summaries: tuple[str, str]
    choice: int


class Rating(NamedTuple):
    """A summary of a source and its rating by axis; NaN is missing."""

    source: str
    summary: str
    axes: Mapping[str, float]


@dataclass(frozen=True)
class Judgements(DataSet):
    """The judgements of a file; with ``derived``, comparisons were derived from the ratings."""

    comparisons: tuple[PreferenceJudgement, ...]
    ratings: tuple[Rating, ...]
    derived: bool = False

    @classmethod
    def of(
        cls,
        comparisons: Sequence[PreferenceJudgement],
        ratings: Sequence[Rating],
        derived: bool,
        excluded: Mapping[str, int],
    ) -> Judgements:
        """Return the judgements with their number and their hash."""
        compared = ((one.source, *one.summaries, one.choice) for one in comparisons)
        rated = ((one.source, one.summary, *one.axes.values()) for one in ratings)
        digest = parts.digest_of(map(str, chain(*compared, ("",), *rated)))
        rows = len(comparisons) + len(ratings)
        return cls(rows, digest, excluded, tuple(comparisons), tuple(ratings), derived)


def read_judgements(path: Path, settings: Settings) -> Judgements:
    """Read and sample the judgements of a file; ratings alone imply comparisons."""
    excluded = {"empty": 0, "summary longer": 0, "equal ratings": 0}
    comparisons: list[PreferenceJudgement] = []
    ratings: list[Rating] = []
    for line, record in records(path):
        found = _judgement(record, path, line)
        if isinstance(found, str):
            excluded[found] += 1
        elif isinstance(found, PreferenceJudgement):
            comparisons.append(found)
        else:
            ratings.append(found)
    derived = not comparisons
    if derived:
        comparisons, excluded["equal ratings"] = _derived(ratings)
    if not (comparisons or ratings):
        raise InputError(f"no judgement of {str(path)!r} can be used; left out: {excluded}")
    comparisons = [comparisons[row] for row in parts.sampled(len(comparisons), settings)]
    ratings = [ratings[row] for row in parts.sampled(len(ratings), settings)]
    left_out = {why: count for why, count in excluded.items() if count}
    return Judgements.of(comparisons, ratings, derived, left_out)


def _judgement(record: Record, path: Path, line: int) -> PreferenceJudgement | Rating | str:
    """Return the judgement in a record, or why it is excluded."""
    info = record.get("info")
    about = dict(record)
    if isinstance(info, dict):
        about |= {str(name).lower(): text for name, text in info.items() if text is not None}
    source = about[column(about, SOURCES, path, line)]
    if "choice" in record:
        given = record.get("summaries")
        if given is None:
            given = [record[column(record, names, path, line)] for names in (FIRST, SECOND)]
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
            raise FormatError(f"summaries are two, got {given!r:.80}", path, line)
        first, second = (one.get("text") if isinstance(one, dict) else one for one in given)
        if (choice := _number(record["choice"], "choice", path, line)) not in (0, 1):
            why = f"choice is 0 or 1, the place of the preferred summary; got {record['choice']!r}"
            raise FormatError(why, path, line)
        found = PreferenceJudgement(source, (str(first), str(second)), int(choice))
        return _why_out(source, first, second) or found
    name = column(record, parts.SUMMARY_COLUMNS, path, line)
    summary = record[name]
    axes = record
    if isinstance(summary, dict):
        axes, summary = summary.get("axes") or {}, summary.get("text")
    rated = _axes({str(name).lower(): value for name, value in axes.items()}, path, line)
    return _why_out(source, summary) or Rating(source, summary, rated)


def _axes(given: Record, path: Path, line: int) -> dict[str, float]:
    found = {}
    for axis in AXES:
        name = axis if axis in given else OTHER_NAMES.get(axis, axis)
        if name in given:
            found[axis] = _number(given[name], name, path, line)
    if "overall" not in found and all(name in given for name in SUMMEVAL):
        four = [_number(given[name], name, path, line) for name in SUMMEVAL]
        found["overall"] = sum(four) / len(four)
    if missing := [axis for axis in AXES if axis not in found]:
        has = f"{', '.join(given):.120}"
        why = f"no choice between two summaries and no rating {missing[0]!r}; it has {has}"
        raise FormatError(why, path, line)
    return {axis: found[axis] for axis in AXES}


def _number(value: object, name: str, path: Path, line: int) -> float:
    """Return a finite number; NaN where there is none."""
    if value is None or value == "":
        return math.nan
    with suppress(ValueError):
        number = float(value) if isinstance(value, (int, float, str)) else math.inf
        if not math.isinf(number):
            return number
    raise FormatError(f"{name}: expected a number, got {value!r:.80}", path, line)


def _why_out(source: object, *summaries: object) -> str:
    """Return why a judgement of these texts is excluded; empty if it is not."""
    if any(problem(text) is not None for text in (source, *summaries)):
        return "empty"
    return "summary longer" if any(len(str(text)) > len(str(source)) for text in summaries) else ""


def _derived(ratings: Sequence[Rating]) -> tuple[list[PreferenceJudgement], int]:
    """Return the comparisons that ratings imply, and the number of pairs of equal summaries."""
    by_source: dict[str, list[Rating]] = {}
    for rating in ratings:
        if not math.isnan(rating.axes["overall"]):
            by_source.setdefault(rating.source, []).append(rating)
    found, equal = [], 0
    for source, rated in by_source.items():
        for pair in combinations(rated, 2):
            one, two = sorted(pair, key=lambda rating: rating.summary)
            if one.summary == two.summary or one.axes["overall"] == two.axes["overall"]:
                equal += 1
            else:
                choice = int(two.axes["overall"] > one.axes["overall"])
                found.append(PreferenceJudgement(source, (one.summary, two.summary), choice))
    return found, equal


def load(path: Path, settings: Settings) -> Sets[Judgements]:
    """Read judgements of a file or a folder; comparisons are derived if there are none."""
    return _settled(parts.reading(read_judgements)(path, settings))


def _settled(found: Sets[Judgements]) -> Sets[Judgements]:
    """Drop derived comparisons if there are any made by people."""
    if all(one.derived for one in found.sets.values()):
        return found
    derived = {name: one for name, one in found.sets.items() if one.derived}
    bare = {name: Judgements.of((), o.ratings, False, o.excluded) for name, o in derived.items()}
    return replace(found, sets={**found.sets, **bare})


def measure(data: Sets[Judgements], tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure the figures of comparisons and ratings, each a mean over the data sets with it."""
    data = _settled(data)  # a plan may join files that were loaded one by one
    found: dict[str, dict[str, dict[str, Estimate]]] = {COMPARISONS: {}, RATINGS: {}}
    scored = ties = 0
    printed = bool(settings.options.get("as_printed"))
    cut: list[int | None] = []
    notes = []
    for name, given in data.sets.items():
        first = [(one.source, one.summaries[0]) for one in given.comparisons]
        second = [(one.source, one.summaries[1]) for one in given.comparisons]
        alone = [(one.source, one.summary) for one in given.ratings]
        asked_for = list(dict.fromkeys([*first, *second, *alone]))
        texts, places = distinct_texts(asked_for)
        answers = compared(tested, texts, settings.progress)
        chunks = in_chunks(places.T.tolist(), PAIRS, "comparing", settings.progress)
        found_in = (answers.pairs(*np.array(chunk, np.int64).T) for chunk in chunks)
        similar = np.concatenate([np.empty(0), *found_in])
        known = dict(zip(asked_for, similar.tolist(), strict=True))
        asked = (np.array([*map(known.get, pairs)], float) for pairs in (first, second, alone))
        one, two, similarities = (in_batch(tested, values) for values in asked)
        if given.comparisons:
            # Derived comparisons share summaries: intervals of them would be too narrow.
            drawing = replace(settings, resamples=0) if given.derived else settings
            apart = two - one
            if printed:
                apart = np.where(apart == 0, 1, apart)  # a tie is a choice of the second
            found[COMPARISONS][name] = chosen(apart, given.comparisons, drawing)
            ties += int((one == two).sum())
        if given.ratings:
            found[RATINGS][name] = rated(similarities, given.ratings, settings)
        if given.derived:
            notes.append(f"{name}: the comparisons are derived from the ratings")
        scored += int((~np.isnan(two - one)).sum() + (~np.isnan(similarities)).sum())
        compared_texts = ((one.source, *one.summaries) for one in given.comparisons)
        cut.append(count_flagged(chain(compared_texts, alone), tested.truncated))
    scores = category(found)
    counts = {"rows": data.rows, "scored": scored, "failed": data.rows - scored}
    counts["ties to the second" if printed else "ties"] = ties
    return Measured(scores, counts | {"truncated": total(cut)} | data.excluded, notes=tuple(notes))


def category(
    found: Mapping[str, Mapping[str, Mapping[str, Estimate]]],
) -> dict[str, dict[str, Estimate]]:
    """Return the groups of the card: each kind of judgement with its data sets, and the score."""
    scores: dict[str, dict[str, Estimate]] = {ALL: {}}
    for kind in (COMPARISONS, RATINGS):
        if sets := found.get(kind):
            scores[kind] = means_of(sets)
            if len(sets) > 1:
                scores |= {f"{kind} of {one}": dict(each) for one, each in sets.items()}
    kinds = {kind: scores[kind][SCORE] for kind in (COMPARISONS, RATINGS) if kind in scores}
    scores[ALL][SCORE] = mean_of(kinds)
    if missing := [kind for kind in (COMPARISONS, RATINGS) if kind not in scores]:
        note = f"the data have no {missing[0]}"
        scores[ALL][SCORE] = replace(scores[ALL][SCORE], value=None, missing=1, note=note)
    return scores


def chosen(
    apart: Float64Array, comparisons: Sequence[PreferenceJudgement], settings: Settings
) -> dict[str, Estimate]:
    """Return accuracy, precision, recall, F1 and their mean; a tie counts half for each."""
    wanted = np.array([one.choice for one in comparisons], int)
    known = ~np.isnan(apart)
    n, missing = int(known.sum()), int((~known).sum())
    # Kinds of comparisons by (preferred, chosen), chosen being the first, neither, or the second.
    cells = np.bincount(3 * wanted[known] + (np.sign(apart[known]).astype(int) + 1), minlength=6)
    figures = _figures(cells[None].astype(float))
    drawn: dict[str, Float64Array] = {}
    if settings.resamples and n > 1:
        random = np.random.default_rng(settings.seed)
        drawn = _figures(random.multinomial(n, cells / n, size=settings.resamples).astype(float))
    none = "no comparison has two similarities"
    note = "no second summary was preferred, or none chosen" if n else none
    estimates = dict.fromkeys(figures, Estimate(None, None, None, n, missing, note))
    for name, value in ((name, float(own[0])) for name, own in figures.items()):
        if not math.isnan(value):
            own = drawn.get(name, np.empty(0))
            estimates[name] = estimated(value, own, settings.level, n, missing)
    return estimates


def _figures(cells: Float64Array) -> dict[str, Float64Array]:
    """Return the figures (r,) of counts (r, 6) of comparisons by (preferred, chosen)."""
    first, second = cells[:, :3], cells[:, 3:]
    hits, misses = second[:, 2] + second[:, 1] / 2, second[:, 0] + second[:, 1] / 2
    alarms, rejected = first[:, 2] + first[:, 1] / 2, first[:, 0] + first[:, 1] / 2
    with np.errstate(invalid="ignore", divide="ignore"):  # 0 / 0 is undefined
        accuracy = (hits + rejected) / cells.sum(axis=1)
        precision, recall = hits / (hits + alarms), hits / (hits + misses)
        f1 = 2 * hits / (2 * hits + alarms + misses)
    four = dict(zip(CHOSEN, (accuracy, precision, recall, f1), strict=True))
    return four | {SCORE: np.mean(list(four.values()), axis=0)}


def rated(
    similarities: Float64Array, ratings: Sequence[Rating], settings: Settings
) -> dict[str, Estimate]:
    """Return ½ (r + 1) of Pearson's r with each axis, and the mean; undefined without spread."""
    found = {}
    for axis in AXES:
        gold = [rating.axes[axis] for rating in ratings]
        one = correlations(similarities, gold, ("pearson",), **settings.drawing)["pearson"]
        ends = (one.value, one.low, one.high)
        value, low, high = (None if each is None else (each + 1) / 2 for each in ends)
        found[axis] = replace(one, value=value, low=low, high=high)
    return found | {SCORE: mean_of(found)}


TASK = parts.sage_task("sage-preference", load, measure)
