"""An executor of several processes on one machine."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from hybridsem._utils.store import Store
from hybridsem._utils.threads import cores, wanted_threads
from hybridsem.batch.cache import TABLES
from hybridsem.batch.work import ItemT, ResultT, Scorer, died, started
from hybridsem.errors import HybridSemError, InputError

MOST = 32
"""Processes that any machine may be asked for; one of more cores, for four a core."""

AHEAD = 2
"""Chunks for each process that are read before they are needed."""


class Workers:
    """Works in processes, each with a pipeline of its own; one that dies is replaced once.

    The processes end when this one does, however it ends: they wait for the end of a pipe that it
    alone can close. Each has its share of the processors as threads, or as many as the variable
    ``HYBRIDSEM_THREADS`` of the environment says.

    Args:
        make: Makes the pipeline in each process. It must be picklable: a class or function of a
            module, or a :func:`functools.partial` of one.
        number: How many processes, at least 1.
        store: The path of the cache on disk, which the processes share.
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
        self._theirs, self._ours = Pipe(duplex=False)
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        threads = wanted_threads() or max(1, cores() // self.number)
        given = (self.make, self.store, threads, self._theirs)
        return ProcessPoolExecutor(self.number, get_context("spawn"), _begin, given)

    def map(
        self,
        begin: Callable[[Any], Callable[[ItemT], ResultT]],
        chunks: Iterable[ItemT],
        item: str = "text",
    ) -> Iterator[ResultT]:
        """As :class:`~hybridsem.reader.Executor` has it; what ``begin`` holds is sent with each
        chunk.
        """
        job = next(self._jobs)

        def submit(chunk: Any) -> Future[Any]:
            done: Future[Any] = Future()
            if item == "pair" and not chunk:  # all of it was known: no process need be asked
                done.set_result([])
                return done
            try:
                with _uninterrupted():  # a process may be started here
                    return self._pool.submit(_work, job, begin, chunk)
            except BrokenProcessPool as broken:
                done.set_exception(broken)
                return done

        def result() -> Any:
            """What the first waiting chunk gives; it is tried again if a process has died."""
            number, chunk, future = waiting.popleft()
            try:
                return future.result()
            except BrokenProcessPool:
                self._pool.shutdown(wait=False, cancel_futures=True)
                self._pool = self._new_pool()
            try:
                made = submit(chunk).result()
            except BrokenProcessPool:
                raise HybridSemError(died("twice", number, chunk, item)) from None
            for at, (later, other, _) in enumerate(waiting):
                waiting[at] = later, other, submit(other)
            return made

        waiting: deque[tuple[int, Any, Future[Any]]] = deque()
        for number, chunk in enumerate(chunks):
            waiting.append((number, chunk, submit(chunk)))
            while len(waiting) > AHEAD * self.number or (waiting and waiting[0][2].done()):
                yield result()
        while waiting:
            yield result()

    def close(self) -> None:
        """End the processes, whatever they are at."""
        self._ours.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._theirs.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C waits until the end of the body, and does not reach processes started in it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """The state of a worker process."""

    pipeline: Any
    job = -1
    work: Callable[[Any], Any]
    problem: HybridSemError | None = None
    """Why there is no pipeline: the first chunk raises it, as a process that ends here cannot."""


def _begin(make: Callable[[], Any], store: Path | None, threads: int, pipe: Connection) -> None:
    """Make ready a new process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when it is over
    threading.Thread(target=_end_with, args=(pipe,), daemon=True).start()
    try:
        _Worker.pipeline = started(make, threads, None if store is None else Store(store, TABLES))
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
