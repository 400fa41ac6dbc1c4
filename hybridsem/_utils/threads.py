"""How many threads there are to use."""

from __future__ import annotations

import os


def cores() -> int:
    """The processors that this process may use.

    >>> cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def wanted_threads() -> int | None:
    """The number in ``HYBRIDSEM_THREADS`` of the environment; None where there is none."""
    wanted = os.environ.get("HYBRIDSEM_THREADS", "")
    return int(wanted) if wanted.isdecimal() and int(wanted) else None
