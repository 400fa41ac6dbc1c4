"""Human preference: does a summary that people prefer, or rate higher, have a higher similarity to
its source?

    comparisons   accuracy, precision, recall, F1
    ratings       ½ (r + 1) of Pearson's r with overall, accuracy, coverage, coherence
    score         the mean of the means of the two fours
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.progress import tracked
from hybridsem.datasets.settings import Settings
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.sage.document_models import compared, in_batch
from hybridsem.evaluation.sage.judgements import (
    AXES,
    Judgements,
    PreferenceJudgement,
    Rating,
    read_judgements,
)
from hybridsem.evaluation.sage.parts import ALL, SCORE, Sets, load_sets, mean_of, sage_task, total
from hybridsem.evaluation.statistics import Estimate, correlations, interval
from hybridsem.evaluation.task import Measured

PAIRS = 256
"""Of sources and summaries, compared at once."""

COMPARISONS, RATINGS = "comparisons", "ratings"
CHOSEN = ("accuracy", "precision", "recall", "F1")


def load(path: Path, settings: Settings) -> Sets[Judgements]:
    """Judgements of a file or of a folder's files; comparisons are derived where none are given."""
    return _settled(load_sets(path, lambda file: read_judgements(file, settings)))


def _settled(found: Sets[Judgements]) -> Sets[Judgements]:
    """Without derived comparisons where there are any that people made."""
    if all(one.derived for one in found.sets.values()):
        return found
    kept = {
        name: replace(one, comparisons=(), derived=False) if one.derived else one
        for name, one in found.sets.items()
    }
    return replace(found, sets=kept)


def measure(data: Sets[Judgements], tested: EvaluatedModel, settings: Settings) -> Measured:
    """The four figures of comparisons and ratings, each a mean over the data sets that have it."""
    data = _settled(data)  # a plan may bring together what was loaded file by file
    found: dict[str, dict[str, dict[str, Estimate]]] = {COMPARISONS: {}, RATINGS: {}}
    scored = ties = 0
    printed = bool(settings.options.get("as_printed"))
    cut: list[int | None] = []
    notes = []
    for name, given in data.sets.items():
        texts = _Places()
        first = [(texts[one.source], texts[one.summaries[0]]) for one in given.comparisons]
        second = [(texts[one.source], texts[one.summaries[1]]) for one in given.comparisons]
        alone = [(texts[one.source], texts[one.summary]) for one in given.ratings]
        answers = compared(tested, list(texts), settings.progress)
        asked_for = list(dict.fromkeys([*first, *second, *alone]))
        chunks = [asked_for[at : at + PAIRS] for at in range(0, len(asked_for), PAIRS)]
        known = dict[tuple[int, int], float]()
        for chunk in tracked(chunks, len(asked_for), "comparing", settings.progress):
            known |= zip(chunk, answers.pairs(*np.array(chunk, np.int64).T).tolist(), strict=True)
        one, two, similarities = (
            in_batch(tested, np.array([known[pair] for pair in pairs], float))
            for pairs in (first, second, alone)
        )
        if given.comparisons:
            # Derived comparisons hang together by their summaries, so resamples of them would
            # promise too much.
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
        flags = tested.truncated(list(texts))
        cut.append(None if flags is None else _cut(flags, first, second) + _cut(flags, alone))
    scores = category(found)
    counts = {"rows": data.rows, "scored": scored, "failed": data.rows - scored}
    counts["ties to the second" if printed else "ties"] = ties
    return Measured(scores, counts | {"truncated": total(cut)} | data.excluded, notes=tuple(notes))


def category(
    found: Mapping[str, Mapping[str, Mapping[str, Estimate]]],
) -> dict[str, dict[str, Estimate]]:
    """The groups of the card, of the statistics by kind of judgement and data set: each kind's and
    the score. A kind that no data set has leaves the score undefined, and is named.
    """
    scores: dict[str, dict[str, Estimate]] = {ALL: {}}
    for kind, names in ((COMPARISONS, CHOSEN), (RATINGS, AXES)):
        if sets := found.get(kind):
            over_all = {
                name: mean_of({one: each[name] for one, each in sets.items()})
                for name in (*names, SCORE)
            }
            scores[kind] = dict(next(iter(sets.values()))) if len(sets) == 1 else over_all
            if len(sets) > 1:
                scores |= {f"{kind} of {one}": dict(each) for one, each in sets.items()}
    parts = {kind: scores[kind][SCORE] for kind in (COMPARISONS, RATINGS) if kind in scores}
    missing = [kind for kind in (COMPARISONS, RATINGS) if kind not in scores]
    scores[ALL][SCORE] = mean_of(parts)
    if missing:
        scores[ALL][SCORE] = replace(
            scores[ALL][SCORE], value=None, missing=1, note=f"the data have no {missing[0]}"
        )
    return scores


def chosen(
    apart: Float64Array, comparisons: Sequence[PreferenceJudgement], settings: Settings
) -> dict[str, Estimate]:
    """Accuracy, precision, recall, F1 and their mean with bootstrap intervals over comparisons, the
    second summary being the positive class. ``apart`` (n,) is its similarity minus the first's;
    NaN: missing. A tie counts half as a choice of each.
    """
    wanted = np.array([one.choice for one in comparisons], int)
    known = ~np.isnan(apart)
    n, missing = int(known.sum()), int((~known).sum())
    # Kinds of comparisons by (preferred, chosen), chosen being the first, neither, or the second.
    cells = np.bincount(3 * wanted[known] + (np.sign(apart[known]).astype(int) + 1), minlength=6)
    figures = _figures(cells[None].astype(float))
    drawn = {}
    if settings.resamples and n > 1:
        counts = np.random.default_rng(settings.seed).multinomial(
            n, cells / n, size=settings.resamples
        )
        drawn = _figures(counts.astype(float))
    found = {}
    for name, (value,) in figures.items():
        if np.isnan(value):
            note = (
                "no comparison has two similarities"
                if not n
                else "no second summary was preferred, or none chosen"
            )
            found[name] = Estimate(None, None, None, n, missing, note)
            continue
        low, high, note = interval(drawn[name], settings.level) if drawn else (None, None, "")
        found[name] = Estimate(float(value), low, high, n, missing, note)
    return found


def _figures(cells: Float64Array) -> dict[str, Float64Array]:
    """The figures of counts (r, 6) of comparisons by (preferred, chosen), (r,) each."""
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
    """½ (r + 1) of Pearson's r with each axis, and their mean; undefined for constant values."""
    found = {}
    for axis in AXES:
        gold = [rating.axes[axis] for rating in ratings]
        one = correlations(
            similarities, gold, ("pearson",), settings.resamples, settings.seed, settings.level
        )["pearson"]
        value, low, high = (
            None if each is None else (each + 1) / 2 for each in (one.value, one.low, one.high)
        )
        found[axis] = replace(one, value=value, low=low, high=high)
    return found | {SCORE: mean_of(found)}


def _cut(flags: Sequence[bool], *columns: Sequence[tuple[int, int]]) -> int:
    """How many judgements (of one or two pairs) have a text that the model cannot read whole."""
    return sum(
        any(flags[place] for pair in pairs for place in pair)
        for pairs in zip(*columns, strict=True)
    )


class _Places(dict[str, int]):
    """Distinct texts, each with its place in the order in which they were asked for."""

    def __missing__(self, text: str) -> int:
        return self.setdefault(text, len(self))


TASK = sage_task("sage-preference", load=load, measure=measure, groups=(ALL, COMPARISONS, RATINGS))
