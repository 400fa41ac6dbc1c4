"""Vectors that were paid for, kept on disk: an SQLite file that many processes may use at once.

    cache_folder()/services/vectors.sqlite     vectors(key BLOB PRIMARY KEY, vector BLOB of float32)

A key is the sha256 of everything that a vector depends on: the address, the request without its texts, the text.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hybridsem.assets import cache_folder
from hybridsem.errors import AssetError

__all__ = ["VectorCache"]

Floats = npt.NDArray[np.float32]
PATIENCE = 60.0
"""Seconds to wait for another process that writes."""

AT_ONCE = 500
"""Keys asked for in one query; SQLite takes 999 at least."""


class VectorCache:
    """The vectors of one service, model and settings, which ``kind`` spells out."""

    def __init__(self, kind: str, folder: Path | None = None) -> None:
        self.kind = kind.encode()
        self.folder = folder or cache_folder() / "services"

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / "vectors.sqlite"

    def key(self, text: str) -> bytes:
        """The key of a text."""
        return hashlib.sha256(self.kind + b"\0" + text.encode()).digest()

    def get(self, texts: Sequence[str]) -> dict[str, Floats]:
        """The vectors of those texts that are there."""
        by_key = {self.key(text): text for text in texts}
        found = {}
        with self._open() as file:
            keys = list(by_key)
            for at in range(0, len(keys), AT_ONCE):
                some = keys[at : at + AT_ONCE]
                marks = ",".join("?" * len(some))
                for key, blob in file.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", some):
                    vector = np.frombuffer(blob, "<f4") if len(blob) % 4 == 0 else np.empty(0)
                    if vector.size and np.isfinite(vector).all():
                        found[by_key[key]] = vector.astype(np.float32)
        return found

    def put(self, texts: Sequence[str], vectors: Floats) -> None:
        """Keep the vectors; once this has returned they survive the process."""
        rows = [(self.key(text), vector.astype("<f4").tobytes()) for text, vector in zip(texts, vectors, strict=True)]
        with self._open() as file, file:
            file.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Holds off other processes that ask for vectors of this kind, so that no two pay for the same text."""
        import filelock

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = filelock.FileLock(self.folder / f"{hashlib.sha256(self.kind).hexdigest()[:16]}.lock")
            lock.acquire()
        except OSError as error:
            raise self._unusable(error) from error
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=PATIENCE)) as file:
                file.execute("PRAGMA journal_mode = WAL")
                file.execute(
                    "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"
                )
                yield file
        except (sqlite3.Error, OSError) as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> AssetError:
        return AssetError(
            f"the cache of vectors {self.path} cannot be used: {error}; if it is damaged, delete it (its vectors will "
            "be asked for and paid for again), or set HYBRIDSEM_CACHE to another folder"
        )
