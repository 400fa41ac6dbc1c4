"""Progress bars: on standard error if it is a terminal, or in a notebook's cell."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

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


FIRST = 32  # the size of the first chunk, small so that a bar soon moves


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
    """Yield the items ``size`` at a time while a bar shows how many are done. Args: as of
    :func:`tracked`.
    """
    chunks = (items[at : at + size] for at in range(0, len(items), size))
    return tracked(chunks, len(items), description, wanted)


@contextmanager
def counter(description: str, total: int | None, wanted: bool) -> Iterator[Callable[[int], None]]:
    """Yield a function that advances a bar by a number of items; ``total`` is None if unknown."""
    if wanted and (display := _notebook()) is not None:
        cell_bar = _CellBar(description, total)
        handle = display(cell_bar, display_id=True)
        try:
            yield lambda number: cell_bar.advance(number, handle)
        finally:
            cell_bar.finished = True
            handle.update(cell_bar)
        return
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


EVERY = 0.1  # seconds between two updates of a bar in a notebook


def _notebook() -> Any:
    """Return IPython's ``display`` in a notebook's kernel, None elsewhere."""
    ipython, display = sys.modules.get("IPython"), sys.modules.get("IPython.display")
    if ipython is None or display is None:
        return None
    shell = ipython.get_ipython()
    return None if getattr(shell, "kernel", None) is None else getattr(display, "display", None)


class _CellBar:
    """A bar in a notebook's cell, which disappears at the end; needs no widgets."""

    def __init__(self, description: str, total: int | None) -> None:
        self.description, self.total = description, total
        self.done, self.finished = 0, False
        self._began = self._shown = time.monotonic()

    def advance(self, number: int, handle: Any) -> None:
        self.done += number
        if time.monotonic() - self._shown >= EVERY:
            self._shown = time.monotonic()
            handle.update(self)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        if self.finished:
            return {"text/plain": "", "text/html": ""}
        text, share = f"{self.description} {self.done:,}", ""
        if self.total is not None:
            text, share = f"{text} of {self.total:,}", f' value="{self.done}" max="{self.total}"'
            if 0 < self.done < self.total:
                seconds = time.monotonic() - self._began
                left = int(seconds * (self.total - self.done) / self.done)
                text += f", {left // 60}:{left % 60:02} left"
        html = f"<label><progress{share}></progress> {text}</label>"
        return {"text/plain": text, "text/html": html}
