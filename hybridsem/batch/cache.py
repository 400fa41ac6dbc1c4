"""Cache the results of pairs: recent ones in memory, all of them in a folder if given."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hybridsem._utils.disk import saving
from hybridsem._utils.store import Store, key_of
from hybridsem.batch.work import Result, Texts

TABLES = ("pairs", "detailed", "sentences", "words")

HELD = 100_000
"""The most pairs in memory."""


def store_in(folder: str | Path, settings: Mapping[str, Any]) -> Store:
    """Open the file in ``folder`` for results of these ``settings``, and store them next to it."""
    text = json.dumps(settings, indent=1, sort_keys=True)
    name = f"scores-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    store = Store(Path(folder) / f"{name}.sqlite", TABLES)
    about = Path(folder) / f"{name}.json"
    if not about.exists():
        with saving(about) as part:
            part.write_text(text + "\n", encoding="utf-8")
    return store


def get_results(store: Store, table: str, pairs: Sequence[Texts]) -> dict[Texts, Result]:
    """Return the stored results of pairs."""
    keys = {key_of(*pair): pair for pair in pairs}
    rows = store.get(table, keys)
    return {keys[key]: Result.from_list(json.loads(content)) for key, content in rows.items()}


def put_results(store: Store, table: str, results: Mapping[Texts, Result]) -> None:
    """Store the results of pairs."""
    rows = {key_of(*pair): json.dumps(made.to_list()).encode() for pair, made in results.items()}
    store.put(table, rows)


class PairCache:
    """Results by pair."""

    def __init__(self, store: Store | None = None, details: bool = False, held: int = HELD) -> None:
        self.store, self.table, self.held = store, "detailed" if details else "pairs", held
        self._memory: dict[Texts, Result] = {}

    def in_memory(self, pairs: Iterable[Texts]) -> dict[Texts, Result]:
        """Return the results in memory, which are of usable pairs."""
        memory = self._memory
        return {pair: memory[pair] for pair in pairs if pair in memory}

    def on_disk(self, pairs: Sequence[Texts]) -> dict[Texts, Result]:
        """Return the results on disk."""
        if self.store is None or not pairs:
            return {}
        found = get_results(self.store, self.table, pairs)
        self.hold(found)
        return found

    def keep(self, results: Mapping[Texts, Result]) -> None:
        """Store results, except of pairs without a score."""
        scored = self.hold(results)
        if self.store is not None:
            put_results(self.store, self.table, scored)

    def distrust(self) -> None:
        """Discard all results, in this run and in later ones."""
        self._memory.clear()
        if self.store is not None:
            self.store.clear()

    def hold(self, results: Mapping[Texts, Result]) -> dict[Texts, Result]:
        """Store results in memory only; return those with a score."""
        scored = {pair: result for pair, result in results.items() if result.score is not None}
        self._memory.update(scored)
        if len(self._memory) > self.held:
            for old in list(self._memory)[: len(self._memory) - self.held * 3 // 4]:
                del self._memory[old]
        return scored
