"""Sentence pairs with human ratings, checked and hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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

ID_COLUMNS = ("pair_id", "id", "main_id")
TYPE_COLUMNS = ("type", "pair_type", "sent_type", "category")
"""Names of columns, in lower case and with ``_`` for spaces."""

LAYOUTS: Mapping[str, Any] = read_table(str(Path(__file__).with_name("layouts.toml")))


@dataclass(frozen=True)
class RatedPairs:
    """A data set of rated pairs.

    ``gold`` is (n,) float64 with NaN for unrated pairs; ``pairs`` are without other columns;
    ``groups`` have row numbers from 0; ``types`` are the kinds of pairs, if known. ``annotations``
    are the single ratings of each pair, if ``gold`` has their means. ``averaged``: each group is a
    data set, whose figures are averaged.
    """

    source: str
    split: str | None
    sha256: str
    gold: Float64Array
    pairs: Sequence[Pair]
    groups: Mapping[str, IntArray] = field(default_factory=dict)
    types: tuple[str, ...] = ()
    annotations: tuple[Float64Array, ...] = ()
    averaged: bool = False

    @property
    def rows(self) -> int:
        """The number of pairs."""
        return len(self.gold)


@dataclass(frozen=True)
class Layout:
    """A declared data set of rated pairs (layouts.toml); call it with a path and settings to read.
    ``rows`` reads a file with a layout of its own; without it, the file is read by columns.
    """

    files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    name: str | None = None
    columns: Sequence[str] | None = None
    delimiter: str | None = None
    rows: Callable[[Path], Iterable[Pair]] | None = None

    def __call__(self, path: Path, settings: Settings) -> RatedPairs:
        """Read the data set."""
        refuse_stream(path)
        split = None
        if self.files:
            path, split = split_file(path, self.files, settings.options.get("split"))
        elif self.name is not None and path.is_dir():
            path = path / self.name
        return read_rated((self.rows or self.by_columns)(path), path.name, split)

    def by_columns(self, path: Path) -> Iterable[Pair]:
        """Return the pairs of a file, by its columns."""
        return open_pairs(path, columns=self.columns, delimiter=self.delimiter)


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
    pairs: Iterable[Pair],
    source: str,
    split: str | None = None,
    groups: Mapping[str, IntArray] | None = None,
    types: Sequence[str] | None = None,
    *,
    annotations: Sequence[Float64Array] = (),
) -> RatedPairs:
    """Check and hash pairs.

    Raises :class:`FormatError` for a rating that is not a number, or a duplicate id, and
    :class:`InputError` if no pair is rated.

    Args:
        pairs: The pairs, as read.
        source: The name of the file or folder.
        split: The split of a benchmark.
        groups: Row numbers from 0 by group.
        types: The kind of each pair. None: the file's own, if any.
        annotations: The single ratings of each pair, whose mean is its rating.

    >>> pairs = [Pair("It rains.", "It is raining.", 4.5, 0, 1), Pair("A.", "B.", None, 1, 2)]
    >>> read_rated(pairs, "mine").gold.tolist()
    [4.5, nan]
    """
    kept: list[Pair] = []
    lines: dict[str, int] = {}
    own_types: list[str] = []
    digest = hashlib.sha256()
    for pair in pairs:
        if not kept:
            id_name, type_name = _column(pair, ID_COLUMNS), _column(pair, TYPE_COLUMNS)
        kept.append(Pair(pair.text1, pair.text2, pair.gold, pair.row, pair.line))
        digest.update(json.dumps([pair.text1, pair.text2, pair.gold]).encode())
        if id_name is not None and pair.fields.get(id_name) not in (None, ""):
            own = str(pair.fields[id_name])
            if own in lines:
                raise FormatError(
                    f"the id {own!r} ({id_name}) is a duplicate; first in line {lines[own]}",
                    source,
                    pair.line,
                )
            lines[own] = pair.line
        if type_name is not None:
            own_types.append(str(pair.fields.get(type_name) or ""))
    values = np.array([np.nan if pair.gold is None else pair.gold for pair in kept], np.float64)
    if not len(values) or np.isnan(values).all():
        raise InputError(
            f"no pair of {source} has a rating; give the file a column 'score', or name the "
            "columns of texts and rating with columns= (--columns TEXT1,TEXT2,RATING)"
        )
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
        source, split, digest.hexdigest(), values, kept, chosen, kinds, tuple(annotations)
    )


def grouped(
    folder: Path,
    data_sets: Mapping[str, Iterable[Pair]],
    types: Sequence[str] | None = None,
    *,
    averaged: bool = False,
) -> RatedPairs:
    """Return the data sets of a folder as one, with a group for each if there are several.

    Raises :class:`InputError` for a data set with a reserved name.

    Args:
        folder: The folder.
        data_sets: The pairs of each data set.
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
    pairs: list[Pair] = []
    groups: dict[str, IntArray] = {}
    for name, own in data_sets.items():
        begin = len(pairs)
        pairs += own
        groups[name] = np.arange(begin, len(pairs))
    is_several = len(groups) > 1
    data = read_rated(pairs, folder.resolve().name, None, groups if is_several else None, types)
    return replace(data, averaged=averaged and is_several)


def refuse_stream(path: Path) -> None:
    """Raise :class:`InputError` for standard input, whose beginning cannot be read twice."""
    if str(path) == "-":
        raise InputError("the data must be a file and cannot be standard input, got '-'")


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
