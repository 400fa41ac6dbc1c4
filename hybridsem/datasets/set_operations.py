"""Samples of set operations on sentences, and their files.

    operator     A              B             target
    overlap      sentence       sentence      the common content
    difference   sentence       sentence      the content of A without that of B
    union        sentence       sentence      the content of both

A file is a table (csv, tsv, jsonl, Parquet, …) with the columns operator, A, B and target.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.validation import problem
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError, listed
from hybridsem.tables import Pair, open_pairs
from hybridsem.tables.records import write_records

OVERLAP, DIFFERENCE, UNION = "overlap", "difference", "union"
OPERATORS = (OVERLAP, DIFFERENCE, UNION)


@dataclass(frozen=True)
class Sample:
    """One set operation on two sentences and its result."""

    operator: str
    a: str
    b: str
    target: str


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
    index: np.ndarray[Any, np.dtype[np.int64]]
    split: str | None = None

    @classmethod
    def of(cls, samples: Iterable[Sample], source: str = "samples") -> Samples:
        """Make from samples; raise :class:`InputError` for an unusable one, or none."""
        places: dict[str, int] = {}
        operators, index = [], []
        for row, sample in enumerate(samples):
            if (why := _problem(sample)) is not None:
                raise InputError(f"sample {row}: {why}")
            operators.append(sample.operator)
            texts = sample.a, sample.b, sample.target
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
        digest = hashlib.sha256()
        for sample in self:
            for name in fields(sample):
                digest.update(getattr(sample, name.name).encode() + b"\0")
        return digest.hexdigest()

    def of_operator(self, operator: str) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Return the rows of an operator."""
        return np.flatnonzero(np.array(self.operators) == operator)


@wrap_read_errors
def read(path: Path, settings: Settings) -> Samples:
    """Read a table with the columns operator, A, B and target."""
    samples = []
    for pair in open_pairs(path):
        operator = _text(pair, "operator", path).strip().lower()
        sample = Sample(operator, pair.text1, pair.text2, _text(pair, "target", path))
        if (why := _problem(sample)) is not None:
            raise FormatError(why, path, pair.line)
        samples.append(sample)
    return Samples.of(samples, path.name)


def write(path: Path, samples: Iterable[Sample]) -> int:
    """Write samples (``.jsonl``, ``.tsv``, ``.csv``), whole or not at all; return their number.

    Raises :class:`InputError` for another ending, or a file that cannot be written.
    """
    return write_records(
        path, [each.name for each in fields(Sample)], map(asdict, samples), "samples"
    )


def _text(pair: Pair, name: str, path: Path) -> str:
    record = pair.named
    if name not in record:
        raise FormatError(f"no column {name!r}; it has {listed(record)}", path, pair.line)
    if (why := problem(record[name])) is not None:
        raise FormatError(f"column {name!r}: {why}", path, pair.line)
    return str(record[name])


def _problem(sample: Sample) -> str | None:
    """Return the reason why a sample cannot be used, or None."""
    if sample.operator not in OPERATORS:
        return f"unknown operator, got {sample.operator!r:.80}; it is one of {', '.join(OPERATORS)}"
    for name in ("a", "b", "target"):
        if (why := problem(getattr(sample, name))) is not None:
            return f"{name}: {why}"
    return None
