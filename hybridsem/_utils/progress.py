"""What a run is at: on standard error where that is a terminal, in the cell of a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

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
        wanted: Whether a bar is shown, on stderr where that is a terminal, or in a notebook.
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
    if wanted and (display := _notebook()) is not None:
        bar_of_cell = _CellBar(description, total)
        handle = display(bar_of_cell, display_id=True)
        try:
            yield lambda number: bar_of_cell.advance(number, handle)
        finally:
            bar_of_cell.finished = True
            handle.update(bar_of_cell)
        return
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


EVERY = 0.1
"""Seconds between two pictures of a bar in a notebook."""


def _notebook() -> Any:
    """IPython's ``display`` where this runs in the kernel of a notebook; None elsewhere."""
    ipython, display = sys.modules.get("IPython"), sys.modules.get("IPython.display")
    if ipython is None or display is None:
        return None
    shell = ipython.get_ipython()
    return None if getattr(shell, "kernel", None) is None else getattr(display, "display", None)


class _CellBar:
    """A bar in the cell of a notebook, which goes when all is done; needs no widgets."""

    def __init__(self, description: str, total: int | None) -> None:
        self.description, self.total = description, total
        self.done, self.finished = 0, False
        self._began = self._shown = time.monotonic()

    def advance(self, number: int, handle: Any) -> None:
        """So many more are done; the picture is renewed now and then."""
        self.done += number
        if time.monotonic() - self._shown >= EVERY:
            self._shown = time.monotonic()
            handle.update(self)

    def text(self) -> str:
        """How many are done, and the time left."""
        if self.finished:
            return ""
        if self.total is None:
            return f"{self.description} {self.done:,}"
        text = f"{self.description} {self.done:,} of {self.total:,}"
        if 0 < self.done < self.total:
            seconds = time.monotonic() - self._began
            left = int(seconds * (self.total - self.done) / self.done)
            text += f", {left // 60}:{left % 60:02} left"
        return text

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        share = "" if self.total is None else f' value="{self.done}" max="{self.total}"'
        text = self.text()
        html = f"<label><progress{share}></progress> {text}</label>" if text else ""
        return {"text/plain": text, "text/html": html}
