"""A content-addressed store: an SQLite file that several processes may use at once.

    NAME.sqlite            tables of key, value, and a checksum over table, key and value
    NAME.sqlite.damaged    the reason why that file is no longer used
    NAME.2.sqlite          its replacement

A damaged file stays in place, because other processes may have it open. Its sound rows are copied
to the replacement.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from hybridsem._utils.disk import reason
from hybridsem._utils.tables import word_set
from hybridsem.errors import AssetError, HybridSemError

_LOG = logging.getLogger("hybridsem")
ResultT = TypeVar("ResultT")

MAX_PER_QUERY = 500
MOST_DAMAGED = 5
"""The most files that one process sets aside before it assumes that the disk is broken."""

SUMMED = "summed_"  # the prefix of tables with checksums

# ERROR means damage because the statements never change.
DAMAGE = {
    getattr(sqlite3, f"SQLITE_{name}")
    for name in word_set(
        "ERROR INTERNAL CORRUPT TOOBIG CONSTRAINT MISMATCH FORMAT RANGE NOTADB IOERR_SHORT_READ"
    )
}


def key_of(*texts: str) -> bytes:
    """Return a key of 16 bytes for texts in their order."""
    return _hash([text.encode("utf-8", "surrogatepass") for text in texts], 16)


def _hash(parts: Iterable[bytes], size: int) -> bytes:
    digest = hashlib.blake2b(digest_size=size)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


def _is_sound(table: str, key: object, value: object, checksum: object) -> bool:
    """Test the checksum of a row, which also detects a value under another key."""
    return (
        isinstance(key, bytes)
        and isinstance(value, bytes)
        and checksum == _hash([table.encode(), key, value], 8)
    )


class _Damaged(Exception):
    """The file's content has changed."""


