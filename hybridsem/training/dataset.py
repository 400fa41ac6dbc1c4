"""Rated pairs, checked, and their features, extracted once."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem._utils.store import Store, key_of
from hybridsem._utils.validation import problem
from hybridsem.batch.identity import named_settings
from hybridsem.combiners.alignment import VERBNET_WEIGHTS
from hybridsem.combiners.base import HasTerms
from hybridsem.errors import InputError
from hybridsem.learned.combiner import features_for
from hybridsem.learned.features import EMBEDDING, PRESENCE, FeatureSet, observe, side_by_side
from hybridsem.pipeline import Pipeline
from hybridsem.reader import CHUNK
from hybridsem.tables import Pair

RANGES = ((0, 1), (-1, 1), (1, 5), (0, 5), (1, 7), (0, 10), (0, 100))
"""Ranges of ratings in use; the first that holds all ratings is taken, where none is given."""

CAP = 30
"""Paths that have features, where roles are paths."""

MIN_PAIRS = 10
TABLE = "features"


@dataclass(frozen=True)
class TrainingPairs:
    """Pairs and their ratings, mapped from ``range`` to [0, 1]; ``notes`` say what was left out or
    is odd.

    ``rows`` are the pairs' places in what was given, where some have no rating.

    >>> pairs = [(f"Sentence {number}.", "Another one.", number / 2) for number in range(10)]
    >>> found = rated([*pairs, ("It rains.", "It pours.", None)])
    >>> len(found.pairs), found.rows.tolist()[-1]
    (10, 9)
    """

    pairs: tuple[tuple[str, str], ...]
    ratings: Float64Array
    range: tuple[float, float]
    rows: IntArray
    notes: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """The hash of pairs and ratings."""
        content = [
            [*pair, rating] for pair, rating in zip(self.pairs, self.ratings.tolist(), strict=True)
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def rated(
    pairs: Iterable[Pair | tuple[str, str, float | None]], range: tuple[float, float] | None = None
) -> TrainingPairs:
    """Check rated pairs, records of ``read_pairs`` or (text, text, rating), and map their ratings
    to [0, 1]: from ``range``, or the first range in use that holds them all.

    A pair without a rating (None, NaN) is left out, and counted in the notes. A pair that stands
    twice with different ratings is used as often: least squares go to their mean.

    Raises :class:`InputError` for blank texts, infinite ratings or such outside every range, equal
    ratings, fewer than ten rated pairs.

    >>> pairs = [(f"Sentence {number}.", "Another one.", number / 2) for number in range(10)]
    >>> data = rated(pairs)
    >>> len(data.pairs), data.range, data.ratings.round(2).tolist()[:3]
    (10, (0.0, 5.0), [0.0, 0.1, 0.2])
    """
    texts: list[tuple[str, str]] = []
    ratings: list[float] = []
    rows: list[int] = []
    unrated = 0
    for row, pair in enumerate(pairs):
        one, two, rating = (pair.text1, pair.text2, pair.gold) if isinstance(pair, Pair) else pair
        where = f"line {pair.line}" if isinstance(pair, Pair) else f"pair {row}"
        if rating is None or np.isnan(rating):
            unrated += 1
            continue
        for side, text in ((1, one), (2, two)):
            if (why := problem(text)) is not None:
                raise InputError(f"{where}, sentence {side}: {why}")
        if not np.isfinite(rating):
            raise InputError(f"{where}: a rating is a finite number, got {rating!r}")
        texts.append((one, two))
        ratings.append(float(rating))
        rows.append(row)
    if len(texts) < MIN_PAIRS:
        raise InputError(
            f"at least {MIN_PAIRS} rated pairs are needed to learn from, got {len(texts)}"
        )
    values = np.array(ratings)
    low, high = _range(values, range)
    if np.ptp(values) < 1e-12:
        raise InputError(
            f"all {len(values)} ratings are {values[0]:g}; there is nothing to learn from "
            "equal ratings"
        )
    notes = [f"{unrated} pairs have no rating and are left out"] if unrated else []
    if different := _rated_differently(texts, ratings):
        notes.append(f"{different} pairs stand more than once with different ratings; each counts")
    return TrainingPairs(
        tuple(texts),
        (values - low) / (high - low),
        (low, high),
        np.array(rows, np.int64),
        tuple(notes),
    )


def _range(values: Float64Array, given: tuple[float, float] | None) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    if given is not None:
        if not (np.isfinite(given).all() and given[0] < given[1]):
            raise InputError(f"a range of ratings is two numbers, the lower first, got {given!r}")
        if low < given[0] or high > given[1]:
            outside = low if low < given[0] else high
            raise InputError(
                f"a rating of {outside:g} lies outside the range from {given[0]:g} to {given[1]:g}"
            )
        return float(given[0]), float(given[1])
    for one in RANGES:
        if one[0] <= low and high <= one[1]:
            return float(one[0]), float(one[1])
    known = ", ".join(f"{a:g} to {b:g}" for a, b in RANGES)
    raise InputError(
        f"ratings from {low:g} to {high:g} are in none of the usual ranges ({known}); say "
        "theirs with range= "
        "(--range LOW,HIGH)"
    )


def _rated_differently(texts: Sequence[tuple[str, str]], ratings: Sequence[float]) -> int:
    seen: dict[frozenset[str], set[float]] = {}
    for pair, rating in zip(texts, ratings, strict=True):
        seen.setdefault(frozenset(pair), set()).add(rating)
    return sum(len(found) > 1 for found in seen.values())


def extract(
    pipeline: Pipeline,
    pairs: Sequence[tuple[str, str]],
    *,
    features: str = "roles",
    cap: int = CAP,
    cache: str | os.PathLike[str] | None = None,
) -> tuple[FeatureSet, Float64Array]:
    """The features of the pairs, and the table of them, (pairs, features).

    A row is NaN where a sentence has no parse.

    Args:
        pipeline: The model whose roles or vectors are the features.
        pairs: Of sentences.
        features: ``roles``, of the model's explanations, or ``embedding``, of its sentence vectors.
        cap: Where roles are paths, how many of those that most pairs share have features.
        cache: A folder in which the table is kept; what was extracted from the same pairs with the
            same parts is read from there.

    Raises:
        InputError: The model has no such features; unnamed parts with a cache.

    >>> from hybridsem import Pipeline
    >>> features, table = extract(Pipeline(), [("It rains.", "It is raining.")])
    >>> features.names[0], table.shape == (1, len(features.names))
    ('score', True)
    """
    if features not in ("roles", EMBEDDING):
        raise InputError(f"unknown features, got {features!r}; they are 'roles' or {EMBEDDING!r}")
    if cap < 1:
        raise InputError(f"at least one path must have features, got cap {cap!r}")
    if "weights" in pipeline.settings:
        raise InputError("the pipeline has learned weights already; train one without weights=")
    folder = None if cache is None else Path(cache)
    if folder is None:
        return _extracted(pipeline, pairs, features, cap)
    about = {
        **named_settings(pipeline, "a cache is found by the parts' names"),
        "features": features,
        "cap": cap,
        "pairs": [list(pair) for pair in pairs],
    }
    key = key_of(json.dumps(about, sort_keys=True))
    with closing(Store(folder / "features.sqlite", [TABLE])) as store:
        if (content := store.get(TABLE, [key]).get(key)) is not None:
            return _unpacked(content)
        found = _extracted(pipeline, pairs, features, cap)
        pipeline._check_contents()
        store.put(TABLE, {key: _packed(*found)})
    return found


def _extracted(
    pipeline: Pipeline, pairs: Sequence[tuple[str, str]], features: str, cap: int
) -> tuple[FeatureSet, Float64Array]:
    if features == EMBEDDING:
        return _vectors(pipeline, pairs)
    return _explanations(pipeline, pairs, cap)


def _packed(features: FeatureSet, table: Float64Array) -> bytes:
    return json.dumps(asdict(features)).encode() + b"\n" + table.astype("<f8").tobytes()


def _unpacked(content: bytes) -> tuple[FeatureSet, Float64Array]:
    head, _, body = content.partition(b"\n")
    about = json.loads(head)
    parts = (tuple(about[part]) for part in ("names", "players", "roles"))
    features = FeatureSet(about["kind"], *parts)
    return features, np.frombuffer(body, "<f8").reshape(-1, len(features.names)).astype(float)


def table_of(
    pipeline: Pipeline, pairs: Sequence[tuple[str, str]], features: FeatureSet
) -> Float64Array:
    """These features of other pairs, (pairs, features); NaN where a sentence has no parse."""
    if features.kind == EMBEDDING:
        return _vectors(pipeline, pairs)[1]
    return features.table(_observed(pipeline, pairs))


def _observed(
    pipeline: Pipeline, pairs: Sequence[tuple[str, str]]
) -> list[dict[str, float] | None]:
    """The observations of each pair, from which any features can be made."""
    combiner: Any = pipeline.combiner
    observed: list[dict[str, float] | None] = []
    for at in range(0, len(pairs), CHUNK):
        batch = pipeline.read(pairs[at : at + CHUNK])
        terms = combiner.terms if isinstance(combiner, HasTerms) else ()
        observed += observe(batch, combiner.explain(batch), combiner.vectors, terms)
    return observed


def _explanations(
    pipeline: Pipeline, pairs: Sequence[tuple[str, str]], cap: int
) -> tuple[FeatureSet, Float64Array]:
    combiner: Any = pipeline.combiner
    features_for(
        combiner, (), pipeline.spec.name
    )  # a model without roles is said before its weights are read
    observed = _observed(pipeline, pairs)
    if combiner.formalism == "verbnet":
        roles = [str(role) for role in VERBNET_WEIGHTS]
    else:
        shared = Counter(
            name.removeprefix(PRESENCE)
            for one in observed
            for name, value in (one or {}).items()
            if name.startswith(PRESENCE) and value == 1
        )
        roles = [
            role for role, _ in sorted(shared.items(), key=lambda item: (-item[1], item[0]))[:cap]
        ]
    names = features_for(combiner, roles, pipeline.spec.name)
    return names, names.table(observed)


def _vectors(
    pipeline: Pipeline, pairs: Sequence[tuple[str, str]]
) -> tuple[FeatureSet, Float64Array]:
    tables = [
        side_by_side(pipeline.read(pairs[at : at + CHUNK])) for at in range(0, len(pairs), CHUNK)
    ]
    table = np.vstack(tables)
    return FeatureSet.of_vectors(table.shape[1] // 2), table
