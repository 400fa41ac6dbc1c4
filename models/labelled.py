"""Pairs of sentences with a label, and tables of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from hybridsem._typing import Record
from hybridsem.errors import FormatError
from hybridsem.judge.labels import Label
from hybridsem.tables.records import records

SPLITS = ("dev", "test")
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two sentences with their label, in a split of a table; ``kind`` is what sets them apart."""

    id: str
    split: str
    kind: str
    label: Label
    sentence1: str
    sentence2: str


def rows(table: Path, make: Callable[[Record], Row]) -> Iterator[Row]:
    """Yield what ``make`` returns for each record; errors name the line."""
    for line, record in records(table):
        try:
            yield make(record)
        except (ValueError, TypeError, KeyError) as error:
            raise FormatError(str(error), table, line) from None
