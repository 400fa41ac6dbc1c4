"""Cache the results of pairs: recent ones in memory, all of them in a folder if given."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from hybridsem._utils.disk import saving
from hybridsem._utils.store import Store, key_of
from hybridsem.batch.identity import named_settings
from hybridsem.batch.work import TABLES, Result, Scorer, Texts
from hybridsem.pipeline import Pipeline
from hybridsem.reader import SENTENCES_HELD

HELD = 100_000  # the most pairs in memory


def store_in(folder: str | Path, settings: Mapping[str, object]) -> Store:
    """Open the file in ``folder`` for results of these ``settings``, and store them next to it."""
    text = json.dumps(settings, indent=1, sort_keys=True)
    name = f"scores-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    store = Store(Path(folder) / f"{name}.sqlite", TABLES)
    about = Path(folder) / f"{name}.json"
    if not about.exists():
        with saving(about) as part:
            part.write_text(text + "\n", encoding="utf-8")
    return store


@contextmanager
def caching(pipeline: Scorer, folder: str | Path | None) -> Iterator[Store | None]:
    """Let a pipeline remember sentences within the body, also in a store if a folder is given."""
    with ExitStack() as stack:
        store = None
        if folder is not None:
            settings = named_settings(pipeline, "a cache on disk serves other runs")
            store = stack.enter_context(closing(store_in(folder, settings)))
        if isinstance(pipeline, Pipeline):
            pipeline.remember(SENTENCES_HELD, store)
            stack.callback(pipeline.remember, 0)
        yield store


class PairCache:
    """Results by pair, in memory and in tables of stores, with keys that depend on ``key``."""

    def __init__(self, *stores: tuple[Store, str], key: Sequence[str] = ()) -> None:
        self.stores, self.key = [*stores], key
        self._memory: dict[Texts, Result] = {}

    def in_memory(self, pairs: Iterable[Texts]) -> dict[Texts, Result]:
        """Return the results in memory, which are of usable pairs."""
        memory = self._memory
        return {pair: memory[pair] for pair in pairs if pair in memory}

    def on_disk(self, pairs: Iterable[Texts]) -> dict[Texts, Result]:
        """Return the results on disk."""
        keys = {key_of(*pair, *self.key): pair for pair in pairs}
        found: dict[Texts, Result] = {}
        for store, table in self.stores:
            for key, content in store.get(table, keys).items():
                found[keys.pop(key)] = Result.from_list(json.loads(content))
        self._hold(found)
        return found

    def keep(self, results: Mapping[Texts, Result]) -> None:
        """Store results, except of pairs without a score."""
        scored = {pair: result for pair, result in results.items() if result.score is not None}
        rows = {
            key_of(*pair, *self.key): json.dumps(result.to_list()).encode()
            for pair, result in scored.items()
        }
        for store, table in self.stores:
            store.put(table, rows)
        self._hold(scored)

    def distrust(self) -> None:
        """Discard all results, in this run and in later ones."""
        self._memory.clear()
        for store, _ in self.stores:
            store.clear()

    def _hold(self, scored: Mapping[Texts, Result]) -> None:
        self._memory.update(scored)
        if len(self._memory) > HELD:
            for old in list(self._memory)[: len(self._memory) - HELD * 3 // 4]:
                del self._memory[old]
