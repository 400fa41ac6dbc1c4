"""Files on disk: written whole or not at all, and hashed."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hybridsem.errors import InputError

LONGEST = 255
"""Bytes that a file's name may have."""


def home(path: str | os.PathLike[str]) -> Path:
    """The path with ``~`` written out; :class:`InputError` where it is no known user's."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise InputError(f"no such user's folder, got {str(path)!r}") from error


def real(path: str | os.PathLike[str]) -> Path:
    """The absolute path, links followed; :class:`InputError` for one that cannot be: links in a
    circle, a NUL character.
    """
    try:
        found = Path(path).resolve()
        os.fsencode(found)
        circle = found.is_symlink()  # from Python 3.13 on, resolve() leaves one as it is
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"no usable path, got {str(path)!r}: {reason(error)}") from error
    if circle:
        raise InputError(f"no usable path, got {str(path)!r}: links in a circle")
    return found


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A new name in the folder of ``path``; the file written there takes the place of ``path`` at
    the end.

    A link is followed: the file that it points to is replaced. A pipe or a device is written to as
    it is. Where the body fails nothing is left behind.
    """
    if Path(path).exists() and not Path(path).is_file():
        yield Path(path)
        return
    target = real(path)
    part = target.with_name(fitting(f".{target.name}", f".{os.urandom(4).hex()}.part"))
    try:
        yield part
        sync(part)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def fitting(name: str, ending: str) -> str:
    """A file's name with an ending; one too long for that is cut, and told apart by its hash."""
    if len(os.fsencode(name + ending)) <= LONGEST:
        return name + ending
    digest = hashlib.sha256(os.fsencode(name)).hexdigest()[:16]
    cut = os.fsencode(name)[: LONGEST - len(digest) - len(ending) - 1].decode(errors="ignore")
    return f"{cut}-{digest}{ending}"


@contextmanager
def saving(path: str | os.PathLike[str], what: str = "") -> Iterator[Path]:
    """As :func:`replacing`, with :class:`InputError` where a user's path cannot be written."""
    try:
        with replacing(path) as part:
            yield part
    except OSError as error:
        raise InputError(
            f"cannot write {what or 'the file'}, got {str(path)!r}: {reason(error)}"
        ) from error


def sync(path: Path) -> None:
    """Have a file, or a folder's entries, on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def md5_of(path: Path) -> str:
    """The md5 of a file, in hexadecimal; for files whose makers publish no other checksum."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def sha256_of(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def reason(error: Exception) -> object:
    """Why a file cannot be opened, read or written: the system's words but number and name."""
    return getattr(error, "strerror", None) or error


def unreadable(path: str | os.PathLike[str], error: Exception | None = None) -> InputError:
    """The error for a file that cannot be opened, by what opening it raised (a folder or a missing
    file if not given), with what to do where there is none.
    """
    if error is None:
        code = errno.EISDIR if os.path.isdir(path) else errno.ENOENT
        error = OSError(code, os.strerror(code))
    return InputError(
        f"cannot read the file, got {str(path)!r}: {reason(error)}{missing_advice(path, error)}"
    )


def missing_advice(path: str | os.PathLike[str], error: Exception) -> str:
    """Return what to do about a missing file, after a semicolon; "" for another error."""
    missing = isinstance(error, FileNotFoundError) and not os.path.exists(path)
    return f"; {_found_instead(Path(path))}" if missing else ""


def _found_instead(path: Path) -> str:
    """Advice for a path that does not exist."""
    try:
        names = os.listdir(path.parent)
    except OSError:
        return f"the folder {str(path.parent.absolute())!r} does not exist or cannot be read"
    from difflib import get_close_matches

    if close := get_close_matches(path.name, names, 1, 0.75):
        return f"did you mean {str(path.with_name(close[0]))!r}?"
    return f"check the name; the folder is {str(path.parent.absolute())!r}"
