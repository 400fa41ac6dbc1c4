"""Parquet, Arrow and Feather files, read batch by batch through pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hybridsem._utils.arrow import pieces
from hybridsem._utils.arrow_memory import check_arrow_file, parquet_batches
from hybridsem._utils.disk import unreadable
from hybridsem._utils.doors import reading
from hybridsem._utils.lines import pyarrow
from hybridsem.errors import FormatError
from hybridsem.pairs._columns import (
    Layout,
    Pair,
    checked_columns,
    header_layout,
    pair_of,
    unknown_columns,
)

__all__ = ["ColumnarReader", "holds_text", "values_of"]


class ColumnarReader:
    """An iterable over the pairs of a Parquet, Arrow or Feather file; other columns may have any
    type.

    Raises :class:`FormatError` for a damaged file and for text columns that hold no text.
    """

    rows_are = "row"

    def __init__(
        self, path: str | Path, *, columns: Sequence[str] | None = None, keep_bad: bool = False
    ) -> None:
        pyarrow("reads Parquet, Arrow and Feather files")
        self.path = Path(path)
        self.name = str(path)
        self.columns = checked_columns(columns)
        self.keep_bad = keep_bad
        self.format: str | None = self.path.suffix.lower().removeprefix(".")
        self.layout: Layout | None = None
        self.schema: Any = None
        self._read, self._rows = 0, None
        self._problems: dict[int, str] = {}

    @property
    def progress(self) -> tuple[int, int | None]:
        """How many rows have been read, and how many there are where that is known."""
        return self._read, self._rows

    def __iter__(self) -> Iterator[Pair]:
        with reading(self.name):
            yield from self._pairs()

    def _pairs(self) -> Iterator[Pair]:
        row = 0
        for batch in self.batches():
            layout = self.layout
            assert layout is not None  # batches() has set it
            columns = [values_of(column) for column in batch.columns]
            for at, cells in enumerate(zip(*columns, strict=True)):
                fields = dict(zip(layout.columns, cells, strict=True))
                pair = pair_of(row, row + 1, fields, layout, self._problems.get(at))
                if pair.problem is not None and not self.keep_bad:
                    raise FormatError(pair.problem, self.name, row + 1, self.rows_are)
                yield pair
                row += 1
        if not row:
            raise FormatError("a header and no pairs", self.name)

    def batches(self) -> Iterator[Any]:
        """The record batches of the file, of at most 4,096 rows and 64 MiB, each checked.

        Bytes that are no UTF-8 are written out in them; iterating over pairs tells of which.
        """
        import pyarrow.lib

        self._read = 0
        try:
            with self._open() as (schema, batches):
                self.schema, self.layout = schema, self._layout(schema)
                for batch in batches:
                    for part, problems in pieces(batch, self.name):
                        self._problems = problems
                        self._read += part.num_rows
                        yield part
        except UnicodeDecodeError as error:  # of text that is none there are problems
            raise FormatError(
                f"the name of a column is not UTF-8, got {error.object!r:.80}", self.name
            ) from error
        except (pyarrow.lib.ArrowException, OSError, MemoryError) as error:
            raise FormatError(f"cannot be read as {self.format}: {error}", self.name) from error

    def pairs_in(self, batch: Any, row: int) -> Iterator[Pair]:
        """The pairs of a batch whose first row is ``row``, without the other columns."""
        layout = self.layout
        assert layout is not None  # batches() has set it
        names = [name for name in (layout.text1, layout.text2, layout.gold) if name is not None]
        columns = [values_of(batch.column(name)) for name in names]
        for at, cells in enumerate(zip(*columns, strict=True), start=row):
            yield pair_of(at, at + 1, dict(zip(names, cells, strict=True)), layout)

    @contextmanager
    def _open(self) -> Iterator[tuple[Any, Iterator[Any]]]:
        import pyarrow

        if not self.path.is_file():
            raise unreadable(self.name)
        if self.format == "parquet":
            import pyarrow.parquet

            with pyarrow.parquet.ParquetFile(self.path) as file:
                self._rows = file.metadata.num_rows
                yield file.schema_arrow, parquet_batches(self.path, file)
            return
        check_arrow_file(self.path)
        # Not mapped into memory: a file that is cut short meanwhile would end the process.
        with pyarrow.OSFile(str(self.path)) as source:
            try:
                file = pyarrow.ipc.open_file(source)
                batches: Iterator[Any] = (file.get_batch(i) for i in range(file.num_record_batches))
            except pyarrow.lib.ArrowInvalid:
                source.seek(0)
                file = pyarrow.ipc.open_stream(source)
                batches = iter(file)
            yield file.schema, batches

    def _layout(self, schema: Any) -> Layout:
        layout = header_layout(
            schema.names,
            self.columns,
            dict(zip(schema.names, map(_sample, schema.types), strict=True)),
            self.name,
            None,
        )
        if layout is None:
            raise unknown_columns(schema.names, self.name, None)
        for name in (layout.text1, layout.text2):
            if not holds_text(kind := schema.field(name).type):
                raise FormatError(f"column {name!r}: expected text, it has {kind}", self.name)
        return layout


def values_of(column: Any) -> list[Any]:
    """The cells of a column; as text where Python has no such value (the year 10,000)."""
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError):
        import pyarrow

        return list(column.cast(pyarrow.string()).to_pylist())


def _sample(kind: Any) -> float | str:
    """A value of this type, as far as numbers are to be told from words."""
    import pyarrow.types as types

    return (
        0.0 if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind) else ""
    )


def holds_text(kind: Any) -> bool:
    """Whether a column of this type has texts."""
    import pyarrow.types as types

    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))
