"""The files at both ends of a run."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from hybridsem._utils.disk import reason, sha256_of, unreadable
from hybridsem._utils.lines import LINE_LIMIT, standard_input
from hybridsem.errors import AssetError, FormatError, HybridSemError, InputError
from hybridsem.tables.writers import text_over

KEPT_FREE = 256 << 20
"""Bytes of the disk that a stream which is put into a file leaves free."""

PACKED_BEGIN = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1", b"ARROW1", b"PK")
"""How files that are not text begin: gzip, zstd, Parquet, Arrow, Excel."""


def is_stream(path: str | Path) -> bool:
    """Return whether a path cannot be replaced or read twice: a standard stream, a pipe or a
    device.
    """
    return str(path) == "-" or (
        os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    )


@contextmanager
def stream_to(path: str | Path) -> Iterator[IO[str]]:
    """Somewhere to write text: standard output for ``-``, which stays open, or a pipe or device."""
    with ExitStack() as stack:
        raw: Any = sys.stdout.buffer if str(path) == "-" else stack.enter_context(open(path, "wb"))
        yield stack.enter_context(text_over(raw))


def check_free(out: Path, pairs_path: str | Path, allowed: bool, resume: bool) -> None:
    """:class:`InputError` unless the output may be written: it is not there, or may be replaced.

    Args:
        out: The output.
        pairs_path: The pair file, which the output must not be.
        allowed: Whether an output that exists may be replaced.
        resume: Whether an unfinished run was to be resumed, for the message.
    """
    if not out.exists():
        return
    if os.path.exists(pairs_path) and out.samefile(pairs_path):
        raise InputError(f"the output would replace the pair file, got {str(out)!r} for both")
    if not allowed:
        done = " and no run of it is unfinished" if resume else ""
        raise InputError(
            f"the output exists{done}, got {str(out)!r}; force=True (--force) replaces it"
        )


@contextmanager
def spooled(path: str | Path, folder: Path) -> Iterator[str | Path]:
    """A path that can be read twice: what comes through a pipe is put into the work folder."""
    if not is_stream(path):
        yield path
        return
    spool = folder / ("input" if str(path) == "-" else "input" + "".join(Path(path).suffixes))
    try:
        with writing(spool), spool.open("wb") as target:
            if str(path) == "-":
                _copy(standard_input(), target, "standard input")
            else:
                with open(path, "rb") as source:
                    _copy(source, target, path)
        yield spool
    finally:
        spool.unlink(missing_ok=True)


def _copy(source: IO[bytes], target: IO[bytes], name: object) -> None:
    """Copy a stream that may never end; :class:`FormatError` where the disk would be full, or where
    the beginning has no end of a line.
    """
    first = source.read(LINE_LIMIT + 1)
    if len(first) > LINE_LIMIT and b"\n" not in first and not first.startswith(PACKED_BEGIN):
        raise FormatError(f"longer than {LINE_LIMIT >> 20} MiB; is this a text file?", name, 1)
    block = first
    while block:
        if shutil.disk_usage(Path(target.name).parent).free < KEPT_FREE:
            raise FormatError(
                f"goes on beyond what the disk holds, got {target.tell() >> 20:,} MiB", name
            )
        target.write(block)
        block = source.read(1 << 24)


Stamp = tuple[int, int, int]
"""What changes when a file does: its inode, size and time."""


def fingerprint(path: str | Path) -> tuple[Stamp, dict[str, Any]]:
    """The stamp of the input before it was read, and its hash and size."""
    try:
        found = stat(path)
        return found, {"sha256": sha256_of(Path(path)), "bytes": found[1]}
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise unreadable(path, error) from error


def stat(path: str | Path) -> Stamp:
    """The stamp of a file as it is now."""
    found = os.stat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Problems with the disk as errors that name what was to be written."""
    try:
        yield
    except (OSError, AssetError) as error:
        why = reason(error) if isinstance(error, OSError) else error.__cause__ or error
        raise HybridSemError(
            f"cannot write {str(path)!r}: {why}; what was finished is kept, --resume "
            "goes on from there"
        ) from error
