"""Take pairs and texts from objects in memory: sequences, arrays, columns of data frames."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hybridsem.errors import FormatError, HybridSemError, InputError
from hybridsem.tables import columns as names_of
from hybridsem.tables.arrow import checked_column
from hybridsem.tables.columns import column_of_texts, header_layout, text_columns


def pairs_in(data: Any, columns: Sequence[str] | None = None) -> list[Any]:
    """Return the pairs of ``data`` in order, unchecked.

    ``data`` is an iterable of pairs, a NumPy array (n, 2), or anything with named columns: a pandas
    or polars data frame, an Arrow table or record batch, a Hugging Face dataset, a mapping of
    columns. ``columns`` names the two text columns if neither their names nor their types do.
    """
    for whole in ("collect", "read_all"):  # of a polars LazyFrame, of Arrow's RecordBatchReader
        if callable(method := getattr(data, whole, None)):
            data = method()
    labels, kind = _labels(data), type(data).__name__
    if labels is None:
        if columns is not None:
            raise InputError(f"columns= is for data with named columns, got {kind}")
        if hasattr(data, "tolist") and hasattr(data, "ndim"):
            if data.ndim != 2 or data.shape[1] != 2:
                raise InputError(f"an array of pairs has the shape (n, 2), got {data.shape}")
            return [tuple(pair) for pair in data.tolist()]
        if not isinstance(data, Iterable) or isinstance(data, (str, bytes)):
            why = "expected two texts, a pair, or many pairs (a list, a data frame, a table, two"
            raise InputError(f"{why} columns), got {data!r:.80} ({kind})")
        return list(data)
    names = [str(label) for label in labels]
    label_of = dict(zip(names, labels, strict=True))
    chosen = names_of.checked_columns(columns)
    are_two = chosen is None and text_columns(names) is None and len({*names}) == len(names) == 2
    if are_two and all(_holds_texts(_cells(data, label)) for label in labels):
        chosen = (names[0], names[1])
    layout = header_layout(names, None if chosen is None else chosen[:2], None, kind, None)
    if layout is None:
        raise names_of.unknown_columns(names, kind, None)
    first, second = (_cells(data, label_of[name]) for name in (layout.text1, layout.text2))
    if len(first) != len(second):
        raise FormatError(f"{len(first)} and {len(second)} values in the two text columns", kind)
    return list(zip(first, second, strict=True))


def paired(first: object, second: object) -> list[tuple[object, object]]:
    """Return the pairs of two columns (lists, arrays, series) of equal length, unchecked."""
    columns = []
    for place, column in (("first", first), ("second", second)):
        if isinstance(column, (str, bytes)) or not isinstance(column, Iterable):
            why = f"two columns of sentences are two sequences, the {place} is {column!r:.80}"
            raise InputError(why)
        columns.append(_values(column))
    one, other = columns
    if len(one) != len(other):
        got = f"got {len(one)} and {len(other)}"
        raise InputError(f"two columns of sentences must have one length, {got}")
    return list(zip(one, other, strict=True))


def texts_in(data: Any, column: str | None = None) -> list[object]:
    """Return the texts of ``data`` in order, unchecked.

    ``data`` is an iterable or a column of texts, or records: anything with named columns, or an
    iterable of mappings. ``column`` names the records' texts if they have no usual name.
    """
    labels = None if isinstance(data, list) else _labels(data)
    if labels is not None:
        names = [str(label) for label in labels]
        return _cells(data, labels[names.index(column_of_texts(names, column))])
    if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
        why = f"expected a sequence of strings, got {data!r:.80} ({type(data).__name__})"
        raise InputError(f"{why}; put one text in a list")
    values = _values(data)
    records = [value for value in values if isinstance(value, Mapping)]
    if not records:
        if column is not None:
            raise InputError(f"column= is for records, got {type(data).__name__} of texts")
        return values
    chosen = column_of_texts([*dict.fromkeys(map(str, itertools.chain(*records)))], column)
    return [value.get(chosen) if isinstance(value, Mapping) else value for value in values]


def _holds_texts(cells: Sequence[object]) -> bool:
    """Test if a column holds only texts and missing cells."""
    others = [cell for cell in cells if not isinstance(cell, str)]
    missing = all(
        cell is None
        or type(cell).__name__ == "NAType"  # pandas' missing value equals nothing
        or (isinstance(cell, float) and math.isnan(cell))
        for cell in others
    )
    return missing and (len(others) < len(cells) or not cells)


def _labels(data: object) -> list[object] | None:
    """Return the names or numbers of the columns, None for data without columns."""
    if isinstance(data, dict):
        return list(data)
    for attribute in ("column_names", "columns"):  # in this order: Arrow's columns are values
        names = getattr(data, attribute, None)
        if isinstance(names, Iterable):
            return list(names)
    schema = getattr(data, "schema", None)  # an Arrow record batch
    return list(schema.names) if schema is not None and hasattr(schema, "names") else None


def _cells(data: Any, name: object) -> list[object]:
    """Return the cells of a column; raise :class:`FormatError` if there are none."""
    where = type(data).__name__
    try:
        column = data[name]
        if isinstance(column, (str, bytes, Mapping)):
            raise TypeError(f"{type(column).__name__} is not a column")
        return _values(column)
    except HybridSemError:
        raise
    except Exception as error:
        why = f"column {name!r:.80} holds no texts, a cell for each pair: {error!s:.200}"
        raise FormatError(why, where) from error


def _values(column: Any) -> list[object]:
    if type(column).__module__.partition(".")[0] == "pyarrow":
        import pyarrow

        try:
            return checked_column(column)
        except pyarrow.ArrowException as error:
            raise FormatError(f"a damaged column: {error}", type(column).__name__) from error
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)
