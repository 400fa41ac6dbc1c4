"""What reading data and measuring on it depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Settings:
    """What a run depends on beside model and data.

    Attributes:
        seed: Of all that is drawn.
        resamples: Of the bootstrap intervals; 0 for none.
        level: Of the intervals, in (0, 1).
        options: The task's own.
        progress: Whether to show a bar; it changes no result.
        work: A folder for what is finished, from which a later run goes on; it changes no result.

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
        """What every bootstrap takes: resamples, seed, level."""
        return {"resamples": self.resamples, "seed": self.seed, "level": self.level}
