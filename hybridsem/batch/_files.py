"""The input and output files of a run."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from hybridsem._utils.contents import Stamp, stamp_of
from hybridsem._utils.disk import reason, sha256_of, unreadable
from hybridsem._utils.lines import standard_input
from hybridsem.errors import HybridSemError, InputError
from hybridsem.tables.writers import text_over


def is_stream(path: str | Path) -> bool:
    """Test if a path is a standard stream, a pipe or a device."""
    return str(path) == "-" or (
        os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    )


@contextmanager
def stream_to(path: str | Path) -> Iterator[IO[str]]:
    """Yield a text stream to standard output (``-``), a pipe or a device."""
    with ExitStack() as stack:
        raw: Any = sys.stdout.buffer if str(path) == "-" else stack.enter_context(open(path, "wb"))
        yield stack.enter_context(text_over(raw))


def check_free(out: Path, pairs_path: str | Path, allowed: bool, resume: bool) -> None:
    """Raise :class:`InputError` if the output exists and must not be replaced."""
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
    """Yield a path that can be read twice; a stream is first stored in the work folder."""
    if not is_stream(path):
        yield path
        return
    spool = folder / ("input" if str(path) == "-" else "input" + "".join(Path(path).suffixes))
    try:
        with writing(spool), spool.open("wb") as target:
            if str(path) == "-":
                shutil.copyfileobj(standard_input(), target, 1 << 24)
            else:
                with open(path, "rb") as source:
                    shutil.copyfileobj(source, target, 1 << 24)
        yield spool
    finally:
        spool.unlink(missing_ok=True)


def fingerprint(path: Path) -> tuple[Stamp | None, dict[str, Any]]:
    """Return the stamp of the input, and its hash and size."""
    try:
        stamp = stamp_of(path)
        return stamp, {"sha256": sha256_of(path), "bytes": path.stat().st_size}
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise unreadable(path, error) from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn problems with the disk into errors that name the file to be written."""
    try:
        yield
    except OSError as error:
        raise HybridSemError(
            f"cannot write {str(path)!r}: {reason(error)}; finished work is kept, --resume "
            "continues from there"
        ) from error
