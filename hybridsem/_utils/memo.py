"""A cache for functions that are asked about every word."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


class Memo(dict[KeyT, ValueT]):
    """The values of a function by its argument, all forgotten once there are ``size``.

    Without an order to keep, a look-up takes less time than that of ``lru_cache``.
    """

    def __init__(self, function: Callable[[KeyT], ValueT], size: int) -> None:
        super().__init__()
        self._function, self._size = function, size

    def __missing__(self, key: KeyT) -> ValueT:
        if len(self) >= self._size:
            self.clear()
        value = self[key] = self._function(key)
        return value
