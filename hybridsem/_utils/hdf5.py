"""HDF5 files of others are read once by another process first: a damaged one can keep the library
in a loop that nothing ends, or end its process.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hybridsem._utils.doors import check_memory
from hybridsem._utils.extras import extra
from hybridsem.errors import FormatError

__all__ = ["check_hdf5"]

SECONDS = 30.0
"""The time for a small file; a large one has a second more for each 5 MB."""

BYTES_PER_SECOND = 5e6

READS = """
import sys, h5py

def read(name, found):
    if isinstance(found, h5py.Dataset):
        print(found.size * found.dtype.itemsize, flush=True)
        rows = len(found) if found.shape else 0
        step = max(1, (1 << 24) * rows // max(1, found.size * found.dtype.itemsize))
        for at in range(0, rows, step):
            found[at : at + step]

with h5py.File(sys.argv[1], "r") as file:
    file.visititems(read)
"""


def check_hdf5(path: Path) -> None:
    """:class:`FormatError` where another process cannot read all of a file in time, or where its
    arrays are larger than memory.
    """
    with extra("h5py", "vectors"):
        import h5py  # noqa: F401
    seconds = SECONDS + path.stat().st_size / BYTES_PER_SECOND
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", READS, str(path.resolve())],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        _sizes(error.stdout or b"", path)
        raise FormatError(f"damaged: it cannot be read in {seconds:.0f} seconds", path) from None
    _sizes(done.stdout, path)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        why = said[-1] if said and done.returncode > 0 else f"signal {-done.returncode}"
        raise FormatError(f"damaged, and cannot be read as HDF5: {why:.300}", path)


def _sizes(said: bytes, path: Path) -> None:
    for size in said.split():
        check_memory(int(size), "one of its arrays", path)
