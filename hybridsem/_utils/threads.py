"""The number of threads to use."""

from __future__ import annotations

import os


def cores() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def wanted_threads() -> int | None:
    """Return the number in the environment variable ``HYBRIDSEM_THREADS``, if it is set."""
    wanted = os.environ.get("HYBRIDSEM_THREADS", "")
    return int(wanted) if wanted.isdecimal() and int(wanted) else None
