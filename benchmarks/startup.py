"""How long a cold start takes: the import, and one `hybridsem similarity`; and a warm pair.

    python -m benchmarks.startup [--runs 7] [--pairs 200]

Cold figures are the fastest and the median of fresh processes. The import is measured inside the
process, so the interpreter's own start is not in it; the command is measured from outside, by the
clock and in processor time. Warm figures are of one pipeline and sentences that it has not seen.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial

import hybridsem
from benchmarks.timing import in_a_process, machine, spent

IMPORT = """
import hybridsem
result = {"import": time.perf_counter() - began}
"""
COMMAND = [sys.executable, "-m", "hybridsem", "similarity", "A dog barked.", "It barked."]
PEOPLE = ("baker", "pilot", "teacher", "nurse", "sailor", "painter", "farmer", "clerk")
THINGS = ("books", "maps", "coins", "letters", "clocks", "boats", "lamps")


def command_seconds() -> tuple[float, float]:
    """Return the seconds of the command by the clock, and of the processor."""
    with tempfile.TemporaryDirectory() as empty:
        began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(COMMAND, check=True, capture_output=True, cwd=empty)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, used


def warm_seconds(pairs: int) -> list[float]:
    """Return the seconds of single pairs."""
    nlp = hybridsem.Pipeline()
    nlp.similarity("The first call reads the weights.", "So it is not counted.")
    taken = []
    for i in range(pairs):
        first, second = (
            f"The {PEOPLE[(i + k) % 8]} showed {i} {THINGS[i % 7]} to the "
            f"{PEOPLE[(i * 3 + 5 - k) % 8]} before lunch."
            for k in (0, 1)
        )
        taken.append(spent(partial(nlp.similarity, first, second)).clock)
    return taken


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--pairs", type=int, default=200)
    options = parser.parse_args(arguments)
    print(f"{machine('onnxruntime', 'numpy')}; {options.runs} runs each")
    imports = [in_a_process(IMPORT)["import"] for _ in range(options.runs)]
    clock, processor = zip(*(command_seconds() for _ in range(options.runs)), strict=True)
    for name, times, bound in (
        ("import hybridsem", imports, 0.3),
        ("hybridsem similarity, cold", clock, 2.5),
        ("  of the processor", processor, 0.5),
    ):
        centre = statistics.median(times)
        print(f"{name:28} fastest {min(times):.3f} s   median {centre:.3f} s   wanted < {bound} s")
    taken = [1000 * seconds for seconds in warm_seconds(options.pairs)]
    centre, high = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
    print(f"{'similarity, warm':28} median {centre:.1f} ms   95th percentile {high:.1f} ms")


if __name__ == "__main__":
    main()
