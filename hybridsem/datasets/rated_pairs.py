"""Sentence pairs with human ratings, checked and hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hybridsem._typing import Float64Array, IntArray, Record, SentencePairs
from hybridsem._utils.tables import read_table
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError
from hybridsem.tables import Pair, open_pairs
from hybridsem.tables.columns import number_in

ALL, MEAN, WEIGHTED_MEAN = "all", "mean", "weighted mean"  # names for several data sets of a folder
TYPE_COLUMNS = ("type", "pair_type", "sent_type", "category")  #: in lower case, ``_`` for spaces
LAYOUTS: Record = read_table(str(Path(__file__).with_name("layouts.toml")))


@dataclass(frozen=True)
class RatedPairs:
    """A data set of rated pairs: ``gold`` is (n,), NaN for unrated pairs; ``annotations`` are the
    single ratings. ``averaged``: each group is a data set, whose figures are averaged.
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

    def text_pairs(self) -> SentencePairs:
        """Return the two texts of each pair."""
        return [(pair.text1, pair.text2) for pair in self.pairs]


@dataclass(frozen=True)
class Layout:
    """A data set of layouts.toml; call it to read. ``rows`` reads a file with its own layout."""

    files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    name: str | None = None
    columns: Sequence[str] | None = None
    delimiter: str | None = None
    rows: Callable[[Path], Iterable[Pair]] | None = None

    def __call__(self, path: Path, settings: Settings) -> RatedPairs:
        """Read the data set."""
        split = None
        if self.files:
            path, split = split_file(path, self.files, settings.options.get("split"))
        elif self.name is not None and path.is_dir():
            path = path / self.name
        if self.rows is not None:
            return read_rated(self.rows(path), path.name, split)
        pairs = open_pairs(path, columns=self.columns, delimiter=self.delimiter)
        return read_rated(pairs, path.name, split)


def split_file(
    path: Path, files: Mapping[str, Sequence[str]], split: str | None
) -> tuple[Path, str | None]:
    """Return a file and its split; in a folder that of ``split`` (None: test, or the last)."""
    if split is not None and split not in files:
        raise InputError(f"unknown split, got {split!r}; it is one of {', '.join(files)}")
    if path.is_file():
        of_name = next((name for name, known in files.items() if path.name in known), split)
        if split not in (None, of_name):
            why = f"{path.name} is the split {of_name!r}, got split {split!r}; give the folder, or"
            raise InputError(f"{why} no split")
        return path, of_name
    wanted = split or ("test" if "test" in files else list(files)[-1])
    for name in files[wanted]:
        if (path / name).is_file():
            return path / name, wanted
    why = f"expected a folder with {' or '.join(files[wanted])}, or a file; got {str(path)!r}"
    raise InputError(why)


def read_rated(
    pairs: Iterable[Pair],
    source: str,
    split: str | None = None,
    groups: Mapping[str, IntArray] | None = None,
    types: Sequence[str] | None = None,
    *,
    annotations: Sequence[Float64Array] = (),
) -> RatedPairs:
    """Check and hash pairs, with row numbers by group, the kind of each pair (None: the file's
    own), and the single ratings of each pair.

    >>> pairs = [Pair("It rains.", "It is raining.", 4.5, 0, 1), Pair("A.", "B.", None, 1, 2)]
    >>> read_rated(pairs, "mine").gold.tolist()
    [4.5, nan]
    """
    kept: list[Pair] = []
    own_types: list[str] = []
    for pair in pairs:
        if not kept:
            plain = {name.strip().lower().replace(" ", "_"): name for name in pair.extra}
            type_name = next((plain[name] for name in TYPE_COLUMNS if name in plain), None)
        kept.append(Pair(pair.text1, pair.text2, pair.gold, pair.row, pair.line))
        if type_name is not None:
            own_types.append(str(pair.fields.get(type_name) or ""))
    content = content_of((pair.text1, pair.text2, pair.gold) for pair in kept)
    digest = hashlib.sha256(content)
    values = np.array([np.nan if pair.gold is None else pair.gold for pair in kept], np.float64)
    if not len(values) or np.isnan(values).all():
        why = f"no pair of {source} has a rating; give the file a column 'score', or name the"
        how = "columns of texts and rating with columns= (--columns TEXT1,TEXT2,RATING)"
        raise InputError(f"{why} {how}")
    chosen = {name: np.asarray(rows, np.int64) for name, rows in (groups or {}).items()}
    for name, rows in chosen.items():
        digest.update(name.encode() + rows.tobytes())
    for ratings in annotations:
        digest.update(json.dumps(ratings.tolist()).encode())
    kinds = tuple(own_types if types is None else types)
    if kinds and len(kinds) != len(values):
        why = f"{source} has {len(values)} pairs and {len(kinds)} pair types"
        raise InputError(f"{why}; one for each is needed")
    about = source, split, digest.hexdigest()
    return RatedPairs(*about, values, kept, chosen, kinds, tuple(annotations))


def content_of(rows: Iterable[tuple[str, str, float | None]]) -> bytes:
    """Return the content of rated pairs to hash: the same for any format of the file."""
    return b"".join(json.dumps(row).encode() for row in rows)


def rating(cell: object, file: Path, line: int, where: str = "") -> float | None:
    """Return the number or NaN in a cell, None if empty; ``where`` begins an error."""
    if cell is None or not str(cell).strip():
        return None
    value = None if isinstance(cell, str) and "," in cell else number_in(cell)
    if value is None:
        raise FormatError(f"{where}expected a number, got {cell!r:.80}", file, line)
    return value