class Store:
    """A file of tables, each from 16-byte keys to bytes; threads may share it. Values survive a
    kill, and a value is returned only as it was stored: a damaged file is set aside with an entry
    in the log ``hybridsem``. Raises :class:`AssetError` for a file that cannot be read or written.
    ``remedy`` is the end of an error's message. If ``synced``, each put waits for the disk, so that
    it survives a power cut too.
    """

    def __init__(
        self,
        path: Path,
        tables: Sequence[str],
        remedy: str = "delete it or name another",
        synced: bool = False,
    ) -> None:
        self.path, self.remedy, self.tables, self.synced = path, remedy, tuple(tables), synced
        self._damaged = 0
        self._lock = threading.RLock()
        with problems(path, remedy):
            path.parent.mkdir(parents=True, exist_ok=True)
        self._open()

    def _open(self) -> None:
        """Open the first file that was not set aside."""
        from filelock import FileLock

        self.file, number = self.path, 1
        while _mark(self.file).exists():
            number += 1
            self.file = self.path.with_name(f"{self.path.stem}.{number}{self.path.suffix}")
        # SQLite does not wait for the change to WAL, so one process at a time makes a file.
        lock = FileLock(self.path.with_name(f"{self.path.name}.lock"))
        try:
            with _typed_errors(self.file, self.remedy), lock:
                self._base = _connected(self.file)
                self._base.execute("PRAGMA journal_mode = WAL")
                self._base.execute(f"PRAGMA synchronous = {'FULL' if self.synced else 'NORMAL'}")
                columns = "(key BLOB PRIMARY KEY, value BLOB, sum BLOB) WITHOUT ROWID"
                for table in self.tables:
                    self._base.execute(f"CREATE TABLE IF NOT EXISTS {SUMMED}{table} {columns}")
                self._base.commit()
        except _Damaged as damage:
            self._replace(str(damage))

    def _retried(self, action: Callable[[], ResultT]) -> ResultT:
        """Run an action, again with a new file if this one is damaged."""
        with self._lock:
            while True:
                try:
                    with _typed_errors(self.file, self.remedy):
                        return action()
                except _Damaged as damage:
                    self._replace(str(damage))

    def get(self, table: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the stored values of the keys."""
        wanted = list(dict.fromkeys(keys))

        def select() -> dict[bytes, bytes]:
            found: dict[bytes, bytes] = {}
            for at in range(0, len(wanted), MAX_PER_QUERY):
                some = wanted[at : at + MAX_PER_QUERY]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, value, sum FROM {SUMMED}{table} WHERE key IN ({marks})"
                for row in self._base.execute(query, some):
                    if not _is_sound(table, *row):
                        raise _Damaged("a value has changed")
                    found[row[0]] = row[1]
            return found

        return self._retried(select)

    def is_empty(self, table: str) -> bool:
        """Test if a table has no row."""
        with self._lock, problems(self.file, self.remedy):
            found = self._base.execute(f"SELECT 1 FROM {SUMMED}{table} LIMIT 1")
            return found.fetchone() is None

    def put(self, table: str, items: Mapping[bytes, bytes]) -> None:
        """Store all of the items or none; they replace values with the same keys."""

        def insert() -> None:
            with self._base:
                self._base.executemany(
                    f"INSERT OR REPLACE INTO {SUMMED}{table} VALUES (?, ?, ?)",
                    ((*item, _hash([table.encode(), *item], 8)) for item in items.items()),
                )

        if items:
            self._retried(insert)

    def set_aside(self, why: str) -> None:
        """Stop all processes from using this file, and begin a new one."""
        self.close()
        with problems(self.file, self.remedy):
            _mark(self.file).write_text(f"{why}\n", encoding="utf-8")
        aside = self.file
        self._open()
        _LOG.error("the cache %s is set aside: %s; %s takes its place", aside.name, why, self.file)

    def _replace(self, why: str) -> None:
        """Set a damaged file aside, and copy its sound rows."""
        self._damaged += 1
        if self._damaged > MOST_DAMAGED:
            raise AssetError(
                f"the cache {str(self.file)!r} cannot be used: {why}, and so were "
                f"{MOST_DAMAGED} others before it; {self.remedy}"
            )
        damaged = self.file
        self.set_aside(f"it is damaged ({why})")
        for table in self.tables:
            for rows in _sound(damaged, table):
                self.put(table, rows)

    def close(self) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._base.close()


def _mark(file: Path) -> Path:
    return file.with_name(f"{file.name}.damaged")


def _connected(file: Path) -> sqlite3.Connection:
    base = sqlite3.connect(file, timeout=60, check_same_thread=False)
    base.text_factory = bytes  # a damaged type turns a value into text
    base.execute("PRAGMA trusted_schema = OFF")
    base.execute("PRAGMA cell_size_check = ON")
    return base


def _sound(file: Path, table: str) -> Iterator[dict[bytes, bytes]]:
    """Yield the sound rows of a damaged file, from one end, or else from the other."""
    for order in ("ASC", "DESC"):
        failures = sqlite3.Error, OSError, UnicodeDecodeError
        with suppress(*failures), closing(_connected(file)) as base:
            most = file.stat().st_size // 24 + 1  # circular pages have no end
            rows = base.execute(
                f"SELECT key, value, sum FROM {SUMMED}{table} ORDER BY key {order} LIMIT {most}"
            )
            while some := rows.fetchmany(MAX_PER_QUERY):
                yield {row[0]: row[1] for row in some if _is_sound(table, *row)}
            return


@contextmanager
def _typed_errors(file: Path, remedy: str) -> Iterator[None]:
    """Raise :class:`_Damaged` for errors that mean damage, else as :func:`problems` does."""
    try:
        with problems(file, remedy):
            yield
    except AssetError as error:
        cause = error.__cause__
        code = getattr(cause, "sqlite_errorcode", None)
        broken = code is not None and (code in DAMAGE or code & 0xFF in DAMAGE)
        # SQLite treats a file with another version in its header as read-only.
        if code == sqlite3.SQLITE_READONLY:
            broken = os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)
        # A message that quotes the damaged file may not be text.
        if broken or isinstance(cause, (sqlite3.DataError, UnicodeDecodeError)):
            raise _Damaged(str(cause)) from cause
        raise


@contextmanager
def problems(path: Path, remedy: str) -> Iterator[None]:
    """Turn problems with the file into errors that name it and the remedy."""
    try:
        yield
    except (sqlite3.Error, OSError, ValueError) as error:  # ValueError: a NUL in the name
        if isinstance(error, HybridSemError):
            raise
        raise AssetError(
            f"the cache {str(path)!r} cannot be used: {reason(error)}; {remedy}"
        ) from error
