"""Sentence pairs with human ratings: read once to check and hash them, then streamed.

file(s) --Layout--> read_rated --> RatedPairs: ratings, groups, hash   (16 bytes a row, no texts)
RatedPairs.chunks()                                     the texts, a thousand pairs at a time
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem._utils.tables import read_table
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError
from hybridsem.tables import Pair, open_pairs
from hybridsem.tables.columns import number_in

ALL, MEAN, WEIGHTED_MEAN = "all", "mean", "weighted mean"
"""Names for several data sets of a folder."""

CHUNK = 1024
ID_COLUMNS = ("pair_id", "id", "main_id")
TYPE_COLUMNS = ("type", "pair_type", "sent_type", "category")
"""Names of columns, in lower case and with ``_`` for spaces."""

LAYOUTS: Mapping[str, Any] = read_table(str(Path(__file__).with_name("layouts.toml")))


@dataclass(frozen=True)
class RatedPairs:
    """A data set of rated pairs.

    ``gold`` is (n,) float64 with NaN for unrated pairs; ``groups`` have row numbers from 0;
    ``types`` are the kinds of pairs, if known. ``read`` iterates over the pairs again.
    ``annotations`` are the single ratings of each pair, if ``gold`` has their means. ``averaged``:
    each group is a data set, whose figures are averaged.
    """

    source: str
    split: str | None
    sha256: str
    gold: Float64Array
    read: Callable[[], Iterable[Pair]]
    groups: Mapping[str, IntArray] = field(default_factory=dict)
    types: tuple[str, ...] = ()
    annotations: tuple[Float64Array, ...] = ()
    averaged: bool = False

    @property
    def rows(self) -> int:
        """The number of pairs."""
        return len(self.gold)

    def chunks(self) -> Iterator[list[Pair]]:
        """Yield the pairs in chunks; raise :class:`InputError` if the file has changed."""
        pairs = iter(self.read())
        seen = 0
        while chunk := list(itertools.islice(pairs, CHUNK)):
            seen += len(chunk)
            if seen > self.rows:
                break
            yield chunk
        if seen != self.rows:
            raise InputError(
                f"{self.source} changed during reading: it no longer has {self.rows} pairs"
            )


Reads = Callable[[], Iterable[Pair]]
"""Iterates over the pairs of a file, as often as it is called."""


@dataclass(frozen=True)
class Layout:
    """A declared data set of rated pairs (layouts.toml); call it with a path and settings to read.
    ``rows`` takes a file with a layout of its own; without it, the file is read by columns.
    """

    files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    name: str | None = None
    columns: Sequence[str] | None = None
    delimiter: str | None = None
    rows: Callable[[Path], Reads] | None = None

    def __call__(self, path: Path, settings: Settings) -> RatedPairs:
        """Read the data set."""
        refuse_stream(path)
        split = None
        if self.files:
            path, split = split_file(path, self.files, settings.options.get("split"))
        elif self.name is not None and path.is_dir():
            path = path / self.name
        return read_rated((self.rows or self.by_columns)(path), path.name, split)

    def by_columns(self, path: Path) -> Reads:
        """Return an iterator factory for the pairs of a file, by its columns."""
        return partial(iter, open_pairs(path, columns=self.columns, delimiter=self.delimiter))


def split_file(
    path: Path, files: Mapping[str, Sequence[str]], split: str | None, *, strict: bool = True
) -> tuple[Path, str | None]:
    """Return the file of a split, and the split's name if known.

    Raises :class:`InputError` for an unknown split, or a folder without its file.

    Args:
        path: The data set's file or folder.
        files: The possible file names of each split.
        split: The requested split. None: that of the file, or the test split of a folder.
        strict: Refuse a file with another split's name.
    """
    if not path.is_dir():
        of_name = next((name for name, known in files.items() if path.name in known), split)
        if strict and path.is_file() and split not in (None, of_name):
            raise InputError(
                f"{path.name} is the split {of_name!r}, got split {split!r}; give the folder, or "
                "no split"
            )
        if path.is_file() or not strict:
            return path, of_name
    wanted = split or "test"
    if wanted not in files:
        raise InputError(f"unknown split, got {split!r}; it is one of {', '.join(files)}")
    for name in files[wanted]:
        if (path / name).is_file():
            return path / name, wanted
    raise InputError(
        f"expected a folder with {' or '.join(files[wanted])}, or a file; got {str(path)!r}"
    )


def read_rated(
    read: Callable[[], Iterable[Pair]],
    source: str,
    split: str | None = None,
    groups: Mapping[str, IntArray] | None = None,
    types: Sequence[str] | None = None,
    *,
    annotations: Sequence[Float64Array] = (),
) -> RatedPairs:
    """Read the pairs once, check and hash them.

    Raises :class:`FormatError` for a rating that is not a number, or a duplicate id, and
    :class:`InputError` if no pair is rated.

    Args:
        read: Iterates over the pairs, as often as it is called.
        source: The name of the file or folder.
        split: The split of a benchmark.
        groups: Row numbers from 0 by group.
        types: The kind of each pair. None: the file's own, if any.
        annotations: The single ratings of each pair, whose mean is its rating.

    >>> pairs = [Pair("It rains.", "It is raining.", 4.5, 0, 1), Pair("A.", "B.", None, 1, 2)]
    >>> read_rated(lambda: pairs, "mine").gold.tolist()
    [4.5, nan]
    """
    gold, ids, own_types = array("d"), array("Q"), []
    digest = hashlib.sha256()
    names: tuple[str | None, str | None] | None = None
    for pair in read():
        if names is None:
            names = _column(pair, ID_COLUMNS), _column(pair, TYPE_COLUMNS)
        gold.append(float("nan") if pair.gold is None else pair.gold)
        digest.update(json.dumps([pair.text1, pair.text2, pair.gold]).encode())
        id_name, type_name = names
        if id_name is not None and pair.fields.get(id_name) not in (None, ""):
            own = str(pair.fields[id_name]).encode()
            ids.append(int.from_bytes(hashlib.blake2b(own, digest_size=8).digest(), "big"))
        if type_name is not None:
            own_types.append(sys.intern(str(pair.fields.get(type_name) or "")))
    values = np.frombuffer(gold, np.float64)
    if not len(values) or np.isnan(values).all():
        raise InputError(
            f"no pair of {source} has a rating; give the file a column 'score', or name the "
            "columns of texts and rating with columns= (--columns TEXT1,TEXT2,RATING)"
        )
    if ids and len(np.unique(np.frombuffer(ids, np.uint64))) < len(ids):
        _refuse_duplicate(read(), str(names[0] if names else ""), source)
    chosen = {name: np.asarray(rows, np.int64) for name, rows in (groups or {}).items()}
    for name, rows in chosen.items():
        digest.update(name.encode() + rows.tobytes())
    for ratings in annotations:
        digest.update(json.dumps(ratings.tolist()).encode())
    kinds = tuple(own_types if types is None else types)
    if kinds and len(kinds) != len(values):
        raise InputError(
            f"{source} has {len(values)} pairs and {len(kinds)} pair types; one for each is needed"
        )
    return RatedPairs(
        source, split, digest.hexdigest(), values, read, chosen, kinds, tuple(annotations)
    )


def grouped(
    folder: Path,
    data_sets: Mapping[str, Callable[[], Iterable[Pair]]],
    types: Sequence[str] | None = None,
    *,
    averaged: bool = False,
) -> RatedPairs:
    """Return the data sets of a folder as one, with a group for each if there are several.

    Raises :class:`InputError` for a data set with a reserved name.

    Args:
        folder: The folder.
        data_sets: Functions that read the pairs of each data set.
        types: The types of the pairs.
        averaged: There are means over the data sets, which have reserved names too.
    """
    reserved = (ALL, MEAN, WEIGHTED_MEAN) if averaged else (ALL,)
    for name in reserved:
        if name in data_sets:
            raise InputError(
                f"a data set cannot be called {name!r}, the name for all of them; rename it in "
                f"{str(folder)!r}"
            )
    sizes = [sum(1 for _ in read()) for read in data_sets.values()]
    ends = np.cumsum(sizes)
    groups = {
        name: np.arange(end - size, end)
        for name, size, end in zip(data_sets, sizes, ends, strict=True)
    }

    def read_all() -> Iterable[Pair]:
        return itertools.chain.from_iterable(read() for read in data_sets.values())

    is_several = len(groups) > 1
    data = read_rated(read_all, folder.resolve().name, None, groups if is_several else None, types)
    return replace(data, averaged=averaged and is_several)


def refuse_stream(path: Path) -> None:
    """Raise :class:`InputError` for standard input, which cannot be read twice."""
    if str(path) == "-":
        raise InputError(
            "the data are read twice, so they must be a file and cannot be standard input, got '-'"
        )


def rating(cell: Any, file: Path, line: int, where: str = "") -> float | None:
    """Return the finite number or NaN in a cell, None if it is empty.

    Args:
        cell: The content.
        file: Of the cell, for the error.
        line: Of the cell.
        where: The column, before the message.
    """
    if cell is None or not str(cell).strip():
        return None
    value = None if isinstance(cell, str) and "," in cell else number_in(cell)
    if value is None:
        raise FormatError(f"{where}expected a number, got {cell!r:.80}", file, line)
    return value


def _column(pair: Pair, known: Sequence[str]) -> str | None:
    """Return the first known column other than the texts and rating."""
    plain = {name.strip().lower().replace(" ", "_"): name for name in pair.extra}
    return next((plain[name] for name in known if name in plain), None)


def _refuse_duplicate(pairs: Iterable[Pair], name: str, source: str) -> None:
    lines: dict[str, int] = {}
    for pair in pairs:
        if (value := str(pair.fields.get(name) or "")) in lines:
            raise FormatError(
                f"the id {value!r} ({name}) is a duplicate; first in line {lines[value]}",
                source,
                pair.line,
            )
        if value:
            lines[value] = pair.line
