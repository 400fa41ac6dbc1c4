"""Read the files of similarity benchmarks, as they are distributed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from hybridsem._typing import IntArray
from hybridsem._utils.lines import LineReader
from hybridsem.datasets.pair_types import read_types
from hybridsem.datasets.rated_pairs import (
    LAYOUTS,
    Layout,
    RatedPairs,
    grouped,
    rating,
    read_rated,
    refuse_stream,
)
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError
from hybridsem.tables import Pair, open_pairs

NON_ADVERSARIAL, ADVERSARIAL, NEGATIVES = "non-adversarial", "adversarial", "negatives"

RELEASE = "Data-experiment"
PAIRS = "STS3k_all.txt"
INDICES: Mapping[str, str] = {
    NON_ADVERSARIAL: "STS3k_non_adv_indices.txt",
    ADVERSARIAL: "STS3k_adv_noneg_indices.txt",
}
TYPES, PAIR_TYPES = "STS3k_all_full_expr*.txt", "pair_types.tsv"
"""The files of the pairs' kinds: next to the pairs, or in the folder above."""

OFFICIAL_STSB = (5, 6, 4)
"""The columns of texts and rating in the benchmark's own files: 7 or more, with tabs, unquoted."""


def _stsb_rows(file: Path) -> Iterable[Pair]:
    if len(next((line for _, line in LineReader(file)), "").split("\t")) >= 7:
        return _official_stsb(file)
    return open_pairs(file, columns=("1", "2", "3"), delimiter=",")


stsb = Layout(**LAYOUTS["stsb"], rows=_stsb_rows)
"""The STS benchmark: ``stsb-en-test.csv`` (two texts and a score, without a header), or
``sts-test.csv``.
"""
sick = Layout(**LAYOUTS["sick"])
"""SICK's relatedness."""


def sts3k(path: Path, settings: Settings) -> RatedPairs:
    """Read STS3k (Fodor, De Deyne & Suzuki 2024) from the release's folder, or its
    ``Data-experiment``.

    Two files list the rows (from 0) of the non-adversarial and adversarial pairs; the others are
    negatives. The experiment's full table has the kinds of pairs. Raises :class:`InputError` for
    another folder, :class:`FormatError` for a row in both files.
    """
    folder = path / RELEASE if (path / RELEASE).is_dir() else path
    if not (folder / PAIRS).is_file():
        raise InputError(
            f"expected the folder of the STS3k release, with {RELEASE}/{PAIRS}; got {str(path)!r}"
        )
    pairs = list(open_pairs(folder / PAIRS, delimiter=";"))
    rows = len(pairs)
    groups = {name: _indices(folder / file, rows) for name, file in INDICES.items()}
    if len(both := np.intersect1d(groups[NON_ADVERSARIAL], groups[ADVERSARIAL])):
        raise FormatError(f"row {both[0]} is in {' and in '.join(INDICES.values())}", folder)
    rest = np.setdiff1d(np.arange(rows), np.concatenate(list(groups.values())))
    if len(rest):
        groups[NEGATIVES] = rest
    tables = (*sorted(folder.glob(TYPES)), folder.parent / PAIR_TYPES)
    table = settings.options.get("types") or next(filter(Path.is_file, tables), None)
    types = None if table is None else read_types(table)
    return read_rated(pairs, path.resolve().name, None, groups, types)


def local(path: Path, settings: Settings) -> RatedPairs:
    """Read the user's data set: a file of two texts and a score, or a folder of STS 2012 to 2016.

    The options are ``columns``, and ``types``, a file of the kinds of pairs. Raises
    :class:`InputError` for a folder with columns or without ``STS.input.NAME.txt``.
    """
    file = settings.options.get("types")
    labels = None if file is None else read_types(file)
    columns = settings.options.get("columns")
    if path.is_dir():
        if columns is not None:
            raise InputError(
                f"columns are for a file, got {columns!r} for the folder {str(path)!r}"
            )
        if not (data_sets := semeval_data_sets(path)):
            raise InputError(
                f"expected a file of pairs, or a folder with STS.input.NAME.txt; got {str(path)!r}"
            )
        return grouped(path, data_sets, labels)
    refuse_stream(path)
    return read_rated(open_pairs(path, columns=columns), path.name, None, None, labels)


def _indices(path: Path, rows: int) -> IntArray:
    """Return the row numbers (from 0) in a file, one on each line."""
    found: dict[int, int] = {}
    for number, line in LineReader(path):
        if not line.strip():
            continue
        if not line.strip().isdecimal():
            raise FormatError(f"expected a row number from 0, got {line[:60]!r}", path, number)
        if (row := int(line)) >= rows:
            message = f"row {row} is out of range: there are {rows} pairs, counted from 0"
            raise FormatError(message, path, number)
        if row in found:
            message = f"row {row} is a duplicate; first in line {found[row]}"
            raise FormatError(message, path, number)
        found[row] = number
    if not found:
        raise FormatError("the file is empty; expected row numbers", path)
    return np.array(sorted(found), np.int64)


def _official_stsb(path: Path) -> Iterator[Pair]:
    one, two, score = OFFICIAL_STSB
    for row, (number, line) in enumerate(LineReader(path)):
        fields = line.split("\t")
        if len(fields) < 7:
            raise FormatError(f"expected at least 7 columns, got {len(fields)}", path, number)
        yield Pair(fields[one], fields[two], rating(fields[score], path, number), row, number)


def semeval_data_sets(folder: Path) -> dict[str, Iterable[Pair]]:
    """Return the pairs of each data set of a year of STS, by name."""
    inputs = sorted(folder.glob("STS.input.*.txt"))
    names = [path.name.removeprefix("STS.input.").removesuffix(".txt") for path in inputs]
    return {
        name: _semeval_pairs(path, folder / f"STS.gs.{name}.txt")
        for path, name in zip(inputs, names, strict=True)
    }


def _semeval_pairs(texts: Path, scores: Path) -> Iterator[Pair]:
    """Yield the pairs of a data set; an empty line of scores is an unrated pair."""
    rated = iter(LineReader(scores))
    row = -1
    for row, (number, line) in enumerate(LineReader(texts)):
        fields = line.split("\t")
        if len(fields) < 2:
            message = f"expected two texts with a tab between them, got {line[:60]!r}"
            raise FormatError(message, texts, number)
        at, score = next(rated, (0, ""))
        if not at:
            raise FormatError(f"ends after {row} scores; {texts.name} has more pairs", scores)
        yield Pair(fields[0], fields[1], rating(score, scores, at), row, number)
    if (more := next(rated, None)) is not None:
        message = f"has more scores than {texts.name} has pairs, {row + 1}"
        raise FormatError(message, scores, more[0])
