"""Arrays in files, read row by row on request.

They are not mapped into memory: truncating a mapped file, or a disk error, ends the process.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import AnyArray
from hybridsem._utils.safe_read import check_memory
from hybridsem.errors import FormatError


class FileRows:
    """An array in C order at byte ``offset`` of a file, read by ``array[3]``, ``array[5:9]`` and
    ``array[[7, 2]]``.

    Raises :class:`FormatError` if the file is too short, or, when rows are read, has changed.

    Args:
        path: The file.
        dtype: The type of a number, not object.
        shape: The lengths of the axes, at least one.
        offset: The position of the first byte.
    """

    def __init__(self, path: Path, dtype: Any, shape: Sequence[int], offset: int = 0) -> None:
        self.path, self.offset = path, offset
        self.dtype, self.shape = np.dtype(dtype), tuple(shape)
        if self.dtype.hasobject:
            raise FormatError("an array of objects; it must hold numbers", path)
        if not self.shape or min(self.shape) < 0 or offset < 0:
            raise FormatError(f"damaged: an array of shape {self.shape!r:.80}", path)
        end = offset + self.size * self.dtype.itemsize
        with path.open("rb") as stream:
            self._was = _state(stream.fileno())
        if end > self._was[0]:
            raise FormatError(
                f"cut short: an array of shape {self.shape!r:.80} ends at byte {end}, and the file "
                f"has {self._was[0]}",
                path,
            )

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of values."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: int | slice | Sequence[int]) -> AnyArray:
        if isinstance(rows, slice):
            first, last, step = rows.indices(len(self))
            if step == 1:
                return self._read([(first, max(0, last - first))])
            rows = range(first, last, step)
        if isinstance(rows, int):
            return np.asarray(self._read([(rows, 1)])[0])
        return self._read([(row, 1) for row in rows])

    def _read(self, runs: Sequence[tuple[int, int]]) -> AnyArray:
        """Read runs of rows, each (first row, number of rows), into one array."""
        found = np.empty((sum(number for _, number in runs), *self.shape[1:]), self.dtype)
        content = memoryview(found.reshape(-1).view(np.uint8))  # type: ignore[arg-type]
        each = len(content) // max(1, len(found))
        at = 0
        with self.path.open("rb", buffering=0) as stream:
            for first, number in runs:
                if not 0 <= first <= len(self) - number:
                    raise IndexError(f"row {first} of {len(self)}")
                stream.seek(self.offset + first * each)
                end = at + number * each
                while at < end and (count := stream.readinto(content[at:end])):
                    at += count
                if at < end:
                    break
            if _state(stream.fileno()) != self._was or at < len(content):
                raise FormatError("the file has changed since it was opened", self.path)
        return found


def _state(descriptor: int) -> tuple[int, int, int, int]:
    """Return the size, time, inode and device of an open file."""
    found = os.fstat(descriptor)
    return found.st_size, found.st_mtime_ns, found.st_ino, found.st_dev


def npy_rows(path: Path) -> AnyArray | FileRows:
    """Return the array of an .npy file: rows on disk, or in memory if by columns or scalar."""
    with path.open("rb") as stream:
        version = np.lib.format.read_magic(stream)
        if version not in ((1, 0), (2, 0)):
            raise FormatError(f"an .npy file of version {version}", path)
        header = np.lib.format.read_array_header_1_0
        if version == (2, 0):
            header = np.lib.format.read_array_header_2_0
        shape, by_columns, dtype = header(stream)
        if shape and not by_columns:
            return FileRows(path, dtype, shape, stream.tell())
        check_memory(math.prod(shape) * dtype.itemsize, "its array", path)
        stream.seek(0)
        array: AnyArray = np.load(stream, allow_pickle=False)
        return array
