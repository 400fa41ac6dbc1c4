"""The files at both ends of a run."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from hybridsem._utils.disk import reason, sha256_of
from hybridsem.batch.journal import writing
from hybridsem.errors import InputError

__all__ = [
    "Stamp",
    "check_free",
    "fingerprint",
    "is_stream",
    "spooled",
    "stat",
    "stream_to",
    "text_over",
]


def is_stream(path: str | Path) -> bool:
    """Whether a path cannot be replaced or read twice: a standard stream, a pipe or a device."""
    return str(path) == "-" or (
        os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    )


@contextmanager
def text_over(raw: Any) -> Iterator[IO[str]]:
    """Text to a stream of bytes, which stays open; lone surrogates are written, line ends kept."""
    text = io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", newline="")
    try:
        yield text
        text.flush()
    finally:
        text.detach()


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
    if Path(pairs_path).exists() and out.samefile(pairs_path):
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
                shutil.copyfileobj(sys.stdin.buffer, target, 1 << 20)
            else:
                with open(path, "rb") as source:
                    shutil.copyfileobj(source, target, 1 << 20)
        yield spool
    finally:
        spool.unlink(missing_ok=True)


Stamp = tuple[int, int, int]
"""What changes when a file does: its inode, size and time."""


def fingerprint(path: str | Path) -> tuple[Stamp, dict[str, Any]]:
    """The stamp of the input before it was read, and its hash and size."""
    try:
        found = stat(path)
        return found, {"sha256": sha256_of(Path(path)), "bytes": found[1]}
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise InputError(f"cannot read the file, got {str(path)!r}: {reason(error)}") from error


def stat(path: str | Path) -> Stamp:
    """The stamp of a file as it is now."""
    found = os.stat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns
