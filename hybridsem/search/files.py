"""Files of an index: synced to disk, memory mapped, each block checked when it is first read; the
vectors in them, and a graph of their neighbours.
"""

from __future__ import annotations

import io
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import AnyArray, Float32Array, Float64Array, IntArray, UInt8Array
from hybridsem._utils.disk import reason, replacing, sync
from hybridsem._utils.extras import extra
from hybridsem._utils.onnx import quiet_onnxruntime
from hybridsem.errors import AssetError, InputError

BLOCK = 1024
"""The size of a block with its own checksum. A search reads scattered rows of a few hundred bytes,
and a checksum takes 4 bytes in 1,024.
"""
SUMS, NEIGHBOURS = "sums.bin", "neighbours.usearch"
OWN = r"[a-z]+\.[a-z]+"  # the names of a segment's files
REMEDY = "free some space and run the same command again; it resumes"


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise :class:`InputError` if the folder cannot be written."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"cannot write the index, got {str(path)!r}: {reason(error)}; {REMEDY}"
        ) from error


def save(path: Path, contents: Iterable[AnyArray | bytes]) -> None:
    """Write arrays or bytes, one after the other, to a new file."""
    with path.open("xb") as stream:
        for one in contents:
            stream.write(one if isinstance(one, bytes) else np.ascontiguousarray(one).data)
        stream.flush()
        os.fsync(stream.fileno())


def save_texts(path: Path, contents: Iterable[bytes]) -> None:
    """Write texts to new files: one after the other, ``.bin``, and where each begins, ``.off``."""
    ends = [0]

    def noted() -> Iterator[bytes]:
        for content in contents:
            ends.append(ends[-1] + len(content))
            yield content

    save(path.with_suffix(".bin"), noted())
    save(path.with_suffix(".off"), [np.array(ends, "<u8")])


def save_arrays(path: Path, *arrays: AnyArray) -> None:
    """Write arrays to a new file in the format of ``np.load``, one after the other."""
    # Not by numpy, which on a full disk truncates the file without an error.
    for_numpy = io.BytesIO()
    for array in arrays:
        np.save(for_numpy, array, allow_pickle=False)
    save(path, [for_numpy.getvalue()])


def mapped(path: Path) -> memoryview:
    """The bytes of a file, mapped into memory."""
    if path.stat().st_size == 0:
        return memoryview(b"")
    with path.open("rb") as stream:
        return memoryview(mmap(stream.fileno(), 0, access=ACCESS_READ))


def damaged(path: Path) -> AssetError:
    """Return the error for a changed file."""
    return AssetError(
        f"the index is damaged: {str(path)!r} is not what was written; build it again"
    )


class Blocks:
    """The mapped ``content`` of a file, and the CRC-32 of its blocks."""

    def __init__(self, path: Path, sums: AnyArray) -> None:
        self.path, self.sums = path, sums
        self.content = mapped(path)
        self._seen = np.zeros(len(sums), bool)

    def check(self, start: int = 0, end: int | None = None) -> None:
        """Raise :class:`AssetError` if the bytes from ``start`` to ``end`` were changed."""
        first, after = start // BLOCK, len(self.sums) if end is None else -(-end // BLOCK)
        if after == first + 1 and self._seen[first]:  # as most rows of a search are
            return
        self._check(first + np.flatnonzero(~self._seen[first:after]))

    def check_rows(self, rows: IntArray | slice, width: int) -> None:
        """:meth:`check` rows of ``width`` bytes."""
        if isinstance(rows, slice):
            start, stop, _ = rows.indices(len(self.content) // width)
            self.check(start * width, stop * width)
            return
        first, last = rows * width // BLOCK, ((rows + 1) * width - 1) // BLOCK
        steps = np.arange(width // BLOCK + 2)
        blocks = np.unique(np.minimum(first[:, None] + steps, last[:, None]))
        self._check(blocks[~self._seen[blocks]])

    def _check(self, blocks: IntArray) -> None:
        for block in blocks.tolist():
            if _sum(self.content, block) != self.sums[block]:
                raise damaged(self.path)
            self._seen[block] = True


def _sum(content: memoryview, block: int) -> int:
    return zlib.crc32(content[block * BLOCK : (block + 1) * BLOCK])


def write_sums(folder: Path) -> tuple[dict[str, int], int]:
    """Write the checksums of a segment's files; return their sizes, and the checksum of the
    checksums.
    """
    files, sums = {}, []
    for path in sorted(folder.iterdir()):
        if re.fullmatch(OWN, path.name) and path.name not in (SUMS, NEIGHBOURS):
            content = mapped(path)
            files[path.name] = len(content)
            sums += [_sum(content, block) for block in range(-(-len(content) // BLOCK))]
    table = np.array(sums, "<u4").tobytes()
    with replacing(folder / SUMS) as new:
        new.write_bytes(table)
    return files, zlib.crc32(table)


def blocks_of(folder: Path, files: dict[str, int], sums: int) -> dict[str, Blocks]:
    """Open the files of a segment, by name; raise :class:`AssetError` if one has another size."""
    table = (folder / SUMS).read_bytes()
    if zlib.crc32(table) != sums:
        raise damaged(folder / SUMS)
    counts = [-(-size // BLOCK) for size in files.values()]
    each = np.split(np.frombuffer(table, "<u4"), np.cumsum(counts)[:-1])
    found = {name: Blocks(folder / name, own) for name, own in zip(files, each, strict=True)}
    for name, blocks in found.items():
        if len(blocks.content) != files[name] or len(blocks.sums) != -(-files[name] // BLOCK):
            raise damaged(folder / name)
    return found


# -- unit vectors: int8 with a scale for each row, float16, or float32, with the error of each row:
# a product with a unit vector is off by at most that. A graph has their approximate neighbours, by
# usearch (the extra ``search``). It is over the signs of vectors: 48 bytes for 384 numbers, which
# preserve small angles well. Several times the requested number of rows are selected by their
# signs, and the best of these by their vectors.

PRECISIONS = {"int8": "i1", "float16": "<f2", "float32": "<f4"}
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
