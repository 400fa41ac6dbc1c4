"""Check Arrow data from outside before using any value.

**Memory.** A small file can expand greatly: dictionaries, views and runs repeat text in each row,
and buffers and pages are compressed. Rows are read in parts whose expanded cells fit in memory.

**Validity.** Arrow follows offsets that point outside a buffer, so each batch is validated in full.
Text that is not UTF-8 is a fault of its row; inside lists and structures it is damage.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.safe_read import check_memory
from hybridsem.errors import FormatError

ROWS = 4096
AT_ONCE = 1 << 26
"""Bytes of the expanded cells of a part, unless a single row is longer."""

PACKED = 64
"""Columns that grow by more than this factor are checked first."""


# -- rows: cells that share values


def runs(batch: Any, path: object) -> Iterator[tuple[int, int]]:
    """Yield (first row, number of rows) of each part of a validated record batch.

    Raises :class:`FormatError` for a row that needs too much memory.
    """
    sizes = np.ones(batch.num_rows)
    for column in batch.columns:
        sizes += _sizes(column)
    if len(sizes):
        check_memory(int(sizes.max()), "a row", path)
    ends, at = np.cumsum(sizes), 0
    while at < len(sizes):
        most = (ends[at - 1] if at else 0) + AT_ONCE
        end = max(at + 1, min(int(np.searchsorted(ends, most, "right")), at + ROWS))
        yield at, min(end, len(sizes)) - at
        at = end


def _sizes(column: Any) -> Float64Array:
    """Return the approximate bytes of each expanded cell."""
    import pyarrow.compute
    from pyarrow import types

    kind = column.type
    if not len(column):
        return np.empty(0)
    if types.is_dictionary(kind):
        sizes, indices = _sizes(column.dictionary), column.indices
        if not len(sizes):
            return np.full(len(indices), 8.0)
        missing = indices.is_null().to_numpy(zero_copy_only=False)
        return np.where(missing, 1.0, sizes[_numbers(indices).astype(np.int64)])
    if types.is_run_end_encoded(kind):
        found = column.slice(0)
        ends = np.asarray(found.run_ends, np.int64)
        first = found.find_physical_offset()
        held = np.clip(ends[first:] - found.offset, 0, len(column))
        counts = np.diff(held, prepend=0)
        return np.repeat(_sizes(found.values)[first : first + len(counts)], counts)
    if types.is_string_view(kind) or types.is_binary_view(kind):
        views = np.frombuffer(column.buffers()[1], "<i4").reshape(-1, 4)
        return views[column.offset : column.offset + len(column), 0].astype(np.float64)
    plain = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    if any(is_kind(kind) for is_kind in plain):
        return _numbers(pyarrow.compute.binary_length(column))
    if isinstance(column, pyarrow.ExtensionArray):
        return _sizes(column.storage)
    if kind.num_fields and any(word in str(kind) for word in ("dictionary", "view", "run_end")):
        return np.full(len(column), float(AT_ONCE))  # unknown sizes: read row by row
    return np.full(len(column), 8 + column.nbytes / len(column))


def _numbers(column: Any) -> Float64Array:
    """Return the numbers of an array, with 0 for missing ones."""
    return np.asarray(column.fill_null(0).to_numpy(zero_copy_only=False), np.float64)


# -- validity


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


# -- Parquet: the metadata of column chunks


def parquet_batches(path: Path, file: Any, columns: Sequence[str] | None = None) -> Iterator[Any]:
    """Yield the record batches of an open ``ParquetFile`` in the types of its schema.

    Columns that store a text once for many cells are read as dictionaries, in parts that fit in
    memory.
    """
    import pyarrow.parquet

    schema, about = file.schema_arrow, file.metadata
    if columns is not None:
        schema = pyarrow.schema([schema.field(name) for name in columns])
    shared: set[str] = set()
    rows = ROWS
    for group in map(about.row_group, range(about.num_row_groups)):
        for chunk in map(group.column, range(group.num_columns)):
            size, values = chunk.total_uncompressed_size, chunk.num_values
            for need in (size, 8 * values):
                if need > PACKED * min(size, chunk.total_compressed_size):
                    check_memory(need, f"the column {chunk.path_in_schema!r:.80}", path)
            name = chunk.path_in_schema
            if (
                chunk.physical_type == "BYTE_ARRAY"
                and chunk.has_dictionary_page
                and min(values, ROWS) * size > AT_ONCE
            ):
                shared.add(name)
            # Delta encoding repeats prefixes; nested columns are not read as dictionaries.
            if "DELTA_BYTE_ARRAY" in chunk.encodings or (
                name in shared and not (name in schema.names and is_text(schema.field(name).type))
            ):
                rows = min(rows, max(1, AT_ONCE // max(1, size)))
            each = 8 * values // max(1, group.num_rows)
            rows = min(rows, max(1, AT_ONCE // max(1, each)))
    known = [name for name in sorted(shared) if name in schema.names]
    read = [name for name in known if is_text(schema.field(name).type)]
    if not read:
        yield from file.iter_batches(rows, columns=columns)
        return
    with pyarrow.parquet.ParquetFile(path, read_dictionary=read) as again:
        for batch in again.iter_batches(rows, columns=columns):
            for at, number in runs(batch, path):
                part = batch.slice(at, number)
                yield pyarrow.RecordBatch.from_arrays(
                    [
                        column if column.type == field.type else column.cast(field.type)
                        for column, field in zip(part.columns, schema, strict=True)
                    ],
                    schema=schema,
                )


def is_text(kind: Any) -> bool:
    """Test if an Arrow type holds text."""
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


# -- Arrow files: the metadata of messages

MAGIC = b"ARROW1\0\0"
CONTINUES = b"\xff\xff\xff\xff"
RECORD_BATCH, DICTIONARY = 3, 2


def check_arrow_file(path: Path) -> None:
    """Raise :class:`FormatError` if a batch of an Arrow file or stream, with the dictionaries,
    needs too much memory when decompressed. Messages are read without their data.
    """
    dictionaries = largest = 0
    try:
        with path.open("rb") as stream:
            blocks = _blocks_of_file if stream.read(8) == MAGIC else _blocks_of_stream
            for head, body in blocks(stream):
                kind, size = _unpacked(head, body, stream)
                dictionaries += size if kind == DICTIONARY else 0
                largest = max(largest, size)
    except (struct.error, IndexError, OverflowError, OSError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"cannot be read as arrow: {error}", path) from error
    check_memory(dictionaries + largest, "a batch", path)


class _Table:
    """A flatbuffer table, with fields by number."""

    def __init__(self, content: bytes, at: int) -> None:
        self.content, self.at = content, at
        self.fields = at - _int("<i", content, at)

    def place(self, number: int) -> int | None:
        """Return a field's position, None if it is absent."""
        slot = 4 + 2 * number
        if slot + 2 > _int("<H", self.content, self.fields):
            return None
        offset = _int("<H", self.content, self.fields + slot)
        return self.at + offset if offset else None

    def table(self, number: int) -> _Table | None:
        """Return the table in a field."""
        at = self.place(number)
        return None if at is None else _Table(self.content, at + _int("<I", self.content, at))

    def structs(self, number: int, form: str) -> Iterator[tuple[Any, ...]]:
        """Yield the structures of a vector."""
        if (at := self.place(number)) is None:
            return
        at += _int("<I", self.content, at)
        each = struct.calcsize(form)
        for place in range(_int("<I", self.content, at)):
            yield struct.unpack_from(form, self.content, at + 4 + each * place)


