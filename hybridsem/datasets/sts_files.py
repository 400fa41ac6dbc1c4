"""The files of the sentence-similarity benchmarks, in the layouts that they are handed out in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from hybridsem._typing import IntArray
from hybridsem._utils.lines import LineReader
from hybridsem.datasets.layouts import Layout, Reads
from hybridsem.datasets.pair_types import read_types
from hybridsem.datasets.rated_pairs import RatedPairs, grouped, pair_file, read_rated
from hybridsem.datasets.settings import Settings
from hybridsem.errors import FormatError, InputError
from hybridsem.tables import Pair

NON_ADVERSARIAL, ADVERSARIAL, NEGATIVES = "non-adversarial", "adversarial", "negatives"

RELEASE = "Data-experiment"
PAIRS = "STS3k_all.txt"
INDICES: Mapping[str, str] = {
    NON_ADVERSARIAL: "STS3k_non_adv_indices.txt",
    ADVERSARIAL: "STS3k_adv_noneg_indices.txt",
}
TYPES, PAIR_TYPES = "STS3k_all_full_expr*.txt", "pair_types.tsv"
"""Where the kinds of the pairs are: beside the pairs, or in the folder above."""


OFFICIAL_STSB = (5, 6, 4)
"""The columns of texts and rating in the benchmark's own files: 7 or more, by tabs, unquoted."""


def _stsb_rows(file: Path) -> Reads:
    if len(next((line for _, line in LineReader(file)), "").split("\t")) >= 7:
        return partial(_official_stsb, file)
    return partial(iter, pair_file(file, columns=("1", "2", "3"), delimiter=","))


stsb = Layout(
    {
        split: (f"stsb-en-{split}.csv", f"sts-{split}.csv", f"{split}.csv")
        for split in ("train", "dev", "test")
    },
    rows=_stsb_rows,
)
"""The STS benchmark (Cer et al. 2017), ratings from 0 to 5: ``stsb-en-test.csv`` (two texts, a
score, no header), or the benchmark's ``sts-test.csv``.
"""

sick = Layout(
    {
        "train": ("SICK_train.txt",),
        "trial": ("SICK_trial.txt",),
        "test": ("SICK_test_annotated.txt",),
    },
    columns=("sentence_A", "sentence_B", "relatedness_score"),
    delimiter="\t",
)
"""SICK's relatedness (Marelli et al. 2014), ratings from 1 to 5."""


def sts3k(path: Path, settings: Settings) -> RatedPairs:
    """STS3k (Fodor, De Deyne & Suzuki 2024). The release's folder, or its ``Data-experiment``,
    holds the pairs and, in two files, the rows (from 0) of the non-adversarial and of the
    adversarial pairs, the rest being negatives; and the kinds of pairs where the experiment's full
    table is there. Raises :class:`InputError` for another folder, :class:`FormatError` for a row
    that is in both files.
    """
    folder = path / RELEASE if (path / RELEASE).is_dir() else path
    pairs = folder / PAIRS
    if not pairs.is_file():
        raise InputError(
            f"expected the folder of the STS3k release, with {RELEASE}/{PAIRS}; got {str(path)!r}"
        )
    read = partial(iter, pair_file(pairs, delimiter=";"))
    rows = sum(1 for _ in read())
    groups = {name: _indices(folder / file, rows) for name, file in INDICES.items()}
    if len(both := np.intersect1d(groups[NON_ADVERSARIAL], groups[ADVERSARIAL])):
        raise FormatError(f"row {both[0]} is in {' and in '.join(INDICES.values())}", folder)
    rest = np.setdiff1d(np.arange(rows), np.concatenate(list(groups.values())))
    if len(rest):
        groups[NEGATIVES] = rest
    tables = (*sorted(folder.glob(TYPES)), folder.parent / PAIR_TYPES)
    table = settings.options.get("types") or next(filter(Path.is_file, tables), None)
    types = None if table is None else read_types(table)
    return read_rated(read, path.resolve().name, None, groups, types)


def local(path: Path, settings: Settings) -> RatedPairs:
    """A data set of your own: a file of two texts and a score, with the options ``columns`` and
    ``types`` (a file of the kinds of pairs), or a folder of STS 2012 to 2016 with
    ``STS.input.NAME.txt``. Raises :class:`InputError` for columns of a folder, or one without data
    sets, :class:`FormatError` with file and line.
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
    return read_rated(
        partial(iter, pair_file(path, columns=columns)), path.name, None, None, labels
    )


def _indices(path: Path, rows: int) -> IntArray:
    """The rows that a file lists, one a line, counted from 0."""
    found: dict[int, int] = {}
    for number, line in LineReader(path):
        if not line.strip():
            continue
        if not line.strip().isdecimal():
            raise FormatError(f"expected a row number from 0, got {line[:60]!r}", path, number)
        row = int(line)
        if row >= rows:
            raise FormatError(
                f"row {row} is out of range: there are {rows} pairs, counted from 0", path, number
            )
        if row in found:
            raise FormatError(f"row {row} stands twice; first in line {found[row]}", path, number)
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
        yield Pair(fields[one], fields[two], _score(fields[score], path, number), row, number)


def semeval_data_sets(folder: Path) -> dict[str, Callable[[], Iterable[Pair]]]:
    """What goes through the pairs of each data set of a year of STS, by its name."""
    inputs = sorted(folder.glob("STS.input.*.txt"))
    names = [path.name.removeprefix("STS.input.").removesuffix(".txt") for path in inputs]
    return {
        name: partial(_semeval_pairs, path, folder / f"STS.gs.{name}.txt")
        for path, name in zip(inputs, names, strict=True)
    }


def _semeval_pairs(texts: Path, scores: Path) -> Iterator[Pair]:
    """Pairs of one data set; an empty line among the scores is a pair that was not rated."""
    rated = iter(LineReader(scores))
    row = -1
    for row, (number, line) in enumerate(LineReader(texts)):
        fields = line.split("\t")
        if len(fields) < 2:
            raise FormatError(
                f"expected two texts with a tab between them, got {line[:60]!r}", texts, number
            )
        at, score = next(rated, (0, ""))
        if not at:
            raise FormatError(f"ends after {row} scores; {texts.name} has more pairs", scores)
        yield Pair(fields[0], fields[1], _score(score, scores, at), row, number)
    if (more := next(rated, None)) is not None:
        raise FormatError(
            f"has more scores than {texts.name} has pairs, which are {row + 1}", scores, more[0]
        )


def _score(text: str, path: Path, number: int) -> float | None:
    if not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = float("inf")
    if np.isinf(value):
        raise FormatError(f"expected a number, got {text[:60]!r}", path, number)
    return value
