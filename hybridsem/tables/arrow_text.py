"""Validate Arrow data from outside before using any value.

Arrow follows offsets that point outside a buffer, so every batch is validated in full. Text that is
not UTF-8 is a fault of its row; inside lists and structures it is damage.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hybridsem.tables.arrow_memory import runs


def pieces(batch: Any, path: object) -> Iterator[tuple[Any, dict[int, str]]]:
    """Yield parts of a record batch that fit in memory, with the faults of their rows.

    Undecodable bytes of text are escaped. Raises ``ArrowInvalid`` for a damaged batch, and
    ``UnicodeDecodeError`` for a column name that is not UTF-8.
    """
    import pyarrow

    schema, columns = batch.schema, batch.columns
    names = schema.names
    try:
        batch.validate(full=True)
    except pyarrow.ArrowInvalid:
        columns = [column if _sound(column) else _as_bytes(column) for column in columns]
    kinds = [column.type for column in columns]
    plain = pyarrow.RecordBatch.from_arrays(columns, names=[str(at) for at in range(len(columns))])
    for at, rows in runs(plain, path):
        if kinds == schema.types:
            yield batch.slice(at, rows), {}
            continue
        problems: dict[int, str] = {}
        part = [
            column if column.type == kind else _mended(column, kind, name, problems)
            for column, kind, name in zip(
                plain.slice(at, rows).columns, schema.types, names, strict=True
            )
        ]
        mended = pyarrow.RecordBatch.from_arrays(part, schema=schema)
        mended.validate(full=True)
        yield mended, problems


def checked_column(column: Any) -> list[Any]:
    """Return the cells of an array or chunked array, with bytes for text that is not UTF-8.

    Raises ``ArrowInvalid`` for a damaged one.
    """
    import pyarrow

    try:
        column.validate(full=True)
        return list(column.to_pylist())
    except pyarrow.ArrowInvalid:
        cells: list[Any] = []
        for chunk in getattr(column, "chunks", [column]):
            problems: dict[int, str] = {}
            plain = _as_bytes(chunk)
            texts = _mended(plain, chunk.type, "", problems).to_pylist()
            raw = plain.to_pylist()
            cells += [raw[at] if at in problems else text for at, text in enumerate(texts)]
        return cells


def _sound(column: Any) -> bool:
    import pyarrow

    try:
        column.validate(full=True)
    except pyarrow.ArrowInvalid:
        return False
    return True


def _mended(plain: Any, kind: Any, name: str, problems: dict[int, str]) -> Any:
    """Turn a column of bytes into text, with undecodable bytes escaped; add their rows to
    ``problems``.
    """
    import pyarrow

    cells = []
    for row, value in enumerate(plain.to_pylist()):
        try:
            cells.append(None if value is None else value.decode())
        except UnicodeDecodeError as error:
            byte = f"byte {error.start + 1} of the text is 0x{value[error.start]:02x}"
            problems.setdefault(row, f"column {name!r}: not UTF-8: {byte}")
            cells.append(value.decode("utf-8", "backslashreplace"))
    return pyarrow.array(cells, kind)


def _as_bytes(column: Any) -> Any:
    """Return the same buffers as bytes instead of text, validated."""
    plain = column.view(_bytes_type(column.type))
    plain.validate(full=True)
    return plain


def _bytes_type(kind: Any) -> Any:
    """Return the type with bytes instead of text, plain or in a dictionary."""
    import pyarrow as pa
    from pyarrow import types

    if types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _bytes_type(kind.value_type), kind.ordered)
    if types.is_string(kind):
        return pa.binary()
    if types.is_large_string(kind):
        return pa.large_binary()
    return pa.binary_view() if types.is_string_view(kind) else kind
