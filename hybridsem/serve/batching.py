"""Batches of concurrent requests.

    requests --results--> jobs that wait --one key, a short while--> a batch --a thread--> results

The oldest job chooses the key: a function and its options. A batch is small: a job with many items
goes through several, and one that nobody waits for any longer is dropped between them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

__all__ = ["Batcher", "Key"]

Item = str | tuple[str, str]
Key = tuple[Callable[..., Sequence[Any]], tuple[Any, ...]]
"""A function of items, and the arguments that follow them."""

WINDOW = 0.005
"""Seconds that a job waits for others where nothing is being computed."""

ITEMS, CHARACTERS = 32, 8_000
"""The most items of a batch, and the most characters of one with several items."""


@dataclass(eq=False)
class _Job:
    """A request's items, and the results found so far."""

    key: Key
    items: Sequence[Item]
    is_abandoned: Callable[[], Awaitable[bool]]
    done: asyncio.Future[list[Any]]
    found: list[Any] = field(default_factory=list)


_Batch = dict[_Job, list[Item]]


class Batcher:
    """Computes the results of requests in batches; the result of an item is the same in each.

    Args:
        most: The most jobs that wait; further ones are refused.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: list[_Job] = []
        self._added = asyncio.Event()

    @property
    def waiting(self) -> int:
        """The number of jobs that wait."""
        return len(self._waiting)

    async def results(
        self, key: Key, items: Sequence[Item], is_abandoned: Callable[[], Awaitable[bool]]
    ) -> list[Any]:
        """Return the result of each item.

        Raises :class:`asyncio.QueueFull`, :class:`ConnectionAbortedError` if the client is gone
        (``is_abandoned``), and what the function raises for these items.
        """
        self._waiting = [job for job in self._waiting if not job.done.done()]
        if len(self._waiting) >= self._most:
            raise asyncio.QueueFull
        done = asyncio.get_running_loop().create_future()
        self._waiting.append(_Job(key, items, is_abandoned, done))
        self._added.set()
        return list(await done)

    async def run(self) -> None:
        """Compute batches until cancelled."""
        with ThreadPoolExecutor(1, "hybridsem-serve") as thread:
            while True:
                await self._added.wait()
                await asyncio.sleep(WINDOW)
                while self._waiting:
                    await self._compute(thread, await self._batch())
                self._added.clear()

    async def _batch(self) -> _Batch:
        """Take the jobs with the oldest job's key, and their next items, as many as a batch has."""
        batch: _Batch = {}
        key, characters = self._waiting[0].key, 0
        alike = (job for job in self._waiting if job.key == key)
        each = ((job, item) for job in alike for item in job.items[len(job.found) :])
        for number, (job, item) in enumerate(each):
            characters += len("".join(item))
            if number and (number == ITEMS or characters > CHARACTERS):
                break
            batch.setdefault(job, []).append(item)
        self._waiting = [job for job in self._waiting if job not in batch]
        for job in batch:
            if not job.done.done() and await job.is_abandoned():
                job.done.set_exception(ConnectionAbortedError("the client has gone"))
        return batch

    async def _compute(self, thread: ThreadPoolExecutor, batch: _Batch) -> None:
        """Compute a batch; if it fails, compute each job alone."""
        batch = {job: items for job, items in batch.items() if not job.done.done()}
        if not batch:
            return
        function, options = next(iter(batch)).key
        joined = [item for items in batch.values() for item in items]
        try:
            loop = asyncio.get_running_loop()
            found = iter(await loop.run_in_executor(thread, function, joined, *options))
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
                self._waiting.append(job)
            elif not job.done.done():
                job.done.set_result(job.found)