def _int(form: str, content: bytes, at: int) -> int:
    if at < 0:
        raise IndexError("an offset points outside")
    return int(struct.unpack_from(form, content, at)[0])


Blocks = Iterator[tuple[bytes, int]]
"""The head of each message, and the position of its body."""


def _blocks_of_file(stream: IO[bytes]) -> Blocks:
    end = stream.seek(0, 2)
    stream.seek(max(0, end - 10))
    (length,) = struct.unpack("<i", stream.read(4))
    stream.seek(end - 10 - length)
    content = stream.read(length)
    footer = _Table(content, _int("<I", content, 0))
    for number in (2, 3):  # dictionaries, record batches
        for offset, head, _ in footer.structs(number, "<qi4xq"):
            stream.seek(offset)
            yield _head(stream), offset + head


def _blocks_of_stream(stream: IO[bytes]) -> Blocks:
    at = 0
    while True:
        stream.seek(at)
        head = _head(stream)
        if not head:
            return
        at = stream.tell()
        yield head, at
        body = _Table(head, _int("<I", head, 0)).place(3)
        at += 0 if body is None else max(0, _int("<q", head, body))


def _head(stream: IO[bytes]) -> bytes:
    start = stream.read(4)
    start = stream.read(4) if start == CONTINUES else start
    return stream.read(max(0, struct.unpack("<i", start)[0])) if len(start) == 4 else b""


def _unpacked(head: bytes, body: int, stream: IO[bytes]) -> tuple[int, int]:
    """Return a message's kind and the decompressed bytes of its buffers."""
    message = _Table(head, _int("<I", head, 0))
    at = message.place(1)
    kind = 0 if at is None else _int("<B", head, at)
    about = message.table(2) if kind in (RECORD_BATCH, DICTIONARY) else None
    about = about.table(1) if about is not None and kind == DICTIONARY else about
    if about is None:
        return kind, 0
    compressed, total = about.place(3) is not None, 0
    for at, length in about.structs(2, "<qq"):
        size = -1
        if compressed and length >= 8:  # the first 8 bytes are the size; -1: not compressed
            stream.seek(body + at)
            (size,) = struct.unpack("<q", stream.read(8))
        total += length if size == -1 else max(0, int(size))
    return kind, total
