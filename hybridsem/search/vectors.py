"""Unit vectors on disk: int8 with a scale for each row, float16, or float32. A graph has their
approximate neighbours, by usearch (the extra ``search``). The error of a row is known: a product
with a unit vector is off by at most that. The graph is over the signs of vectors: 48 bytes for 384
numbers, which preserve small angles well. Several times the requested number of rows are selected
by their signs, and the best of these by their vectors.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import AnyArray, Float32Array, Float64Array, IntArray, UInt8Array
from hybridsem._utils.disk import sync
from hybridsem._utils.extras import extra
from hybridsem._utils.onnx import quiet_onnxruntime
from hybridsem.search.files import damaged, mapped

PRECISIONS = {"int8": np.int8, "float16": np.float16, "float32": np.float32}
ROWS = 8192  # the number of rows that are multiplied at once
SLACK = 1e-6  # the largest rounding error of a product of 32-bit rows
CONNECTIVITY, WHEN_ADDED = 12, 64
"""The edges of a node, and the candidates examined when it is added: about 165 bytes a row."""


class Stored(NamedTuple):
    """``rows`` (n, d) as stored; multiplied by ``scales`` (n,), their errors are ``errors`` (n,).
    ``check`` raises for damaged rows on disk; :meth:`stored` and :meth:`vectors` call it.
    """

    rows: AnyArray
    scales: Float32Array
    errors: Float32Array
    check: Callable[[IntArray | slice], None] | None = None

    def stored(self, places: IntArray | slice) -> AnyArray:
        """Return the rows at these places, (p, d), as stored."""
        if self.check is not None:
            self.check(places)
        return self.rows[places]

    def vectors(self, places: IntArray | slice) -> Float32Array:
        """Return the vectors at these places, (p, d)."""
        found: Float32Array = self.stored(places).astype(np.float32)
        found *= self.scales[places][:, None]
        return found


def stored(vectors: Float32Array, precision: str) -> Stored:
    """Return unit vectors, (n, d), in their stored form."""
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
    """Yield the inner products of queries (q, d) with all rows, (r, q) for each block of rows."""
    transposed = np.ascontiguousarray(queries.T)
    for at in range(0, len(kept.rows), ROWS):
        block = slice(at, min(at + ROWS, len(kept.rows)))
        yield block, (kept.vectors(block) @ transposed).astype(np.float64)


def available() -> bool:
    """Test if usearch is installed."""
    from importlib.util import find_spec

    return find_spec("usearch") is not None


def _signs(vectors: Float32Array) -> UInt8Array:
    return np.packbits(vectors > 0, axis=1)


def _graph(dimension: int) -> Any:
    quiet_onnxruntime()  # its import crashes after that of usearch (1.31 and 2.26)
    with extra("usearch", "search"):
        from usearch.index import Index as Graph
    return Graph(
        ndim=dimension,
        metric="hamming",
        dtype="b1",
        connectivity=CONNECTIVITY,
        expansion_add=WHEN_ADDED,
    )


def build_graph(vectors: Stored, path: Path) -> Iterator[int]:
    """Make the graph of all rows and write it; yield the number of added rows."""
    rows, dimension = vectors.rows.shape
    graph = _graph(dimension)
    for at in range(0, rows, ROWS):
        some = np.arange(at, min(at + ROWS, rows))
        graph.add(some, _signs(vectors.vectors(slice(at, at + ROWS))))
        yield len(some)
    graph.save(str(path))
    sync(path)


class Neighbours:
    """A stored graph, memory mapped; its CRC-32 is checked on first use."""

    def __init__(self, path: Path, dimension: int, checksum: int) -> None:
        self.path, self.dimension, self.checksum = path, dimension, checksum
        self._content = mapped(path)

    @cached_property
    def graph(self) -> Any:
        """The graph of usearch."""
        if self.checksum != zlib.crc32(self._content):
            raise damaged(self.path)
        graph = _graph(self.dimension)
        graph.view(self._content)
        return graph

    def nearest(self, query: Float32Array, count: int) -> IntArray:
        """Return about ``count`` rows, whose signs are most similar to those of a vector, (d,)."""
        self.graph.expansion_search = count
        found = self.graph.search(_signs(query[None])[0], count)
        return np.asarray(found.keys, np.int64)
