"""An executor with several processes on one machine."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from hybridsem._utils.store import Store
from hybridsem._utils.threads import cores, wanted_threads
from hybridsem.batch.cache import TABLES
from hybridsem.batch.work import Begin, ItemT, Pending, ResultT, Scorer, map_ahead, start_pipeline
from hybridsem.errors import HybridSemError, InputError

MOST = 32
"""The most processes on any machine, or four for each core if that is more."""

AHEAD = 2
"""Chunks for each process that are read before they are needed."""


class Workers:
    """Processes with a pipeline each; one that dies is replaced once.

    They end with this process, however it ends, because they wait for the end of a pipe. Each has
    its share of the processors as threads, or ``HYBRIDSEM_THREADS`` of the environment. ``make``
    makes the pipeline in each process and must be picklable.
    """

    def __init__(
        self, make: Callable[[], Scorer], number: int, *, store: Path | None = None
    ) -> None:
        most = max(MOST, 4 * cores())
        if not isinstance(number, int) or not 1 <= number <= most:
            raise InputError(
                f"workers is a whole number from 1 to {most} on this machine, got {number!r:.40}"
            )
        self.make, self.number, self.store = make, number, store
        self._jobs = itertools.count()
        self._child_end, self._end = Pipe(duplex=False)
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        threads = wanted_threads() or max(1, cores() // self.number)
        given = (self.make, self.store, threads, self._child_end)
        return ProcessPoolExecutor(self.number, get_context("spawn"), _begin, given)

    def map(
        self, begin: Begin[ItemT, ResultT], chunks: Iterable[ItemT], item: str = "text"
    ) -> Iterator[ResultT]:
        """Apply a function to each chunk, as :class:`~hybridsem.reader.Executor` describes."""
        job = next(self._jobs)
        waiting: deque[Pending] = deque()

        def submit(chunk: Any) -> Future[Any]:
            try:
                return self._pool.submit(_work, job, begin, chunk)
            except BrokenProcessPool as broken:
                failed: Future[Any] = Future()
                failed.set_exception(broken)
                return failed

        def result(first: Pending) -> Any:
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
                if later.future is not None:
                    waiting[at] = later._replace(future=submit(later.chunk))
            return again

        def is_enough() -> bool:
            first = waiting[0].future
            return len(waiting) > AHEAD * self.number or first is None or first.done()

        return map_ahead(chunks, item, submit, result, waiting, is_enough)

    def close(self) -> None:
        """Terminate the processes at once."""
        self._end.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._child_end.close()


class _Worker:
    """The state of a worker process."""

    pipeline: Any
    job = -1
    work: Callable[[Any], Any]
    problem: HybridSemError | None = None
    """The reason why there is no pipeline, which the first chunk raises."""


def _begin(make: Callable[[], Any], store: Path | None, threads: int, pipe: Connection) -> None:
    """Prepare a new process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    threading.Thread(target=_end_with, args=(pipe,), daemon=True).start()
    try:
        cache = None if store is None else Store(store, TABLES)
        _Worker.pipeline = start_pipeline(make, threads, cache)
    except HybridSemError as error:
        _Worker.problem = error


def _end_with(pipe: Connection) -> None:
    wait([pipe])
    os._exit(1)


def _work(job: int, begin: Callable[[Any], Callable[[Any], Any]], chunk: Any) -> Any:
    if _Worker.problem is not None:
        raise _Worker.problem
    if _Worker.job != job:
        _Worker.work, _Worker.job = begin(_Worker.pipeline), job
    return _Worker.work(chunk)
