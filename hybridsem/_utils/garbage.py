"""Run Python's cyclic garbage collector less often."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

THRESHOLD = 50_000
"""New objects between two collections. Python's default is 700, or 2,000 since 3.13."""

_lock = Lock()
_entered = 0
_before = gc.get_threshold()


@contextmanager
def relaxed_gc() -> Iterator[None]:
    """Collect garbage only after :data:`THRESHOLD` new objects inside this context. Parsed
    sentences have no cycles and live until all pairs are compared, so collections find nothing, and
    took a fifth of the time. The threshold belongs to the process: the first thread to enter raises
    it, the last to leave restores it. Disabled collection, or a higher threshold, stays as the
    caller set it.
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
            # Keep a threshold that somebody else has set meanwhile.
            if _entered == 0 and gc.get_threshold() == (THRESHOLD, *_before[1:]):
                gc.set_threshold(*_before)
