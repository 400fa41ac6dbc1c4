"""HDF5 files of others are read by another process: a damaged one can keep the library in a loop
that nothing ends, or end its process.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import AnyArray
from hybridsem._utils import hdf5_child
from hybridsem._utils.doors import check_memory, spare_memory
from hybridsem._utils.extras import extra
from hybridsem._utils.file_rows import FileRows
from hybridsem.errors import FormatError

SECONDS = 30.0
"""The time for a small file; a large one has a second more for each 5 MB."""

BYTES_PER_SECOND = 5e6


class Hdf5(NamedTuple):
    """The names at the top of a file, and what was asked for: an array, a list of texts (bytes that
    are no UTF-8 as surrogates), ``{}`` for a group, None where it is not there.
    """

    names: list[str]
    found: list[AnyArray | FileRows | list[str] | dict[str, Any] | None]


def read_hdf5(path: Path, wanted: Sequence[Sequence[str]]) -> Hdf5:
    """For each list of names what the first of them that is in a file holds.

    Raises :class:`FormatError` where another process cannot read it in time, or where it would take
    more memory than may be taken.
    """
    with extra("h5py", "vectors"):
        import h5py  # noqa: F401
    seconds = SECONDS + path.stat().st_size / BYTES_PER_SECOND
    limit = spare_memory()
    try:
        done = subprocess.run(
            [
                *(sys.executable, "-P", hdf5_child.__file__),
                *(str(path.resolve()), str(limit), json.dumps(wanted)),
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
            # It only reads, and there are disks that cannot lock.
            env={**os.environ, "HDF5_USE_FILE_LOCKING": "FALSE"},
        )
    except subprocess.TimeoutExpired:
        raise FormatError(f"damaged: it cannot be read in {seconds:.0f} seconds", path) from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        why = said[-1] if said and done.returncode > 0 else f"signal {-done.returncode}"
        raise FormatError(f"damaged, and cannot be read as HDF5: {why:.300}", path)
    head, _, content = done.stdout.partition(b"\n")
    about = json.loads(head)
    found, at = [], 0
    for one in about["found"]:
        array, size = _given(one, path, memoryview(content)[at:])
        found.append(array)
        at += size
    return Hdf5(about["names"], found)


def _given(about: Any, path: Path, content: memoryview) -> tuple[Any, int]:
    """What the process has found, and how many bytes of ``content`` it takes."""
    if about is None or "group" in about:
        return (None if about is None else {}), 0
    if "texts" in about:
        return about["texts"], 0
    if "refused" in about:
        raise FormatError(about["refused"], path)
    if "size" in about:
        check_memory(about["size"], "one of its arrays", path)
        raise FormatError("one of its arrays takes too much memory", path)
    dtype, shape = np.dtype(about["dtype"]), tuple(about["shape"])
    if "offset" in about:
        return FileRows(path, dtype, shape, about["offset"]), 0
    size = math.prod(shape) * dtype.itemsize
    array: AnyArray = np.ndarray(shape, dtype, content[:size])
    return array, size
