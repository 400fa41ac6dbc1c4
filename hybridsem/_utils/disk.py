"""Write files whole or not at all, hash them, and explain why one cannot be read."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hybridsem.errors import InputError

LONGEST = 240  # the most bytes of a file's name, which gets an ending while it is written


def home(path: str | os.PathLike[str]) -> Path:
    """Return the path with ``~`` expanded; raise :class:`InputError` for an unknown user."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise InputError(f"no such user's folder, got {str(path)!r}") from error


def real(path: str | os.PathLike[str]) -> Path:
    """Return the absolute path, without links; :class:`InputError` for an impossible one."""
    try:
        found = Path(path).resolve()
        os.fsencode(found)
        if found.is_symlink():  # from Python 3.13 on, resolve() keeps a circular link
            raise ValueError("circular links")
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"unusable path, got {str(path)!r}: {reason(error)}") from error
    return found


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a new name next to ``path``; the file written there replaces ``path`` at the end. Links
    are followed. A pipe or device is written to directly. If the body fails, nothing remains.
    """
    if Path(path).exists() and not Path(path).is_file():
        yield Path(path)
        return
    target = real(path)
    part = target.with_name(f".{target.name}.{os.urandom(4).hex()}.part")
    try:
        yield part
        sync(part)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def saving(path: str | os.PathLike[str], what: str = "") -> Iterator[Path]:
    """Like :func:`replacing`, but raise :class:`InputError` if a user's path cannot be written."""
    try:
        with replacing(path) as part:
            yield part
    except OSError as error:
        raise InputError(
            f"cannot write {what or 'the file'}, got {str(path)!r}: {reason(error)}"
        ) from error


def sync(path: Path) -> None:
    """Flush a file, or a folder's entries, to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def md5_of(path: Path) -> str:
    """Return a file's md5 in hexadecimal, for files published with no other checksum."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def sha256_of(path: Path) -> str:
    """Return a file's sha256 in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def reason(error: Exception) -> object:
    """Return the system's explanation of a file error, without number and name."""
    return getattr(error, "strerror", None) or error


def unreadable(path: str | os.PathLike[str], error: Exception | None = None) -> InputError:
    """Return the error for a file that cannot be opened (``error``: the cause), with advice."""
    if error is None:
        code = errno.EISDIR if os.path.isdir(path) else errno.ENOENT
        error = OSError(code, os.strerror(code))
    return InputError(
        f"cannot read the file, got {str(path)!r}: {reason(error)}{missing_advice(path, error)}"
    )


def missing_advice(path: str | os.PathLike[str], error: Exception) -> str:
    """Return what to do about a missing file, after a semicolon; "" for another error."""
    missing = isinstance(error, FileNotFoundError) and not os.path.exists(path)
    return f"; {_advice(Path(path))}" if missing else ""


def _advice(path: Path) -> str:
    """Return advice for a path that does not exist."""
    try:
        names = os.listdir(path.parent)
    except OSError:
        return f"the folder {str(path.parent.absolute())!r} does not exist or cannot be read"
    from difflib import get_close_matches

    if close := get_close_matches(path.name, names, 1, 0.75):
        return f"did you mean {str(path.with_name(close[0]))!r}?"
    return f"check the name; the folder is {str(path.parent.absolute())!r}"
