"""The SQLite file of an index: rows that are written once, and named values, each with a CRC-32.

SQLite makes a change whole or not at all, and lets others read meanwhile. It keeps a rollback
journal and no WAL, whose memory the nodes of a cluster could not share.
"""

from __future__ import annotations

import io
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import AnyArray
from hybridsem._utils.disk import reason
from hybridsem.errors import AssetError, InputError

Id = int | str
IDS = range(-(2**63), 2**63)  # the numbers that may be ids
TABLES = """
CREATE TABLE rows (row INTEGER PRIMARY KEY, id, text BLOB, words BLOB, sum INTEGER);
CREATE INDEX ids ON rows (id);
CREATE TABLE named (name, first INTEGER, content BLOB, sum INTEGER, PRIMARY KEY (name, first));
"""
SETTINGS = ("trusted_schema = OFF", "cell_size_check = ON", "cache_spill = OFF")
MAX_PER_QUERY = 500
WAIT = 60.0  # seconds for another process that writes
REMEDY = "free some space and run the same command again; it resumes"


class Row(NamedTuple):
    """A text, its id, and its compared form as bytes, b"" without structure."""

    id: Id
    text: str
    words: bytes = b""


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise :class:`InputError` if the index cannot be written."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        raise InputError(
            f"cannot write the index, got {str(path)!r}: {reason(error)}; {REMEDY}"
        ) from error


def damaged(path: Path, why: object = "it is not what was written") -> AssetError:
    """Return the error for a changed file."""
    return AssetError(f"the index is damaged: {str(path)!r}: {why}; build it again")


def _stored(one: Id) -> int | bytes:
    return one if isinstance(one, int) else one.encode("utf-8", "surrogatepass")


def _sum(row: int, one: int | bytes, text: bytes, words: bytes) -> int:
    head = repr((row, one, len(text), len(words))).encode()
    return zlib.crc32(words, zlib.crc32(text, zlib.crc32(head)))


def _sum_of_value(name: str, first: int, content: bytes) -> int:
    return zlib.crc32(content, zlib.crc32(f"{name} {first}".encode()))


class Database:
    """The file, which threads may share. Readers raise :class:`AssetError` for what is missing or
    was changed.
    """

    def __init__(self, path: Path, new: bool = False) -> None:
        self.path, self.folder, self._lock = path, path.parent, threading.RLock()
        self._of_processes: dict[int, sqlite3.Connection] = {}
        if new:
            with writing(path), closing(sqlite3.connect(path)) as base:
                base.executescript(TABLES)

    @property
    def _base(self) -> sqlite3.Connection:
        """The connection; a forked process makes its own."""
        if (base := self._of_processes.get(os.getpid())) is None:
            base = sqlite3.connect(
                f"{self.path.as_uri()}?mode=rw",
                uri=True,
                timeout=WAIT,
                isolation_level=None,
                check_same_thread=False,
            )
            base.text_factory = bytes  # a damaged type turns bytes into text
            for setting in SETTINGS:
                base.execute(f"PRAGMA {setting}")
            self._of_processes[os.getpid()] = base
        return base

    def __del__(self) -> None:
        with suppress(sqlite3.Error):
            if (base := self._of_processes.get(os.getpid())) is not None:
                base.close()

    def _read(self, query: str, values: Sequence[object]) -> list[Any]:
        with self._lock:
            try:
                return self._base.execute(query, values).fetchall()
            except sqlite3.Error as error:
                if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                    raise InputError(f"another process writes {str(self.path)!r}") from error
                raise damaged(self.path, error) from error

    def _among(self, query: str, values: Sequence[object]) -> Iterator[Any]:
        """Yield the answers to a query that ends with "IN"."""
        for at in range(0, len(values), MAX_PER_QUERY):
            some = values[at : at + MAX_PER_QUERY]
            yield from self._read(f"{query} ({','.join('?' * len(some))})", some)

    def rows(self, numbers: Sequence[int]) -> list[Row]:
        """Return the rows with these numbers, in their order."""
        found = {}
        query = "SELECT row, id, text, words, sum FROM rows WHERE row IN"
        try:
            for row, one, text, words, checksum in self._among(query, numbers):
                if _sum(row, one, text, words) != checksum:
                    raise damaged(self.path)
                name = one if isinstance(one, int) else one.decode("utf-8", "surrogatepass")
                found[row] = Row(name, text.decode("utf-8", "surrogatepass"), words)
            return [found[number] for number in numbers]
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise damaged(self.path) from error

    def with_ids(self, ids: Iterable[Id]) -> dict[int, Id]:
        """Return the ids of the rows that have one of these, by the number of the row."""
        wanted = {_stored(one): one for one in ids if isinstance(one, str) or one in IDS}
        found = self._among("SELECT row, id FROM rows WHERE id IN", list(wanted))
        return {row: wanted[one] for row, one in found}

    def value(self, name: str, first: int = 0) -> bytes:
        """Return a named value; ``first`` is the first row of the part that it is of."""
        query = "SELECT content, sum FROM named WHERE name = ? AND first = ?"
        for content, checksum in self._read(query, (name, first)):
            if isinstance(content, bytes) and _sum_of_value(name, first, content) == checksum:
                return content
        raise damaged(self.path, f"no {name}")

    def arrays(self, name: str, number: int, first: int = 0) -> list[AnyArray]:
        """Return that number of arrays, as :func:`as_bytes` has written them."""
        try:
            with io.BytesIO(self.value(name, first)) as stream:
                return [np.load(stream, allow_pickle=False) for _ in range(number)]
        except (ValueError, EOFError) as error:
            raise damaged(self.path, f"no {name}") from error

    @contextmanager
    def change(self) -> Iterator[None]:
        """Make all changes of the body or none; raise :class:`InputError` if that fails."""
        with self._lock, writing(self.path):
            try:
                with self._base as base:
                    base.execute("BEGIN IMMEDIATE")
                    yield
            except sqlite3.OperationalError:
                raise
            except sqlite3.Error as error:
                raise damaged(self.path, error) from error

    def add(self, first: int, rows: Iterable[Row]) -> None:
        """Add rows, the first with this number."""
        made = (
            (number, _stored(row.id), row.text.encode("utf-8", "surrogatepass"), row.words)
            for number, row in enumerate(rows, first)
        )
        each = ((*one, _sum(*one)) for one in made)
        self._base.executemany("INSERT INTO rows VALUES (?, ?, ?, ?, ?)", each)

    def put(self, values: Mapping[str, bytes], first: int = 0) -> None:
        """Set named values of the part that begins with a row."""
        self._base.executemany(
            "INSERT OR REPLACE INTO named VALUES (?, ?, ?, ?)",
            [
                (name, first, content, _sum_of_value(name, first, content))
                for name, content in values.items()
            ],
        )

    def remove(self, name: str) -> None:
        """Remove the values with this name."""
        self._base.execute("DELETE FROM named WHERE name = ?", (name,))

    def cut(self, row: int) -> None:
        """Remove the parts that begin with this row or later."""
        self._base.execute("DELETE FROM rows WHERE row >= ?", (row,))
        self._base.execute("DELETE FROM named WHERE first >= ?", (row,))


def as_bytes(*arrays: AnyArray) -> bytes:
    """Return arrays in the format of ``np.load``, one after the other."""
    stream = io.BytesIO()
    for array in arrays:
        np.save(stream, array, allow_pickle=False)
    return stream.getvalue()
