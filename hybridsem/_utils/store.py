"""Keys to bytes on disk, in one SQLite file that several processes may use at once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

from hybridsem._utils.disk import reason
from hybridsem.errors import AssetError

__all__ = ["Store", "key_of", "problems"]

MAX_PER_QUERY = 500


def key_of(*texts: str) -> bytes:
    """16 bytes that stand for the texts, in their order."""
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "little"))
        digest.update(content)
    return digest.digest()


class Store:
    """A file of tables, each from 16-byte keys to bytes.

    A process that is killed leaves what it had put whole. Raises :class:`AssetError` for a file
    that is damaged or cannot be written; its message ends with ``remedy``.
    """

    def __init__(
        self, path: Path, tables: Sequence[str], remedy: str = "delete it or name another"
    ) -> None:
        self.path, self.remedy = path, remedy
        with problems(path, remedy):
            path.parent.mkdir(parents=True, exist_ok=True)
            # The change to WAL is the one step for which SQLite does not wait, so one process at a
            # time makes a file.
            with FileLock(path.with_name(f"{path.name}.lock")):
                self._base = sqlite3.connect(path, timeout=60, check_same_thread=False)
                self._base.execute("PRAGMA journal_mode = WAL")
                self._base.execute("PRAGMA synchronous = NORMAL")
                for table in tables:
                    columns = "(key BLOB PRIMARY KEY, value BLOB)"
                    self._base.execute(
                        f"CREATE TABLE IF NOT EXISTS {table} {columns} WITHOUT ROWID"
                    )
                self._base.commit()

    def get(self, table: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """What is there of the keys."""
        wanted = list(dict.fromkeys(keys))
        found: dict[bytes, bytes] = {}
        with problems(self.path, self.remedy):
            for at in range(0, len(wanted), MAX_PER_QUERY):
                some = wanted[at : at + MAX_PER_QUERY]
                marks = ",".join("?" * len(some))
                found.update(
                    self._base.execute(
                        f"SELECT key, value FROM {table} WHERE key IN ({marks})", some
                    )
                )
        return found

    def put(self, table: str, items: Mapping[bytes, bytes]) -> None:
        """Keep the items, all of them or none; what was there under a key gives way."""
        if items:
            with problems(self.path, self.remedy), self._base:
                self._base.executemany(
                    f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", items.items()
                )

    def close(self) -> None:
        """Close the file."""
        self._base.close()


@contextmanager
def problems(path: Path, remedy: str) -> Iterator[None]:
    """Problems with the file as errors that name it, and what helps."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise AssetError(
            f"the cache {str(path)!r} cannot be used: {reason(error)}; {remedy}"
        ) from error
