"""Figures as papers print them: TOML files, one for each paper.

authors, title, venue, doi        of the paper
benchmark = "sts3k"               of all rows, or of one row
[[row]]
model, setting, where             the paper's name; trained or tested on what; table or section
difference                        how it differs from ours
all, non_adversarial, …           figures by group, ``_`` for other characters; a pair is a range
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from hybridsem._utils.lines import read_toml
from hybridsem.errors import FormatError

ABOUT = ("model", "setting", "where", "ours", "difference", "benchmark")
"""The keys of a row other than its figures."""


@dataclass(frozen=True)
class PublishedRow:
    """A row of a paper's table; ``figures`` by :func:`group_key` have one number, or two for a
    range, with their decimals. ``where`` and ``difference`` from ours may be empty.
    """

    benchmark: str
    model: str
    paper: str
    setting: str
    where: str
    difference: str
    figures: Mapping[str, tuple[Decimal, ...]]


def group_key(group: str) -> str:
    """Return a group's name as a TOML key: ``non-adversarial`` is ``non_adversarial``."""
    return re.sub(r"\W+", "_", group)


def read_published(paths: Iterable[str | Path]) -> list[PublishedRow]:
    """Read the rows of files and of all ``*.toml`` files of folders; equal rows are merged."""
    files: list[Path] = []
    for path in map(Path, paths):
        files += sorted(path.rglob("*.toml")) if os.path.isdir(path) else [path]
    rows: dict[tuple[str, ...], list[PublishedRow]] = {}
    for file in files:
        for row in _rows(file):
            key = (row.benchmark, row.model.lower(), row.paper, row.setting)
            alike = rows.setdefault(key, [])
            for place, other in enumerate(alike):
                same = (
                    row.figures.get(name, given) == given for name, given in other.figures.items()
                )
                if all(same):
                    alike[place] = replace(other, figures={**other.figures, **row.figures})
                    break
            else:
                alike.append(row)
    return [row for alike in rows.values() for row in alike]


def _rows(path: Path) -> list[PublishedRow]:
    plain = read_toml(path, Decimal)
    try:
        paper = f"{plain['authors']}: {plain['title']}. {plain['venue']}"
        return [_row(row, plain.get("benchmark"), paper) for row in plain["row"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(
            f"not a file of published figures: {type(error).__name__}: {error}; needed are "
            "authors, title, venue, benchmark, and rows with a model and figures",
            path,
        ) from None


def _row(row: Mapping[str, Any], benchmark: str | None, paper: str) -> PublishedRow:
    figures = {
        key: tuple(map(_number, value if isinstance(value, list) else [value]))
        for key, value in row.items()
        if key not in ABOUT
    }
    of = row.get("benchmark", benchmark)
    if of is None:
        raise KeyError("benchmark")
    if not figures or not all(len(figure) in (1, 2) for figure in figures.values()):
        raise ValueError(f"{row['model']!r} needs figures, each a number or two")
    texts = {name: str(row.get(name, "")) for name in ("setting", "where", "difference")}
    return PublishedRow(str(of), str(row["model"]), paper, **texts, figures=figures)


def _number(value: Any) -> Decimal:
    if not isinstance(value, (int, Decimal)) or isinstance(value, bool):
        raise TypeError(f"a figure is a number, got {value!r:.40}")
    figure = Decimal(value)
    if not figure.is_finite() or not math.isfinite(float(figure)):
        raise ValueError(f"a figure is a finite number, got {value!r:.40}")
    return figure
