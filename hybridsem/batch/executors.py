"""Executors with several processes, on this machine or on a Ray cluster."""

from __future__ import annotations

import itertools
import logging
import os
import secrets
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from hybridsem._utils.extras import extra
from hybridsem._utils.store import Store
from hybridsem._utils.threads import cores, wanted_threads
from hybridsem.batch.work import TABLES, Begin, ItemT, ModelT, ResultT
from hybridsem.errors import HybridSemError, InputError
from hybridsem.pipeline import Pipeline
from hybridsem.reader import SENTENCES_HELD, Reader

MOST = 32  # the most processes on any machine, or four for each core if that is more
AHEAD, AHEAD_OF_CLUSTER = 2, 256  # chunks read ahead: for each process here, and on a cluster
TRIES = 5  # the most attempts of a chunk whose process dies on a cluster, or whose node is lost
# The maker of a pipeline, its threads, the file that caches what it reads, and the work.
Start = tuple[Callable[[], ModelT], int, Path | None, Begin[ModelT, ItemT, ResultT]]
FutureT = TypeVar("FutureT")


class Pending(NamedTuple, Generic[ItemT, FutureT]):
    """A chunk in progress."""

    number: int
    chunk: ItemT
    item: str
    future: FutureT

    def died(self, often: str) -> HybridSemError:
        """Return the error for a chunk over which a process died ``often``, such as "twice"."""
        texts = self.chunk if isinstance(self.chunk, Sequence) else ()
        why = f"a worker process died {often} over chunk {self.number} ({len(texts)} {self.item}s)"
        first = f"its first {self.item} is {next(iter(texts), None)!r:.160}"
        return HybridSemError(f"{why}; {first}; perhaps memory ran out: use fewer workers")


def map_ahead(
    chunks: Iterable[ItemT],
    item: str,
    submit: Callable[[ItemT], FutureT],
    result: Callable[[Pending[ItemT, FutureT]], ResultT],
    waiting: deque[Pending[ItemT, FutureT]],
    is_enough: Callable[[], bool],
) -> Iterator[ResultT]:
    """Submit chunks and yield results in order; ``is_enough`` tells if a result is awaited."""
    for number, chunk in enumerate(chunks):
        waiting.append(Pending(number, chunk, item, submit(chunk)))
        while waiting and is_enough():
            yield result(waiting.popleft())
    while waiting:
        yield result(waiting.popleft())


