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

from hybridsem._disk import reason, sha256_of
from hybridsem.batch.journal import writing
from hybridsem.errors import InputError

__all__ = ["check_free", "fingerprint", "is_stream", "spooled", "stat", "stream_to", "text_over"]


def is_stream(path: str | Path) -> bool:
    """Whether a path is standard input or output, a pipe or a device: what cannot be replaced or read twice."""
    return str(path) == "-" or (Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir())


@contextmanager
def text_over(raw: Any) -> Iterator[IO[str]]:
    """Text to a stream of bytes, which stays open; lone surrogates are written out, line ends are left as they are."""
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


def check_free(out: Path, pairs_path: str | Path, force: bool) -> None:
    """Whether the output may be written: it is not there, or may be replaced."""
    if not out.exists():
        return
    if Path(pairs_path).exists() and out.samefile(pairs_path):
        raise InputError(f"the output would replace the pair file, got {str(out)!r} for both")
    if not force:
        raise InputError(f"the output exists, got {str(out)!r}; force=True (--force) replaces it")


def spooled(path: str | Path, out: Path, stack: ExitStack) -> str | Path:
    """A path that can be read twice: what comes through a pipe is put beside the output first."""
    if not is_stream(path):
        return path
    suffixes = "" if str(path) == "-" else "".join(Path(path).suffixes)
    spool = out.with_name(f".{out.name}.input{suffixes}")
    stack.callback(spool.unlink, missing_ok=True)
    with writing(spool), spool.open("wb") as target:
        if str(path) == "-":
            shutil.copyfileobj(sys.stdin.buffer, target, 1 << 20)
        else:
            with open(path, "rb") as source:
                shutil.copyfileobj(source, target, 1 << 20)
    return spool


def fingerprint(path: str | Path) -> dict[str, Any]:
    """The hash and size of the input."""
    try:
        return {"sha256": sha256_of(Path(path)), "bytes": os.stat(path).st_size}
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise InputError(f"cannot read the file, got {str(path)!r}: {reason(error)}") from error


def stat(path: Path) -> tuple[int, int, int]:
    """What changes when the file does."""
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns
