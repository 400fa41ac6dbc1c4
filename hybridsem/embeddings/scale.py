"""Other encoders' cosines on the scale of the embedded encoder's, which the hybrid was learned on.

    cosine --piecewise linear, rising--> the cosine below which as many pairs of sentences lie

A scale is made of unlabelled sentences, all of them paired. Its encoder is known by its cosines of
a few sentences, whatever it is called and however it is run. ``scales.json`` has those that ship.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.disk import saving
from hybridsem._utils.exact import dots
from hybridsem._utils.signed_json import read_signed, signed
from hybridsem._utils.weights import weight_file
from hybridsem.embeddings.embedded import EmbeddedEncoder, normalised
from hybridsem.errors import FormatError, InputError

__all__ = ["CosineScale", "fit_scale", "read_scale", "shipped_scale"]

Encode = Callable[[list[str]], Any]

SCHEMA = "hybridsem-scale/1"
STEPS = 32
"""Parts that the embedded encoder's cosines are cut into."""
LEAST_PAIRS = 30
"""Pairs between two knots, so that chance does not place them."""
LEAST, MOST = 50, 2000
"""Sentences that a scale is made of."""
PROBES = (
    "A man is playing a guitar on the stage.",
    "Someone makes music for an audience.",
    "Nobody played the guitar.",
    "The shares of the company fell sharply on Monday.",
    "She asked whether the bridge would be open again by spring.",
)
SAME = 0.01
"""How far the cosines of one encoder may differ, as those in 8 bit and in 32 do."""


@dataclass(frozen=True)
class CosineScale:
    """A map from the cosines of an ``encoder`` to the embedded one's, through ``values`` at
    ``knots``; both rise from -1 to 1. ``probes`` are the encoder's cosines of a few sentences.

    >>> scale = CosineScale("mine", (-1.0, 0.5, 1.0), (-1.0, 0.7, 1.0), ())
    >>> scale(np.array([0.5, 1.0])).tolist(), round(scale.steepest, 2)
    ([0.7, 1.0], 1.13)
    """

    encoder: str
    knots: tuple[float, ...]
    values: tuple[float, ...]
    probes: tuple[float, ...]

    def __post_init__(self) -> None:
        for numbers in (self.knots, self.values):
            if (
                len(numbers) < 2
                or numbers[0] != -1
                or numbers[-1] != 1
                or min(np.diff(numbers)) <= 0
            ):
                raise FormatError(f"a scale's knots and values rise from -1 to 1, got {numbers}")
        if len(self.knots) != len(self.values):
            raise FormatError("a scale has a value for each knot")

    def __call__(self, cosines: Float64Array) -> Float64Array:
        """Cosines (…) in [-1, 1] on the embedded encoder's scale."""
        return np.asarray(np.interp(cosines, self.knots, self.values), np.float64)

    @cached_property
    def steepest(self) -> float:
        """By how much a value changes at most with its cosine."""
        return float(max(np.diff(self.values) / np.diff(self.knots)))

    def is_of(self, probes: Sequence[float]) -> bool:
        """Whether an encoder with these cosines of the probes is the one that this is for."""
        return len(probes) == len(self.probes) and np.allclose(probes, self.probes, 0, SAME)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the JSON file; :class:`InputError` where that cannot be."""
        with saving(path, "the scale") as part:
            part.write_text(json.dumps(signed(asdict(self), SCHEMA), indent=1) + "\n")


def read_scale(path: str | os.PathLike[str]) -> CosineScale:
    """The scale of a file; :class:`FormatError` for any other."""
    advice = "not usable as a scale: {}; make it with `hybridsem fit-encoder`"
    content = read_signed(path, SCHEMA, advice)
    try:
        return _scale(content)
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(advice.format(error), path) from None


def _scale(content: dict[str, Any]) -> CosineScale:
    numbers = (tuple(map(float, content[name])) for name in ("knots", "values", "probes"))
    return CosineScale(str(content["encoder"]), *numbers)


@cache
def _shipped() -> tuple[CosineScale, ...]:
    return tuple(map(_scale, json.loads(weight_file("scales.json"))))


def shipped_scale(probes: Sequence[float]) -> CosineScale | None:
    """The scale that ships for an encoder with these cosines of the probes, if one does."""
    return next((scale for scale in _shipped() if scale.is_of(probes)), None)


def probes_of(encode: Encode) -> tuple[float, ...]:
    """An encoder's cosines of the probes; none where it cannot read these."""
    try:
        return tuple(cosines_of(encode, PROBES).round(4).tolist())
    except InputError:  # vectors of given sentences alone
        return ()


def cosines_of(encode: Encode, sentences: Sequence[str]) -> Float64Array:
    """The cosines of all pairs of n sentences, (n · (n - 1) / 2,)."""
    rows = normalised(np.asarray(encode(list(sentences)), np.float32))
    return np.clip(dots(rows, rows)[np.triu_indices(len(rows), 1)], -1, 1)


def fit_scale(encoder: Any, name: str, sentences: Sequence[str]) -> CosineScale:
    """The scale of an encoder. ``encoder``: anything with ``encode(sentences)``; ``sentences``: of
    the kind that will be compared, some of them much alike; of more than 2,000, 2,000 at equal
    distances are read. Raises :class:`InputError` (fewer than 50, or an encoder to which all pairs
    are alike).
    """
    texts = list(dict.fromkeys(sentences))
    if len(texts) < LEAST:
        raise InputError(f"a scale needs at least {LEAST} different sentences, got {len(texts)}")
    texts = texts[:: -(-len(texts) // MOST)]
    theirs, ours = (np.sort(cosines_of(one.encode, texts)) for one in (encoder, EmbeddedEncoder()))
    levels = np.linspace(ours[0], ours[-1], STEPS + 1)[1:-1]
    places, at = [], 0
    for place in np.searchsorted(ours, levels).tolist():
        if place - at >= LEAST_PAIRS and len(ours) - place >= LEAST_PAIRS:
            places.append(at := place)
    points = [(float(theirs[place]), float(ours[place])) for place in places]
    knots, values = [-1.0], [-1.0]
    for knot, value in [*((round(x, 4), round(y, 4)) for x, y in points), (1.0, 1.0)]:
        if knots[-1] < knot and values[-1] < value and (knot < 1) == (value < 1):
            knots.append(knot)
            values.append(value)
    if len(knots) < STEPS // 4:
        raise InputError("to the encoder, or to the embedded one, all these sentences are alike")
    return CosineScale(name, tuple(knots), tuple(values), probes_of(encoder.encode))
