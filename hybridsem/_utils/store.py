"""A content-addressed store: an SQLite file that several processes may use at once.

Its tables have a key, a value, and a checksum over table, key and value.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from hybridsem._utils.disk import reason
from hybridsem.errors import AssetError, HybridSemError

_LOG = logging.getLogger("hybridsem")

MAX_PER_QUERY = 500
SUMMED = "summed_"  # the prefix of tables with checksums
SETTINGS = ("trusted_schema = OFF", "cell_size_check = ON", "journal_mode = WAL")


def key_of(*texts: str) -> bytes:
    """Return a key of 16 bytes for texts in their order."""
    return _hash([text.encode("utf-8", "surrogatepass") for text in texts], 16)


def _hash(parts: Iterable[bytes], size: int) -> bytes:
    digest = hashlib.blake2b(digest_size=size)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


class Store:
    """A file of tables, each from 16-byte keys to bytes; threads may share it. Values survive a
    kill. A value that has changed counts as absent, with an entry in the log ``hybridsem``. Raises
    :class:`AssetError` for a file that cannot be read or written; ``remedy`` is the end of its
    message. If ``synced``, each put waits for the disk, so that it survives a power cut too.
    """

    def __init__(
        self,
        path: Path,
        tables: Sequence[str],
        remedy: str = "delete it or name another",
        synced: bool = False,
    ) -> None:
        from filelock import FileLock

        self.path, self.remedy, self.tables = path, remedy, tuple(tables)
        self._lock = threading.RLock()
        with problems(path, remedy), ExitStack() as failed:
            path.parent.mkdir(parents=True, exist_ok=True)
            # SQLite does not wait for the change to WAL, so one process at a time makes a file.
            with FileLock(path.with_name(f"{path.name}.lock")):
                self._base = sqlite3.connect(path, timeout=60, check_same_thread=False)
                failed.callback(self.close)
                self._base.text_factory = bytes  # a damaged type turns a value into text
                for setting in (*SETTINGS, f"synchronous = {'FULL' if synced else 'NORMAL'}"):
                    self._base.execute(f"PRAGMA {setting}")
                columns = "(key BLOB PRIMARY KEY, value BLOB, sum BLOB) WITHOUT ROWID"
                for table in self.tables:
                    self._base.execute(f"CREATE TABLE IF NOT EXISTS {SUMMED}{table} {columns}")
                self._base.commit()
            failed.pop_all()

    def get(self, table: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the stored values of the keys."""
        wanted = list(dict.fromkeys(keys))
        found: dict[bytes, bytes] = {}
        changed = 0
        with self._lock, problems(self.path, self.remedy):
            for at in range(0, len(wanted), MAX_PER_QUERY):
                some = wanted[at : at + MAX_PER_QUERY]
                marks = ",".join("?" * len(some))
                query = f"SELECT key, value, sum FROM {SUMMED}{table} WHERE key IN ({marks})"
                for key, value, checksum in self._base.execute(query, some):
                    sound = isinstance(key, bytes) and isinstance(value, bytes)
                    if sound and checksum == _hash([table.encode(), key, value], 8):
                        found[key] = value
                    else:
                        changed += 1
        if changed:
            _LOG.error("the cache %s is damaged: %d values count as absent", self.path, changed)
        return found

    def is_empty(self, table: str) -> bool:
        """Test if a table has no row."""
        with self._lock, problems(self.path, self.remedy):
            found = self._base.execute(f"SELECT 1 FROM {SUMMED}{table} LIMIT 1")
            return found.fetchone() is None

    def put(self, table: str, items: Mapping[bytes, bytes]) -> None:
        """Store all of the items or none; they replace values with the same keys."""
        if items:
            with self._lock, problems(self.path, self.remedy), self._base:
                self._base.executemany(
                    f"INSERT OR REPLACE INTO {SUMMED}{table} VALUES (?, ?, ?)",
                    ((*item, _hash([table.encode(), *item], 8)) for item in items.items()),
                )

    def clear(self) -> None:
        """Remove all values."""
        with self._lock, problems(self.path, self.remedy), self._base:
            for table in self.tables:
                self._base.execute(f"DELETE FROM {SUMMED}{table}")

    def close(self) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._base.close()


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
