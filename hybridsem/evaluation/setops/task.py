"""The benchmark ``setops``: a model's vectors or scores against the six criteria."""

from __future__ import annotations

import numpy as np

from hybridsem._typing import BoolArray, Float64Array, Plain
from hybridsem._utils.progress import status
from hybridsem.datasets.set_operations import OPERATORS, Samples, read
from hybridsem.datasets.settings import Settings
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation.model import CHUNK, EvaluatedModel, by_vectors, vectors_of
from hybridsem.evaluation.setops import criteria
from hybridsem.evaluation.setops.criteria import MEASURES, NORMS, PAIRS, OnCommonGrid, look, values
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.statistics.summaries import summaries
from hybridsem.evaluation.task import Measured, declared

Names = tuple[str, ...]
SCORE = "score"  # the model's own score of a pair, as a measure
THETA = 0.5
DECIMALS = 9  # of the values of samples in the card, from which its statistics are computed
KEPT_ROWS = 250_000  # the most samples whose values stay in the card


def prepare(tested: EvaluatedModel, settings: Settings) -> EvaluatedModel:
    """Return the model, named after its vectors unless its score is a measure."""
    return tested if SCORE in _options(tested, settings)[0] else by_vectors(tested, settings)


def measure(data: Samples, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure the criteria that the data and the model allow; unusable samples are counted."""
    measures, theta, fixed = _options(tested, settings)
    has_vectors = "vectors" in tested.offers and set(measures) != {SCORE}
    columns, out, counts = _columns(data, tested, settings, measures, has_vectors)
    rows = {name: found for name in OPERATORS if len(found := data.of_operator(name))}
    chosen = criteria.groups(measures, tuple(rows), has_vectors)
    by_operator = {
        operator: {name: column[found] for name, column in columns.items()}
        for operator, found in rows.items()
    }
    epsilon: dict[str, list[criteria.Range]] = {}
    for group in (group for group in chosen if group.criterion.compared):
        limits = criteria.ranges(group, by_operator[group.criterion.operator])
        is_fixed = fixed is not None and group.measure == measures[0]
        epsilon[group.name] = [fixed] * len(limits) if is_fixed and fixed else limits
    scores: dict[str, dict[str, Estimate]] = {group.name: {} for group in chosen}
    with status("resampling", settings.progress):
        for operator, own in by_operator.items():  # each is resampled once
            given = {
                (group.name, name): column
                for group in chosen
                if group.criterion.operator == operator
                for name, column in values(group, own, epsilon.get(group.name, ()), theta).items()
            }
            for (group_name, name), one in summaries(given, **settings.drawing).items():
                scores[group_name][name] = one
    set_by: Plain = {"measures": list(measures), "theta": theta}
    set_by["epsilon"] = {name: [*map(list, found)] for name, found in epsilon.items()}
    texts = np.array(data.texts, object)[data.index].tolist()
    counted = {"rows": data.rows, "scored": data.rows - int(out.sum()), **counts}
    counted |= tested.count_unread(texts)
    if data.rows > KEPT_ROWS:
        note = f"the values of the samples are left out: more than {KEPT_ROWS}"
        return Measured(scores, counted, notes=(note,), settings=set_by)
    kept = {name: column.tolist() for name, column in columns.items()}
    places = {name: found.tolist() for name, found in rows.items()}
    return Measured(scores, counted, kept, places, settings=set_by)


def _columns(
    data: Samples, tested: EvaluatedModel, settings: Settings, measures: Names, has_vectors: bool
) -> tuple[dict[str, Float64Array], BoolArray, dict[str, int | None]]:
    """Return the rounded values of samples, which of them are excluded, and counts by reason."""
    columns: dict[str, Float64Array] = {}
    out = np.array(data.index[:, 0] == data.index[:, 1], bool)
    counts: dict[str, int | None] = {"failed": 0, "identical": int(out.sum())}
    if has_vectors:
        vectors = vectors_of(tested, data.texts, settings.progress)
        with status("measuring", settings.progress):
            columns = look(vectors, data.index, tuple(name for name in measures if name != SCORE))
        norms, collinear = [columns.pop(name) for name in NORMS], columns.pop("collinear")
        bare, failed = (np.array(norms) == 0).any(axis=0), ~np.isfinite(sum(norms))
        counts |= {"failed": int((failed & ~out).sum()), "zero vectors": int((bare & ~out).sum())}
        out = np.any([out, bare, failed], axis=0)
        counts["collinear"] = int((collinear[~out] == 1).sum())
    if SCORE in measures:
        columns |= _scored(data, tested, settings.progress)
        if not has_vectors:
            failed = np.isnan(sum(columns[f"{SCORE} {pair}"] for pair in PAIRS[:3]))
            counts["failed"] = int((failed & ~out).sum())
            out = np.any([out, failed], axis=0)
    rounded = {name: np.round(column, DECIMALS) for name, column in columns.items()}
    return {name: np.where(out, np.nan, own) for name, own in rounded.items()}, out, counts


def _scored(data: Samples, tested: EvaluatedModel, progress: bool) -> dict[str, Float64Array]:
    """Return the model's scores of each distinct pair of A, B and target."""
    places = {"AB": (0, 1), "AT": (0, 2), "BT": (1, 2)}
    pairs = np.concatenate([data.index[:, columns] for columns in places.values()])
    distinct, inverse = np.unique(pairs, axis=0, return_inverse=True)
    asked = [(data.texts[one], data.texts[two]) for one, two in distinct.tolist()]
    scores = tested.scores_in_chunks(asked, progress, CHUNK)
    columns = scores[inverse.ravel()].reshape(len(places), data.rows)
    return {f"{SCORE} {pair}": column for pair, column in zip(places, columns, strict=True)}


def _options(
    tested: EvaluatedModel, settings: Settings
) -> tuple[Names, float, criteria.Range | None]:
    given = settings.options.get("measures") or ("cosine" if "vectors" in tested.offers else SCORE)
    measures = (given,) if isinstance(given, str) else tuple(given)
    measures = MEASURES if measures == ("all",) else measures
    for name in measures:
        if name not in (*MEASURES, SCORE):
            raise UnknownNameError("measure", name, (*MEASURES, SCORE))
        needed = "scores" if name == SCORE else "vectors"
        if needed not in tested.offers:
            raise InputError(f"the measure {name!r} needs {needed}, and {tested.name!r} has none")
    if not measures or len(set(measures)) < len(measures):
        raise InputError(f"measures are different names, at least one, got {measures!r}")
    theta = settings.options.get("theta", THETA)
    if not 0 < theta < np.inf:
        why = "theta is a positive number, in units of the angle between A and B"
        raise InputError(f"{why}; got {theta!r}")
    if (fixed := settings.options.get("epsilon_range")) is None:
        return measures, float(theta), None
    if not (len(fixed) == 2 and np.isfinite(fixed).all() and fixed[0] < fixed[1]):
        raise InputError(f"epsilon_range is two numbers, the smaller first, got {fixed!r}")
    return measures, float(theta), (float(fixed[0]), float(fixed[1]))


_COMPARED = OnCommonGrid((criteria.SATISFIED,))
TASKS = (declared("setops", read, measure, prepare=prepare, comparison=_COMPARED),)