class Process:
    """The state of a worker process from chunk to chunk."""

    job: tuple[str | None, int] = None, 0
    pipeline: Any = None
    work: Callable[[Any], Any]

    @classmethod
    def result(
        cls, job: tuple[str, int], given: Callable[[], Start[ModelT, ItemT, ResultT]], chunk: ItemT
    ) -> ResultT:
        """Return the result of a chunk; a ``job`` is an executor and one of its calls."""
        if cls.job != job:
            make, threads, store, begin = given()
            if cls.job[0] != job[0]:
                cls.job = None, 0
                cls.pipeline = None  # two at once may be too large
                os.environ["HYBRIDSEM_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(threads)
                pipeline = cls.pipeline = make()
                if isinstance(pipeline, (Pipeline, Reader)):
                    cache = None if store is None else Store(store, TABLES)
                    pipeline.remember(SENTENCES_HELD, cache)
            cls.work, cls.job = begin(cls.pipeline), job
        result: ResultT = cls.work(chunk)
        return result


class Workers(Generic[ModelT]):
    """Processes with a pipeline each; one that dies is replaced once.

    They end with this process, however it ends, because they wait for the end of a pipe. Each has
    its share of the processors as threads, or ``HYBRIDSEM_THREADS`` of the environment. ``make``
    makes the pipeline in each process and must be picklable.
    """

    def __init__(
        self, make: Callable[[], ModelT], number: int, *, store: Path | None = None
    ) -> None:
        most = max(MOST, 4 * cores())
        if not isinstance(number, int) or not 1 <= number <= most:
            why = f"workers is a whole number from 1 to {most} on this machine"
            raise InputError(f"{why}, got {number!r:.40}")
        self.make, self.number, self.store = make, number, store
        self._jobs = itertools.count()
        self._child_end, self._end = Pipe(duplex=False)
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        given = (self._child_end,)
        return ProcessPoolExecutor(self.number, get_context("spawn"), _begin, given)

    def map(
        self, begin: Begin[ModelT, ItemT, ResultT], chunks: Iterable[ItemT], item: str = "text"
    ) -> Iterator[ResultT]:
        """Apply a function to each chunk, as :class:`~hybridsem.reader.Executor` describes."""
        job = "", next(self._jobs)
        threads = wanted_threads() or max(1, cores() // self.number)
        given = self.make, threads, self.store, begin
        waiting: deque[Pending[ItemT, Future[ResultT]]] = deque()

        def submit(chunk: ItemT) -> Future[ResultT]:
            try:
                return self._pool.submit(_work_here, job, given, chunk)
            except BrokenProcessPool as broken:
                failed: Future[ResultT] = Future()
                failed.set_exception(broken)
                return failed

        def result(first: Pending[ItemT, Future[ResultT]]) -> ResultT:
            """Return the result of a chunk, which is tried again if a process has died."""
            try:
                return first.future.result()
            except BrokenProcessPool:
                self._pool.shutdown(wait=False, cancel_futures=True)
                self._pool = self._new_pool()
            try:
                again = submit(first.chunk).result()
            except BrokenProcessPool:
                raise first.died("twice") from None
            for at, later in enumerate(waiting):
                waiting[at] = later._replace(future=submit(later.chunk))
            return again

        def is_enough() -> bool:
            return len(waiting) > AHEAD * self.number or bool(waiting[0].future.done())

        return map_ahead(chunks, item, submit, result, waiting, is_enough)

    def close(self) -> None:
        """Terminate the processes at once."""
        self._end.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._child_end.close()


def _begin(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop

    def end_with_parent() -> None:
        wait([pipe])
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


def _work_here(job: tuple[str, int], given: Start[ModelT, ItemT, ResultT], chunk: ItemT) -> ResultT:
    return Process.result(job, lambda: given, chunk)


class RayEngine(Generic[ModelT]):
    """Processes on the nodes of a Ray cluster, one for each CPU; lost chunks are repeated."""

    def __init__(self, make: Callable[[], ModelT], address: str | None = None) -> None:
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
                why = f"no Ray cluster can be reached, got address {address!r}: {error}"
                how = "start one with `ray start --head` or leave the address out"
                raise InputError(f"{why}; {how}") from error

    def map(
        self, begin: Begin[ModelT, ItemT, ResultT], chunks: Iterable[ItemT], item: str = "text"
    ) -> Iterator[ResultT]:
        """Apply a function to each chunk; failures of Ray are a :class:`HybridSemError`."""
        errors = self.ray.exceptions
        job = self.token, next(self._jobs)
        given = self.ray.put((self.make, 1, None, begin))  # sent to each node once
        passing = [MemoryError, errors.RayError]  # another attempt may succeed
        options = {"num_cpus": 1, "max_retries": TRIES - 1, "retry_exceptions": passing}
        task = self.ray.remote(**options)(_work)
        waiting: deque[Pending[ItemT, Any]] = deque()

        def submit(chunk: ItemT) -> Any:
            return task.remote(job, [given], chunk)

        def result(first: Pending[ItemT, Any]) -> ResultT:
            try:
                found: ResultT = self.ray.get(first.future)
            except (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError):
                raise first.died(f"{TRIES} times") from None
            except errors.RayError as error:
                raise HybridSemError(f"the Ray cluster failed: {error}") from error
            if isinstance(found, HybridSemError):
                raise found
            return found

        is_enough = lambda: len(waiting) >= AHEAD_OF_CLUSTER  # noqa: E731
        try:
            yield from map_ahead(chunks, item, submit, result, waiting, is_enough)
        finally:
            for later in waiting:
                self.ray.cancel(later.future)

    def close(self) -> None:
        """Close the connection, if it was opened here."""
        if self._connected_here:
            self.ray.shutdown()


def _work(job: tuple[str, int], given: list[object], chunk: ItemT) -> object:
    try:
        return Process.result(job, lambda: _ray().get(given[0]), chunk)
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
