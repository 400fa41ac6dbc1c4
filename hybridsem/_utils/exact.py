"""Arithmetic that gives the same bits on every processor.

Libraries choose their code by processor: BLAS changes the order of sums, and numpy has its own
exponentials for AVX-512. The functions here depend on neither.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from hybridsem._typing import AnyArray, Float32Array, Float64Array

Numbers = AnyArray | Sequence[float] | float

GRID = float(1 << 24)
ROUNDING = 1e-9
"""The largest error of a sum of rounded parts; a sentence compared with itself scores exactly 1."""


def on_grid(rows: Float32Array | Float64Array) -> Float64Array:
    """Return rows rounded to multiples of 2⁻²⁴: sums of their products are exact in any order."""
    return np.rint(rows * GRID, dtype=np.float64) / GRID


def dots(first: Float32Array | Float64Array, second: Float32Array | Float64Array) -> Float64Array:
    """Return the inner products (n, m) of rows (n, d) and (m, d), :func:`on_grid`."""
    return np.asarray(on_grid(first) @ on_grid(second).T)


def row_products(first: Float32Array, second: Float32Array) -> Float64Array:
    """Return the inner product of each row with its counterpart, (n,). No product depends on the
    other rows, not even in the last bit; ``einsum`` does not promise that.
    """
    products: Float64Array = np.sum(first.astype(np.float64) * second, axis=1)
    return products


def product(rows: Float64Array, matrix: Float64Array) -> Float64Array:
    """Return ``rows`` (…, d) times ``matrix`` (d, m), adding in the order of d."""
    return np.asarray(np.einsum("...i,ij->...j", rows, matrix))


def _each(function: Callable[[float], float]) -> Callable[[Numbers], Float64Array]:
    def of(values: Numbers) -> Float64Array:
        flat = np.asarray(values, np.float64)
        return np.array([function(value) for value in flat.ravel().tolist()]).reshape(flat.shape)

    return of


exp, expm1, log = map(_each, (math.exp, math.expm1, math.log))
"""numpy's functions, computed by the C library. ``log`` raises :class:`ValueError` for x <= 0."""


def power(base: Float64Array, exponent: float) -> Float64Array:
    """Return ``base`` (…) to the power of ``exponent``."""
    return _each(lambda value: value**exponent)(base)
