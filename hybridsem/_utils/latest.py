"""Caches for objects that take longer to compare than to read: by identity, or in themselves."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")
LATEST = 1024


def keep_latest(make: Callable[[ItemT], ResultT]) -> Callable[[ItemT], ResultT]:
    """Keep the results for the latest 1,024 objects, which must not change."""
    kept: OrderedDict[int, tuple[ItemT, ResultT]] = OrderedDict()

    @wraps(make)
    def found(item: ItemT) -> ResultT:
        if (held := kept.get(id(item))) is None:
            # The object is kept too, so that no other gets its id.
            held = kept[id(item)] = item, make(item)
            if len(kept) > LATEST:
                kept.popitem(last=False)
        return held[1]

    return found


def keep_within(make: Callable[[ItemT], ResultT]) -> Callable[[ItemT], ResultT]:
    """Keep each result within its object, which must not change, for as long as that lives."""
    name = f"_{make.__name__}"

    @wraps(make)
    def found(item: ItemT) -> ResultT:
        kept = vars(item)
        if name not in kept:
            kept[name] = make(item)
        result: ResultT = kept[name]
        return result

    return found
