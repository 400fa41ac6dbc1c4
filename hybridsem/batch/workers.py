"""An engine of several processes on one machine."""

from __future__ import annotations

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

from hybridsem._utils.threads import cores, wanted_threads
from hybridsem.batch.cache import TABLES
from hybridsem.batch.work import (
    SENTENCES_HELD,
    Remembers,
    Result,
    Scorer,
    Texts,
    died,
    score_texts,
)
from hybridsem.errors import HybridSemError, InputError

__all__ = ["Workers"]

MOST = 32
"""Processes that any machine may be asked for; one of more cores, for four a core."""

AHEAD = 2
"""Chunks for each process that are read before they are needed."""


class Workers:
    """Scores in processes, each with a pipeline of its own; one that dies is replaced once.

    The processes end when this one does, however it ends: they wait for the end of a pipe that it
    alone can close. Each has its share of the processors as threads, or as many as the variable
    ``HYBRIDSEM_THREADS`` of the environment says.

    Args:
        make: Makes the pipeline in each process. It must be picklable: a class or function of a
            module, or a :func:`functools.partial` of one.
        number: How many processes, at least 1.
        details: Results hold each role's similarity and the model's own figures.
        store: The path of the cache on disk, which the processes share.
    """

    def __init__(
        self,
        make: Callable[[], Scorer],
        number: int,
        *,
        details: bool = False,
        store: Path | None = None,
    ) -> None:
        most = max(MOST, 4 * cores())
        if not isinstance(number, int) or not 1 <= number <= most:
            raise InputError(
                f"workers is a whole number from 1 to {most} on this machine, got {number!r:.40}"
            )
        self.make, self.number, self.details, self.store = make, number, details, store
        self._theirs, self._ours = Pipe(duplex=False)
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        threads = wanted_threads() or max(1, cores() // self.number)
        given = (self.make, self.details, self.store, threads, self._theirs)
        return ProcessPoolExecutor(self.number, get_context("spawn"), _begin, given)

    def run(self, chunks: Iterable[list[Texts]]) -> Iterator[list[Result]]:
        """The results of every chunk, in order; at most a few chunks are read ahead."""
        waiting: deque[tuple[int, list[Texts], Future[list[Result]]]] = deque()
        for number, chunk in enumerate(chunks):
            waiting.append((number, chunk, self._submit(chunk)))
            while len(waiting) > AHEAD * self.number or (waiting and waiting[0][2].done()):
                yield self._result(waiting)
        while waiting:
            yield self._result(waiting)

    def _submit(self, chunk: list[Texts]) -> Future[list[Result]]:
        if not chunk:  # all of it was known
            nothing: Future[list[Result]] = Future()
            nothing.set_result([])
            return nothing
        try:
            with _uninterrupted():  # a process may be started here
                return self._pool.submit(_score, chunk)
        except BrokenProcessPool as broken:
            failed: Future[list[Result]] = Future()
            failed.set_exception(broken)
            return failed

    def _result(
        self, waiting: deque[tuple[int, list[Texts], Future[list[Result]]]]
    ) -> list[Result]:
        """The first waiting chunk's results; it is scored once more if a process has died."""
        number, chunk, future = waiting.popleft()
        try:
            return future.result()
        except BrokenProcessPool:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = self._new_pool()
        try:
            results = self._submit(chunk).result()
        except BrokenProcessPool:
            raise HybridSemError(died("twice", number, chunk)) from None
        for at, (later, texts, _) in enumerate(waiting):
            waiting[at] = later, texts, self._submit(texts)
        return results

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
    """What a process holds."""

    pipeline: Scorer
    details: bool
    problem: HybridSemError | None = None
    """Why there is no pipeline; told by the first chunk, as a process that ends here would tell
    nothing.
    """


def _begin(
    make: Callable[[], Scorer], details: bool, store: Path | None, threads: int, pipe: Connection
) -> None:
    """Make ready a new process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when it is over
    threading.Thread(target=_end_with, args=(pipe,), daemon=True).start()
    os.environ["HYBRIDSEM_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(threads)
    try:
        _Worker.pipeline, _Worker.details = make(), details
    except HybridSemError as error:
        _Worker.problem = error
        return
    if isinstance(_Worker.pipeline, Remembers):
        from hybridsem._utils.store import Store

        _Worker.pipeline.remember(SENTENCES_HELD, None if store is None else Store(store, TABLES))


def _end_with(pipe: Connection) -> None:
    wait([pipe])
    os._exit(1)


def _score(chunk: list[Texts]) -> list[Result]:
    if _Worker.problem is not None:
        raise _Worker.problem
    return score_texts(_Worker.pipeline, chunk, _Worker.details)
