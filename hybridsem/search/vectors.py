"""The unit vectors of an index, and a graph of their neighbours.

``vectors.bin`` has a record for each row: a checksum, a scale, an error, and the vector as int8,
float16 or float32. The vector times the scale is the unit vector, and a product with another unit
vector is off by at most the error. The file is mapped into memory, so that processes share it, and
a row is checked when it is first read. Rows are only appended; the manifest says how many count.

A graph has approximate neighbours, by usearch (the extra ``search``). It is over the signs of
vectors: 48 bytes for 384 numbers, which preserve small angles well. Several times the requested
number of rows are selected by their signs, and the best of these by their vectors.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from functools import cached_property
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import AnyArray, Float32Array, Float64Array, IntArray, UInt8Array
from hybridsem._utils.disk import sync
from hybridsem._utils.extras import extra
from hybridsem._utils.onnx import quiet_onnxruntime
from hybridsem.search.database import damaged, writing

VECTORS, NEIGHBOURS = "vectors.bin", "neighbours.usearch"
PRECISIONS = {"int8": "i1", "float16": "<f2", "float32": "<f4"}
ROWS = 8192  # the number of rows that are multiplied at once
FACTOR = np.uint32(0x9E3779B1)  # an odd number whose bits look random
SLACK = 1e-6  # the largest rounding error of a product of 32-bit rows
CONNECTIVITY, WHEN_ADDED = 12, 64
"""The edges of a node, and the candidates examined when it is added: about 165 bytes a row."""


def _record(dimension: int, precision: str) -> np.dtype[Any]:
    of_vector = (PRECISIONS[precision], (dimension,))
    fields = [("sum", "<u4"), ("scale", "<f4"), ("error", "<f4"), ("vector", *of_vector)]
    return np.dtype(fields, align=True)


def _sums(made: AnyArray) -> AnyArray:
    """Return the checksum of each record: its other 32-bit numbers, each times an odd number of its
    own, so that a change of one always changes the sum. CRC-32 takes twenty times as long.
    """
    numbers = made.view("<u4").reshape(len(made), -1)[:, 1:]
    odd = (2 * np.arange(numbers.shape[1], dtype=np.uint32) + 1) * FACTOR
    found: AnyArray = np.einsum("ij,j->i", numbers, odd) + FACTOR
    return found


def records(vectors: Float32Array, precision: str) -> AnyArray:
    """Return the records of unit vectors, (n, d)."""
    made = np.zeros(len(vectors), _record(vectors.shape[1], precision))
    made["scale"] = 1
    if precision == "int8":
        most = np.abs(vectors).max(axis=1, initial=0)
        made["scale"] = np.where(most > 0, most / 127, 1)
    scales = made["scale"][:, None]
    made["vector"] = np.rint(vectors / scales) if precision == "int8" else vectors
    lost = vectors.astype(np.float64) - made["vector"].astype(np.float64) * scales
    errors = np.linalg.norm(lost, axis=1)
    made["error"] = np.where(errors > 0, errors + SLACK, 0)
    made["sum"] = _sums(made)
    return made


def append_records(path: Path, first: int, made: AnyArray) -> None:
    """Write records to a file, in place of all from the row ``first`` on."""
    with writing(path), path.open("r+b" if path.exists() else "xb") as stream:
        stream.seek(first * made.itemsize)
        stream.truncate()
        stream.write(made.data)
        stream.flush()
        os.fsync(stream.fileno())


def mapped(path: Path) -> memoryview:
    """The bytes of a file, mapped into memory."""
    if path.stat().st_size == 0:
        return memoryview(b"")
    with path.open("rb") as stream:
        return memoryview(mmap(stream.fileno(), 0, access=ACCESS_READ))


class Vectors:
    """The first rows of such a file; ``before`` has rows of the same file that were checked.
    Raises :class:`AssetError` when a row is read that was changed.
    """

    def __init__(
        self, path: Path, rows: int, dimension: int, precision: str, before: Vectors | None = None
    ) -> None:
        kind = _record(dimension, precision)
        self.path, content = path, mapped(path)
        if rows * kind.itemsize > len(content):
            raise damaged(path, f"{len(content)} bytes are no {rows} rows")
        self._records: AnyArray = np.frombuffer(content, kind, rows)
        self._seen = np.zeros(rows, bool)
        if before is not None:
            self._seen[: len(before)] = before._seen[:rows]

    def __len__(self) -> int:
        return len(self._records)

    def records(self, places: IntArray | slice) -> AnyArray:
        """Return the records at these places, (p,), checked."""
        found: AnyArray = self._records[places]
        if not self._seen[places].all():
            if (found["sum"] != _sums(found)).any():
                raise damaged(self.path)
            self._seen[places] = True
        return found

    def read(self, places: IntArray | slice) -> tuple[Float32Array, Float64Array]:
        """Return the vectors at these places, (p, d), and the largest errors of products, (p,)."""
        found = self.records(places)
        vectors = found["vector"].astype(np.float32)
        vectors *= found["scale"][:, None]
        return vectors, found["error"].astype(np.float64)

    def products(
        self, queries: Float32Array, start: int = 0
    ) -> Iterator[tuple[slice, Float64Array, Float64Array]]:
        """Yield blocks of the rows from ``start`` on: their inner products with queries (q, d),
        (r, q), and the largest errors of these, (r,).
        """
        transposed = np.ascontiguousarray(queries.T)
        for at in range(start, len(self), ROWS):
            block = slice(at, min(at + ROWS, len(self)))
            found = self.records(block)
            products = (found["vector"].astype(np.float32) @ transposed).astype(np.float64)
            yield block, products * found["scale"][:, None], found["error"].astype(np.float64)


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


def build_graph(vectors: Vectors, path: Path) -> Iterator[int]:
    """Make the graph of all rows and write it; yield the number of added rows."""
    graph = None
    for at in range(0, len(vectors), ROWS):
        some, _ = vectors.read(slice(at, at + ROWS))
        if graph is None:
            graph = _graph(some.shape[1])
        graph.add(np.arange(at, at + len(some)), _signs(some))
        yield len(some)
    assert graph is not None
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
