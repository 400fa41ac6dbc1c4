"""An executor on a Ray cluster."""

from __future__ import annotations

import itertools
import logging
import secrets
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from hybridsem._utils.extras import extra
from hybridsem.batch.work import Begin, ItemT, Pending, ResultT, map_ahead, start_pipeline
from hybridsem.errors import HybridSemError, InputError

AHEAD = 256
"""Chunks that are sent to the cluster before their results are needed."""

TRIES = 5
"""The most attempts of a chunk whose process dies, or whose node is lost."""


class RayEngine:
    """Processes on the nodes of a Ray cluster, one for each CPU; they need hybridsem too.

    Chunks of a lost node are repeated on another.
    """

    def __init__(self, make: Callable[[], Any], address: str | None = None) -> None:
        self.make = make
        self.token = secrets.token_hex(8)
        self._jobs = itertools.count()
        self.ray = _ray()
        self._connected_here = not self.ray.is_initialized()
        if self._connected_here:
            try:
                _check_reachable(address)
                self.ray.init(address=address, log_to_driver=False, logging_level=logging.WARNING)
            except (OSError, RuntimeError, ValueError) as error:
                raise InputError(
                    f"no Ray cluster can be reached, got address {address!r}: {error}; "
                    "start one with `ray start --head` or leave the address out"
                ) from error

    def map(
        self, begin: Begin[ItemT, ResultT], chunks: Iterable[ItemT], item: str = "text"
    ) -> Iterator[ResultT]:
        """Apply a function to each chunk, as :class:`~hybridsem.reader.Executor` describes.

        Errors of hybridsem are raised here unchanged. A chunk over which processes die, and a
        failure of Ray, are a :class:`HybridSemError`.
        """
        errors = self.ray.exceptions
        job = self.token, next(self._jobs)
        given = self.ray.put((self.make, begin))  # sent to each node once
        passing = [MemoryError, errors.RayError]  # another attempt may succeed
        options = {"num_cpus": 1, "max_retries": TRIES - 1, "retry_exceptions": passing}
        task = self.ray.remote(**options)(_work)
        waiting: deque[Pending] = deque()

        def submit(chunk: Any) -> Any:
            return task.remote(job, [given], chunk)

        def result(first: Pending) -> Any:
            try:
                found = self.ray.get(first.future)
            except (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError):
                raise first.died(f"{TRIES} times") from None
            except errors.RayError as error:
                raise HybridSemError(f"the Ray cluster failed: {error}") from error
            if isinstance(found, HybridSemError):
                raise found
            return found

        try:
            yield from map_ahead(
                chunks, item, submit, result, waiting, lambda: len(waiting) >= AHEAD
            )
        finally:
            for later in waiting:
                if later.future is not None:
                    self.ray.cancel(later.future)

    def close(self) -> None:
        """Close the connection, if it was opened here."""
        if self._connected_here:
            self.ray.shutdown()


class _Process:
    """The state of a worker process from task to task."""

    job: tuple[str, int] = "", 0
    pipeline: Any = None
    work: Callable[[Any], Any]


def _work(job: tuple[str, int], given: list[Any], chunk: Any) -> Any:
    """Return the result of a chunk, or its error; make a pipeline if the last one was of another
    engine.
    """
    try:
        if _Process.job != job:
            make, begin = _ray().get(given[0])
            if _Process.job[0] != job[0]:
                _Process.job = "", 0
                _Process.pipeline = None  # two at once may be too large
                _Process.pipeline = start_pipeline(make, threads=1)
            _Process.work, _Process.job = begin(_Process.pipeline), job
        return _Process.work(chunk)
    except HybridSemError as error:
        return error
    except (MemoryError, _ray().exceptions.RayError):
        raise
    except Exception as error:
        return HybridSemError(f"the Ray cluster failed: {type(error).__name__}: {error}")


def _check_reachable(address: str | None) -> None:
    """Raise :class:`OSError` soon if nobody answers at ``HOST:PORT``; Ray tries for minutes."""
    host, _, port = (address or "").rpartition(":")
    if port.isdecimal() and "/" not in host:
        socket.create_connection((host, int(port)), timeout=10).close()


def _ray() -> Any:
    with extra("ray", "ray"):
        import ray
    return ray
