"""Reading files from outside: every fault is an error that names the file, and memory is bounded.

Readers raise :class:`FormatError` themselves, with the place, for the faults that they expect.
:func:`wrap_read_errors` handles all others, such as lists nested a thousand deep or a library's own
errors.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

from hybridsem._utils.disk import reason, unreadable
from hybridsem.errors import FormatError, HybridSemError, InputError

MEMORY = "HYBRIDSEM_MEMORY"
"""The environment variable with the most bytes that one file may take, such as ``8G``."""

SHARE = 0.5
UNKNOWN = 4 << 30
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}

Given = ParamSpec("Given")
ResultT = TypeVar("ResultT")


@contextmanager
def reading(path: object) -> Iterator[None]:
    """Turn errors of the body into this package's errors, with the file's name."""
    try:
        yield
    except HybridSemError:
        raise
    except MemoryError as error:
        raise FormatError("needs more memory than is available", path) from error
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise unreadable(str(path), error) from error
    except RecursionError as error:
        raise FormatError("cannot be read: nested too deeply", path) from error
    except Exception as error:
        message = str(reason(error)) or type(error).__name__
        raise FormatError(f"cannot be read: {message:.300}", path) from error


def wrap_read_errors(reader: Callable[Given, ResultT]) -> Callable[Given, ResultT]:
    """Decorate a reader, whose first argument (after ``self``) is a path, with :func:`reading`."""
    first = next(iter(inspect.signature(reader).parameters))
    at = 1 if first in ("self", "cls") else 0

    @functools.wraps(reader)
    def call(*args: Given.args, **named: Given.kwargs) -> ResultT:
        with reading(args[at] if len(args) > at else next(iter(named.values()), None)):
            return reader(*args, **named)

    @functools.wraps(reader)
    def iterate(*args: Given.args, **named: Given.kwargs) -> Iterator[object]:
        with reading(args[at] if len(args) > at else next(iter(named.values()), None)):
            yield from cast(Iterable[object], reader(*args, **named))

    is_generator = inspect.isgeneratorfunction(reader)
    return cast(Callable[Given, ResultT], iterate) if is_generator else call


def spare_memory() -> int:
    """Return the most bytes that a file may take: :data:`MEMORY`, or half of the free memory."""
    if given := os.environ.get(MEMORY):
        plain = given.isdecimal()
        number, unit = (given, 1) if plain else (given[:-1], UNITS.get(given[-1:].upper()))
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
    """Return the memory that ``ulimit -v`` and the control group leave to this process."""
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
    """Raise :class:`FormatError` if ``what`` needs more bytes than :func:`spare_memory`."""
    if size > (most := spare_memory()):
        raise FormatError(
            f"{what} would take {size >> 20:,} MiB of memory, and a file may take {most >> 20:,}; "
            f"set {MEMORY} (such as {MEMORY}=64G) to raise that",
            path,
        )


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return a file's content; refuse an endless device as soon as it exceeds the memory."""
    most = spare_memory()
    parts: list[bytes] = []
    length = 0
    with open(path, "rb") as stream:
        while content := stream.read(1 << 24 if parts else 1 << 20):
            parts.append(content)
            length += len(content)
            if length > most:
                check_memory(length, "its content", path)
    return b"".join(parts)
