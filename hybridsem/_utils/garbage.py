"""How often Python's cyclic garbage collector runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

THRESHOLD = 50_000
"""New objects between two collections; Python's own default is 700, or 2,000 since 3.13."""

_lock = Lock()
_entered = 0
_before = gc.get_threshold()


@contextmanager
def relaxed_gc() -> Iterator[None]:
    """A context in which garbage is collected after :data:`THRESHOLD` new objects, not after 700.

    What is read of sentences makes no cycles and stays alive until all pairs are compared, so
    collections find nothing, and took a fifth of the time spent in Python. The threshold is that of
    the process: the first thread to enter raises it, the last to leave restores it. A caller who
    has disabled collection, or chosen a higher threshold, keeps that.

    >>> with relaxed_gc():
    ...     gc.get_threshold()[0] == THRESHOLD
    True
    """
    global _entered, _before
    with _lock:
        _entered += 1
        if _entered == 1:
            _before = gc.get_threshold()
            if 0 < _before[0] < THRESHOLD:
                gc.set_threshold(THRESHOLD, *_before[1:])
    try:
        yield
    finally:
        with _lock:
            _entered -= 1
            # A threshold that somebody else has set meanwhile stays.
            if _entered == 0 and gc.get_threshold() == (THRESHOLD, *_before[1:]):
                gc.set_threshold(*_before)
