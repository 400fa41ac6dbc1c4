"""Check Arrow data from outside before using any value.

Stored texts that many rows share are read in parts whose expanded cells fit in memory. Each batch
is validated in full. Text that is not UTF-8 is a fault of its row; inside lists it is damage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hybridsem._utils.safe_read import check_memory

if TYPE_CHECKING:
    import pyarrow
    import pyarrow.parquet

    from hybridsem._typing import AnyArray

ROWS = 4096
AT_ONCE = 1 << 26  # bytes of the expanded cells of a part, unless a single row is longer
GROWTH = 64  # columns that grow by more than this factor are checked first


# -- rows: cells that share values


def parts(batch: pyarrow.RecordBatch, path: object) -> Iterator[pyarrow.RecordBatch]:
    """Yield slices of a validated record batch whose expanded cells fit in memory."""
    sizes = np.ones(batch.num_rows)
    for column in batch.columns:
        sizes += _sizes(column)
    check_memory(int(sizes.max(initial=0)), "a row", path)
    ends, at = np.cumsum(sizes), 0
    while at < len(sizes):
        most = (ends[at - 1] if at else 0) + AT_ONCE
        end = max(at + 1, min(int(np.searchsorted(ends, most, "right")), at + ROWS))
        yield batch.slice(at, end - at)
        at = end


def _sizes(column: pyarrow.Array) -> float | AnyArray:
    """Return the approximate bytes of each expanded cell, or one number for all."""
    import pyarrow.compute
    from pyarrow import types

    kind = column.type
    if not len(column):
        return 0.0
    if types.is_dictionary(kind):
        sizes = np.broadcast_to(_sizes(column.dictionary), max(1, len(column.dictionary)))
        rows = column.indices.fill_null(0).to_numpy(zero_copy_only=False)
        return np.asarray(sizes[rows.astype(np.int64)])
    if types.is_run_end_encoded(kind):
        return float(np.max(_sizes(column.values)))
    if isinstance(column, pyarrow.ExtensionArray):
        return _sizes(column.storage)
    if types.is_string_view(kind) or types.is_binary_view(kind):
        views = np.frombuffer(column.buffers()[1], "<i4").reshape(-1, 4)
        return np.asarray(views[column.offset : column.offset + len(column), 0])
    if is_text(kind) or types.is_binary(kind) or types.is_large_binary(kind):
        lengths = pyarrow.compute.binary_length(column).fill_null(0)
        return np.asarray(lengths.to_numpy(zero_copy_only=False))
    if kind.num_fields and any(word in str(kind) for word in ("dictionary", "view", "run_end")):
        return float(AT_ONCE)  # unknown sizes: read row by row
    return 8.0 + float(column.nbytes) / len(column)


# -- validity


def pieces(
    batch: pyarrow.RecordBatch, path: object
) -> Iterator[tuple[pyarrow.RecordBatch, dict[int, str]]]:
    """Yield parts of a record batch with the faults of their rows; bad bytes are escaped."""
    import pyarrow

    names = batch.schema.names
    columns = [_checked(column) for column in batch.columns]
    plain = pyarrow.RecordBatch.from_arrays(columns, names=[str(at) for at in range(len(columns))])
    for part in parts(plain, path):
        problems: dict[int, str] = {}
        arrays = [
            column if column.type == kind else _mended(column, kind, name, problems)
            for column, kind, name in zip(part.columns, batch.schema.types, names, strict=True)
        ]
        yield pyarrow.RecordBatch.from_arrays(arrays, schema=batch.schema), problems


def checked_column(column: pyarrow.Array) -> list[object]:
    """Return the cells of a column, with bytes for text that is not UTF-8."""
    import pyarrow

    cells: list[object] = []
    for chunk in getattr(column, "chunks", [column]):
        for part, problems in pieces(pyarrow.record_batch([chunk], [""]), "a column"):
            texts = enumerate(part.column(0).to_pylist())
            cells += [text.encode() if at in problems else text for at, text in texts]
    return cells


def _checked(column: pyarrow.Array) -> pyarrow.Array:
    """Return a sound column, or the buffers of text that is not UTF-8 as bytes."""
    import pyarrow

    try:
        column.validate(full=True)
    except pyarrow.ArrowInvalid:
        column = column.view(_bytes_type(column.type))
        column.validate(full=True)
    return column


def _mended(
    plain: pyarrow.Array, kind: pyarrow.DataType, name: str, problems: dict[int, str]
) -> pyarrow.Array:
    """Turn bytes into text, with undecodable ones escaped and their rows in ``problems``."""
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


def _bytes_type(kind: pyarrow.DataType) -> pyarrow.DataType:
    """Return the type with bytes instead of text, plain or in a dictionary."""
    import pyarrow as pa
    from pyarrow import types

    if types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _bytes_type(kind.value_type), kind.ordered)
    of_text = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary()}
    return (of_text | {pa.string_view(): pa.binary_view()}).get(kind, kind)


def is_text(kind: pyarrow.DataType) -> bool:
    """Test if an Arrow type holds text."""
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


# -- Parquet: the metadata of column chunks


def parquet_batches(
    path: Path, file: pyarrow.parquet.ParquetFile, columns: Sequence[str] | None = None
) -> Iterator[pyarrow.RecordBatch]:
    """Yield the record batches of an open file; shared texts are read as dictionaries."""
    import pyarrow.parquet

    schema, about = file.schema_arrow, file.metadata
    if columns is not None:
        schema = pyarrow.schema([schema.field(name) for name in columns])
    texts = {field.name for field in schema if is_text(field.type)}
    shared: set[str] = set()
    rows = ROWS
    for group in map(about.row_group, range(about.num_row_groups)):
        for chunk in map(group.column, range(group.num_columns)):
            size, name = chunk.total_uncompressed_size, chunk.path_in_schema
            values = chunk.num_values
            for need in (size, 8 * values):
                if need > GROWTH * min(size, chunk.total_compressed_size):
                    check_memory(need, f"the column {name!r:.80}", path)
            is_shared = chunk.physical_type == "BYTE_ARRAY" and chunk.has_dictionary_page
            if is_shared and name in texts and min(values, ROWS) * size > AT_ONCE:
                shared.add(name)
            cell = 8 * values // max(1, group.num_rows)
            # Delta encoding repeats prefixes; nested columns are not read as dictionaries.
            if "DELTA_BYTE_ARRAY" in chunk.encodings or (is_shared and name not in texts):
                cell = max(cell, size)
            rows = min(rows, max(1, AT_ONCE // max(1, cell)))
    if not shared:
        yield from file.iter_batches(rows, columns=columns)
        return
    with pyarrow.parquet.ParquetFile(path, read_dictionary=sorted(shared)) as again:
        for batch in again.iter_batches(rows, columns=columns):
            for part in parts(batch, path):
                cast = zip(part.columns, schema.types, strict=True)
                arrays = [own if own.type == kind else own.cast(kind) for own, kind in cast]
                yield pyarrow.RecordBatch.from_arrays(arrays, schema=schema)
