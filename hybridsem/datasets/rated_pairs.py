"""Pairs of sentences with human ratings: read once to check and hash them, then streamed, so that
memory stays flat.

file(s) --read_rated--> RatedPairs: ratings, groups, hash   (16 bytes a row and no texts)
RatedPairs.chunks()                                         the texts, a thousand pairs at a time
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem.errors import FormatError, InputError
from hybridsem.tables import Pair, open_pairs

ALL, MEAN, WEIGHTED_MEAN = "all", "mean", "weighted mean"
"""Names that stand for more than one data set of a folder."""

CHUNK = 1024
ID_COLUMNS = ("pair_id", "id", "main_id")
TYPE_COLUMNS = ("type", "pair_type", "sent_type", "category")
"""Names of columns, in lower case and with ``_`` for spaces."""


@dataclass(frozen=True)
class RatedPairs:
    """A data set of rated pairs.

    ``gold`` is (n,) float64 with NaN where a pair was not rated; ``groups`` are rows, counted from
    0; ``types`` are the kinds of pairs, one a row, where the file tells them. ``read`` goes through
    the pairs again. ``annotations`` are the single ratings of each pair, where the file has them
    and ``gold`` holds their means. ``averaged`` says that each group is a data set of its own,
    whose figures are averaged.
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
        """How many pairs there are."""
        return len(self.gold)

    def chunks(self) -> Iterator[list[Pair]]:
        """The pairs, :data:`CHUNK` at a time; :class:`InputError` where the file has changed."""
        pairs = iter(self.read())
        seen = 0
        while chunk := list(itertools.islice(pairs, CHUNK)):
            seen += len(chunk)
            if seen > self.rows:
                break
            yield chunk
        if seen != self.rows:
            raise InputError(
                f"{self.source} was changed while it was read: it had {self.rows} pairs, now not"
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
    """Go through the pairs once, and check them.

    Args:
        read: Goes through the pairs, as often as it is called.
        source: The name of the file or folder.
        split: Which part of a benchmark it is.
        groups: Rows by the name of the group, counted from 0.
        types: Kinds of pairs, one a row; None: those of the file, if it has any.
        annotations: The single ratings of each pair, of which its rating is the mean.

    Raises:
        FormatError: A rating that is no number, or an id that stands twice.
        InputError: No pair is rated.

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
            ids.append(_hash(pair.fields[id_name]))
        if type_name is not None:
            own_types.append(sys.intern(str(pair.fields.get(type_name) or "")))
    values = np.frombuffer(gold, np.float64)
    if not len(values) or np.isnan(values).all():
        raise InputError(
            f"no pair of {source} has a rating; give the file a column 'score', or say which "
            "columns are the texts and "
            "the rating with columns= (--columns TEXT1,TEXT2,RATING)"
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
    """The data sets of a folder as one, each being a group where there are several, whose figures
    may be ``averaged``. Raises :class:`InputError` for one that is called as those of all together
    are.

    Args: ``data_sets`` go through the pairs of each, by name; kinds of pairs, one a row.
    """
    reserved = (ALL, MEAN, WEIGHTED_MEAN) if averaged else (ALL,)
    for name in reserved:
        if name in data_sets:
            raise InputError(
                f"a data set cannot be called {name!r}, which stands for all of them; rename it in "
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


def pair_file(
    path: Path, columns: Sequence[str] | None = None, delimiter: str | None = None
) -> Iterable[Pair]:
    """The pairs of a file in a format of :func:`hybridsem.tables.open_pairs`, which can be iterated
    more than once; columns and delimiter None are told by the file. Raises :class:`InputError` for
    standard input.
    """
    refuse_stream(path)
    return open_pairs(path, columns=columns, delimiter=delimiter)


def refuse_stream(path: Path) -> None:
    """Raise :class:`InputError` if the file is standard input, which cannot be read twice."""
    if str(path) == "-":
        raise InputError(
            "the data are read twice, so they must be a file and cannot be standard input, got '-'"
        )


def _column(pair: Pair, known: Sequence[str]) -> str | None:
    """The column of that kind, if the file has one beside texts and rating."""
    plain = {name.strip().lower().replace(" ", "_"): name for name in pair.extra}
    return next((plain[name] for name in known if name in plain), None)


def _hash(value: Any) -> int:
    return int.from_bytes(hashlib.blake2b(str(value).encode(), digest_size=8).digest(), "big")


def _refuse_duplicate(pairs: Iterable[Pair], name: str, source: str) -> None:
    lines: dict[str, int] = {}
    for pair in pairs:
        if (value := str(pair.fields.get(name) or "")) in lines:
            raise FormatError(
                f"the id {value!r} ({name}) stands twice; first in line {lines[value]}",
                source,
                pair.line,
            )
        if value:
            lines[value] = pair.line
