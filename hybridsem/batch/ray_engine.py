"""Chunks of work on a Ray cluster, through Ray Data."""

from __future__ import annotations

import itertools
import logging
import pickle
import re
import secrets
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeVar

from hybridsem._utils.extras import extra
from hybridsem.batch.work import Result, Texts, died, scorer, started
from hybridsem.errors import HybridSemError, InputError

__all__ = ["RayEngine"]

_Chunk = TypeVar("_Chunk")
_Made = TypeVar("_Made")

GROUP = 256
"""Chunks that are given to Ray Data at once."""

TRIES = 5
"""How often a chunk is begun; Ray would begin one that kills its process for ever."""


_NAMES_AN_ERROR = re.compile(r"[\w.]+(Error|Exception): ")


class RayEngine:
    """Does the same to chunk after chunk on the nodes of a Ray cluster, one process a CPU;
    hybridsem must be installed there.

    What was at work on a node that is lost is done again on another.

    Args:
        make: Makes the pipeline, once in a process.
        address: The cluster's; ``auto`` is the one that this machine belongs to, None a Ray of its
            own on this machine, unless the process is connected already.
        details: Results of pairs hold each role's similarity and the model's own figures.
        group: Chunks that are given to Ray Data at once.
    """

    def __init__(
        self,
        make: Callable[[], Any],
        address: str | None = None,
        *,
        details: bool = False,
        group: int = GROUP,
    ) -> None:
        self.make, self.details, self.group = make, details, group
        self.token = secrets.token_hex(8)
        self._numbers, self._jobs = itertools.count(), itertools.count()  # over all runs
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

    def map(
        self,
        begin: Callable[[Any], Callable[[_Chunk], _Made]],
        chunks: Iterable[_Chunk],
        item: str = "text",
    ) -> Iterator[_Made]:
        """As :class:`~hybridsem.reader.Executor` has it; reads one group of chunks ahead, and sends
        what ``begin`` holds to each node once.

        Raises:
            HybridSemError: What was raised there of these, as it was; a chunk over which processes
                die; what Ray says of a cluster that fails.
        """
        job = f"{self.token}-{next(self._jobs)}"
        given = self.ray.put((self.make, begin))
        source = zip(self._numbers, chunks, strict=False)
        while group := list(itertools.islice(source, self.group)):
            yield from self._run(group, _Job(self.token, job, item, given, self.begun))

    def run(self, chunks: Iterable[list[Texts]]) -> Iterator[list[Result]]:
        """The results of every chunk of pairs, in order."""
        return self.map(partial(scorer, details=self.details), chunks, "pair")

    def _run(self, group: list[tuple[int, Any]], job: _Job) -> Iterator[Any]:
        import ray.data

        context = ray.data.DataContext.get_current()
        context.execution_options.preserve_order = True
        context.enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        work: Any = _worked  # Ray's types know functions of one argument
        rows = [{"number": number, "chunk": pickle.dumps(chunk)} for number, chunk in group]
        data = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
            work,
            batch_size=None,  # a block, which is a chunk
            fn_args=(job,),
            num_cpus=1,
        )
        try:
            for (number, _), row in zip(group, data.iter_rows(), strict=True):
                if row["number"] != number:
                    raise HybridSemError(
                        f"Ray gave the results of chunk {row['number']} for those of chunk {number}"
                    )
                made = pickle.loads(row["made"])
                if isinstance(made, HybridSemError):
                    raise made
                yield made
        except ray.exceptions.RayError as error:
            said = str(error).strip().splitlines()
            why = next((line for line in said if _NAMES_AN_ERROR.match(line)), said[-1])
            raise HybridSemError(f"the Ray cluster failed: {why}") from error

    def close(self) -> None:
        """Leave the cluster, if it was this that went there."""
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


class _Job(NamedTuple):
    """What a process is told: of whose engine the pipeline is, what is done to its chunks, a
    reference to what makes the one and begins the other, and to the count of beginnings.
    """

    engine: str
    name: str
    item: str
    given: Any
    begun: Any


class _Process:
    """What a worker process holds from task to task."""

    engine = job = ""
    pipeline: Any = None
    work: Callable[[Any], Any]

    def ready(self, job: _Job) -> Callable[[Any], Any]:
        """What is done to chunks; the pipeline is made where the last task had another."""
        if self.job != job.name:
            make, begin = _ray().get(job.given)
            if self.engine != job.engine:
                self.engine = self.job = ""
                self.pipeline = None  # two at once may be too large
                self.pipeline = started(make, threads=1)
                self.engine = job.engine
            self.work = begin(self.pipeline)
            self.job = job.name
        return self.work


_PROCESS = _Process()


def _worked(batch: Any, job: _Job) -> dict[str, Any]:
    """What is made of a block of one chunk, in a worker process, or what is wrong."""
    number, chunk = int(batch["number"][0]), pickle.loads(batch["chunk"][0])
    ray = _ray()
    made: Any
    if ray.get(job.begun.again.remote(number)) > TRIES:
        made = HybridSemError(died(f"{TRIES} times", number, chunk, job.item))
    else:
        try:
            made = _PROCESS.ready(job)(chunk)
        except HybridSemError as error:
            made = error
        except (MemoryError, ray.exceptions.RayError):
            raise  # another try may do
        except Exception as error:  # Ray would try again, and not say what it was
            made = HybridSemError(f"the Ray cluster failed: {type(error).__name__}: {error}")
    return {"number": batch["number"], "made": [pickle.dumps(made)]}


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
