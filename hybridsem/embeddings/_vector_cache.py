"""Vectors that were paid for, kept on disk.

    cache_folder()/services/vectors.sqlite     vectors: key -> vector, float32

A key stands for everything that a vector depends on: the address, the request without its texts,
the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.store import Store, key_of, problems
from hybridsem.assets import cache_folder

TABLE = "vectors"
REMEDY = (
    "if it is damaged, delete it (its vectors will be asked for and paid for again), or set "
    "HYBRIDSEM_CACHE to "
    "another folder"
)


class VectorCache:
    """The vectors of one service, model and settings, which ``kind`` spells out."""

    def __init__(self, kind: str, folder: Path | None = None) -> None:
        self.kind = kind
        self.folder = folder or cache_folder() / "services"

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / "vectors.sqlite"

    def get(self, texts: Sequence[str]) -> dict[str, Float32Array]:
        """The vectors of those texts that are there."""
        by_key = {key_of(self.kind, text): text for text in texts}
        with self._open() as store:
            stored = store.get(TABLE, by_key)
        found = {}
        for key, content in stored.items():
            vector = np.frombuffer(content, "<f4") if len(content) % 4 == 0 else np.empty(0)
            if vector.size and np.isfinite(vector).all():
                found[by_key[key]] = vector.astype(np.float32)
        return found

    def put(self, texts: Sequence[str], vectors: Float32Array) -> None:
        """Keep the vectors; once this has returned they survive the process."""
        rows = zip(texts, vectors, strict=True)
        with self._open() as store:
            store.put(
                TABLE,
                {key_of(self.kind, text): vector.astype("<f4").tobytes() for text, vector in rows},
            )

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Holds off other processes that ask for such vectors, so that no two pay for a text."""
        import filelock

        with problems(self.path, REMEDY):
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = filelock.FileLock(self.folder / f"{key_of(self.kind).hex()}.lock")
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def _open(self) -> closing[Store]:
        return closing(Store(self.path, [TABLE], REMEDY))
