"""Show the progress of a run on standard error: a bar on a terminal, else a line a minute."""

from __future__ import annotations

import sys
import time
from typing import Any

from hybridsem._utils.progress import screen
from hybridsem.tables import PairReader

EVERY = 60.0
"""Seconds between two lines without a terminal."""


class Progress:
    """Shows the rows done, the rate, and the time left if the size of the input is known."""

    def __init__(self, reader: PairReader, wanted: bool) -> None:
        self.reader, self.wanted = reader, wanted
        self.rows, self.skipped = 0, 0
        self.began = self._said = time.monotonic()
        self._start = 0
        self._reached: tuple[int, int | None] = reader.progress
        self._bar: Any = None

    def __enter__(self) -> Progress:
        if (console := screen(self.wanted)) is not None:
            from rich import progress as rich

            texts = rich.TextColumn("scoring"), rich.TextColumn("{task.fields[what]}")
            columns = texts[0], rich.BarColumn(), texts[1], rich.TimeElapsedColumn()
            self._bar = rich.Progress(*columns, console=console, transient=True)
            self._task = self._bar.add_task("", total=self._reached[1], what="reading the model")
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, rows: int, reached: tuple[int, int | None], known: bool) -> None:
        """Count more rows as done; ``reached`` is the reader's progress after reading them. Rows
        ``known`` from an earlier run do not count for the rate.
        """
        self.rows += rows
        self._reached = reached
        if known:
            self.skipped, self._start, self.began = self.rows, reached[0], time.monotonic()
        if self._bar is not None:
            done, total = reached
            self._bar.update(self._task, total=total, completed=done, what=self.text())
        elif self.wanted and time.monotonic() - self._said >= EVERY:
            self._said = time.monotonic()
            print(f"hybridsem: {self.text()}", file=sys.stderr, flush=True)  # noqa: T201

    def text(self) -> str:
        """Return the rows, the rate and the time left."""
        seconds = max(time.monotonic() - self.began, 1e-9)
        text = f"{self.rows:,} pairs, {(self.rows - self.skipped) / seconds:,.0f} pairs/s"
        done, total = self._reached
        if total and done > self._start:
            left = int(seconds * max(total - done, 0) / (done - self._start))
            text += f", {left // 3600}:{left % 3600 // 60:02}:{left % 60:02} left"
        return text
