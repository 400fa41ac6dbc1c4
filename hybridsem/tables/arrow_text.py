"""Arrow data from outside, checked before a value of it is touched.

Arrow trusts what it reads: an offset that points outside a buffer is followed. So every batch is
validated in full. Text that is no UTF-8 is a problem of its row and no damage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hybridsem.tables.arrow_memory import runs


def pieces(batch: Any, path: object) -> Iterator[tuple[Any, dict[int, str]]]:
    """A record batch in parts that fit memory (:mod:`hybridsem.tables.arrow_memory`), undecodable
    bytes in their text written out; with each, what is wrong with which of its rows.

    Raises ``ArrowInvalid`` for a damaged batch, and ``UnicodeDecodeError`` for a column's name that
    is no UTF-8.
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
    """The cells of an array or chunked array; bytes for text that is no UTF-8.

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
    """A column of bytes as one of text, undecodable bytes written out; their rows are added to
    ``problems``.
    """
    import pyarrow

    cells = []
    for row, value in enumerate(plain.to_pylist()):
        faults: list[str] = []
        cells.append(_text(value, kind, faults))
        if faults:
            problems.setdefault(row, f"column {name!r}: {faults[0]}")
    return pyarrow.array(cells, kind)


def _as_bytes(column: Any) -> Any:
    """The same buffers with bytes where there was text, validated."""
    plain = column.view(_bytes_type(column.type))
    plain.validate(full=True)
    return plain


def _bytes_type(kind: Any) -> Any:
    """The type with bytes in place of text, at every depth."""
    import pyarrow as pa
    from pyarrow import types

    for is_text, binary in (
        (types.is_string, pa.binary),
        (types.is_large_string, pa.large_binary),
        (types.is_string_view, pa.binary_view),
    ):
        if is_text(kind):
            return binary()
    for is_list, listed in (
        (types.is_list, pa.list_),
        (types.is_large_list, pa.large_list),
        (types.is_list_view, pa.list_view),
        (types.is_large_list_view, pa.large_list_view),
    ):
        if is_list(kind):
            return listed(_field(kind.value_field))
    if types.is_fixed_size_list(kind):
        return pa.list_(_field(kind.value_field), kind.list_size)
    if types.is_struct(kind):
        return pa.struct([_field(kind.field(at)) for at in range(kind.num_fields)])
    if types.is_map(kind):
        return pa.map_(_bytes_type(kind.key_type), _bytes_type(kind.item_type))
    if types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _bytes_type(kind.value_type), kind.ordered)
    return kind


def _field(field: Any) -> Any:
    return field.with_type(_bytes_type(field.type))


def _text(value: Any, kind: Any, faults: list[str]) -> Any:
    """A value of the bytes type as one of the type itself; ``faults`` gains what is no UTF-8."""
    from pyarrow import types

    if value is None:
        return None
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        try:
            return value.decode()
        except UnicodeDecodeError as error:
            faults.append(
                f"not UTF-8: byte {error.start + 1} of the text is 0x{value[error.start]:02x}"
            )
            return value.decode("utf-8", "backslashreplace")
    if types.is_dictionary(kind):
        return _text(value, kind.value_type, faults)
    if types.is_struct(kind):
        fields: Sequence[Any] = [kind.field(at) for at in range(kind.num_fields)]
        return {field.name: _text(value[field.name], field.type, faults) for field in fields}
    if types.is_map(kind):
        return [
            (_text(key, kind.key_type, faults), _text(item, kind.item_type, faults))
            for key, item in value
        ]
    if hasattr(kind, "value_field"):
        return [_text(item, kind.value_type, faults) for item in value]
    return value
