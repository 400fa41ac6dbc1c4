"""Read the ratings of single raters, for a data set's split-half reliability: a model's ceiling.

The layout is that of the STS3k release, as xlsx, csv or tsv: a row for each pair, a column for each
rater, with the rater's number as header, and other columns. A cell may be empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.lines import LineReader
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem.datasets.rated_pairs import rating
from hybridsem.errors import FormatError, InputError
from hybridsem.tables.rows import EXCEL, sheet_rows
from hybridsem.tables.text import DELIMITERS, cells_of


@wrap_read_errors
def read_ratings(path: str | Path, rows: int) -> Float64Array:
    """Return the ratings, (raters, rows) float64 with NaN for empty cells.

    Raises :class:`FormatError` for a rating that is not a number, or fewer than two raters,
    :class:`InputError` for another number of pairs than ``rows``.
    """
    path = Path(path)
    table: Iterator[tuple[int, Sequence[Any]]]
    if path.suffix.lower() in EXCEL:
        table = sheet_rows(path)
    else:
        lines = LineReader(path)
        mark = DELIMITERS.get(path.suffix.lower(), ",")
        table = ((number, cells) for number, cells, _ in cells_of(lines, iter(lines), mark))
    number, header = next(table, (1, ()))
    raters = [
        i
        for i, name in enumerate(header)
        if not isinstance(name, bool) and str(name).strip().isdecimal()
    ]
    if len(raters) < 2:
        message = "expected a header with the raters' numbers (1, 2, 3, …) over their ratings"
        raise FormatError(message, path, number)
    found = []
    for number, record in table:
        cells = ((at, record[at] if at < len(record) else None) for at in raters)
        found.append([rating(cell, path, number, f"column {at + 1}: ") for at, cell in cells])
    if len(found) != rows:
        raise InputError(
            f"{path.name} has ratings of {len(found)} pairs and the data {rows}; one row for "
            "each is needed"
        )
    return np.array(found, np.float64).T
