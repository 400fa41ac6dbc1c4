"""Sheets for people to rate samples, and the agreement of raters.

A sheet is a csv file with a row for each sample: id, operator, A, B, target, the statement to rate,
the scale, and an empty rating. The scale runs from 0, strongly disagree, to 4, strongly agree, as
in the paper (appendix A.6). Sheets without a column of the scale are from version 0.1.0, with
ratings from 1 to 5: one is subtracted.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hybridsem._typing import Float64Array
from hybridsem._utils.disk import reason, saving
from hybridsem.datasets.set_operations import DIFFERENCE, OVERLAP, UNION, Sample, Samples
from hybridsem.errors import FormatError, InputError

SCALE = (0, 1, 2, 3, 4)
WRITTEN_SCALE = "0 to 4"
STATEMENTS: Mapping[str, str] = {
    OVERLAP: "The target says what A and B both say, and nothing else.",
    DIFFERENCE: "The target says what A says and B does not say, and nothing else.",
    UNION: "The target says everything that A or B says, and nothing else.",
}
COLUMNS = ("id", "operator", "a", "b", "target", "statement", "scale", "rating")


@dataclass(frozen=True)
class Agreement:
    """The agreement of raters, over the samples that at least two have rated. ``alpha`` is
    Krippendorff's, with the squared difference of ratings (interval scale); None if all ratings are
    equal. ``exact`` and ``within_one`` are shares of pairs of ratings of one sample. ``mean`` and
    ``deviation`` are of all ratings of these samples.
    """

    raters: int
    samples: int
    ratings: int
    alpha: float | None
    exact: float | None
    within_one: float | None
    mean: float | None
    deviation: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return asdict(self)


def write_sheet(path: Path, samples: Samples, size: int | None = None, seed: int = 0) -> int:
    """Write a sheet of samples in the order of the data; return their number. An id is the sample's
    row from 0 and the beginning of the data's hash, so that sheets of other data are recognised.
    Args: ``size`` of the samples are drawn with ``seed``, all if it is None.
    """
    if size is not None and not 0 < size <= samples.rows:
        raise InputError(
            f"the size of a sheet is within 1 and the {samples.rows} samples, got {size!r}"
        )
    rows = list(range(samples.rows))
    if size is not None:
        rows = sorted(np.random.default_rng(seed).choice(rows, size, replace=False).tolist())
    chosen = list(samples)
    with (
        saving(path, "the sheet") as part,
        part.open("w", encoding="utf-8-sig", newline="") as stream,
    ):
        table = csv.writer(stream)
        table.writerow(COLUMNS)
        for row in rows:
            one: Sample = chosen[row]
            mark = f"{row}-{samples.sha256[:8]}"
            about = mark, one.operator, one.a, one.b, one.target
            table.writerow([*about, STATEMENTS[one.operator], WRITTEN_SCALE, ""])
    return len(rows)


def read_sheets(paths: Sequence[Path]) -> tuple[list[str], list[str], Float64Array]:
    """Read rated sheets, one per rater: ids, their operators, and the ratings (raters, ids). NaN is
    a missing rating. Raises :class:`FormatError` for a rating outside the scale, a repeated id, or
    other data.
    """
    if not paths:
        raise InputError("no sheets; at least one is needed")
    operators: dict[str, str] = {}
    ratings: list[dict[str, float]] = []
    for path in paths:
        ratings.append(given := {})
        for line, row in _rows(path):
            mark, text = row["id"], row["rating"].strip()
            first = 0 if row["scale"] == WRITTEN_SCALE else 1
            if mark in given:
                raise FormatError(f"the id {mark!r} occurs twice", path, line)
            if operators.setdefault(mark, row["operator"]) != row["operator"]:
                why = f"{mark!r} has another operator in another sheet, got {row['operator']!r}"
                raise FormatError(why, path, line)
            if text and text not in [str(step + first) for step in SCALE]:
                scale = f"a whole number from {first} to {SCALE[-1] + first}, or nothing"
                raise FormatError(f"a rating is {scale}; got {text!r:.40}", path, line)
            given[mark] = float(text) - first if text else np.nan
    if len({mark.rpartition("-")[2] for mark in operators}) > 1:
        raise InputError("the sheets were made from different data: the ends of their ids differ")
    numbers = {mark: mark.partition("-")[0] for mark in operators}
    marks = sorted(numbers, key=lambda mark: int(n) if (n := numbers[mark]).isdecimal() else -1)
    table = np.array([[given.get(mark, np.nan) for mark in marks] for given in ratings])
    table = table.reshape(len(paths), -1)
    return marks, [operators[mark] for mark in marks], table


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            table = csv.DictReader(stream)
            names, needed = table.fieldnames or (), ("id", "operator", "rating")
            if missing := [name for name in needed if name not in names]:
                why = f"no column {missing[0]!r}; a sheet has {', '.join(COLUMNS)}"
                raise FormatError(why, path, 1)
            read = (*needed, "scale")
            return [(table.line_num, {name: row.get(name) or "" for name in read}) for row in table]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot read the sheet, got {str(path)!r}: {reason(error)}") from error


def agreement(ratings: npt.ArrayLike) -> Agreement:
    """Return the agreement of raters; ``ratings`` is (raters, samples), NaN where missing."""
    table = np.atleast_2d(np.asarray(ratings, float))
    table = table[:, (~np.isnan(table)).sum(axis=0) >= 2]
    known = table[~np.isnan(table)]
    if not len(known):
        return Agreement(len(np.atleast_2d(ratings)), 0, 0, None, None, None, None, None)
    apart = np.concatenate([np.abs(one - two) for one, two in combinations(table, 2)])
    apart = apart[~np.isnan(apart)]
    return Agreement(
        raters=int((~np.isnan(table)).any(axis=1).sum()),
        samples=table.shape[1],
        ratings=len(known),
        alpha=krippendorff(table),
        exact=float(np.mean(apart == 0)),
        within_one=float(np.mean(apart <= 1)),
        mean=float(known.mean()),
        deviation=float(known.std(ddof=1)),
    )


def krippendorff(ratings: Float64Array) -> float | None:
    """Return Krippendorff's alpha on an interval scale; None without any spread. It is 1 - observed
    / expected disagreement: the mean squared difference within samples against that of all pairable
    ratings (Krippendorff 2011, Computing Krippendorff's Alpha-Reliability). ``ratings`` are
    (raters, samples), NaN where missing.
    """
    columns = [column[~np.isnan(column)] for column in ratings.T]
    columns = [column for column in columns if len(column) > 1]
    if not columns:
        return None
    values = np.concatenate(columns)
    # The sum of squared differences of all ordered pairs of n values is 2 · n² · variance.
    expected = 2 * len(values) * np.var(values) / (len(values) - 1)
    observed = sum(2 * len(one) ** 2 * np.var(one) / (len(one) - 1) for one in columns) / len(
        values
    )
    return float(1 - observed / expected) if expected > 0 else None
