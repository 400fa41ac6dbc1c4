"""Odd one out: of three sentences the third means something else."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hybridsem._utils.lines import LineReader
from hybridsem.errors import FormatError
from hybridsem.evaluation.comparison import MeanComparison
from hybridsem.evaluation.model import EvaluatedModel
from hybridsem.evaluation.statistics.summaries import Column, summaries
from hybridsem.evaluation.structure.scoring import rounded, scored
from hybridsem.evaluation.task import Measured, Option, Settings, Task


@dataclass(frozen=True)
class Items:
    """Sentences in groups of three."""

    source: str
    split: None
    sha256: str
    items: tuple[tuple[str, ...], ...]

    @property
    def rows(self) -> int:
        """The number of items."""
        return len(self.items)


def load(path: Path, settings: Settings) -> Items:
    """Read a file with an item per line."""
    items = [tuple(line.split(";")) for _, line in LineReader(path)]
    for number, item in enumerate(items, 1):
        if len(item) != 3:
            raise FormatError(f"needs three sentences, got {len(item)}", path, number)
    return Items(path.name, None, hashlib.sha256(repr(items).encode()).hexdigest(), tuple(items))


def measure(data: Items, tested: EvaluatedModel, settings: Settings) -> Measured:
    """Measure how often the first two are more alike than either is like the third."""
    pairs = [pair for a, b, odd in data.items for pair in ((a, b), (a, odd), (b, odd))]
    scores, unread = scored(pairs, tested, settings)
    alike, first, second = scores.reshape(-1, 3).T
    lead = alike - np.maximum(first, second)
    right = np.where(np.isnan(lead), np.nan, lead > settings.options["lead"])
    failed = int(np.isnan(lead).sum())
    return Measured(
        {
            "all": summaries(
                {"accuracy": Column(right)}, settings.resamples, settings.seed, settings.level
            )
        },
        {
            "rows": data.rows,
            "scored": data.rows - failed,
            "failed": failed,
            **unread,
        },
        {"accuracy": rounded(right)},
    )


TASK = Task(
    "odd-one-out",
    "which of three sentences means something else",
    "a file with three sentences a line, separated by semicolons; the third is the odd one",
    ("scores",),
    load,
    measure,
    headline="accuracy",
    range=(0, 1),
    options=(Option("lead", "by how much the two others must be more alike.", float, default=0.0),),
    comparison=MeanComparison(("accuracy",)),
)
