"""Keys to bytes on disk, in one SQLite file that several processes may use at once.

    NAME.sqlite            tables of key, value, and a checksum over table, key and value
    NAME.sqlite.damaged    why that file is not used any more
    NAME.2.sqlite          what took its place

A damaged file stays where it is, for other processes may have it open, and what is sound in it goes
into the next.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from hybridsem._utils.disk import reason
from hybridsem.errors import AssetError, HybridSemError

_LOG = logging.getLogger("hybridsem")

MAX_PER_QUERY = 500
MOST_DAMAGED = 5
"""Files that one process sets aside before it takes the disk for broken."""

SUMMED = "summed_"
"""Before the names of tables with checksums; those of version 0.1.0 had none."""

DAMAGE = {
    sqlite3.SQLITE_ERROR,  # of statements that never change, so the tables are not what they were
    sqlite3.SQLITE_INTERNAL,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_RANGE,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_IOERR_SHORT_READ,
}


def key_of(*texts: str) -> bytes:
    """16 bytes that stand for the texts, in their order."""
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "little"))
        digest.update(content)
    return digest.digest()


def _sum(table: str, key: bytes, value: bytes) -> bytes:
    """The checksum of a row; a value that has come under another key is damage too."""
    digest = hashlib.blake2b(digest_size=8)
    for part in (table.encode(), key, value):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


class _Damaged(Exception):
    """The file is not what was written."""


class Store:
    """A file of tables, each from 16-byte keys to bytes.

    A process that is killed leaves what it had put whole. No value is given that is not as it was
    put: a damaged file is set aside, said so on the log ``hybridsem``, and a new one takes its
    place. Raises :class:`AssetError` for a file that cannot be read or written. Threads may share
    it.

    Args:
        path: Of the file.
        tables: Their names.
        remedy: The end of an error's message.
        synced: Whether each put waits for the disk, so that it survives a power cut too.
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
        """Open the file that is in use, after those that were set aside."""
        from filelock import FileLock

        number = 1
        while _mark(file := self._numbered(number)).exists():
            number += 1
        self.file = file
        try:
            # The change to WAL is the one step for which SQLite does not wait, so one process at a
            # time makes a file.
            with (
                _sqlite_errors(self.file),
                problems(self.file, self.remedy),
                FileLock(self.path.with_name(f"{self.path.name}.lock")),
            ):
                self._base = _connected(self.file)
                self._base.execute("PRAGMA journal_mode = WAL")
                self._base.execute(f"PRAGMA synchronous = {'FULL' if self.synced else 'NORMAL'}")
                for table in self.tables:
                    columns = "(key BLOB PRIMARY KEY, value BLOB, sum BLOB)"
                    self._base.execute(
                        f"CREATE TABLE IF NOT EXISTS {SUMMED}{table} {columns} WITHOUT ROWID"
                    )
                    self._take_over(table)
                self._base.commit()
        except _Damaged as damage:
            self._replace(str(damage))

    def _numbered(self, number: int) -> Path:
        if number == 1:
            return self.path
        return self.path.with_name(f"{self.path.stem}.{number}{self.path.suffix}")

    def _take_over(self, table: str) -> None:
        """Give the rows of an older version, which have no checksum, one."""
        older = self._base.execute(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)
        )
        if older.fetchone() is not None:
            rows = self._base.execute(f"SELECT key, value FROM {table}")
            self._insert(table, ((key, value) for key, value in rows if _bytes(key, value)))
            self._base.execute(f"DROP TABLE {table}")

    def get(self, table: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The stored values of the keys."""
        wanted = list(dict.fromkeys(keys))
        with self._lock:
            while True:
                try:
                    with _sqlite_errors(self.file), problems(self.file, self.remedy):
                        return self._got(table, wanted)
                except _Damaged as damage:
                    self._replace(str(damage))

    def _got(self, table: str, wanted: list[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for at in range(0, len(wanted), MAX_PER_QUERY):
            some = wanted[at : at + MAX_PER_QUERY]
            marks = ",".join("?" * len(some))
            rows = self._base.execute(
                f"SELECT key, value, sum FROM {SUMMED}{table} WHERE key IN ({marks})", some
            )
            for key, value, checksum in rows:
                if not _bytes(key, value) or checksum != _sum(table, key, value):
                    raise _Damaged("a value is not what was written")
                found[key] = value
        return found

    def is_empty(self, table: str) -> bool:
        """Return whether a table has no row."""
        with self._lock, problems(self.file, self.remedy):
            found = self._base.execute(f"SELECT 1 FROM {SUMMED}{table} LIMIT 1")
            return found.fetchone() is None

    def put(self, table: str, items: Mapping[bytes, bytes]) -> None:
        """Keep the items, all of them or none; what was there under a key gives way."""
        with self._lock:
            while items:
                try:
                    with _sqlite_errors(self.file), problems(self.file, self.remedy), self._base:
                        self._insert(table, items.items())
                    return
                except _Damaged as damage:
                    self._replace(str(damage))

    def _insert(self, table: str, items: Iterable[tuple[bytes, bytes]]) -> None:
        self._base.executemany(
            f"INSERT OR REPLACE INTO {SUMMED}{table} VALUES (?, ?, ?)",
            ((key, value, _sum(table, key, value)) for key, value in items),
        )

    def set_aside(self, why: str) -> None:
        """Use this file no more, here or elsewhere, and begin a new one."""
        self.close()
        with problems(self.file, self.remedy):
            _mark(self.file).write_text(f"{why}\n", encoding="utf-8")
        aside = self.file
        self._open()
        _LOG.error("the cache %s is set aside: %s; %s takes its place", aside.name, why, self.file)

    def _replace(self, why: str) -> None:
        """Set a damaged file aside, and keep what is sound in it."""
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


def _bytes(*cells: object) -> bool:
    return all(isinstance(cell, bytes) for cell in cells)


def _connected(file: Path) -> sqlite3.Connection:
    base = sqlite3.connect(file, timeout=60, check_same_thread=False)
    base.text_factory = bytes  # a damaged type makes text of a value
    base.execute("PRAGMA trusted_schema = OFF")
    base.execute("PRAGMA cell_size_check = ON")
    return base


def _sound(file: Path, table: str) -> Iterator[dict[bytes, bytes]]:
    """The rows of a damaged file that are as they were put, from both ends as far as it is read."""
    for order in ("ASC", "DESC"):
        with (
            suppress(sqlite3.Error, OSError, UnicodeDecodeError),
            closing(_connected(file)) as base,
        ):
            most = file.stat().st_size // 24 + 1  # a loop of pages has no end
            rows = base.execute(
                f"SELECT key, value, sum FROM {SUMMED}{table} ORDER BY key {order} LIMIT {most}"
            )
            while some := rows.fetchmany(MAX_PER_QUERY):
                yield {
                    key: value
                    for key, value, checksum in some
                    if _bytes(key, value) and checksum == _sum(table, key, value)
                }
            return


@contextmanager
def _sqlite_errors(file: Path) -> Iterator[None]:
    """:class:`_Damaged` for those errors of SQLite that tell of damage."""
    try:
        yield
    except UnicodeDecodeError as error:  # of a message that quotes the damaged file
        raise _Damaged("SQLite's message is no text") from error
    except AssetError as error:
        cause = error.__cause__
        code = getattr(cause, "sqlite_errorcode", None)
        broken = code is not None and (code in DAMAGE or code & 0xFF in DAMAGE)
        # A header of another version makes SQLite take a file for one that may only be read.
        if code == sqlite3.SQLITE_READONLY:
            broken = os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)
        if broken or isinstance(cause, sqlite3.DataError):
            raise _Damaged(str(cause)) from cause
        raise


@contextmanager
def problems(path: Path, remedy: str) -> Iterator[None]:
    """Problems with the file as errors that name it, and what helps."""
    try:
        yield
    except (sqlite3.Error, OSError, ValueError) as error:  # ValueError: a NUL in the name
        if isinstance(error, HybridSemError):
            raise
        raise AssetError(
            f"the cache {str(path)!r} cannot be used: {reason(error)}; {remedy}"
        ) from error
