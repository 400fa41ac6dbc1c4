"""Threads and processes give the scores of one thread, to the last bit."""

from __future__ import annotations

import itertools
import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from hybridsem import Pipeline
from hybridsem.batch.workers import Workers

SUBJECTS = ("The dog", "A nurse", "Nobody", "The pilot who slept", "Two old men")
VERBS = ("chased", "did not thank", "was seen by", "gave a letter to")
OBJECTS = ("the cat", "a pilot", "her", "the man in the park")
SENTENCES = [f"{' '.join(parts)}." for parts in itertools.product(SUBJECTS, VERBS, OBJECTS)]
THREADS, PROCESSES, PAIRS = 8, 4, 32


@pytest.mark.slow
@pytest.mark.parametrize("model", ["hybrid", "amr-cn"])
def test_eight_threads_and_four_processes_agree_to_the_bit(model: str) -> None:
    draw = random.Random(0)
    pairs = [(draw.choice(SENTENCES), draw.choice(SENTENCES)) for _ in range(PAIRS)]
    alone = dict(zip(pairs, Pipeline(model).score(pairs).tolist(), strict=True))

    shared = Pipeline(model)  # reads its weights in whichever thread comes first
    orders = [draw.sample(pairs, PAIRS) for _ in range(THREADS)]
    sizes = [1, 2, 3, 4, 5, 7, 16, 32]

    def scores(order: list[tuple[str, str]], size: int) -> list[float]:
        chunks = [order[at : at + size] for at in range(0, PAIRS, size)]
        return [score for chunk in chunks for score in shared.score(chunk).tolist()]

    with ThreadPoolExecutor(THREADS) as pool:
        for order, found in zip(orders, pool.map(scores, orders, sizes), strict=True):
            assert found == [alone[pair] for pair in order]

    if model != "hybrid":  # the parts are the same; starting processes takes a while
        return
    workers = Workers(partial(Pipeline, model), PROCESSES)
    try:
        chunks = [orders[0][at : at + 4] for at in range(0, PAIRS, 4)]
        results = [result for part in workers.run(chunks) for result in part]
    finally:
        workers.close()
    assert [result.score for result in results] == [alone[pair] for pair in orders[0]]
