"""Samples of set operations on sentences: tables with the columns operator, A, B and target."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hybridsem._typing import IntArray
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.validation import problem
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError, listed
from hybridsem.tables import open_pairs
from hybridsem.tables.records import write_records

OVERLAP, DIFFERENCE, UNION = "overlap", "difference", "union"
OPERATORS = (OVERLAP, DIFFERENCE, UNION)


class Sample(NamedTuple):
    """One set operation on two sentences and its result."""

    operator: str
    a: str
    b: str
    target: str

    @property
    def problem(self) -> str | None:
        """The reason why the sample cannot be used, or None."""
        if self.operator not in OPERATORS:
            known = ", ".join(OPERATORS)
            return f"unknown operator, got {self.operator!r:.80}; it is one of {known}"
        problems = ((name, problem(text)) for name, text in self._asdict().items())
        return next((f"{name}: {why}" for name, why in problems if why is not None), None)


@dataclass(frozen=True)
class Samples:
    """A file's distinct ``texts``; ``index`` (n, 3) has the positions of A, B and target in them.

    >>> samples = Samples.of([Sample(UNION, "It rains.", "It is cold.", "It rains and is cold.")])
    >>> samples.index.tolist(), samples.rows
    ([[0, 1, 2]], 1)
    """

    source: str
    operators: tuple[str, ...]
    texts: tuple[str, ...]
    index: IntArray
    split: str | None = None

    @classmethod
    def of(cls, samples: Iterable[Sample], source: str = "samples") -> Samples:
        """Make from samples; raise :class:`InputError` for an unusable one, or none."""
        places: dict[str, int] = {}
        operators, index = [], []
        for row, sample in enumerate(samples):
            if (why := sample.problem) is not None:
                raise InputError(f"sample {row}: {why}")
            operator, *texts = sample
            operators.append(operator)
            index.append([places.setdefault(text, len(places)) for text in texts])
        if not operators:
            raise InputError("no samples; at least one is needed")
        return cls(source, tuple(operators), tuple(places), np.array(index, np.int64))

    def __iter__(self) -> Iterator[Sample]:
        for operator, places in zip(self.operators, self.index.tolist(), strict=True):
            yield Sample(operator, *(self.texts[place] for place in places))

    @property
    def rows(self) -> int:
        """The number of samples."""
        return len(self.operators)

    @cached_property
    def sha256(self) -> str:
        """The hash of operators and texts in order, in any format."""
        content = "".join(f"{text}\0" for sample in self for text in sample)
        return hashlib.sha256(content.encode()).hexdigest()

    def of_operator(self, operator: str) -> IntArray:
        """Return the rows of an operator."""
        return np.flatnonzero(np.array(self.operators) == operator)


@wrap_read_errors
def read(path: Path, settings: Settings) -> Samples:
    """Read a table with the columns operator, A, B and target."""
    samples = []
    for pair in open_pairs(path):
        record = pair.named
        if lacking := [name for name in ("operator", "target") if name not in record]:
            message = f"no column {lacking[0]!r}; it has {listed(record)}"
            raise FormatError(message, path, pair.line)
        operator = str(record["operator"] or "").strip().lower()
        sample = Sample(operator, pair.text1, pair.text2, record["target"])
        if (why := sample.problem) is not None:
            raise FormatError(why, path, pair.line)
        samples.append(sample)
    return Samples.of(samples, path.name)


def write(path: Path, samples: Iterable[Sample]) -> int:
    """Write samples (``.jsonl``, ``.tsv``, ``.csv``) atomically; return their number."""
    return write_records(path, Sample._fields, map(Sample._asdict, samples), "samples")
