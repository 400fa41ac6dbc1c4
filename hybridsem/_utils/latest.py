"""A cache by identity, for objects that take longer to compare than to read."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Generic, TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")
LATEST = 1024


class _Identity(Generic[ItemT]):
    """An object that equals only itself."""

    __slots__ = ("item",)

    def __init__(self, item: ItemT) -> None:
        self.item = item

    def __hash__(self) -> int:
        return id(self.item)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.item is self.item


def keep_latest(make: Callable[[ItemT], ResultT]) -> Callable[[ItemT], ResultT]:
    """Keep the results for the latest 1,024 objects, which must not change.

    >>> @keep_latest
    ... def size(words):
    ...     print("counted")
    ...     return len(words)
    >>> words = ("a", "dog")
    >>> size(words), size(words)
    counted
    (2, 2)
    """

    @lru_cache(LATEST)
    def kept(key: _Identity[ItemT]) -> ResultT:
        return make(key.item)

    @wraps(make)
    def found(item: ItemT) -> ResultT:
        return kept(_Identity(item))

    return found
