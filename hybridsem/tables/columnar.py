"""Read Parquet, Arrow and Feather files batch by batch through pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hybridsem._utils.disk import unreadable
from hybridsem._utils.lines import pyarrow
from hybridsem.errors import FormatError
from hybridsem.tables.arrow import is_text, parquet_batches, pieces
from hybridsem.tables.rows import Header, Row, Rows

COLUMNAR = (".parquet", ".arrow", ".feather")
"""The endings of columnar files."""


class ColumnarRows(Rows):
    """The records of a Parquet, Arrow or Feather file with columns of any type."""

    def __init__(self, path: str | Path, header: Header) -> None:
        pyarrow("reads Parquet, Arrow and Feather files")
        super().__init__(path, header)
        self.format = self.path.suffix.lower().removeprefix(".")
        self.wanted: Sequence[str] | None = None
        """The columns of the records; None: all."""
        self.problems: dict[int, str] = {}
        """The faults of the last batch, by row."""

    def __iter__(self) -> Iterator[Row]:
        number = 0
        for batch in self.batches():
            names = self.schema.names if self.wanted is None else self.wanted
            columns = batch.columns if self.wanted is None else map(batch.column, names)
            for at, cells in enumerate(zip(*map(values_of, columns), strict=True)):
                number += 1
                yield number, dict(zip(names, cells, strict=True)), self.problems.get(at)

    def batches(self) -> Iterator[Any]:
        """Yield the checked record batches, of at most 4,096 rows and 64 MiB.

        Bytes that are not UTF-8 are escaped; ``problems`` names them.
        """
        import pyarrow.lib

        self._read = 0
        try:
            with self._open() as (self.schema, batches):
                sample = dict(zip(self.schema.names, map(_sample, self.schema.types), strict=True))
                self.header(self.schema.names, sample, None)
                for batch in batches:
                    for part, problems in pieces(batch, self.name):
                        self.problems = problems
                        self._read += part.num_rows
                        yield part
        except UnicodeDecodeError as error:
            raise FormatError(
                f"the name of a column is not UTF-8, got {error.object!r:.80}", self.name
            ) from error
        except (pyarrow.lib.ArrowException, OSError, MemoryError) as error:
            raise FormatError(f"cannot be read as {self.format}: {error}", self.name) from error

    def check_text(self, names: Sequence[str]) -> None:
        """Raise :class:`FormatError` for a column that does not hold text."""
        from pyarrow.types import is_dictionary

        for name in names:
            kind = self.schema.field(name).type
            if not is_text(kind.value_type if is_dictionary(kind) else kind):
                raise FormatError(f"column {name!r}: expected text, it has {kind}", self.name)

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
        # Not mapped into memory: truncating the file would end the process.
        with pyarrow.OSFile(str(self.path)) as source:
            try:
                file = pyarrow.ipc.open_file(source)
                batches: Iterator[Any] = (file.get_batch(i) for i in range(file.num_record_batches))
            except pyarrow.lib.ArrowInvalid:
                source.seek(0)
                file = pyarrow.ipc.open_stream(source)
                batches = iter(file)
            yield file.schema, batches


def values_of(column: Any) -> list[Any]:
    """Return the cells of a column, as text if Python has no such value (the year 10,000)."""
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError):
        import pyarrow

        return list(column.cast(pyarrow.string()).to_pylist())


def _sample(kind: Any) -> float | str:
    """Return a sample number or text of an Arrow type."""
    import pyarrow.types as types

    number = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    return 0.0 if number else ""
