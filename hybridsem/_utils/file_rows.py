"""Arrays in files, read row by row on request.

They are not mapped into memory: truncating a mapped file, or a disk error, ends the process.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from hybridsem._typing import AnyArray
from hybridsem._utils.safe_read import check_memory
from hybridsem.errors import FormatError


class FileRows:
    """An array in C order at byte ``offset`` of a file, read by ``array[3]``, ``array[5:9]`` and
    ``array[[7, 2]]``. Raises :class:`FormatError` if the file is too short, or, when rows are read,
    has changed.
    """

    def __init__(self, path: Path, dtype: Any, shape: Sequence[int], offset: int = 0) -> None:
        self.path, self.offset = path, offset
        self.dtype, self.shape = np.dtype(dtype), tuple(shape)
        self.ndim, self.size = len(self.shape), math.prod(self.shape)
        if self.dtype.hasobject:
            raise FormatError("an array of objects; it must hold numbers", path)
        if not self.shape or min(self.shape) < 0 or offset < 0:
            raise FormatError(f"damaged: an array of shape {self.shape!r:.80}", path)
        end = offset + self.size * self.dtype.itemsize
        with path.open("rb") as stream:
            self._was = _state(stream)
        if end > self._was[0]:
            raise FormatError(
                f"cut short: an array of shape {self.shape!r:.80} ends at byte {end}, and the file "
                f"has {self._was[0]}",
                path,
            )

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: int | slice | Sequence[int]) -> AnyArray:
        if isinstance(rows, int):
            return np.asarray(self[[rows]][0])
        wanted = range(*rows.indices(len(self))) if isinstance(rows, slice) else rows
        if isinstance(wanted, range) and wanted.step == 1:
            return self._read([wanted.start], len(wanted))
        return self._read(wanted, 1)

    def _read(self, starts: Sequence[int], number: int) -> AnyArray:
        """Read ``number`` rows from each of the starts into one array."""
        found = np.empty((len(starts), number, *self.shape[1:]), self.dtype)
        width = self.dtype.itemsize * math.prod(self.shape[1:])
        with self.path.open("rb", buffering=0) as stream:
            whole = True
            for start, run in zip(starts, found, strict=True):
                if not 0 <= start <= len(self) - number:
                    raise IndexError(f"row {start} of {len(self)}")
                stream.seek(self.offset + start * width)
                content, at = memoryview(run.reshape(-1).view(np.uint8)), 0
                while at < len(content) and (count := stream.readinto(content[at:])):
                    at += count
                whole = whole and at == len(content)
            if not whole or _state(stream) != self._was:
                raise FormatError("the file has changed since it was opened", self.path)
        return found.reshape(len(starts) * number, *self.shape[1:])


def _state(stream: IO[bytes]) -> tuple[int, int, int, int]:
    """Return the size, time, inode and device of an open file."""
    found = os.fstat(stream.fileno())
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
