"""The doors by which files of others come in: what goes wrong behind one is a typed error that
names the file, and no file takes more memory than there is to spare.

A reader raises :class:`FormatError` itself, with the place, for the faults that it knows. For all
others (a number of five thousand digits, lists a thousand deep, a library's own errors) there is
:func:`door`, once, where the reader is entered.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from hybridsem._utils.disk import reason, unreadable
from hybridsem.errors import FormatError, HybridSemError, InputError

MEMORY = "HYBRIDSEM_MEMORY"
"""The environment variable with the most bytes that one file may take, such as ``8G``."""

SHARE = 0.5
UNKNOWN = 4 << 30
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}

Function = TypeVar("Function", bound=Callable[..., Any])


@contextmanager
def reading(path: object) -> Iterator[None]:
    """Turn errors of the body into this package's errors, with the file."""
    try:
        yield
    except HybridSemError:
        raise
    except MemoryError as error:
        raise FormatError("needs more memory than there is", path) from error
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise unreadable(str(path), error) from error
    except RecursionError as error:
        raise FormatError("cannot be read: nested too deeply", path) from error
    except Exception as error:
        said = str(reason(error)) or type(error).__name__
        raise FormatError(f"cannot be read: {said:.300}", path) from error


def door(reader: Function) -> Function:
    """A reader, a function or a generator whose first argument is a path (after ``self`` or
    ``cls``), with :func:`reading` around it.
    """
    first = next(iter(inspect.signature(reader).parameters))
    at = 1 if first in ("self", "cls") else 0

    @functools.wraps(reader)
    def guarded(*given: Any, **named: Any) -> Any:
        with reading(given[at] if len(given) > at else next(iter(named.values()), None)):
            return reader(*given, **named)

    @functools.wraps(reader)
    def guarded_rows(*given: Any, **named: Any) -> Any:
        with reading(given[at] if len(given) > at else next(iter(named.values()), None)):
            yield from reader(*given, **named)

    return cast(Function, guarded_rows if inspect.isgeneratorfunction(reader) else guarded)


def spare_memory() -> int:
    """The most bytes that a file may take: what :data:`MEMORY` says, or half of what is free."""
    if given := os.environ.get(MEMORY):
        number, unit = (given[:-1], UNITS.get(given[-1].upper(), 0)) if given else ("", 0)
        number, unit = (given, 1) if given.isdecimal() else (number, unit)
        if not (number.isascii() and number.isdecimal() and unit and len(number) < 16):
            raise InputError(f"{MEMORY} is a number of bytes such as 8G, got {given!r}")
        return int(number) * unit
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration, ValueError, IndexError):
        return UNKNOWN
    return int(SHARE * min(free, _limit()))


def _limit() -> float:
    """The memory that ``ulimit -v`` and the control group leave to this process."""
    limits = [float("inf")]
    try:
        import resource

        soft = resource.getrlimit(resource.RLIMIT_AS)[0]
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        if soft != resource.RLIM_INFINITY:
            limits.append(max(0, soft - pages * resource.getpagesize()))
        group = Path("/sys/fs/cgroup")
        most = (group / "memory.max").read_text(encoding="ascii").strip()
        used = (group / "memory.current").read_text(encoding="ascii").strip()
        if most != "max":
            limits.append(max(0, int(most) - int(used)))
    except (ImportError, OSError, ValueError):
        pass
    return min(limits)


def check_memory(size: int, what: str, path: object) -> None:
    """:class:`FormatError` where ``what`` needs so many bytes of memory, and those are too many."""
    if size > (most := spare_memory()):
        raise FormatError(
            f"{what} would take {size >> 20:,} MiB of memory, and a file may take {most >> 20:,}; "
            f"set {MEMORY} (such as {MEMORY}=64G) to raise that",
            path,
        )


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """All of a file; a device that never ends is refused as soon as it is too long."""
    most = spare_memory()
    with open(path, "rb") as stream:
        content = stream.read(1 << 20)
        parts, length = [content], len(content)
        while content:
            if length > most:
                check_memory(length, "its content", path)
            content = stream.read(1 << 24)
            parts.append(content)
            length += len(content)
    return b"".join(parts)
