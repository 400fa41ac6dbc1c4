"""Unit vectors on disk: int8 with a scale a row, float16, or float32 as they are.

What a row has lost is known: a product with a unit vector is off by at most the row's error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from hybridsem._typing import AnyArray, Float32Array, Float64Array, IntArray

__all__ = ["PRECISIONS", "Stored", "products", "stored"]

PRECISIONS = {"int8": np.int8, "float16": np.float16, "float32": np.float32}
ROWS = 8192
"""Rows that are multiplied at once."""
SLACK = 1e-6
"""What rounding may add to a product of 32-bit rows."""


class Stored(NamedTuple):
    """``rows`` (n, d) as they are kept; times ``scales`` (n,) they are off by ``errors`` (n,).

    ``check`` raises for rows on disk that are damaged; :meth:`stored` and :meth:`vectors` call it.
    """

    rows: AnyArray
    scales: Float32Array
    errors: Float32Array
    check: Callable[[IntArray | slice], None] | None = None

    def stored(self, places: IntArray | slice) -> AnyArray:
        """The rows at these places, (p, d), as they are kept."""
        if self.check is not None:
            self.check(places)
        return self.rows[places]

    def vectors(self, places: IntArray | slice) -> Float32Array:
        """The vectors at these places, (p, d)."""
        found: Float32Array = self.stored(places).astype(np.float32)
        found *= self.scales[places][:, None]
        return found


def stored(vectors: Float32Array, precision: str) -> Stored:
    """Unit vectors, (n, d), as they are kept."""
    dtype = PRECISIONS[precision]
    scales = np.ones(len(vectors), np.float32)
    rows: AnyArray
    if precision == "int8":
        most = np.abs(vectors).max(axis=1, initial=0)
        scales = np.where(most > 0, most / 127, 1).astype(np.float32)
        rows = np.rint(vectors / scales[:, None]).astype(np.int8)
    else:
        rows = vectors.astype(dtype)
    lost = vectors.astype(np.float64) - rows.astype(np.float64) * scales[:, None]
    errors = np.linalg.norm(lost, axis=1)
    return Stored(rows, scales, np.where(errors > 0, errors + SLACK, 0).astype(np.float32))


def products(kept: Stored, queries: Float32Array) -> Iterator[tuple[slice, Float64Array]]:
    """The inner products of queries (q, d) with all rows, (r, q) for each block of rows."""
    turned = np.ascontiguousarray(queries.T)
    for at in range(0, len(kept.rows), ROWS):
        block = slice(at, min(at + ROWS, len(kept.rows)))
        yield block, (kept.vectors(block) @ turned).astype(np.float64)
