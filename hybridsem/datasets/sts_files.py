"""Read the files of STS3k, the STS benchmark and SICK, as they are distributed, and of users."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem._utils.lines import LineReader
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.tables import read_table
from hybridsem.datasets.rated_pairs import LAYOUTS, Layout, RatedPairs, rating, read_rated
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError
from hybridsem.tables import Pair, open_pairs
from hybridsem.tables.rows import EXCEL, sheet_rows
from hybridsem.tables.text import DELIMITERS, cells_of

NON_ADVERSARIAL, ADVERSARIAL, NEGATIVES = "non-adversarial", "adversarial", "negatives"
RELEASE = "Data-experiment"
PAIRS = "STS3k_all.txt"
INDICES: Mapping[str, str] = {
    NON_ADVERSARIAL: "STS3k_non_adv_indices.txt",
    ADVERSARIAL: "STS3k_adv_noneg_indices.txt",
}
# The files of the pairs' kinds: next to the pairs, or in the folder above.
TYPES, PAIR_TYPES = "STS3k_all_full_expr*.txt", "pair_types.tsv"
MODIFIERS = "modifiers"  #: normalises the other kinds: the second sentence only adds modifiers
RELEASE_TYPES: Mapping[str, str] = read_table(__file__)
CHECK = "CHECK"  #: the label of tests of attention, which the paper leaves out
ADDED = " +"
TYPE_COLUMNS, MODIFIER_COLUMN = ("Sent Type", "type"), re.compile(r"(?i)modifiers|mod *\d+")


def type_name(label: str) -> str:
    """Return the kind of a label, or "".

    >>> type_name("ONLY_MOD +Time")
    'modifiers'
    """
    label = label.partition(ADDED)[0].strip()
    return RELEASE_TYPES.get(label, label.lower())


@wrap_read_errors
def read_types(path: Path) -> list[str]:
    """Read the label of each pair from lines, or from a table with columns of modifiers."""
    labels: list[str] = []
    header: dict[str, int] = {}
    for number, line in LineReader(path):
        fields = [field.strip() for field in line.split("\t" if "\t" in line else ";")]
        if number == 1 and (len(fields) > 1 or TYPE_COLUMNS[0] in fields):
            header = {name: place for place, name in enumerate(fields)}
        elif not header and len(fields) == 1:
            labels.append(fields[0])
            continue
        column = next((header[name] for name in TYPE_COLUMNS if name in header), None)
        if column is None or column >= len(fields):
            why = f"expected one label, or a table with the column {TYPE_COLUMNS[0]!r}"
            raise FormatError(f"{why}; got {line[:60]!r}", path, number)
        if number > 1:
            places = [at for name, at in header.items() if MODIFIER_COLUMN.fullmatch(name)]
            added = ADDED[1:].join(filter(None, (fields[at] for at in places if at < len(fields))))
            labels.append(fields[column] + (f"{ADDED}{added}" if added else ""))
    return labels


def _stsb_rows(file: Path) -> Iterator[Pair]:
    """Yield the pairs of a table, or of the benchmark's own files, with tabs and without quotes."""
    if len(next((line for _, line in LineReader(file)), "").split("\t")) < 7:
        yield from open_pairs(file, columns=("1", "2", "3"), delimiter=",")
        return
    for row, (number, line) in enumerate(LineReader(file)):
        fields = line.split("\t")
        if len(fields) < 7:
            raise FormatError(f"expected at least 7 columns, got {len(fields)}", file, number)
        yield Pair(fields[5], fields[6], rating(fields[4], file, number), row, number)


stsb = Layout(**LAYOUTS["stsb"], rows=_stsb_rows)  #: the STS benchmark, with a header or without
sick = Layout(**LAYOUTS["sick"])  #: SICK's relatedness


def sts3k(path: Path, settings: Settings) -> RatedPairs:
    """Read the folder of STS3k (Fodor et al. 2024); pairs in neither list of rows are negatives."""
    folder = path / RELEASE if (path / RELEASE).is_dir() else path
    if not (folder / PAIRS).is_file():
        why = f"expected the folder of the STS3k release, with {RELEASE}/{PAIRS}"
        raise InputError(f"{why}; got {str(path)!r}")
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
    """Read the user's file of two texts and a score, with the options ``columns`` and ``types``."""
    if path.is_dir():
        why = "expected a file of pairs; folders are read by the benchmark relatedness"
        raise InputError(f"{why}; got {str(path)!r}")
    file = settings.options.get("types")
    pairs = open_pairs(path, columns=settings.options.get("columns"))
    return read_rated(pairs, path.name, types=None if file is None else read_types(file))


def _indices(path: Path, rows: int) -> IntArray:
    """Return the row numbers (from 0) in a file, one on each line."""
    found: set[int] = set()
    for number, line in LineReader(path):
        if not (text := line.strip()):
            continue
        if not text.isdecimal() or (row := int(text)) >= rows:
            message = f"expected a row from 0 to {rows - 1}, got {text[:60]!r}"
            raise FormatError(message, path, number)
        if row in found:
            raise FormatError(f"row {row} is a duplicate", path, number)
        found.add(row)
    if not found:
        raise FormatError("the file is empty; expected row numbers", path)
    return np.array(sorted(found), np.int64)


@wrap_read_errors
def read_ratings(path: str | Path, rows: int) -> Float64Array:
    """Return ratings (raters, rows) of a table with a numbered column for each rater."""
    path, lines = Path(path), LineReader(path)
    cells_in = cells_of(lines, iter(lines), DELIMITERS.get(path.suffix.lower(), ","))
    table: Iterator[tuple[int, Sequence[object]]] = (row[:2] for row in cells_in)
    if path.suffix.lower() in EXCEL:
        table = sheet_rows(path)
    number, header = next(table, (1, ()))
    names = ["" if isinstance(name, bool) else str(name).strip() for name in header]
    raters = [at for at, name in enumerate(names) if name.isdecimal()]
    if len(raters) < 2:
        message = "expected a header with the raters' numbers (1, 2, 3, …) over their ratings"
        raise FormatError(message, path, number)
    found = []
    for number, record in table:
        cells = ((at, record[at] if at < len(record) else None) for at in raters)
        found.append([rating(cell, path, number, f"column {at + 1}: ") for at, cell in cells])
    if len(found) != rows:
        why = f"{path.name} has ratings of {len(found)} pairs and the data {rows}; one row for"
        raise InputError(f"{why} each is needed")
    return np.array(found, np.float64).T
