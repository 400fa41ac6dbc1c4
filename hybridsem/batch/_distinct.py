"""Count distinct texts in little memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np

MOST = 10_000_000
PENDING = 1 << 20


class Distinct:
    """Counts distinct texts by 64-bit hashes; ``count`` is None beyond ten million."""

    def __init__(self) -> None:
        self._known = np.empty(0, np.int64)
        self._pending = array("q")
        self._over = False

    def add(self, texts: Iterable[str]) -> None:
        """Count texts."""
        if not self._over:
            self._pending.extend(map(hash, texts))
            if len(self._pending) >= PENDING:
                self._merge()

    def _merge(self) -> None:
        self._known = np.unique(np.concatenate([self._known, np.array(self._pending, np.int64)]))
        self._pending = array("q")
        self._over = self._over or len(self._known) > MOST
        if self._over:
            self._known = np.empty(0, np.int64)

    @property
    def count(self) -> int | None:
        """The number of distinct texts."""
        self._merge()
        return None if self._over else len(self._known)
