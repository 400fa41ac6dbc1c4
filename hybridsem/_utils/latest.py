"""A cache by identity, for objects that take longer to compare than to read."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import ref

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")
LATEST = 1024


def keep_latest(make: Callable[[ItemT], ResultT], size: int = LATEST) -> Callable[[ItemT], ResultT]:
    """Keep the results for the latest ``size`` objects, which must not change, while these live."""
    kept: OrderedDict[int, tuple[ref[ItemT], ResultT]] = OrderedDict()

    @wraps(make)
    def found(item: ItemT) -> ResultT:
        key = id(item)
        if (held := kept.get(key)) is None:
            held = kept[key] = ref(item, lambda _: kept.pop(key, None)), make(item)
            if len(kept) > size:
                kept.popitem(last=False)
        return held[1]

    return found
