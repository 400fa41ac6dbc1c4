"""Files of an index: synced to disk, memory mapped, each block checked when it is first read."""

from __future__ import annotations

import io
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from mmap import ACCESS_READ, mmap
from pathlib import Path

import numpy as np

from hybridsem._typing import AnyArray, IntArray
from hybridsem._utils.disk import reason, replacing
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
        self._check(first + np.flatnonzero(~self._seen[first:after]))

    def check_rows(self, rows: IntArray | slice, width: int) -> None:
        """:meth:`check` rows of ``width`` bytes."""
        if not width:
            return
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
