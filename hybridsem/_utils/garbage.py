"""How often Python looks for cycles among new objects, where very many are made and all stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

__all__ = ["SELDOM", "collected_seldom"]

SELDOM = 50_000
"""New objects between two looks; Python's own figure is 700, or 2,000 since 3.13."""

_lock = Lock()
_inside = 0
_outside = gc.get_threshold()


@contextmanager
def collected_seldom() -> Iterator[None]:
    """While it lasts, Python looks for cycles once in :data:`SELDOM` new objects.

    What is read of sentences has no cycles and stays until all are compared, so the looks find
    nothing, and they took a fifth of the time of everything in Python. The setting is that of the
    process: the first thread to enter sets it, the last to leave sets it back. A caller who has
    switched collection off, or made it rarer still, keeps that.

    >>> with collected_seldom():
    ...     gc.get_threshold()[0] == SELDOM
    True
    """
    global _inside, _outside
    with _lock:
        _inside += 1
        if _inside == 1:
            _outside = gc.get_threshold()
            if 0 < _outside[0] < SELDOM:
                gc.set_threshold(SELDOM, *_outside[1:])
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            # What somebody has set meanwhile stays.
            if _inside == 0 and gc.get_threshold() == (SELDOM, *_outside[1:]):
                gc.set_threshold(*_outside)
