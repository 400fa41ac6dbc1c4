"""An engine on a Ray cluster, through Ray Data."""

from __future__ import annotations

import itertools
import json
import logging
import os
import re
import secrets
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from hybridsem._utils.extras import extra
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

__all__ = ["RayEngine"]

GROUP = 256
"""Chunks that are given to Ray Data at once."""

TRIES = 5
"""How often a chunk is begun; Ray would begin one that kills its process for ever."""


_NAMES_AN_ERROR = re.compile(r"[\w.]+(Error|Exception): ")


class RayEngine:
    """Scores on the nodes of a Ray cluster, one process a CPU; hybridsem must be installed there.

    What was at work on a node that is lost is done again on another.

    Args:
        make: Makes the pipeline, once in a process.
        address: The cluster's; ``auto`` is the one that this machine belongs to, None a Ray of its
            own on this machine, unless the process is connected already.
        details: Results hold each role's similarity and the model's own figures.
        group: Chunks that are given to Ray Data at once.
    """

    def __init__(
        self,
        make: Callable[[], Scorer],
        address: str | None = None,
        *,
        details: bool = False,
        group: int = GROUP,
    ) -> None:
        self.make, self.details, self.group = make, details, group
        self.token, self._numbers = (
            secrets.token_hex(8),
            itertools.count(),
        )  # of chunks, over all runs
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
        counter = self.ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(_Begun)
        self.begun = counter.remote()

    def run(self, chunks: Iterable[list[Texts]]) -> Iterator[list[Result]]:
        """The results of every chunk, in order; reads one group of chunks ahead."""
        source = zip(self._numbers, chunks, strict=False)
        while group := list(itertools.islice(source, self.group)):
            yield from self._run(group)

    def _run(self, group: list[tuple[int, list[Texts]]]) -> Iterator[list[Result]]:
        import ray.data

        context = ray.data.DataContext.get_current()
        context.execution_options.preserve_order = True
        context.enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        score: Any = _scored  # Ray's types know functions of one argument
        rows = [{"chunk": number, "pairs": json.dumps(chunk)} for number, chunk in group]
        data = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
            score,
            batch_size=None,  # a block, which is a chunk
            fn_args=(self.make, self.token, self.details, self.begun),
            num_cpus=1,
        )
        try:
            for (number, _), row in zip(group, data.iter_rows(), strict=True):
                if row["chunk"] != number:
                    raise HybridSemError(
                        f"Ray gave the results of chunk {row['chunk']} for those of chunk {number}"
                    )
                if row["problem"]:
                    raise HybridSemError(row["problem"])
                yield [Result.from_list(result) for result in json.loads(row["results"])]
        except ray.exceptions.RayError as error:
            said = str(error).strip().splitlines()
            why = next((line for line in said if _NAMES_AN_ERROR.match(line)), said[-1])
            raise HybridSemError(f"the Ray cluster failed: {why}") from error

    def close(self) -> None:
        """Leave the cluster, if it was this engine that went there."""
        if self._connected_here:
            self.ray.shutdown()


class _Begun:
    """How often each chunk was begun; an actor, for the processes that begin them come and go."""

    def __init__(self) -> None:
        self.times: Counter[int] = Counter()

    def again(self, chunk: int) -> int:
        """Count once more."""
        self.times[chunk] += 1
        return self.times[chunk]


_PIPELINES: dict[str, Scorer] = {}
"""The pipeline of a worker process, kept from task to task, by the token of its engine."""


def _scored(
    batch: Any, make: Callable[[], Scorer], token: str, details: bool, begun: Any
) -> dict[str, Any]:
    """The results of a block of one chunk, in a worker process, or what is wrong."""
    if token not in _PIPELINES:
        os.environ["HYBRIDSEM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
        _PIPELINES.clear()
        _PIPELINES[token] = pipeline = make()
        if isinstance(pipeline, Remembers):
            pipeline.remember(SENTENCES_HELD)
    number, texts = (
        int(batch["chunk"][0]),
        [(one, two) for one, two in json.loads(batch["pairs"][0])],
    )
    results: list[Result] = []
    problem = ""
    if _ray().get(begun.again.remote(number)) > TRIES:
        problem = died(f"{TRIES} times", number, texts)
    else:
        try:
            results = score_texts(_PIPELINES[token], texts, details)
        except HybridSemError as error:
            problem = str(error)
    return {
        "chunk": batch["chunk"],
        "results": [json.dumps([result.to_list() for result in results])],
        "problem": [problem],
    }


def _reach(address: str | None) -> None:
    """Raise :class:`OSError` soon if nobody answers at ``HOST:PORT``; Ray tries for minutes."""
    host, _, port = (address or "").rpartition(":")
    if port.isdecimal() and "/" not in host:
        socket.create_connection((host, int(port)), timeout=10).close()


def _ray() -> Any:
    with extra("ray", "ray"):
        import ray
        import ray.data
    return ray
