"""Maps from an encoder's cosines to those of the embedded one, on which the hybrid was trained.

    cosine --piecewise linear, rising--> the cosine at the same quantile of sentence pairs

A scale is fitted to all pairs of unlabelled sentences. It recognises its encoder by the cosines of
a few sentences. ``scales.json`` has the scales in the package.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from hybridsem._typing import Float32Array, Float64Array
from hybridsem._utils.exact import dots
from hybridsem._utils.predictors import SignedFile
from hybridsem._utils.weights import weight_file
from hybridsem.embeddings.abilities import SentenceEncoder
from hybridsem.embeddings.embedded import EmbeddedEncoder, normalised
from hybridsem.errors import InputError

Encode = Callable[[list[str]], Float32Array]

STEPS = 32  # intervals of the embedded encoder's cosines
MIN_PAIRS = 30  # the least number of pairs between two knots
MIN_SENTENCES, MAX_SENTENCES = 50, 2000
PROBES = (
    "A man is playing a guitar on the stage.",
    "Someone makes music for an audience.",
    "Nobody played the guitar.",
    "The shares of the company fell sharply on Monday.",
    "She asked whether the bridge would be open again by spring.",
)
SAME = 0.01  # the largest difference between cosines of one encoder, in 8 and in 32 bit for example


@dataclass(frozen=True, eq=False)
class CosineScale(SignedFile, type_name="scale", encoder=str, knots="k", values="k", probes="p"):
    """A map from the cosines of an ``encoder`` to the embedded encoder's. It interpolates between
    ``values`` at ``knots``; both rise from -1 to 1. ``probes`` are the encoder's cosines of a few
    sentences.
    """

    what = "the scale"
    command = "fit-encoder"

    encoder: str
    knots: Float64Array
    values: Float64Array
    probes: Float64Array

    def __post_init__(self) -> None:
        super().__post_init__()
        for numbers in (self.knots, self.values):
            ends = len(numbers) > 1 and numbers[0] == -1 and numbers[-1] == 1
            rises = ends and (np.diff(numbers) > 0).all()
            self._check(rises, f"knots and values rise from -1 to 1, got {numbers.tolist()}")

    def __call__(self, cosines: Float64Array) -> Float64Array:
        """Map cosines in [-1, 1], of any shape, to the embedded encoder's."""
        return np.asarray(np.interp(cosines, self.knots, self.values), np.float64)

    @cached_property
    def lipschitz_constant(self) -> float:
        """The largest slope of the map."""
        return float(max(np.diff(self.values) / np.diff(self.knots)))

    def is_of(self, probes: Float64Array) -> bool:
        """Test if the probes are those of this scale's encoder."""
        return len(probes) == len(self.probes) and np.allclose(probes, self.probes, 0, SAME)


@cache
def _shipped() -> tuple[CosineScale, ...]:
    return tuple(map(CosineScale.from_dict, json.loads(weight_file("scales.json"))))


def shipped_scale(probes: Float64Array) -> CosineScale | None:
    """Return the scale in the package for an encoder with these probes, or None."""
    return next((scale for scale in _shipped() if scale.is_of(probes)), None)


def probes_of(encode: Encode) -> Float64Array:
    """Return an encoder's cosines of the probes; none if it cannot read them."""
    try:
        return cosines_of(encode, PROBES).round(4)
    except InputError:  # an encoder of given sentences only
        return np.array([])


def cosines_of(encode: Encode, sentences: Sequence[str]) -> Float64Array:
    """Return the cosines of all pairs of n sentences, (n · (n - 1) / 2,)."""
    rows = normalised(np.asarray(encode(list(sentences)), np.float32))
    return np.clip(dots(rows, rows)[np.triu_indices(len(rows), 1)], -1, 1)


def fit_scale(encoder: SentenceEncoder, name: str, sentences: Sequence[str]) -> CosineScale:
    """Fit the scale of an encoder, anything with ``encode(sentences)``. The sentences should be
    like those to compare, some of them similar; of more than 2,000 an even sample is used. Raises
    :class:`InputError` for fewer than 50, and if all pairs are alike.
    """
    texts = list(dict.fromkeys(sentences))
    if len(texts) < MIN_SENTENCES:
        raise InputError(
            f"a scale needs at least {MIN_SENTENCES} different sentences, got {len(texts)}"
        )
    texts = texts[:: -(-len(texts) // MAX_SENTENCES)]
    theirs, ours = (np.sort(cosines_of(one.encode, texts)) for one in (encoder, EmbeddedEncoder()))
    levels = np.linspace(ours[0], ours[-1], STEPS + 1)[1:-1]
    places, at = [], 0
    for place in np.searchsorted(ours, levels).tolist():
        if place - at >= MIN_PAIRS and len(ours) - place >= MIN_PAIRS:
            places.append(at := place)
    points = np.column_stack([theirs, ours])[places].round(4).tolist()
    knots, values = [-1.0], [-1.0]
    for knot, value in [*points, (1.0, 1.0)]:
        if knots[-1] < knot and values[-1] < value and (knot < 1) == (value < 1):
            knots.append(knot)
            values.append(value)
    if len(knots) < STEPS // 4:
        raise InputError("all these sentences are alike for the encoder or for the embedded one")
    return CosineScale(name, np.array(knots), np.array(values), probes_of(encoder.encode))
