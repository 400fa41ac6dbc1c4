"""An engine on a Ray cluster, through Ray Data."""

from __future__ import annotations

import itertools
import json
import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from hybridsem._extras import extra
from hybridsem.batch.work import SENTENCES_HELD, Result, Scorer, Texts, score_texts
from hybridsem.errors import HybridSemError, InputError

__all__ = ["RayEngine"]

GROUP = 256
"""Chunks that are given to Ray Data at once. Between two groups the actors, and with them the pipelines, are new."""


class RayEngine:
    """Scores on the nodes of a Ray cluster, one pipeline a CPU; hybridsem must be installed there.

    ``make`` makes the pipeline; ``address`` is the cluster's (``auto``: the one that this machine belongs to), None a
    Ray of its own on this machine, unless the process is connected already. What was at work on a node that is lost is
    done again on another.
    """

    def __init__(
        self, make: Callable[[], Scorer], address: str | None = None, *, details: bool = False, group: int = GROUP
    ) -> None:
        self.make, self.details, self.group = make, details, group
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

    def run(self, chunks: Iterable[list[Texts]]) -> Iterator[list[Result]]:
        """The results of every chunk, in order; reads one group of chunks ahead."""
        source = iter(chunks)
        while group := list(itertools.islice(source, self.group)):
            yield from self._run(group)

    def _run(self, group: list[list[Texts]]) -> Iterator[list[Result]]:
        import ray.data

        context = ray.data.DataContext.get_current()
        context.execution_options.preserve_order = True
        context.enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        cpus = int(self.ray.cluster_resources().get("CPU", 1))
        rows = [{"chunk": number, "pairs": json.dumps(chunk)} for number, chunk in enumerate(group)]
        data = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
            _Scorer,
            batch_size=None,  # a block, which is a chunk
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=max(1, min(cpus, len(rows)))),
            fn_constructor_args=(self.make, self.details),
            num_cpus=1,
        )
        try:
            for number, row in enumerate(data.iter_rows()):
                if row["chunk"] != number:
                    raise HybridSemError(f"Ray gave the results of chunk {row['chunk']} for those of chunk {number}")
                yield [Result.from_list(result) for result in json.loads(row["results"])]
        except ray.exceptions.RayError as error:
            raise HybridSemError(f"the Ray cluster failed: {str(error).strip().splitlines()[-1]}") from error

    def close(self) -> None:
        """Leave the cluster, if it was this engine that went there."""
        if self._connected_here:
            self.ray.shutdown()


class _Scorer:
    """What an actor does; Ray makes one a CPU."""

    def __init__(self, make: Callable[[], Scorer], details: bool) -> None:
        os.environ["HYBRIDSEM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"
        self.pipeline, self.details = make(), details
        if (remember := getattr(self.pipeline, "remember", None)) is not None:
            remember(SENTENCES_HELD)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """The results of a block of chunks."""
        results = []
        for pairs in batch["pairs"]:
            texts = [(one, two) for one, two in json.loads(pairs)]
            results.append(json.dumps([r.to_list() for r in score_texts(self.pipeline, texts, self.details)]))
        return {"chunk": batch["chunk"], "results": results}


def _reach(address: str | None) -> None:
    """Raise :class:`OSError` soon if nobody answers at ``HOST:PORT``, where Ray itself would try for minutes."""
    host, _, port = (address or "").rpartition(":")
    if port.isdecimal() and "/" not in host:
        socket.create_connection((host, int(port)), timeout=10).close()


def _ray() -> Any:
    with extra("ray", "ray"):
        import ray
        import ray.data
    return ray
