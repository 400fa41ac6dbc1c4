"""The settings of reading data and measuring on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from hybridsem._typing import Record


class Drawing(TypedDict):
    """The arguments of every bootstrap."""

    resamples: int
    seed: int
    level: float


@dataclass(frozen=True)
class Settings:
    """The settings of a run: seed, bootstrap resamples (0: no intervals), level of the intervals,
    the task's options. A bar and a folder of finished work (``work``) change no result.

    >>> Settings(seed=1, options={"part": "development"}).options["part"]
    'development'
    """

    seed: int = 0
    resamples: int = 10_000
    level: float = 0.95
    options: Record = field(default_factory=dict)
    progress: bool = False
    work: Path | None = None

    @property
    def drawing(self) -> Drawing:
        """The arguments of every bootstrap: resamples, seed, level."""
        return {"resamples": self.resamples, "seed": self.seed, "level": self.level}
