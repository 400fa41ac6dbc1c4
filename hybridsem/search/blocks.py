"""Files that are mapped into memory, and checked block by block when a block is first read."""

from __future__ import annotations

import zlib
from mmap import ACCESS_READ, mmap
from pathlib import Path

import numpy as np

from hybridsem._typing import AnyArray, IntArray
from hybridsem.errors import AssetError

__all__ = ["BLOCK", "Blocks", "damaged", "mapped", "sums_of"]

BLOCK = 1024
"""Bytes that have a checksum of their own: a search reads rows of a few hundred bytes here and
there, and the checksums take 4 bytes in 1,024.
"""


def mapped(path: Path) -> memoryview:
    """The bytes of a file, mapped into memory."""
    if path.stat().st_size == 0:
        return memoryview(b"")
    with path.open("rb") as stream:
        return memoryview(mmap(stream.fileno(), 0, access=ACCESS_READ))


def sums_of(content: memoryview) -> AnyArray:
    """The CRC-32 of each block of some bytes."""
    starts = range(0, len(content), BLOCK)
    return np.array([zlib.crc32(content[at : at + BLOCK]) for at in starts], "<u4")


def damaged(path: Path) -> AssetError:
    """What is raised for a file that is not what was written."""
    return AssetError(f"the index is damaged: {str(path)!r} is not what was written; build it anew")


class Blocks:
    """The bytes of a file, ``content``, and whether they are what was written.

    Args:
        path: The file, which is mapped.
        sums: The CRC-32 of its blocks; None: nothing is known of it, and nothing checked.
    """

    def __init__(self, path: Path, sums: AnyArray | None) -> None:
        self.path, self.sums = path, sums
        self.content = mapped(path)
        self._seen = bytearray(-(-len(self.content) // BLOCK))

    def check(self, start: int = 0, end: int | None = None) -> None:
        """:class:`AssetError` where the bytes from ``start`` to ``end`` are other ones."""
        if self.sums is None:
            return
        seen = self._seen
        after = len(seen) if end is None else -(-end // BLOCK)
        at = start // BLOCK
        while (at := seen.find(0, at, after)) >= 0:
            self._check(at)

    def check_rows(self, rows: IntArray | slice, width: int) -> None:
        """:meth:`check` for rows of so many bytes."""
        if self.sums is None or not width:
            return
        if isinstance(rows, slice):
            start, stop, _ = rows.indices(len(self.content) // width)
            self.check(start * width, stop * width)
            return
        first, last = rows * width // BLOCK, ((rows + 1) * width - 1) // BLOCK
        steps = np.arange(width // BLOCK + 2)
        blocks = np.unique(np.minimum(first[:, None] + steps, last[:, None]))
        for block in blocks[np.frombuffer(self._seen, np.uint8)[blocks] == 0].tolist():
            self._check(block)

    def _check(self, block: int) -> None:
        assert self.sums is not None
        if zlib.crc32(self.content[block * BLOCK : (block + 1) * BLOCK]) != self.sums[block]:
            raise damaged(self.path)
        self._seen[block] = 1
