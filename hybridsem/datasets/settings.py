"""The settings of reading data and measuring on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Settings:
    """The settings of a run: seed, bootstrap resamples (0: no intervals), level of the intervals,
    the task's options. ``progress`` (a bar) and ``work`` (a folder of finished work) change no
    result.

    >>> Settings(seed=1, options={"part": "development"}).options["part"]
    'development'
    """

    seed: int = 0
    resamples: int = 10_000
    level: float = 0.95
    options: Mapping[str, Any] = field(default_factory=dict)
    progress: bool = False
    work: Path | None = None

    @property
    def drawing(self) -> dict[str, Any]:
        """The arguments of every bootstrap: resamples, seed, level."""
        return {"resamples": self.resamples, "seed": self.seed, "level": self.level}
