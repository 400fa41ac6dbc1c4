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
from hybridsem.batch.work import ItemT, ResultT, died, started
from hybridsem.errors import HybridSemError, InputError

AHEAD = 256
"""Chunks that are given to the cluster before their results are needed."""

TRIES = 5
"""How often a chunk is begun whose process dies, or whose node is lost."""


class RayEngine:
    """Does the same to chunk after chunk on the nodes of a Ray cluster, one process a CPU;
    hybridsem must be installed there.

    What was at work on a node that is lost is done again on another.

    Args:
        make: Makes the pipeline, once in a process.
        address: The cluster's; ``auto`` is the one that this machine belongs to, None a Ray of its
            own on this machine, unless the process is connected already.
    """

    def __init__(self, make: Callable[[], Any], address: str | None = None) -> None:
        self.make = make
        self.token = secrets.token_hex(8)
        self._jobs = itertools.count()
        self.ray = _ray()
        self._connected_here = not self.ray.is_initialized()
        if self._connected_here:
            try:
                _reach(address)
                self.ray.init(address=address, log_to_driver=False, logging_level=logging.WARNING)
            except (OSError, RuntimeError, ValueError) as error:
                raise InputError(
                    f"no Ray cluster can be reached, got address {address!r}: {error}; "
                    "start one with `ray start --head` or leave the address out"
                ) from error

    def map(
        self,
        begin: Callable[[Any], Callable[[ItemT], ResultT]],
        chunks: Iterable[ItemT],
        item: str = "text",
    ) -> Iterator[ResultT]:
        """As :class:`~hybridsem.reader.Executor` has it; what ``begin`` holds is sent to each node
        once.

        Raises:
            HybridSemError: What was raised there of these, as it was; a chunk over which processes
                die; what Ray says of a cluster that fails.
        """
        job = self.token, next(self._jobs)
        given = self.ray.put((self.make, begin))
        passing = [MemoryError, self.ray.exceptions.RayError]  # another try may do
        options = {"num_cpus": 1, "max_retries": TRIES - 1, "retry_exceptions": passing}
        task = self.ray.remote(**options)(_work)
        waiting: deque[tuple[int, Any, Any]] = deque()
        try:
            for number, chunk in enumerate(chunks):
                known = item == "pair" and not chunk  # all of it was known
                waiting.append((number, chunk, None if known else task.remote(job, [given], chunk)))
                if len(waiting) >= AHEAD:
                    yield self._result(*waiting.popleft(), item)
            while waiting:
                yield self._result(*waiting.popleft(), item)
        finally:
            for *_, later in waiting:
                if later is not None:
                    self.ray.cancel(later)

    def _result(self, number: int, chunk: Any, made: Any, item: str) -> Any:
        errors = self.ray.exceptions
        try:
            found = [] if made is None else self.ray.get(made)
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError):
            raise HybridSemError(died(f"{TRIES} times", number, chunk, item)) from None
        except errors.RayError as error:
            raise HybridSemError(f"the Ray cluster failed: {error}") from error
        if isinstance(found, HybridSemError):
            raise found
        return found

    def close(self) -> None:
        """Leave the cluster, if it was this that went there."""
        if self._connected_here:
            self.ray.shutdown()


class _Process:
    """The state of a worker process from task to task."""

    job: tuple[str, int] = "", 0
    pipeline: Any = None
    work: Callable[[Any], Any]


def _work(job: tuple[str, int], given: list[Any], chunk: Any) -> Any:
    """Return the result of a chunk, or its error; make the pipeline where the last task had that of
    another engine.
    """
    try:
        if _Process.job != job:
            make, begin = _ray().get(given[0])
            if _Process.job[0] != job[0]:
                _Process.job = "", 0
                _Process.pipeline = None  # two at once may be too large
                _Process.pipeline = started(make, threads=1)
            _Process.work, _Process.job = begin(_Process.pipeline), job
        return _Process.work(chunk)
    except HybridSemError as error:
        return error
    except (MemoryError, _ray().exceptions.RayError):
        raise
    except Exception as error:
        return HybridSemError(f"the Ray cluster failed: {type(error).__name__}: {error}")


def _reach(address: str | None) -> None:
    """Raise :class:`OSError` soon if nobody answers at ``HOST:PORT``; Ray tries for minutes."""
    host, _, port = (address or "").rpartition(":")
    if port.isdecimal() and "/" not in host:
        socket.create_connection((host, int(port)), timeout=10).close()


def _ray() -> Any:
    with extra("ray", "ray"):
        import ray
    return ray
