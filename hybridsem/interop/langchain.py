"""LangChain: a guarded semantic cache of answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.validation import problem
from hybridsem.errors import InputError, MissingExtraError
from hybridsem.interop.cache_guard import CacheGuard, Verdict

try:
    from langchain_core.caches import BaseCache
except ImportError:
    BaseCache = object

if TYPE_CHECKING:
    from langchain_core.outputs import Generation

__all__ = ["GuardedCache"]


class GuardedCache(BaseCache):
    """Serves an answer again to the same question in other words if ``guard`` allows it.

    The model, its settings, and the earlier messages of a chat must be equal. ``verdict`` is that
    of the last judged lookup. ``maxsize`` answers are kept, the latest; None keeps all.

    >>> from langchain_core.outputs import Generation
    >>> cache = GuardedCache()
    >>> cache.update("Where is the shop?", "a model", [Generation(text="In Bath Road.")])
    >>> cache.lookup("Where is the shop?", "a model")[0].text
    'In Bath Road.'
    """

    def __init__(self, guard: CacheGuard | None = None, *, maxsize: int | None = None) -> None:
        if BaseCache is object:
            raise MissingExtraError("LangChain", command="pip install langchain-core")
        if maxsize is not None and maxsize < 1:
            raise InputError(f"maxsize must be a whole number from 1, got {maxsize!r}")
        self.guard, self.maxsize = guard or CacheGuard(), maxsize
        self.verdict: Verdict | None = None
        self._lock = threading.Lock()
        self._kept: dict[
            tuple[str, str, str], tuple[Float32Array | None, Sequence[Generation]]
        ] = {}

    def lookup(self, prompt: str, llm_string: str) -> Sequence[Generation] | None:
        """Return the answer to this question, or to one with the same meaning, else None."""
        around, question = _question_in(prompt)
        with self._lock:
            kept = {
                text: found
                for (llm, other, text), found in self._kept.items()
                if (llm, other) == (llm_string, around)
            }
        if question in kept:
            return kept[question][1]
        vectors = {text: row for text, (row, _) in kept.items() if row is not None}
        if problem(question) is not None or not vectors:
            return None
        texts = [*vectors]
        self.verdict = verdict = self.guard.check(question, texts, np.stack([*vectors.values()]))
        if not verdict.serve or verdict.index is None:
            return None
        return kept[texts[verdict.index]][1]

    def update(self, prompt: str, llm_string: str, return_val: Sequence[Generation]) -> None:
        """Keep an answer."""
        around, question = _question_in(prompt)
        row = None
        if problem(question) is None:
            (row,) = self.guard.pipeline.encode([question])
        with self._lock:
            self._kept.pop((llm_string, around, question), None)
            if self.maxsize is not None and len(self._kept) >= self.maxsize:
                del self._kept[next(iter(self._kept))]
            self._kept[llm_string, around, question] = row, return_val

    def clear(self, **kwargs: Any) -> None:
        """Forget all answers."""
        with self._lock:
            self._kept.clear()


def _question_in(prompt: str) -> tuple[str, str]:
    """Split a prompt into context and question: the last message of a chat (JSON), or all."""
    try:
        *before, last = json.loads(prompt)
        kind, question = last["id"][-1], last["kwargs"].pop("content")
    except (ValueError, TypeError, KeyError, IndexError):
        return "", prompt
    if kind != "HumanMessage" or not isinstance(question, str):
        return "", prompt
    return json.dumps([*before, last]), question
