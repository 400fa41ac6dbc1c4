"""Progress bars on standard error, if it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

Chunk = TypeVar("Chunk", bound=Sized)
Item = TypeVar("Item")


def screen(wanted: bool = True) -> Console | None:
    """Return a console on standard error, if wanted and if it is a terminal."""
    if not (wanted and sys.stderr.isatty()):
        return None
    from rich.console import Console

    return Console(stderr=True)


FIRST = 128  # the size of the first chunk, small so that a bar soon moves


def growing(most: int) -> Iterator[int]:
    """Yield chunk sizes: small at first, doubling up to ``most``."""
    size = min(FIRST, most)
    while True:
        yield size
        size = min(2 * size, most)


def tracked(chunks: Iterable[Chunk], total: int, description: str, wanted: bool) -> Iterator[Chunk]:
    """Yield the chunks while a bar shows how many items are done."""
    with counter(description, total, wanted) as advance:
        for chunk in chunks:
            yield chunk
            advance(len(chunk))


def in_chunks(
    items: Sequence[Item], size: int, description: str, wanted: bool
) -> Iterator[Sequence[Item]]:
    """Yield the items ``size`` at a time while a bar shows how many are done."""
    chunks = (items[at : at + size] for at in range(0, len(items), size))
    return tracked(chunks, len(items), description, wanted)


@contextmanager
def counter(description: str, total: int | None, wanted: bool) -> Iterator[Callable[[int], None]]:
    """Yield a function that advances a bar by a number of items; ``total`` is None if unknown."""
    if (console := screen(wanted)) is None:
        yield lambda _: None
        return
    from rich import progress as rich

    left, done = rich.TextColumn("{task.description}"), rich.MofNCompleteColumn()
    columns = left, rich.BarColumn(), done, rich.TimeRemainingColumn()
    with rich.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(description, total=total)
        yield lambda number: bar.advance(task, number)


def status(description: str, wanted: bool) -> AbstractContextManager[object]:
    """Show a spinner for work of unknown length."""
    console = screen(wanted)
    return nullcontext() if console is None else console.status(description)
