"""Batches: who is joined with whom, and that none feels it."""

import asyncio
from typing import Any

from hybridsem.serve.batching import CHARACTERS, ITEMS, Batcher


class Work:
    """A function that records its calls."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, items: list[str], mark: str = "") -> list[str]:
        self.calls.append(items)
        if "bad" in items:
            raise ValueError("bad")
        return [item.upper() + mark for item in items]


async def stays() -> bool:
    return False


def results(work: Work, requests: list[list[str]], **options: Any) -> list[Any]:
    """The results of requests that all wait when the first batch is made, or their errors."""

    async def main() -> list[Any]:
        batcher = Batcher(100)
        waiting = (batcher.results(stays, items, work, **options) for items in requests)
        asked = list(map(asyncio.create_task, waiting))
        await asyncio.sleep(0)
        assert len(batcher.waiting) == len(requests)
        running = asyncio.create_task(batcher.run())
        found = await asyncio.gather(*asked, return_exceptions=True)
        running.cancel()
        return found

    return asyncio.run(main())


def test_requests_that_wait_are_computed_at_once() -> None:
    work = Work()
    one, error, two = results(work, [["a"], ["bad"], ["b", "c"]], mark="!")
    assert (one, two) == (["A!"], ["B!", "C!"])
    assert isinstance(error, ValueError), "an error is of its own request alone"
    assert work.calls == [["a", "bad", "b", "c"], ["a"], ["bad"], ["b", "c"]]


def test_large_requests_let_others_pass() -> None:
    work = Work()
    many = [str(number) for number in range(ITEMS + 5)]
    assert results(work, [many, ["a"]]) == [many, ["A"]]
    long = "a" * (CHARACTERS + 1)
    assert results(work, [[long, long]]) == [[long.upper()] * 2]
    assert work.calls == [many[:ITEMS], ["a", *many[ITEMS:]], [long], [long]]


def test_other_options_are_another_batch() -> None:
    async def main() -> None:
        batcher, work = Batcher(100), Work()
        running = asyncio.create_task(batcher.run())
        asked = [batcher.results(stays, ["a"], work, mark=mark) for mark in "!?!"]
        assert await asyncio.gather(*asked) == [["A!"], ["A?"], ["A!"]]
        assert work.calls == [["a", "a"], ["a"]]
        running.cancel()

    asyncio.run(main())
