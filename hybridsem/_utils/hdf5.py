"""Read HDF5 files in a separate process, because a damaged file can hang or crash the library.

    python -P hdf5.py FILE LIMIT [[NAME, …], …]

The process imports nothing of this package. It writes a line of JSON, ``{"names": [...], "found":
[...]}``: the names at the top level, and for each list the content of the first name that exists.
The bytes of the arrays without ``offset`` follow, in order.

    null                                         no such name
    {"group": true}                              a group
    {"texts": [...]}                             strings; invalid UTF-8 as surrogates
    {"dtype": "<f4", "shape": [2, 3], "offset": 2048}    an array stored in one piece
    {"dtype": "<f4", "shape": [2, 3]}                    an array whose bytes follow
    {"refused": "..."}                           the reason for not reading it
    {"size": 123}                                its bytes, if more than LIMIT
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from hybridsem._typing import AnyArray
    from hybridsem._utils.file_rows import FileRows

SECONDS = 30.0  # the time limit for a small file; larger ones have a second more for each 5 MB
BYTES_PER_SECOND = 5e6
SLACK = 4 << 30
AT_ONCE = 4096


class Hdf5(NamedTuple):
    """A file's top-level names, and its content: arrays, lists of texts, ``{}`` for a group, or
    None.
    """

    names: list[str]
    found: list[AnyArray | FileRows | list[str] | dict[str, Any] | None]


def read_hdf5(path: Path, wanted: Sequence[Sequence[str]]) -> Hdf5:
    """Read the first existing name of each list. Raises :class:`FormatError` for a file that cannot
    be read in time or needs too much memory.
    """
    from hybridsem._utils.extras import extra
    from hybridsem._utils.safe_read import spare_memory
    from hybridsem.errors import FormatError

    with extra("h5py", "vectors"):
        import h5py  # noqa: F401
    seconds = SECONDS + path.stat().st_size / BYTES_PER_SECOND
    given = str(path.resolve()), str(spare_memory()), json.dumps(wanted)
    try:
        done = subprocess.run(
            [sys.executable, "-P", __file__, *given],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
            # Some disks cannot lock, and reading needs no lock.
            env={**os.environ, "HDF5_USE_FILE_LOCKING": "FALSE"},
        )
    except subprocess.TimeoutExpired:
        raise FormatError(f"damaged: it cannot be read in {seconds:.0f} seconds", path) from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        why = lines[-1] if lines and done.returncode > 0 else f"signal {-done.returncode}"
        raise FormatError(f"damaged, and cannot be read as HDF5: {why:.300}", path)
    head, _, content = done.stdout.partition(b"\n")
    about, rest = json.loads(head), io.BytesIO(content)
    return Hdf5(about["names"], [_decoded(found, path, rest) for found in about["found"]])


def _decoded(about: Any, path: Path, rest: IO[bytes]) -> Any:
    """Return the content of a description, whose bytes, if any, are next in ``rest``."""
    from hybridsem._utils.file_rows import FileRows
    from hybridsem._utils.safe_read import check_memory
    from hybridsem.errors import FormatError

    if about is None or "group" in about:
        return None if about is None else {}
    if "texts" in about:
        return about["texts"]
    if "refused" in about:
        raise FormatError(about["refused"], path)
    if "size" in about:
        check_memory(about["size"], "one of its arrays", path)
        raise FormatError("one of its arrays takes too much memory", path)
    dtype, shape = np.dtype(about["dtype"]), tuple(about["shape"])
    if "offset" in about:
        return FileRows(path, dtype, shape, about["offset"])
    return np.ndarray(shape, dtype, rest.read(math.prod(shape) * dtype.itemsize))


# -- in the other process


def _main(path: str, limit: int, wanted: list[list[str]]) -> None:
    import h5py

    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (min(3 * limit + SLACK, 1 << 62),) * 2)
    with h5py.File(path, "r") as file:
        arrays: list[Any] = []
        found = [_described(file, names, limit, arrays) for names in wanted]
        head = json.dumps({"names": sorted(file), "found": found})
        sys.stdout.buffer.write(head.encode() + b"\n")
        for array in arrays:
            sys.stdout.buffer.write(np.ascontiguousarray(array).tobytes())
    sys.stdout.flush()


def _described(file: Any, names: list[str], limit: int, arrays: list[Any]) -> Any:
    """Describe the first existing name; append an array whose bytes must follow to ``arrays``."""
    import h5py

    for name in names:
        folder, _, last = name.rpartition("/")
        holder = file.get(folder, None) if folder else file
        if not isinstance(holder, h5py.Group) or last not in holder:
            continue
        if not isinstance(holder.get(last, getlink=True), h5py.HardLink):
            return {"refused": f"{name!r} is a link to something else"}
        found = holder[last]
        if not isinstance(found, h5py.Dataset):
            return {"group": True}
        if found.external or found.is_virtual:
            return {"refused": f"{name!r} lies in another file"}
        if found.shape is None:
            return {"refused": f"{name!r} is empty"}
        if h5py.check_string_dtype(found.dtype) is not None:
            return _texts(found, limit)
        if found.dtype.kind not in "fiubc":
            return {"refused": f"{name!r} holds {found.dtype}"}
        size = math.prod(found.shape) * found.dtype.itemsize
        about = {"dtype": found.dtype.str, "shape": found.shape}
        if (offset := found.id.get_offset()) is not None and found.shape:
            return {**about, "offset": offset}
        if size > limit:
            return {"size": size}
        arrays.append(found[()])
        return about
    return None


def _texts(found: Any, limit: int) -> Any:
    """Describe a data set of strings, up to the limit."""
    if len(found.shape) != 1:
        return {"refused": f"texts of shape {found.shape}"}
    held = found.shape[0] * found.dtype.itemsize
    if held > limit:
        return {"size": held}
    held, texts = 0, []
    for at in range(0, found.shape[0], AT_ONCE):
        part = [bytes(text) for text in found[at : at + AT_ONCE].tolist()]
        held += sum(map(len, part))
        if held > limit:
            return {"size": held}
        texts += [text.decode("utf-8", "surrogateescape") for text in part]
    return {"texts": texts}


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3]))
