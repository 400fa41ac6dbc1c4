"""Approximate neighbours by usearch (the extra ``search``): a graph over the signs of vectors.

The signs of 384 numbers are 48 bytes, and vectors of small angles have nearly the same signs.
Several times as many rows as are wanted are taken by their signs, and of these the best by their
vectors.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import Float32Array, IntArray, UInt8Array
from hybridsem._utils.disk import sync
from hybridsem._utils.extras import extra
from hybridsem._utils.onnx import quiet_onnxruntime
from hybridsem.search.files import damaged, mapped
from hybridsem.search.vectors import Stored

__all__ = ["Neighbours", "available", "build"]

CONNECTIVITY, WHEN_ADDED = 12, 64
"""Edges of a node, and candidates looked at when it is added: about 165 bytes a row."""
ROWS = 8192


def available() -> bool:
    """Whether usearch is installed."""
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


def build(vectors: Stored, path: Path) -> Iterator[int]:
    """Make the graph of all rows and write it; yields the number of rows that were added."""
    rows, dimension = vectors.rows.shape
    graph = _graph(dimension)
    for at in range(0, rows, ROWS):
        some = np.arange(at, min(at + ROWS, rows))
        graph.add(some, _signs(vectors.vectors(slice(at, at + ROWS))))
        yield len(some)
    graph.save(str(path))
    sync(path)


class Neighbours:
    """A graph that was written, memory mapped; its CRC-32 is checked when it is first used."""

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
        """About the ``count`` rows whose signs are most like those of a vector, (d,)."""
        self.graph.expansion_search = count
        found = self.graph.search(_signs(query[None])[0], count)
        return np.asarray(found.keys, np.int64)
