"""Geometry of a set operation: similarities by five measures, and the target on the plane of A and
B.

           B
          /  . target, projected on the plane of A and B
         / .      0: along A, 1: along B; between them is "in the middle"
        O ------ A

Angles are divided by the angle between A and B, so that this is 1. The basis of the plane is
orthonormal, by Gram-Schmidt. The paper's Eqs. 2 and 4 (appendix A.2) give only the lengths of the
components; here they have directions.
"""

from __future__ import annotations

import numpy as np

from hybridsem._typing import AnyArray, Float64Array, IntArray
from hybridsem.errors import InputError

MEASURES = ("cosine", "dot", "l1", "l2", "ned")
DISTANCES = ("l1", "l2", "ned")
"""Measures that are small for similar vectors."""

PAIRS = ("AB", "AT", "BT", "(A-B)T", "(A-B)B")
"""The pairs of vectors that the criteria compare; T is the target."""

BLOCK = 1024
"""Samples computed at once, to fit a processor's cache."""

COLLINEAR = 1e-6
"""The sine below which A and B span no plane: the precision of 32-bit vectors."""

NORMS = ("norm A", "norm B", "norm target")


def look(
    vectors: AnyArray, index: IntArray, measures: tuple[str, ...] = MEASURES
) -> dict[str, Float64Array]:
    """Return columns of samples: ``MEASURE PAIR``, and those of :func:`on_plane`. ``vectors`` are
    (texts, d), NaN where missing; ``index`` (n, 3) has the rows of A, B and target.
    """
    if vectors.ndim != 2 or vectors.shape[1] < 2:
        why = "set operations need vectors of at least two dimensions"
        raise InputError(f"{why}, got an array of shape {vectors.shape}")
    blocks = []
    for at in range(0, max(1, len(index)), BLOCK):
        a, b, target = (vectors[places].astype(np.float64) for places in index[at : at + BLOCK].T)
        rest = a - b
        sides = ((a, b), (a, target), (b, target), (rest, target), (rest, b))
        found = {pair: measured(*two, measures) for pair, two in zip(PAIRS, sides, strict=True)}
        similar = {f"{name} {pair}": found[pair][name] for name in measures for pair in PAIRS}
        blocks.append({**similar, **on_plane(a, b, target)})
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def measured(
    x: Float64Array, y: Float64Array, measures: tuple[str, ...] = MEASURES
) -> dict[str, Float64Array]:
    """Return the similarity or distance of each row of x and of y, (n,) by measure; NaN if
    undefined. ``ned`` is ½ Var(x - y) / (Var x + Var y), with the variance over components.
    """
    found = {}
    with np.errstate(invalid="ignore", divide="ignore"):
        products = _dot(x, y)
        if "cosine" in measures:
            found["cosine"] = np.clip(products / np.sqrt(_dot(x, x) * _dot(y, y)), -1, 1)
        if "dot" in measures:
            found["dot"] = products
        if set(measures) & set(DISTANCES):
            apart = x - y
            if "l1" in measures:
                found["l1"] = np.abs(apart).sum(axis=1)
            if "l2" in measures:
                found["l2"] = np.sqrt(_dot(apart, apart))
            if "ned" in measures:
                found["ned"] = 0.5 * _variance(apart) / (_variance(x) + _variance(y))
    return found


def on_plane(a: Float64Array, b: Float64Array, target: Float64Array) -> dict[str, Float64Array]:
    """Return the places of targets (n, d) on the planes of A and B, as columns (n,). Angles are
    divided by ∠(A, B), ``middle`` is 1 between A and B. NaN without a plane or a projection.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        norm_a, norm_b, norm_target = (np.sqrt(_dot(x, x)) for x in (a, b, target))
        first = a / norm_a[:, None]
        along = _dot(b, first)
        rest = b - along[:, None] * first
        height = np.sqrt(_dot(rest, rest))
        collinear = height <= COLLINEAR * norm_b
        second = rest / np.where(collinear, np.nan, height)[:, None]
        x, y = _dot(target, first), _dot(target, second)
        angle = np.arctan2(height, along)
        place = np.arctan2(y, x)
        place[(x == 0) & (y == 0)] = np.nan  # a target at right angles to the plane
        from_b = np.abs(place - angle)
        to_a, to_b = np.abs(place) / angle, np.minimum(from_b, 2 * np.pi - from_b) / angle
        undefined = np.isnan(place)
        middle = np.where(undefined, np.nan, (place >= 0) & (place <= angle))
        ratio = np.where(undefined, np.nan, norm_a / norm_b)
    one_way = np.where(np.isnan(height) | np.isnan(norm_target), np.nan, collinear)
    places = {"angle to A": to_a, "angle to B": to_b, "middle": middle, "norm ratio": ratio}
    norms = dict(zip(NORMS, (norm_a, norm_b, norm_target), strict=True))
    return {**places, **norms, "collinear": one_way}


def _dot(x: Float64Array, y: Float64Array) -> Float64Array:
    """Return the inner product of each row with the same row of the other."""
    products: Float64Array = np.einsum("ij,ij->i", x, y)
    return products


def _variance(x: Float64Array) -> Float64Array:
    centred = x - x.mean(axis=1, keepdims=True)
    variance: Float64Array = _dot(centred, centred) / x.shape[1]
    return variance
