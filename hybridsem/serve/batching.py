"""Batches of concurrent requests.

    requests --results--> jobs that wait --a short while--> a batch --a thread--> results

The jobs of a batch have one function with the same options. A batch is small: a job with many items
goes through several, and one whose client has gone is dropped between them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

Item = str | tuple[str, str]
ResultT = TypeVar("ResultT")
WINDOW = 0.005  # seconds that a job waits for others where nothing is being computed
ITEMS, CHARACTERS = 32, 8_000
"""The most items of a batch, and the most characters of one with several items."""


@dataclass(eq=False)
class _Job(Generic[ResultT]):
    """A request's items, and the results found so far."""

    call: tuple[Callable[..., Sequence[ResultT]], Mapping[str, object]]
    items: Sequence[Item]
    is_abandoned: Callable[[], Awaitable[bool]]
    done: asyncio.Future[list[ResultT]]
    found: list[ResultT] = field(default_factory=list)


_Batch = dict[_Job[Any], list[Item]]


class Batcher:
    """Computes requests in batches; further jobs are refused if ``most`` are ``waiting``."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.waiting: list[_Job[Any]] = []
        self._added = asyncio.Event()

    async def results(
        self,
        is_abandoned: Callable[[], Awaitable[bool]],
        items: Sequence[Item],
        function: Callable[..., Sequence[ResultT]],
        **options: object,
    ) -> list[ResultT]:
        """Return the result of each item; the function may get those of several jobs."""
        self.waiting = [job for job in self.waiting if not job.done.done()]
        if len(self.waiting) >= self._most:
            raise asyncio.QueueFull
        done = asyncio.get_running_loop().create_future()
        self.waiting.append(_Job((function, options), items, is_abandoned, done))
        self._added.set()
        return list(await done)

    async def run(self) -> None:
        """Compute batches until cancelled."""
        with ThreadPoolExecutor(1, "hybridsem-serve") as thread:
            while True:
                await self._added.wait()
                await asyncio.sleep(WINDOW)
                while self.waiting:
                    await self._compute(thread, await self._batch())
                self._added.clear()

    async def _batch(self) -> _Batch:
        """Take the jobs that are like the first, with their next items, as many as a batch has."""
        batch: _Batch = {}
        call, characters = self.waiting[0].call, 0
        alike = (job for job in self.waiting if job.call == call)
        each = ((job, item) for job in alike for item in job.items[len(job.found) :])
        for number, (job, item) in enumerate(each):
            characters += len("".join(item))
            if number and (number == ITEMS or characters > CHARACTERS):
                break
            batch.setdefault(job, []).append(item)
        self.waiting = [job for job in self.waiting if job not in batch]
        for job in batch:
            if not job.done.done() and await job.is_abandoned():
                job.done.set_exception(ConnectionAbortedError("the client has gone"))
        return batch

    async def _compute(self, thread: ThreadPoolExecutor, batch: _Batch) -> None:
        """Compute a batch; if it fails, compute each job alone."""
        batch = {job: items for job, items in batch.items() if not job.done.done()}
        if not batch:
            return
        function, options = next(iter(batch)).call
        joined = [item for items in batch.values() for item in items]
        call = partial(function, joined, **options)
        try:
            found = iter(await asyncio.get_running_loop().run_in_executor(thread, call))
        except Exception as error:
            for job, items in batch.items():
                if len(batch) > 1:
                    await self._compute(thread, {job: items})
                elif not job.done.done():
                    job.done.set_exception(error)
            return
        for job, items in batch.items():
            job.found += islice(found, len(items))
            if len(job.found) < len(job.items):
                self.waiting.append(job)
            elif not job.done.done():
                job.done.set_result(job.found)
