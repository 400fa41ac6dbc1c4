"""What a run is at, on standard error where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["counter", "growing", "screen", "status", "tracked"]

Chunk = TypeVar("Chunk", bound=Sized)


def screen(wanted: bool = True) -> Console | None:
    """Where to draw: standard error, if something is wanted there and it is a terminal."""
    if not (wanted and sys.stderr.isatty()):
        return None
    from rich.console import Console

    return Console(stderr=True)


FIRST = 32
"""Items that are dealt with together at first, so that a bar soon moves."""


def growing(most: int) -> Iterator[int]:
    """How many items are dealt with together: few at first, then ever more up to ``most``."""
    size = min(FIRST, most)
    while True:
        yield size
        size = min(2 * size, most)


def tracked(chunks: Iterable[Chunk], total: int, description: str, wanted: bool) -> Iterator[Chunk]:
    """The chunks as they are, while a bar tells how many items have been dealt with.

    Args:
        chunks: Sequences of items.
        total: Items in all chunks.
        description: What stands before the bar.
        wanted: Whether a bar is shown, on stderr where that is a terminal.
    """
    with counter(description, total, wanted) as advance:
        for chunk in chunks:
            yield chunk
            advance(len(chunk))


@contextmanager
def counter(description: str, total: int | None, wanted: bool) -> Iterator[Callable[[int], None]]:
    """A bar as of :func:`tracked`, which is told how many more items have been dealt with; None for
    a ``total`` that is not known.
    """
    if (console := screen(wanted)) is None:
        yield lambda _: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    shown = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*shown, console=console, transient=True) as bar:
        task = bar.add_task(description, total=total)
        yield lambda number: bar.advance(task, number)


def status(description: str, wanted: bool) -> AbstractContextManager[object]:
    """A sign that something goes on whose length is not known."""
    console = screen(wanted)
    return nullcontext() if console is None else console.status(description)
