"""What :mod:`hybridsem._utils.hdf5` has another process do: read the arrays of an HDF5 file.

    python -P hdf5_child.py FILE LIMIT [[NAME, …], …]

Written to standard output is a line of JSON, ``{"names": [...], "found": [...]}``: the names at the
top of the file, and for each list of names what the first of them that is there is. Then come the
bytes of the arrays that have no ``offset``, in that order.

    null                                         none of the names is there
    {"group": true}                              a folder of others
    {"texts": [...]}                             strings, bytes that are no UTF-8 as surrogates
    {"dtype": "<f4", "shape": [2, 3], "offset": 2048}    an array that lies in the file as it is
    {"dtype": "<f4", "shape": [2, 3]}                    one that follows
    {"refused": "..."}                           what is not read, and why
    {"size": 123}                                more bytes than LIMIT
"""

from __future__ import annotations

import contextlib
import json
import math
import sys
from typing import Any

import numpy as np

SLACK = 4 << 30
AT_ONCE = 4096


def main(path: str, limit: int, wanted: list[list[str]]) -> None:
    """Write what is described above."""
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
    """What the first of the names is; an array that has to follow is added to ``arrays``."""
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
    """The strings of a data set, as long as there are not too many."""
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
    main(sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3]))
