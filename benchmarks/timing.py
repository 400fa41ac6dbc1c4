"""Timing for all benchmarks: runs side by side, and the processor and versions they ran on."""

from __future__ import annotations

import gc
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

Run = Callable[[], object]
Result = TypeVar("Result")
SETS = ("avx2", "avx512f", "avx512_vnni", "avx_vnni", "amx_int8")
CHILD = """
import json, resource, sys, time
began, given = time.perf_counter(), json.loads(sys.argv[1])
{code}
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
spent = {{
    "seconds": time.perf_counter() - began,
    "processor": sum(one.ru_utime + one.ru_stime for one in used),
    "peak": sum(one.ru_maxrss for one in used) / 1024,
}}
print(json.dumps(spent | result))
"""


class Spent(NamedTuple):
    """Seconds of processor time and of the clock."""

    processor: float
    clock: float


def timed(run: Callable[[], Result]) -> tuple[Spent, Result]:
    """Return the seconds of a run, and its result."""
    before = time.process_time(), time.perf_counter()
    result = run()
    return Spent(time.process_time() - before[0], time.perf_counter() - before[1]), result


def spent(run: Run) -> Spent:
    """Return the seconds of a run, or those that it returns of another process.

    >>> spent(lambda: None).clock < 1
    True
    """
    own, result = timed(run)
    return result if isinstance(result, Spent) else own


def side_by_side(
    prepared: Mapping[str, Callable[[], Run]], rounds: int = 5
) -> dict[str, list[Spent]]:
    """Return the seconds of each run in alternating rounds, after one round to warm up.

    Args:
        prepared: Functions that prepare a run without being timed, by name.
        rounds: The number of timed rounds.
    """
    taken: dict[str, list[Spent]] = {name: [] for name in prepared}
    for number in range(rounds + 1):
        for name, prepare in prepared.items():
            run = prepare()
            gc.collect()
            seconds = spent(run)
            if number:
                taken[name].append(seconds)
    return taken


def compared(taken: Mapping[str, list[Spent]], count: float = 1, unit: str = "") -> Iterator[str]:
    """Yield a line for each run: median milliseconds, and the ratio of the first run to it.

    Args:
        taken: The seconds by name.
        count: The number of items of a run, over which the time is divided.
        unit: The item.
    """
    base: list[float] = []
    for name, times in taken.items():
        own = [statistics.median(column) for column in zip(*times, strict=True)]
        base = base or own
        cells = [
            f"{label} {1000 * mine / count:9.2f} ms (x {first / mine if mine else 1:.2f})"
            for label, mine, first in zip(Spent._fields, own, base, strict=True)
        ]
        yield f"  {name:62} {'   '.join(cells)}{unit and f'   a {unit}'}"


def each(runs: Mapping[str, Run]) -> dict[str, Callable[[], Run]]:
    """Return runs that need no preparation, for :func:`side_by_side`."""
    return {name: lambda run=run: run for name, run in runs.items()}


def show_compared(
    prepared: Mapping[str, Callable[[], Run]], rounds: int = 5, count: float = 1, unit: str = ""
) -> dict[str, list[Spent]]:
    """Time the runs side by side, print their lines, and return their seconds."""
    taken = side_by_side(prepared, rounds)
    print(*compared(taken, count, unit), sep="\n", flush=True)
    return taken


def show(name: str, run: Callable[[], Result]) -> Result:
    """Run once, print the seconds and the greatest memory so far, and return the result."""
    taken, result = timed(run)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = f"{taken.clock:8.2f} s  {taken.processor:8.2f} s of the processor"
    print(f"{name:44}{seconds}  {peak:6.0f} MB at most so far", flush=True)
    return result


def show_each(name: str, runs: Iterable[Callable[[], Result]]) -> list[Result]:
    """Run each once, print the median and the 95th percentile of them, and return the results."""
    taken, results = zip(*map(timed, runs), strict=True)
    for label, seconds in zip(Spent._fields, zip(*taken, strict=True), strict=True):
        middle, high = 1000 * np.percentile(seconds, (50, 95))
        print(f"{name}, {label}: median {middle:.2f} ms, 95 % within {high:.2f} ms", flush=True)
    return [*results]


def of_command(command: Sequence[str]) -> Spent:
    """Return the seconds of a command that is run to its end."""
    before = os.times()
    subprocess.run(command, check=True, capture_output=True)
    after = os.times()
    user, system, clock = (two - one for one, two in zip(before[2:], after[2:], strict=True))
    return Spent(user + system, clock)


def in_a_process(code: str, *given: object, **environment: str) -> dict[str, float]:
    """Run Python code in a process of its own; return its seconds, peak memory and ``result``.

    Args:
        code: Lines that read the list ``given`` and set the dictionary ``result``.
        given: The values of ``given``; paths become strings.
        environment: More variables of the environment.
    """
    arguments = json.dumps(given, default=str)
    command = [sys.executable, "-c", CHILD.format(code=code), arguments]
    env = os.environ | environment
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    if done.returncode:
        raise SystemExit(done.stderr)
    printed: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return printed


def processor() -> str:
    """Return the processor's name and those of its instruction sets that matter here."""
    if most := os.environ.get("ONEDNN_MAX_CPU_ISA"):
        return f"as if with {most}"
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    fields = {name.strip(): value for name, _, value in (line.partition(": ") for line in lines)}
    flags = fields.get("flags", "").split()
    sets = [name for name in SETS if name in flags]
    return f"{fields.get('model name', 'a processor')} with {', '.join(sets)}"


def machine(*packages: str) -> str:
    """Return the versions of packages, the number of cores and threads, and the processor."""
    threads = os.environ.get("HYBRIDSEM_THREADS", "default")
    versions = [f"{name} {version(name)}" for name in packages]
    cores = f"{os.cpu_count()} cores, {threads} threads"
    return "; ".join([*(", ".join(versions) for _ in versions[:1]), cores, processor()])
