"""Rated pairs, checked, and their features."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem.combiners.base import ComparesWords
from hybridsem.comparison.role_alignment import VERBNET_WEIGHTS
from hybridsem.datasets.rated_pairs import content_of
from hybridsem.errors import InputError
from hybridsem.learned.combiner import features_for
from hybridsem.learned.features import PRESENCE, FeatureSet, observe
from hybridsem.pipeline import Pipeline
from hybridsem.reader import CHUNK
from hybridsem.reader.pairs import pair_problem
from hybridsem.tables import Pair

# Usual ranges of ratings; the first that contains all ratings is the default.
RANGES = ((0, 1), (-1, 1), (1, 5), (0, 5), (1, 7), (0, 10), (0, 100))
CAP = 30  # the number of paths with features, if roles are paths
MIN_PAIRS = 10


@dataclass(frozen=True)
class TrainingPairs:
    """Pairs and their ratings, mapped from ``range`` to [0, 1]. ``rows`` are the positions of the
    pairs in the input, including those without a rating, whose hash is ``sha256``.
    """

    pairs: tuple[tuple[str, str], ...]
    ratings: Float64Array
    range: tuple[float, float]
    rows: IntArray
    sha256: str
    notes: tuple[str, ...] = ()


def rated(
    pairs: Iterable[Pair | tuple[str, str, float | None]], range: tuple[float, float] | None = None
) -> TrainingPairs:
    """Check rated pairs: records of ``read_pairs``, or (text, text, rating).

    Ratings are mapped to [0, 1] from ``range`` or the first usual range that contains them. A pair
    without a rating (None, NaN) is left out, with a note. Each rating of a pair with several
    ratings counts.

    Raises :class:`InputError` for blank texts, ratings that are infinite, equal or outside the
    range, and fewer than ten rated pairs.

    >>> pairs = [(f"Sentence {number}.", "Another one.", number / 2) for number in range(10)]
    >>> data = rated([*pairs, ("It rains.", "It pours.", None)])
    >>> len(data.pairs), data.range, data.ratings.round(2).tolist()[:3]
    (10, (0.0, 5.0), [0.0, 0.1, 0.2])
    """
    texts: list[tuple[str, str]] = []
    rated_rows: list[tuple[int, float]] = []
    given: list[tuple[str, str, float | None]] = []
    for row, pair in enumerate(pairs):
        if isinstance(pair, Pair):
            pair_texts, rating, where = (pair.text1, pair.text2), pair.gold, f"line {pair.line}"
        else:
            pair_texts, rating, where = pair[:2], pair[2], f"pair {row}"
        given.append((*pair_texts, None if rating is None else float(rating)))
        if rating is None or np.isnan(rating):
            continue
        if (why := pair_problem(pair_texts)) is not None:
            raise InputError(f"{where}, {why}")
        if not np.isfinite(rating):
            raise InputError(f"{where}: a rating is a finite number, got {rating!r}")
        texts.append(pair_texts)
        rated_rows.append((row, float(rating)))
    if len(texts) < MIN_PAIRS:
        raise InputError(f"at least {MIN_PAIRS} rated pairs are needed, got {len(texts)}")
    values = np.array([rating for _, rating in rated_rows])
    low, high = _range(values, range)
    if np.ptp(values) < 1e-12:
        raise InputError(f"all {len(values)} ratings are {values[0]:g}, which teaches nothing")
    unrated = len(given) - len(texts)
    notes = [f"{unrated} pairs have no rating and are left out"] if unrated else []
    places = np.array([row for row, _ in rated_rows], np.int64)
    scaled = (values - low) / (high - low)
    sha256 = hashlib.sha256(content_of(given)).hexdigest()
    return TrainingPairs(tuple(texts), scaled, (low, high), places, sha256, tuple(notes))


def _range(values: Float64Array, given: tuple[float, float] | None) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    if given is not None and not (np.isfinite(given).all() and given[0] < given[1]):
        raise InputError(f"a range of ratings is two numbers, the lower first, got {given!r}")
    for least, most in RANGES if given is None else (given,):
        if least <= low and high <= most:
            return float(least), float(most)
    if given is not None:
        outside, ends = low if low < given[0] else high, f"from {given[0]:g} to {given[1]:g}"
        raise InputError(f"a rating of {outside:g} is outside the range {ends}")
    known = ", ".join(f"{a:g} to {b:g}" for a, b in RANGES)
    why = f"ratings from {low:g} to {high:g} are not in a usual range ({known})"
    raise InputError(f"{why}; give their range with range= (--range LOW,HIGH)")


def extract(
    pipeline: Pipeline, pairs: Sequence[tuple[str, str]], *, cap: int = CAP
) -> tuple[FeatureSet, Float64Array]:
    """Return the features of pairs, and their table; of paths the ``cap`` most frequent."""
    if cap < 1:
        raise InputError(f"at least one path must have features, got cap {cap!r}")
    if "weights" in pipeline.settings:
        raise InputError("the pipeline has learned weights; train one without weights=")
    combiner, name = pipeline.combiner, pipeline.spec.name
    features_for(combiner, (), name)  # refuse a model without roles before reading
    observed = _observed(pipeline, pairs)
    values_of = (item for values in observed for item in (values or {}).items())
    present = (name for name, value in values_of if name.startswith(PRESENCE) and value == 1)
    shared = Counter(name.removeprefix(PRESENCE) for name in present)
    roles = sorted(shared, key=lambda role: (-shared[role], role))[:cap]
    if combiner.formalism == "verbnet":
        roles = [*map(str, VERBNET_WEIGHTS)]
    names = features_for(combiner, roles, name)
    return names, names.table(observed)


def table_of(
    pipeline: Pipeline, pairs: Sequence[tuple[str, str]], features: FeatureSet
) -> Float64Array:
    """Return given features of other pairs, (pairs, features); NaN without a parse."""
    return features.table(_observed(pipeline, pairs))


def _observed(
    pipeline: Pipeline, pairs: Sequence[tuple[str, str]]
) -> list[dict[str, float] | None]:
    """Return the values of each pair, for any set of features."""
    combiner = pipeline.combiner
    assert isinstance(combiner, ComparesWords)  # as features_for has checked
    observed: list[dict[str, float] | None] = []
    for at in range(0, len(pairs), CHUNK):
        batch = pipeline.read(pairs[at : at + CHUNK])
        observed += observe(batch, combiner.explain(batch), combiner, combiner.vectors)
    return observed
